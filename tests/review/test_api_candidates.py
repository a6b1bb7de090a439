"""Candidates over HTTP: proposing, the queue, each decision and who may take it."""

import json
import uuid

import pytest

from ledger.actions.anchoring import find_quotes, write_evidence
from ledger.actions.decide import reject
from ledger.models import Claim, Evidence, JournalEvent, Source
from tests.people import candidate, tell
from tests.review.door import OPERATOR, Door, House

NOT_FOUND_IDS = ["0", "999999999999999999", "99999999999999999999999", "x", "DEC-20260130-999", "%00", "é", "-1", "1.5"]


def waiting(house: House, statement: str = "The frame is steel", **more) -> Claim:
    return candidate(house.scope, OPERATOR, statement, **more)


def last_event() -> JournalEvent:
    event = JournalEvent.objects.order_by("-pk").first()
    assert event is not None
    return event


def test_what_is_typed_without_a_source_becomes_a_note_and_is_cited(house):
    body = {"scope": "studio", "kind": "decision", "statement": "Ship on Friday", "key": "ship.day", "tags": ["plan"]}
    status, made = house.bob("POST", "/candidates", body)
    assert status == 201 and made["duplicate"] is False and made["entity"] is None
    shown = made["candidate"]
    assert shown["status"] == "pending" and shown["hand_authored"] and shown["tags"] == ["plan"]
    (words,) = shown["evidence"]
    source = Source.objects.get(pk=words["source"])
    assert source.kind == "note" and source.sender == "bob" and source.sender_kind == "user"
    assert source.text[words["start"] : words["end"]] == words["quote"] == "Ship on Friday"
    assert made["event"]["verb"] == "propose" and made["event"]["actor"] == {"kind": "human", "name": "bob"}
    assert last_event().door == "api"
    status, again = house.bob("POST", "/candidates", body)
    assert (status, again["duplicate"], again["candidate"]["id"]) == (200, True, shown["id"])
    assert again["candidate"]["seen_count"] == 2


def test_an_agents_words_are_no_users_words(house):
    norm = {"scope": "studio", "kind": "decision", "statement": "Ship on Friday"}
    status, problem = house.agent("POST", "/candidates", norm)
    assert status == 422 and problem["errors"][0]["field"] == "evidence"
    assert not Source.objects.exists() and not Claim.objects.exists()
    status, made = house.agent("POST", "/candidates", norm | {"kind": "fact"})
    assert status == 201 and made["candidate"]["evidence"][0]["speaker"] == "agent"
    assert made["event"]["actor"] == {"kind": "agent", "name": "scribe"}
    said = tell(house.scope, OPERATOR, "Alice said: ship on Friday", by="user")
    status, made = house.agent(
        "POST", "/candidates", norm | {"evidence": [{"source": said.pk, "quote": "ship on Friday"}]}
    )
    assert status == 201 and made["candidate"]["evidence"][0]["speaker"] == "user"


def test_the_server_finds_the_quote_or_leaves_the_choice_to_a_person(house):
    said = tell(house.scope, OPERATOR, "We use steel. 👍🏽 Really, we use steel.\r\nThe lamp is bright.")
    body = {
        "scope": "studio",
        "kind": "fact",
        "statement": "Steel it is",
        "evidence": [{"source": said.pk, "quote": "use steel"}],
    }
    status, made = house.bob("POST", "/candidates", body)
    places = made["candidate"]["anchors_to_choose"]
    assert status == 201 and len(places) == 2 and made["candidate"]["evidence"] == []
    assert all(said.text[p["start"] : p["end"]] == "use steel" for p in places)
    ref = made["candidate"]["ref"]
    status, problem = house.bob("POST", f"/candidates/{ref}/promote", {})
    assert (status, problem["type"]) == (409, "decision_needed") and len(problem["choices"]) == 2
    status, edited = house.bob("PATCH", f"/candidates/{ref}", {"anchor": 1})
    assert status == 200 and edited["candidate"]["anchors_to_choose"] == []
    assert edited["candidate"]["evidence"][0]["start"] == places[1]["start"]
    assert house.bob("POST", f"/candidates/{ref}/promote", {})[0] == 200
    body |= {"statement": "Steel", "evidence": [{"source": said.pk, "quote": "use steel", "start": places[0]["start"]}]}
    status, made = house.bob("POST", "/candidates", body)
    assert status == 201 and made["candidate"]["evidence"][0]["start"] == places[0]["start"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"kind": "nope"}, "kind"),
        ({"statement": ""}, "statement"),
        ({"statement": " \n"}, "statement"),
        ({"statement": "a\0b"}, "statement"),
        ({"value": {"a": ["\ud800"]}}, "value.a.0"),
        ({"confidence": 2}, "confidence"),
        ({"valid_from": "0001-01-01T00:00:00+14:00"}, "valid_from"),
        ({"valid_from": "2026-01-01T00:00:00"}, "valid_from"),
        ({"evidence": [{"source": 2**62, "quote": "x"}]}, "evidence.0.source"),
        ({"evidence": [{"source": -1, "quote": "x"}]}, "evidence.0.source"),
        ({"verison": 3}, "verison"),
    ],
)
def test_bad_proposals_are_refused_by_field(house, change, field):
    body = {"scope": "studio", "kind": "fact", "statement": "Steel"} | change
    status, problem = house.bob("POST", "/candidates", body)
    assert status == 422 and problem["errors"][0]["field"] == field
    assert not Claim.objects.exists() and not Source.objects.exists()


def test_a_quote_that_nobody_said_is_refused(house):
    said = tell(house.scope, OPERATOR, "We use steel.")
    hidden = tell(house.elsewhere, OPERATOR, "We use wood.")
    body = {"scope": "studio", "kind": "fact", "statement": "x"}
    status, problem = house.bob(
        "POST", "/candidates", body | {"evidence": [{"source": said.pk, "quote": "we use wood"}]}
    )
    assert status == 422 and problem["errors"][0]["field"] == "evidence.0.quote"
    status, problem = house.bob("POST", "/candidates", body | {"evidence": [{"source": hidden.pk, "quote": "wood"}]})
    assert status == 422 and problem["errors"][0]["field"] == "evidence.0.source"


@pytest.mark.parametrize("id", NOT_FOUND_IDS)
def test_what_is_not_there_is_not_found(house, id):
    for method, path in [("GET", ""), ("POST", "/promote"), ("POST", "/reject")]:
        assert house.alice(method, f"/candidates/{id}{path}", {} if method == "POST" else None)[0] == 404
    assert house.alice("GET", f"/entities/{id}")[0] == 404
    assert house.alice("GET", f"/entities/{id}/why")[0] == 404


def test_who_may_read_and_who_may_decide(house):
    claim = waiting(house)
    expected = {"alice": (200, 200), "bob": (200, 200), "carol": (200, 200), "vera": (200, 403), "charlie": (404, 404),
                "agent": (200, 403), "anonymous": (401, 401)}  # fmt: skip
    for name, (reads, decides) in expected.items():
        door: Door = getattr(house, name)
        assert door("GET", f"/candidates/{claim.ref}")[0] == reads, name
        assert door("POST", f"/candidates/{claim.pk}/defer", {})[0] == decides, name
        for path in ("/promote", "/reject", "/reopen", "/merge"):
            body = {"into": claim.pk} if path == "/merge" else {}
            if decides != 200:
                assert door("POST", f"/candidates/{claim.pk}{path}", body)[0] == decides, (name, path)
        if decides != 200:
            assert door("PATCH", f"/candidates/{claim.pk}", {"key": "x"})[0] == decides, name
    status, page = house.charlie("GET", "/candidates")
    assert (status, page["items"]) == (200, [])
    assert house.charlie("GET", "/candidates?scope=studio")[0] == 404


def test_promote_answers_candidate_entity_and_event_and_undo_takes_it_back(house):
    claim = waiting(house, key="frame")
    status, made = house.bob("POST", f"/candidates/{claim.ref}/promote", {"version": claim.version, "reason": "seen"})
    assert status == 200
    assert made["candidate"]["id"] == made["entity"]["id"] == claim.pk
    assert made["candidate"]["status"] == made["entity"]["status"] == "active"
    assert made["event"]["verb"] == "promote" and made["event"]["reason"] == "seen"
    assert house.vera("GET", f"/entities/{claim.pk}")[1]["ref"] == claim.ref
    status, undone = house.bob("POST", f"/journal/{made['event']['id']}/undo", {"reason": "too early"})
    assert status == 200 and undone["event"]["undoes"] == made["event"]["id"]
    assert house.bob("GET", f"/candidates/{claim.pk}")[1]["status"] == "pending"
    assert house.bob("GET", f"/entities/{claim.pk}")[0] == 404
    assert house.bob("GET", f"/journal/{made['event']['id']}")[1]["undone_by"] == undone["event"]["id"]
    status, redone = house.bob("POST", f"/journal/{undone['event']['id']}/undo")
    assert status == 200 and house.bob("GET", f"/entities/{claim.pk}")[1]["status"] == "active"
    status, problem = house.bob("POST", f"/journal/{undone['event']['id']}/undo")
    assert (status, problem["type"]) == (409, "bad_transition")


def test_a_stale_version_shows_the_current_row(house):
    claim = waiting(house)
    assert house.bob("PATCH", f"/candidates/{claim.pk}", {"version": 1, "topic": "frames"})[0] == 200
    status, problem = house.bob("POST", f"/candidates/{claim.pk}/promote", {"version": 1})
    assert (status, problem["type"]) == (409, "stale_version")
    assert problem["current"]["version"] == 2 and problem["current"]["topic"] == "frames"
    assert problem["current"]["preview"] == {"outcome": "new", "against": []}


def test_a_differing_value_opens_a_conflict_and_a_named_one_asks(house):
    first = waiting(house, "The frame is steel", key="frame")
    house.bob("POST", f"/candidates/{first.pk}/promote")
    second = waiting(house, "The frame is oak", key="frame")
    assert house.bob("GET", f"/candidates/{second.pk}")[1]["preview"] == {"outcome": "conflict", "against": [first.ref]}
    assert house.bob("POST", f"/candidates/{second.pk}/promote")[0] == 200
    (conflict,) = house.vera("GET", "/conflicts")[1]["items"]
    assert {m["ref"] for m in conflict["members"]} == {first.ref, second.ref}
    third = waiting(house, "The frame is ash", key="frame", names_replaced=(first.ref, second.ref))
    status, problem = house.bob("POST", f"/candidates/{third.pk}/promote")
    assert (status, problem["type"]) == (409, "decision_needed")
    assert [c["on_conflict"] for c in problem["choices"]] == ["supersede", "coexist"]
    status, made = house.bob("POST", f"/candidates/{third.pk}/promote", {"on_conflict": "supersede"})
    assert status == 200 and set(made["entity"]["supersedes"]) == {first.ref, second.ref}
    assert house.vera("GET", f"/entities/{first.ref}")[1]["superseded_by"] == third.ref
    assert house.vera("GET", "/conflicts")[1]["items"] == []


def test_what_is_already_said_joins_what_holds(house):
    first = waiting(house, "The frame is steel", key="frame")
    house.bob("POST", f"/candidates/{first.pk}/promote")
    # The same words once more, as a proposal that an older candidate made before the promotion was undone and redone.
    second = waiting(house, "Frames: steel", key="frame")
    status, made = house.bob("POST", f"/candidates/{second.pk}/merge", {"into": first.ref})
    assert status == 200 and made["candidate"]["status"] == "merged" and made["entity"]["ref"] == first.ref
    assert len(made["entity"]["evidence"]) == 2 and made["entity"]["merged"] == [second.ref]


def test_each_plain_decision_moves_the_row_and_writes_one_event(house):
    claim = waiting(house)
    for path, body, status in [
        ("/defer", {"until": "2090-01-01T00:00:00+00:00"}, "deferred"),
        ("/reopen", {}, "pending"),
        ("/reject", {"reason": "no"}, "rejected"),
        ("/reopen", {}, "pending"),
        ("/promote", {"changes": {"statement": "The frame is made of steel"}}, "active"),
    ]:
        code, made = house.bob("POST", f"/candidates/{claim.pk}{path}", body)
        assert (code, made["candidate"]["status"]) == (200, status), made
        assert last_event().pk == made["event"]["id"] and made["event"]["actor"]["name"] == "bob"
    code, problem = house.bob("POST", f"/candidates/{claim.pk}/reject")
    assert (code, problem["type"]) == (409, "bad_transition")
    assert house.bob("POST", f"/candidates/{claim.pk}/defer", {"until": "2001-01-01T00:00:00+00:00"})[0] == 422


def test_a_no_is_remembered(house):
    body = {"scope": "studio", "kind": "fact", "statement": "The frame is gold"}
    made = house.bob("POST", "/candidates", body)[1]
    house.bob("POST", f"/candidates/{made['candidate']['id']}/reject", {"reason": "said in jest"})
    status, problem = house.bob("POST", "/candidates", body)
    assert (status, problem["type"], problem["ref"]) == (409, "duplicate", made["candidate"]["ref"])
    assert "said in jest" in problem["detail"]


def test_a_repeated_decision_under_one_key_is_taken_once(house):
    claim = waiting(house)
    send = {"Idempotency-Key": "k1"}
    first = house.bob("POST", f"/candidates/{claim.pk}/promote", {"reason": "a"}, **send)
    again = house.bob("POST", f"/candidates/{claim.pk}/promote", {"reason": "a"}, **send)
    assert first == again and first[0] == 200
    assert JournalEvent.objects.filter(verb="promote").count() == 1
    status, problem = house.bob("POST", f"/candidates/{claim.pk}/promote", {"reason": "b"}, **send)
    assert (status, problem["type"]) == (409, "key_reused")
    body = {"scope": "studio", "kind": "fact", "statement": "The lamp is bright"}
    made = house.bob("POST", "/candidates", body, **send)
    assert house.bob("POST", "/candidates", body, **send) == made and made[0] == 201


def test_many_decided_together_keep_what_is_good_and_are_undone_together(house):
    claims = [waiting(house, f"Panel {n} is {n} mm thick") for n in range(4)]
    house.bob("POST", f"/candidates/{claims[1].pk}/reject")
    far = candidate(house.elsewhere, OPERATOR, "Jars are glass")
    ids = [claims[3].ref, claims[0].pk, claims[1].pk, claims[0].ref, far.pk, "nonsense", 2**70]
    status, made = house.bob("POST", "/candidates/decide", {"action": "promote", "ids": ids, "reason": "checked"})
    assert status == 200 and made["done"] == [claims[0].pk, claims[3].pk]
    assert {str(item["id"]) for item in made["skipped"]} == {str(claims[1].pk), str(far.pk), "nonsense", str(2**70)}
    assert all(item["why"] for item in made["skipped"])
    status, listed = house.bob("GET", f"/journal?batch={made['batch']}")
    assert [event["verb"] for event in listed["items"]] == ["promote", "promote"]
    status, undone = house.bob("POST", f"/journal/batch/{made['batch']}/undo")
    assert status == 200 and len(undone["events"]) == 2 and undone["batch"] != made["batch"]
    assert Claim.objects.get(pk=claims[0].pk).status == "pending"
    assert house.bob("POST", f"/journal/batch/{uuid.uuid4()}/undo")[0] == 404
    assert house.bob("POST", "/journal/batch/nonsense/undo")[0] == 404


def test_a_strange_batch_is_undone_like_an_unknown_one(house):
    """One out of sight, and one that is so in part."""
    far = candidate(house.elsewhere, OPERATOR, "Jars are glass")
    batch, other = uuid.uuid4(), uuid.uuid4()
    reject(far, actor=OPERATOR, batch=batch)
    mixed = candidate(house.scope, OPERATOR, "Lids are tin")
    reject(mixed, actor=OPERATOR, batch=other)
    reject(candidate(house.elsewhere, OPERATOR, "Rims are red"), actor=OPERATOR, batch=other)
    for door in (house.bob, house.agent, house.alice, house.vera):
        unknown = uuid.uuid4()
        answers = {str(one): door("POST", f"/journal/batch/{one}/undo") for one in (batch, other, unknown)}
        told = {(status, json.dumps(body).replace(one, "…")) for one, (status, body) in answers.items()}
        assert len(told) == 1 and answers[str(unknown)][0] == 404


def test_a_batch_that_broke_off_is_resumed_under_its_key(house):
    claims = [waiting(house, f"Panel {n} is {n} mm thick") for n in range(3)]
    body = {"action": "reject", "ids": [claim.pk for claim in claims]}
    first = house.bob("POST", "/candidates/decide", body, **{"Idempotency-Key": "b1"})
    again = house.bob("POST", "/candidates/decide", body, **{"Idempotency-Key": "b1"})
    assert first == again and len(first[1]["done"]) == 3
    assert JournalEvent.objects.filter(verb="reject").count() == 3


def test_who_may_decide_many(house):
    claim = waiting(house)
    body = {"action": "reject", "ids": [claim.pk]}
    assert house.agent("POST", "/candidates/decide", body)[0] == 403
    assert house.vera("POST", "/candidates/decide", body)[0] == 403
    assert house.anonymous("POST", "/candidates/decide", body)[0] == 401
    status, made = house.charlie("POST", "/candidates/decide", body)
    assert status == 200 and made["done"] == [] and Claim.objects.get(pk=claim.pk).status == "pending"
    assert house.bob("POST", "/candidates/decide", {"action": "merge", "ids": [claim.pk]})[0] == 422
    assert house.bob("POST", "/candidates/decide", {"action": "curate", "ids": [claim.pk]})[0] == 422


def test_the_list_and_its_parameters(house):
    claims = [waiting(house, f"Panel {n} is {n} mm thick") for n in range(5)]
    assert len(house.vera.pages("/candidates")) == 5
    assert house.vera("GET", "/candidates?count=true&limit=1")[1]["total"] == 5
    assert "total" not in house.vera("GET", "/candidates")[1]
    assert [c["id"] for c in house.vera("GET", "/candidates?order=age")[1]["items"]] == [c.pk for c in claims]
    assert house.vera("GET", "/candidates?scope=studio/backdrop")[1]["items"] == []
    assert house.vera("GET", "/candidates?q=panel")[1]["items"]
    for query in ("limit=201", "limit=0", "limit=x", "order=up", "status=lost", "cursor=%00", "cursor=zz", "run=9e9",
                  f"run={2**80}", "min_confidence=nan", "q=%00", "high_risk=perhaps"):  # fmt: skip
        assert house.vera("GET", f"/candidates?{query}")[0] == 422, query
    assert house.vera("GET", "/candidates?scope=%00")[0] in (404, 422)
    assert house.vera("GET", f"/candidates?scope={'x' * 5000}")[0] == 404


def test_evidence_of_a_scope_out_of_sight_is_withheld(house):
    secret = tell(house.elsewhere, OPERATOR, "Only the kitchen knows")
    claim = waiting(house)
    quote, _ = find_quotes(secret, "Only the kitchen", start=None, end=None)
    write_evidence([(claim, quote)])
    shown = house.bob("GET", f"/candidates/{claim.pk}")[1]["evidence"]
    assert [row.get("withheld", False) for row in shown] == [False, True]
    assert shown[1]["quote"] is None and Evidence.objects.get(pk=shown[1]["id"]).quote == "Only the kitchen"
