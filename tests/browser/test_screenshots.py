"""Pictures of every screen, light and dark. With COUNTERSIGN_SCREENSHOTS set they are those of the documentation:

COUNTERSIGN_SCREENSHOTS=1 uv run pytest tests/browser/test_screenshots.py
"""

import base64
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.conftest import Desk
from tests.browser.screens import admin_pages, open_action_page, screens

pytestmark = pytest.mark.browser

DOCS = Path(__file__).resolve().parents[2] / "docs"
MAX_BYTES = 6_000_000
PIECES = {"ahead", "live"}
# Of the admin the pages that people come for; the others look alike.
ADMIN = (
    "admin", "admin-candidate-list", "admin-candidate", "admin-entity", "admin-conflict", "admin-journalevent-list",
    "admin-journalevent", "admin-source", "admin-scope", "admin-scope-settings", "admin-trustedstate-add", "admin-pack",
)  # fmt: skip
SHRINK = """async ([png, quality]) => {
    const image = new Image();
    image.src = 'data:image/png;base64,' + png;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', quality).split(',')[1];
}"""


def test_pictures_of_every_screen(sign_in: Callable[..., Desk], tmp_path: Path) -> None:
    """All of them for the documentation; else every fifth, since axe has been on each of these pages."""
    for_docs = bool(os.environ.get("COUNTERSIGN_SCREENSHOTS"))
    docs, step = (DOCS, 1) if for_docs else (tmp_path, 5)
    folder = docs / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    desk = sign_in(viewport={"width": 1200, "height": 860}, reduced_motion="reduce")
    shown = {name: path for name, path in screens(desk).items() if name not in PIECES}
    of_admin = admin_pages(desk)
    shown |= {name: of_admin[name] for name in ADMIN if name in of_admin}
    press = desk.page.context.browser.new_page()  # type: ignore[union-attr]
    for name, path in list(shown.items())[::step]:
        answer = desk.page.goto(desk.url + path)
        assert answer is not None and answer.status == 200, path
        # A piece of a page has no picture, and whoever is signed in is led on from the page that asks for a code.
        if answer.request.redirected_from or not desk.page.locator("body main").count():
            continue
        picture(desk, press, folder, name)
    open_action_page(desk)
    picture(desk, press, folder, "admin-action")
    decided(desk)
    picture(desk, press, folder, "decided")
    desk.page.click("#toast [data-action=undo]")
    desk.page.wait_for_function("() => document.querySelector('#toast').innerText.includes('undone')")
    press.close()
    made = sorted(path.stem for path in folder.glob("*-dark.webp"))
    assert len(made) >= 20 // step
    assert sum(path.stat().st_size for path in folder.iterdir()) < MAX_BYTES
    (docs / "screens.md").write_text(gallery([name.removesuffix("-dark") for name in made]))


def decided(desk: Desk) -> None:
    """The queue right after a decision, with its undo."""
    desk.page.goto(desk.url)
    card, waiting = desk.open_card(), desk.page.inner_text("#backlog strong")
    desk.press("p")
    desk.next_card(card)
    desk.page.wait_for_selector("#toast [data-action=undo]")
    desk.page.wait_for_function("before => document.querySelector('#backlog strong').innerText !== before", arg=waiting)


def picture(desk: Desk, press: object, folder: Path, name: str) -> None:
    """One for each theme, as WebP."""
    for scheme in ("light", "dark"):
        desk.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        png = base64.b64encode(desk.page.screenshot()).decode()
        webp = press.evaluate(SHRINK, [png, 0.75])  # type: ignore[attr-defined]
        (folder / f"{name}-{scheme}.webp").write_bytes(base64.b64decode(webp))


def gallery(names: list[str]) -> str:
    """The page that shows them."""
    lines = [
        "# Screens",
        "",
        "Every screen on the demo data, light and dark. One command takes them anew:",
        "",
        "```",
        "COUNTERSIGN_SCREENSHOTS=1 uv run pytest tests/browser/test_screenshots.py",
        "```",
    ]
    for title, chosen in (
        ("For reviewers and readers", [n for n in names if not n.startswith("admin")]),
        ("Administration", [n for n in names if n.startswith("admin")]),
    ):
        lines += ["", f"## {title}"]
        for name in chosen:
            said = name.removeprefix("admin-").replace("_", " ").replace("-", " ")
            lines += [
                "", f"### {said.capitalize()}", "",
                f"![{said}, light](screenshots/{name}-light.webp)", f"![{said}, dark](screenshots/{name}-dark.webp)",
            ]  # fmt: skip
    return "\n".join(lines) + "\n"
