"""Run what reads a form of gold over its rows, and score it: rules over minutes and records, times over chat, and so on."""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from difflib import SequenceMatcher
from itertools import chain
from typing import Any, Final

from extraction.evaluation.rows import SOME_DAY, GoldRow
from extraction.evaluation.scores import FoundSpan, Score, ScoredText, score, share
from extraction.evaluation.times import value_of
from extraction.extractors.discussions.answers import confirmation_of
from extraction.extractors.documents import Hit, RuleSet
from extraction.extractors.documents.extractor import hits_in
from extraction.extractors.documents.records import state_of
from extraction.extractors.documents.sentences import plain_intent, sentence_intent
from ledger.language.times import find_times
from ledger.rules.sections import sections_of

# Two wordings of one resolution: the scribe's line seldom repeats the proposal to the letter.
_SAME_WORDS: Final = 0.8
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
_LAST_NUMBER: Final = re.compile(r"\d+$", re.MULTILINE)
Reader = Callable[[GoldRow, RuleSet], Sequence[FoundSpan]]
Line = dict[str, Any]


def evaluate_rows(name: str, gold: Sequence[GoldRow], rules: RuleSet, worst: int = 0) -> list[Line]:
    """One line of figures for each measure that this form of gold asks for, with the pace at which it was read."""
    form = gold[0].form
    began = time.perf_counter()
    found = [_READERS[form](row, rules) for row in gold]
    pace = _pace(gold, time.perf_counter() - began)
    every = frozenset[str]().union(*(row.kinds for row in gold))
    totals = {measure: _score(gold, found, kinds or every, iou) for measure, iou, kinds in MEASURES[form]}
    if any(row.hidden for row in gold):
        totals["hidden"] = _unlabelled(gold, rules)
    lines = [_line(name, measure, total) | pace | _worst(total, worst) for measure, total in totals.items()]
    if form == "record":
        lines[0]["links"] = _links(gold, rules)
        marked = [row for row in gold if row.status]
        lines += [_line(name, "status", _states(marked))] * bool(marked)
    if form == "intents":
        plain = [_asks(row, plain_intent(row.text)) for row in gold]
        lines.append(_line(name, "keywords", _score(gold, plain, every)))
    return lines


def _pace(gold: Sequence[GoldRow], seconds: float) -> dict[str, float]:
    return {
        "seconds": round(seconds, 4),
        "texts_per_s": round(share(len(gold), seconds, of_nothing=0.0), 1),
        "us_per_char": round(share(seconds * 1e6, sum(len(row.text) for row in gold), of_nothing=0.0), 4),
    }


def _score(
    gold: Sequence[GoldRow], found: Sequence[Sequence[FoundSpan]], kinds: frozenset[str], iou: float = 0.0
) -> Score:
    """Of the texts that speak of these kinds. What a record's gold leaves out it did not look for: of records only those with
    a Decision section are scored."""
    texts = [
        ScoredText(row.id, row.text, row.gold, spans, row.open_spans)
        for row, spans in zip(gold, found, strict=True)
        if row.kinds & kinds and (row.gold or row.form != "record")
    ]
    return score(texts, kinds=kinds, iou=iou)


def _line(name: str, measure: str, total: Score) -> Line:
    return {"file": name, "measure": measure, **total.figures()}


def _worst(total: Score, most: int) -> Line:
    return {"worst": [asdict(miss) for miss in total.misses[:most]]} if most else {}


def _by_rules(row: GoldRow, rules: RuleSet) -> list[FoundSpan]:
    hits = hits_of(row, rules)
    return [FoundSpan(hit.kind, hit.spans[0].start, hit.spans[0].end, hit.assignee, rule=hit.rule) for hit in hits]


def _times(row: GoldRow, rules: RuleSet) -> list[FoundSpan]:
    spans = find_times(row.text, reference=row.reference, zone="UTC", languages=("en",), dayfirst=row.dayfirst)
    # A dialogue's slots are days and clocks; how long and how often has no slot.
    unslotted = ("duration", "set") if row.form == "dialogue" else ()
    return [
        FoundSpan("time", one.start, one.end, sort=one.type, value=value_of(one), rule=f"times.{one.type}")
        for one in spans
        if one.type not in unslotted
    ]


def _times_and_answers(row: GoldRow, rules: RuleSet) -> list[FoundSpan]:
    said = confirmation_of(row.text) if "answer" in row.kinds else ""
    answers = [FoundSpan("answer", 0, len(row.text), sort=said, value=said, rule=f"answer.{said}")] if said else []
    return [*_times(row, rules), *answers]


def _requests(row: GoldRow, rules: RuleSet) -> list[FoundSpan]:
    return _asks(row, sentence_intent(row.text))


def _asks(row: GoldRow, intent: str) -> list[FoundSpan]:
    return [FoundSpan("request", 0, len(row.text), rule="intent.request")] if intent == "request" else []


_READERS: Final[Mapping[str, Reader]] = {
    **dict.fromkeys(("minutes", "labels", "conclusions", "record"), _by_rules),
    "times": _times,
    "dialogue": _times_and_answers,
    "intents": _requests,
}


def hits_of(row: GoldRow, rules: RuleSet) -> list[Hit]:
    """The hits in one row's text, read as a document."""
    sections = sections_of(row.text, kind="document", sender_kind="document")
    return hits_in(row.text, sections, rules, kind="document", sent_at=None, now=SOME_DAY)


def _unlabelled(gold: Sequence[GoldRow], rules: RuleSet) -> Score:
    """The same minutes without the lines that label what was resolved: which resolutions are found by their wording alone."""
    total = Score()
    for row in gold:
        kept = _without(row.text, row.hidden)
        found = [hit.spans[0] for hit in hits_of(replace(row, text=kept), rules) if hit.kind == "decision"]
        said = [kept[one.start : one.end].casefold() for one in found]
        wanted = [row.text[one.start : one.end].casefold() for one in row.gold if one.kind == "decision"]
        total.count_text(labelled=bool(wanted), hit=bool(said))
        total.gold += len(wanted)
        total.hits += len(said)
        total.gold_found += sum(_is_among(one, said) for one in wanted)
        total.hits_right += sum(_is_among(one, wanted) for one in said)
    return total


def _without(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    kept, last = "", 0
    for start, end in sorted(ranges):
        kept += text[last:start]
        last = max(last, end)
    return kept + text[last:]


def _is_among(words: str, others: Sequence[str]) -> bool:
    """Whether one of them says nearly the same."""
    return any(SequenceMatcher(None, words, other, autojunk=False).ratio() > _SAME_WORDS for other in others)


def _states(marked: Sequence[GoldRow]) -> Score:
    """How many records tell the status that was marked."""
    right = sum(state_of(row.head).word == row.status.casefold() for row in marked)
    return Score.counted(len(marked), gold=len(marked), hits=len(marked), right=right)


def _links(gold: Sequence[GoldRow], rules: RuleSet) -> str:
    """How many links between records, each a record's place and the number that it names, are found."""
    told = [row for row in gold if row.supersedes is not None and row.gold]
    known = {(at, number) for at, row in enumerate(told) for number in row.supersedes or ()}
    named = {(at, int(end)) for at, row in enumerate(told) for end in _numbers_named(row, rules)}
    return f"{len(known & named)} right of {len(named)} named, {len(known)} known"


def _numbers_named(row: GoldRow, rules: RuleSet) -> list[str]:
    refs = chain.from_iterable(hit.supersedes for hit in hits_of(row, rules))
    return _LAST_NUMBER.findall("\n".join(refs))
