"""A text cut into the sentences that a reader judges one by one: each with its place, its heading and what stands around it."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from extraction.extractors.documents.page import line_end, paragraph_end
from ledger.language.outline import Heading

MAX_PIECE: Final = 1200
# What opens a line and is no word of its first sentence.
_MARKER: Final = re.compile(
    r"(?P<indent>[ \t]*+)(?P<quote>(?:>[ \t]?)*+)[ \t]*+(?P<marker>(?:[-*+•‣◦▪–—]|\(?\d{1,3}[.)]|[a-z][.)])[ \t]++)?+"
    r"(?P<box>\\?\[[ xX]?\\?\][ \t]++)?+"
)
_SENTENCE_END: Final = re.compile(r"[.!?]++[\"'”’)\]*_`]*+(?=\s++[\"'“‘(\[*_`@<~]*[A-Z0-9À-Þ])|[。！？]|\||<br ?/?>")
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:e\.g|i\.e|eg|ie|vs|mr|mrs|ms|dr|st|approx|cf|etc|no|nr|al|fig|sec|bzw|z\.b)|\b[a-z]|\A\d{1,3})\Z", re.I
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence `start:end`. `heading` is the title that it stands under, `item` whether a list's marker opens its line,
    `ticked` its box (`-` none, ` ` open, `x` done), `first` whether it begins its line, `depth` the indent in columns."""

    start: int
    end: int
    heading: str
    item: bool = False
    ticked: str = "-"
    first: bool = True
    depth: int = 0


def pieces_of(shadow: str, heads: Sequence[Heading]) -> Iterator[Piece]:
    """The sentences of a text from `mask_code`, in order; headings are none."""
    head_starts = [head.start for head in heads]
    at, length = 0, len(shadow)
    while at < length:
        number = bisect_right(head_starts, at) - 1
        head = heads[number] if number >= 0 else None
        if head and at < head.end:
            at = head.end + 1
            continue
        limit = heads[number + 1].start if number + 1 < len(heads) else length
        stop = line_end(shadow, at, limit)
        if not shadow[at:stop].strip():
            at = stop + 1
            continue
        opened = _MARKER.match(shadow, at, stop)
        assert opened is not None  # noqa: S101 (it matches the empty text)
        end = paragraph_end(shadow, opened.end(), at, limit, quote=opened["quote"])
        box = opened["box"] or ""
        ticked = "x" if "x" in box.lower() else " " if box else "-"
        depth = len(opened["indent"].expandtabs(4))
        first = True
        for start, last in _sentences(shadow, opened.end(), end):
            yield Piece(start, last, head.title if head else "", opened["marker"] is not None, ticked, first, depth)
            first = False
        at = end + 1


def _sentences(shadow: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for mark in _SENTENCE_END.finditer(shadow, start, end):
        if mark[0][0] == "." and _ABBREVIATION.search(shadow, max(start, mark.start() - 8), mark.start()):
            continue
        words_end = mark.start() if mark[0][0] in ("|", "<") else mark.end()
        yield from _trimmed(shadow, start, words_end)
        start = mark.end()
    yield from _trimmed(shadow, start, end)


def _trimmed(shadow: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    words = shadow[start:end]
    start += len(words) - len(words.lstrip())
    end -= len(words) - len(words.rstrip())
    if start < end and _WORD.search(shadow, start, end):
        yield start, min(end, start + MAX_PIECE)


def is_transcript(shadow: str, *, least: int = 1) -> bool:
    """Whether a text holds mostly what people said, line by line, `least` lines of it: there far more is said than settled, and
    who wrote it down labelled what counts."""
    lines = len(_LINE.findall(shadow))
    return len(_SAID.findall(shadow)) >= max(least, MIN_SAID * lines)


# The share of lines from which on a text is a transcript.
MIN_SAID: Final = 0.35
_LINE: Final = re.compile(r"^[ \t]*\S", re.M)
# `Bo: words`, `<bo> words`, `[Bo] words`, perhaps behind a time; or the three dots of who goes on.
_SAID: Final = re.compile(
    r"""^[ \t>*-]{0,8}(?:\[?\d{1,2}:\d\d\S{0,6}[ \t]+)?
    (?:<[^<>\n]{1,40}>|\*{0,2}\[?[^\W\d_][\w\x20.'’-]{0,30}(?:\([^()\n]{0,30}\))?(?:\]|\*{0,2}:)|…|\.\.\.)[ \t*]""",
    re.M | re.X,
)
