"""Checking before acting, and reporting what was shown and what came of it (D12, C3, C4, C10)."""

from urllib.parse import quote

import pytest

from ledger.actions.curate import curate
from ledger.models import Exposure, Outcome
from tests.people import tell
from tests.review.door import House
from tests.review.recalling import ALICE, HAND, check, hold, refs


def test_check_tells_a_contradiction_from_a_paraphrase_and_names_the_row(house: House):
    norm = hold(house.scope, "Never ship on Friday", kind="constraint")
    fact = hold(house.scope, "The frame weighs 4.8 kg", key="frame.weight", value={"number": 4.8, "unit": "kg"})
    body = check(house.agent, "We will ship on Friday. The frame weighs 5.2 kg.")
    assert {row["ref"] for row in body["contradicts"]} == {norm.ref, fact.ref}
    assert all(row["why"] and row["statement"] and row["sentence"] for row in body["contradicts"])
    assert refs(body["constraints"]) == [norm.ref]
    body = check(house.agent, "We don't ship on Fridays, and the frame weighs 4800 g.")
    assert body["contradicts"] == [] and refs(body["constraints"]) == [norm.ref]
    assert Exposure.objects.filter(channel="check").count() == 2


def test_check_compares_with_trusted_values_by_key(house: House):
    curate(house.scope, "max-weight", actor=HAND, value={"number": 4.8, "unit": "kg"})
    body = check(house.child and house.agent, "max weight = 6 kg", scope="studio/backdrop")
    (row,) = body["contradicts"]
    assert row["layer"] == "trusted" and "6 kg" in row["why"] and "4.8 kg" in row["why"]


def test_check_lists_what_failed_before(house: House):
    failed = hold(house.scope, "Hot glue failed on the aluminium frame", kind="negative_result")
    body = check(house.agent, "I will put hot glue on the aluminium frame")
    assert refs(body["negative_results"]) == [failed.ref] and body["contradicts"] == []


def test_check_means_the_nearest_row_of_a_slot(house: House):
    hold(house.scope, "The door is 90 cm wide", key="door.width")
    near = hold(house.child, "The door is 80 cm wide", key="door.width")
    assert check(house.agent, "The door is 80 cm wide", scope="studio/backdrop")["contradicts"] == []
    (row,) = check(house.agent, "The door is 90 cm wide", scope="studio/backdrop")["contradicts"]
    assert row["ref"] == near.ref


def test_check_reads_at_most_twenty_thousand_characters(house: House):
    check(house.agent, "All is well. " * 1500)
    status, body = house.agent("POST", "/check", {"scope": "studio", "text": "x" * 20_001})
    assert status == 422 and body["errors"][0]["field"] == "text"


# Exposures and outcomes


def test_exposures_and_outcomes_are_noted_once(house: House):
    claim = hold(house.scope, "Wood is dry")
    body = {"scope": "studio", "conversation": "c1", "refs": [claim.ref], "channel": "explicit_read"}
    first = house.agent("POST", "/exposures", body, **{"Idempotency-Key": "k1"})
    assert first[0] == 201 and first == house.agent("POST", "/exposures", body, **{"Idempotency-Key": "k1"})
    assert Exposure.objects.get().shown_to == "scribe"
    source = tell(house.scope, ALICE, "The test passed", by="tool")
    said = {"scope": "studio", "conversation": "c1", "type": "tool_success"}
    status, body = house.agent("POST", "/outcomes", said | {"evidence": {"source": source.pk, "quote": "test passed"}})
    assert status == 201 and body["evidence"] == {"source": source.pk, "start": 4, "end": 15}
    assert house.agent("POST", "/outcomes", said)[0] == 201
    assert Outcome.objects.count() == 2


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/exposures", {"refs": ["DEC-20200101-001"]}, "refs.0"),
        ("/exposures", {"refs": []}, "refs"),
        ("/exposures", {"refs": ["source:1"], "channel": "telepathy"}, "channel"),
        ("/outcomes", {"conversation": "c", "type": "nope"}, "type"),
        ("/outcomes", {"conversation": "", "type": "tool_success"}, "conversation"),
        ("/context", {"budget_tokens": -1}, "budget_tokens"),
        ("/context", {"budget_tokens": 10**30}, "budget_tokens"),
        ("/context", {"as_of": "yesterday"}, "as_of"),
        ("/context", {"query": 3}, "query"),
        ("/check", {}, "text"),
    ],
)
def test_wrong_input_names_its_field(house: House, path, body, field):
    status, problem = house.agent("POST", path, {"scope": "studio", **body})
    assert status == 422, problem
    assert field in problem["errors"][0]["field"]


def test_an_outcome_cannot_cite_what_is_out_of_sight(house: House):
    source = tell(house.elsewhere, ALICE, "Salt is white")
    said = {"scope": "studio", "conversation": "c", "type": "tool_failure"}
    assert house.agent("POST", "/outcomes", said | {"evidence": {"source": source.pk, "start": 0, "end": 4}})[0] == 404
    claim = hold(house.elsewhere, "Salt is salty")
    assert house.agent("POST", "/exposures", {"scope": "studio", "refs": [claim.ref]})[0] == 422


READS = [
    ("GET", "/context?scope={}", None),
    ("POST", "/context", {"scope": "{}"}),
    ("GET", "/search?q=wood&scope={}", None),
    ("POST", "/check", {"scope": "{}", "text": "wood"}),
]
WRITES = [
    ("POST", "/exposures", {"scope": "{}", "refs": ["source:1"]}),
    ("POST", "/outcomes", {"scope": "{}", "conversation": "c", "type": "tool_success"}),
]


@pytest.mark.parametrize(("method", "path", "body"), READS + WRITES)
def test_who_may(house: House, method, path, body):
    def knock(name: str, scope: str) -> int:
        sent = {k: scope if v == "{}" else v for k, v in body.items()} if body else None
        return getattr(house, name)(method, path.format(quote(scope)), sent)[0]

    writes = path in ("/exposures", "/outcomes")
    fine = 201 if writes else 200
    assert knock("anonymous", "studio") == 401
    assert knock("charlie", "studio") == 404
    assert knock("vera", "studio") == (403 if writes else 200)
    for name in ("bob", "carol", "alice", "agent"):
        assert knock(name, "studio") == fine
        assert knock(name, "studio/backdrop") == fine
        assert knock(name, "kitchen") == 404
        assert knock(name, "nowhere") == 404
    assert knock("agent", "x" * 5000) in (404, 422)


def test_check_gives_a_verdict_and_tells_nothing_known_from_fine(house: House):
    port = hold(house.scope, "The API listens on port 8080")
    said = {
        "I will let the API listen on port 9090.": ("contradicts", "contradicts"),
        "The API listens on port 8080, so I use 8080.": ("allowed", "allowed_by"),
        "The port of the API is asked for by the tests.": ("touches", "touches"),
    }
    for text, (verdict, rows) in said.items():
        body = check(house.agent, text)
        assert body["verdict"] == verdict and refs(body[rows]) == [port.ref], text
    assert check(house.agent, "I will paint the shed green.")["verdict"] == "unknown"


def test_what_is_removed_is_not_allowed_by_what_is_used(house: House):
    hold(house.scope, "We use Postgres for storage", kind="decision")
    for text in (
        "I drop Postgres for storage.",
        "I remove Postgres from the storage.",
        "Should we use Postgres for storage?",
    ):
        assert check(house.agent, text)["verdict"] != "allowed", text


def test_check_is_noted_with_its_conversation(house: House):
    hold(house.scope, "Never ship on Friday", kind="constraint")
    house.agent("POST", "/check", {"scope": "studio", "text": "We ship on Friday.", "conversation": "c7"})
    assert Exposure.objects.get(channel="check").conversation == "c7"
