"""A text as the rules read it: its words with code and quotations blanked, its headings and label lines, and how far a statement
reaches in it: wrapped lines, list items, the text below a heading. All offsets hold in the text itself."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from extraction.extractors.documents.ruleset import RuleSet
from ledger.language.outline import Heading

# A line that begins something new and so never continues the one before it.
_NEW_BLOCK: Final = re.compile(
    r"[ \t]*+(?:[-*+•‣◦▪·–—][ \t]|\(?\d{1,3}[.)][ \t]|\||>|#{1,6}[ \t]|\{[:%]"
    r"|<(?:/?(?:p|div|li|ul|ol|h[1-6]|table|tr|br|hr|details|summary)\b|[@+]?[\w.|`^-]{1,40}>)"
    r"|([-=~*_])(?:[ \t]*\1){2,}[ \t]*$|(?:https?://|<https?:)\S*[ \t]*$|…|\.\.\.|\[|\d{1,2}:\d{2}\b|:[\w-]{1,30}:"
    r"|\*{1,3}\w|(?:\*{1,3}|_{1,2})?[A-Z][\w .'’()/-]{0,40}(?:\*{1,3}|_{1,2})?:|[A-Z]{2,4}[ \t]?/[ \t]?[A-Z]{2,4}:)"
)
_ITEM: Final = re.compile(
    r"(?P<indent>[ \t]*+)(?P<quote>(?:>[ \t]?)*+[ \t]*+)(?P<marker>[-*+•‣◦▪–]|\(?\d{1,3}[.)]|[a-z][.)])(?P<gap>[ \t]++)"
    r"(?P<box>\\?\[[ xX]\\?\][ \t]++)?+(?=\S)"
)
_ENDED: Final = re.compile(r"[.!?:;。！？…][\"'”’)\]*_`]*$")
_WRAP_FROM, _WRAP_WIDTH, _WRAP_ENDED, _WRAP_TO = 50, 68, 74, 120
_QUOTED: Final = re.compile(r"[ \t]*+((?:>[ \t]?)*+)")
_MARGIN: Final = re.compile(r"[ \t>]*")
_LOWER_WORD: Final = re.compile(r"[ \t]*+[a-zà-öø-ÿ(][\w'’(-]*+(?![\w:：])")
_GAP: Final = re.compile(r"\n[ \t]*\n")
# Wider than any margin: before its first item a list has no depth of its own.
_ANY_DEPTH: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Item:
    """A list item: `content` to `end` are its words with everything nested in it; `depth` its marker's column; `done` where
    its box is ticked."""

    start: int
    content: int
    end: int
    depth: int
    done: bool


def trimmed(shadow: str, start: int, end: int) -> tuple[int, int]:
    """The range without white space at its edges."""
    return trim_start(shadow, start, end), trim_end(shadow, start, end)


def trim_end(shadow: str, start: int, end: int) -> int:
    """`end` moved before trailing white space."""
    words = shadow[start:end]
    return end - len(words) + len(words.rstrip())


def trim_start(shadow: str, start: int, end: int) -> int:
    """`start` moved after leading white space."""
    words = shadow[start:end]
    return start + len(words) - len(words.lstrip())


def paragraph_end(
    shadow: str, start: int, line_start: int, limit: int, *, open_marks: str = "", quote: str = ""
) -> int:
    """Where the words that begin at `start` stop: at their line's end, or at a later one that they were wrapped onto.

    A next line belongs to them where it opens no block of its own, stands at the same quote depth, and either the emphasis
    opened before is still open or the line above was filled: its words stop short only because the next did not fit.
    """
    end = line_end(shadow, start, limit)
    while end < limit:
        below = line_end(shadow, end + 1, limit)
        still_open = bool(open_marks) and open_marks not in shadow[start:end]
        if not _continues(shadow[line_start:end], shadow[end + 1 : below], quote.count(">"), still_open):
            break
        line_start, end = end + 1, below
    return end


def _continues(above: str, line: str, depth: int, still_open: bool) -> bool:
    quoted = _QUOTED.match(line)
    assert quoted is not None  # noqa: S101 (it matches the empty text)
    bare = line[quoted.end() :] if depth else line
    if not bare.strip() or quoted[1].count(">") != depth or _NEW_BLOCK.match(bare):
        return False
    return still_open or (not above.endswith("  ") and _was_wrapped(above, bare))


def _was_wrapped(above: str, below: str) -> bool:
    """True where the first word below would have passed the width at which texts are wrapped, or where it goes on without a
    capital after a line that ends no sentence."""
    ended = _ENDED.search(above[-20:].rstrip()) is not None
    if not ended and _LOWER_WORD.match(below):
        return True
    length = len(above.rstrip())
    first = len(below.split(None, 1)[0])
    return _WRAP_FROM <= length <= _WRAP_TO and length + 1 + first > (_WRAP_ENDED if ended else _WRAP_WIDTH)


def items_in(shadow: str, start: int, end: int, *, loose: bool = False) -> list[Item]:
    """The outermost items of the first list in `start:end`; empty where no list stands there.

    An item takes in what is nested in it, indented under it or wrapped from it. Text at the margin after a blank line ends
    the list; in a `loose` one it belongs to the item above where a further item follows.
    """
    found: list[tuple[int, int, int, int, bool]] = []
    outer, blank, after = _ANY_DEPTH, False, False
    for at, stop in _lines(shadow, start, end):
        line = shadow[at:stop]
        if not line.strip(" \t>"):
            blank = True
            continue
        marker = _ITEM.match(line)
        depth = len(_MARGIN.match(line)[0].replace("\t", "    "))  # type: ignore[index]
        if marker and depth <= outer + 1:
            if loose and found:
                found[-1] = (*found[-1][:2], at, *found[-1][3:])
            outer, after = min(outer, depth), False
            found.append((at, at + marker.end(), stop, outer, "x" in (marker["box"] or "").lower()))
        else:
            after = after or (blank and depth <= outer)
            if after and found and not loose:
                break
            if found and not after:
                found[-1] = (*found[-1][:2], stop, *found[-1][3:])
        blank = False
    return [
        Item(first, content, trim_end(shadow, content, last), depth, done)
        for first, content, last, depth, done in found
    ]


def paragraphs(shadow: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The blocks of `start:end` between blank lines, trimmed."""
    edges = [start, *(edge for gap in _GAP.finditer(shadow, start, end) for edge in gap.span()), end]
    blocks = (trimmed(shadow, low, high) for low, high in zip(edges[::2], edges[1::2], strict=True))
    yield from ((first, last) for first, last in blocks if first < last)


def line_end(shadow: str, at: int, limit: int) -> int:
    stop = shadow.find("\n", at, limit)
    return limit if stop < 0 else stop


def _lines(shadow: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = line_end(shadow, start, end)
        yield start, stop
        start = stop + 1


@dataclass(frozen=True, slots=True)
class LabelLine:
    """A label at the head of a line. The words labelled start at `content`; the line stops at `line_end`.

    `kind` is empty for labels that propose or ask (`PROPOSED:`, `Poll:`). `marks` is the emphasis still open after the label.
    """

    kind: str
    label: str
    line_start: int
    line_end: int
    indent: int
    quote: str
    bullet: str
    content: int
    marks: str
    bracketed: bool
    owner: str
    speaker: str
    emphatic: bool
    done: bool = False


@dataclass(frozen=True, slots=True)
class TitledSection:
    """What stands under a heading whose title names a kind: where, and the form that it takes."""

    kind: str
    form: str
    start: int
    end: int
    # What is written below the list of a topic's conclusion are remarks on it; below a list of decisions the page goes on.
    concludes: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One text with what every rule asks of it. `shadow` has the length and line breaks of `text`; `edges` are the places of
    its label lines and headings, ascending; `known` the nicknames that speak in it, case folded, where it has actions."""

    text: str
    shadow: str
    rules: RuleSet
    headings: Sequence[Heading]
    labels: Sequence[LabelLine]
    sections: Sequence[TitledSection]
    edges: Sequence[int]
    known: frozenset[str]

    def edge_after(self, at: int) -> int:
        """Where the next label line or heading after `at` begins, or the text ends."""
        following = bisect_right(self.edges, at)
        return self.edges[following] if following < len(self.edges) else len(self.shadow)

    def labels_between(self, start: int, end: int) -> Iterator[LabelLine]:
        """The label lines that begin in `start:end`."""
        first = bisect_left(self.labels, start, key=_line_start)
        yield from self.labels[first : bisect_left(self.labels, end, lo=first, key=_line_start)]


def _line_start(line: LabelLine) -> int:
    return line.line_start
