"""The card by keyboard alone, enlarged, on a phone and without JavaScript; and two people who never decide the same one."""

import re
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Desk
from tests.browser.exactness import send
from tests.whole import Instance

pytestmark = pytest.mark.browser

SECOND = """
from django.contrib.auth.models import User
from ledger.models import Member, Scope
user = User.objects.create_user({name!r}, password={password!r})
Member.objects.create(scope=Scope.objects.get(path="global"), user=user, role="reviewer")
"""
HOSTILE = [
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"></h2></article>",
    "\u202eturned round and never closed \u2066 by anybody",
    "w" * 300 + " is a very long word",
    "שלום עולם, هذا نص من اليمين إلى اليسار 123 (abc)",
    "<style>*{display:none!important}</style><div style='position:fixed;inset:0'>",
    "{{ 7|add:7 }} {% now 'Y' %} ${7*7} &lt;b&gt; &amp;#13;",
]


@pytest.fixture
def second(desk: Desk, sign_in: Callable[..., Desk], up_instance: Instance) -> Iterator[Desk]:
    """Another reviewer at another browser."""
    name, password = "rita-" + secrets.token_hex(3), secrets.token_urlsafe(12)
    made = up_instance.manage("shell", "-c", SECOND.format(name=name, password=password))
    assert made.returncode == 0, made.stderr
    other = sign_in(viewport={"width": 1280, "height": 900})
    other.page.context.clear_cookies()
    other.page.goto(other.url + "/login/")
    other.page.fill("input[name=username]", name)
    other.page.fill("input[name=password]", password)
    other.page.keyboard.press("Enter")
    other.page.wait_for_url(other.url + "/")
    yield other


def shown(desk: Desk) -> str:
    desk.page.wait_for_selector("#open-card .card[data-shown-at]")
    return desk.open_card()


def statuses(desk: Desk, refs: list[str]) -> list[str]:
    return [desk.status(ref) for ref in refs]


def focused(desk: Desk) -> str:
    return str(desk.page.evaluate("document.activeElement.dataset.action || document.activeElement.name || ''"))


# The card lies open, everything that was decided has arrived, and nothing that would take the card away is on its way.
AT_REST = """ref => {
  const card = document.querySelector('#open-card .card[data-shown-at]');
  return card?.dataset.ref === ref && window.outbox.idle && !document.querySelector('.htmx-request');
}"""


def tab_to(desk: Desk, action: str, most: int = 60) -> None:
    for _ in range(most):
        desk.page.keyboard.press("Tab")
        if focused(desk) == action:
            return
    raise AssertionError(f"no way to {action} with Tab alone")


def test_fifty_by_keyboard_with_one_key_each(desk: Desk) -> None:
    scope = desk.new_scope()
    refs = desk.proposed(scope, *(f"Panel {n} is of oak" for n in range(51)))
    desk.page.goto(f"{desk.url}/?scope={scope}")
    decided: dict[str, str] = {}
    for at in range(50):
        ref = shown(desk)
        decided[ref] = "prpd"[at % 4]
        desk.press(decided[ref])
        desk.next_card(ref)
    assert len(decided) == 50 and set(decided) < set(refs)
    desk.page.wait_for_function("() => !Object.keys(localStorage).some(name => name.startsWith('outbox:'))")
    expected = {"p": "active", "r": "rejected", "d": "deferred"}
    found = {}
    for status in expected.values():
        found |= {
            c["ref"]: status for c in desk.api("GET", f"/candidates?scope={scope}&status={status}&limit=200")["items"]
        }
    assert found == {ref: expected[key] for ref, key in decided.items()}
    verbs: list[str] = []
    after: str | None = ""
    while after is not None:
        page = desk.api("GET", f"/journal?scope={scope}&limit=200{after}")
        verbs += [event["verb"] for event in page["items"] if event["verb"] in ("promote", "reject", "defer")]
        after = f"&after={page['next']}" if page["next"] and page["items"] else None
    assert sorted(verbs) == sorted({"p": "promote", "r": "reject", "d": "defer"}[key] for key in decided.values())
    assert desk.complaints == []


def test_two_reviewers_at_once_never_decide_the_same_card(desk: Desk, second: Desk) -> None:
    scope = desk.new_scope()
    refs = desk.proposed(scope, *(f"Panel {n} is of oak" for n in range(24)))
    for one in (desk, second):
        one.page.goto(f"{one.url}/?scope={scope}")
    by: dict[str, list[str]] = {"first": [], "second": []}
    for _ in range(8):
        for name, one in (("first", desk), ("second", second)):
            ref = shown(one)
            by[name].append(ref)
            one.press("p" if name == "first" else "r")
            one.next_card(ref)
    both = by["first"] + by["second"]
    assert len(set(both)) == 16 and set(both) <= set(refs)
    assert all(desk.becomes(ref, "active") for ref in by["first"])
    assert all(desk.becomes(ref, "rejected") for ref in by["second"])
    assert desk.complaints == [] and second.complaints == []


def test_similar_ones_by_one_key_and_back_by_one(desk: Desk) -> None:
    scope = desk.new_scope()
    refs = desk.proposed(scope, *(f"The shelf is {n} m wide" for n in range(3)), key="shelf")
    (other,) = desk.proposed(scope, "Something else")
    desk.page.goto(f"{desk.url}/?scope={scope}&card={refs[0]}")
    shown(desk)
    desk.page.keyboard.press("s")
    expect(desk.page.locator("[data-similar-said]")).to_contain_text("2 more are decided together")
    expect(desk.page.locator("#open-card [data-action=promote]")).to_contain_text("Promote 3")
    desk.press("r")
    assert desk.next_card(refs[0]) == other, "what was decided together is not shown as the next one"
    desk.page.wait_for_selector("#toast [data-action=undo]")
    assert statuses(desk, refs) == ["rejected"] * 3
    desk.page.keyboard.press("u")
    desk.page.wait_for_function(
        "ref => document.querySelector('#open-card [data-ref]')?.dataset.ref === ref", arg=refs[0]
    )
    assert statuses(desk, refs) == ["pending"] * 3
    shown(desk)
    desk.page.keyboard.press("s")
    desk.press("m")
    desk.page.wait_for_function("() => document.querySelector('#toast').innerText.includes('2 merged')")
    assert statuses(desk, refs) == ["pending", "merged", "merged"] and desk.open_card() == refs[0]


def test_a_place_is_chosen_by_its_number(desk: Desk) -> None:
    scope = desk.new_scope()
    told = {"scope": scope, "kind": "message", "sender": "Maud", "sender_kind": "user", "extract": False}
    source = desk.api("POST", "/sources", {**told, "text": "the oak is dry, they say: the oak is dry."})["source"]
    evidence = [{"source": source["id"], "quote": "the oak is dry"}]
    (ref,) = desk.proposed(scope, "The oak is dry", evidence=evidence)
    desk.page.goto(f"{desk.url}/?scope={scope}")
    shown(desk)
    desk.press("2")
    desk.page.wait_for_function("() => !document.querySelector('#open-card .places')")
    row = desk.api("GET", f"/candidates/{ref}")
    assert row["anchors_to_choose"] == [] and row["evidence"][-1]["start"] == 26 and row["status"] == "pending"


def test_enter_and_backspace_decide_nothing(desk: Desk) -> None:
    scope = desk.new_scope()
    refs = desk.proposed(scope, *(f"The shelf is {n} m wide" for n in range(3)), key="shelf")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    shown(desk)
    places = [
        "#open-card .statement", "#open-card input[name=also] >> nth=0", "#open-card [data-reason='1']",
        ".list input[name=refs] >> nth=0", "#open-card form.merge [name=into]", "#open-card form.decide [name=reason]",
    ]  # fmt: skip
    desk.page.evaluate("document.querySelectorAll('#open-card details').forEach(one => { one.open = true; })")
    for place in places:
        desk.page.focus(place)
        for key in ("Enter", "Backspace", "Delete", " "):
            desk.page.keyboard.press(key)
    desk.page.wait_for_timeout(400)
    assert statuses(desk, refs) == ["pending"] * 3


@pytest.mark.parametrize("size", ["zoomed", "phone"])
def test_the_whole_flow_by_keyboard_alone(sign_in: Callable[..., Desk], size: str) -> None:
    """At 200 % zoom and at 360 px: decide, give a reason, edit, choose a similar one, undo, without the mouse or a key of ours."""
    zoomed = {"viewport": {"width": 640, "height": 450}, "device_scale_factor": 2}
    desk = sign_in(**(zoomed if size == "zoomed" else {"viewport": {"width": 360, "height": 740}, "has_touch": True}))
    scope = desk.new_scope()
    first, second = desk.proposed(scope, "The shelf is 1 m wide", "The shelf is 2 m wide", key="shelf")
    desk.page.goto(f"{desk.url}/?scope={scope}&card={first}")
    shown(desk)
    desk.page.focus("#open-card .statement")
    tab_to(desk, "also")
    desk.page.keyboard.press("Space")
    tab_to(desk, "reject")
    desk.page.keyboard.press("Enter")
    assert desk.becomes(second, "rejected") and desk.becomes(first, "rejected")
    desk.page.wait_for_selector("#toast [data-action=undo]")
    tab_to(desk, "undo", most=120)
    desk.page.keyboard.press("Enter")
    assert desk.becomes(first, "pending") and desk.becomes(second, "pending")
    desk.page.wait_for_function(AT_REST, arg=first)
    tab_to(desk, "edit")
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_function("() => document.activeElement.name === 'statement'")
    ref = desk.open_card()
    desk.page.keyboard.type("The shelf is broad")
    assert desk.page.input_value("#open-card form.edit [name=statement]") == "The shelf is broad"
    tab_to(desk, "save")
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_function("() => document.querySelector('#toast').innerText.includes('edited')")
    assert desk.api("GET", f"/candidates/{ref}")["statement"] == "The shelf is broad"
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= desk.page.viewport_size["width"]  # type: ignore[index]
    if size == "phone":
        small = "all => all.filter(b => b.offsetParent && b.getBoundingClientRect().height < 44).map(b => b.innerText)"
        assert (
            desk.page.eval_on_selector_all("#open-card .decide .buttons button, #open-card .decide .button", small)
            == []
        )
    assert desk.complaints == []


def test_the_whole_flow_without_javascript(sign_in: Callable[..., Desk]) -> None:
    desk = sign_in(java_script_enabled=False)
    scope = desk.new_scope()
    first, second, third = desk.proposed(scope, *(f"The shelf is {n} m wide" for n in range(3)), key="shelf")
    desk.page.goto(f"{desk.url}/?scope={scope}&card={first}")
    desk.page.check(f"#open-card input[name=also][value='{second}:1']")
    desk.page.click("#open-card [data-action=defer]")
    assert statuses(desk, [first, second, third]) == ["deferred", "deferred", "pending"]
    desk.page.click("#toast [data-action=undo]")
    assert statuses(desk, [first, second, third]) == ["pending"] * 3
    desk.page.goto(f"{desk.url}/?scope={scope}&card={third}")
    desk.page.click("#open-card details.in-place summary")
    desk.page.click("#open-card form.edit .more > summary")
    desk.page.fill("#open-card form.edit [name=topic]", "shelves")
    desk.page.click("#open-card [data-action=save]")
    desk.api("PATCH", f"/candidates/{third}", {"tags": ["wood"]})
    desk.page.click("#open-card [data-action=reject]")
    expect(desk.page.locator(".refusal")).to_contain_text("What changed since you opened it")
    desk.page.click(".refusal [data-action=choose] >> nth=0")
    assert desk.becomes(third, "rejected")


def test_text_from_sources_can_neither_inject_nor_break_the_layout(sign_in: Callable[..., Desk]) -> None:
    desk = sign_in(viewport={"width": 360, "height": 740})
    scope = desk.new_scope()
    refs: list[str] = []
    sources: list[int] = []
    for words in HOSTILE:
        told: dict[str, Any] = {"scope": scope, "kind": "document", "title": words[:150], "sender": words[:100]}
        source = desk.api("POST", "/sources", {**told, "text": f"Before. {words}\nAfter.", "extract": False})["source"]
        sources.append(source["id"])
        evidence = [{"source": source["id"], "quote": words}]
        body = {"topic": words[:100], "tags": [words[:50]], "assignee": words[:90], "value": words[:90]}
        refs += desk.proposed(scope, words, evidence=evidence, **body)
        desk.api("POST", f"/candidates/{refs[-1]}/reject", {"reason": words})
        desk.api("POST", f"/candidates/{refs[-1]}/reopen", {"reason": words})
    pages = [f"/?scope={scope}&card={ref}" for ref in refs] + [f"/candidates/{ref}" for ref in refs]
    for path in [*pages, *(f"/sources/{pk}" for pk in sources)]:
        desk.page.goto(desk.url + path)
        assert desk.page.title() != "owned", path
        assert desk.page.evaluate("document.documentElement.scrollWidth") <= 360, path
        hostile = desk.page.locator("main script, main style, main [style], main [onerror], main img")
        expect(hostile, path).to_have_count(0)
        assert desk.page.is_visible("h1, h2"), path
    for ref, words in zip(refs, HOSTILE, strict=True):
        desk.page.goto(f"{desk.url}/?scope={scope}&card={ref}")
        assert desk.page.eval_on_selector("#open-card .statement", "e => e.textContent") == words
        desk.page.keyboard.press("e")
        expect(desk.page.locator("#open-card textarea[name=statement]")).to_have_value(words)
        desk.api("PATCH", f"/candidates/{ref}", {"topic": "another"})
        desk.page.click("#open-card [data-action=save]")
        desk.page.wait_for_selector(".refusal")
        assert desk.page.title() != "owned" and desk.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert all(re.search("422|409", line) for line in desk.complaints), desk.complaints


def test_a_quote_leads_to_its_claims_and_a_card_to_its_place(desk: Desk) -> None:
    scope = desk.new_scope()
    text = "x " * 120_000 + "the oak is dry and the hall is cold" + " y" * 1000
    told = {"scope": scope, "kind": "document", "title": "Long", "text": text, "extract": False}
    source = desk.api("POST", "/sources", told)["source"]["id"]
    refs = []
    for words in ("the oak is dry and the hall", "the hall is cold", "the hall"):
        refs += desk.proposed(scope, f"It says {words}", evidence=[{"source": source, "quote": words}])
    desk.page.goto(f"{desk.url}/candidates/{refs[0]}")
    desk.page.click("section.source [data-action=source]")
    desk.page.wait_for_selector("#source-text mark[data-lit]")
    expect(desk.page).to_have_url(re.compile("from="))
    expect(desk.page.locator("#source-text mark[data-lit]").first).to_be_visible()
    box = desk.page.locator("#source-text mark[data-lit]").first.bounding_box()
    assert box is not None and 0 <= box["y"] <= 900, "the page has gone to the words"
    desk.page.locator("#source-text mark").last.click()
    lit = desk.page.eval_on_selector_all(
        ".cites li[data-lit] a[href^='/candidates/']", "all => all.map(a => a.innerText)"
    )
    assert len(lit) >= 1
    desk.page.locator("#source-text mark mark mark, #source-text mark mark").first.click()
    lit = desk.page.eval_on_selector_all(
        ".cites li[data-lit] a[href^='/candidates/']", "all => all.map(a => a.innerText)"
    )
    assert len(lit) >= 2, "where quotes overlap all are shown"


def test_a_quote_far_down_its_window_is_in_sight_on_every_card(desk: Desk, up_instance: Instance) -> None:
    """Many short lines stand before it; whatever way the card came, its box is scrolled to the words and the page is not."""
    scope = desk.new_scope()
    lines = "".join(f"line {number}\n" for number in range(30))
    said = ["The base is welded", "The arm is bolted"]
    for source, words in zip(send(desk, scope, [lines + words for words in said]), said, strict=True):
        quote = {"source": source["id"], "quote": words, "start": len(lines), "end": len(lines) + len(words)}
        new = {"scope": scope, "kind": "decision", "statement": words, "evidence": [quote]}
        desk.api("POST", "/candidates", new)
    seen = """() => { const mark = document.querySelector('#open-card mark').getBoundingClientRect();
        const box = document.querySelector('#open-card .source-text').getBoundingClientRect();
        return mark.top >= box.top && mark.bottom <= box.bottom && scrollY === 0; }"""
    desk.page.goto(f"{desk.url}/?scope={scope}")
    first = shown(desk)
    assert desk.page.evaluate(seen)
    desk.page.keyboard.press("j")
    other = "ref => { const card = document.querySelector('.card[data-shown-at]'); return card && card.dataset.ref !== ref; }"
    desk.page.wait_for_function(other, arg=first)
    assert desk.page.evaluate(seen)
    assert desk.complaints == []
