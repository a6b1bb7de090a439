"""The insights in a real browser: nothing that the policy refuses, nothing axe-core finds, nothing wider than the window."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser


@pytest.fixture
def seen(sign_in: Callable[..., Desk], request: pytest.FixtureRequest) -> Desk:
    """The page of a scope with decisions, a conflict and something that waits."""
    options: dict[str, Any] = request.param
    desk = sign_in(**options)
    scope = desk.new_scope()
    refs = desk.decisions(scope, *(f"The {part} is oak" for part in ("keel", "mast", "boom", "deck")))
    for ref, action in zip(refs, ("promote", "promote", "reject"), strict=False):
        desk.api("POST", f"/candidates/{ref}/{action}", {})
    desk.page.goto(f"{desk.url}/insights?scope={scope}&days=7")
    return desk


WINDOWS: list[dict[str, Any]] = [
    {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    {"viewport": {"width": 640, "height": 450}, "java_script_enabled": True},
]


@pytest.mark.parametrize("seen", WINDOWS, indirect=True, ids=["wide, light", "telephone, dark", "at 200 %"])
def test_the_page_reads_in_every_window(seen: Desk) -> None:
    page = seen.page
    assert page.locator("svg.plot").count() >= 5
    for summary in page.locator(".figure summary").all():
        summary.click()
    assert axe.faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    widths = page.evaluate("[...document.querySelectorAll('svg.plot')].map(one => one.getBoundingClientRect().width)")
    assert all(0 < width <= 480 for width in widths)
    # The colours come from the page's sheets, not from the image: the policy allows nothing inline.
    assert page.evaluate("getComputedStyle(document.querySelector('.plot-1')).fill") not in ("", "rgb(0, 0, 0)", "none")
    assert seen.complaints == []


@pytest.mark.parametrize("seen", [{"java_script_enabled": False}], indirect=True)
def test_scope_and_time_are_chosen_without_a_script(seen: Desk) -> None:
    page = seen.page
    page.select_option("select[name=days]", "1")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile("(?=.*days=1)(?=.*scope=screen-)"))
    expect(page.locator("tr[data-rule]")).to_have_count(1)
