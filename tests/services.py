"""The servers under the tests. Loaded before Django reads its settings, and long before any other conftest.

Only the controlling process starts PostgreSQL: in a temporary data folder, never in the user's. DATABASE_URL names
another server to use instead.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from config.embedded import postgres

FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "shared_buffers": "128MB"}
CONTROLLER = "PYTEST_XDIST_WORKER" not in os.environ

if CONTROLLER:
    for name in ("COUNTERSIGN_ROLE", "COUNTERSIGN_POOL", "COUNTERSIGN_DEBUG", "COUNTERSIGN_SECRET_KEY", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ["COUNTERSIGN_DATA"] = tempfile.mkdtemp(prefix="countersign-tests-")
    atexit.register(shutil.rmtree, os.environ["COUNTERSIGN_DATA"], ignore_errors=True)
    # Where `up` collects static files; the tests find them without, but the folder is looked for.
    (Path(os.environ["COUNTERSIGN_DATA"]) / "static").mkdir()

DATA_DIR = Path(os.environ["COUNTERSIGN_DATA"])
server = postgres.PostgresServer(DATA_DIR, settings=FAST)


def pytest_sessionstart(session: pytest.Session) -> None:
    if CONTROLLER and not os.environ.get("DATABASE_URL") and not session.config.option.collectonly:
        server.start()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    if server.child is not None:
        server.stop()
