"""axe-core finds nothing on any screen, in light and in dark."""

import pytest

from tests.browser import axe
from tests.browser.conftest import Desk
from tests.browser.screens import admin_pages, open_action_page, screens

pytestmark = pytest.mark.browser
# Lists of the admin differ in their columns and filters only; and all its pages have their colours from one sheet.
LISTS = {f"admin-{noun}-list" for noun in ("candidate", "source", "journalevent", "user")}
IN_BOTH_THEMES = LISTS | {"admin", "admin-candidate", "admin-conflict", "admin-source", "admin-scope", "admin-user-add"}


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
    for name, path in admin_pages(desk).items():
        answer = desk.page.goto(desk.url + path)
        assert answer is not None and answer.status == 200, f"{name} {path}"
        if name in IN_BOTH_THEMES:
            assert axe.faults_in_both_themes(desk.page) == [], f"{name} {path}"
        elif not name.endswith("-list"):
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
