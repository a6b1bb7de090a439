"""In a real browser: no page of the admin breaks the content security policy, and one key decides there as on the desk."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page

from ledger.models import Claim, Conflict, JournalEvent, Scope
from tests.people import candidate
from tests.review.admin.conftest import signed_in
from tests.review.admin.pressing import active

pytestmark = pytest.mark.browser


@pytest.fixture
def alice(committed, browser, live_server) -> Iterator[tuple[Page, str, list[str]]]:
    """Her page, the server's address, and what the console complained of."""
    cookie = signed_in("alice").cookies[settings.SESSION_COOKIE_NAME].value
    context = browser.new_context()
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    page = context.new_page()
    refused: list[str] = []
    page.on("console", lambda said: refused.append(f"{said.text} {said.location}") if said.type == "error" else None)
    page.on("pageerror", lambda error: refused.append(str(error)))
    yield page, live_server.url, refused
    context.close()


def test_no_page_of_the_admin_is_stopped_by_the_policy(committed, alice):
    page, url, refused = alice
    claim = candidate(committed.scope, committed.bob, "the bell is bronze", key="bell")
    one, _ = active(committed, "the gong is brass", key="gong"), active(committed, "the gong is tin", key="gong")
    scope = Scope.objects.get(path="lab")
    for path in (
        reverse("admin:index"),
        reverse("admin:ledger_scope_change", args=[scope.pk]),
        reverse("admin:ledger_scope_settings", args=[scope.pk]),
        reverse("admin:ledger_trustedstate_add"),
        reverse("admin:ledger_claim_changelist"),
        reverse("admin:ledger_entity_change", args=[one.pk]),
        reverse("admin:ledger_conflict_change", args=[Conflict.objects.get().pk]),
        reverse("admin:ledger_candidate_change", args=[claim.pk]),
    ):
        assert page.goto(url + path).status == 200
        page.wait_for_load_state("networkidle")
        assert refused == [], path
        assert page.locator("[style]").count() == 0, path


def test_lists_are_narrowed_by_typing_a_scope_and_by_a_menu(committed, alice):
    page, url, refused = alice
    claim = candidate(committed.scope, committed.bob, "the bell is bronze", key="bell")
    page.goto(url + reverse("admin:ledger_claim_changelist"))
    page.fill("#filter_scope", "lab")
    page.locator(".scope-filter button").click()
    assert "scope=lab" in page.url
    page.locator("details.filter summary", has_text="Status").click()
    page.locator("details.filter[open] a", has_text="Pending").click()
    assert "scope=lab" in page.url and "status__exact=pending" in page.url
    page.get_by_role("link", name=claim.ref).click()
    assert page.locator(".card").get_attribute("data-ref") == claim.ref
    assert refused == []


def test_one_key_decides_and_leads_to_the_next_card_and_one_takes_it_back(committed, alice):
    page, url, refused = alice
    rows = [candidate(committed.scope, committed.bob, f"bell {n} is bronze", key=f"bell-{n}") for n in range(3)]
    page.goto(url + reverse("admin:ledger_candidate_change", args=[rows[2].pk]))
    page.keyboard.press("r")
    page.wait_for_selector(f'.card[data-ref="{rows[1].ref}"]')
    assert Claim.objects.get(pk=rows[2].pk).status == "rejected"
    page.keyboard.press("p")
    page.wait_for_selector(f'.card[data-ref="{rows[0].ref}"]')
    assert Claim.objects.get(pk=rows[1].pk).status == "active"
    page.keyboard.press("u")
    page.wait_for_selector(f'.card[data-ref="{rows[1].ref}"]')
    assert Claim.objects.get(pk=rows[1].pk).status == "pending"
    assert set(JournalEvent.objects.exclude(door="screen").values_list("door", flat=True)) >= {"admin"}
    page.keyboard.press("j")
    page.wait_for_selector(f'.card[data-ref="{rows[0].ref}"]')
    page.keyboard.press("e")
    assert page.evaluate("document.activeElement.name") == "statement"
    assert refused == []


def test_several_are_decided_through_the_page_between_and_taken_back_as_one(committed, alice):
    page, url, refused = alice
    rows = [candidate(committed.scope, committed.bob, f"bell {n} is bronze", key=f"bell-{n}") for n in range(3)]
    page.goto(url + reverse("admin:ledger_candidate_changelist"))
    page.locator("#action-toggle").check()
    assert page.locator(".action-counter").inner_text() == "3 of 3 selected"
    page.select_option("select[name=action]", "reject_selected")
    page.get_by_role("button", name="Run").click()
    page.fill("input[name=reason]", "never rung")
    page.locator("[data-action=sure]").click()
    page.wait_for_selector("#toast [data-action=undo]")
    assert {claim.status for claim in Claim.objects.filter(pk__in=[row.pk for row in rows])} == {"rejected"}
    page.locator("#toast [data-action=undo]").click()
    page.wait_for_selector("#toast >> text=Undone")
    assert {claim.status for claim in Claim.objects.filter(pk__in=[row.pk for row in rows])} == {"pending"}
    assert refused == []
