"""What axe-core finds against a page: `assert axe.faults(page) == []`.

The engine comes with the test dependency `axe-playwright-python` and is no part of what the project ships.
"""

import importlib.resources
from collections.abc import Sequence
from functools import cache
from typing import Any

from playwright.sync_api import Page

# WCAG 2.2 at levels A and AA, and what axe calls best practice: one main, headings in order, everything in a landmark.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MAX_NODES = 5


@cache
def engine() -> str:
    return importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()


def faults(page: Page, within: str = "", *, rules: Sequence[str] = ()) -> list[str]:
    """One line for each rule that the page breaks, with the first places where it does; of `within` (a CSS selector) alone
    if given, and of `rules` (axe's names) alone if given. Asks what is on the page now: open what is to be looked at first."""
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(engine())
    found: dict[str, Any] = page.evaluate(
        "([within, only]) => axe.run(within || document, {resultTypes: ['violations'], runOnly: only,"
        " ...(only.type === 'tag' ? {rules: {'target-size': {enabled: true}}} : {})})",
        [within, {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": RULES}],
    )
    return [_told(one) for one in found["violations"]]


def faults_in_both_themes(page: Page) -> list[str]:
    """All of them in light, and those of colour in dark; the page is loaded once."""
    # Without motion: a colour that is on its way to another one is neither.
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = faults(page)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    found += [f"in dark: {one}" for one in faults(page, rules=["color-contrast", "link-in-text-block"])]
    page.emulate_media(color_scheme="light")
    return found


def _told(violation: dict[str, Any]) -> str:
    nodes = violation["nodes"]
    places = "; ".join(f"{' '.join(map(str, node['target']))} ({_why(node)})" for node in nodes[:MAX_NODES])
    more = f" and {len(nodes) - MAX_NODES} more" if len(nodes) > MAX_NODES else ""
    return f"{violation['id']} ({violation['impact']}): {violation['help']}: {places}{more}"


def _why(node: dict[str, Any]) -> str:
    said = [check["message"] for kind in ("any", "all", "none") for check in node[kind]]
    return said[0] if said else node["html"][:80]
