"""Policies and four eyes in a real browser: tried out, turned on, taken back; two people about what is risky."""

import os
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser
WINDOWS: list[dict[str, Any]] = [
    {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    {"viewport": {"width": 640, "height": 450}, "java_script_enabled": True},
]


@pytest.fixture
def desk(sign_in: Callable[..., Desk], request: pytest.FixtureRequest) -> Desk:
    """The policies of a scope in which people have decided about some headings, and some wait."""
    desk = sign_in(**request.param)
    scope = desk.new_scope()
    refs = desk.decisions(scope, *(f"The {part} is oak" for part in ("keel", "mast", "boom", "deck", "helm")))
    for ref, action in zip(refs, ("promote", "promote", "reject"), strict=False):
        desk.api("POST", f"/candidates/{ref}/{action}", {})
    desk.page.goto(f"{desk.url}/policies/{scope}")
    return desk


def shot(desk: Desk, name: str) -> None:
    if folder := os.environ.get("COUNTERSIGN_SHOTS"):
        desk.page.screenshot(path=f"{folder}/{name}.png", full_page=True)


@pytest.mark.parametrize("desk", WINDOWS, indirect=True, ids=["wide", "telephone", "large"])
def test_it_reads_in_every_window(desk: Desk, request: pytest.FixtureRequest) -> None:
    page = desk.page
    name = str(request.node.callspec.id)
    shot(desk, f"policies-{name}")
    assert axe.faults(page) == []
    section = page.locator("#confidence")
    section.locator("summary").click()
    section.locator("input[name=threshold]").fill("0.5")
    section.get_by_label("label").check()
    section.locator("[data-action=try-policy]").click()
    expect(page.locator("#confidence [data-trial]")).to_have_count(1)
    page.locator("#confidence .trial summary").click()
    shot(desk, f"policies-tried-{name}")
    assert axe.faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert desk.complaints == []


@pytest.mark.parametrize("desk", [{"java_script_enabled": False}], indirect=True)
def test_tried_turned_on_and_taken_back_without_a_script(desk: Desk) -> None:
    page = desk.page
    scope = page.url.rpartition("/")[2]
    section = page.locator("#confidence")
    section.locator("summary").click()
    section.locator("input[name=threshold]").fill("much")
    section.locator("[data-action=try-policy]").click()
    expect(page.locator("#confidence [role=alert]")).to_have_text("threshold is a number")
    expect(page.locator("#confidence input[name=threshold]")).to_have_value("much")
    page.locator("#confidence input[name=threshold]").fill("0.5")
    page.locator("#confidence").get_by_label("label").check()
    page.locator("#confidence [data-action=try-policy]").click()
    expect(page.locator("#confidence .trial")).to_contain_text("Now it would promote 2")
    expect(
        page.locator("#confidence .trial").filter(has_text="2 of").or_(page.get_by_text("3 decided"))
    ).not_to_have_count(0)
    page.locator("#confidence [data-action=policy-on]").click()
    expect(page.locator("#confidence .badge-on")).to_have_text("on")
    waiting = [row["ref"] for row in desk.waiting(scope)]
    # The scheduler's next sweep carries it out.
    assert all(desk.becomes(ref, "active", 60) for ref in waiting)
    page.reload()
    shot(desk, "policies-did")
    page.locator("#confidence select[name=since]").select_option("day")
    page.locator("#confidence [data-action=undo-policy]").click()
    assert all(desk.becomes(ref, "pending") for ref in waiting)
    page.locator("#confidence summary").first.click()
    page.locator("#confidence [data-action=policy-off]").click()
    expect(page.locator("#confidence .badge-on")).to_have_count(0)


@pytest.mark.parametrize("desk", [{}], indirect=True)
def test_the_first_person_is_told_that_another_must_countersign(desk: Desk) -> None:
    page = desk.page
    scope = page.url.rpartition("/")[2]
    page.locator("#four_eyes [data-action=four-eyes-on]").click()
    desk.api("PATCH", f"/scope?scope={scope}", {"packs": ["production"]})
    risky = {"key": "project.constraints.floor_load"}
    (ref,) = desk.proposed(scope, "The floor bears 400 kg", value=400, **risky)
    page.goto(f"{desk.url}/?scope={scope}&risk=high")
    assert desk.open_card() == ref and "two people decide" in page.locator("article.card").first.inner_text()
    desk.press("p")
    page.locator("#toast").get_by_text("Another person must countersign").wait_for()
    assert desk.becomes(ref, "pending")
    # Nothing else waits here: the card comes back and says what it waits for.
    page.get_by_text("approved by you, needs another person").wait_for()
    shot(desk, "four-eyes-said")
    page.goto(f"{desk.url}/candidates/{ref}")
    expect(page.locator("article.card")).to_contain_text("approved by you, needs another person")
    assert axe.faults(page) == []
    shot(desk, "four-eyes-card")
