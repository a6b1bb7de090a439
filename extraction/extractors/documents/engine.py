"""All rules over one text: find, score, anchor. Pure: no database, no clock of its own."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import Final

from extraction.extractors.documents.attendance import NOBODY, attendance_of
from extraction.extractors.documents.commitments import commitment_matches
from extraction.extractors.documents.due import due_of
from extraction.extractors.documents.grids import grids_in, in_grids
from extraction.extractors.documents.handed import bracketed_matches, handed_matches
from extraction.extractors.documents.headings import (
    first_words,
    heading_match,
    section_matches,
    titled_sections,
)
from extraction.extractors.documents.hits import Hit, RuleMatch, SectionLike, Span
from extraction.extractors.documents.labelled import labelled_matches
from extraction.extractors.documents.labels import INITIALS, compile_labels, label_lines
from extraction.extractors.documents.layout import trim_end
from extraction.extractors.documents.measures import measure_matches
from extraction.extractors.documents.midline import midline_labels, midline_matches
from extraction.extractors.documents.owners import speaking_in
from extraction.extractors.documents.page import LabelLine, Page, own_words_of
from extraction.extractors.documents.records import refs_replaced_by, refs_replaced_in, state_of
from extraction.extractors.documents.reported import HANDS_OVER, reported_matches
from extraction.extractors.documents.ruleset import RuleSet
from extraction.extractors.documents.sentences import intent_matches, sentence_matches
from extraction.extractors.documents.tables import table_matches
from extraction.extractors.documents.votes import voted_matches
from ledger.language.fold import summary_of
from ledger.language.outline import plain_lists
from ledger.language.transcript import turns_of

# The section of a decision record: a whole page may stand in it, so it keeps no other rule from finding something there.
RECORD: Final = "heading.record"
ACTION: Final = "action_item"
# Kinds of source that may be minutes.
_WRITTEN: Final = frozenset({"document", "note"})


def find_hits(
    text: str,
    sections: Sequence[SectionLike],
    rules: RuleSet,
    *,
    kind: str,
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
    breaks = speaker_changes(sections)
    found = _matches(read_page(text, kind, rules, sections), sections, kind)
    matches = _worded([_within_turn(match, text, breaks) for match in found], text, sent_at, zone)
    replaced = [refs_replaced_in(match.statement) for match in matches]
    fresh = sent_at is not None and now - sent_at <= timedelta(days=rules.fresh_days)
    scores = _Scores(sections, rules, rules.fresh_bonus if fresh else 1.0)
    return _with_state([scores.hit(*one) for one in zip(matches, replaced, strict=True)], text)


def _worded(matches: Sequence[RuleMatch], text: str, said_at: datetime | None, zone: str) -> list[RuleMatch]:
    """The matches that state something, each with its statement, and of an action the day it is due."""
    quotes = [text[match.start : match.end] for match in matches]
    statements = [match.statement or summary_of(quote) for match, quote in zip(matches, quotes, strict=True)]
    dues = [
        match.due or due_of(quote, said_at=said_at, zone=zone) if match.kind == ACTION else ""
        for match, quote in zip(matches, quotes, strict=True)
    ]
    statements = [
        _HANDLES.sub(_without_signs, statement) if match.assignee else statement
        for match, statement in zip(matches, statements, strict=True)
    ]
    worded = zip(matches, statements, dues, strict=True)
    return [replace(match, statement=statement, due=due) for match, statement, due in worded if statement]


# `@ann and @bo to …`
_HANDLES: Final = re.compile(r"\A(?:@[\w.-]{1,39}(?:,? and |, ?| ?[&/+] ?| ))+")


def _without_signs(handles: re.Match[str]) -> str:
    return handles[0].replace("@", "")


def speaker_changes(sections: Sequence[SectionLike]) -> list[int]:
    """Where somebody else begins to speak, ascending."""
    return [after.start for before, after in pairwise(sections) if before.speaker != after.speaker]


def _within_turn(match: RuleMatch, text: str, breaks: Sequence[int]) -> RuleMatch:
    """Nobody's words run on into another's (law 2)."""
    at = bisect_right(breaks, match.start)
    if at == len(breaks) or match.end <= breaks[at]:
        return match
    return replace(match, end=trim_end(text, match.start, breaks[at]), statement="")


@dataclass(frozen=True)
class _Scores:
    """What makes hits of matches: the sections that they stand in, the packs' numbers, and what freshness adds."""

    sections: Sequence[SectionLike]
    rules: RuleSet
    fresh_bonus: float

    @cached_property
    def starts(self) -> list[int]:
        return [section.start for section in self.sections]

    def hit(self, match: RuleMatch, replaced: tuple[str, ...]) -> Hit:
        at = max(0, bisect_right(self.starts, match.start) - 1)
        section, rules = self.sections[at], self.rules
        is_action = match.kind == ACTION
        action = {"task": match.statement, "assignee": match.assignee, "due": match.due}
        anchors = rules.anchors.get(match.kind, frozenset())
        # Prior × structural signal × freshness, at most 1 (P4).
        score = rules.priors[match.rule_class] * self._signal(section) * self.fresh_bonus
        return Hit(
            rule=match.rule,
            rule_class=match.rule_class,
            explicit=match.explicit,
            kind=match.kind,
            statement=match.statement,
            spans=(Span(match.start, match.end, at),),
            confidence=round(min(1.0, score), 4),
            anchored=not anchors or section.speaker in anchors,
            key=match.key,
            topic=match.topic,
            value_type=ACTION if is_action else match.value_type,
            needs_review=bool(match.doubt),
            summary=match.doubt,
            value={name: words for name, words in action.items() if words} if is_action else match.value,
            assignee=match.assignee,
            supersedes=replaced,
        )

    def _signal(self, section: SectionLike) -> float:
        rules, path = self.rules, " / ".join([*section.heading_path, section.name]).casefold()
        if any(hint in path for hint in rules.low_hints):
            return rules.low_signal
        return rules.high_signal if any(hint in path for hint in rules.high_hints) else 1.0


def _with_state(hits: list[Hit], text: str) -> list[Hit]:
    """The first section of a decision record says of itself what the whole record does."""
    at = next((at for at, hit in enumerate(hits) if hit.rule == RECORD and hit.kind == "decision"), None)
    if at is None:
        return hits
    state, hit = state_of(text), hits[at]
    supersedes = tuple(dict.fromkeys((*refs_replaced_by(text), *hit.supersedes)))
    told = replace(hit, supersedes=supersedes, tags=state.tags, needs_review=not state.holds, summary=state.warning)
    return [*hits[:at], told, *hits[at + 1 :]]


def read_page(text: str, kind: str, rules: RuleSet, sections: Sequence[SectionLike]) -> Page:
    """What every rule asks of a text of this kind of source, read once. The name that a turn begins with is no label."""
    shadow, heads = own_words_of(text, kind)
    shadow = plain_lists(shadow)
    grids = grids_in(shadow)
    # `#    Decision` may be the head of a table whose first column is a number.
    heads = [head for head in heads if not in_grids(grids, head.start, head.start + 1)]
    labels = _labels_in(shadow, rules, sections)
    midline = midline_labels(shadow, rules)
    titled = titled_sections(heads, text, shadow, rules)
    has_actions = ACTION in [*[line.kind for line in labels], *[section.kind for section in titled]]
    people = attendance_of(shadow, heads) if has_actions or kind in _WRITTEN else NOBODY
    return Page(
        text=text,
        shadow=shadow,
        rules=rules,
        headings=heads,
        labels=labels,
        sections=titled,
        edges=sorted(
            {
                *[line.line_start for line in chain(labels, midline)],
                *[head.start for head in heads],
                *speaker_changes(sections),
            }
        ),
        known=speaking_in(shadow) | people.parts_of_names if has_actions else frozenset(),
        midline=midline,
        grids=grids,
        people=people,
    )


def _labels_in(shadow: str, rules: RuleSet, sections: Sequence[SectionLike]) -> list[LabelLine]:
    """The label lines, without the names that an agent's turns begin with (`AI: …`)."""
    named = [one.start for one in sections if one.speaker == "agent" and one.name.casefold() in INITIALS]
    lines = label_lines(shadow, _label_pattern(frozenset(rules.labels), rules.open_labels), rules)
    return [line for line in lines if line.line_start not in named or line.label not in INITIALS]


@lru_cache(maxsize=100)
def _label_pattern(labels: frozenset[str], open_labels: frozenset[str]) -> re.Pattern[str]:
    """By vocabulary: compiling one takes some milliseconds, and scopes share few vocabularies."""
    return compile_labels(labels | open_labels)


def _matches(page: Page, sections: Sequence[SectionLike], kind: str) -> list[RuleMatch]:
    """What all rules find, in the order of the text. What an author labelled or titled is not found again by weaker rules."""
    matches = [*_labelled(page), *_headed(page), *midline_matches(page), *table_matches(page), *voted_matches(page)]
    in_labelled = _overlap_with([(match.start, match.end) for match in matches if match.rule != RECORD])
    own_words = _own_words(page, sections, kind)
    sentences = list(sentence_matches(own_words, sections, page.rules))
    matches += [match for match in sentences if not in_labelled(match.start, match.end)]
    if page.rules.intents:
        in_any = _overlap_with([(match.start, match.end) for match in matches if match.rule != RECORD])
        intents = list(intent_matches(own_words, sections, page.rules.intents))
        matches += [match for match in intents if not in_any(match.start, match.end)]
    if kind in _WRITTEN:
        written = _written(page, sections)
        matches += [match for match in written if not in_labelled(match.start, match.end)]
    measures = list(measure_matches(page.shadow))
    matches += [match for match in measures if not in_labelled(match.start, match.end)]
    return _distinct(matches)


def _written(page: Page, sections: Sequence[SectionLike]) -> list[RuleMatch]:
    """What minutes and lists tell without a label: of one sentence one thing, so that what was agreed to be done by somebody is an
    action and no decision beside it."""
    handed = [*handed_matches(page), *bracketed_matches(page)]
    in_handed = _overlap_with(
        [
            *[(match.start, match.end) for match in handed],
            *[(line.line_start, line.line_end) for line in page.labels if line.label in page.rules.votable],
        ]
    )
    actions = [match for match in commitment_matches(page, sections) if not in_handed(match.start, match.end)]
    in_action = _overlap_with([(match.start, match.end) for match in [*handed, *actions]])
    # `It was agreed to sell the boat; Ann will find a buyer` says two.
    decisions = [
        match
        for match in reported_matches(page, sections)
        if not (in_action(match.start, match.end) and HANDS_OVER.search(page.shadow, match.start, match.end))
    ]
    return [*handed, *actions, *decisions]


def _own_words(page: Page, sections: Sequence[SectionLike], kind: str) -> str:
    """In a talk kept as one text the users' turns without their names, so that a sentence begins with its first word, and
    nothing of what others say: nobody is taken at an agent's word."""
    speaks = {section.start: section.speaker for section in sections}
    if len(set(speaks.values())) == 1:
        return page.shadow
    words = list(page.shadow)
    for turn in turns_of(page.shadow, prose=kind == "document"):
        if turn.start in speaks and (turn.content > turn.start or speaks[turn.start] != "user"):
            end = turn.content if speaks[turn.start] == "user" else turn.end
            words[turn.start : end] = _BLACK.sub(" ", page.shadow[turn.start : end])
            # As if each began on a line of its own.
            words[end - 1] = "\n"
    return "".join(words)


_BLACK: Final = re.compile(r"[^\n]")


def _labelled(page: Page) -> list[RuleMatch]:
    in_heading = _overlap_with([(head.start, head.end) for head in page.headings])
    under_title = {line.line_start for section in page.sections for line in first_words(section, page)}
    lines = [line for line in page.labels if line.line_start not in under_title]
    lines = [line for line in lines if not in_heading(line.line_start, line.line_end)]
    return [match for line in lines for match in labelled_matches(line, page)]


def _headed(page: Page) -> list[RuleMatch]:
    typed = [heading_match(heading, page) for heading in page.headings]
    return [*filter(None, typed), *[match for section in page.sections for match in section_matches(section, page)]]


def _overlap_with(ranges: Iterable[tuple[int, int]]) -> Callable[[int, int], bool]:
    """A test for overlap with any of the ranges, in logarithmic time."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            start, end = merged[-1][0], max(end, merged.pop()[1])
        merged.append((start, end))
    starts = [start for start, _ in merged]

    def overlaps(start: int, end: int) -> bool:
        at = bisect_right(starts, max(start, end - 1)) - 1
        return at >= 0 and merged[at][1] > start

    return overlaps


def _distinct(matches: Iterable[RuleMatch]) -> list[RuleMatch]:
    """In the order of the text; of two matches of one kind on the same range the first rule's stays."""
    kept: dict[tuple[int, int, str], RuleMatch] = {}
    for match in matches:
        if match.start < match.end:
            kept.setdefault((match.start, match.end, match.kind), match)
    return sorted(kept.values(), key=lambda match: (match.start, match.end))
