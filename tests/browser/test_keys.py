"""The queue driven with one hand: one key decides and advances."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser
# Which card was on screen when each key fell.
THIRTY_MS_A_KEY = """async count => {
  const seen = [];
  for (let at = 0; at < count; at++) {
    const card = document.querySelector('#open-card .card');
    const pressed = new KeyboardEvent('keydown', {key: 'prd'[at % 3], bubbles: true, cancelable: true});
    if (card) seen.push([card.dataset.ref, pressed.key, pressed.timeStamp - Number(card.dataset.shownAt ?? Infinity) >= 80]);
    document.body.dispatchEvent(pressed);
    await new Promise(done => setTimeout(done, 30));
  }
  return seen;
}"""


def test_one_key_a_decision_and_none_is_lost(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.decisions(scope, *(f"Route {n} is closed" for n in range(8)))
    desk.page.goto(f"{desk.url}/?scope={scope}")
    seen = []
    for key in "pprdpp":
        seen.append((desk.open_card(), key))
        desk.press(key)
        desk.next_card(seen[-1][0])
    assert len({ref for ref, _ in seen}) == 6
    for ref, key in seen:
        assert desk.becomes(ref, {"p": "active", "r": "rejected", "d": "deferred"}[key]), (ref, key)
    assert desk.complaints == []


def test_a_double_click_decides_one_card(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.decisions(scope, *(f"Route {n} is closed" for n in range(3)))
    desk.page.goto(f"{desk.url}/?scope={scope}")
    first = desk.open_card()
    desk.page.dblclick("#open-card [data-action=promote]")
    second = desk.next_card(first)
    assert desk.becomes(first, "active")
    desk.page.wait_for_timeout(500)
    assert desk.open_card() == second and len(desk.waiting(scope)) == 2
    desk.page.click("#open-card [data-action=promote]")
    assert desk.becomes(second, "active") and desk.complaints == []


def test_the_next_card_does_not_wait_for_the_server(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.decisions(scope, "Route 1 is closed", "Route 2 is closed")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    first = desk.open_card()
    desk.page.route("**/decide", lambda route: None)
    desk.press("p")
    assert desk.next_card(first)
    assert desk.becomes(first, "pending")


def test_what_the_server_refuses_comes_back(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.decisions(scope, "Route 1 is closed", "Route 2 is closed")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    first = desk.open_card()
    desk.api("POST", f"/candidates/{first}/reject", {"reason": "it is open again"})
    desk.press("p")
    desk.page.wait_for_selector(".refusal")
    assert desk.open_card() == first
    expect(desk.page.locator(".refusal")).to_contain_text("it is open again")


def test_signed_out_while_deciding_loses_nothing(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.decisions(scope, "Route 1 is closed", "Route 2 is closed")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    first, cookies = desk.open_card(), desk.page.context.cookies()
    desk.page.context.clear_cookies(name="sessionid")
    desk.press("p")
    desk.page.wait_for_selector("#toast a[href='/login/']")
    expect(desk.page.locator("#toast")).to_contain_text("signed out")
    expect(desk.page.locator("#toast")).to_contain_text(first)
    assert desk.becomes(first, "pending")
    desk.page.context.add_cookies(cookies)  # signed in again, in another tab
    desk.page.click("#toast button")
    assert desk.becomes(first, "active")


def test_undo_with_a_key(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.decisions(scope, "Route 1 is closed", "Route 2 is closed")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    first = desk.open_card()
    desk.press("r")
    desk.page.wait_for_selector("#toast [data-action=undo]")
    assert desk.becomes(first, "rejected")
    desk.page.keyboard.press("u")
    desk.page.wait_for_function("ref => document.querySelector('[data-ref]')?.dataset.ref === ref", arg=first)
    assert desk.becomes(first, "pending")


def test_a_reason_by_its_number(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.decisions(scope, "Route 1 is closed")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    ref = desk.open_card()
    desk.page.keyboard.press("3")
    desk.press("r")
    assert desk.becomes(ref, "rejected")
    (event,) = [e for e in desk.api("GET", f"/journal?ref={ref}")["items"] if e["verb"] == "reject"]
    assert (event["reason"], event["door"]) == ("out of date", "screen")


def test_next_previous_select_and_search(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.decisions(scope, *(f"Route {n} is closed" for n in range(3)))
    desk.page.goto(f"{desk.url}/?scope={scope}")
    first = desk.open_card()
    desk.page.keyboard.press("j")
    second = desk.next_card(first)
    desk.page.keyboard.press("k")
    assert desk.next_card(second) == first
    desk.page.keyboard.press("x")
    assert desk.open_card() == first
    assert desk.page.eval_on_selector_all("input[name=refs]:checked", "all => all.map(b => b.value)") == [first]
    desk.page.keyboard.press("/")
    assert desk.page.evaluate("document.activeElement.closest('dialog').id") == "search"
    desk.page.keyboard.type("pjx")
    expect(desk.page.locator("#search input[name=q]")).to_have_value("pjx")
    assert desk.becomes(second, "pending")
    desk.page.keyboard.press("Escape")
    desk.page.keyboard.press("?")
    expect(desk.page.locator("#help")).to_be_visible()
    desk.press("p")
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator("#help")).not_to_be_visible()
    assert desk.becomes(second, "pending")


def test_edit_from_the_keyboard_keeps_what_was_typed_when_refused(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.decisions(scope, "Route 1 is closed", "Route 2 is closed")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    ref = desk.open_card()
    desk.page.keyboard.press("e")
    assert desk.page.evaluate("document.activeElement.name") == "statement"
    desk.page.keyboard.type("Route 9 is closed for good")
    desk.api("PATCH", f"/candidates/{ref}", {"topic": "roads"})
    desk.page.click("#open-card [data-action=save]")
    desk.page.wait_for_selector(".refusal")
    expect(desk.page.locator("#open-card textarea[name=statement]")).to_have_value("Route 9 is closed for good")
    desk.page.click("#open-card [data-action=save]")
    desk.page.wait_for_selector("#toast [data-action=undo]")
    assert desk.api("GET", f"/candidates/{ref}")["statement"] == "Route 9 is closed for good"
    assert desk.complaints == ["Failed to load resource: the server responded with a status of 409 (Conflict)"]


def test_a_choice_by_its_number(desk: Desk) -> None:
    scope = desk.new_scope()
    for at, width in enumerate(("5.9", "6.2")):
        told = {"scope": scope, "kind": "message", "sender": "Maud", "text": f"shelf width = {width} m", "wait": 30}
        desk.api("POST", "/sources", {**told, "sender_kind": "user", "sent_at": f"2026-03-0{at + 1}T10:00:00+00:00"})
        if at == 0:
            (old,) = desk.waiting(scope)
            desk.api("POST", f"/candidates/{old['ref']}/promote", {})
    desk.page.goto(f"{desk.url}/?scope={scope}")
    new = desk.open_card()
    desk.press("p")
    desk.page.wait_for_selector(".refusal .choices")
    assert desk.becomes(new, "pending")
    desk.press("1")
    assert desk.becomes(new, "active")
    assert desk.becomes(old["ref"], "superseded")


def test_the_keys_can_be_switched_off(sign_in: Callable[..., Desk]) -> None:
    desk = sign_in()
    scope = desk.new_scope()
    desk.decisions(scope, "Route 1 is closed", "Route 2 is closed")
    desk.page.goto(desk.url + "/help")
    desk.page.click("[data-action=keys-off]")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    ref = desk.open_card()
    desk.press("p")
    desk.page.wait_for_timeout(200)
    assert (desk.open_card(), desk.status(ref)) == (ref, "pending")


def test_everything_works_without_javascript(sign_in: Callable[..., Desk]) -> None:
    desk = sign_in(java_script_enabled=False)
    scope = desk.new_scope()
    first, second = desk.decisions(scope, "Route 1 is closed", "Route 2 is closed")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    ref = str(desk.page.locator("[data-ref]").first.get_attribute("data-ref"))
    desk.page.click("#open-card [data-action=promote]")
    assert desk.becomes(ref, "active")
    expect(desk.page.locator("[data-ref]").first).to_have_attribute("data-ref", ({first, second} - {ref}).pop())
    desk.page.click("#toast [data-action=undo]")
    assert desk.becomes(ref, "pending")


def test_a_key_that_came_as_the_card_appeared_decides_nothing(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.decisions(scope, *(f"Route {n} is closed" for n in range(4)))
    desk.page.goto(f"{desk.url}/?scope={scope}")
    first = desk.open_card()
    desk.page.wait_for_timeout(100)
    pressed = "key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))"
    desk.page.evaluate(f"() => {{ const press = {pressed}; press('p'); press('p'); press('r'); }}")
    second = desk.next_card(first)
    assert desk.becomes(first, "active")
    assert desk.open_card() == second and desk.status(second) == "pending"
    expect(desk.page.locator("#toast")).to_contain_text("Too fast for " + second)


def test_typing_ahead_decides_what_was_on_screen(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.decisions(scope, *(f"Route {n} is closed" for n in range(22)))
    desk.page.goto(f"{desk.url}/?scope={scope}")
    desk.page.wait_for_selector("#open-card .card[data-shown-at]")
    seen = desk.page.evaluate(THIRTY_MS_A_KEY, 60)
    desk.page.wait_for_function("() => window.outbox.idle")
    # The first key that came when a card had been on screen for as long as anybody needs to see it.
    meant = {ref: key for ref, key, could_be_seen in reversed(seen) if could_be_seen}
    decided = {
        claim["ref"]: key
        for key, status in (("p", "active"), ("r", "rejected"), ("d", "deferred"))
        for claim in desk.api("GET", f"/candidates?scope={scope}&status={status}&limit=50")["items"]
    }
    assert len(decided) > 5 and decided == meant
    assert desk.page.locator("#toast [data-keep=keys]").inner_text()


def test_ones_own_card_comes_back_in_another_window(desk: Desk, sign_in: Callable[..., Desk]) -> None:
    scope = desk.new_scope()
    refs = desk.decisions(scope, *(f"Route {n} is closed" for n in range(3)))
    desk.page.goto(f"{desk.url}/?scope={scope}")
    one = desk.open_card()
    other = sign_in()
    other.page.goto(f"{desk.url}/?scope={scope}")
    assert other.open_card() == one in refs


def test_keys_decide_what_is_ticked_and_shift_takes_a_range(desk: Desk) -> None:
    scope = desk.new_scope()
    refs = desk.proposed(scope, *(f"Bridge {n} stays open" for n in range(5)))
    desk.page.goto(f"{desk.url}/?scope={scope}")
    first = desk.open_card()
    boxes = desk.page.locator(".list input[name=refs]")
    boxes.nth(1).check()
    boxes.nth(3).click(modifiers=["Shift"])
    ticked = desk.page.eval_on_selector_all("input[name=refs]:checked", "all => all.map(b => b.value)")
    assert len(ticked) == 3 and first not in ticked
    expect(desk.page.locator("[data-action=promote-selected]")).to_have_text(re.compile(r"^\s*Promote\s+3\s*p\s*$"))
    desk.page.evaluate("document.activeElement.blur()")
    desk.press("p")
    assert all(desk.becomes(ref, "active") for ref in ticked)
    assert {desk.status(ref) for ref in refs if ref not in ticked} == {"pending"}
    desk.page.wait_for_selector("#toast :text('3 promoted')")
    desk.page.keyboard.press("*")
    desk.press("r")
    assert all(desk.becomes(ref, "rejected") for ref in refs if ref not in ticked)


def test_words_that_were_typed_are_what_is_promoted(desk: Desk) -> None:
    scope = desk.new_scope()
    refs = desk.proposed(scope, "The gate is red", "The fence is blue")
    for ref, key in zip(refs, ("Escape", "Enter"), strict=True):
        desk.page.goto(f"{desk.url}/?scope={scope}&card={ref}")
        desk.page.keyboard.press("e")
        desk.page.fill("#open-card textarea[name=statement]", f"It is green, says {key}")
        desk.page.keyboard.press(key)
        if key == "Escape":
            desk.press("p")
        assert desk.becomes(ref, "active")
        assert desk.api("GET", f"/candidates/{ref}")["statement"] == f"It is green, says {key}"


def test_a_draft_outlives_a_refusal_of_its_card(desk: Desk) -> None:
    scope = desk.new_scope()
    (ref, _) = desk.proposed(scope, "The barn is old", "The shed is new")
    desk.page.goto(f"{desk.url}/?scope={scope}&card={ref}")
    desk.page.keyboard.press("e")
    desk.page.fill("#open-card textarea[name=statement]", "The barn is older")
    desk.page.keyboard.press("Escape")
    desk.press("d")
    assert desk.becomes(ref, "deferred")
    desk.page.goto(f"{desk.url}/?scope={scope}&card={ref}")
    desk.page.click("#open-card [data-action=take-up]")
    expect(desk.page.locator("#open-card textarea[name=statement]")).to_have_value("The barn is older")
