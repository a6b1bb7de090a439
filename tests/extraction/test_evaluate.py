"""Scoring, the forms of gold rows, and the command."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from extraction.evaluation.rows import UnknownForm, read_gold
from extraction.evaluation.scores import FoundSpan, GoldSpan, ScoredText, intersection_over_union, score

MINUTES = {
    "id": "m1",
    "text": "RESOLUTION: buy it\n\nACTION: pay (Rob Hale)\n\nPROPOSED: sell it\n",
    "actions": [{"start": 28, "end": 31, "owner": "Rob Hale"}],
    "resolutions": [{"start": 12, "end": 18}],
    "proposals": [{"start": 54, "end": 61, "status": "not_adopted"}],
}
LABELS = {
    "id": "l1",
    "section_text": "Decision: go\nPoll: go?",
    "labels": [{"type": "decision", "start": 10, "end": 12}, {"type": "poll", "start": 19, "end": 22}],
}
TOPIC = {
    "id": "t1",
    "section_text": "# Conclusion\n\n- go\n",
    "gold": {"is_null": False, "items": [{"start": 16, "end": 18}]},
}
NULL = {
    "id": "t2",
    "section_text": "# Conclusion\n\n- None\n",
    "gold": {"is_null": True, "items": [{"start": 16, "end": 20}]},
}
RECORD = {
    "id": "r1",
    "text": "# Status\n\nok\n\n# Decision\n\nGo. Supersedes ADR-3\n",
    "supersedes": ["0003"],
    "sections": {"decision": {"start": 26, "end": 46}},
}


TIMES = {
    "id": "x1", "lang": "English", "model": "DateTimeModel", "input": "Back on May 3rd for 2 hours.",
    "reference": "2018-05-01T00:00:00",
    "results": [
        {"start": 8, "end": 15, "type": "datetimeV2.date", "resolution": {"values": [{"value": "2018-05-03"}]}},
        {"start": 20, "end": 27, "type": "datetimeV2.duration", "resolution": {"values": [{"value": "7200"}]}},
    ],
}  # fmt: skip
NO_TIMES = TIMES | {"id": "x2", "input": "They may come.", "results": []}
NUMBERS = TIMES | {"id": "x3", "model": "NumberModel", "input": "Two of them", "results": [{"start": 0, "end": 3}]}
ASKING = {"id": "i1", "intent": True, "text": "Could you send me the floor plan?"}
TELLING = {"id": "i2", "intent": False, "text": "The floor plan has two doors."}
DIALOGUE = {
    "dialogue_id": "d1",
    "turns": [
        {
            "speaker": "SYSTEM", "utterance": "So tomorrow at 4 pm?",
            "frames": [{"slots": [{"slot": "event_date", "start": 3, "exclusive_end": 11}], "actions": [{"act": "CONFIRM"}]}],
        },
        {"speaker": "USER", "utterance": "Yes, that is right.", "frames": [{"actions": [{"act": "AFFIRM"}]}]},
    ],
}  # fmt: skip


def write(path: Path, rows: list[object]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_scores_count_gold_for_recall_and_hits_for_precision() -> None:
    gold = [GoldSpan("decision", 0, 10), GoldSpan("action_item", 20, 30, "Rob")]
    found = [FoundSpan("decision", 0, 10), FoundSpan("action_item", 25, 30, "rob"), FoundSpan("decision", 40, 50)]
    rows = [ScoredText("a", "x" * 60, gold, found, [(45, 55)]), ScoredText("b", "y", [], [FoundSpan("decision", 0, 1)])]
    kinds = frozenset({"decision", "action_item"})
    total = score(rows, kinds=kinds)
    assert (total.gold, total.gold_found, total.hits, total.hits_right, total.exact) == (2, 2, 4, 2, 1)
    assert (total.precision, total.recall, total.false_on_unlabelled, total.false_on_open) == (0.5, 1.0, 1, 1)
    assert (total.owners, total.owners_right) == (1, 1)
    assert score(rows, kinds=kinds, iou=0.9).gold_found == 1
    assert [miss.row for miss in total.misses] == ["a", "b"]


def test_intersection_over_union() -> None:
    assert intersection_over_union((0, 10), (5, 15)) == pytest.approx(1 / 3)
    assert intersection_over_union((0, 5), (5, 9)) == 0


@pytest.mark.parametrize(("rows", "figures"), [([MINUTES], 1), ([LABELS], 1), ([TOPIC, NULL], 2), ([RECORD], 2)])
def test_the_command_scores_each_form_of_gold(tmp_path: Path, rows: list[object], figures: int) -> None:
    out = StringIO()
    call_command("evaluate", str(write(tmp_path / "gold.jsonl", rows)), "--json", "--worst", "3", stdout=out)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(lines) == figures
    for line in lines:
        assert (line["precision"], line["recall"], line["exact_share"]) == (1, 1, 1)
        assert line["false_on_unlabelled"] == line["false_on_open"] == 0


def figures_of(path: Path, *more: str) -> list[dict[str, object]]:
    out = StringIO()
    call_command("evaluate", str(path), "--json", *more, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_times_are_scored_by_span_value_and_what_has_none(tmp_path: Path) -> None:
    overlap, exact = figures_of(write(tmp_path / "times.jsonl", [TIMES, NO_TIMES, NUMBERS]))
    assert (overlap["rows"], overlap["gold"], overlap["f1"], exact["f1"]) == (2, 2, 1, 1)
    assert (overlap["values"], overlap["values_right"], overlap["unlabelled"], overlap["alarmed"]) == (2, 2, 1, 0)
    assert set(overlap["by_kind"]) == {"date", "duration"}  # type: ignore[call-overload]
    assert overlap["texts_per_s"] and overlap["us_per_char"]


def test_requests_are_scored_beside_plain_keywords(tmp_path: Path) -> None:
    asked, keywords = figures_of(write(tmp_path / "asks.jsonl", [ASKING, TELLING]))
    assert (asked["measure"], asked["f1"], keywords["measure"], keywords["f1"]) == ("requests", 1, "keywords", 1)
    assert asked["by_rule"] == {"intent.request": {"hits": 1, "hits_right": 1, "precision": 1}}


def test_dialogues_are_scored_for_times_and_for_answers(tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text(json.dumps([DIALOGUE]), encoding="utf-8")
    times, answers = figures_of(tmp_path / "talk.json")
    assert (times["measure"], times["rows"], times["recall"]) == ("times", 2, 1)
    assert (answers["measure"], answers["rows"], answers["values_right"]) == ("answers", 1, 1)


def test_the_table_breaks_figures_down_by_kind_and_rule(tmp_path: Path) -> None:
    out = StringIO()
    call_command("evaluate", str(write(tmp_path / "m.jsonl", [MINUTES])), "--all", stdout=out)
    assert "kind decision" in out.getvalue() and "rule line.label" in out.getvalue()


def test_the_table_names_owners_and_links(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [MINUTES])
    write(tmp_path / "b.jsonl", [RECORD])
    out = StringIO()
    call_command("evaluate", str(tmp_path), stdout=out)
    assert "1/1" in out.getvalue() and "1 right of 1 named, 1 known" in out.getvalue()


def test_unknown_rows_and_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownForm, match="bad.jsonl:1"):
        list(read_gold(write(tmp_path / "bad.jsonl", [{"id": 1}])))
    with pytest.raises(CommandError, match=r"bad\.jsonl:1"):
        call_command("evaluate", str(tmp_path / "bad.jsonl"))
    with pytest.raises(CommandError, match="nowhere"):
        call_command("evaluate", str(tmp_path / "nowhere.jsonl"))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"a": 1, "b": 2}, "an object with a, b, which is no gold"),
        ([{"words": "x"}, {}], "a list of 2, the first an object with words, which is no gold"),
        ("x", "a text, which is no gold"),
        ([{"conversation": {}, "qa": [], "sample_id": "1"}], "questions and where their answers stand"),
        ([{"ts": "1", "text": "hi"}], "messages without gold, .* ingest"),
        ({"households": []}, "the people of households, .*: name chats.jsonl"),
    ],
)
def test_a_file_of_another_kind_is_told_for_what_it_is(tmp_path: Path, data: object, told: str) -> None:
    (tmp_path / "chats.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "odd.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(CommandError, match=rf"odd\.json:1: .*{told}") as caught:
        call_command("evaluate", str(tmp_path / "odd.json"))
    assert "dialogues     JSON: a list of objects with dialogue_id and turns" in str(caught.value)
