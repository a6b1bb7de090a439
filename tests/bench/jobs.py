"""Eight whole jobs in a real browser, at reading speed, with the keys and clicks that each takes:

    uv run python -m tests.bench.jobs

Words that a person types (a name, a new statement) are counted apart: they are the same whatever the program asks for.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests import whole
from tests.bench.desk import opened
from tests.bench.pages import Api

THINGS = "bench door roof lift yard shelf crate lamp rope pump gate wall floor beam ladder".split()
SAID = (
    "The {} is cleaned every week", "Nobody climbs on the {}", "Ruth looks after the {}", "A sign hangs beside the {}",
)  # fmt: skip
CARDS = len(THINGS) * len(SAID)
# The page takes a key only after its card was in sight for a moment.
IN_SIGHT = """() => {
  const card = document.querySelector('#open-card .card');
  return !card || performance.now() - Number(card.dataset.shownAt || Infinity) > 200;
}"""


@dataclass(slots=True)
class Hand:
    """A person at the page: what they press is counted, and they read for so long before each key or click."""

    page: Page
    api: Api
    url: str
    reading: float
    keys: int = 0
    clicks: int = 0
    typed: int = 0

    def key(self, name: str, *, reading: float | None = None) -> None:
        time.sleep(self.reading if reading is None else reading)
        self.page.keyboard.press(name)
        self.keys += 1

    def click(self, selector: str) -> None:
        time.sleep(self.reading)
        self.page.locator(selector).first.click()
        self.clicks += 1

    def write(self, words: str) -> None:
        self.page.keyboard.type(words)
        self.typed += len(words)

    def go(self, path: str) -> None:
        """Where the job begins; not counted."""
        self.page.goto(self.url + path)
        self.page.wait_for_load_state("networkidle")

    def ref(self) -> str:
        return str(self.page.evaluate("document.querySelector('#open-card [data-ref]').dataset.ref"))

    def propose(self, statement: str, **more: Any) -> str:
        body = {"scope": "jobs", "kind": "fact", "statement": statement, **more}
        return str(self.api("POST", "/candidates", body)["candidate"]["ref"])

    def status(self, ref: str) -> str:
        return str(self.api("GET", f"/candidates/{ref}")["status"])


def sixty(hand: Hand) -> None:
    for said in SAID:
        for thing in THINGS:
            hand.propose(said.format(thing), kind="requirement")
    hand.go("/?scope=jobs&kind=requirement")
    for key in ("p", "r") * (CARDS // 2):
        before = hand.ref()
        hand.page.wait_for_function(IN_SIGHT)
        hand.key(key)
        hand.page.wait_for_function(
            "old => document.querySelector('#open-card [data-ref]')?.dataset.ref !== old", arg=before
        )
    hand.page.wait_for_function("() => window.outbox.idle")


def edit_one(hand: Hand) -> None:
    ref = hand.propose("The bench is of oak", key="bench")
    hand.go(f"/?scope=jobs&card={ref}")
    hand.key("e")
    hand.key("Control+a")
    hand.write("The bench is of ash")
    hand.key("Enter")
    until(hand, lambda: hand.status(ref) == "active")


def merge_two(hand: Hand) -> None:
    hand.propose("We will use oak boards for the long table")
    ref = hand.propose("We will use planed oak boards for the long table")
    hand.go(f"/?scope=jobs&card={ref}")
    hand.key("m")
    hand.key("1")
    until(hand, lambda: hand.status(ref) == "merged")


def resolve_conflict(hand: Hand) -> None:
    for wood in ("elm", "pine"):
        ref = hand.propose(f"The door is of {wood}", key="door", value=wood)
        hand.api("POST", f"/candidates/{ref}/promote", {"on_conflict": "coexist"})
    hand.go("/conflicts?scope=jobs")
    hand.click("[data-action=resolve], [data-action=wins], form button[name=winner]")
    until(hand, lambda: not hand.api("GET", "/conflicts?scope=jobs")["items"])


def find_said(hand: Hand) -> None:
    text = "Ruth: the lift in the yard carries 900 kg, no more"
    hand.api("POST", "/sources", {"scope": "jobs", "kind": "message", "text": text, "extract": False})
    hand.go("/?scope=jobs")
    hand.key("Control+k")
    hand.write("carries 900 kg")
    hand.page.wait_for_selector("dialog[open] a[href*='/sources/']")
    hand.key("ArrowDown")
    hand.key("Enter")
    hand.page.wait_for_url("**/sources/*")


def onboard(hand: Hand) -> None:
    hand.go("/admin/auth/user/onboard/?scope=jobs")
    hand.click("input[name=username]")
    hand.write("ruth")
    hand.key("Enter")
    hand.page.wait_for_selector("#welcome-link")


def new_scope(hand: Hand) -> None:
    hand.go("/scopes")
    hand.click("input[name=path]")
    hand.write("workshop")
    hand.click("input[name=packs][value=engineering]")
    hand.click("[data-action=child]")
    hand.page.wait_for_url("**/scopes/workshop")


def explain(hand: Hand) -> None:
    ref = hand.propose("The roof bears 40 kg per square metre", key="roof")
    hand.api("POST", f"/candidates/{ref}/promote", {})
    hand.go("/entities?scope=jobs")
    hand.click(f"a[href='/entities/{ref}']")
    hand.page.wait_for_selector("text=Why it is there")


def until(hand: Hand, holds: Callable[[], bool]) -> None:
    for _ in range(100):
        if holds():
            return
        hand.page.wait_for_timeout(100)
    raise AssertionError("the job did not come to its end")


JOBS: dict[str, Callable[[Hand], None]] = {
    f"decide about {CARDS} candidates": sixty,
    "edit one, and promote it": edit_one,
    "merge two that say the same": merge_two,
    "resolve a conflict": resolve_conflict,
    "find what was said": find_said,
    "onboard a colleague": onboard,
    "a new scope with a pack": new_scope,
    "explain a value": explain,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reading", type=float, default=1.0, help="seconds before each key or click")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="cs-bench-"))
    instance = whole.start(folder / "var", "--no-demo")
    try:
        api = Api(instance.url, instance.said["reviewer_token"])
        api("POST", "/scopes", {"scope": "jobs", "tier": "project"})
        api("POST", "/candidates", {"scope": "jobs", "kind": "fact", "statement": "The yard is open"})
        with sync_playwright() as playwright:
            page = opened(playwright, instance, "jobs")
            for name, job in JOBS.items():
                # A connection that lay still through a long job is closed by now.
                hand = Hand(page, Api(instance.url, instance.said["reviewer_token"]), instance.url, options.reading)
                began = time.monotonic()
                job(hand)
                took = time.monotonic() - began
                print(f"| {name} | {hand.keys} | {hand.clicks} | {hand.typed} | {took:.0f} |", flush=True)
    finally:
        instance.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
