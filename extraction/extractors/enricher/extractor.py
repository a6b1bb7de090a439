"""The enricher (T9): what a turn leaves open, what a stage should have settled, and what the packs suggest where somebody says a
word of theirs, each as a claim of its own. It only adds, and what somebody dismissed is not proposed again."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple

import re2

from extraction.extractors.documents import Hit, Span
from extraction.extractors.findings import Extractor, Findings, Reading
from extraction.extractors.turn_items import items_in
from ledger.models import Claim, Scope, Section, Source, SourceKind, Tier
from ledger.packs import KeySpec, PackSet
from ledger.rules.bundles.turn import NONE

# Its own score and gate: so low that it ranks below all that anybody said.
CONFIDENCE: Final = 0.3
# So many entries of a checklist one turn adds; the next turn adds the next ones.
MAX_DUE: Final = 4
# So far back what somebody called irrelevant is looked for.
MAX_TURNS: Final = 100
UNANSWERED: Final = "asked in this turn, and nobody could say"
DUE: Final = "not known yet, and this is the last stage in which it may be said"
_QUESTION: Final = re.compile(r"^Q\d{1,4}\(id=(?P<key>[^()\s]{1,200})\): (?P<text>[^\n]{1,300})$", re.M)
_ANSWER: Final = re.compile(
    r'^A\d{1,4}\(qId=(?P<key>[^()\s]{1,200})\): quick=(?P<quick>\S{1,20}) text="(?P<text>[^\n]*)"$', re.M
)
_IRRELEVANT: Final = re.compile(r"^A\d{1,4}\(qId=([^()\s]{1,200})\): quick=IRRELEVANT ", re.M)
_STAGE: Final = re.compile(r"^stage=[^\n]{1,60}$", re.M)


class OpenKey(NamedTuple):
    """A required key that nobody has filled, the words of the turn that lead to it, and why it is asked for."""

    spec: KeySpec
    span: Span
    rule: str
    why: str


class EnricherExtractor(Extractor):
    """Reads turns. Of the required keys those that the answers left open, and those that fall due; and the packs' suggestions."""

    name = "enricher"
    version = "1.2.0"
    stage = "enricher"
    threshold = 0.25
    kinds = frozenset({SourceKind.TURN})

    def read(self, reading: Reading) -> Findings:
        items = items_in(reading.scope, reading.source.text).selected
        return Findings([*_questions(reading, items), *_suggestions(reading, items)])


def _questions(reading: Reading, items: Sequence[Scope]) -> list[Hit]:
    left, due = list(_left_open(reading)), list(_falling_due(reading))
    keys = [one.spec.key for one in (*left, *due)]
    places = [reading.scope, *items]
    known = filled_keys(places, keys)
    raised = known | _raised(places, keys) | _waiting(places, keys) if due else known
    return [*_hits_of(left, known, reading, items), *islice(_hits_of(due, raised, reading, items), MAX_DUE)]


def _left_open(reading: Reading) -> Iterator[OpenKey]:
    for key, span in unanswered(reading.source.text, reading.sections):
        spec = reading.packs.keys.get(key)
        if spec and spec.required:
            yield OpenKey(spec, span, "enricher.unanswered", UNANSWERED)


def _falling_due(reading: Reading) -> Iterator[OpenKey]:
    """The checklist of a stage: required keys that may be said in no later one, which the turn did not ask for."""
    text = reading.source.text
    said = _STAGE.search(text[:20_000])
    section = next(
        (at for at, one in enumerate(reading.sections) if said and one.start <= said.start() < one.end), None
    )
    if said is None or section is None:
        return
    skipped = {one["key"] for one in _QUESTION.finditer(text)} | _called_irrelevant(reading.scope)
    for spec in reading.packs.keys.values():
        last = (spec.stages or reading.packs.stages)[-1:]
        if spec.required and spec.question and last == (reading.stage,) and spec.key not in skipped:
            yield OpenKey(spec, Span(*said.span(), section), "enricher.due", DUE)


def _raised(scopes: Sequence[Scope], keys: Sequence[str]) -> set[tuple[int, str]]:
    """Scope and key of what was asked on an earlier turn, whatever became of it. One query."""
    rows = Claim.objects.filter(scope__in=scopes, key__in=keys, extractor__startswith=EnricherExtractor.name)
    return set(rows.values_list("scope_id", "key"))


def _waiting(scopes: Sequence[Scope], keys: Sequence[str]) -> set[tuple[int, str]]:
    """Scope and key of what was answered, and nobody has decided about yet. One query."""
    rows = Claim.objects.filter(scope__in=scopes, key__in=keys, status="pending", value__isnull=False)
    return set(rows.values_list("scope_id", "key"))


def _called_irrelevant(scope: Scope) -> set[str]:
    """The keys of questions that somebody dismissed in a turn. One query."""
    turns = Source.objects.filter(scope=scope, kind=SourceKind.TURN, text__contains="quick=IRRELEVANT")
    return {
        key
        for text in turns.order_by("-pk").values_list("text", flat=True)[:MAX_TURNS]
        for key in _IRRELEVANT.findall(text)
    }


def _hits_of(
    open_keys: Sequence[OpenKey], known: set[tuple[int, str]], reading: Reading, items: Sequence[Scope]
) -> Iterator[Hit]:
    for one in open_keys:
        for place in _places(one.spec, reading.packs, reading.scope, items):
            kind = asking_kind(reading.packs, place)
            if kind and (place.pk, one.spec.key) not in known:
                words = one.spec.question or reading.source.text[one.span.start : one.span.end]
                yield _hit(one.rule, kind, words, one.span, place, reading, key=one.spec.key, summary=one.why)


def _suggestions(reading: Reading, items: Sequence[Scope]) -> Iterator[Hit]:
    """What the packs suggest (`[[enricher]]`) where a user says a word of theirs: nobody has said it, so somebody must look."""
    summary = "suggested where these words are said; nobody has said it"
    for row in reading.packs.rows("enricher"):
        rule, span = f"enricher.{row['id']}", _said_by_user(row["pattern"], row.get("unless", ""), reading)
        if span is None:
            continue
        for place in items or [reading.scope]:
            yield _hit(rule, row["kind"], row["says"], span, place, reading, summary=summary, needs_review=True)


def _said_by_user(pattern: str, unless: str, reading: Reading) -> Span | None:
    text = reading.source.text
    for at, section in enumerate(reading.sections):
        if section.speaker == "user" and section.name in ("USER_ANSWERS", "FREE_CHAT"):
            words = text[section.start : section.end]
            found = _compiled(pattern).search(words)
            if found and not (unless and _compiled(unless).search(words)):
                return Span(section.start + found.start(), section.start + found.end(), at)
    return None


_compiled = cache(re2.compile)


def unanswered(text: str, sections: Sequence[Section]) -> Iterator[tuple[str, Span]]:
    """Key and words of each question that has no answer, or `don't know`."""
    parts = {one.name: one for one in sections if one.speaker != "system"}
    questions, answers = parts.get("STRUCTURED_QUESTIONS"), parts.get("USER_ANSWERS")
    if questions is None:
        return
    said = text[answers.start : answers.end] if answers else ""
    at = list(sections).index(questions)
    answered = {one["key"]: (one["quick"], one["text"].strip()) for one in _ANSWER.finditer(said)}
    settled = {key for key, (quick, words) in answered.items() if quick != "IDK" and (words or quick != NONE)}
    for one in _QUESTION.finditer(text, questions.start, questions.end):
        if one["key"] not in settled:
            yield one["key"], Span(*one.span("text"), at)


def filled_keys(scopes: Sequence[Scope], keys: Sequence[str]) -> set[tuple[int, str]]:
    """Scope and key of what holds already. One query."""
    rows = Claim.objects.filter(scope__in=scopes, key__in=keys, status="active", value__isnull=False)
    return set(rows.values_list("scope_id", "key"))


def _places(spec: KeySpec, packs: PackSet, scope: Scope, items: Sequence[Scope]) -> Sequence[Scope]:
    """A key of items is asked of each item that the turn is about, all others of its project."""
    block = packs.block_of(spec.key)
    return items if block and block.scope == "item" else [scope]


def asking_kind(packs: PackSet, place: Scope) -> str:
    """What a question is called in the place's blocks; empty where none of them shows any."""
    of_items = place.tier == Tier.ITEM
    asking = (one.closes[0] for one in packs.blocks.values() if one.closes and (one.scope == "item") == of_items)
    return next(asking, "")


def _hit(rule: str, kind: str, statement: str, span: Span, place: Scope, reading: Reading, **more: Any) -> Hit:
    return Hit(
        rule=rule,
        rule_class="value",
        explicit=False,
        kind=kind,
        statement=statement,
        spans=(span,),
        confidence=CONFIDENCE,
        anchored=True,
        scope_id=0 if place.pk == reading.scope.pk else place.pk,
        **more,
    )
