"""How far a statement reaches in a text with code and quotations blanked: wrapped lines, list items, paragraphs, and the range
without the marks at its edges."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

# A line that holds nothing, or begins something new, and so never continues the one before it.
_NEW_BLOCK: Final = re.compile(
    r"\s*\Z|[ \t]*+(?:[-*+•‣◦▪·–—][ \t]|\(?\d{1,3}[.)][ \t]|\||>|#{1,6}[ \t]|\{[:%]"
    r"|<(?:/?(?:p|div|li|ul|ol|h[1-6]|table|tr|br|hr|details|summary)\b|[@+]?[\w.|`^-]{1,40}>)"
    r"|([-=~*_])(?:[ \t]*\1){2,}[ \t]*$|(?:https?://|<https?:)\S*[ \t]*$|…|\.\.\.|\[|\d{1,2}:\d{2}\b|:[\w-]{1,30}:"
    r"|\*{1,3}\w|(?:\*{1,3}|_{1,2})?[A-Z][\w .'’()/-]{0,40}(?:\*{1,3}|_{1,2})?:|[A-Z]{2,4}[ \t]?/[ \t]?[A-Z]{2,4}:)"
)
_ITEM: Final = re.compile(
    r"(?P<indent>[ \t]*+)(?P<quote>(?:>[ \t]?)*+[ \t]*+)"
    r"(?:(?:[-*+•‣◦▪–]|\(?\d{1,3}[.)]|[a-z][.)])[ \t]++|(?=\\?\[[ xX]\\?\][ \t]))"
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
    """A list item: `content` to `end` are its words with everything nested in it; `depth` its marker's column; `boxed` where a
    box stands before it, `done` where it is ticked."""

    start: int
    content: int
    end: int
    depth: int
    done: bool
    boxed: bool = False


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
    end, depth = line_end(shadow, start, limit), quote.count(">")
    while end < limit:
        first, below = end + 1, line_end(shadow, end + 1, limit)
        if depth:
            quoted = _QUOTED.match(shadow, first, below)
            assert quoted is not None  # noqa: S101 (it matches the empty text)
            first = quoted.end() if quoted[1].count(">") == depth else below
        if _NEW_BLOCK.match(shadow, first, below):
            break
        still_open = bool(open_marks) and open_marks not in shadow[start:end]
        if not still_open and not _was_wrapped(shadow[line_start:end], shadow[first:below]):
            break
        line_start, end = end + 1, below
    return end


def _was_wrapped(above: str, below: str) -> bool:
    """True where the first word below would have passed the width at which texts are wrapped, or where it goes on without a
    capital after a line that ends no sentence."""
    if above.endswith("  "):
        return False
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
    found: list[Item] = []
    outer, after = _ANY_DEPTH, False
    for at, stop, below_blank in _lines_of_words(shadow, start, end):
        line = shadow[at:stop]
        marker = _ITEM.match(line)
        depth = len(_MARGIN.match(line)[0].replace("\t", "    "))  # type: ignore[index]
        if marker and depth <= outer + 1:
            if loose and found:
                found[-1] = replace(found[-1], end=at)
            outer, after = min(outer, depth), False
            box = (marker["box"] or "").lower()
            found.append(Item(at, at + marker.end(), stop, outer, done="x" in box, boxed=bool(box)))
        elif found:
            after |= below_blank and depth <= outer
            if not after:
                found[-1] = replace(found[-1], end=stop)
            elif not loose:
                break
    return [replace(item, end=trim_end(shadow, item.content, item.end)) for item in found]


# A line that cannot end there; a nested item that takes something out of what is decided.
_DANGLING: Final = re.compile(
    r"\b(?:an?|the|to|of|with|for|and|or|by|in|on|at|from|into|than|that|is|are|be|will|use|adopt|our|its|their|der|die|das|den|und"
    r"|mit|für|von|zu|el|los|las|con|y|le|les|et|du|des)\Z",
    re.I,
)
# `We adopt the following rules`, above a list.
_INTRODUCES: Final = re.compile(
    r"\b(?:following(?: \w+){0,2}|as follows|these(?: \w+){1,2}|folgende\w*(?: \w+){0,2}|siguientes?(?: \w+){0,2}"
    r"|suivante?s?|seguintes?(?: \w+){0,2}|seguenti(?: \w+){0,2}|volgende(?: \w+){0,2})\Z",
    re.I,
)
_EXCEPTION: Final = re.compile(
    r"\n[ \t>]*(?:exceptions?|ausnahmen?|excepci(?:ón|ones)|exceç(?:ão|ões)|eccezion[ei]|uitzondering(?:en)?)[ \t]?:[^\n]*"
    r"|\n(?:[ \t>]+[-*+•–]|[ \t]{2,})[ \t]+"
    r"(?:except|unless|but|only|with the exception|provided|excluding|ausgenommen|außer|salvo|sauf)\b[^\n]*",
    re.I,
)


def whole_end(shadow: str, start: int, end: int, following: int) -> int:
    """Where a statement ends with the list that it introduces, the line that it is broken onto, or its exceptions."""
    words = shadow[start:end].rstrip("*_ ")
    if words.endswith(":") or _INTRODUCES.search(words[-60:]) or _DANGLING.search(words):
        below = trim_start(shadow, end, following)
        items = items_in(shadow, shadow.rfind("\n", 0, below) + 1, following)
        if items and items[0].start <= below <= items[0].content:
            return items[-1].end
    if _DANGLING.search(words) and shadow[end + 1 : following].split("\n")[0].strip():
        end = line_end(shadow, end + 1, following)
    while exception := _EXCEPTION.match(shadow, end, following):
        end = exception.end()
    return end


def paragraphs(shadow: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The blocks of `start:end` between blank lines, trimmed."""
    edges = [start, *(edge for gap in _GAP.finditer(shadow, start, end) for edge in gap.span()), end]
    blocks = (trimmed(shadow, low, high) for low, high in zip(edges[::2], edges[1::2], strict=True))
    yield from ((first, last) for first, last in blocks if first < last)


def line_end(shadow: str, at: int, limit: int) -> int:
    stop = shadow.find("\n", at, limit)
    return limit if stop < 0 else stop


def _lines_of_words(shadow: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Start and end of each line that holds a word, and whether it stands below one that holds none."""
    below_blank = False
    while start < end:
        stop = line_end(shadow, start, end)
        blank = not shadow[start:stop].strip(" \t>")
        if not blank:
            yield start, stop, below_blank
        start, below_blank = stop + 1, blank


_TAIL_TAGS: Final = re.compile(r"(?:[ \t]*</[a-zA-Z][a-zA-Z0-9]{0,10}>)+\Z|[ \t]*<br ?/?>\Z")
_ATTRIBUTES: Final = re.compile(r"[ \t]*\{[:#.][^{}\n]{0,200}\}\Z")
_BRACKETS: Final = '[("“`'
_CLOSING: Final = {"[": "]", "(": ")", "“": "”"}


def trim_marks(shadow: str, start: int, end: int, open_marks: str) -> tuple[int, int]:
    """The range without white space, closing tags, attribute lists and emphasis at its edges that nothing inside opened."""
    start, end = trimmed(shadow, start, end)
    before = -1
    while before != end:
        before = end
        for pattern in (_TAIL_TAGS, _ATTRIBUTES):
            if cut := pattern.search(shadow, max(start, end - 250), end):
                end = trim_end(shadow, start, cut.start())
        if shadow.endswith("\\", start, end):
            end = trim_end(shadow, start, end - 1)
        end, open_marks = _without_closing(shadow, start, end, open_marks)
        start, end = _without_emphasis(shadow, start, end)
    return trimmed(shadow, start, end)


def _without_closing(shadow: str, start: int, end: int, open_marks: str) -> tuple[int, str]:
    """`end` before what closes a mark that was opened in the label, and the marks that are still open."""
    for mark in (open_marks.strip(_BRACKETS), *(mark for mark in open_marks if mark in '[("“')):
        close = _CLOSING.get(mark, mark)
        if close and shadow.endswith(close, start, end) and shadow.count(close, start, end) % 2 == 1:
            end = trim_end(shadow, start, end - len(close))
            open_marks = open_marks.replace(mark, "", 1)
    return end, open_marks


def _without_emphasis(shadow: str, start: int, end: int) -> tuple[int, int]:
    """The range within emphasis that opens at its start and closes at its end."""
    for mark in ("***", "**", "__", "*", "_"):
        whole = (
            end - start > 2 * len(mark) and shadow.startswith(mark, start, end) and shadow.endswith(mark, start, end)
        )
        if whole and shadow.count(mark, start, end) == 2:
            return start + len(mark), end - len(mark)
    return start, end
