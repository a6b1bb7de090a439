"""A page of a signed-in browser on a real `up`, which tells what its console said."""

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.whole import Instance

# For what will come in a moment; a machine that is busy with something else takes its time.
PATIENCE_S = 120
expect.set_options(timeout=PATIENCE_S * 1000)


@dataclass
class Desk:
    """A browser page, the API as its user, and everything the console complained of."""

    page: Page
    url: str
    token: str
    complaints: list[str] = field(default_factory=list)

    def api(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(f"{self.url}/api/v1{path}", data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()[:500]}") from error

    def new_scope(self) -> str:
        scope = "screen-" + secrets.token_hex(4)
        self.api("POST", "/scopes", {"scope": scope, "tier": "project"})
        return scope

    def decisions(self, scope: str, *words: str) -> list[str]:
        """One candidate for each, through a source of its own; their refs in the order of the words."""
        common = {"scope": scope, "kind": "document", "wait": 30}
        told = [(secrets.token_hex(4), f"# Note\n\nDecision: {said}\n") for said in words]
        self.api(
            "POST", "/sources", {"sources": [{**common, "external_id": name, "text": text} for name, text in told]}
        )
        found = {c["statement"]: c["ref"] for c in self.waiting(scope)}
        return [found[said] for said in words]

    def proposed(self, scope: str, *words: str, **more: Any) -> list[str]:
        """One candidate for each, written by hand: no run to wait for."""
        bodies = [{"scope": scope, "kind": "fact", "statement": said, **more} for said in words]
        return [str(self.api("POST", "/candidates", body)["candidate"]["ref"]) for body in bodies]

    def waiting(self, scope: str) -> list[Any]:
        return list(self.api("GET", f"/candidates?scope={scope}&limit=200")["items"])

    def status(self, ref: str) -> str:
        return str(self.api("GET", f"/candidates/{ref}")["status"])

    def becomes(self, ref: str, status: str, seconds: float = PATIENCE_S) -> bool:
        """A decision that is on its way has this long to arrive."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.status(ref) == status:
                return True
            time.sleep(0.05)
        return False

    def press(self, key: str) -> None:
        """A key pressed by somebody who has had the time to see the card."""
        self.page.wait_for_timeout(100)
        self.page.keyboard.press(key)

    def send(self, control: str) -> None:
        """Clicks what sends a form, and waits for the page that answers: a click by itself waits for nothing."""
        with self.page.expect_navigation():
            self.page.click(control)

    def open_card(self) -> str:
        return str(self.page.evaluate("document.querySelector('[data-ref]')?.dataset.ref ?? ''"))

    def next_card(self, old: str) -> str:
        """The ref of the card that comes after `old`, as soon as it is there."""
        self.page.wait_for_function("old => document.querySelector('[data-ref]')?.dataset.ref !== old", arg=old)
        return self.open_card()


@pytest.fixture(scope="session")
def signed_in() -> dict[str, Any]:
    """What a browser keeps once somebody has signed in: the tests of a worker sign in once."""
    return {}


@pytest.fixture
def sign_in(browser: Browser, up_instance: Instance, signed_in: dict[str, Any]) -> Iterator[Callable[..., Desk]]:
    """An empty page of a context of its own, with whatever a browser context takes (`viewport`, `color_scheme`,
    `java_script_enabled`)."""
    contexts = []

    def open_desk(**options: Any) -> Desk:
        context = browser.new_context(**signed_in, **options)
        context.set_default_timeout(PATIENCE_S * 1000)
        contexts.append(context)
        page = context.new_page()
        desk = Desk(page, up_instance.url, up_instance.said["reviewer_token"])

        def heard(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                desk.complaints.append(message.text)

        page.on("console", heard)
        page.on("pageerror", lambda error: desk.complaints.append(str(error)))
        if (
            context.request.get(desk.url + "/pulse", max_redirects=0).status != 200
        ):  # the first one, or a test has signed out
            page.goto(desk.url + "/login/")
            page.fill("input[name=username]", up_instance.said["user"])
            page.fill("input[name=password]", up_instance.said["password"])
            page.keyboard.press("Enter")
            page.wait_for_url(desk.url + "/")
            signed_in["storage_state"] = context.storage_state()
        return desk

    yield open_desk
    for context in contexts:
        context.close()


@pytest.fixture
def desk(sign_in: Callable[..., Desk]) -> Desk:
    return sign_in(viewport={"width": 1280, "height": 900})
