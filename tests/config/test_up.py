"""The one command that starts everything: what it prints, refuses, survives and leaves behind."""

import json
import os
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from config.embedded import postgres, supervisor, valkey
from config.management.commands.up import Up
from tests import database, services, whole

OPTIONS = {"host": "127.0.0.1", "port": 0, "no_demo": True}


@pytest.fixture(scope="module")
def parent() -> Iterator[Path]:
    """Where the data folders of this file lie: a path short enough for sockets."""
    made = Path(tempfile.mkdtemp(prefix="cs-up-", dir=services.RUN_DIR))
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def folder(parent: Path) -> Iterator[Path]:
    """A data folder of one test, which is not there yet."""
    place = Path(tempfile.mkdtemp(dir=parent)) / "var"
    yield place
    for pid in whole.processes_of(place):
        os.kill(pid, signal.SIGKILL)


@pytest.fixture
def used(folder: Path) -> Path:
    """A data folder of one test on which `up` has not much to do any more."""
    return database.serve_from(folder)


def live(instance: whole.Instance) -> int:
    with urllib.request.urlopen(instance.url + "/api/v1/health/live", timeout=whole.PATIENCE_S) as answer:
        return answer.status


def test_a_port_in_use_is_refused_before_anything_starts(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "manage.py", "up", "--port", str(port)],
            cwd=whole.ROOT,
            env=whole.environment(folder),
            capture_output=True,
            text=True,
            timeout=whole.PATIENCE_S,
        )
    assert done.returncode != 0
    assert f"Port {port}" in done.stderr and "in use" in done.stderr
    assert done.stdout == ""
    assert not (folder / "postgres").exists()
    assert not (folder / "valkey").exists()


def test_it_says_how_to_sign_in_starts_again_what_died_and_stops_in_order(folder: Path) -> None:
    instance = whole.start(folder, "--no-demo")
    said = instance.said
    assert said.keys() == {"ready", "url", "user", "password", "agent_token", "reviewer_token", "database_url"}
    assert said["ready"] is True and said["user"] == "admin"
    assert said["agent_token"].startswith("cs_") and said["reviewer_token"].startswith("cs_")
    assert live(instance) == 200
    assert (folder / "secrets.json").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    if psql := shutil.which("psql"):
        asked = [psql, said["database_url"], "-Atc", "SELECT current_user, rolsuper FROM pg_roles WHERE rolname = user"]
        answer = subprocess.run(asked, capture_output=True, text=True, timeout=whole.PATIENCE_S)
        assert answer.stdout.strip() == "countersign|f", answer.stderr

    # Another command reaches it without settings, and a second `up` on the folder is refused by name.
    assert instance.manage("migrate", "--check").returncode == 0
    second = instance.manage("up", "--port", "0")
    assert second.returncode != 0 and instance.url in second.stderr

    before = children(folder)
    assert before.keys() == {"web", "worker", "beat"}
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    os.kill(valkey.ValkeyServer(folder).running(), signal.SIGKILL)
    os.kill(postgres.PostgresServer(folder).running().pid, signal.SIGKILL)
    comes_true(lambda: all_anew(folder, before), "everything is there again")
    comes_true(lambda: live(instance) == 200, "it serves again")
    assert instance.stop() == 0
    assert whole.wait_until_gone(folder) == {}


def children(folder: Path) -> dict[str, int]:
    return {row["name"]: row["pid"] for row in json.loads((folder / "up.json").read_text())["children"]}


def all_anew(folder: Path, before: dict[str, int]) -> bool:
    now, server = children(folder), postgres.PostgresServer(folder).running()
    anew = now.keys() == before.keys() and not set(now.values()) & set(before.values())
    return bool(anew and server and server.ready and valkey.ValkeyServer(folder).running())


def comes_true(happened: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + whole.PATIENCE_S
    while time.monotonic() < until:
        with suppress(OSError):
            if happened():
                return
        time.sleep(0.3)
    pytest.fail(f"waited in vain: {what}")


def ask(instance: whole.Instance, token: str, path: str, body: object) -> None:
    headers = {"Authorization": f"Bearer {instance.said[token]}", "Content-Type": "application/json"}
    request = urllib.request.Request(instance.url + "/api/v1" + path, json.dumps(body).encode(), headers)
    urllib.request.urlopen(request, timeout=whole.PATIENCE_S).close()


@contextmanager
def under_load(instance: whole.Instance) -> Iterator[None]:
    """Four threads that post sources, each with work for the worker, until the block ends."""
    yard = f"yard-{secrets.token_hex(4)}"
    ask(instance, "reviewer_token", "/scopes", {"scope": yard, "tier": "project"})
    over, posted = threading.Event(), threading.Semaphore(0)

    def post(name: int) -> None:
        number = 0
        while not over.is_set():
            number += 1
            doors = "".join(f"- [Requirement] Door {name}-{number}-{door} is blue\n" for door in range(30))
            source = {"scope": yard, "kind": "document", "external_id": f"{name}-{number}", "text": doors}
            try:
                ask(instance, "agent_token", "/sources", source)
                posted.release()
            except OSError:
                time.sleep(0.02)

    threads = [threading.Thread(target=post, args=(name,), daemon=True) for name in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            assert posted.acquire(timeout=whole.PATIENCE_S)
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def test_a_killed_up_leaves_nothing_behind_and_starts_again(used: Path) -> None:
    """Killed when it has hardly begun, it takes the server along that it had adopted and starts again on what was committed;
    killed at work, whichever of its processes is hit first, nothing of it lives on, and it starts again."""
    uv = shutil.which("uv") or pytest.fail("uv is not on the PATH; install it as the README says")
    directly, by_uv = (sys.executable,), (uv, "run", "--no-sync", "python")
    postgres.PostgresServer(used).start(bound=False)
    begun = postgres.PostgresServer(used).running()
    instance = whole.start(used, "--no-demo", command=directly)
    said = instance.said
    assert postgres.PostgresServer(used).running().pid == begun.pid
    with postgres.PostgresServer(used).superuser("countersign") as admin:
        admin.execute("CREATE TABLE kept AS SELECT 1 AS n")
    os.kill(instance.process.pid, signal.SIGKILL)
    instance.process.wait()
    # The server was started by this process, which would have to reap it.
    until = time.monotonic() + whole.PATIENCE_S
    while postgres.PostgresServer(used).running() and time.monotonic() < until:
        time.sleep(0.1)
    assert postgres.PostgresServer(used).running() is None
    assert whole.wait_until_gone(used) == {}
    for command, kill in ((by_uv, os.kill), (directly, os.killpg)):
        instance = whole.start(used, "--no-demo", command=command)
        assert live(instance) == 200
        assert {**instance.said, "url": ""} == {**said, "url": ""}
        with under_load(instance):
            kill(instance.process.pid, signal.SIGKILL)
            instance.process.wait()
            assert whole.wait_until_gone(used) == {}
            time.sleep(1)  # nor does anything come back
            assert whole.processes_of(used) == {}
    postgres.PostgresServer(used).start(bound=False)
    with postgres.PostgresServer(used).superuser("countersign") as admin:
        assert admin.execute("SELECT n FROM kept").fetchone() == (1,)
    postgres.PostgresServer(used).stop()


@contextmanager
def no_room() -> Iterator[None]:
    """No file takes another byte, as on a full disk: not pytest's own for stderr, either."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_ends_nothing_and_what_runs_is_noted_once_there_is_room(tmp_path: Path) -> None:
    up = Up(tmp_path, dict.fromkeys(("demo", "provision", "model", "json"), False) | OPTIONS)
    sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
    child = supervisor.Child(
        name="sleeper", command=sleeper, env=dict(os.environ), log=tmp_path / "log" / "sleeper.log"
    )
    up.children = [child]
    child.start()
    first = child.handle
    try:
        with no_room():
            os.kill(first.pid, signal.SIGKILL)
            until = time.monotonic() + whole.PATIENCE_S
            while child.handle is first and time.monotonic() < until:
                up.look_after()
                time.sleep(0.05)
            up.say("not a word of this arrives")
            assert child.handle is not first and child.live_pid()
            assert [path.name for path in tmp_path.iterdir()] == ["log"]
        up.look_after()
        assert [row["pid"] for row in supervisor.read_record(up.record)["children"]] == [child.live_pid()]
    finally:
        child.stop()
