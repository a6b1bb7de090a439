"""axe-core finds nothing on any screen, in light and in dark."""

from collections.abc import Callable

import pytest

from tests.browser import axe
from tests.browser.conftest import Desk
from tests.browser.screens import admin_pages, open_action_page, screens

pytestmark = pytest.mark.browser
# Lists differ in their columns and filters only.
LISTS = {f"admin-{noun}-list" for noun in ("candidate", "source", "journalevent", "user")}


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
    pages = admin_pages(desk)
    chosen = {name: path for name, path in pages.items() if not name.endswith("-list") or name in LISTS}
    assert faults(desk, chosen) == []
    open_action_page(desk)
    assert axe.faults_in_both_themes(desk.page) == []


def test_admin_at_the_width_of_a_phone(sign_in: Callable[..., Desk]) -> None:
    desk = sign_in(viewport={"width": 360, "height": 800})
    for name, path in admin_pages(desk).items():
        desk.page.goto(desk.url + path)
        assert desk.page.evaluate("document.documentElement.scrollWidth") <= 360, f"{name} {path}"
    open_action_page(desk)
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert desk.complaints == []


def test_signed_out(desk: Desk) -> None:
    desk.page.context.clear_cookies()
    assert faults(desk, {"sign in": "/login/", "the admin's": "/admin/login/"}) == []
    assert desk.page.url == f"{desk.url}/login/?next=/admin/"
