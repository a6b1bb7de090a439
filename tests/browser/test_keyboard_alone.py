"""Every control by Tab alone, in sight and ringed; and the flow past the queue: settle, curate, why, admin."""

import secrets
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Desk
from tests.browser.screens import COLLEAGUE, screens

pytestmark = pytest.mark.browser

SIZES: list[dict[str, Any]] = [
    {"viewport": {"width": 1280, "height": 800}},
    {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
    {"viewport": {"width": 360, "height": 740}},
]
# Radio buttons of one name are one stop; a field of a date has several of its own.
CONTROLS = """() => {
    const radios = new Set();
    const all = document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary');
    return [...all].filter(e => !e.disabled && e.checkVisibility({visibilityProperty: true}) && e.tabIndex >= 0).filter(e => {
        if (e.type !== 'radio') return true;
        const one = (e.form ? e.form.action : '') + e.name;
        return radios.has(one) ? false : radios.add(one);
    }).map((e, at) => { e.dataset.stop = at; return e.outerHTML.slice(0, 120); });
}"""
FOCUS = """() => {
    const e = document.activeElement;
    if (!e || e === document.body) return null;
    const shown = e.matches('.chip input') ? e.nextElementSibling : e;
    const box = shown.getClientRects()[0] || shown.getBoundingClientRect();
    const style = getComputedStyle(shown);
    // Of a tall field as much as the window shows.
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    const enough = bottom - top >= Math.min(box.height, 20) - 2;
    const at = enough && document.elementFromPoint(box.left + Math.min(box.width, innerWidth) / 2, (top + bottom) / 2);
    const group = e.type === 'radio' ? document.querySelector(`input[type=radio][name="${e.name}"][data-stop]`) : e;
    return {
        stop: group && group.dataset.stop !== undefined ? Number(group.dataset.stop) : null,
        ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
        seen: Boolean(at) && (shown.contains(at) || at.contains(shown)),
        what: e.outerHTML.slice(0, 120),
    };
}"""


# What axe has looked at in test_axe.py, each by Tab at one of the sizes.
NEWER = (
    "send", "agreements", "agreement", "workspace", "items", "item", "catalogue", "catalogue_item", "observer", "calendar",
    "waves", "wave", "propose_from", "search", "sources", "record", "second_factor", "sign_ins", "webhooks", "chats",
    "tidying", "mentions",
)  # fmt: skip


def tabbed(desk: Desk, most: int = 400) -> None:
    """Tab through the page once: every control is reached, in the order it is read, ringed and not covered."""
    page = desk.page
    controls = page.evaluate(CONTROLS)
    assert len(controls) > 10
    stops: list[int] = []
    faults: list[str] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        here = page.evaluate(FOCUS)
        if here is None:
            break
        if here["stop"] is None or here["stop"] in stops:
            if here["stop"] is not None and stops[-1] != here["stop"]:
                break
            continue
        stops.append(here["stop"])
        faults += [f"{fault}: {here['what']}" for fault in ("ring", "seen") if not here[fault]]
    missed = [controls[at] for at in range(len(controls)) if at not in stops]
    assert (missed, faults) == ([], []), page.url
    assert stops == sorted(stops), page.url


def tab_to(desk: Desk, selector: str, most: int = 250) -> None:
    """To the first control of the kind that Tab comes to; raises AssertionError where it never does."""
    for _ in range(most):
        desk.page.keyboard.press("Tab")
        if desk.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"no way to {selector} with Tab alone on {desk.page.url}")


def pressed(desk: Desk, selector: str, key: str = "Enter") -> None:
    """To a control and press it; waits for the page that answers."""
    tab_to(desk, selector)
    with desk.page.expect_navigation():
        desk.page.keyboard.press(key)


def rivals(desk: Desk, scope: str) -> tuple[str, str, int]:
    """Two claims that cannot both be true, and the number of their conflict."""
    one, other = desk.proposed(scope, "The lift carries 200 kg", "The lift carries 250 kg", key="lift.load")
    for ref in (one, other):
        desk.api("POST", f"/candidates/{ref}/promote", {"on_conflict": "coexist"})
    (conflict,) = desk.api("GET", f"/conflicts?scope={scope}")["items"]
    return one, other, int(conflict["id"])


@pytest.mark.parametrize("size", SIZES, ids=["desk", "zoomed", "phone"])
def test_every_control_is_reached_in_order_in_sight_and_ringed(
    sign_in: Callable[..., Desk], size: dict[str, Any]
) -> None:
    desk = sign_in(**size, reduced_motion="reduce")
    scope = desk.new_scope()
    desk.proposed(scope, "The lift is broken", "The stairs are wet", "The stairs are steep")
    one, _, conflict = rivals(desk, scope)
    for path in (
        f"/?scope={scope}", f"/entities/{one}", f"/entities?scope={scope}", f"/state?scope={scope}",
        f"/conflicts/{conflict}", f"/scopes/{scope}", f"/journal?scope={scope}", "/insights", "/help",
    ):  # fmt: skip
        desk.page.goto(desk.url + path)
        tabbed(desk)
    shown = screens(desk)
    for name in NEWER[SIZES.index(size) :: len(SIZES)]:
        desk.page.goto(desk.url + shown[name])
        tabbed(desk)
    assert desk.complaints == []


def test_the_skip_link_leads_past_the_menu(desk: Desk) -> None:
    for path in ("/", "/entities", "/journal"):
        desk.page.goto(desk.url + path)
        desk.page.keyboard.press("Tab")
        desk.page.keyboard.press("Enter")
        desk.page.keyboard.press("Tab")
        assert desk.page.evaluate("document.querySelector('main').contains(document.activeElement)"), path


def test_snooze_settle_curate_why_and_admin_by_keyboard_alone(desk: Desk) -> None:
    page = desk.page
    scope = desk.new_scope()
    (snoozed,) = desk.proposed(scope, "The lift is broken")
    one, other, conflict = rivals(desk, scope)
    page.goto(f"{desk.url}/?scope={scope}")
    page.wait_for_selector("#open-card .card[data-shown-at]")
    tab_to(desk, "#open-card select[name=until]")
    page.keyboard.press("ArrowDown")
    tab_to(desk, "#open-card [data-action=edit]")
    for _ in range(2):
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert desk.becomes(snoozed, "deferred")

    page.goto(f"{desk.url}/conflicts/{conflict}")
    tab_to(desk, f"[data-ref='{one}'] input[name=reason]")
    page.keyboard.type("weighed again")
    pressed(desk, "[data-action=resolve]")
    assert desk.becomes(other, "superseded")

    page.goto(f"{desk.url}/state?scope={scope}")
    for name, words in (("key", "lift.load"), ("statement", "The lift carries 200 kg."), ("cites", one)):
        tab_to(desk, f"main form [name={name}]")
        page.keyboard.type(words)
    pressed(desk, "[data-action=curate]")
    (held,) = desk.api("GET", f"/state?scope={scope}")["items"]
    assert held["cites"] == [one]

    page.goto(f"{desk.url}/state/{held['ref']}")
    pressed(desk, "a[data-quote]")
    expect(page.locator("mark:target")).to_contain_text("The lift carries 200 kg")
    assert desk.complaints == []


def test_an_action_in_the_admin_by_keyboard_alone(desk: Desk) -> None:
    page = desk.page
    scope = desk.new_scope()
    (ref,) = desk.proposed(scope, f"The lift is {secrets.token_hex(4)}")
    page.goto(f"{desk.url}/admin/ledger/candidate/?q={ref}")
    tab_to(desk, "tbody input.action-select")
    page.keyboard.press("Space")
    tab_to(desk, "select[name=action]")
    page.keyboard.type("Promote")
    pressed(desk, "button[name=index], .actions button[type=submit], .actions button")
    pressed(desk, "[data-action=sure]")
    assert desk.becomes(ref, "active")


def test_the_flow_past_the_queue_without_javascript(sign_in: Callable[..., Desk]) -> None:
    desk = sign_in(java_script_enabled=False)
    page = desk.page
    scope = desk.new_scope()
    first, second = desk.proposed(scope, "The lift is broken", "The stairs are wet")
    page.goto(f"{desk.url}/?scope={scope}&card={first}")
    page.select_option("#open-card select[name=until]", "tomorrow")
    page.click("#open-card [data-action=defer]")
    assert desk.becomes(first, "deferred")
    page.goto(f"{desk.url}/?scope={scope}&status=deferred")
    assert page.locator("#open-card .card").get_attribute("data-ref") == first
    page.goto(f"{desk.url}/?scope={scope}")
    page.check(f"#desk input[name=refs][value='{second}']")
    page.click("[data-action=promote-selected]")
    assert desk.becomes(second, "active")

    one, other, conflict = rivals(desk, scope)
    page.goto(f"{desk.url}/conflicts/{conflict}")
    page.locator(f"[data-ref='{one}'] [data-action=resolve]").click()
    assert desk.becomes(other, "superseded")
    page.goto(f"{desk.url}/state?scope={scope}")
    page.fill("main form [name=key]", "lift.load")
    page.fill("main form [name=statement]", "The lift carries 200 kg.")
    page.fill("main form [name=cites]", one)
    desk.send("[data-action=curate]")
    (held,) = desk.api("GET", f"/state?scope={scope}")["items"]
    page.goto(f"{desk.url}/state/{held['ref']}")
    page.locator("a[data-quote]").first.click()
    expect(page.locator("mark").first).to_contain_text("The lift carries 200 kg")

    (last,) = desk.proposed(scope, "The roof leaks")
    page.goto(f"{desk.url}/admin/ledger/candidate/?q={last}")
    page.check("tbody input.action-select")
    page.select_option("select[name=action]", "reject_selected")
    page.get_by_role("button", name="Run").click()
    desk.send("[data-action=sure]")
    assert desk.becomes(last, "rejected")


# A button that needs a script, on a page without one, does nothing.
IDLE = """() => [...document.querySelectorAll('button, input[type=submit], a')]
  .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.disabled)
  .filter(e => e.matches('a') ? !e.getAttribute('href') : e.type === 'button' || !e.form).map(e => e.outerHTML.slice(0, 120))"""


def test_newer_screens_without_javascript(sign_in: Callable[..., Desk]) -> None:
    """Nothing on them waits for a script; a text is sent, a card handed over, a turn kept, a thing named, a sample judged."""
    desk = sign_in(java_script_enabled=False)
    page = desk.page
    shown = screens(desk)
    for name in NEWER:
        page.goto(desk.url + shown[name])
        expect(page.locator("h1"), name).to_have_count(1)
        assert page.evaluate(IDLE) == [], name
    page.goto(desk.url + shown["send"])
    form = page.locator("form:has([data-action=paste])")
    scope = f"place-{secrets.token_hex(3)}"
    form.locator("[name=new_scope]").fill(scope)
    form.locator("[name=text]").fill("Decision: The lamp is moved to the porch")
    form.locator("[data-action=paste]").click()
    page.wait_for_url("**/waves/**")
    (ref,) = desk.proposed(scope, "The porch is swept daily")
    page.goto(f"{desk.url}/candidates/{ref}")
    page.locator("summary", has_text="Hand over to a colleague").click()
    page.fill(".hand-over [name=to]", COLLEAGUE)
    page.fill(".hand-over [name=reason]", "You know the porch")
    desk.send("[data-action=hand_over]")
    assert desk.api("GET", f"/candidates/{ref}")["handed_to"]["to"] == COLLEAGUE
    page.goto(f"{desk.url}/workspace/{scope}")
    page.fill("textarea[name=free_chat]", "The porch gets two lamps.")
    page.locator("button[type=submit]", has_text="Keep this turn").click()
    expect(page.locator(".turns")).to_contain_text("The porch gets two lamps.")
    page.goto(f"{desk.url}/catalogue?scope={scope}")
    page.locator("summary", has_text="A new item").click()
    page.locator("form:has([data-action=add-item]) [name=name]").fill("Porch lamp")
    page.click("[data-action=add-item]")
    expect(page.locator("a", has_text="Porch lamp")).to_have_count(1)
    page.goto(desk.url + shown["agreement"])
    judged = page.locator(".lead").inner_text()
    page.click("[data-action^=judge-]")
    expect(page.locator(".lead")).not_to_have_text(judged)
