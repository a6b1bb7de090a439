"""Headings that say what kind of thing follows: `## Decision: …`, `### Conclusion` with a list, `## Decision` of a record."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from extraction.rules.bodies import Item, items_in, trim_end, trim_start
from extraction.rules.hits import Find
from extraction.rules.nothing import settles_nothing
from extraction.rules.owners import owner_of
from extraction.rules.ruleset import RuleSet
from ledger.rules.outline import Heading

_NUMBERED: Final = re.compile(r"(?:\d{1,3}(?:\.\d{1,3}){0,5}[.):]?|[A-Z][.)]|[ivxIVX]{1,5}[.)])[ \t]+")
_JOINED: Final = re.compile(r"\s*(?:/|&|,|\band\b|\bor\b)\s*")
_TYPED: Final = re.compile(
    r"\[?(?P<label>[^\W\d_][^:：\]\[()]{0,40}?)\]?(?:\s?#?\d{1,5})?\s*(?:\((?P<about>[^()]{1,60})\))?\s*(?:[:：]|(?<=\])|\s[-–—]+\s)\s*(?=\S)"
)


@dataclass(frozen=True, slots=True)
class Titled:
    """A heading whose title names a kind, the form its body takes, and where the body stands."""

    kind: str
    form: str
    start: int
    end: int


def typed_heading(heading: Heading, shadow: str, rules: RuleSet) -> Find | None:
    """`## Decision: Route 4 is closed`: the words after the label are the statement."""
    words = shadow[heading.title_start : heading.title_end]
    skip = len(words) - len(words.lstrip(" \t*_`"))
    number = _NUMBERED.match(words, skip)
    match = _TYPED.match(words, number.end() if number else skip)
    if not match:
        return None
    label = " ".join(match["label"].casefold().strip("*_` ").split())
    kind = rules.labels.get(label)
    if kind is None or label == "ai" or (match["about"] or "").casefold() in rules.qualifiers:
        return None
    start = heading.title_start + match.end()
    end = trim_end(shadow, start, heading.title_end)
    while start < end and shadow[start] in "*_` \t":
        start += 1
    while end > start and shadow[end - 1] in "*_` \t":
        end -= 1
    if settles_nothing(shadow[start:end], kind):
        return None
    if kind == "action_item":
        owner = owner_of(shadow[start:end], match["about"] or "")
        return Find("heading.typed", "heading", kind, start, start + owner.end, assignee=owner.names)
    return Find("heading.typed", "heading", kind, start, end, topic=(match["about"] or "").strip())


def titled(heads: list[Heading], shadow: str, rules: RuleSet) -> Iterator[Titled]:
    """Headings that are a kind's title. A record's section reaches to the next heading as wide as its own, the others'
    body to the next heading of any width."""
    record = _is_record(heads)
    for at, heading in enumerate(heads):
        named = _kind_of_title(heading.title, rules)
        if named is None:
            continue
        kind, form = named
        next_any = heads[at + 1].start if at + 1 < len(heads) else len(shadow)
        next_wide = next((other.start for other in heads[at + 1 :] if other.level <= heading.level), len(shadow))
        if form == "sections" and not record and items_in(shadow, heading.end, next_any):
            form = "lists" if not _starts_in_prose(shadow, heading.end, next_any) and next_any == next_wide else form
        yield Titled(kind, form, heading.end, next_wide if form == "sections" else next_any)


def below(title: Titled, shadow: str, taken: Callable[[int, int], bool]) -> Iterator[Find]:
    """The hits under a titled heading. `taken` tells whether a label line already spoke for a range."""
    start, end = trim_start(shadow, title.start, title.end), trim_end(shadow, title.start, title.end)
    start = _after_attributes(shadow, start, end)
    if start >= end:
        return
    rule = f"heading.{'record' if title.form == 'sections' else 'conclusion' if title.kind == 'decision' else 'listed'}"
    items = items_in(shadow, start, end) if title.form != "sections" else []
    if items and title.form == "lists" and _starts_in_prose(shadow, start, end):
        lead = trim_end(shadow, start, items[0].start)
        if not shadow[start:lead].rstrip("*_ ").endswith(":") and not settles_nothing(
            shadow[start:lead], title.kind, under_heading=True
        ):
            yield Find(rule, "heading", title.kind, start, lead)
    for item in items:
        if not taken(item.content, item.end):
            found = _item_find(rule, title, item, shadow)
            if found:
                yield found
    if items or title.form == "items_only" or taken(start, end):
        return
    if not settles_nothing(shadow[start:end], title.kind, under_heading=True):
        yield Find(rule, "heading", title.kind, start, end)


def _item_find(rule: str, title: Titled, item: Item, shadow: str) -> Find | None:
    words = shadow[item.content : item.end]
    if settles_nothing(words, title.kind, under_heading=title.kind == "decision"):
        return None
    if title.kind != "action_item":
        return Find(rule, "heading", title.kind, item.content, item.end)
    owner = owner_of(words)
    return Find(
        rule,
        "heading",
        title.kind,
        item.content,
        item.content + owner.end,
        assignee=owner.names,
        value={"due": owner.due},
    )


def _kind_of_title(title: str, rules: RuleSet) -> tuple[str, str] | None:
    words = " ".join(title.casefold().strip("*_` ").rstrip(":： ").split())
    number = _NUMBERED.match(title.strip("*_` "))
    if number:
        words = " ".join(title.strip("*_` ")[number.end() :].casefold().rstrip(":： ").split())
    if len(words) > 60:
        return None
    whole = _named(words, rules)
    if whole:
        return whole
    parts = [part for part in _JOINED.split(words) if part]
    if len(parts) < 2 or len(parts) > 3:
        return None
    named = [_named(part, rules) or _nearly_named(part, rules) for part in parts]
    beside = [part in rules.heading_beside for part in parts]
    kinds = {name[0] for name in named if name}
    if len(kinds) != 1 or not all(name or extra for name, extra in zip(named, beside, strict=True)):
        return None
    return kinds.pop(), "lists"


def _named(words: str, rules: RuleSet) -> tuple[str, str] | None:
    for kind, forms in rules.headings.items():
        for form in ("sections", "lists", "items_only"):
            if words in getattr(forms, form):
                return kind, form
    return None


def _nearly_named(words: str, rules: RuleSet) -> tuple[str, str] | None:
    """One slip of the keyboard in a long word: a letter missing, doubled or wrong (`Concluson`)."""
    if len(words) < 8:
        return None
    for kind, forms in rules.headings.items():
        for known in forms.lists:
            if abs(len(known) - len(words)) <= 1 and known[:3] == words[:3] and _one_slip(words, known):
                return kind, "lists"
    return None


def _one_slip(a: str, b: str) -> bool:
    at = 0
    while at < min(len(a), len(b)) and a[at] == b[at]:
        at += 1
    return a[at + 1 :] == b[at + 1 :] or a[at:] == b[at + 1 :] or a[at + 1 :] == b[at:]


def _is_record(heads: list[Heading]) -> bool:
    """A decision record has its own shape: a status or a context before the decision, or consequences after it."""
    titles = {heading.title.casefold().strip(" :") for heading in heads}
    return bool(
        titles
        & {"status", "context", "consequences", "considered options", "context and problem statement", "abstract"}
    )


def _starts_in_prose(shadow: str, start: int, end: int) -> bool:
    items = items_in(shadow, start, end)
    return not items or bool(shadow[start : items[0].start].strip())


def _after_attributes(shadow: str, start: int, end: int) -> int:
    """Past the attribute line some Markdown dialects put under a heading (`{: #section2}`)."""
    while shadow.startswith("{:", start):
        stop = shadow.find("}", start, min(end, start + 300))
        if stop < 0:
            return start
        start = trim_start(shadow, stop + 1, end)
    return start
