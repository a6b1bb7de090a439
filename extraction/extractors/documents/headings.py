"""Headings that say what kind of thing follows: `## Decision: …`, `### Conclusion` with a list, `## Decision` of a record."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from extraction.extractors.documents.bodies import Item, items_in, paragraphs, trim_end, trim_start
from extraction.extractors.documents.hits import Find
from extraction.extractors.documents.labels import LabelLine
from extraction.extractors.documents.nothing import settles_nothing
from extraction.extractors.documents.owners import owner_of
from extraction.extractors.documents.ruleset import RuleSet
from ledger.language.normalise import strip_markup
from ledger.language.outline import Heading

_NUMBERED: Final = re.compile(r"(?:\d{1,3}(?:\.\d{1,3}){0,5}[.):]?|[A-Z][.)]|[ivxIVX]{1,5}[.)])[ \t]+")
# `Conclusion 2`, `Resolution (Ann Lee)`, `Action items (3)`; not `Decision (draft)`.
_COUNTED: Final = re.compile(r"[ \t]+(?:#?\d{1,3}|\((?P<about>[^()]{1,40})\))[*_ :]*\Z")
_JOINED: Final = re.compile(r"\s*(?:/|&|,|\band\b|\bor\b)\s*")
_TYPED: Final = re.compile(
    r"\[?(?P<label>[^\W\d_][^:：\]\[()]{0,40}?)\]?(?:\s?#?\d{1,5})?\s*(?:\((?P<about>[^()]{1,60})\))?\s*(?:[:：]|(?<=\])|\s[-–—]+\s)\s*(?=\S)"
)
LONGEST_STATEMENT: Final = 1_500


@dataclass(frozen=True, slots=True)
class Titled:
    """A heading whose title names a kind, the form its body takes, and where the body stands."""

    kind: str
    form: str
    start: int
    end: int
    # What is written below the list of a topic's conclusion are remarks on it; below a list of decisions the page goes on.
    concludes: bool = False


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
    record, wide_ends = _is_record(heads), _wide_ends(heads, len(shadow))
    for at, heading in enumerate(heads):
        named = _kind_of_title(heading.title, rules)
        if named is None:
            continue
        kind, form = named
        next_any = heads[at + 1].start if at + 1 < len(heads) else len(shadow)
        next_wide = wide_ends[at]
        if form == "either":
            listed = not record and next_any == next_wide and items_in(shadow, heading.end, next_any)
            form = "lists" if listed and not _starts_in_prose(shadow, heading.end, next_any) else "sections"
        elif form == "reasoned":
            form = "sections" if record else "lists"
        elif form == "lists" and record and _starts_in_prose(shadow, heading.end, next_any):
            form = "sections"
        concludes = kind == "decision" and "decisions" not in heading.title.casefold()
        yield Titled(kind, form, heading.end, next_wide if form == "sections" else next_any, concludes)


def _wide_ends(heads: list[Heading], length: int) -> list[int]:
    """For each heading where the next one as wide as it or wider begins; one pass from the end."""
    ends = [length] * len(heads)
    open_heads: list[Heading] = []
    for at in range(len(heads) - 1, -1, -1):
        while open_heads and open_heads[-1].level > heads[at].level:
            open_heads.pop()
        if open_heads:
            ends[at] = open_heads[-1].start
        open_heads.append(heads[at])
    return ends


def below(title: Titled, text: str, shadow: str, labels: Sequence[LabelLine], known: frozenset[str]) -> Iterator[Find]:
    """The hits under a titled heading. `labels` are the label lines of the text in order: one of another kind, or one
    that stands out (`RESOLUTION: …`), speaks for itself and its item is left to it."""
    start, end = trim_start(shadow, title.start, title.end), trim_end(shadow, title.start, title.end)
    start = _after_attributes(shadow, start, end)
    if start >= end:
        return
    if title.form == "sections":
        # Code belongs to a record's section, so that its edges are the source's, not the masked text's.
        end = trim_end(text, start, title.end)
        start = _after_attributes(text, trim_start(text, title.start, end), end)
        if not settles_nothing(shadow[start:end], title.kind, under_heading=True):
            yield Find("heading.record", "heading", title.kind, start, end)
        return
    rule = "heading.conclusion" if title.kind == "decision" else "heading.listed"
    line_start = shadow.rfind("\n", 0, start) + 1
    items = items_in(shadow, line_start, end, loose=True)
    prose_end = items[0].start if items else end
    if title.form == "lists":
        for first, last in paragraphs(shadow, start, prose_end):
            words = shadow[first:last]
            introduces = (
                bool(items) and last >= trim_end(shadow, start, prose_end) and words.rstrip("*_ ").endswith(":")
            )
            if (
                introduces
                and not (title.kind == "decision" and _AGREES.match(words))
                or _spoken_for(first, last, title, labels)
            ):
                continue
            if not settles_nothing(words, title.kind, under_heading=True):
                yield Find(rule, "heading", title.kind, first, last)
    for item in items:
        if not _spoken_for(item.content, item.end, title, labels):
            found = _item_find(rule, title, item, shadow, known)
            if found and title.concludes and item is items[-1]:
                found = _with_remarks(found, shadow, end, labels)
            if found:
                yield found


# `Consensus for all four changes:` concludes something beside the list below it; `Agreed on the following:` does not.
_AGREES: Final = re.compile(
    r"(?![^\n]*\b(?:following|these|those|below|that)\b)[^\n]*\b(?:consensus|agree\w*|approv\w+|accept\w*|adopt\w*|resolv\w+)"
    r"\b(?:[ \t]+\w+){2,}[*_ \t]*:[*_ \t]*\Z",
    re.I,
)
_RULED_OFF: Final = re.compile(r"^[ \t]*(?:([-*_])(?:[ \t]*\1){2,}[ \t]*$|\||<(?:hr|table|details)\b)", re.I | re.M)
# `(break)`
_ASIDE: Final = re.compile(r"\s*[*_]*\([^()\n]{1,20}\)[*_]*\Z")
MAX_REMARKS: Final = 1_500


def _with_remarks(found: Find, shadow: str, end: int, labels: Sequence[LabelLine]) -> Find:
    """The last conclusion with what was written below it before the next heading: doubts, additions, what came of it later.
    They stand in its quote, for whoever decides on it; its statement is its own words. Pages of talk are no remark."""
    ruled = _RULED_OFF.search(shadow, found.end, end)
    stops = [ruled.start()] if ruled else []
    stops += [line.line_start for line in _between(labels, found.end, end)][:1]
    last = trim_end(shadow, found.end, min([end, *stops]))
    if not found.end < last <= found.end + MAX_REMARKS or _ASIDE.match(shadow, found.end, last):
        return found
    return replace(found, end=last, statement=summary_of(shadow[found.start : found.end]))


def summary_of(words: str) -> str:
    """The statement of a whole section: all of it, or its first paragraphs where it is long. The quote stays whole."""
    if len(words) <= LONGEST_STATEMENT:
        return strip_markup(words)
    plain = strip_markup(words[:LONGEST_STATEMENT])
    stop = max(plain.rfind(". "), plain.rfind("! "), plain.rfind("? "))
    return plain[: stop + 1] + " …" if stop > LONGEST_STATEMENT // 3 else plain.rsplit(" ", 1)[0] + " …"


def replaced_labels(title: Titled, shadow: str, labels: Sequence[LabelLine]) -> Iterator[LabelLine]:
    """Label lines under a titled heading that are only the first words of an item there (`- Consensus on part 2: …`)."""
    if title.form == "sections":
        return
    for line in _between(labels, title.start, title.end):
        if line.kind == title.kind and not _speaks_for_itself(line):
            yield line


def _speaks_for_itself(line: LabelLine) -> bool:
    """A label with words of its own behind it (`- Action: …` under Actions), and no more of a sentence before the colon
    than an owner of an action (`consensus for the middle column: …`)."""
    return line.emphatic or line.kind == "action_item" or not line.owner


def _between(labels: Sequence[LabelLine], start: int, end: int) -> Iterator[LabelLine]:
    at = bisect_left(labels, start, key=lambda line: line.line_start)
    while at < len(labels) and labels[at].line_start < end:
        yield labels[at]
        at += 1


def _spoken_for(start: int, end: int, title: Titled, labels: Sequence[LabelLine]) -> bool:
    return any(
        line.line_end > start and (line.kind != title.kind or _speaks_for_itself(line))
        for line in _between(labels, start - 300, end)
    )


def _item_find(rule: str, title: Titled, item: Item, shadow: str, known: frozenset[str]) -> Find | None:
    words = shadow[item.content : item.end]
    if settles_nothing(words, title.kind, under_heading=title.kind == "decision"):
        return None
    if title.kind != "action_item":
        return Find(rule, "heading", title.kind, item.content, item.end)
    owner = owner_of(words, known=known)
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
    bare = title.strip("*_` ").rstrip(":： ")
    number = _NUMBERED.match(bare)
    bare = bare[number.end() :] if number else bare
    counted = _COUNTED.search(bare)
    if counted and (counted["about"] or "").casefold().strip() not in rules.qualifiers:
        bare = bare[: counted.start()]
    words = " ".join(bare.strip("*_` ").rstrip(":： ").casefold().split())
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
    # `Decision and rationale` is one section of a record, as `Decision` is; `Conclusion/Decision` heads a list of them.
    return kinds.pop(), "lists" if all(named) else "reasoned"


def _named(words: str, rules: RuleSet) -> tuple[str, str] | None:
    for kind, forms in rules.headings.items():
        if words in forms.sections:
            return kind, "either" if words in forms.lists else "sections"
        if words in forms.lists:
            return kind, "lists"
        if words in forms.items_only:
            return kind, "items_only"
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
