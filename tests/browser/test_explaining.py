"""In a real browser: from a value to its lit words, what it was at a time, and a conflict settled, by every kind of reader."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser


@pytest.fixture
def clash(desk: Desk) -> tuple[str, str, str, str]:
    """A scope, two claims that contradict each other in it, and their conflict's number."""
    scope = desk.new_scope()
    refs = []
    for words in ("The hall is 5.9 m high", "The hall is 5.75 m high at the door"):
        body = {"scope": scope, "kind": "fact", "statement": words, "key": "hall.height"}
        ref = desk.api("POST", "/candidates", body)["candidate"]["ref"]
        desk.api("POST", f"/candidates/{ref}/promote", {"reason": "measured", "on_conflict": "coexist"})
        refs.append(ref)
    (conflict,) = desk.api("GET", f"/conflicts?scope={scope}")["items"]
    return scope, refs[0], refs[1], str(conflict["id"])


def pages(clash: tuple[str, str, str, str]) -> list[str]:
    scope, one, _, conflict = clash
    return [
        f"/entities/{one}?as_of=2030-01-01", f"/conflicts/{conflict}", f"/conflicts?scope={scope}", f"/scopes/{scope}",
        f"/scopes/{scope}?tab=then&as_of=2030-01-01", f"/scopes/{scope}?tab=why-not&q=hall", f"/scopes/{scope}?tab=people",
        f"/scopes/{scope}?tab=settings", f"/scopes/{scope}?tab=discussion", f"/entities?scope={scope}",
        f"/state?scope={scope}&key=hall.height&find=hall", f"/journal?scope={scope}&verb=promote",
    ]  # fmt: skip


def test_a_click_on_the_quote_lights_up_exactly_its_words(desk: Desk, clash: tuple[str, str, str, str]) -> None:
    page = desk.page
    page.goto(f"{desk.url}/entities/{clash[1]}")
    expect(page.locator(".ladder circle")).to_have_count(4)
    expect(page.locator(".chain > li")).to_have_count(4)
    quote = page.locator("a[data-quote]")
    evidence = quote.get_attribute("data-quote")
    quote.click()
    page.wait_for_url("**/sources/**")
    lit = page.locator("mark:target")
    assert lit.get_attribute("data-evidence") == evidence and lit.text_content() == "The hall is 5.9 m high"
    assert desk.complaints == []


def test_pages_are_sound_and_fit(desk: Desk, clash: tuple[str, str, str, str]) -> None:
    """At the width of a phone axe looks at them here; most of them it has seen wide in test_axe.py."""
    for path in pages(clash):
        answer = desk.page.goto(desk.url + path)
        assert answer is not None and answer.status == 200, path
        for width in (1280, 360):
            desk.page.set_viewport_size({"width": width, "height": 800})
            assert desk.page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert axe.faults_in_both_themes(desk.page) == [], path
    assert desk.complaints == []


def test_a_conflict_is_settled_and_opened_again_without_script(
    sign_in: Callable[..., Desk], clash: tuple[str, str, str, str]
) -> None:
    _, one, other, conflict = clash
    desk = sign_in(java_script_enabled=False)
    desk.page.goto(f"{desk.url}/conflicts/{conflict}")
    side = desk.page.locator(f"[data-ref='{one}']")
    side.locator("input[name=reason]").fill("measured twice")
    side.locator("[data-action=resolve]").click()
    assert desk.becomes(other, "superseded")
    desk.page.goto(f"{desk.url}/conflicts/{conflict}")
    desk.page.locator(".history [data-action=undo]").first.click()
    assert desk.becomes(other, "active")


def test_what_is_cited_is_found_while_typing_and_stays_chosen(desk: Desk, clash: tuple[str, str, str, str]) -> None:
    scope, one, other, _ = clash
    page = desk.page
    page.goto(f"{desk.url}/state?scope={scope}&key=hall.height")
    page.fill("[name=find]", "door")
    page.wait_for_selector(f"#citable [value='{other}']")
    page.check(f"#citable [value='{other}']")
    page.fill("[name=find]", "hall")
    page.wait_for_selector(f"#citable [value='{one}']")
    assert page.is_checked(f"#citable [value='{other}']")
    page.fill("[name=statement]", "5.75 m, by the door")
    desk.send("[data-action=curate]")
    (item,) = desk.api("GET", f"/state?scope={scope}")["items"]
    assert item["cites"] == [other] and item["statement"] == "5.75 m, by the door" and item["disputed"]
    assert desk.complaints == []


def test_the_page_for_people_prints_without_its_controls(desk: Desk, clash: tuple[str, str, str, str]) -> None:
    desk.page.goto(f"{desk.url}/scopes/{clash[0]}")
    desk.page.emulate_media(media="print")
    expect(desk.page.locator(".mirror li").first).to_be_visible()
    for control in (".tabs", ".mirror .buttons"):
        assert not desk.page.locator(control).first.is_visible(), control
