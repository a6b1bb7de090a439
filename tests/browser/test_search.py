"""The search over everything from any page, and proposing marked words of a source, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser
TEXT = "👨‍👩‍👧‍👦 Well.\r\nIt was agreed 𝒜gain: max weight = 4.8 kg.\r\nNothing else.\n"
MARK = """words => {
  const text = document.getElementById('source-text');
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(words);
    if (at >= 0) {
      const range = document.createRange();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + words.length);
      const selection = window.getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      return;
    }
  }
  throw new Error('not there');
}"""


def told(desk: Desk, text: str) -> tuple[str, int]:
    scope = desk.new_scope()
    body = {"scope": scope, "kind": "message", "text": text, "extract": False}
    return scope, int(desk.api("POST", "/sources", body)["source"]["id"])


def test_any_page_is_searched_from_by_keys_alone(desk: Desk) -> None:
    scope, source = told(desk, "Rehearsal.\n" + "Nothing much. " * 60 + "The quokka naps at noon.\n")
    (waits,) = desk.proposed(scope, "The quokka waits")
    desk.page.goto(desk.url + "/insights")
    desk.page.keyboard.press("Control+k")
    desk.page.keyboard.type("quokka")
    desk.page.wait_for_selector(f"#search-results a[href='/candidates/{waits}']")
    assert axe.faults_in_both_themes(desk.page) == []
    desk.page.keyboard.press("ArrowDown")
    assert desk.page.evaluate("document.activeElement.getAttribute('href')") == f"/candidates/{waits}"
    desk.page.keyboard.press("ArrowUp")
    assert desk.page.evaluate("document.activeElement.name") == "q"
    # What is on the screen answers what was asked before, so an arrow does not go there.
    desk.page.keyboard.press("End")
    desk.page.keyboard.type(" naps")
    desk.page.keyboard.press("ArrowDown")
    assert desk.page.evaluate("document.activeElement.name") == "q"
    expect(desk.page.locator("#search-results[aria-busy=false] [data-found]").first).to_contain_text("naps")
    desk.page.keyboard.press("ArrowDown")
    assert f"/sources/{source}?" in desk.page.evaluate("document.activeElement.getAttribute('href')")
    desk.page.keyboard.press("ArrowUp")
    desk.page.fill("#search input[name=q]", "quokka")
    desk.page.wait_for_selector("#search-results[aria-busy=false]")
    # The words under the candidate are a source as well, and which of the two is named first is a matter of rank.
    while f"/sources/{source}?" not in desk.page.evaluate("document.activeElement.getAttribute('href') || ''"):
        desk.page.keyboard.press("ArrowDown")
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_url(f"**/sources/{source}?*#sought")
    expect(desk.page.locator("#sought")).to_contain_text("quokka")
    assert desk.page.locator("#sought").evaluate("e => e.getBoundingClientRect().top < window.innerHeight")
    desk.page.keyboard.press("/")
    desk.page.keyboard.type("quokka")
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_url("**/search?q=quokka")
    expect(desk.page.locator(f"main a[href='/candidates/{waits}']")).to_have_count(1)
    desk.page.keyboard.press("Control+k")
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator("#search[open]")).to_have_count(0)
    assert desk.complaints == []


def test_marked_words_are_proposed_at_their_place(desk: Desk) -> None:
    scope, source = told(desk, TEXT)
    desk.page.goto(f"{desk.url}/sources/{source}")
    assert desk.page.locator("#propose-bar").is_hidden()
    desk.page.evaluate(MARK, "max weight = 4.8 kg")
    desk.page.wait_for_selector("#propose-bar:not([hidden])")
    desk.press("p")
    desk.page.wait_for_selector("[data-action=send-proposal]")
    expect(desk.page.locator("[name=key]")).to_have_value("max-weight")
    assert axe.faults_in_both_themes(desk.page) == []
    desk.page.click("[data-action=send-proposal]")
    desk.page.wait_for_selector("#toast [data-action=undo]")
    (claim,) = desk.waiting(scope)
    (evidence,) = claim["evidence"]
    assert TEXT[evidence["start"] : evidence["end"]] == evidence["quote"] == "max weight = 4.8 kg"
    desk.page.goto(f"{desk.url}/sources/{source}")
    assert desk.page.text_content("mark[data-evidence]") == "max weight = 4.8 kg"
    assert desk.complaints == []


def test_a_phone_and_a_browser_without_scripts_search_and_propose(sign_in: Callable[..., Desk]) -> None:
    desk = sign_in(viewport={"width": 360, "height": 740}, java_script_enabled=False)
    scope, source = told(desk, "The quoll naps at noon.\n")
    desk.page.goto(desk.url + "/sources?scope=" + scope)
    desk.page.click(".open-search")
    desk.page.fill("main [name=q]", "quoll")
    desk.page.keyboard.press("Enter")
    desk.page.click("main a[data-found]")
    desk.page.click(".propose-words summary")
    desk.page.fill("[name=quote]", "The quoll naps at noon.")
    desk.send("[data-action=find-words]")
    desk.send("[data-action=send-proposal]")
    assert [claim["statement"] for claim in desk.waiting(scope)] == ["The quoll naps at noon."]
