"""Reads from a real standby of this test's own server: as fresh as from the primary, and from there where the standby is behind."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection, connections

from config import replica
from config.embedded import folder
from config.embedded.postgres import PORT, SUPERUSER
from ledger.models import Exposure
from tests import services
from tests.failover.parts import Standby, kill_server
from tests.review.door import Door, House, build_house


class Watched:
    """The standby, and what it was asked."""

    def __init__(self, server: Standby) -> None:
        self.server = server
        self.asked: list[str] = []

    def note(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        self.asked.append(sql)
        return execute(sql, params, many, context)

    def replay(self, word: str) -> None:
        host = str(folder.sockets(self.server.data_dir))
        with psycopg.connect(host=host, port=PORT, user=SUPERUSER, dbname="postgres", autocommit=True) as admin:
            admin.execute(f"SELECT pg_wal_replay_{word}()")

    def answered(self) -> bool:
        """Whether it was asked for more than how far it is, since this was asked last."""
        asked, self.asked = [sql for sql in self.asked if "pg_last_wal_replay_lsn" not in sql], []
        return bool(asked)


@pytest.fixture
def standby(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    place = Path(tempfile.mkdtemp(prefix="cs-standby-", dir=services.RUN_DIR))
    server = Standby(place / "db2", settings=services.FAST)
    server.copy(services.server)
    here = connection.settings_dict | {"HOST": str(folder.sockets(server.data_dir)), "PORT": PORT}
    connections.settings["replica"] = {name: value for name, value in here.items() if name != "EMBEDDED"}
    watched = Watched(server)
    monkeypatch.setattr(replica, "away_until", 0.0)
    monkeypatch.setattr(
        replica, "PATIENCE_S", 10.0
    )  # the machine is busy: what has its time is asserted, not its speed
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")  # as everywhere but in tests
    connections["replica"].connect()  # what is not connected by then, the test's own guard refuses
    with connections["replica"].execute_wrapper(watched.note):
        yield watched
    connections["replica"].close()
    del connections["replica"], connections.settings["replica"]
    connection.close()
    server.stop()
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def house(standby: Watched) -> House:
    return build_house()


def statements(door: Door) -> set[str]:
    status, page = door("GET", "/candidates?scope=studio")
    assert status == 200, page
    return {one["statement"] for one in page["items"]}


def propose(door: Door, statement: str) -> str:
    status, answer = door("POST", "/candidates", {"scope": "studio", "kind": "fact", "statement": statement})
    assert status == 201, answer
    return str(answer["candidate"]["ref"])


def test_what_was_just_written_is_read_whoever_answers(
    house: House, standby: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    propose(house.alice, "The door is green")
    assert not standby.answered()
    assert statements(house.alice) == {"The door is green"} and standby.answered()

    standby.replay("pause")
    monkeypatch.setattr(replica, "PATIENCE_S", 0.02)
    propose(house.alice, "The door is open")
    assert statements(house.alice) == {"The door is green", "The door is open"} and not standby.answered()

    standby.replay("resume")
    monkeypatch.setattr(replica, "PATIENCE_S", 10.0)
    assert len(statements(house.alice)) == 2 and standby.answered()
    assert house.charlie("GET", "/candidates?scope=studio")[0] == 404 and standby.answered()

    kill_server(standby.server)
    assert len(statements(house.alice)) == 2 and not standby.answered()
    assert replica.away_until > time.monotonic()


def test_what_notes_something_as_it_reads_goes_to_the_primary(house: House, standby: Watched) -> None:
    ref = propose(house.alice, "The door is green")
    assert house.bob("POST", f"/candidates/{ref}/promote", {})[0] == 200
    for count in (1, 2):
        status, answer = house.agent("GET", "/context?scope=studio&query=door")
        assert status == 200 and ref in answer["markdown"], answer
        assert Exposure.objects.count() == count
        assert standby.answered() == (count == 1)
