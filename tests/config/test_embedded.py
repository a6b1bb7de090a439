"""The private servers: adoption, stale pids, long paths; and the addresses that the environment gives."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import database
from config.embedded import binaries, folder, postgres, process, secrets, valkey
from tests import services, whole
from tests.whole import wait_until_gone

FAST = {"fsync": "off", "shared_buffers": "16MB"}


@pytest.fixture
def data_dir() -> Iterator[Path]:
    parent = Path(tempfile.mkdtemp(prefix="cs-embedded-", dir=services.RUN_DIR))
    yield parent / "var"
    postgres.PostgresServer(parent / "var").stop()
    valkey.ValkeyServer(parent / "var").stop()
    shutil.rmtree(parent, ignore_errors=True)


def test_a_live_server_is_adopted_and_stopped_by_its_adopter(data_dir: Path) -> None:
    first = postgres.PostgresServer(data_dir, settings=FAST)
    assert first.start() is True
    second = postgres.PostgresServer(data_dir)
    assert second.start() is False
    assert second.running() == first.running()
    second.stop()
    assert first.running() is None


def test_the_owner_is_no_superuser_and_test_databases_have_the_extensions(data_dir: Path) -> None:
    server = postgres.PostgresServer(data_dir, settings=FAST)
    server.start()
    with server.superuser("template1") as admin:
        role = admin.execute(
            "SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = 'countersign'"
        ).fetchone()
        names = {row[0] for row in admin.execute("SELECT extname FROM pg_extension")}
    assert role == (False, True, True)
    assert {"pg_trgm", "unaccent", "btree_gin"} <= names


def test_the_statement_of_a_killed_client_ends(data_dir: Path) -> None:
    server = postgres.PostgresServer(data_dir, settings=FAST)
    server.start()
    running = server.running()
    assert running is not None
    asleep = "SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)'"
    client = (
        "import psycopg, sys; psycopg.connect(host=sys.argv[1], port=sys.argv[2], user='countersign',"
        " dbname='countersign').execute('SELECT pg_sleep(600)')"
    )
    child = subprocess.Popen([sys.executable, "-c", client, running.host, str(running.port)])
    with server.superuser("template1") as admin:
        for killed, left in ((False, 1), (True, 0)):
            if killed:
                child.kill()
                child.wait()
            until = time.monotonic() + 30
            while admin.execute(asleep).fetchone() != (left,) and time.monotonic() < until:
                time.sleep(0.1)
            assert admin.execute(asleep).fetchone() == (left,)


@pytest.mark.parametrize("number", ["own", "gone"])
def test_a_stale_pid_file_is_no_hindrance(data_dir: Path, number: str) -> None:
    server = postgres.PostgresServer(data_dir, settings=FAST)
    server.start()
    kept = (server.database_dir / "postmaster.pid").read_text().splitlines()
    server.stop()
    # The number of a process that lives and is no PostgreSQL: after a restart of the machine numbers are dealt anew.
    kept[0] = str(os.getpid()) if number == "own" else "4194303"
    (server.database_dir / "postmaster.pid").write_text("\n".join(kept) + "\n")
    assert server.running() is None
    assert server.start() is True


def test_servers_end_with_the_process_that_started_them(data_dir: Path) -> None:
    script = (
        "import sys, pathlib, os, signal\n"
        "from config.embedded import postgres, valkey\n"
        "d = pathlib.Path(sys.argv[1])\n"
        "postgres.PostgresServer(d).start(); valkey.ValkeyServer(d).start()\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", script, str(data_dir)], cwd=root, timeout=60)
    assert done.returncode == -signal.SIGKILL
    for running in (postgres.PostgresServer(data_dir).running, valkey.ValkeyServer(data_dir).running):
        for _ in range(200):
            if running() is None:
                break
            process.time.sleep(0.05)
        assert running() is None


# A child that asks to end with its parent only when that one is gone, and says so where it lives on.
LATE = """
import os, signal, sys, time
from config.embedded import process
parent = os.getpid()
if os.fork():
    os._exit(0)
while os.getppid() == parent:
    time.sleep(0.01)
process.end_with_parent(signal.SIGKILL, parent if sys.argv[1] == "gone" else os.getppid())
print("lives")
"""


def test_a_child_ends_whose_parent_ended_before_it_asked() -> None:
    def said(parent: str) -> str:
        command = [sys.executable, "-c", LATE, parent]
        return subprocess.run(command, cwd=whole.ROOT, capture_output=True, text=True, check=True).stdout

    assert said("gone") == ""
    assert said("there") == "lives\n"


def test_programs_that_are_too_old_are_refused_by_their_version(tmp_path: Path) -> None:
    program = tmp_path / "15" / "bin" / "postgres"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 15.18'\n")
    program.chmod(0o700)
    with pytest.raises(binaries.Unavailable, match="is version 15; it takes 16 or newer"):
        binaries.usable_version(program.parent, None)


def test_a_path_too_long_for_sockets_gets_a_short_private_folder(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 120) / "var"
    short = folder.sockets(long)
    try:
        assert long not in short.parents
        assert short.stat().st_mode & 0o777 == 0o700
        assert folder.sockets(long) == short
        server = postgres.PostgresServer(long, settings=FAST)
        assert server.start() is True
        assert server.running().host == str(short)
        server.stop()
    finally:
        shutil.rmtree(short)
    assert folder.sockets(long) != short  # a cleaned temporary folder is made again
    shutil.rmtree(folder.sockets(long))


def test_valkey_is_adopted_and_keeps_what_it_was_told(data_dir: Path) -> None:
    import redis

    first = valkey.ValkeyServer(data_dir)
    assert first.start() is True
    redis.Redis(unix_socket_path=str(first.socket)).set("kept", "1")
    assert valkey.ValkeyServer(data_dir).start() is False
    valkey.ValkeyServer(data_dir).stop()
    assert first.running() is None
    assert first.start() is True
    assert redis.Redis(unix_socket_path=str(first.socket)).get("kept") == b"1"


def test_secrets_are_made_once(tmp_path: Path) -> None:
    made = secrets.load(tmp_path / "var")
    assert secrets.load(tmp_path / "var") == made
    assert (tmp_path / "var" / "secrets.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgres://ann:p%40ss@db.example:6543/notes?sslmode=require",
            ("notes", "ann", "p@ss", "db.example", "6543", {"sslmode": "require"}),
        ),
        ("postgresql:///notes?host=/run/pg&port=5433", ("notes", "", "", "/run/pg", "5433", {})),
        ("postgresql://ann@%2Frun%2Fpg/notes", ("notes", "ann", "", "/run/pg", "", {})),
        ("postgresql://ann@[::1]:5432/a%20b", ("a b", "ann", "", "::1", "5432", {})),
    ],
)
def test_database_url(url: str, expected: tuple[object, ...]) -> None:
    found = database.parse(url)
    assert tuple(found[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")) == expected


@pytest.mark.parametrize("url", ["mysql://a/b", "postgresql://ann@db", "postgresql://ann@db:port/x", "nonsense"])
def test_a_wrong_database_url_is_refused_by_name(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        database.parse(url)


def test_roles_and_pool_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann@db/x?connect_timeout=3")
    monkeypatch.setenv("COUNTERSIGN_ROLE", "web")
    monkeypatch.setenv("COUNTERSIGN_POOL", "5")
    options = database.settings(tmp_path)["default"]["OPTIONS"]
    assert options["assume_role"] == "countersign_web"
    assert options["pool"]["max_size"] == 5 and options["connect_timeout"] == "3"
    assert options["keepalives_idle"] == 5 and "replica" not in database.settings(tmp_path)
    monkeypatch.setenv("DATABASE_REPLICA_URL", "postgresql://ann@standby/x")
    replica = database.settings(tmp_path)["replica"]
    assert (replica["HOST"], replica["OPTIONS"]["assume_role"]) == ("standby", "countersign_web")
    monkeypatch.setenv("DATABASE_REPLICA_URL", "standby")
    with pytest.raises(ImproperlyConfigured, match="DATABASE_REPLICA_URL"):
        database.settings(tmp_path)
    monkeypatch.delenv("DATABASE_REPLICA_URL")
    monkeypatch.setenv("COUNTERSIGN_ROLE", "root")
    with pytest.raises(ImproperlyConfigured, match="COUNTERSIGN_ROLE"):
        database.settings(tmp_path)


def ask(data_dir: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Which roles a command's session has, asked by a command in a process of its own."""
    script = (
        "from django.db import connection\n"
        "with connection.cursor() as cursor:\n"
        "    cursor.execute('SELECT session_user, current_user'); print(*cursor.fetchone())\n"
    )
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    around = kept | {"COUNTERSIGN_DATA": str(data_dir), "DJANGO_SETTINGS_MODULE": "config.settings"} | variables
    root = Path(__file__).resolve().parents[2]
    return subprocess.run(
        [sys.executable, "-c", script], cwd=root, env=around, capture_output=True, text=True, timeout=60
    )


def test_a_pool_serves_under_the_role(data_dir: Path) -> None:
    server = postgres.PostgresServer(data_dir, settings=FAST)
    server.start()
    with server.superuser("countersign") as admin:
        admin.execute("CREATE ROLE countersign_web NOLOGIN")
        admin.execute("GRANT countersign_web TO countersign")
    answer = ask(data_dir, COUNTERSIGN_ROLE="web", COUNTERSIGN_POOL="2")
    assert answer.stdout.split() == ["countersign", "countersign_web"], answer.stderr
    assert server.running() is not None


def test_a_command_starts_a_server_for_as_long_as_it_lasts(data_dir: Path) -> None:
    answer = ask(data_dir)
    assert answer.stdout.split() == ["countersign", "countersign"], answer.stderr
    assert (data_dir / "postgres").exists()
    assert wait_until_gone(data_dir) == {} and postgres.PostgresServer(data_dir).running() is None


def test_a_child_of_up_starts_no_server_where_one_is_shutting_down(data_dir: Path) -> None:
    server = postgres.PostgresServer(data_dir, settings=FAST)
    server.start()
    begun = server.running()
    with server.superuser("postgres"):
        process.send(begun.pid, signal.SIGTERM)  # waits for this session
        while (now := server.running()) and now.ready:
            time.sleep(0.02)
        answer = ask(data_dir, COUNTERSIGN_SUPERVISED="1")
        assert answer.returncode != 0 and "being restarted" in answer.stderr
        assert server.running().pid == begun.pid
    assert process.wait_gone(begun.pid, seconds=20, child=server.child)
    answer = ask(data_dir, COUNTERSIGN_SUPERVISED="1")
    assert answer.returncode != 0 and "being restarted" in answer.stderr
    assert server.running() is None and not (data_dir / "postgres.passing").exists()
