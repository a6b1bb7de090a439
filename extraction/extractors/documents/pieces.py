"""A text cut into the sentences that a reader judges one by one: each with its place, its heading and what stands around it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from extraction.extractors.documents.layout import paragraph_end
from ledger.language.outline import Heading

MAX_PIECE: Final = 1200
# Blank lines, and what opens the line below them and is no word of its first sentence.
_MARKER: Final = re.compile(
    r"(?:[^\S\n]*+\n)*+(?P<indent>[ \t]*+)(?P<quote>(?:>[ \t]?)*+)[ \t]*+"
    r"(?P<marker>(?:[-*+•‣◦▪–—]|\(?\d{1,3}[.)]|[a-z][.)])[ \t]++)?+(?P<box>\\?\[[ xX]?\\?\][ \t]++)?+"
)
# Its first sign is a class, which is searched for in C.
_SENTENCE_END: Final = re.compile(
    r"[.!?。！？|<](?:(?<=[.!?])[.!?]*+[\"'”’)\]*_`]*+(?=\s++[\"'“‘(\[*_`@<~]*[A-Z0-9À-Þ])|(?<=[。！？|])|(?<=<)br ?/?>)"
)
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:e\.g|i\.e|eg|ie|vs|mr|mrs|ms|dr|st|approx|cf|etc|no|nr|al|fig|sec|bzw|z\.b)|\b[a-z]|\A\d{1,3})\Z", re.I
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


class Piece(NamedTuple):
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
    titles = ["", *(head.title for head in heads)]
    starts = [0, *(head.end + 1 for head in heads)]
    stops = [*(head.start for head in heads), len(shadow)]
    for title, start, stop in zip(titles, starts, stops, strict=True):
        yield from _pieces_under(title, shadow, start, stop)


def _pieces_under(title: str, shadow: str, at: int, limit: int) -> Iterator[Piece]:
    while at < limit:
        opened = _MARKER.match(shadow, at, limit)
        assert opened is not None  # noqa: S101 (it matches the empty text)
        end = paragraph_end(shadow, opened.end(), opened.start("indent"), limit, quote=opened["quote"])
        box, marker = opened["box"], opened["marker"]
        ticked = "-" if box is None else "x" if "x" in box.lower() else " "
        depth = len(opened["indent"].expandtabs(4))
        first = True
        for start, last in _sentences(shadow, opened.end(), end):
            yield Piece(start, last, title, marker is not None, ticked, first, depth)
            first = False
        at = end + 1


def _sentences(shadow: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for mark in _SENTENCE_END.finditer(shadow, start, end):
        sign = mark[0][0]
        if sign == "." and _ABBREVIATION.search(shadow, max(start, mark.start() - 8), mark.start()):
            continue
        yield from _with_words(shadow, start, mark.start() if sign in "|<" else mark.end())
        start = mark.end()
    yield from _with_words(shadow, start, end)


def _with_words(shadow: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The range without white space at its edges, where a word stands in it."""
    if _WORD.search(shadow, start, end):
        words = shadow[start:end].lstrip()
        start = end - len(words)
        yield start, start + min(MAX_PIECE, len(words.rstrip()))


def is_transcript(shadow: str, *, least: int = 1) -> bool:
    """Whether a text holds mostly what people said, line by line, `least` lines of it: there far more is said than settled, and
    who wrote it down labelled what counts."""
    lines = len(_LINE.findall(shadow))
    return len(_SAID.findall(shadow)) >= max(least, MIN_SAID * lines)


def said_share(shadow: str) -> float:
    """The share of a text's lines in which somebody speaks."""
    return len(_SAID.findall(shadow)) / max(1, len(_LINE.findall(shadow)))


# The share of lines from which on a text is a transcript.
MIN_SAID: Final = 0.35
_LINE: Final = re.compile(r"^[ \t]*\S", re.M)
# `Bo: words`, `<bo> words`, `[Bo] words`, perhaps behind a time; or the three dots of who goes on.
_SAID: Final = re.compile(
    r"""^[ \t>*-]{0,8}(?:\[?\d{1,2}:\d\d\S{0,6}[ \t]+)?
    (?:<[^<>\n]{1,40}>|\*{0,2}\[?[^\W\d_][\w\x20.'’-]{0,30}(?:\([^()\n]{0,30}\))?(?:\]|\*{0,2}:)|…|\.\.\.)[ \t*]""",
    re.M | re.X,
)
