"""A wave in a real browser: it fills while one looks, fits the window, and works without scripts."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser

COLOURS = "\n\n".join(f"I prefer colour number {n} for the door." for n in range(55))


def wave_in(desk: Desk, *texts: str, **more: Any) -> dict[str, Any]:
    sources = [{"kind": "message", "sender": "Ada", "sender_kind": "user", "text": text} for text in texts]
    body = {"scope": desk.new_scope(), "label": "Letters <b>of</b> March", "sources": sources, **more}
    answer: dict[str, Any] = desk.api("POST", "/waves", body)
    return answer["wave"]  # type: ignore[no-any-return]


def fits(desk: Desk, width: int) -> None:
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= width
    expect(desk.page.locator("[style]")).to_have_count(0)
    axe = os.environ.get("COUNTERSIGN_AXE")
    if axe:
        desk.page.evaluate(Path(axe).read_text(encoding="utf-8"))
        found = desk.page.evaluate("async () => (await axe.run()).violations.map(v => v.id + ' ' + v.nodes[0].html)")
        assert found == []


@pytest.mark.parametrize("width", [360, 1280])
def test_a_wave_fills_while_one_looks(sign_in: Callable[..., Desk], width: int, tmp_path: Path) -> None:
    desk = sign_in(viewport={"width": width, "height": 900})
    wave = wave_in(
        desk, COLOURS, *[f"Decision: Berth {n} stays free\n" for n in range(30)], "Decision: berth 1 stays free!"
    )
    desk.page.goto(f"{desk.url}/waves/{wave['id']}")
    assert desk.page.text_content("h1") == "Letters <b>of</b> March"
    desk.page.wait_for_selector("text=32 of 32 runs done", timeout=60_000)
    desk.page.reload()
    expect(desk.page.locator("#wave[hx-trigger]")).to_have_count(0)
    expect(desk.page.locator("input[name=hits]")).to_have_count(5)
    fits(desk, width)
    desk.page.screenshot(path=os.environ.get("COUNTERSIGN_WAVE_PICTURE", str(tmp_path / "wave.png")), full_page=True)
    desk.page.check("input[name=hits] >> nth=0")
    desk.page.click("[data-action=admit]")
    desk.page.wait_for_selector("text=1 admitted to the queue")
    expect(desk.page.locator("input[name=hits]")).to_have_count(4)
    desk.page.goto(f"{desk.url}/waves")
    fits(desk, width)
    with desk.page.expect_download() as download:
        desk.page.goto(f"{desk.url}/waves/{wave['id']}")
        desk.page.click("text=dropped.ndjson")
    assert download.value.suggested_filename.endswith("dropped.ndjson")
    assert desk.complaints == []


def test_a_wave_works_without_scripts(sign_in: Callable[..., Desk]) -> None:
    desk = sign_in(viewport={"width": 1280, "height": 900}, java_script_enabled=False)
    wave = wave_in(desk, "Decision: The crane stays\n", extract=False)
    desk.page.goto(f"{desk.url}/waves/{wave['id']}")
    desk.page.click("[data-action=read]")
    desk.page.wait_for_selector("text=1 run queued")
    for _ in range(60):
        desk.page.reload()
        if "1 of 1 run done" in (desk.page.text_content("#wave") or ""):
            break
        desk.page.wait_for_timeout(250)
    desk.page.click("[data-action=re-extract]")
    desk.page.wait_for_selector("text=1 run queued")
