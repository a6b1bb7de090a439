"""All rules over one text: find, score, anchor. Pure: no database, no clock of its own."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from extraction.extractors.documents.due import due_of
from extraction.extractors.documents.headings import below, replaced_labels, summary_of, titled, typed_heading
from extraction.extractors.documents.hits import Find, Hit, SectionLike, Span
from extraction.extractors.documents.intents import intent_finds
from extraction.extractors.documents.labels import compile_labels, label_lines
from extraction.extractors.documents.lines import line_finds
from extraction.extractors.documents.measures import measure_finds
from extraction.extractors.documents.owners import speaking_in
from extraction.extractors.documents.record import RecordState, state_of
from extraction.extractors.documents.replaced import replaced_by, replaced_in
from extraction.extractors.documents.ruleset import RuleSet
from extraction.extractors.documents.sentences import sentence_finds
from extraction.extractors.documents.votes import voted_finds
from ledger.language.outline import headings, mask_code, one_break

# Label patterns by their vocabulary; compiling one takes some milliseconds, and scopes share few vocabularies.
_compiled: dict[tuple[frozenset[str], frozenset[str]], re.Pattern[str]] = {}


def find_hits(
    text: str,
    sections: Sequence[SectionLike],
    ruleset: RuleSet,
    *,
    kind: str,
    sender: str,
    sender_kind: str,
    sent_at: datetime | None,
    now: datetime,
    zone: str = "UTC",
) -> list[Hit]:
    """Everything the rules find in one source, in the order of the text (P2, P4, P10).

    `sections` tile the text (`ledger.rules.sections.sections_of`). For every span of every hit `text[start:end]` is the
    quote, without white space or label at its edges. `zone` is where `sent_at` is told in: it says which day "by Friday" is.
    The same arguments always give the same hits.
    """
    if not text.strip() or not sections:
        return []
    shadow = mask_quoted(mask_code(one_break(text)), kind)
    heads = headings(shadow)
    finds: list[Find] = []
    lines = label_lines(shadow, _pattern(ruleset), ruleset)
    edges = sorted({line.line_start for line in lines} | {head.start for head in heads})
    in_heading = _covers([(head.start, head.end) for head in heads])
    titles = list(titled(heads, shadow, ruleset))
    covered = {line.line_start for title in titles for line in replaced_labels(title, shadow, lines)}
    owned = any(line.kind == "action_item" for line in lines) or any(title.kind == "action_item" for title in titles)
    known = speaking_in(shadow) if owned else frozenset()
    for line in lines:
        if line.line_start in covered or in_heading(line.line_start, line.line_end):
            continue
        at = bisect_right(edges, line.line_start)
        finds += line_finds(line, edges[at] if at < len(edges) else len(shadow), shadow, known)
    for heading in heads:
        found = typed_heading(heading, shadow, ruleset)
        if found:
            finds.append(found)
    for title in titles:
        finds += below(title, text, shadow, lines, known)
    finds += voted_finds(shadow, lines, edges, ruleset, known)
    taken = _covers([(find.start, find.end) for find in finds if find.rule != "heading.record"])
    finds += [find for find in sentence_finds(shadow, sections, ruleset, kind) if not taken(find.start, find.end)]
    if ruleset.intents:
        told = _covers([(find.start, find.end) for find in finds if find.rule != "heading.record"])
        asked = intent_finds(shadow, sections, ruleset.intents)
        finds += [find for find in asked if not told(find.start, find.end)]
    finds += [find for find in measure_finds(shadow) if not taken(find.start, find.end)]
    record = next((find for find in finds if find.rule == "heading.record" and find.kind == "decision"), None)
    return _scored(text, _distinct(finds), sections, ruleset, sent_at, now, zone, record)


def _pattern(ruleset: RuleSet) -> re.Pattern[str]:
    vocabulary = (frozenset(ruleset.labels), ruleset.open_labels)
    pattern = _compiled.get(vocabulary)
    if pattern is None:
        if len(_compiled) >= 100:
            _compiled.clear()
        pattern = _compiled[vocabulary] = compile_labels(ruleset)
    return pattern


_QUOTED_LINE: Final = re.compile(r"^[ \t]*>[^\n]*$", re.M)
_WROTE: Final = re.compile(r"(?<=\bwrote:)[ \t]*+\n(?:[ \t]*+\n)*+(?:[ \t]*+>[^\n]*(?:\n|\Z))++")
_OWN_WORDS: Final = frozenset({"document", "note", "episode"})


def mask_quoted(shadow: str, kind: str) -> str:
    """Blank what a text only quotes, since others said it before. In messages that is every line after `>`; in documents and
    notes, which set off their own words so, only what stands under a mail's `… wrote:`."""
    if ">" not in shadow:
        return shadow
    pattern = _WROTE if kind in _OWN_WORDS else _QUOTED_LINE
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), shadow)


def _covers(ranges: Iterable[tuple[int, int]]) -> Callable[[int, int], bool]:
    """A test for overlap with any of the ranges, in logarithmic time."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    starts = [start for start, _ in merged]

    def overlaps(start: int, end: int) -> bool:
        at = bisect_right(starts, max(start, end - 1)) - 1
        return at >= 0 and merged[at][1] > start

    return overlaps


def _distinct(finds: list[Find]) -> list[Find]:
    """In the order of the text; of two finds of one kind on the same range the first rule's stays."""
    seen: set[tuple[str, int, int]] = set()
    kept: list[Find] = []
    for find in sorted(finds, key=lambda one: (one.start, one.end)):
        place = (find.kind, find.start, find.end)
        if find.start < find.end and place not in seen:
            seen.add(place)
            kept.append(find)
    return kept


def _scored(
    text: str,
    finds: list[Find],
    sections: Sequence[SectionLike],
    rules: RuleSet,
    sent_at: datetime | None,
    now: datetime,
    zone: str,
    record: Find | None,
) -> list[Hit]:
    replaced, state = (replaced_by(text), state_of(text)) if record else ((), RecordState())
    starts = [section.start for section in sections]
    fresh = rules.fresh_bonus if sent_at is not None and now - sent_at <= timedelta(days=rules.fresh_days) else 1.0
    hits: list[Hit] = []
    for find in finds:
        at = max(0, bisect_right(starts, find.start) - 1)
        section = sections[at]
        statement = find.statement or summary_of(text[find.start : find.end])
        if not statement:
            continue
        score = min(1.0, rules.priors[find.rule_class] * _signal(section, rules) * fresh)
        anchors = rules.anchors.get(find.kind)
        supersedes = (*(replaced if find is record else ()), *replaced_in(statement))
        value_type, value = find.value_type, find.value
        if find.kind == "action_item":
            due = value.get("due") if isinstance(value, dict) else ""
            due = due or due_of(text[find.start : find.end], said_at=sent_at, zone=zone)
            value_type = "action_item"
            value = (
                {"task": statement}
                | ({"assignee": find.assignee} if find.assignee else {})
                | ({"due": due} if due else {})
            )
        hits.append(
            Hit(
                rule=find.rule,
                rule_class=find.rule_class,
                explicit=find.explicit,
                kind=find.kind,
                statement=statement,
                spans=(Span(find.start, find.end, at),),
                confidence=round(score, 4),
                anchored=not anchors or section.speaker in anchors,
                key=find.key,
                topic=find.topic,
                value_type=value_type,
                value=value,
                assignee=find.assignee,
                supersedes=tuple(dict.fromkeys(supersedes)),
                tags=state.tags if find is record else (),
                needs_review=find is record and not state.holds,
                summary=state.told if find is record else "",
            )
        )
    return hits


def _signal(section: SectionLike, rules: RuleSet) -> float:
    path = " / ".join([*section.heading_path, section.name]).casefold()
    if any(hint in path for hint in rules.low_hints):
        return rules.low_signal
    return rules.high_signal if any(hint in path for hint in rules.high_hints) else 1.0
