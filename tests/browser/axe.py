"""What axe-core finds against a page: `assert axe.faults(page) == []`.

The engine comes with the test dependency `axe-playwright-python` and is no part of what the project ships.
"""

import importlib.resources
from functools import cache
from typing import Any

from playwright.sync_api import Page

# WCAG 2.2 at levels A and AA, and what axe calls best practice: one main, headings in order, everything in a landmark.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MOST_NODES = 5


@cache
def engine() -> str:
    return importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()


def faults(page: Page, within: str = "") -> list[str]:
    """One line for each rule that the page breaks, with the first places where it does; of `within` (a CSS selector) alone
    if given. Asks what is on the page now: open what is to be looked at first."""
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(engine())
    found: dict[str, Any] = page.evaluate(
        "([within, tags]) => axe.run(within || document, {resultTypes: ['violations'],"
        " runOnly: {type: 'tag', values: tags}, rules: {'target-size': {enabled: true}}})",
        [within, RULES],
    )
    return [_told(one) for one in found["violations"]]


def _told(violation: dict[str, Any]) -> str:
    nodes = violation["nodes"]
    places = "; ".join(f"{' '.join(map(str, node['target']))} ({_why(node)})" for node in nodes[:MOST_NODES])
    more = f" and {len(nodes) - MOST_NODES} more" if len(nodes) > MOST_NODES else ""
    return f"{violation['id']} ({violation['impact']}): {violation['help']}: {places}{more}"


def _why(node: dict[str, Any]) -> str:
    said = [check["message"] for kind in ("any", "all", "none") for check in node[kind]]
    return said[0] if said else node["html"][:80]
