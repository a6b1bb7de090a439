"""A network that goes away in the middle of a decision, a session that ends, a tab that is closed: nothing is lost or doubled."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser

ROUTES = [f"Route {n} is closed" for n in range(8)]
DECIDE = re.compile(r"/candidates/[^/]+/decide$")


def events(desk: Desk, ref: str) -> list[str]:
    """The verbs of a claim's journal, without how it came about."""
    found = [event["verb"] for event in desk.api("GET", f"/journal?ref={ref}")["items"]]
    return [verb for verb in found if verb not in ("propose", "see_again")]


def opened(desk: Desk, *words: str) -> str:
    scope = desk.new_scope()
    desk.proposed(scope, *words)
    desk.page.goto(f"{desk.url}/?scope={scope}")
    return scope


def shown(desk: Desk) -> str:
    """The open card, once it has been there for long enough to be decided."""
    desk.page.wait_for_selector("#open-card .card[data-shown-at]")
    return desk.open_card()


def kept(desk: Desk) -> list[str]:
    return list(desk.page.evaluate("Object.keys(localStorage).filter(name => /^(outbox|draft):/.test(name))"))


def all_sent(desk: Desk) -> None:
    desk.page.wait_for_function(
        "() => !Object.keys(localStorage).some(name => name.startsWith('outbox:'))", timeout=20000
    )


def test_without_a_network_one_goes_on_deciding_and_all_arrives(desk: Desk) -> None:
    opened(desk, *ROUTES[:5])
    shown(desk)
    desk.page.wait_for_function("() => document.querySelectorAll('template.ahead').length > 2")
    desk.page.context.set_offline(True)
    decided = []
    for key in "prp":
        decided.append((desk.open_card(), key))
        desk.press(key)
        desk.next_card(decided[-1][0])
    desk.page.wait_for_selector("#toast [data-action=send-now]")
    expect(desk.page.locator("#toast")).to_contain_text("Offline: 3 decisions wait")
    assert {desk.status(ref) for ref, _ in decided} == {"pending"}
    desk.page.context.set_offline(False)
    all_sent(desk)
    assert [events(desk, ref) for ref, _ in decided] == [["promote"], ["reject"], ["promote"]]
    desk.page.wait_for_function("() => !document.querySelector('#toast [data-action=send-now]')")


def test_a_reload_without_a_network_loses_no_decision(desk: Desk) -> None:
    scope = opened(desk, *ROUTES[:3])
    first = shown(desk)
    desk.page.route(DECIDE, lambda route: route.abort())
    desk.press("p")
    second = desk.next_card(first)
    desk.page.wait_for_selector("#toast [data-action=send-now]")
    desk.page.on("dialog", lambda dialog: dialog.accept())
    desk.page.unroute(DECIDE)
    desk.page.goto(f"{desk.url}/?scope={scope}")
    assert desk.becomes(first, "active") and events(desk, first) == ["promote"]
    assert desk.next_card(first) == second, "what was decided before the reload is not shown again"
    all_sent(desk)


@pytest.mark.parametrize("key", ["p", "r", "d"])
def test_an_answer_that_is_lost_doubles_nothing(desk: Desk, key: str) -> None:
    opened(desk, *ROUTES[:3])
    first = shown(desk)
    answers: list[int] = []

    def lost(route: Route) -> None:
        answer = route.fetch()
        answers.append(answer.status)
        if len(answers) == 1:
            route.abort()
        else:
            route.fulfill(response=answer)

    desk.page.route(DECIDE, lost)
    desk.press(key)
    all_sent(desk)
    verb = {"p": "promote", "r": "reject", "d": "defer"}[key]
    assert answers == [200, 200] and events(desk, first) == [verb]
    expect(desk.page.locator("#toast")).to_contain_text(f"{first} ")
    expect(desk.page.locator("#toast")).to_contain_text("Undo")


def test_a_server_that_is_away_for_a_while_is_asked_again(desk: Desk) -> None:
    opened(desk, *ROUTES[:2])
    first = shown(desk)
    answers = iter([503, 502])

    def away(route: Route) -> None:
        status = next(answers, None)
        route.fulfill(status=status, body="away") if status else route.continue_()

    desk.page.route(DECIDE, away)
    desk.press("r")
    all_sent(desk)
    assert desk.status(first) == "rejected" and events(desk, first) == ["reject"]


def test_an_edit_whose_answer_is_lost_keeps_what_was_typed_and_is_saved_once(desk: Desk) -> None:
    opened(desk, *ROUTES[:2])
    first = shown(desk)
    lose = [True]

    def lost(route: Route) -> None:
        answer = route.fetch()
        route.abort() if lose.pop() else route.fulfill(response=answer)
        lose.append(False)

    desk.page.route(DECIDE, lost)
    desk.page.keyboard.press("e")
    desk.page.keyboard.type("Route 0 is closed for good")
    desk.page.click("#open-card [data-action=save]")
    desk.page.wait_for_function("() => document.querySelector('#toast').innerText.includes('did not answer')")
    expect(desk.page.locator("#open-card textarea[name=statement]")).to_have_value("Route 0 is closed for good")
    desk.page.click("#open-card [data-action=save]")
    desk.page.wait_for_selector("#toast [data-action=undo]")
    assert events(desk, first) == ["edit"] and kept(desk) == []


def test_what_was_typed_outlives_a_closed_tab_and_goes_when_it_is_saved(desk: Desk) -> None:
    scope = opened(desk, *ROUTES[:2])
    first = shown(desk)
    desk.page.keyboard.press("e")
    desk.page.keyboard.type("Half a sen")
    desk.page.click("#open-card form.edit .more > summary")
    desk.page.fill("#open-card form.edit [name=topic]", "roads")
    desk.page.close()
    desk.page = desk.page.context.new_page()
    desk.page.goto(f"{desk.url}/?scope={scope}&card={first}")
    desk.page.click("#open-card [data-action=take-up]")
    expect(desk.page.locator("#open-card textarea[name=statement]")).to_have_value("Half a sen")
    expect(desk.page.locator("#open-card form.edit [name=topic]")).to_have_value("roads")
    desk.page.click("#open-card [data-action=save]")
    desk.page.wait_for_selector("#toast [data-action=undo]")
    assert desk.api("GET", f"/candidates/{first}")["statement"] == "Half a sen" and kept(desk) == []


def test_a_draft_of_an_older_version_is_shown_beside_what_is_saved_now(desk: Desk) -> None:
    scope = opened(desk, *ROUTES[:2])
    first = shown(desk)
    desk.page.keyboard.press("e")
    desk.page.keyboard.type("Mine")
    desk.api("PATCH", f"/candidates/{first}", {"statement": "Theirs"})
    desk.page.goto(f"{desk.url}/candidates/{first}")
    expect(desk.page.locator(".draft")).to_contain_text("It has changed since")
    desk.page.click("[data-action=take-up]")
    expect(desk.page.locator(".field-now")).to_contain_text("Saved meanwhile: Theirs")
    desk.page.reload()
    desk.page.click("[data-action=throw-away]")
    assert kept(desk) == []
    desk.page.goto(f"{desk.url}/?scope={scope}&card={first}")
    desk.page.wait_for_selector("#open-card .statement")
    expect(desk.page.locator(".draft")).to_have_count(0)


def test_drafts_go_on_signing_out(sign_in: Callable[..., Desk]) -> None:
    desk = sign_in()
    opened(desk, *ROUTES[:1])
    desk.page.keyboard.press("e")
    desk.page.keyboard.type("Not for the next one here")
    assert len(kept(desk)) == 1
    desk.page.click(".who summary")
    desk.page.click(".who form button")
    desk.page.wait_for_url(f"{desk.url}/login/**")
    assert kept(desk) == []


def test_a_session_that_ended_keeps_what_was_typed(desk: Desk) -> None:
    opened(desk, *ROUTES[:2])
    first = shown(desk)
    cookies: Any = desk.page.context.cookies()
    desk.page.keyboard.press("e")
    desk.page.keyboard.type("Typed before it ended")
    desk.page.context.clear_cookies(name="sessionid")
    desk.page.click("#open-card [data-action=save]")
    desk.page.wait_for_selector("#toast a[href='/login/']")
    expect(desk.page.locator("#open-card textarea[name=statement]")).to_have_value("Typed before it ended")
    assert len(kept(desk)) == 1
    desk.page.context.add_cookies(cookies)
    desk.page.click("#open-card [data-action=save]")
    desk.page.wait_for_selector("#toast [data-action=undo]")
    assert desk.api("GET", f"/candidates/{first}")["statement"] == "Typed before it ended"


def test_without_javascript_a_session_that_ended_keeps_it_too(sign_in: Callable[..., Desk], up_instance: Any) -> None:
    desk = sign_in(java_script_enabled=False)
    scope = opened(desk, *ROUTES[:2])
    first = str(desk.page.locator("[data-ref]").first.get_attribute("data-ref"))
    desk.page.click("#open-card details.in-place summary")
    desk.page.fill("#open-card textarea[name=statement]", "Typed by hand")
    desk.page.context.clear_cookies(name="sessionid")
    desk.page.click("#open-card [data-action=save]")
    expect(desk.page.locator("main")).to_contain_text("Typed by hand")
    desk.page.fill("input[name=username]", up_instance.said["user"])
    desk.page.fill("input[name=password]", up_instance.said["password"])
    desk.page.click("[data-action=sign-in-again]")
    expect(desk.page.locator("#open-card textarea[name=statement]")).to_have_value("Typed by hand")
    desk.api("PATCH", f"/candidates/{first}", {"statement": "Somebody was faster"})
    desk.page.click("#open-card [data-action=save]")
    expect(desk.page.locator(".refusal")).to_contain_text("It changed while you had it open")
    expect(desk.page.locator("#open-card textarea[name=statement]")).to_have_value("Typed by hand")
    desk.page.click("#open-card [data-action=save]")
    expect(desk.page.locator(".refusal")).to_have_count(0)
    expect(desk.page).to_have_url(re.compile("^" + re.escape(f"{desk.url}/?scope={scope}")))
    assert desk.api("GET", f"/candidates/{first}")["statement"] == "Typed by hand"


def test_what_is_sent_says_whose_page_it_comes_from(desk: Desk) -> None:
    """The session's cookie may be another's by the time it is sent; the server refuses it then."""
    opened(desk, *ROUTES[:2])
    shown(desk)
    with desk.page.expect_request(DECIDE) as sent:
        desk.press("p")
    user = desk.page.evaluate("document.body.dataset.user")
    assert user and f"reader={user}" in (sent.value.post_data or "")


@pytest.mark.parametrize("way", ["button", "key"])
def test_an_undo_outruns_the_desk_that_is_still_on_its_way(desk: Desk, way: str) -> None:
    """Behind the last card the desk is asked for anew; what it said before the undo must not stand there after it."""
    opened(desk, ROUTES[0])
    only = shown(desk)
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held or "/?" not in route.request.url or "hx-request" not in route.request.headers:
            route.fallback()
            return
        held.append(route)

    def overtaken(route: Route) -> None:
        held[0].fulfill(body=said_before, content_type="text/html")
        desk.page.wait_for_timeout(200)
        route.fallback()

    desk.page.route("**/*", hold)
    desk.page.route(re.compile(r"/undo$"), overtaken)
    desk.press("r")
    desk.page.wait_for_selector("#toast [data-action=undo]")
    said_before = desk.page.request.get(held[0].request.url, headers={"HX-Request": "true"}).body()
    if way == "button":
        desk.page.click("#toast [data-action=undo]")
    else:
        desk.press("u")
    desk.page.wait_for_selector("#open-card .card[data-shown-at]:not([data-sent])", timeout=15_000)
    assert desk.open_card() == only and desk.status(only) == "pending" and desk.complaints == []
