"""What a real browser makes of hostile text, of the policy for content, and of small windows."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser

SCREENSHOT = Path(__file__).resolve().parents[2] / "docs" / "screenshots" / "queue.png"
HOSTILE = [
    "Decision: ends in CR LF\r\nnext line\r\n",
    "first\rDecision: old line ends\rlast\r",
    "Decision: 👨‍👩‍👧‍👦 𝒜𝒷𝒸 🇩🇪 astral\n",
    "Decision: e\u0301a\u0300o\u0308 combining\n",
    "Decision: שלום \u202eevil\u202c مرحبا right to left\n",
    "Decision: zero\u200bwidth\u2060joined\ufeff here\n",
    "Decision: <script>document.title='owned'</script><img src=x onerror=alert(1)> &amp; &#13; </mark>\n",
    "Decision: \"quoted\" 'and' `ticked` {{ 7|add:7 }} {% now 'Y' %}\n",
    "\n\nDecision: after\x0bvertical\x0cform\x85next\u2028line\n",
]


def test_what_is_lit_is_what_was_quoted(desk: Desk) -> None:
    for text in HOSTILE:
        lit_as_quoted(desk, text)
    assert desk.complaints == []


def lit_as_quoted(desk: Desk, text: str) -> None:
    scope = desk.new_scope()
    told = {"scope": scope, "kind": "document", "title": text.strip()[:80], "sender": "<b>Mallory</b>", "text": text}
    source = desk.api("POST", "/sources", {**told, "wait": 30})["source"]
    claims = desk.waiting(scope)
    assert claims, f"the rules found nothing in {text!r}"
    quotes = {str(e["id"]): e["quote"] for claim in claims for e in claim["evidence"]}
    lit = "all => Object.fromEntries(all.map(m => [m.dataset.evidence, m.textContent]))"
    desk.page.goto(f"{desk.url}/sources/{source['id']}")
    assert desk.page.eval_on_selector("#source-text", "e => e.textContent") == text
    assert desk.page.eval_on_selector_all("mark[data-evidence]", lit) == quotes
    for claim in claims:
        desk.page.goto(f"{desk.url}/candidates/{claim['ref']}")
        found = desk.page.eval_on_selector_all("mark[data-evidence]", lit)
        assert found == {str(e["id"]): e["quote"] for e in claim["evidence"]}
        assert desk.page.eval_on_selector(".statement", "e => e.textContent") == claim["statement"]
    # The card that comes with the answer to a key goes through another parser.
    desk.page.goto(f"{desk.url}/?scope={scope}")
    desk.page.evaluate("window.htmx.ajax('GET', location.href, {target: '#desk', swap: 'outerHTML'})")
    desk.page.wait_for_load_state("networkidle")
    found = desk.page.eval_on_selector_all("#open-card mark[data-evidence]", lit)
    assert found and found.items() <= quotes.items()
    assert desk.page.title() != "owned"


def test_what_is_not_there_keeps_the_policy_and_fits_a_phone(desk: Desk) -> None:
    """The other pages do so in test_axe.py."""
    desk.page.set_viewport_size({"width": 360, "height": 800})
    answer = desk.page.goto(desk.url + "/nowhere")
    assert answer is not None and answer.status == 404
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert desk.complaints == ["Failed to load resource: the server responded with a status of 404 (Not Found)"]


def test_dark_and_light_differ(sign_in: Callable[..., Desk]) -> None:
    grounds = set()
    for scheme in ("light", "dark"):
        desk = sign_in(color_scheme=scheme)
        desk.page.goto(desk.url + "/help")
        grounds.add(desk.page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
    assert len(grounds) == 2


def test_the_skip_link_comes_first_and_the_toast_is_announced(desk: Desk) -> None:
    desk.page.goto(desk.url + "/entities")
    desk.page.keyboard.press("Tab")
    assert desk.page.evaluate("document.activeElement.className") == "skip"
    assert desk.page.get_attribute("#toast", "aria-live") == "polite"


def test_picture_of_the_queue(sign_in: Callable[..., Desk], tmp_path: Path) -> None:
    """A card that contradicts what holds, as the README shows it; with COUNTERSIGN_SCREENSHOTS set, the README's own."""
    picture = SCREENSHOT if os.environ.get("COUNTERSIGN_SCREENSHOTS") else tmp_path / "queue.png"
    desk = sign_in(viewport={"width": 1280, "height": 1010}, device_scale_factor=1.5)
    text = "Tomas measured the hall again this morning.\n\nbackdrop width = 5.75 m\n\nThe door is the limit, not the wall.\n"
    told = {"scope": "studio/backdrop", "kind": "message", "sender": "Tomas", "sender_kind": "user", "text": text}
    desk.api(
        "POST", "/sources", {**told, "title": "Measured again", "sent_at": "2026-03-12T08:10:00+00:00", "wait": 30}
    )
    (claim,) = [c for c in desk.waiting("studio/backdrop") if "5.75" in c["statement"]]
    desk.page.goto(f"{desk.url}/?card={claim['ref']}")
    picture.parent.mkdir(parents=True, exist_ok=True)
    desk.page.screenshot(path=picture)
    assert claim["preview"]["outcome"] == "conflict"
    assert desk.page.locator("mark[data-evidence]").first.text_content() == "backdrop width = 5.75 m"
