"""Finds a browser for the tests: on the machine, else Debian's package when root, else Playwright's own download.

Chromium's headless shell comes first: it takes a third of the processor time of the whole browser.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, Playwright

SHELL = "chromium-headless-shell"
WHOLE = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ONE_COMMAND = "uv run playwright install --with-deps --only-shell chromium"
DOWNLOAD_SECONDS, PACKAGE_SECONDS = 240, 600
OWN = None  # Playwright knows where its own one is


def launch(playwright: Playwright) -> Browser:
    """Start the first browser that really starts; fails the test, naming the one command to run, where none does."""
    reasons = []
    for place in (shell, whole, debian_package, own_download):
        for program in place():
            try:
                return playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
            except Error as error:
                reasons.append(f"{program or 'Playwright'}: {error.message.splitlines()[0]}")
    tried = "".join(f"\n  {reason}" for reason in reasons)
    pytest.fail(f"No browser could be had. Run this once: {ONE_COMMAND}{tried}", pytrace=False)


def shell() -> Iterator[str | None]:
    yield from filter(None, [shutil.which(SHELL)])
    yield OWN


def whole() -> Iterator[str | None]:
    """In CI, where time is counted, only if the shell cannot be had."""
    if os.environ.get("CI"):
        yield from debian_package()
    yield from filter(None, map(shutil.which, WHOLE))


def debian_package() -> Iterator[str | None]:
    if os.geteuid() == 0 and shutil.which("apt-get"):
        run(["apt-get", "update", "-q"], PACKAGE_SECONDS)
        run(["apt-get", "install", "-q", "-y", "--no-install-recommends", SHELL], PACKAGE_SECONDS)
        yield from filter(None, [shutil.which(SHELL)])


def own_download() -> Iterator[str | None]:
    run([sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"], DOWNLOAD_SECONDS)
    yield OWN


def run(command: list[str], seconds: int) -> None:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(command, timeout=seconds, capture_output=True, check=False, env=environment)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"{' '.join(command)}: {error}", file=sys.stderr)
