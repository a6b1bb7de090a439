"""How many workers share a run, and what each gets: whole files, those that take long first."""

import gc
import os
import threading
from collections import Counter
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

# What asks the one shared `up` stays together; most of it does so in a browser, with one sign-in.
SHARED_UP = "shared up"
ASK_SHARED_UP = ("browser", "tests/config/test_backup.py", "tests/config/test_client.py", "tests/config/test_mcp.py")
# What takes longest begins first, else one worker would still be at it when the others are done.
LONG = (SHARED_UP, "tests/config/test_up.py", "tests/matrix/test_endpoints.py", "tests/matrix/test_screens.py")


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three for two cores, since each waits for servers and browsers a third of its time. A single file, or a test chosen by its
    name, is run here and now: no worker has to start."""
    chosen = config.option.keyword or config.option.lf or config.option.collectonly
    files = all(argument.partition("::")[0].endswith(".py") for argument in config.args)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if chosen or files or cores == 1 or os.environ.get("DATABASE_URL"):
        return 0
    return cores + cores // 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """While the workers read the tests, the database is migrated that all of them will copy."""
    from tests import database

    threading.Thread(target=database.migrated).start()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    sizes = Counter(share_of(item.nodeid) for item in items)
    rank = {name: at for at, name in enumerate(LONG)}

    def place(item: pytest.Item) -> tuple[int, int, str]:
        share = share_of(item.nodeid)
        return rank.get(share, len(LONG)), -sizes[share], file_of(item.nodeid)

    items.sort(key=place)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What has been imported stays: the collector need not walk through it again and again. And it comes rarely: with Python's
    own thresholds it takes a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def share_of(nodeid: str) -> str:
    file = file_of(nodeid)
    return SHARED_UP if any(name in file for name in ASK_SHARED_UP) else file


class Shares(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return share_of(nodeid)


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Shares:
    config.option.loadscopereorder = False
    return Shares(config, log)
