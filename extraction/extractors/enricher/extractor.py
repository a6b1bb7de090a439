"""The enricher (T9): what a turn asked for and nobody could say stays an open question, as a claim of its own. It only adds, and
what somebody dismissed is not proposed again."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from extraction.extractors.documents import Hit, Span
from extraction.extractors.findings import Extractor, Findings, Reading
from ledger.models import Claim, Scope, Section, SourceKind, Tier
from ledger.packs import KeySpec, PackSet
from ledger.rules.bundles.turn import NONE

# Its own score and gate: below what anybody said.
CONFIDENCE: Final = 0.55
_QUESTION: Final = re.compile(r"^Q\d{1,4}\(id=(?P<key>[^()\s]{1,200})\): (?P<text>[^\n]{1,300})$", re.M)
_ANSWER: Final = re.compile(
    r'^A\d{1,4}\(qId=(?P<key>[^()\s]{1,200})\): quick=(?P<quick>\S{1,20}) text="(?P<text>[^\n]*)"$', re.M
)
_SELECTED: Final = re.compile(r"^selectedItemIds=\[([^\n]*)\]$", re.M)


class EnricherExtractor(Extractor):
    """Reads turns: of the required keys that were asked for, those that the answers left open."""

    name = "enricher"
    version = "1.0.0"
    stage = "enricher"
    threshold = 0.5
    kinds = frozenset({SourceKind.TURN})

    def read(self, reading: Reading) -> Findings:
        left = list(unanswered(reading.source.text, reading.sections))
        asked = [(spec, span) for key, span in left if (spec := reading.packs.keys.get(key)) and spec.required]
        if not asked:
            return Findings()
        places = items_selected(reading.scope, reading.source.text)
        known = filled_keys([reading.scope, *places], [spec.key for spec, _ in asked])
        return Findings(
            [
                hit
                for spec, span in asked
                for place in _places(spec, reading.packs, reading.scope, places)
                if (place.pk, spec.key) not in known
                for hit in _hits(spec, span, place, reading)
            ]
        )


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


def items_selected(scope: Scope, text: str) -> list[Scope]:
    """The items that the turn is about."""
    selected = _SELECTED.search(text[:20_000])
    ids = re.findall(r'"([^"\\]{1,200})"', selected[1]) if selected else []
    paths = [f"{scope.path}/{id_}" for id_ in ids]
    return list(Scope.objects.filter(parent=scope, tier=Tier.ITEM, path__in=paths).order_by("path"))


def filled_keys(scopes: Sequence[Scope], keys: Sequence[str]) -> set[tuple[int, str]]:
    """Scope and key of what holds already. One query."""
    rows = Claim.objects.filter(scope__in=scopes, key__in=keys, status="active", value__isnull=False)
    return set(rows.values_list("scope_id", "key"))


def _places(spec: KeySpec, packs: PackSet, scope: Scope, items: Sequence[Scope]) -> Sequence[Scope]:
    """A key of items is asked of each item that the turn is about, all others of its project."""
    block = packs.block_of(spec.key)
    return items if block and block.scope == "item" else [scope]


def _hits(spec: KeySpec, span: Span, place: Scope, reading: Reading) -> Iterator[Hit]:
    block = next(
        (
            one
            for one in reading.packs.blocks.values()
            if one.closes and (one.scope == "item") == (place.tier == Tier.ITEM)
        ),
        None,
    )
    if block is not None:
        yield Hit(
            rule="enricher.unanswered",
            rule_class="value",
            explicit=False,
            kind=block.closes[0],
            statement=spec.question or reading.source.text[span.start : span.end],
            spans=(span,),
            confidence=CONFIDENCE,
            anchored=True,
            key=spec.key,
            summary="asked in this turn, and nobody could say",
            scope_id=0 if place.pk == reading.scope.pk else place.pk,
        )
