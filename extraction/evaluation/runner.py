"""Run what reads a form of gold over its rows, and score it: rules over minutes and records, times over chat, and so on."""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from difflib import SequenceMatcher
from typing import Any, Final

from extraction.evaluation.rows import GoldRow
from extraction.evaluation.scores import FoundSpan, Row, Score, score
from extraction.evaluation.times import value_of
from extraction.extractors.discussions.confirming import confirmation_of
from extraction.extractors.documents import Hit, RuleSet, find_hits
from extraction.extractors.documents.records import state_of
from extraction.extractors.documents.sentences import plain_intent, sentence_intent
from ledger.language.times import find_times
from ledger.rules.sections import sections_of

# For each form: what to call the figure, the overlap it asks for, and which kinds it counts (all that its gold knows if none).
MEASURES: Final[dict[str, tuple[tuple[str, float, frozenset[str]], ...]]] = {
    "minutes": (("overlap", 0.0, frozenset()),),
    "labels": (("overlap", 0.0, frozenset()),),
    "conclusions": (("IoU 0.5", 0.5, frozenset()), ("exact", 1.0, frozenset())),
    "record": (("IoU 0.5", 0.5, frozenset()), ("IoU 0.9", 0.9, frozenset())),
    "times": (("overlap", 0.0, frozenset()), ("exact", 1.0, frozenset())),
    "dialogue": (("times", 0.0, frozenset({"time"})), ("answers", 0.0, frozenset({"answer"}))),
    "intents": (("requests", 0.0, frozenset({"request"})),),
}
Reader = Callable[[GoldRow], Sequence[FoundSpan]]


def evaluate_rows(name: str, gold: Sequence[GoldRow], rules: RuleSet, worst: int = 0) -> list[dict[str, Any]]:
    """One line of figures for each measure that this form of gold asks for, with the pace at which it was read."""
    form = gold[0].form
    reader = _readers(rules)[form]
    began = time.perf_counter()
    found = [reader(row) for row in gold]
    seconds = time.perf_counter() - began
    rows = [(row, Row(row.id, row.text, row.gold, some, row.open_spans)) for row, some in zip(gold, found, strict=True)]
    # What a record's gold leaves out it did not look for: only rows with a Decision section are scored.
    if form == "record":
        rows = [(one, row) for one, row in rows if one.gold]
    chars = sum(len(row.text) for row in gold)
    pace = {
        "seconds": round(seconds, 4),
        "texts_per_s": round(len(gold) / seconds, 1) if seconds else 0.0,
        "us_per_char": round(seconds * 1e6 / chars, 4) if chars else 0.0,
    }
    every = frozenset().union(*(row.kinds for row in gold))
    lines = []
    for measure, iou, kinds in MEASURES[form]:
        asked = kinds or every
        lines.append(
            _line(
                name, measure, score([row for one, row in rows if one.kinds & asked], kinds=asked, iou=iou), pace, worst
            )
        )
    if form == "record":
        lines[0]["links"] = _links(gold, rules)
        if any(row.status for row in gold):
            lines.append(_states(name, gold))
    if form == "minutes" and any(row.hidden for row in gold):
        lines.append(_line(name, "hidden", _unlabelled(gold, rules), pace, worst))
    if form == "intents":
        plain = [Row(row.id, row.text, row.gold, _asks(row, plain_intent(row.text) == "request")) for row in gold]
        lines.append(_line(name, "keywords", score(plain, kinds=every), {}, 0))
    return lines


def _line(name: str, measure: str, total: Score, pace: dict[str, float], worst: int) -> dict[str, Any]:
    line: dict[str, Any] = {"file": name, "measure": measure, **total.figures(), **pace}
    if worst:
        shown = [(m.row, m.what, m.kind, m.start, m.end, m.words) for m in total.misses[:worst]]
        line["worst"] = [dict(zip(("row", "what", "kind", "start", "end", "words"), one, strict=True)) for one in shown]
    return line


def _readers(rules: RuleSet) -> dict[str, Reader]:
    def by_rules(row: GoldRow) -> list[FoundSpan]:
        return [
            FoundSpan(hit.kind, hit.spans[0].start, hit.spans[0].end, hit.assignee, rule=hit.rule)
            for hit in hits_of(row, rules)
        ]

    forms: Iterable[str] = ("minutes", "labels", "conclusions", "record")
    return {
        **dict.fromkeys(forms, by_rules),
        "times": _times,
        "dialogue": lambda row: [*_times(row), *_answers(row)],
        "intents": lambda row: _asks(row, sentence_intent(row.text) == "request"),
    }


def _times(row: GoldRow) -> list[FoundSpan]:
    when = row.reference or datetime(2026, 1, 1, tzinfo=UTC)
    spans = find_times(row.text, reference=when, zone="UTC", languages=("en",), dayfirst=row.dayfirst)
    # A dialogue's slots are days and clocks; how long and how often has no slot.
    spans = [one for one in spans if row.form != "dialogue" or one.type not in ("duration", "set")]
    return [
        FoundSpan("time", one.start, one.end, sort=one.type, value=value_of(one), rule=f"times.{one.type}")
        for one in spans
    ]


def _answers(row: GoldRow) -> list[FoundSpan]:
    if "answer" not in row.kinds:
        return []
    said = confirmation_of(row.text)
    return [FoundSpan("answer", 0, len(row.text), sort=said, value=said, rule=f"answer.{said}")] if said else []


def _asks(row: GoldRow, asks: bool) -> list[FoundSpan]:
    return [FoundSpan("request", 0, len(row.text), rule="intent.request")] if asks else []


def hits_of(row: GoldRow, rules: RuleSet) -> list[Hit]:
    """The hits in one row's text, read as a document."""
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    sections = sections_of(row.text, kind="document", sender_kind="document")
    return find_hits(
        row.text, sections, rules, kind="document", sent_at=None, now=moment
    )  # fmt: skip


# Two wordings of one resolution: the scribe's line seldom repeats the proposal to the letter.
SAME_WORDS: Final = 0.8


def _unlabelled(gold: Sequence[GoldRow], rules: RuleSet) -> Score:
    """The same minutes without the lines that label what was resolved: which resolutions are found by their wording alone."""
    total = Score()
    for row in gold:
        kept = _without(row.text, row.hidden)
        found = [hit for hit in hits_of(replace(row, text=kept), rules) if hit.kind == "decision"]
        said = [kept[hit.spans[0].start : hit.spans[0].end].casefold() for hit in found]
        wanted = [row.text[one.start : one.end].casefold() for one in row.gold if one.kind == "decision"]
        total.rows += 1
        total.gold += len(wanted)
        total.hits += len(said)
        total.gold_found += sum(any(_alike(one, words) for words in said) for one in wanted)
        total.hits_right += sum(any(_alike(one, words) for one in wanted) for words in said)
        total.unlabelled += not wanted
        total.alarmed += bool(said) and not wanted
    return total


def _without(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    kept, last = [], 0
    for start, end in sorted(ranges):
        kept.append(text[last:start])
        last = max(last, end)
    return "".join([*kept, text[last:]])


def _alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one, other, autojunk=False).ratio() > SAME_WORDS


def _states(name: str, gold: Sequence[GoldRow]) -> dict[str, Any]:
    """How many records tell the status that was marked."""
    marked = [row for row in gold if row.status]
    right = sum(state_of(row.head).word == row.status.casefold() for row in marked)
    total = Score(rows=len(marked), gold=len(marked), hits=len(marked), gold_found=right, hits_right=right, exact=right)
    return _line(name, "status", total, {}, 0)


def _links(gold: Sequence[GoldRow], rules: RuleSet) -> str:
    right = named = known = 0
    for row in gold:
        if row.supersedes is None or not row.gold:
            continue
        refs = (ref for hit in hits_of(row, rules) for ref in hit.supersedes)
        links = {int(number) for ref in refs for number in re.findall(r"\d+\Z", ref)}
        right += len(links & set(row.supersedes))
        named, known = named + len(links), known + len(row.supersedes)
    return f"{right} right of {named} named, {known} known"
