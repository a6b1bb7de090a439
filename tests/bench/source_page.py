"""A source of 200 kB with 300 quotes in a real browser: how long it takes to open, and how evenly it scrolls.

uv run python -m tests.bench.source_page
"""

import random
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests import browsers, whole
from tests.bench.pages import Api

LENGTH, QUOTES, TIMES = 199_990, 300, 10
WORDS = "oak panel wall door hall light beam paint floor frame width height cloth stage rope crane truss lamp".split()
OPENED = """() => {
  const [page] = performance.getEntriesByType('navigation');
  return [page.responseStart, page.domContentLoadedEventEnd, page.loadEventEnd, page.decodedBodySize];
}"""
SCROLL = """async () => {
  const gaps = [];
  let last = performance.now();
  await new Promise((done) => {
    const step = () => {
      const now = performance.now();
      gaps.push(now - last);
      last = now;
      window.scrollBy(0, 400);
      const end = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2;
      if (end || gaps.length > 600) done();
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  return gaps.slice(1);
}"""


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="cs-bench-source-"))
    instance = whole.start(folder / "var", "--no-demo")
    try:
        source = grown(Api(instance.url, instance.said["reviewer_token"]))
        with sync_playwright() as playwright:
            page = signed_in(playwright, instance)
            opened = [open_once(page, f"{instance.url}/sources/{source}") for _ in range(TIMES + 1)][1:]
            gaps = sorted(page.evaluate(SCROLL))
        names = ("first byte", "parsed", "loaded")
        for at, name in enumerate(names):
            times = sorted(one[at] for one in opened)
            print(f"{name:<12} p50 {statistics.median(times):>6.0f}  worst {times[-1]:>6.0f} ms")
        print(f"{'page':<12} {opened[0][3] / 1000:.0f} kB, {QUOTES} quotes in {LENGTH / 1000:.0f} thousand characters")
        p95 = gaps[int(len(gaps) * 0.95)]
        print(
            f"{'scrolling':<12} frame p50 {statistics.median(gaps):>5.1f}  p95 {p95:>5.1f}  worst {gaps[-1]:>5.1f} ms"
        )
    finally:
        instance.stop()
        shutil.rmtree(folder, ignore_errors=True)


def grown(api: Api) -> int:
    """One long source, quoted all over; every third quote overlaps whatever stands there."""
    rnd = random.Random(3)  # noqa: S311 - the same text every time
    api("POST", "/scopes", {"scope": "long", "tier": "project"})
    parts: list[str] = []
    while sum(map(len, parts)) < LENGTH:
        said = " ".join(rnd.choice(WORDS) for _ in range(rnd.randint(6, 24))).capitalize()
        parts.append(said + (".\n\n" if rnd.random() < 0.15 else ". "))
    text = "".join(parts)[:LENGTH]
    told = {"scope": "long", "kind": "document", "title": "A long text", "text": text, "extract": False}
    source: int = api("POST", "/sources", told)["source"]["id"]
    for at in range(QUOTES):
        start = rnd.randrange(LENGTH - 400) if at % 3 else at * 600
        end = start + rnd.randint(20, 300)
        evidence: list[dict[str, Any]] = [{"source": source, "quote": text[start:end], "start": start, "end": end}]
        body = {"scope": "long", "kind": "fact", "statement": f"Thing {at} is said", "evidence": evidence}
        api("POST", "/candidates", body)
    return source


def signed_in(playwright: Any, instance: whole.Instance) -> Page:
    page = browsers.launch(playwright).new_page(viewport={"width": 1280, "height": 900})
    page.goto(instance.url + "/login/")
    page.fill("input[name=username]", instance.said["user"])
    page.fill("input[name=password]", instance.said["password"])
    page.keyboard.press("Enter")
    page.wait_for_url(instance.url + "/")
    return page


def open_once(page: Page, url: str) -> list[float]:
    page.goto(url)
    return [float(one) for one in page.evaluate(OPENED)]


if __name__ == "__main__":
    main()
