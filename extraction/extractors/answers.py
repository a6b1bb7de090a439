"""Answers to the packs' own questions in a turn: the key is the question's, so that no model is needed to read them (T1, T5)."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from extraction.extractors.documents.hits import Hit, Span
from extraction.extractors.findings import Extractor, Findings, Note, Reading
from ledger.models import Scope, SourceKind, Tier
from ledger.packs import KeySpec
from ledger.rules.registry import Misfit, fit

_ANSWER: Final = re.compile(
    r'^A\d{1,4}\(qId=(?P<key>[^)\n]{1,200})\): quick=(?P<quick>\(none\)|[A-Z]{1,12}) text="(?P<text>(?:[^"\\\n]|\\.)*+)"$',
    re.M,
)
_SELECTED: Final = re.compile(r"^selectedItemIds=(\[[^\n]{0,20000}\])$", re.M)
# A decimal mark as much of the world writes it; a comma before three digits groups.
_DECIMAL_COMMA: Final = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")
_MEASURED: Final = ("number", "dimension", "currency")
_BOOLEANS: Final = {"YES": True, "NO": False}
CONFIDENCE: Final = 0.9


class AnswerExtractor(Extractor):
    """Reads what stands behind `A1(qId=…)`. What doesn't fit the key's type is told in the run's report."""

    name = "answers"
    version = "1.0.0"
    stage = "extraction"
    threshold = 0.6
    kinds = frozenset({SourceKind.TURN})

    def read(self, reading: Reading) -> Findings:
        items = _selected(reading)
        found = list(_answers(reading, items))
        return Findings([one for one in found if isinstance(one, Hit)], [one for one in found if isinstance(one, Note)])


def _selected(reading: Reading) -> list[Scope]:
    """The items that the turn is about, in the order of its text."""
    line = _SELECTED.search(reading.source.text[:20_000])
    names = json.loads(line[1]) if line else []
    paths = [f"{reading.scope.path}/{name}" for name in names]
    return list(Scope.objects.filter(path__in=paths, tier=Tier.ITEM).order_by("path"))


def _answers(reading: Reading, items: list[Scope]) -> Iterator[Hit | Note]:
    for at, section in enumerate(reading.sections):
        if section.name == "USER_ANSWERS" and section.speaker == "user":
            for answer in _ANSWER.finditer(reading.source.text, section.start, section.end):
                spec = reading.packs.keys.get(answer["key"])
                if spec:
                    yield from _read(answer, spec, at, reading, items)


def _read(
    answer: re.Match[str], spec: KeySpec, section: int, reading: Reading, items: list[Scope]
) -> Iterator[Hit | Note]:
    said = json.loads(f'"{answer["text"]}"').strip()
    words = _DECIMAL_COMMA.sub(".", said) if spec.value_type in _MEASURED else said
    word = answer["quick"] if spec.value_type == "boolean" else ""
    if not said and word not in _BOOLEANS:
        return
    start, end = answer.span("text" if said else "quick")
    try:
        value = fit(
            words if said and word not in _BOOLEANS else _BOOLEANS[word],
            spec.value_type,
            unit=spec.unit,
            values=spec.values,
        )
    except Misfit as misfit:
        yield Note(f"the answer fits no {spec.value_type}: {misfit}", {"key": spec.key, "start": start, "end": end})
        return
    span, told = Span(start, end, section), said or word.capitalize()
    for place in _places(spec, reading, items):
        scope_id = place.pk if place.pk != reading.scope.pk else 0
        yield _hit(spec, value, told, span, scope_id, needs_review=bool(scope_id) and len(items) > 1)


def _places(spec: KeySpec, reading: Reading, items: list[Scope]) -> list[Scope]:
    """A key of items belongs to the items that the turn is about; where it names none, it stays with the project."""
    block = reading.packs.block_of(spec.key)
    of_items = block is not None and block.scope == "item" and reading.scope.tier != Tier.ITEM
    return items if of_items and items else [reading.scope]


def _hit(spec: KeySpec, value: Any, said: str, span: Span, scope_id: int, *, needs_review: bool) -> Hit:
    return Hit(
        rule="answer.structured",
        rule_class="answer",
        explicit=True,
        kind="fact",
        statement=f"{spec.title}: {said}",
        spans=(span,),
        confidence=CONFIDENCE,
        anchored=True,
        key=spec.key,
        value_type=spec.value_type,
        value=value,
        needs_review=needs_review,
        scope_id=scope_id,
    )
