"""How far a statement reaches: wrapped lines, list items, the text below a heading. Offsets into the masked text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

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


@dataclass(frozen=True, slots=True)
class Item:
    """A list item: `content` to `end` are its words with everything nested in it; `depth` its marker's column."""

    start: int
    content: int
    end: int
    depth: int
    checked: bool


def paragraph_end(
    shadow: str, start: int, line_start: int, limit: int, *, open_marks: str = "", quote: str = ""
) -> int:
    """Where the words that begin at `start` stop: at their line's end, or at a later one that they were wrapped onto.

    A next line belongs to them where it opens no block of its own, stands at the same quote depth, and either the emphasis
    opened before is still open or the line above was filled: its words stop short only because the next did not fit.
    """
    end = _line_end(shadow, start, limit)
    depth = quote.count(">")
    while end < limit and (below := _line_below(shadow, end, limit)) is not None:
        low, high = below
        line = shadow[low:high]
        quoted = _QUOTED.match(line)
        bare = line[quoted.end() :] if quoted and depth else line
        if not bare.strip() or (quoted and quoted[1].count(">") != depth):
            break
        above = shadow[line_start:end]
        still_open = bool(open_marks) and open_marks not in shadow[start:end]
        if _NEW_BLOCK.match(bare) or above.endswith("  ") and not still_open:
            break
        if not still_open and not _was_wrapped(above, bare):
            break
        end, line_start = high, low
    return end


_LOWER_WORD: Final = re.compile(r"[ \t]*+[a-zà-öø-ÿ(][\w'’(-]*+(?![\w:：])")


def _was_wrapped(above: str, below: str) -> bool:
    """True where the first word below would have passed the width at which texts are wrapped, or where it goes on without a
    capital after a line that ends no sentence."""
    ended = _ENDED.search(above[-20:].rstrip()) is not None
    if not ended and not above.endswith("  ") and _LOWER_WORD.match(below):
        return True
    length = len(above.rstrip())
    first = len(below.split(None, 1)[0])
    return _WRAP_FROM <= length <= _WRAP_TO and length + 1 + first > (_WRAP_ENDED if ended else _WRAP_WIDTH)


def items_in(shadow: str, start: int, end: int, *, loose: bool = False) -> list[Item]:
    """The outermost items of the first list in `start:end`; empty where no list stands there.

    An item takes in what is nested in it, indented under it or wrapped from it. Text at the margin after a blank line ends
    the list; in a `loose` one it belongs to the item above where a further item follows.
    """
    items: list[Item] = []
    at, outer, blank = start, -1, False
    opened: tuple[int, int, bool] | None = None
    last_end, after = start, False
    while at < end:
        stop = _line_end(shadow, at, end)
        line = shadow[at:stop]
        if not line.strip(" \t>"):
            blank = True
        else:
            marker = _ITEM.match(line)
            depth = (
                _width(marker["indent"] + marker["quote"])
                if marker
                else _width(line[: len(line) - len(line.lstrip(" \t>"))])
            )
            if marker and (outer < 0 or depth <= outer + 1):
                if opened:
                    items.append(_item(shadow, opened, at if loose else last_end, outer))
                outer = depth if outer < 0 else min(outer, depth)
                opened = (at, at + marker.end(), (marker["box"] or "").strip("\\[] \t").lower() == "x")
                last_end, after = stop, False
            elif opened and not after and (not blank or depth > outer):
                last_end = stop
            elif opened:
                after = True
                if not loose:
                    break
            blank = False
        at = stop + 1
    if opened:
        items.append(_item(shadow, opened, last_end, outer))
    return items


def _item(shadow: str, opened: tuple[int, int, bool], end: int, depth: int) -> Item:
    start, content, checked = opened
    return Item(start, content, trim_end(shadow, content, end), depth, checked)


_GAP: Final = re.compile(r"\n[ \t]*\n")


def paragraphs(shadow: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The blocks of `start:end` between blank lines, trimmed."""
    at = start
    while at < end:
        gap = _GAP.search(shadow, at, end)
        stop = gap.start() if gap else end
        first, last = trim_start(shadow, at, stop), trim_end(shadow, at, stop)
        if first < last:
            yield first, last
        at = max(stop + 1, gap.end() if gap else end)


def trim_end(shadow: str, start: int, end: int) -> int:
    """`end` moved before trailing white space."""
    while end > start and shadow[end - 1].isspace():
        end -= 1
    return end


def trim_start(shadow: str, start: int, end: int) -> int:
    """`start` moved after leading white space."""
    while start < end and shadow[start].isspace():
        start += 1
    return start


def _width(indent: str) -> int:
    return len(indent.replace("\t", "    "))


def _line_end(shadow: str, at: int, limit: int) -> int:
    stop = shadow.find("\n", at, limit)
    return limit if stop < 0 else stop


def _line_below(shadow: str, end: int, limit: int) -> tuple[int, int] | None:
    if end >= limit or shadow[end] != "\n":
        return None
    return end + 1, _line_end(shadow, end + 1, limit)
