"""On every screen axe-core finds nothing, in light and in dark; each keeps the policy for content, and fits a phone and 200 %."""

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


# Fields without a name, and styles that the policy would not take.
UNNAMED = """() => [...document.querySelectorAll('input, select, textarea')]
  .filter(e => e.type !== 'hidden' && !e.labels?.length && !e.ariaLabel).map(e => `no name: ${e.name}`)
  .concat([...document.querySelectorAll('[style]')].map(e => `style: ${e.tagName}`))"""
WIDTHS = (360, 640)  # a phone, and a window of 1280 at 200 %


def faults(desk: Desk, pages: dict[str, str]) -> list[str]:
    """By page; an address that answers with a piece of a page or with a file is none."""
    found = []
    for name, path in pages.items():
        answer = desk.page.goto(desk.url + path)
        assert answer is not None and answer.status == 200, f"{name} {path}: {answer and answer.status}"
        if "text/html" not in answer.headers.get("content-type", "") or not desk.page.locator("h1, h2, main").count():
            continue
        page = [] if "unsafe" not in answer.headers["content-security-policy"] else ["an unsafe policy"]
        page += axe.faults_in_both_themes(desk.page) + desk.page.evaluate(UNNAMED)
        page += [f"wider than {width}" for width in WIDTHS if not fits(desk, width)]
        found += [f"{name} {path}: {one}" for one in page]
    return found


def fits(desk: Desk, width: int) -> bool:
    desk.page.set_viewport_size({"width": width, "height": 800})
    needed = desk.page.evaluate("document.documentElement.scrollWidth")
    desk.page.set_viewport_size({"width": 1280, "height": 900})
    return bool(needed <= width)


# On a laptop no list is cut off.
LISTS_THAT_SCROLL = """() => [...document.querySelectorAll('.results')].filter(e => e.scrollWidth > e.clientWidth + 1)
  .map(e => e.scrollWidth - e.clientWidth)"""


def test_screens(desk: Desk) -> None:
    pages = screens(desk)
    pieces = {name: pages.pop(name) for name in ("ahead", "live") if name in pages}
    assert (faults(desk, pages), desk.complaints) == ([], [])
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
        assert fits(desk, 360), name
        assert desk.page.evaluate(LISTS_THAT_SCROLL) == [], name
    open_action_page(desk)
    assert axe.faults_in_both_themes(desk.page) == [] and fits(desk, 360)
    assert desk.complaints == []


def test_signed_out(desk: Desk) -> None:
    desk.page.context.clear_cookies()
    assert faults(desk, {"sign in": "/login/", "the admin's": "/admin/login/"}) == []
    assert desk.page.url == f"{desk.url}/login/?next=/admin/"
