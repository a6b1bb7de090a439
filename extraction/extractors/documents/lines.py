"""Hits from label lines: how far their words reach, who owns an action, what is listed below a bare label."""

import re
from collections.abc import Iterator
from typing import Final

from extraction.extractors.documents.bodies import items_in, paragraph_end, trim_end, trim_start
from extraction.extractors.documents.hits import Find
from extraction.extractors.documents.labels import LabelLine
from extraction.extractors.documents.measures import measure_finds
from extraction.extractors.documents.nothing import settles_nothing
from extraction.extractors.documents.owners import Owner, is_handle, looks_like_names, owner_of, typed_by_end

_MEASURED: Final = frozenset({"constraint", "requirement", "fact"})
_TAIL_TAGS: Final = re.compile(r"(?:[ \t]*</[a-zA-Z][a-zA-Z0-9]{0,10}>)+\Z|[ \t]*<br ?/?>\Z")
_ATTRIBUTES: Final = re.compile(r"[ \t]*\{[:#.][^{}\n]{0,200}\}\Z")
_KEY: Final = re.compile(r"[a-z][a-z0-9_]*(?:[.-][a-z0-9_]+)+\Z")
_PLURAL: Final = re.compile(r"(?:s|made|taken|todo|to do|next steps)\Z")


def line_finds(line: LabelLine, following: int, shadow: str, known: frozenset[str]) -> Iterator[Find]:
    """The hits of one label line. `following` is where the next label line or heading begins: nothing reaches past it.
    `known` are the nicknames that speak in the text."""
    if not line.kind:
        return
    start = trim_start(shadow, line.content, line.line_end)
    if shadow[start : line.line_end].strip(" \t*_`>"):
        end = paragraph_end(
            shadow, start, line.line_start, following, open_marks=line.marks.strip('[("“'), quote=line.quote
        )
        found = _worded(line, start, end, shadow, known)
        if found:
            yield found
        return
    yield from _below(line, following, shadow, known)


def _worded(line: LabelLine, start: int, end: int, shadow: str, known: frozenset[str]) -> Find | None:
    rule, rule_class = ("list.typed", "list") if line.bracketed and line.bullet else ("line.label", "label")
    start, end = trim_marks(shadow, start, end, line.marks)
    if start >= end or settles_nothing(shadow[start:end], line.kind):
        return None
    if line.kind != "action_item":
        end = trim_end(shadow, start, start + typed_by_end(shadow[start:end]))
        topic, key = _about(line.owner)
        value_type, value = "", None
        if line.kind in _MEASURED and (measure := next(measure_finds(shadow[start:end]), None)):
            key, value_type, value = key or measure.key, measure.value_type, measure.value
        return Find(rule, rule_class, line.kind, start, end, topic=topic, key=key, value_type=value_type, value=value)
    owner = _owner(shadow[start:end], line, known)
    end = trim_end(shadow, start, start + owner.end)
    start, end = trim_marks(shadow, start, end, line.marks)
    if start >= end:
        return None
    return Find(rule, rule_class, line.kind, start, end, assignee=owner.names, value={"due": owner.due})


def _owner(words: str, line: LabelLine, known: frozenset[str]) -> Owner:
    named = line.owner if line.owner and (looks_like_names(line.owner) or is_handle(line.owner)) else ""
    return owner_of(words, named, known=known, speaker=line.speaker)


def _below(line: LabelLine, following: int, shadow: str, known: frozenset[str]) -> Iterator[Find]:
    """`Decisions:` alone on its line: each item of the list below is a hit, or the paragraph for a single one."""
    stop = min(following, line.line_end + 20_000)
    first = trim_start(shadow, line.line_end, stop)
    if first >= stop or shadow.count("\n", line.line_end, first) > 2:
        return
    line_start = shadow.rfind("\n", 0, first) + 1
    if line.bullet and _indent(shadow, line_start) <= line.indent:
        return
    items = items_in(shadow, line_start, stop)
    if items and items[0].start == line_start:
        for item in items:
            if line.bullet and item.depth <= line.indent:
                return
            words = shadow[item.content : item.end]
            if settles_nothing(words, line.kind):
                continue
            if line.kind == "action_item":
                owner = _owner(words, line, known)
                yield Find(
                    "line.listed",
                    "label",
                    line.kind,
                    item.content,
                    item.content + owner.end,
                    assignee=owner.names,
                    value={"due": owner.due},
                )
            else:
                yield Find("line.listed", "label", line.kind, item.content, item.end)
        return
    if line.kind != "action_item" and not _PLURAL.search(line.label):
        end = paragraph_end(shadow, first, line_start, stop, quote=line.quote)
        start, end = trim_marks(shadow, first, end, "")
        if start < end and not settles_nothing(shadow[start:end], line.kind):
            yield Find("line.label", "label", line.kind, start, end)


def trim_marks(shadow: str, start: int, end: int, open_marks: str) -> tuple[int, int]:
    """The range without white space, closing tags, attribute lists and emphasis at its edges that nothing inside opened."""
    start, end = trim_start(shadow, start, end), trim_end(shadow, start, end)
    before = -1
    while before != end:
        before = end
        tail = shadow[max(start, end - 250) : end]
        for pattern in (_TAIL_TAGS, _ATTRIBUTES):
            cut = pattern.search(tail)
            if cut:
                end = trim_end(shadow, start, end - len(tail) + cut.start())
                tail = shadow[max(start, end - 250) : end]
        if end > start and shadow[end - 1] == "\\":
            end = trim_end(shadow, start, end - 1)
        for mark in (open_marks.strip('[("“`'), *(m for m in open_marks if m in '[("“`')):
            close = {"[": "]", "(": ")", "“": "”"}.get(mark, mark)
            if close and shadow.endswith(close, start, end) and shadow.count(close, start, end) % 2 == 1:
                end = trim_end(shadow, start, end - len(close))
                open_marks = open_marks.replace(mark, "", 1)
        for mark in ("***", "**", "__", "*", "_"):
            whole = (
                end - start > 2 * len(mark)
                and shadow.startswith(mark, start, end)
                and shadow.endswith(mark, start, end)
            )
            if whole and shadow.count(mark, start, end) == 2:
                start, end = start + len(mark), end - len(mark)
                break
    return trim_start(shadow, start, end), trim_end(shadow, start, end)


def _about(words: str) -> tuple[str, str]:
    if not words:
        return "", ""
    return ("", words) if _KEY.match(words) else (words, "")


def _indent(shadow: str, line_start: int) -> int:
    at = line_start
    while at < len(shadow) and shadow[at] in " \t>":
        at += 1
    return at - line_start
