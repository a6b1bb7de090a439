"""A reviewer in a real browser: from a key to the next card, and a whole session at reading speed."""

import statistics
import time
from collections.abc import Iterator
from itertools import cycle

from playwright.sync_api import Page, sync_playwright

from tests import browsers, whole
from tests.bench.pages import Api
from tests.bench.screens import p95

# Milliseconds from the key's event to the frame in which another card is open.
WATCH = """() => {
  window.keyAt = 0;
  window.waits = [];
  document.addEventListener('keydown', () => { window.keyAt = performance.now(); }, true);
  let shown = document.querySelector('[data-ref]')?.dataset.ref;
  const look = () => {
    const now = document.querySelector('[data-ref]')?.dataset.ref;
    if (now && now !== shown) { window.waits.push(performance.now() - window.keyAt); shown = now; }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
KEYS = ("p", "r", "p", "d")
STATUS = {"p": "active", "r": "rejected", "d": "deferred"}


def keys(instance: whole.Instance, scope: str, count: int) -> Iterator[str]:
    """`count` decisions, each as soon as its card has been there for a quarter of a second."""
    with sync_playwright() as playwright:
        page = opened(playwright, instance, scope)
        decided, waits = drive(page, count, 0.25)
    lost = wrong(instance, decided)
    yield (
        f"{f'key to the next card, {len(decided)} keys':<52} p50 {statistics.median(waits):>7.1f}  p95 {p95(waits):>7.1f} ms"
        f"  {len(set(decided))} distinct cards, {lost} not as decided"
    )


def session(instance: whole.Instance, scope: str, count: int, reading: float) -> Iterator[str]:
    """A reader who takes `reading` seconds a card. What the decision log holds beyond that is the tool's."""
    with sync_playwright() as playwright:
        page = opened(playwright, instance, scope)
        decided, _ = drive(page, count, reading)
    api = Api(instance.url, instance.said["reviewer_token"])
    times = []
    for ref in (next(iter(decided)), next(reversed(decided))):
        event = api("GET", "/journal", ref=ref)["items"][-1]
        times.append(_seconds(event["at"]))
    took = times[1] - times[0]
    read = reading * (len(decided) - 1)
    yield (
        f"session of {len(decided)} decisions, {reading:g} s of reading each: {took:.1f} s by the decision log,"
        f" {3600 * (len(decided) - 1) / took:.0f} an hour, the tool's share {(took - read) / took:.1%}"
    )


def _seconds(at: str) -> float:
    import datetime as dt

    return dt.datetime.fromisoformat(at).timestamp()


def opened(playwright: object, instance: whole.Instance, scope: str) -> Page:
    page = browsers.launch(playwright).new_page(viewport={"width": 1280, "height": 900})  # type: ignore[arg-type]
    page.goto(instance.url + "/login/")
    page.fill("input[name=username]", instance.said["user"])
    page.fill("input[name=password]", instance.said["password"])
    page.keyboard.press("Enter")
    page.wait_for_url(instance.url + "/")
    page.goto(f"{instance.url}/?scope={scope}")
    page.wait_for_selector("[data-ref]")
    page.evaluate(WATCH)
    return page


def drive(page: Page, count: int, gap: float) -> tuple[dict[str, str], list[float]]:
    """Press the keys in turn. Answers each ref with the key it was decided by, in order, and the waits in milliseconds."""
    decided: dict[str, str] = {}
    for key in cycle(KEYS):
        if len(decided) == count:
            break
        ref = page.evaluate("document.querySelector('[data-ref]').dataset.ref")
        time.sleep(gap)
        page.keyboard.press(key)
        page.wait_for_function("old => document.querySelector('[data-ref]')?.dataset.ref !== old", arg=ref)
        decided[ref] = key
    page.wait_for_timeout(1500)
    waits = page.evaluate("window.waits")
    return decided, [float(one) for one in waits]


def wrong(instance: whole.Instance, decided: dict[str, str]) -> int:
    api = Api(instance.url, instance.said["reviewer_token"])
    return sum(api("GET", f"/candidates/{ref}")["status"] != STATUS[key] for ref, key in decided.items())
