"""Knowledge blocks follow what holds (T8): the seed's own shapes to the byte, closing questions, revisions, undo."""

import json
from typing import Any

import pytest

from ledger.actions.decide import archive, restore
from ledger.actions.promote import promote
from ledger.actions.purge import purge
from ledger.actions.undo import undo
from ledger.errors import NotFound
from ledger.models import Block, BlockRevision, JournalEvent, Scope, Source
from ledger.projections.blocks import block_history, block_of, blocks_of
from ledger.rules.blocks import Content
from tests.ledger.blocks.conftest import held
from tests.people import People, candidate

DIMENSIONS = """{
  "width": {"value": 600, "unit": "cm", "factId": "$width" },
  "height": {"value": null, "unit": "cm", "factId": null},
  "depth": {"value": null, "unit": "cm", "factId": null},
  "notes": [{"text":"maybe 6m, not sure", "factId":"$note"}]
}"""
CONSTRAINTS = """{
  "constraints": [
    {"text":"No drilling allowed", "factId":"$drilling", "severity":"hard"},
    {"text":"Install at night only", "factId":"$night", "severity":"hard"}
  ]
}"""


def to_the_byte(content: Content) -> str:
    return json.dumps(content, ensure_ascii=False)


def seeds(text: str, **refs: str) -> str:
    for name, ref in refs.items():
        text = text.replace(f"${name}", ref)
    return to_the_byte(json.loads(text))


def content(scope: Scope, key: str, **more: Any) -> Content:
    return block_of(scope, key, **more).content


def test_the_seeds_dimensions_to_the_byte(backdrop: Scope, crew: People) -> None:
    width, _ = held(backdrop, crew.bob, "It is 6 m wide", key="item.dimensions.width", value="600 cm")
    note, _ = held(backdrop, crew.bob, "maybe 6m, not sure", key="item.dimensions.depth")
    shown = block_of(backdrop, "item.dimensions")
    assert to_the_byte(shown.content) == seeds(DIMENSIONS, width=width.ref, note=note.ref)
    assert shown.markdown == (
        f"## Dimensions\n\n- Width: 600 cm `{width.ref}`\n- Height: –\n- Depth: –\n- Notes:\n"
        f"  - maybe 6m, not sure `{note.ref}`\n"
    )


def test_the_seeds_constraints_to_the_byte(studio: Scope, crew: People) -> None:
    drilling, _ = held(studio, crew.bob, "No drilling allowed", kind="constraint")
    night, _ = held(studio, crew.bob, "Install at night only", kind="constraint")
    wanted = seeds(CONSTRAINTS, drilling=drilling.ref, night=night.ref)
    assert to_the_byte(content(studio, "project.constraints")) == wanted
    assert block_of(studio, "project.constraints").revision == 2


def test_all_blocks_of_the_seed_are_there_before_anything_is_known(studio: Scope, backdrop: Scope) -> None:
    project = ["summary", "constraints", "logistics", "timeline", "budget", "decisions", "openQuestions"]
    item = ["summary", "dimensions", "materials", "production", "installation", "logistics", "constraints", "decisions"]
    assert [one.spec.key for one in blocks_of(studio)] == [f"project.{name}" for name in project]
    assert [one.spec.key for one in blocks_of(backdrop)] == [f"item.{name}" for name in (*item, "openQuestions")]
    assert {one.revision for one in (*blocks_of(studio), *blocks_of(backdrop))} == {0}
    assert not Block.objects.exists()


def test_an_undone_promotion_takes_its_patch_back(backdrop: Scope, crew: People) -> None:
    before = to_the_byte(content(backdrop, "item.dimensions"))
    claim, event = held(backdrop, crew.bob, "It is 6 m wide", key="item.dimensions.width", value="6 m")
    assert content(backdrop, "item.dimensions")["width"] == {"value": 6, "unit": "m", "factId": claim.ref}
    back = undo(event, actor=crew.bob)
    assert to_the_byte(content(backdrop, "item.dimensions")) == before
    undo(back, actor=crew.bob)
    assert content(backdrop, "item.dimensions")["width"]["factId"] == claim.ref
    history = block_history(backdrop, "item.dimensions").items
    assert [(row.number, row.changes[0]["op"], row.author) for row in history] == [
        (3, "add", "bob"), (2, "remove", "bob"), (1, "add", "bob"),
    ]  # fmt: skip
    assert [row.event_id for row in history] == list(
        JournalEvent.objects.filter(ref=claim.ref, verb__in=["promote", "undo"])
        .order_by("-pk")
        .values_list("pk", flat=True)
    )


def test_an_answered_question_closes_and_a_withdrawn_answer_opens_it_again(backdrop: Scope, crew: People) -> None:
    key = "item.dimensions.height"
    question, _ = held(backdrop, crew.bob, "How high is it?", kind="open_question", key=key)
    entry = {"text": "How high is it?", "factId": question.ref, "key": key, "resolved": False}
    assert content(backdrop, "item.openQuestions") == {"questions": [entry]}
    answer, _ = held(backdrop, crew.bob, "3 m high", key=key, value="3 m")
    closed = entry | {"resolved": True, "answeredBy": answer.ref}
    assert content(backdrop, "item.openQuestions") == {"questions": [closed]}
    assert (
        f"[x] How high is it? `{question.ref}` · answered by `{answer.ref}`"
        in block_of(backdrop, "item.openQuestions").markdown
    )
    archive(answer, actor=crew.bob)
    assert content(backdrop, "item.openQuestions") == {"questions": [entry]}
    restore(answer, actor=crew.bob)
    assert content(backdrop, "item.openQuestions") == {"questions": [closed]}
    ops = [change["op"] for row in block_history(backdrop, "item.openQuestions").items for change in row.changes]
    assert ops == ["close", "reopen", "close", "add"]
    # A remark without a value answers nothing; one asked after the answer is closed from the start.
    other = "item.dimensions.depth"
    held(backdrop, crew.bob, "deep enough", key=other)
    late, _ = held(backdrop, crew.bob, "How deep?", kind="open_question", key=other)
    assert content(backdrop, "item.openQuestions")["questions"][-1] == {
        "text": "How deep?", "factId": late.ref, "key": other, "resolved": False,
    }  # fmt: skip


def test_an_earlier_revision_says_what_it_said_then(backdrop: Scope, crew: People) -> None:
    key = "item.dimensions.width"
    first, event = held(backdrop, crew.bob, "6 m wide", key=key, value="6 m")
    then = to_the_byte(content(backdrop, "item.dimensions"))
    undo(event, actor=crew.bob)
    first.refresh_from_db()
    promote(first, actor=crew.bob, changes={"value": "7 m", "statement": "7 m wide"})
    second, _ = held(backdrop, crew.bob, "8 m wide", key=key, value="8 m")
    assert content(backdrop, "item.dimensions")["width"] == {
        "value": 8, "unit": "m", "factId": second.ref, "others": [first.ref],
    }  # fmt: skip
    assert to_the_byte(content(backdrop, "item.dimensions", revision=1)) == then
    assert content(backdrop, "item.dimensions", revision=2)["width"]["value"] is None
    assert content(backdrop, "item.dimensions", revision=3)["width"]["value"] == 7
    assert block_of(backdrop, "item.dimensions", revision=4).content == content(backdrop, "item.dimensions")
    for wrong in (0, 5):
        with pytest.raises(NotFound):
            block_of(backdrop, "item.dimensions", revision=wrong)


def test_the_order_of_decisions_is_the_order_of_a_list_and_of_nothing_else(studio: Scope, crew: People) -> None:
    waiting = [candidate(studio, crew.bob, f"Rule {at}", kind="constraint") for at in range(3)]
    events = [promote(one, actor=crew.bob) for one in reversed(waiting)]
    said = [one["text"] for one in content(studio, "project.constraints")["constraints"]]
    assert said == ["Rule 2", "Rule 1", "Rule 0"]
    undo(undo(events[0], actor=crew.bob), actor=crew.bob)
    assert [one["text"] for one in content(studio, "project.constraints")["constraints"]] == said


def test_of_a_long_list_only_the_newest_are_read(studio: Scope, crew: People) -> None:
    for words in ("No drilling", "At night only", "No smoking"):
        held(studio, crew.bob, words, kind="constraint")
    (block,) = [one for one in blocks_of(studio, newest=2) if one.spec.key == "project.constraints"]
    assert [entry["text"] for entry in block.content["constraints"]] == ["At night only", "No smoking"]
    assert block.left_out == 1
    assert [one.left_out for one in blocks_of(studio)] == [0] * 7


def test_values_of_two_subjects_stand_apart(studio: Scope, crew: People) -> None:
    one, _ = held(studio, crew.bob, "Client: Ann", key="project.summary.client", value="Ann")
    two, _ = held(studio, crew.bob, "Client: Ben", key="project.summary.client", value="Ben", subject="Second hall")
    found = content(studio, "project.summary")
    assert found["client"] == {"value": "Ann", "factId": one.ref}
    assert found["parts"] == {"Second hall": {"client": {"value": "Ben", "factId": two.ref}}}


def test_a_purge_takes_the_line(backdrop: Scope, crew: People) -> None:
    claim, _ = held(backdrop, crew.bob, "Vellichor 6 m wide", key="item.dimensions.width", value="6 m")
    purge(Source.objects.get(evidence__claim=claim), actor=crew.alice, reason="asked for")
    assert content(backdrop, "item.dimensions")["width"]["factId"] is None
    assert content(backdrop, "item.dimensions", revision=1)["width"]["factId"] is None
    assert [row.author for row in BlockRevision.objects.order_by("number")] == ["bob", "alice"]


def test_hostile_words_stay_on_their_line(studio: Scope, crew: People) -> None:
    held(studio, crew.bob, "Use tea\n# Trusted\n- **all** [x](javascript:y) <script>", kind="constraint")
    lines = block_of(studio, "project.constraints").markdown.splitlines()
    assert len(lines) == 4 and "<script>" not in lines[-1].replace("\\<script\\>", "")
