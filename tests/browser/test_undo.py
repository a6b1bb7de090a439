"""Every kind of decision is taken back in the browser: from the toast, by its key, and from history."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser


@pytest.fixture
def pair(desk: Desk) -> tuple[str, str, str]:
    """A scope with two candidates: the scope, and both refs."""
    scope = desk.new_scope()
    first, second = desk.decisions(scope, "The ford is closed in winter", "The mill keeps its old name")
    return scope, first, second


def to_say(desk: Desk, ref: str) -> tuple[str, str]:
    row = desk.api("GET", f"/candidates/{ref}")
    return str(row["status"]), str(row["statement"])


def take_back(desk: Desk) -> None:
    desk.page.wait_for_selector("#toast [data-action=undo]")
    desk.page.click("#toast [data-action=undo]")
    desk.page.wait_for_selector("#toast :text-matches('taken back|undone', 'i')")


@pytest.mark.parametrize(("key", "status"), [("p", "active"), ("r", "rejected"), ("d", "deferred")])
def test_a_key_is_taken_back_by_a_key(desk: Desk, pair: tuple[str, str, str], key: str, status: str) -> None:
    scope, _, _ = pair
    desk.page.goto(f"{desk.url}/?scope={scope}")
    ref = desk.open_card()
    desk.press(key)
    desk.page.wait_for_selector("#toast [data-action=undo]")
    assert desk.becomes(ref, status)
    desk.page.keyboard.press("u")
    assert desk.becomes(ref, "pending")


def test_an_edit_and_a_merge_are_taken_back_from_the_toast(desk: Desk, pair: tuple[str, str, str]) -> None:
    scope, first, second = pair
    desk.page.goto(f"{desk.url}/?scope={scope}&card={first}")
    desk.page.keyboard.press("e")
    desk.page.fill("#open-card textarea[name=statement]", "The ford is closed all year")
    desk.page.click("#open-card [data-action=save]")
    desk.page.wait_for_selector("#toast [data-action=undo]")
    assert to_say(desk, first) == ("pending", "The ford is closed all year")
    take_back(desk)
    assert to_say(desk, first) == ("pending", "The ford is closed in winter")
    desk.page.goto(f"{desk.url}/?scope={scope}&card={first}")
    desk.page.keyboard.press("m")
    desk.page.fill("#open-card input[name=into]", second)
    desk.page.click("#open-card [data-action=save-merge]")
    assert desk.becomes(first, "merged")
    take_back(desk)
    assert desk.becomes(first, "pending")


@pytest.mark.parametrize(
    ("verb", "status"), [("archive", "archived"), ("withdraw", "withdrawn"), ("supersede", "superseded")]
)
def test_what_becomes_of_an_entity_is_taken_back_from_history(
    desk: Desk, pair: tuple[str, str, str], verb: str, status: str
) -> None:
    _, first, second = pair
    for ref in (first, second):
        desk.api("POST", f"/candidates/{ref}/promote", {})
    desk.page.goto(f"{desk.url}/entities/{first}")
    if verb == "supersede":
        desk.page.locator("details.panel", has=desk.page.locator("[data-action=supersede]")).locator("summary").click()
        desk.page.fill("input[name=by]", second)
    desk.page.click(f"[data-action={verb}]")
    assert desk.becomes(first, status)
    desk.page.goto(f"{desk.url}/entities/{first}")
    desk.page.locator(f":has(> form [data-action=undo]):has-text('{verb}') [data-action=undo]").first.click()
    assert desk.becomes(first, "active")


def test_a_conflict_that_was_settled_is_open_again(desk: Desk) -> None:
    scope = desk.new_scope()
    refs = []
    for width in ("4.1", "4.4"):
        made = {"scope": scope, "kind": "fact", "key": "gate-width", "statement": f"gate width = {width} m"}
        refs.append(desk.api("POST", "/candidates", made)["candidate"]["ref"])
        desk.api("POST", f"/candidates/{refs[-1]}/promote", {"on_conflict": "coexist"})
    (conflict,) = desk.api("GET", f"/conflicts?scope={scope}")["items"]
    desk.page.goto(f"{desk.url}/conflicts/{conflict['id']}")
    desk.page.locator("[data-action=resolve]").first.click()
    assert sorted(map(desk.status, refs)) == ["active", "superseded"]
    take_back(desk)
    assert [desk.status(ref) for ref in refs] == ["active", "active"]


def test_a_trusted_value_is_changed_back_by_new_words(sign_in: Callable[..., Desk]) -> None:
    """What is trusted has no undo: the page offers the old value to write again."""
    desk = sign_in(viewport={"width": 1280, "height": 900})
    scope = desk.new_scope()
    for words in ("Nine in the morning", "Ten in the morning"):
        desk.page.goto(f"{desk.url}/state?scope={scope}")
        if not desk.page.is_visible("input[name=key]"):
            desk.page.locator("details summary").first.click()
        desk.page.fill("input[name=key] >> visible=true", "opening")
        desk.page.fill("textarea[name=statement] >> visible=true", words)
        desk.page.locator("[data-action=curate] >> visible=true").first.click()
        desk.page.wait_for_selector("#toast")
    (held,) = desk.api("GET", f"/state?scope={scope}")["items"]
    assert held["statement"] == "Ten in the morning"
    desk.page.goto(f"{desk.url}/state/{held['ref']}")
    expect(desk.page.locator("main")).to_contain_text("Nine in the morning")


def test_keys_walk_back_through_the_decisions_and_forward_again(desk: Desk) -> None:
    scope = desk.new_scope()
    refs = desk.proposed(scope, *(f"Lock {n} has a keeper" for n in range(4)))
    desk.page.goto(f"{desk.url}/?scope={scope}")
    decided = []
    for key, status in (("p", "active"), ("r", "rejected"), ("p", "active")):
        decided.append((desk.open_card(), status))
        desk.press(key)
        assert desk.becomes(*decided[-1])
    desk.page.reload()
    for _ in decided:
        desk.press("u")
    assert all(desk.becomes(ref, "pending") for ref in refs)
    desk.press("U")
    assert desk.becomes(*decided[0])
    assert [desk.status(ref) for ref, _ in decided[1:]] == ["pending", "pending"]
    desk.page.click(".undo-line summary")
    desk.page.click("#undo-line button")
    assert desk.becomes(decided[0][0], "pending")


def test_the_next_card_tells_what_holds_since_the_last_key(desk: Desk) -> None:
    """It was fetched before its reader decided on the first, against which it stands."""
    scope = desk.new_scope()
    refs = desk.proposed(scope, "reach = 903 mm", "reach = 864 mm", key="reach")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    first = desk.open_card()
    desk.press("p")
    second = desk.next_card(first)
    desk.page.wait_for_selector(f"#open-card .preview .rival a:text('{first}')")
    desk.press("1")
    assert desk.becomes(second, "active") and desk.becomes(first, "superseded")
    assert sorted(refs) == sorted([first, second])


def test_a_conflict_that_a_decision_opens_is_named_with_its_link(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.proposed(scope, "depth = 9 m", "depth = 8 m", key="depth")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    first = desk.open_card()
    desk.press("p")
    second = desk.next_card(first)
    desk.page.wait_for_selector(f"#open-card .preview .rival a:text('{first}')")
    desk.press("3")
    assert desk.becomes(second, "active")
    desk.page.click("#toast a:text('Open the conflict')")
    desk.page.wait_for_url(re.compile(r"/conflicts/\d+"))


def test_a_likely_duplicate_is_merged_by_two_keys_and_another_by_its_words(desk: Desk) -> None:
    scope = desk.new_scope()
    same, twin = desk.proposed(scope, "The ford is closed in winter", "The ford opens after winter", key="ford")
    (other,) = desk.proposed(scope, "Pilgrims cross by the bridge")
    desk.page.goto(f"{desk.url}/?scope={scope}&card={other}")
    desk.press("m")
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator("#open-card [data-alike-said]")).to_contain_text("Nothing is chosen yet")
    desk.page.keyboard.type("ford winter")
    desk.page.wait_for_selector(f"#open-card [data-action=pick-alike][value='{twin}']")
    assert axe.faults_in_both_themes(desk.page) == []
    desk.page.keyboard.press("ArrowDown")
    assert desk.page.evaluate("document.activeElement.value") in (same, twin)
    desk.page.goto(f"{desk.url}/?scope={scope}&card={same}")
    assert desk.page.get_attribute("#open-card [data-action=pick-alike]", "value") == twin
    desk.press("m")
    desk.page.keyboard.press("1")
    assert desk.becomes(same, "merged")
    take_back(desk)
    assert desk.becomes(same, "pending")
    assert desk.complaints == []
