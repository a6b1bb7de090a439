"""Policies over HTTP, on the page and at the command line."""

import json
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from ledger.actions.anchoring import write_evidence
from ledger.actions.decide import archive
from ledger.actions.policy import run_policies
from ledger.models import Claim, JournalEvent, Scope
from tests.people import candidate, quote_of, tell
from tests.review.door import OPERATOR, House

HEADING = {"rule": "heading.typed", "confidence": 0.8085}


def heading(house: House, statement: str, **more) -> Claim:
    return candidate(house.scope, OPERATOR, statement, **(HEADING | more))


def often(house: House, statement: str, times: int = 5) -> Claim:
    claim = candidate(house.child, OPERATOR, statement)
    for n in range(times - 1):
        write_evidence([(claim, quote_of(tell(house.child, OPERATOR, f"{statement}, they say ({n})")))])
    return claim


def test_turned_on_by_its_owner_and_nobody_else(house: House) -> None:
    status, found = house.vera("GET", "/scope/policies?scope=studio")
    assert status == 200 and found["four_eyes"] is None
    assert {one["name"]: one["on"] for one in found["policies"]} == dict.fromkeys(
        ("references", "confidence", "first_person", "auto_accept"), False
    )
    body = {
        "scope": "studio",
        "on": True,
        "settings": {"threshold": 0.75},
        "version": found["version"],
        "reason": "they are right",
    }
    for door, wanted in (
        (house.bob, 403),
        (house.carol, 403),
        (house.agent, 403),
        (house.charlie, 404),
        (house.anonymous, 401),
    ):
        assert door("PUT", "/scope/policies/confidence", body)[0] == wanted
    status, changed = house.alice("PUT", "/scope/policies/confidence", body)
    (one,) = [one for one in changed["policies"] if one["name"] == "confidence"]
    assert status == 200 and (one["on"], one["named_by"], one["own"]) == (True, "studio", {"threshold": 0.75})
    assert (
        one["settings"]["threshold"] == 0.75
        and one["settings"]["classes"] == ["heading"]
        and one["actor"] == "policy:confidence@1"
    )
    assert JournalEvent.objects.latest("pk").reason == "they are right"
    assert house.alice("PUT", "/scope/policies/confidence", body)[0] == 409
    (below,) = [
        one
        for one in house.vera("GET", "/scope/policies?scope=studio/backdrop")[1]["policies"]
        if one["name"] == "confidence"
    ]
    assert (below["on"], below["named_by"], below["own"]) == (True, "studio", None)
    assert house.alice("PUT", "/scope/policies/confidence", {"scope": "studio", "on": None})[0] == 200
    assert Scope.objects.get(path="studio").policies == {}


@pytest.mark.parametrize(
    ("name", "body", "status", "field"),
    [
        ("confidence", {"settings": {"threshold": 7}}, 422, "policies.confidence.threshold"),
        ("references", {"settings": {"weeks": 7}}, 422, "policies.references.weeks"),
        ("references", {"on": False, "settings": {"days": 7}}, 422, "settings"),
        ("four_eyes", {"settings": {"people": 3}}, 422, "policies.four_eyes.people"),
        ("autopilot", {}, 404, None),
        ("confidence", {"settings": {"kinds": ["nonsense"]}}, 422, "policies.confidence.kinds.0"),
    ],
)
def test_what_is_wrong_is_named(house: House, name: str, body: dict, status: int, field: str | None) -> None:
    got, problem = house.alice("PUT", f"/scope/policies/{name}", {"scope": "studio", "on": True} | body)
    assert got == status and (field is None or problem["errors"][0]["field"] == field), problem
    if name == "confidence":
        got, problem = house.alice("POST", "/scope/policies/simulate", {"scope": "studio", "name": name, **body})
        assert got == 422 and problem["errors"][0]["field"] == field
        got, problem = house.alice("PATCH", "/scope?scope=studio", {"policies": {name: body["settings"]}})
        assert got == 422 and problem["errors"][0]["field"] == field


def test_tried_out_before_it_is_on(house: House) -> None:
    claims = [heading(house, f"The plank {n} is dry") for n in range(4)]
    house.bob("POST", f"/candidates/{claims[0].pk}/promote")
    house.bob("POST", f"/candidates/{claims[1].pk}/reject")
    house.bob("POST", f"/candidates/{claims[2].pk}/promote", {"changes": {"statement": "The plank is very dry"}})
    before = JournalEvent.objects.count()
    status, trial = house.alice(
        "POST", "/scope/policies/simulate", {"scope": "studio", "name": "confidence", "days": 3}
    )
    assert status == 200 and trial["counts"] == {
        "promoted": 1,
        "edited": 1,
        "rejected": 1,
        "waiting": 1,
        "by_policy": 0,
        "contested": 0,
    }
    assert (
        trial["judged"] == 3 and trial["precision"] == pytest.approx(1 / 3) and 0 < trial["low"] < 1 / 3 < trial["high"]
    )
    assert [one["ref"] for one in trial["now"]] == [claims[3].ref] and len(trial["by_day"]) in (4, 5)
    body = {"scope": "studio", "name": "confidence", "settings": {"threshold": 0.9}}
    assert house.alice("POST", "/scope/policies/simulate", body)[1]["would"] == []
    for door, wanted in ((house.bob, 403), (house.agent, 403), (house.charlie, 404)):
        assert door("POST", "/scope/policies/simulate", body)[0] == wanted
    assert JournalEvent.objects.count() == before and Claim.objects.get(pk=claims[3].pk).status == "pending"
    for days in (0, 366, "many"):
        assert house.alice("POST", "/scope/policies/simulate", body | {"days": days})[0] == 422


def test_what_it_did_is_listed_and_undone(house: House) -> None:
    house.alice("PUT", "/scope/policies/confidence", {"scope": "studio", "on": True})
    claims = [heading(house, f"The plank {n} is dry") for n in range(3)]
    assert run_policies() == 3
    status, listed = house.vera("GET", "/journal?policy=confidence&scope=studio")
    assert status == 200 and [one["ref"] for one in listed["items"]] == [claim.ref for claim in claims]
    assert listed["items"][0]["actor"] == {"kind": "policy", "name": "policy:confidence@1"}
    assert house.vera("GET", "/journal?policy=con%25&scope=studio")[1]["items"] == []
    archive(Claim.objects.get(pk=claims[0].pk), actor=OPERATOR)
    assert house.vera("POST", "/scope/policies/confidence/undo", {"scope": "studio"})[0] == 403
    for _ in range(2):
        status, undone = house.bob(
            "POST",
            "/scope/policies/confidence/undo",
            {"scope": "studio", "reason": "too eager"},
            **{"Idempotency-Key": "u"},
        )
        assert status == 200 and [one["ref"] for one in undone["events"]] == [claims[2].ref, claims[1].ref]
        assert [one["ref"] for one in undone["left"]] == [claims[0].ref] and undone["batch"]
    assert run_policies() == 0


def test_what_it_proposes_is_read_by_those_who_may_promote_it(house: House) -> None:
    claim = often(house, "The lamp is warm")
    house.alice("PUT", "/scope/policies/references", {"scope": "studio", "on": True})
    status, one = house.bob("GET", "/scope/policies/references?scope=studio")
    assert status == 200 and [c["ref"] for c in one["proposed"]] == [claim.ref] and one["settings"]["act"] == "propose"
    assert house.bob("GET", "/scope/policies/nothing?scope=studio")[0] == 422


# The page


@pytest.fixture
def alice(house: House) -> Client:
    client = Client()
    client.force_login(User.objects.get(username="alice"))
    return client


def test_the_page_tries_turns_on_and_off(house: House, alice: Client) -> None:
    heading(house, "The plank is <b>dry</b>")
    page = alice.get("/policies/studio").content.decode()
    assert (
        page.count('data-policy="') == 5
        and 'data-action="policy-on"' in page
        and 'href="/policies/studio"' in alice.get("/scopes/studio").content.decode()
    )
    form = {
        "policy": "confidence",
        "act": "promote",
        "threshold": "0.8",
        "classes": ["heading"],
        "speakers": ["user", "document"],
        "kinds": "",
        "never": "decision",
        "days_back": "30",
        "reason": "",
    }
    tried = alice.post("/policies/studio", form | {"action": "try"}).content.decode()
    assert 'data-trial="confidence"' in tried and "The plank is &lt;b&gt;dry&lt;/b&gt;" in tried and "<svg" in tried
    assert Scope.objects.get(path="studio").policies == {}
    version = Scope.objects.get(path="studio").version
    assert alice.post("/policies/studio", form | {"action": "on", "version": version}).status_code == 302
    # Only what differs from the usual is kept.
    assert Scope.objects.get(path="studio").policies == {"confidence": {"never": ["decision"]}}
    assert run_policies() == 1
    page = alice.get("/policies/studio").content.decode()
    assert 'data-action="policy-off"' in page and "policy:confidence@1" in page and 'data-action="undo-policy"' in page
    assert alice.get("/journal?policy=confidence&scope=studio").content.decode().count("<strong>promote</strong>") == 1
    assert alice.post("/policies/studio", {"policy": "confidence", "action": "undo", "since": "day"}).status_code == 302
    assert Claim.objects.get().status == "pending"
    assert alice.post("/policies/studio", {"policy": "confidence", "action": "off"}).status_code == 302
    assert Scope.objects.get(path="studio").policies == {"confidence": False}
    assert alice.post("/policies/studio", {"policy": "confidence", "action": "inherit"}).status_code == 302
    assert alice.post("/policies/studio", {"policy": "four_eyes", "action": "on"}).status_code == 302
    assert Scope.objects.get(path="studio").policies == {"four_eyes": {}}
    assert "asked for by studio" in alice.get("/policies/studio/backdrop").content.decode()


def test_the_page_keeps_what_was_typed_and_says_what_is_wrong(house: House, alice: Client) -> None:
    form = {
        "policy": "references",
        "act": "propose",
        "times": "many",
        "days": "9",
        "speakers": ["user"],
        "days_back": "12",
    }
    for action in ("try", "on"):
        answer = alice.post("/policies/studio", form | {"action": action})
        page = answer.content.decode()
        assert (
            answer.status_code == 422 and "times is a number" in page and 'value="many"' in page and 'value="9"' in page
        )
    for wrong in ({"days": "900"}, {"days_back": "900"}, {"kinds": "nonsense"}, {"act": "go"}):
        assert alice.post("/policies/studio", form | {"times": "5", "action": "try"} | wrong).status_code == 422
    assert alice.post("/policies/studio", {"policy": "\x00", "action": "try"}).status_code == 302
    assert alice.post("/policies/studio", {"policy": "references", "action": "\x00"}).status_code == 302


def test_a_reviewer_promotes_what_is_proposed(house: House) -> None:
    claim = often(house, "The lamp is warm")
    house.alice("PUT", "/scope/policies/references", {"scope": "studio", "on": True})
    bob = house.session("bob").client
    bob.handler.enforce_csrf_checks = False
    page = bob.get("/policies/studio").content.decode()
    assert claim.ref in page and 'data-action="promote-proposed"' in page and 'data-action="policy-on"' not in page
    assert (
        bob.post(
            "/policies/studio", {"policy": "references", "action": "promote", "refs": [claim.ref, "x"]}
        ).status_code
        == 302
    )
    assert Claim.objects.get(pk=claim.pk).status == "active"
    assert JournalEvent.objects.latest("pk").actor_kind == "human"
    assert bob.post("/policies/studio", {"policy": "references", "action": "try"}).status_code == 403


# The command line


def run(*words: str) -> str:
    out = StringIO()
    call_command("policy", *words, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_command(house: House) -> None:
    claim = heading(house, "The plank is dry")
    trial = json.loads(run("simulate", "confidence", "--scope", "studio", "--json"))
    assert trial["now"] == [claim.ref] and trial["judged"] == 0 and trial["precision"] is None
    assert "would have promoted 1" in run("simulate", "confidence", "--scope", "studio", "--days", "2")
    assert (
        json.loads(
            run(
                "simulate", "confidence", "--scope", "studio", "--json", "--set", "threshold=0.9", "--set", "kinds=fact"
            )
        )["now"]
        == []
    )
    house.alice("PUT", "/scope/policies/confidence", {"scope": "studio", "on": True})
    assert run_policies() == 1
    (line,) = run("list", "--scope", "studio", "--json").splitlines()
    assert json.loads(line)["ref"] == claim.ref and claim.ref in run("list", "--name", "confidence")
    assert run("undo", "confidence", "--scope", "studio", "--since", "2126-01-01").startswith("0 decisions taken back")
    assert run("undo", "confidence", "--scope", "studio").startswith("1 decisions taken back, batch ")
    assert "undone" in run("list")
    for wrong in (
        ["simulate", "confidence", "--scope", "nowhere"],
        ["simulate", "confidence", "--scope", "studio", "--days", "0"],
        ["simulate", "confidence", "--scope", "studio", "--set", "threshold"],
        ["simulate", "confidence", "--scope", "studio", "--set", "x=1"],
        ["undo", "confidence", "--scope", "studio", "--since", "yesterday"],
    ):
        with pytest.raises(CommandError):
            run(*wrong)
