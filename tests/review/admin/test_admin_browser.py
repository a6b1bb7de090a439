"""In a real browser the admin breaks no rule of the content security policy, and its scope filter finds by typing."""

import pytest
from django.conf import settings
from django.urls import reverse

from ledger.models import Claim, Scope
from tests.people import candidate
from tests.review.admin.conftest import signed_in


@pytest.mark.browser
def test_no_page_of_the_admin_is_stopped_by_the_policy(committed, browser, live_server):
    claim = candidate(committed.scope, committed.bob, "the bell is bronze", key="bell")
    cookie = signed_in("alice").cookies[settings.SESSION_COOKIE_NAME].value
    context = browser.new_context()
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    page = context.new_page()
    refused: list[str] = []
    page.on("console", lambda said: refused.append(f"{said.text} {said.location}") if said.type == "error" else None)
    page.on("pageerror", lambda error: refused.append(str(error)))
    scope = Scope.objects.get(path="lab")
    for url in (
        reverse("admin:index"),
        reverse("admin:ledger_scope_change", args=[scope.pk]),
        reverse("admin:ledger_scope_settings", args=[scope.pk]),
        reverse("admin:ledger_trustedstate_add"),
        reverse("admin:ledger_claim_changelist"),
    ):
        assert page.goto(live_server.url + url).status == 200
        page.wait_for_load_state("networkidle")
        assert refused == [], url
    page.locator("#changelist-filter .select2-selection").click()
    page.locator(".select2-search__field").fill("la")
    page.locator(".select2-results__option", has_text="lab").click()
    page.get_by_role("button", name="Filter").click()
    assert f"scope={scope.pk}" in page.url
    page.get_by_role("link", name=claim.ref).click()
    page.locator('[data-action="reject"]').click()
    assert page.locator(".messagelist .success").inner_text().startswith("Rejected")
    assert refused == []
    assert Claim.objects.get(pk=claim.pk).status == "rejected"
    context.close()
