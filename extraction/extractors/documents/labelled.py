"""What label lines say: how far their words reach, who owns an action, what is listed below a bare label."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Final

from extraction.extractors.documents.hits import RuleMatch
from extraction.extractors.documents.measures import measure_matches
from extraction.extractors.documents.nothing import settles_nothing
from extraction.extractors.documents.owners import is_handle, looks_like_names, owner_of, typed_by_end
from extraction.extractors.documents.page import (
    LabelLine,
    Page,
    items_in,
    line_end,
    paragraph_end,
    trim_end,
    trim_start,
    trimmed,
)
from extraction.extractors.documents.records import GONE, OPEN

_MEASURED: Final = frozenset({"constraint", "requirement", "fact"})
_TAIL_TAGS: Final = re.compile(r"(?:[ \t]*</[a-zA-Z][a-zA-Z0-9]{0,10}>)+\Z|[ \t]*<br ?/?>\Z")
_ATTRIBUTES: Final = re.compile(r"[ \t]*\{[:#.][^{}\n]{0,200}\}\Z")
_KEY: Final = re.compile(r"[a-z][a-z0-9_]*(?:[.-][a-z0-9_]+)+\Z")
_PLURAL: Final = re.compile(r"(?:s|made|taken|todo|to do|next steps)\Z")
_INDENT: Final = re.compile(r"[ \t>]*")
MAX_BELOW: Final = 20_000


def labelled_matches(line: LabelLine, following: int, page: Page) -> Iterator[RuleMatch]:
    """The hits of one label line; `following` is where the next label line or heading begins."""
    if not line.kind:
        return
    shadow = page.shadow
    start = trim_start(shadow, line.content, line.line_end)
    if not shadow[start : line.line_end].strip(" \t*_`>"):
        yield from _below(line, following, page)
        return
    marks = line.marks.strip('[("“')
    end = paragraph_end(shadow, start, line.line_start, following, open_marks=marks, quote=line.quote)
    end = _whole_end(shadow, start, end, following)
    if not (line.done and line.kind == "action_item") and (match := _on_line(line, start, end, page)):
        gone = _GONE_BELOW.match(shadow, end)
        yield replace(match, doubt=f"The text says of it: {gone['word'].lower()}") if gone else match


# A line that cannot end there; a nested item that takes something out of what is decided.
_DANGLING: Final = re.compile(
    r"\b(?:an?|the|to|of|with|for|and|or|by|in|on|at|from|into|than|that|is|are|be|will|use|adopt|our|its|their|der|die|das|den|und"
    r"|mit|für|von|zu|el|los|las|con|y|le|les|et|du|des)\Z",
    re.I,
)
_EXCEPTION: Final = re.compile(
    r"\n(?:[ \t>]+[-*+•–]|[ \t]{2,})[ \t]+"
    r"(?:except|unless|but|only|with the exception|provided|excluding|ausgenommen|außer|salvo|sauf)\b[^\n]*",
    re.I,
)
_GONE_BELOW: Final = re.compile(
    rf"[ \t]*\n[ \t>*_-]*status[*_]{{0,2}}[ \t]*:[*_ \t]*(?P<word>{'|'.join((*GONE, *OPEN))})\b", re.I
)


def _whole_end(shadow: str, start: int, end: int, following: int) -> int:
    """Where a statement ends with the list that it introduces, the line that it is broken onto, or its exceptions."""
    words = shadow[start:end].rstrip("*_ ")
    if words.endswith(":"):
        below = trim_start(shadow, end, following)
        items = items_in(shadow, shadow.rfind("\n", 0, below) + 1, following)
        return items[-1].end if items and items[0].start <= below <= items[0].content else end
    if _DANGLING.search(words) and shadow[end + 1 : following].split("\n")[0].strip():
        end = line_end(shadow, end + 1, following)
    while exception := _EXCEPTION.match(shadow, end, following):
        end = exception.end()
    return end


def _on_line(line: LabelLine, start: int, end: int, page: Page) -> RuleMatch | None:
    shadow = page.shadow
    rule, rule_class = ("list.typed", "list") if line.bracketed and line.bullet else ("line.label", "label")
    start, end = trim_marks(shadow, start, end, line.marks)
    if start >= end or settles_nothing(shadow[start:end], line.kind):
        return None
    if line.kind != "action_item":
        end = trim_end(shadow, start, start + typed_by_end(shadow[start:end]))
        topic, key = ("", line.owner) if _KEY.match(line.owner) else (line.owner, "")
        measure = next(measure_matches(shadow[start:end]), None) if line.kind in _MEASURED else None
        if measure is None:
            return RuleMatch(rule, rule_class, line.kind, start, end, topic=topic, key=key)
        return RuleMatch(
            rule, rule_class, line.kind, start, end,
            topic=topic, key=key or measure.key, value_type=measure.value_type, value=measure.value,
        )  # fmt: skip
    owner = owner_of(shadow[start:end], _owner_in(line), known=page.known, speaker=line.speaker)
    start, end = trim_marks(shadow, start, trim_end(shadow, start, start + owner.end), line.marks)
    if start >= end:
        return None
    return RuleMatch(rule, rule_class, line.kind, start, end, assignee=owner.names, due=owner.due)


def _owner_in(line: LabelLine) -> str:
    return line.owner if looks_like_names(line.owner) or is_handle(line.owner) else ""


def _below(line: LabelLine, following: int, page: Page) -> Iterator[RuleMatch]:
    """`Decisions:` alone on its line: each item of the list below is a hit, or the paragraph for a single one."""
    shadow = page.shadow
    stop = min(following, line.line_end + MAX_BELOW)
    first = trim_start(shadow, line.line_end, stop)
    line_start = shadow.rfind("\n", 0, first) + 1
    outside = line.bullet and _indent(shadow, line_start) <= line.indent
    if first >= stop or shadow.count("\n", line.line_end, first) > 2 or outside:
        return
    items = items_in(shadow, line_start, stop)
    if items and items[0].start == line_start:
        # A list no deeper than the label's own bullet is not below it.
        below = takewhile(lambda item: not line.bullet or item.depth > line.indent, items)
        for item in below:
            done = item.done and line.kind == "action_item"
            if not done and not settles_nothing(shadow[item.content : item.end], line.kind):
                yield listed_match(
                    "line.listed", "label", line.kind, item.content, item.end, page,
                    in_label=_owner_in(line), speaker=line.speaker,
                )  # fmt: skip
    elif line.kind != "action_item" and not _PLURAL.search(line.label):
        start, end = trim_marks(shadow, first, paragraph_end(shadow, first, line_start, stop, quote=line.quote), "")
        if start < end and not settles_nothing(shadow[start:end], line.kind):
            yield RuleMatch("line.label", "label", line.kind, start, end)


def listed_match(
    rule: str, rule_class: str, kind: str, start: int, end: int, page: Page, *, in_label: str = "", speaker: str = ""
) -> RuleMatch:
    """A list item as a hit: of an action without the owner at its end, of everything else whole."""
    if kind != "action_item":
        return RuleMatch(rule, rule_class, kind, start, end)
    owner = owner_of(page.shadow[start:end], in_label, known=page.known, speaker=speaker)
    return RuleMatch(rule, rule_class, kind, start, start + owner.end, assignee=owner.names, due=owner.due)


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


def _indent(shadow: str, line_start: int) -> int:
    return _INDENT.match(shadow, line_start).end() - line_start  # type: ignore[union-attr]
