"""Trusted state, conflicts, the journal, scopes and people over HTTP."""

import datetime as dt
from urllib.parse import quote

from ledger.actions.promote import promote
from ledger.models import Claim, Conflict, Gate, JournalEvent, Member, Person, Run, RunHit, Scope, TrustedState
from tests.people import candidate, tell
from tests.review.door import OPERATOR, House

BODY = {"scope": "studio", "value": 40, "statement": "The frame weighs at most 40 kg", "reason": "agreed"}


def holding(house: House, statement: str, *, scope: Scope | None = None, **more) -> Claim:
    claim = candidate(scope or house.scope, OPERATOR, statement, **more)
    promote(claim, actor=OPERATOR)
    claim.refresh_from_db()
    return claim


def when(moment: dt.datetime) -> str:
    return quote(moment.isoformat())


def test_trusted_state_is_set_by_a_signed_in_curator_only(house):
    for name, code in [("alice", 403), ("carol", 403), ("bob", 403), ("vera", 403), ("agent", 403), ("charlie", 404),
                       ("anonymous", 401)]:  # fmt: skip
        assert getattr(house, name)("PUT", "/state/frame.weight", BODY)[0] == code, name
        assert getattr(house, name)("DELETE", "/state/frame.weight?scope=studio")[0] == code, name
    assert house.session("bob")("PUT", "/state/frame.weight", BODY)[0] == 403
    assert house.session("charlie")("PUT", "/state/frame.weight", BODY)[0] == 404
    assert house.session("carol", csrf=False)("PUT", "/state/frame.weight", BODY)[0] == 403
    assert not TrustedState.objects.exists()
    claim = holding(house, "The frame weighs 38 kg", key="frame.weight")
    status, made = house.session("carol")("PUT", "/state/frame.weight", BODY | {"cites": [claim.ref]})
    assert status == 200 and made["item"]["by"] == "carol" and made["event"]["door"] == "screen"
    status, shown = house.vera("GET", "/state?scope=studio")
    assert [item["ref"] for item in shown["items"]] == [made["item"]["ref"]]
    assert shown["items"][0]["disputed"] is True
    status, chain = house.vera("GET", f"/why?ref={made['item']['ref']}")
    assert chain["verified"] is True
    assert [s["layer"] for s in chain["chain"]] == ["trusted", "entity", "candidate", "evidence", "source"]
    (conflict,) = house.vera("GET", "/conflicts?scope=studio")[1]["items"]
    assert {m["layer"] for m in conflict["members"]} == {"entity", "trusted"}
    status, problem = house.bob("POST", f"/conflicts/{conflict['id']}/resolve", {"winner": claim.ref})
    assert status == 422 and problem["errors"][0]["field"] == "winner"
    status, settled = house.bob("POST", f"/conflicts/{conflict['id']}/resolve", {"winner": made["item"]["ref"]})
    assert status == 200 and settled["conflict"]["status"] == "resolved"
    assert Claim.objects.get(pk=claim.pk).status == "superseded"


def test_trusted_state_is_replaced_retracted_and_inherited(house):
    carol = house.session("carol")
    first = carol("PUT", "/state/frame.weight", BODY)[1]["item"]
    assert carol("PUT", "/state/frame.weight", BODY | {"version": 0})[0] == 409
    made = carol("PUT", "/state/frame.weight", BODY | {"scope": "studio/backdrop", "value": 12})[1]
    below = made["item"]
    assert [i["value"] for i in house.vera("GET", "/state?scope=studio/backdrop")[1]["items"]] == [12]
    assert [i["value"] for i in house.vera("GET", "/state?scope=studio")[1]["items"]] == [40]
    assert carol("DELETE", "/state/frame.weight", {"scope": "studio/backdrop", "reason": "wrong"})[0] == 200
    assert [i["ref"] for i in house.vera("GET", "/state?scope=studio/backdrop")[1]["items"]] == [first["ref"]]
    between = dt.datetime.fromisoformat(made["event"]["at"])
    past = house.vera("GET", f"/state?scope=studio/backdrop&as_of={when(between)}")[1]
    assert [i["ref"] for i in past["items"]] == [below["ref"]]
    assert carol("DELETE", "/state/frame.weight?scope=studio/backdrop")[0] == 404
    for query, field in ((f"scope=studio&reason={'x' * 4001}", "reason"), (f"scope={'x' * 401}", "scope")):
        status, refused = carol("DELETE", f"/state/frame.weight?{query}")
        assert status == 422 and refused["errors"][0]["field"].endswith(field)
    assert carol("PUT", "/state/x", BODY | {"cites": ["FCT-20260101-001"]})[0] == 422
    assert carol("PUT", "/state/x", {"scope": "studio"})[0] == 422
    assert carol("PUT", "/state/a/b.c", BODY)[1]["item"]["key"] == "a/b.c"


def test_conflicts_are_settled_by_reviewers(house):
    first, second = holding(house, "Steel", key="frame"), holding(house, "Oak", key="frame")
    (conflict,) = house.vera("GET", "/conflicts")[1]["items"]
    path = f"/conflicts/{conflict['id']}"
    assert house.vera("GET", path)[1] == conflict and house.charlie("GET", path)[0] == 404
    assert all(member["evidence"] for member in conflict["members"])
    for name, code in [("vera", 403), ("agent", 403), ("charlie", 404), ("anonymous", 401)]:
        assert getattr(house, name)("POST", f"{path}/dismiss", {})[0] == code
        assert getattr(house, name)("POST", f"{path}/resolve", {"winner": first.ref})[0] == code
    status, made = house.bob("POST", f"{path}/dismiss", {"reason": "two frames"})
    assert status == 200 and made["conflict"]["status"] == "dismissed" and made["event"]["verb"] == "dismiss"
    assert house.bob("POST", f"/journal/{made['event']['id']}/undo")[0] == 200
    assert house.bob("POST", f"{path}/resolve", {"winner": "nobody"})[0] == 422
    status, made = house.bob("POST", f"{path}/resolve", {"winner": str(second.pk)})
    assert status == 200 and Claim.objects.get(pk=first.pk).successor_id == second.pk
    assert Conflict.objects.get().status == "resolved"
    assert house.vera("GET", "/conflicts")[1]["items"] == []
    for id in ("0", "x", str(2**70), "%00"):
        assert house.bob("POST", f"/conflicts/{id}/dismiss")[0] == 404


def test_the_journal_is_followed_by_its_seals(house):
    claim = holding(house, "Steel")
    events = [e for e in house.alice.pages("/journal?scope=studio") if e["verb"] != "token_create"]
    assert [event["verb"] for event in events] == ["ingest", "propose", "promote"]
    assert [e["number"] for e in events] == sorted(e["number"] for e in events)
    house.bob("POST", f"/entities/{claim.pk}/archive")
    (fresh,) = house.vera("GET", f"/journal?after={events[-1]['number']}&scope=studio")[1]["items"]
    assert fresh["verb"] == "archive"
    assert [e["verb"] for e in house.vera.pages(f"/journal?ref={claim.ref}")] == ["propose", "promote", "archive"]
    newest = house.vera("GET", "/journal?scope=studio&order=newest&limit=1")[1]["items"]
    assert newest[0]["verb"] == "archive"
    assert house.charlie("GET", "/journal")[1]["items"] == []
    assert house.charlie("GET", f"/journal/{fresh['id']}")[0] == 404
    assert house.charlie("POST", f"/journal/{fresh['id']}/undo")[0] == 404
    for name in ("vera", "agent"):
        assert getattr(house, name)("POST", f"/journal/{fresh['id']}/undo")[0] == 403
    for query in ("after=x", "after=-1", f"after={2**70}", "limit=500"):
        assert house.vera("GET", f"/journal?{query}")[0] == 422, query
    for query in ("batch=x", "scope=nowhere"):
        assert house.vera("GET", f"/journal?{query}")[0] == 404, query


def test_the_journal_verifies_itself(house):
    holding(house, "Steel")
    status, found = house.vera("GET", "/journal/verify")
    assert status == 200 and found["ok"] is True and found["events"] == JournalEvent.objects.count()
    assert found["sealed"] == found["events"] and len(found["root"]) == 64 and found["redacted"] == 0
    assert house.charlie("GET", "/journal/verify")[0] == 403


def test_why_not_tells_every_reason(house):
    rejected = candidate(house.scope, OPERATOR, "The velvet curtain is red")
    house.bob("POST", f"/candidates/{rejected.pk}/reject", {"reason": "it is blue"})
    candidate(house.scope, OPERATOR, "Velvet needs steam")
    holding(house, "Velvet is for the child only", scope=house.child)
    source = tell(house.scope, OPERATOR, "maybe velvet?")
    run = Run.objects.create(scope=house.scope, source=source, input_hash="x", extractor="rules", extractor_version="1")
    RunHit.objects.create(
        run=run, number=1, fate="dropped", why="a question", hit={"statement": "maybe velvet", "rule": "labels"}
    )
    answers = house.vera("GET", "/why-not?scope=studio&q=velvet")[1]["answers"]
    reasons = [answer["reason"] for answer in answers]
    assert "was rejected: it is blue" in reasons and "waits for a decision" in reasons
    assert f"dropped by rule labels in run {run.pk}: a question" in reasons
    assert "holds only below, in studio/backdrop" in reasons
    assert [a["event"]["verb"] for a in answers if a.get("ref") == rejected.ref] == ["reject"]
    assert house.vera("GET", "/why-not?scope=studio&q=zebra")[1]["answers"] == []
    assert house.vera("GET", "/why-not?scope=studio&q=")[0] == 422
    assert house.charlie("GET", "/why-not?scope=studio&q=velvet")[0] == 404
    assert not Gate.objects.exists()


def test_scope_state_on_two_clocks(house):
    old = holding(house, "The frame is steel", key="frame")
    before = dt.datetime.now(dt.UTC)
    made = house.bob("POST", f"/entities/{old.pk}/supersede", {"statement": "The frame is oak"})[1]
    oak = made["entity"]["superseded_by"]
    after = dt.datetime.now(dt.UTC)
    house.bob("POST", f"/entities/{oak}/withdraw")

    def state(query: str = "") -> list[str]:
        status, found = house.vera("GET", f"/scope/state?scope=studio{query}")
        assert status == 200 and found.keys() >= {"trusted", "decisions", "patterns", "blocks", "items", "events",
                                                  "open_questions", "conflicts", "last_extracted"}  # fmt: skip
        return [row["ref"] for row in found["decisions"]]

    assert state() == []
    assert state(f"&believed_at={when(before)}") == [old.ref]
    assert state(f"&believed_at={when(after)}") == [oak]
    assert state(f"&believed_at={when(after)}&as_of={when(before)}") == [old.ref]
    assert house.vera("GET", "/scope/state?scope=studio&as_of=yesterday")[0] == 422
    assert house.charlie("GET", "/scope/state?scope=studio")[0] == 404


def test_an_undone_promotion_was_believed_while_it_stood(house):
    claim = candidate(house.scope, OPERATOR, "The frame is steel")
    event = promote(claim, actor=OPERATOR)
    stood = dt.datetime.now(dt.UTC)
    house.bob("POST", f"/journal/{event.pk}/undo")
    now = house.vera("GET", "/scope/state?scope=studio")[1]["decisions"]
    then = house.vera("GET", f"/scope/state?scope=studio&believed_at={when(stood)}")[1]["decisions"]
    assert now == [] and [row["ref"] for row in then] == [claim.ref] and then[0]["status"] == "active"


def test_valid_time_bounds_what_holds(house):
    start, end = dt.datetime(2026, 1, 1, tzinfo=dt.UTC), dt.datetime(2026, 2, 1, tzinfo=dt.UTC)
    claim = holding(house, "The lift is closed in January", valid_from=start, valid_to=end)

    def at(moment: dt.datetime) -> list[str]:
        found = house.vera("GET", f"/scope/state?scope=studio&as_of={when(moment)}")[1]["decisions"]
        return [row["ref"] for row in found]

    assert at(start) == [claim.ref] and at(end) == [] and at(start - dt.timedelta(seconds=1)) == []


def test_scopes_are_made_by_owners_and_top_level_ones_by_staff(house):
    body = {"scope": "studio/lamp", "tier": "item", "name": "Lamp", "timezone": "Europe/Berlin"}
    for name, code in [
        ("bob", 403),
        ("carol", 403),
        ("vera", 403),
        ("agent", 403),
        ("charlie", 404),
        ("anonymous", 401),
    ]:
        assert getattr(house, name)("POST", "/scopes", body)[0] == code, name
    status, made = house.alice("POST", "/scopes", body)
    assert status == 201 and made["scope"] == "studio/lamp" and made["timezone"] == "Europe/Berlin"
    assert house.alice("POST", "/scopes", body)[0] == 409
    assert house.alice("POST", "/scopes", body | {"scope": "studio/no/where"})[0] == 404
    assert house.alice("POST", "/scopes", body | {"scope": "top"})[0] == 403
    for change, field in [({"tier": "nope"}, "tier"), ({"scope": "A B"}, "scope"), ({"packs": ["nope"]}, "packs.0"),
                          ({"timezone": "Mars"}, "timezone")]:  # fmt: skip
        status, problem = house.alice("POST", "/scopes", body | {"scope": "studio/x"} | change)
        assert status == 422 and problem["errors"][0]["field"] == field
    assert [s["scope"] for s in house.vera.pages("/scopes")] == ["studio", "studio/backdrop", "studio/lamp"]
    assert house.charlie("GET", "/scopes")[1]["items"] == []
    assert JournalEvent.objects.filter(verb="create_scope", actor_name="alice").count() == 1


def test_settings_members_and_people_are_the_owners(house):
    assert house.vera("GET", "/scope?scope=studio")[1]["rights"] == ["read"]
    assert "members" in house.alice("GET", "/scope?scope=studio")[1]
    status, changed = house.alice("PATCH", "/scope?scope=studio", {"stage": "build", "policies": {"references": {}}})
    assert status == 200 and changed["stage"] == "build" and changed["policies"] == {"references": {}}
    status, problem = house.alice("PATCH", "/scope?scope=studio", {"stage": "x", "version": 1})
    assert (status, problem["type"], problem["current"]["stage"]) == (409, "stale_version", "build")
    person = {"scope": "studio", "name": "Grandma Ann", "aliases": ["Ann"], "role": "guardian"}
    for name, code in [("bob", 403), ("vera", 403), ("agent", 403), ("charlie", 404), ("anonymous", 401)]:
        door = getattr(house, name)
        assert door("PATCH", "/scope?scope=studio", {"stage": "x"})[0] == code, name
        assert door("PUT", "/scope/members/charlie", {"scope": "studio", "role": "owner"})[0] == code, name
        assert door("POST", "/scope/people", person)[0] == code, name
    status, made = house.alice("POST", "/scope/people", person)
    assert status == 201 and house.vera("GET", "/scope/people?scope=studio")[1]["items"] == [made]
    assert Person.objects.get().aliases == ["Ann"]
    assert house.alice("POST", "/scope/people", person | {"telegram_id": 2**70})[0] == 422
    assert house.alice("PUT", "/scope/members/charlie", {"scope": "studio", "role": "viewer"})[0] == 200
    assert house.charlie("GET", "/scope?scope=studio")[0] == 200
    assert house.alice("PUT", "/scope/members/nobody", {"scope": "studio", "role": "viewer"})[0] == 404
    assert house.alice("PUT", "/scope/members/charlie", {"scope": "studio", "role": "king"})[0] == 422
    assert house.alice("DELETE", "/scope/members/charlie?scope=studio")[0] == 200
    assert not Member.objects.filter(user__username="charlie").exists()


def test_keys_in_force(house):
    Scope.objects.filter(path="studio").update(packs=["engineering"])
    status, found = house.vera("GET", "/scope/keys?scope=studio")
    assert status == 200 and found["closed"] is False
    (weight,) = [one for one in found["items"] if one["key"] == "max-weight"]
    assert weight["value_type"] == "dimension" and weight["unit"] == "kg" and weight["high_risk"] is True
    assert weight["stages"] == [] and weight["allowed"] is True and weight["pack"] == "engineering"


def test_keys_of_a_production_tell_what_asks_for_them(house):
    Scope.objects.filter(path="studio").update(packs=["production"], stage="ideation")
    status, found = house.agent("GET", "/scope/keys?scope=studio/backdrop")
    assert status == 200 and found["closed"] is True and found["stage"] == "ideation"
    assert found["stages"] == ["ideation", "planning", "solutioning"]
    keys = {one["key"]: one for one in found["items"]}
    width, load_in = keys["item.dimensions.width"], keys["project.timeline.load_in"]
    assert (width["unit"], width["block"], width["question"]) == ("cm", "item.dimensions", "How wide is it?")
    assert width["allowed"] and not load_in["allowed"] and load_in["high_risk"]
    assert "matt" in keys["item.materials.finish"]["values"]
    assert {block["key"] for block in found["blocks"]} >= {one["block"] for one in found["items"]}
