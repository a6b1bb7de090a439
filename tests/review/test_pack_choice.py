"""Which packs count in a scope: shown on its page and in the admin, chosen there by its owner, inherited below."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ledger.actions.scope import update_scope
from ledger.errors import Invalid
from ledger.models import JournalEvent, Pack, Scope
from ledger.reads.packs import packs_in_force, packs_of, stage_of
from tests.review.door import OPERATOR, House
from tests.review.screen import Screen


def choose(scope: Scope, *packs: str, **more: str) -> Scope:
    return update_scope(Scope.objects.get(pk=scope.pk), actor=OPERATOR, changes={"packs": list(packs), **more})


def newest(name: str) -> Pack:
    pack = Pack.objects.filter(name=name).order_by("-pk").first()
    assert pack is not None
    return pack


def test_children_inherit_and_add(house: House) -> None:
    choose(house.scope, "production", stage="planning")
    choose(house.child, "discussion", "production")
    told = [(one.name, one.named_by) for one in packs_in_force(house.child)]
    assert told == [("core", ""), ("production", "studio"), ("discussion", "studio/backdrop")]
    assert packs_in_force(house.child)[1].digest == newest("production").digest
    packs = packs_of(house.child)
    assert packs.names == ("core", "production", "discussion") and packs.keys_closed
    assert set(packs.extractors) >= {"rules", "discussion", "model"}
    assert [one.name for one in packs_in_force(house.elsewhere)] == ["core"]
    # So does the stage, until the item has one of its own.
    assert (stage_of(house.child), stage_of(house.elsewhere)) == ("planning", "")
    choose(house.child, stage="solutioning")
    assert (stage_of(Scope.objects.get(pk=house.child.pk)), stage_of(house.scope)) == ("solutioning", "planning")


def test_a_scope_is_in_one_of_the_stages_that_its_packs_name(house: House) -> None:
    with pytest.raises(Invalid) as refused:
        choose(house.scope, "production", stage="plannning")
    assert refused.value.field == "stage" and Scope.objects.get(pk=house.scope.pk).packs == []
    choose(house.scope, "production")
    status, problem = house.alice("PATCH", "/scope?scope=studio/backdrop", {"stage": "sleep"})
    assert status == 422 and problem["errors"][0]["field"] == "stage"
    status, problem = house.alice("POST", "/scopes", {"scope": "studio/bar", "tier": "item", "stage": "sleep"})
    assert status == 422 and not Scope.objects.filter(path="studio/bar").exists()
    assert house.alice("PATCH", "/scope?scope=kitchen", {"stage": "sleep"})[0] in (403, 404)


def test_the_page_of_a_scope_shows_what_is_in_force_and_where_it_comes_from(house: House) -> None:
    choose(house.scope, "production", stage="ideation")
    vera = Screen("vera")
    page = vera.open("/scopes/studio/backdrop?tab=settings")
    assert page.shows("data-pack", "core") and page.shows("data-pack", "production")
    text = " ".join(page.text.split())
    assert "every scope" in text and newest("production").digest[:12] in text
    assert "How wide is it?" in text and "item.dimensions.width" in text and "Only these may be proposed" in text
    assert "not now" in text and "high risk" in text
    # Who may not change it is offered nothing to change.
    assert not [form for form in page.forms if "packs" in form.fields or "timezone" in form.fields]


def test_an_owner_chooses_with_a_reason_and_the_order_stays(house: House) -> None:
    choose(house.scope, "production", "engineering")
    alice = Screen("alice")
    alice.open("/scopes/studio?tab=settings")
    alice.press("settings", packs=["agent", "engineering", "production"], reason="Agents work here now")
    assert Scope.objects.get(pk=house.scope.pk).packs == ["production", "engineering", "agent"]
    event = JournalEvent.objects.filter(verb="update_scope").latest("pk")
    assert event.reason == "Agents work here now" and event.door == "screen" and event.actor_name == "alice"
    # Only what was changed is in the journal.
    (change,) = event.changes.all()
    assert set(change.after or {}) - {"version"} == {"packs"}
    alice.open("/scopes/studio/backdrop?tab=settings")
    assert "in force from studio" in " ".join(alice.page.text.split())
    alice.press("settings", stage="planning")
    assert Scope.objects.get(pk=house.child.pk).stage == "planning"


def test_the_api_takes_a_reason_too(house: House) -> None:
    body = {"packs": ["household"], "reason": "We moved in"}
    assert house.bob("PATCH", "/scope?scope=studio", body)[0] == 403
    assert house.alice("PATCH", "/scope?scope=studio", body)[0] == 200
    assert JournalEvent.objects.filter(verb="update_scope").latest("pk").reason == "We moved in"
    status, problem = house.alice("PATCH", "/scope?scope=studio", {"packs": ["household", "nothing"]})
    assert status == 422 and problem["errors"][0]["field"] == "packs.1"


@pytest.fixture
def staff(house: House) -> Client:
    User.objects.filter(username="alice").update(is_staff=True)
    client = Client()
    client.force_login(User.objects.get(username="alice"))
    return client


def test_the_admin_shows_and_edits_a_choice(house: House, staff: Client) -> None:
    choose(house.scope, "production", "engineering")
    page = staff.get(reverse("admin:ledger_scope_change", args=[house.child.pk])).content.decode()
    assert 'data-pack="production"' in page and newest("production").digest[:12] in page
    url = reverse("admin:ledger_scope_settings", args=[house.scope.pk])
    form = staff.get(url).content.decode()
    assert newest("agent").digest[:12] in form and 'value="core"' not in form
    scope = Scope.objects.get(pk=house.scope.pk)
    data = {
        "version": scope.version, "name": scope.name, "timezone": scope.timezone, "stage": "", "policies": "{}",
        "packs": ["agent", "engineering", "production"], "reason": "An agent helps",
    }  # fmt: skip
    assert staff.post(url, data).status_code == 302
    assert Scope.objects.get(pk=scope.pk).packs == ["production", "engineering", "agent"]
    event = JournalEvent.objects.filter(verb="update_scope").latest("pk")
    assert (event.reason, event.door) == ("An agent helps", "admin")
    # Somebody who may not see the scope finds nothing.
    User.objects.filter(username="charlie").update(is_staff=True)
    outsider = Client()
    outsider.force_login(User.objects.get(username="charlie"))
    assert outsider.get(url).status_code == 404 and outsider.post(url, data).status_code == 404


@pytest.mark.parametrize("name", ["core", "engineering", "discussion", "production", "agent", "household"])
def test_the_admin_page_of_a_pack_reads_well(house: House, staff: Client, name: str) -> None:
    choose(house.scope, *([name] if name != "core" else []))
    pack = newest(name)
    page = staff.get(reverse("admin:ledger_pack_change", args=[pack.pk])).content.decode()
    for row in pack.content.get("keys", {}).get("list", []):
        assert row["key"] in page
    for kind in pack.content.get("kinds", []):
        assert kind["name"] in page and kind["prefix"] in page
    if name != "core":
        assert reverse("admin:ledger_scope_change", args=[house.scope.pk]) in page
