"""What label lines say: how far their words reach, who owns an action, what is listed below a bare label."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Final

from extraction.extractors.documents.hits import RuleMatch
from extraction.extractors.documents.layout import (
    Item,
    items_in,
    line_end,
    paragraph_end,
    trim_end,
    trim_marks,
    trim_start,
    whole_end,
)
from extraction.extractors.documents.measures import measure_matches
from extraction.extractors.documents.nothing import settles_nothing
from extraction.extractors.documents.owners import (
    NAMES,
    is_handle,
    looks_like_names,
    owner_below,
    owner_of,
    typed_by_end,
    without_due,
)
from extraction.extractors.documents.page import LabelLine, Page
from extraction.extractors.documents.records import GONE, OPEN
from extraction.extractors.documents.standing import may_leave_open, taken_back, taken_back_below
from extraction.extractors.unlabelled.cues import VERBS as ORDERS
from ledger.language.fold import strip_markup, summary_of

ACTION: Final = "action_item"
_MEASURED: Final = frozenset({"constraint", "requirement", "fact"})
_KEY: Final = re.compile(r"[a-z][a-z0-9_]*(?:[.-][a-z0-9_]+)+\Z")
_PLURAL: Final = re.compile(r"(?:s|made|taken|todo|to do|next steps)\Z")
_INDENT: Final = re.compile(r"[ \t>]*")
MAX_BELOW: Final = 20_000


def labelled_matches(line: LabelLine, page: Page) -> list[RuleMatch]:
    """The hits of one label line."""
    if not line.kind:
        return []
    shadow, following = page.shadow, page.edge_after(line.line_start)
    start = trim_start(shadow, line.content, line.line_end)
    if not shadow[start : line.line_end].strip(" \t*_`>"):
        return _below(line, following, page)
    marks = line.marks.strip('[("“')
    end = paragraph_end(shadow, start, line.line_start, following, open_marks=marks, quote=line.quote)
    end = whole_end(shadow, start, end, following)
    if end == following:  # another label stands behind it on its line
        end = start + len(shadow[start:end].rstrip(" ;,"))
    match = None if line.done and line.kind == ACTION else _on_line(line, start, end, page)
    return [doubted(match, end, page)] if match else []


def doubted(match: RuleMatch, end: int, page: Page) -> RuleMatch:
    """The match with what its last words, or the line below `end`, say of whether it still holds."""
    shadow = page.shadow
    status = _GONE_BELOW.match(shadow, end)
    gone = status["word"].lower() if status else taken_back(shadow[match.start : end]) or taken_back_below(shadow, end)
    if gone:
        return replace(match, doubt=match.doubt or f"The text says of it: {gone}")
    is_open = match.kind == "decision" and may_leave_open(strip_markup(shadow[match.start : match.end]))
    return replace(match, doubt=match.doubt or "It may say that nothing was decided yet") if is_open else match


_GONE_BELOW: Final = re.compile(
    rf"[ \t]*\n[ \t>*_-]*status[*_]{{0,2}}[ \t]*:[*_ \t]*(?P<word>{'|'.join((*GONE, *OPEN))})\b", re.I
)


def _on_line(line: LabelLine, start: int, end: int, page: Page) -> RuleMatch | None:
    shadow = page.shadow
    start, end = trim_marks(shadow, start, end, line.marks)
    question = question_answered(page, line, start, end)
    if question:
        return RuleMatch(*_rule_of(line), start, end, statement=f"{question} {summary_of(shadow[start:end])}")
    if start >= end or settles_nothing(shadow[start:end], line.kind):
        return None
    return (_action_on_line if line.kind == ACTION else _statement_on_line)(line, start, end, page)


def _rule_of(line: LabelLine) -> tuple[str, str, str]:
    """The rule that reads it, the rule's class, and the kind."""
    typed = line.bracketed and line.bullet
    return ("list.typed", "list", line.kind) if typed else ("line.label", "label", line.kind)


def _statement_on_line(line: LabelLine, start: int, end: int, page: Page) -> RuleMatch:
    shadow = page.shadow
    end = start + len(shadow[start : start + typed_by_end(shadow[start:end])].rstrip())
    topic, key = ("", line.owner) if _KEY.match(line.owner) else (line.owner, "")
    match = RuleMatch(*_rule_of(line), start, end, topic=topic, key=key)
    measure = next(measure_matches(shadow[start:end]), None) if line.kind in _MEASURED else None
    if measure is None:
        return match
    return replace(match, key=key or measure.key, value_type=measure.value_type, value=measure.value)


def _action_on_line(line: LabelLine, start: int, end: int, page: Page) -> RuleMatch | None:
    shadow = page.shadow
    owner = owner_of(shadow[start:end], _owner_in(line), known=page.known, speaker=line.speaker)
    below = owner_below(shadow, end)
    end = trim_end(shadow, start, start + owner.end)
    start, end = trim_marks(shadow, start + owner.start, end, line.marks)
    if start >= end:
        return None
    names = owner.names or below.names or _named_aside(shadow[start:end], page)
    return RuleMatch(*_rule_of(line), start, end, assignee=names, due=owner.due or below.due)


# `Ask the works (Ann), then write to Bo`
_ASIDE: Final = re.compile(r" \((?P<name>[A-ZÀ-Þ][\w’'-]{1,20}(?: [A-ZÀ-Þ][\w’'-]{1,20})?)\)(?=[,;])")


def _named_aside(words: str, page: Page) -> str:
    """Whoever of the people that the text lists stands first in brackets behind a part of a task."""
    return next((aside["name"] for aside in _ASIDE.finditer(words) if page.people.knows(aside["name"])), "")


def _owner_in(line: LabelLine) -> str:
    owner = without_due(line.owner)
    return owner if looks_like_names(owner) or is_handle(owner) else ""


def _below(line: LabelLine, following: int, page: Page) -> list[RuleMatch]:
    """`Decisions:` alone on its line: each item of the list below it is a hit, or the paragraph for a single one."""
    shadow = page.shadow
    stop = min(following, line.line_end + MAX_BELOW)
    first = trim_start(shadow, line.line_end, stop)
    line_start = shadow.rfind("\n", 0, first) + 1
    outside = line.bullet and _indent(shadow, line_start) <= line.indent
    if first >= stop or shadow.count("\n", line.line_end, first) > 2 or outside:
        return []
    items = items_in(shadow, line_start, stop)
    if items and items[0].start == line_start:
        return _items_below(line, items, page)
    start, end = trim_marks(shadow, first, paragraph_end(shadow, first, line_start, stop, quote=line.quote), "")
    return _paragraph_below(line, start, end, page)


def _paragraph_below(line: LabelLine, start: int, end: int, page: Page) -> list[RuleMatch]:
    """The words below a label for a single one; of an action where they say whose it is."""
    words = page.shadow[start:end]
    if start >= end or _PLURAL.search(line.label) or settles_nothing(words, line.kind):
        return []
    match = RuleMatch("line.label", "label", line.kind, start, end)
    if line.kind != ACTION:
        return [match]
    owner, told = owner_of(words, _owner_in(line), known=page.known), _TELLS.match(words)
    names = owner.names or (told["whom"] if told else "")
    is_action = names and line.label.startswith("action")
    return [replace(match, end=start + owner.end, assignee=names, due=owner.due)] if is_action else []


# `Group leaders should write to them`
_TELLS: Final = re.compile(
    r"(?P<whom>[A-Z][\w-]{1,20}(?: [a-z]{2,20}){1,3}) (?:please|should|must|will|to|need to|shall)\b (?!be\b)"
)


def _items_below(line: LabelLine, items: list[Item], page: Page) -> list[RuleMatch]:
    # A list no deeper than the label's own bullet is not below it.
    below: Iterable[Item] = takewhile(lambda item: not line.bullet or item.depth > line.indent, items)
    if line.label in page.rules.open_boxes:
        below = filter(lambda item: item.boxed, below)
    owner, below = _owner_in(line), list(below)
    kind = ACTION if line.kind == "decision" and _hands_out(below, page) else line.kind
    return [
        listed_match("line.listed", "label", kind, item, page, in_label=above or owner, speaker=line.speaker)
        for item, above in owned_items(below, kind, page)
        if states(item, kind, page)
    ]


# `Ann: write to them`
_TOLD: Final = re.compile(rf"[*_]{{0,3}}{NAMES}[*_]{{0,3}}:[*_]{{0,3}}[ \t]+(?:{'|'.join(ORDERS)})\b", re.I)


def _hands_out(items: list[Item], page: Page) -> bool:
    """Whether most of what a list says was resolved is who is to do what."""
    told = sum(_TOLD.match(page.shadow, item.content, item.end) is not None for item in items)
    return told > 1 and told * 2 > len(items)


MAX_TALK: Final = 1_500
_ANSWERS: Final = re.compile(r"(?:yes|yep|no|nope|ja|nein|sí|oui|non|sim|não|nee)(?=\W*\Z|[ ]?[,.;:!(–—-])", re.I)
# Nobody's in particular: `Ann: shall we?` is hers.
_QUESTION: Final = re.compile(
    r"[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?!\W{0,3}\w[\w .'’()-]{0,40}:[*_]{0,3} )(?P<words>[^\n]*[?？])[*_ \t]*\Z"
)
MAX_LINES_BETWEEN: Final = 4


def question_answered(page: Page, line: LabelLine, start: int, end: int) -> str:
    """What `Decision: no` and `Consensus: yes` settle: the question above them, a few lines away at most."""
    if line.kind != "decision" or not _ANSWERS.match(page.shadow, start, end):
        return ""
    above = page.shadow[max(0, line.line_start - MAX_TALK) : line.line_start]
    lines = [words for words in above.split("\n") if words.strip()]
    asked = filter(None, map(_QUESTION.match, reversed(lines[-MAX_LINES_BETWEEN:])))
    return next((summary_of(question["words"]) for question in asked), "")


# `- Ann:`, `- **@ann**` or `- Ann will:` alone on a line, with what she is to do nested below it.
_OWNS_BELOW: Final = re.compile(
    r"[*_]{0,3}(?P<names>[^\n:*_]{1,80}?)[*_]{0,3}(?: (?:will|to|shall|should)(?=:))?:?[*_]{0,3}[ \t]*"
    r"\n(?:[ \t]*\n)?(?=[ \t]+[-*+•\d])"
)


def owned_items(items: Iterable[Item], kind: str, page: Page) -> Iterator[tuple[Item, str]]:
    """Items with the names that they stand below; one that is but a name gives way to what is nested in it."""
    for item in items:
        head = _OWNS_BELOW.match(page.shadow, item.content, item.end) if kind == ACTION else None
        if head and looks_like_names(head["names"]):
            yield from ((nested, head["names"]) for nested in items_in(page.shadow, head.end(), item.end))
        elif kind == ACTION and (parts := _owned_within(item, page)):
            yield from ((part, "") for part in parts)
        else:
            yield item, ""


def _owned_within(item: Item, page: Page) -> list[Item]:
    """An item of which nobody is told, and what is nested in it, each apart, where people are told there."""
    first = line_end(page.shadow, item.content, item.end)
    nested = items_in(page.shadow, first + 1, item.end) if first < item.end else []
    owned = nested and all(owner_of(page.shadow[one.content : one.end], known=page.known).names for one in nested)
    told = (
        owner_of(page.shadow[item.content : first].rstrip(), known=page.known).names
        or owner_below(page.shadow, first).end
    )
    if not owned or told:
        return []
    return [replace(item, end=trim_end(page.shadow, item.content, first)), *nested]


def states(item: Item, kind: str, page: Page, *, under_heading: bool = False) -> bool:
    """Whether an item of a list says something of its kind that is not over."""
    if item.done and kind == ACTION:
        return False
    return not settles_nothing(page.shadow[item.content : item.end], kind, under_heading=under_heading)


def listed_match(
    rule: str, rule_class: str, kind: str, item: Item, page: Page, *, in_label: str = "", speaker: str = ""
) -> RuleMatch:
    """A list item as a hit: of an action without the owner at its end, of everything else whole."""
    start, end = item.content, item.end
    if kind != ACTION:
        return doubted(RuleMatch(rule, rule_class, kind, start, end), end, page)
    words = page.shadow[start:end]
    owner = owner_of(words, in_label, known=page.known, speaker=speaker)
    if not owner.names:
        # `Send the list (@ann)`, with remarks nested below it.
        first = owner_of(words.split("\n")[0].rstrip(), known=page.known)
        owner = replace(owner, names=first.names, start=first.start)
    return RuleMatch(
        rule, rule_class, kind, start + owner.start, start + owner.end, assignee=owner.names, due=owner.due
    )


def _indent(shadow: str, line_start: int) -> int:
    return _INDENT.match(shadow, line_start).end() - line_start  # type: ignore[union-attr]
