"""Answers to the packs' own questions in a turn: the key is the question's, so that no model is needed to read them (T1, T5)."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from extraction.extractors.documents.hits import Hit, Span
from extraction.extractors.findings import Extractor, Findings, Note, Reading
from extraction.extractors.turn_items import TurnItems, items_in
from ledger.models import SourceKind
from ledger.packs import KeySpec
from ledger.rules.registry import Misfit, fit

_ANSWER: Final = re.compile(
    r'^A\d{1,4}\(qId=(?P<key>[^)\n]{1,200})\): quick=(?P<quick>\(none\)|[A-Z]{1,12}) text="(?P<text>(?:[^"\\\n]|\\.)*+)"$',
    re.M,
)
# A decimal mark as much of the world writes it; a comma before three digits groups.
_DECIMAL_COMMA: Final = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")
_MEASURED: Final = ("number", "dimension", "currency")
_BOOLEANS: Final = {"YES": True, "NO": False}
CONFIDENCE: Final = 0.9


class AnswerExtractor(Extractor):
    """Reads what stands behind `A1(qId=…)`. What becomes no fact is told in the run's report."""

    name = "answers"
    version = "1.1.0"
    stage = "extraction"
    threshold = 0.6
    kinds = frozenset({SourceKind.TURN})

    def read(self, reading: Reading) -> Findings:
        found = list(_answers(reading, items_in(reading.scope, reading.source.text)))
        return Findings([one for one in found if isinstance(one, Hit)], [one for one in found if isinstance(one, Note)])


def _answers(reading: Reading, items: TurnItems) -> Iterator[Hit | Note]:
    for at, section in enumerate(reading.sections):
        if section.name == "USER_ANSWERS" and section.speaker == "user":
            for answer in _ANSWER.finditer(reading.source.text, section.start, section.end):
                yield from _read(answer, at, reading, items)


def _read(answer: re.Match[str], section: int, reading: Reading, items: TurnItems) -> Iterator[Hit | Note]:
    said, word = json.loads(f'"{answer["text"]}"').strip(), answer["quick"]
    if not said and word not in _BOOLEANS:
        return
    start, end = answer.span("text" if said else "quick")
    here = {"key": answer["key"], "start": start, "end": end}
    spec = reading.packs.key_named(answer["key"])
    if spec is None:
        yield Note(f"a question's id is the key that its answer fills, and {answer['key']!r} is no key here", here)
        return
    try:
        value = fit(_given(said, word, spec), spec.value_type, unit=spec.unit, values=spec.values)
    except Misfit as misfit:
        yield Note(f"the answer fits no {spec.value_type}: {misfit}", here)
        return
    places = items.places(reading.scope, reading.packs, "fact", spec.key)
    if _is_lost(spec, reading, items):
        missing = (
            f"{', '.join(items.missing)} leads to no item of {reading.scope.path}: its answers stay with the project"
        )
        yield Note(missing, here)
    span, told = Span(start, end, section), said or word.capitalize()
    for place in places:
        scope_id = place.pk if place.pk != reading.scope.pk else 0
        yield _hit(spec, value, told, span, scope_id, needs_review=bool(scope_id) and len(places) > 1)


def _given(said: str, word: str, spec: KeySpec) -> bool | str:
    """What to read: a pressed yes or no goes before words where it can be the value, and stands for words where there are none."""
    if spec.value_type == "boolean" and word in _BOOLEANS:
        return _BOOLEANS[word]
    words = said or word.capitalize()
    return _DECIMAL_COMMA.sub(".", words) if spec.value_type in _MEASURED else words


def _is_lost(spec: KeySpec, reading: Reading, items: TurnItems) -> bool:
    """Whether it is said of an item that is not there."""
    block = reading.packs.block_of(spec.key)
    return bool(items.missing) and not items.by_id and block is not None and block.scope == "item"


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
