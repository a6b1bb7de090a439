"""axe-core finds nothing on any screen, in light and in dark."""

import pytest

from tests.browser import axe
from tests.browser.conftest import Desk
from tests.browser.screens import admin_pages, open_action_page, screens

pytestmark = pytest.mark.browser
# The admin's lists differ in their columns and filters only, its pages of plain rows in their fields; all have one style sheet.
IN_BOTH_THEMES = {
    "admin", "admin-candidate-list", "admin-journalevent-list", "admin-candidate", "admin-conflict", "admin-scope-add",
}  # fmt: skip
IN_LIGHT = {
    "admin-source-list", "admin-user-list", "admin-entity", "admin-journalevent", "admin-source", "admin-source-purge",
    "admin-scope", "admin-scope-settings", "admin-person-add", "admin-trustedstate-add", "admin-pack", "admin-run", "admin-user",
    "admin-user-add", "admin-user-onboard", "admin-password", "admin-candidate-history", "admin-agenttoken",
}  # fmt: skip


def faults(desk: Desk, pages: dict[str, str]) -> list[str]:
    """By page; an address that answers with a piece of a page or with a file is none."""
    found = []
    for name, path in pages.items():
        answer = desk.page.goto(desk.url + path)
        assert answer is not None and answer.status == 200, f"{name} {path}: {answer and answer.status}"
        if "text/html" in answer.headers.get("content-type", "") and desk.page.locator("h1, h2, main").count():
            found += [f"{name} {path}: {one}" for one in axe.faults_in_both_themes(desk.page)]
    return found


def test_screens(desk: Desk) -> None:
    pages = screens(desk)
    pieces = {name: pages.pop(name) for name in ("ahead", "live") if name in pages}
    assert faults(desk, pages) == []
    assert pieces


def test_admin(desk: Desk) -> None:
    """Each page once: as it is, and at the width of a phone."""
    pages = admin_pages(desk)
    assert pages.keys() >= IN_BOTH_THEMES | IN_LIGHT
    for name, path in pages.items():
        answer = desk.page.goto(desk.url + path)
        assert answer is not None and answer.status == 200, f"{name} {path}"
        if name in IN_BOTH_THEMES:
            assert axe.faults_in_both_themes(desk.page) == [], f"{name} {path}"
        elif name in IN_LIGHT:
            assert axe.faults(desk.page) == [], f"{name} {path}"
        fits_a_phone(desk, name)
    open_action_page(desk)
    assert axe.faults_in_both_themes(desk.page) == []
    fits_a_phone(desk, "action")
    assert desk.complaints == []


def fits_a_phone(desk: Desk, name: str) -> None:
    desk.page.set_viewport_size({"width": 360, "height": 800})
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= 360, name
    desk.page.set_viewport_size({"width": 1280, "height": 900})


def test_signed_out(desk: Desk) -> None:
    desk.page.context.clear_cookies()
    assert faults(desk, {"sign in": "/login/", "the admin's": "/admin/login/"}) == []
    assert desk.page.url == f"{desk.url}/login/?next=/admin/"
