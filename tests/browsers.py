"""Finds a browser for the tests: on the machine, else Playwright's own download, else Debian's package when root."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, Playwright

INSTALLED = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ONE_COMMAND = "uv run playwright install --with-deps chromium"
DOWNLOAD_SECONDS, PACKAGE_SECONDS = 240, 600


def launch(playwright: Playwright) -> Browser:
    """Start the first browser that really starts; fails the test, naming the one command to run, where none does."""
    reasons = []
    for place in (installed, own_download, fetched_download, debian_package):
        for program in place(playwright):
            try:
                return playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
            except Error as error:
                reasons.append(f"{program}: {error.message.splitlines()[0]}")
    tried = "".join(f"\n  {reason}" for reason in reasons)
    pytest.fail(f"No browser could be had. Run this once: {ONE_COMMAND}{tried}", pytrace=False)


def installed(playwright: Playwright) -> Iterator[str]:
    yield from filter(None, map(shutil.which, INSTALLED))


def own_download(playwright: Playwright) -> Iterator[str]:
    if os.path.exists(playwright.chromium.executable_path):
        yield playwright.chromium.executable_path


def fetched_download(playwright: Playwright) -> Iterator[str]:
    run([sys.executable, "-m", "playwright", "install", "chromium"], DOWNLOAD_SECONDS)
    yield from own_download(playwright)


def debian_package(playwright: Playwright) -> Iterator[str]:
    if os.geteuid() == 0 and shutil.which("apt-get"):
        run(["apt-get", "update", "-q"], PACKAGE_SECONDS)
        run(["apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium"], PACKAGE_SECONDS)
        yield from installed(playwright)


def run(command: list[str], seconds: int) -> None:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(command, timeout=seconds, capture_output=True, check=False, env=environment)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"{' '.join(command)}: {error}", file=sys.stderr)
