"""The servers under the tests. Loaded before Django reads its settings, and long before any other conftest.

Each process that runs tests has a PostgreSQL of its own, in a temporary data folder (in memory where there is room),
never in the user's. Workers could not share one: the journal is sealed up to the oldest open transaction of a whole
server, so that a test of one would wait for the tests of the others. DATABASE_URL names another server to use instead.
"""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from config.embedded import folder, postgres

FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "shared_buffers": "128MB"}
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - only mkdtemp writes there
ROOM = 6 * 1024**3  # bytes that all the folders of a run never fill

if not WORKER:
    for name in ("COUNTERSIGN_ROLE", "COUNTERSIGN_POOL", "COUNTERSIGN_DEBUG", "COUNTERSIGN_SECRET_KEY", "REDIS_URL"):
        os.environ.pop(name, None)
    # Hundreds of processes start below, and would each compile the project anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    roomy = IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > ROOM
    os.environ["COUNTERSIGN_DATA"] = tempfile.mkdtemp(prefix="countersign-tests-", dir=IN_MEMORY if roomy else None)
    atexit.register(shutil.rmtree, os.environ["COUNTERSIGN_DATA"], ignore_errors=True)

RUN_DIR = Path(os.environ["COUNTERSIGN_DATA"])  # shared by all workers of a run
DATA_DIR = folder.private(RUN_DIR / WORKER)
os.environ["COUNTERSIGN_DATA"] = str(DATA_DIR)
# Where `up` collects static files; the tests find them without, but the folder is looked for.
(DATA_DIR / "static").mkdir()
server = postgres.PostgresServer(DATA_DIR, settings=FAST)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    if server.child is not None:
        server.stop()
