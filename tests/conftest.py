"""Fixtures that every test may use: a database that really commits and is cleared, Valkey, a whole `up`, a browser."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.test import TransactionTestCase

from config.embedded import valkey as embedded_valkey
from tests import clearing, whole

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def pytest_configure(config: pytest.Config) -> None:
    TransactionTestCase._fixture_teardown = lambda self: clearing.clear_after_test()


@pytest.fixture(scope="session")
def valkey() -> Iterator[embedded_valkey.ValkeyServer]:
    """A live broker at the address that the settings name."""
    server = embedded_valkey.ValkeyServer(Path(os.environ["COUNTERSIGN_DATA"]))
    started = server.start()
    yield server
    if started:
        server.stop()


@pytest.fixture(scope="session")
def up_instance() -> Iterator[whole.Instance]:
    """A real `up` with demo data, on a data folder, a database and a port of its own; one for all tests of a run."""
    parent = Path(tempfile.mkdtemp(prefix="cs-whole-"))
    instance = whole.start(parent / "var")
    yield instance
    instance.stop()
    shutil.rmtree(parent, ignore_errors=True)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """A real browser, found or fetched (see tests/browsers.py)."""
    from playwright.sync_api import sync_playwright

    from tests import browsers

    # Playwright keeps an event loop in this thread, which Django would take for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        found = browsers.launch(playwright)
        yield found
        found.close()
