"""Fixtures that every test may use: a database that really commits and is cleared, Valkey, a whole `up`, a browser."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from django.conf import settings
from django.test import TransactionTestCase

from config.embedded import valkey as embedded_valkey
from tests import clearing, database, services, whole

if TYPE_CHECKING:
    from playwright.sync_api import Browser


# Random texts and values: the suite tries the same few each time; HYPOTHESIS_PROFILE=long tries many others.
UNHURRIED: dict[str, Any] = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("suite", derandomize=True, max_examples=50, **UNHURRIED)
hypothesis.settings.register_profile("long", max_examples=5_000, **UNHURRIED)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


def pytest_configure(config: pytest.Config) -> None:
    settings.AXES_ENABLED = False  # the tests of the lockout turn it on
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the real one takes half a second
    settings.WHITENOISE_AUTOREFRESH = True  # else every test client reads all static files
    TransactionTestCase._fixture_teardown = lambda self: clearing.clear_after_test()


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: Any) -> Iterator[None]:
    with django_db_blocker.unblock(), database.ready():
        yield


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
    """A real `up` with demo data, on a folder, a database and a port of its own; one for all tests (see tests/workers.py)."""
    parent = Path(tempfile.mkdtemp(prefix="cs-whole-", dir=services.RUN_DIR))
    instance = whole.start(database.serve_from(parent / "var"))
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
