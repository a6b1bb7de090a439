"""The one command that starts everything: what it prints, refuses, survives and leaves behind."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config.embedded import postgres, valkey
from tests import whole


@pytest.fixture
def folder() -> Iterator[Path]:
    """A data folder of one test, with a path short enough for sockets."""
    parent = Path(tempfile.mkdtemp(prefix="cs-up-"))
    yield parent / "var"
    for pid in whole.processes_of(parent / "var"):
        os.kill(pid, signal.SIGKILL)
    shutil.rmtree(parent, ignore_errors=True)


def live(instance: whole.Instance) -> int:
    with urllib.request.urlopen(instance.url + "/api/v1/health/live", timeout=5) as answer:
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
            timeout=60,
        )
    assert done.returncode != 0
    assert f"Port {port}" in done.stderr and "in use" in done.stderr
    assert done.stdout == ""
    assert not (folder / "postgres").exists()
    assert not (folder / "valkey").exists()


def test_it_says_how_to_sign_in_and_stops_in_order(folder: Path) -> None:
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
        answer = subprocess.run(asked, capture_output=True, text=True, timeout=30)
        assert answer.stdout.strip() == "countersign|f", answer.stderr

    # Another command reaches it without settings, and a second `up` on the folder is refused by name.
    assert instance.manage("migrate", "--check").returncode == 0
    second = instance.manage("up", "--port", "0")
    assert second.returncode != 0 and instance.url in second.stderr

    began = time.monotonic()
    instance.stop()
    assert time.monotonic() - began < 20
    assert whole.wait_until_gone(folder, 5) == {}

    again = whole.start(folder, "--no-demo")
    assert {**again.said, "url": ""} == {**said, "url": ""}
    again.stop()


@contextmanager
def under_load(instance: whole.Instance) -> Iterator[None]:
    """Four threads that post sources, each with work for the worker, until the block ends."""
    note = instance.data_dir.with_name("note.md")
    note.write_text("## Decision: Begin\n")
    done = instance.manage("ingest", str(note), "--scope", "yard", "--create-scope")
    assert done.returncode == 0, done.stderr
    over, posted = threading.Event(), threading.Semaphore(0)

    def post(name: int) -> None:
        number = 0
        while not over.is_set():
            number += 1
            doors = "".join(f"- [Requirement] Door {name}-{number}-{door} is blue\n" for door in range(30))
            source = {"scope": "yard", "kind": "document", "external_id": f"{name}-{number}", "text": doors}
            headers = {
                "Authorization": f"Bearer {instance.said['agent_token']}", "Content-Type": "application/json"
            }  # fmt: skip
            asked = urllib.request.Request(instance.url + "/api/v1/sources", json.dumps(source).encode(), headers)
            try:
                urllib.request.urlopen(asked, timeout=5).close()
                posted.release()
            except OSError:
                time.sleep(0.02)

    threads = [threading.Thread(target=post, args=(name,), daemon=True) for name in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(80):
            assert posted.acquire(timeout=30)
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("whom", ["up", "uv"])
def test_an_up_killed_at_work_leaves_nothing_behind(folder: Path, whom: str) -> None:
    uv = shutil.which("uv")
    if whom == "uv" and not uv:
        pytest.fail("uv is not on the PATH; install it as the README says")
    command = (uv, "run", "--no-sync", "python") if whom == "uv" else (sys.executable,)
    first = whole.start(folder, "--no-demo", command=command)
    with under_load(first):
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait(10)
        assert whole.wait_until_gone(folder, 20) == {}
        time.sleep(1)  # nor does anything come back
        assert whole.processes_of(folder) == {}
    second = whole.start(folder, "--no-demo")
    assert live(second) == 200
    assert second.stop() == 0
    assert whole.wait_until_gone(folder, 5) == {}


def test_a_killed_up_takes_the_server_along_that_it_had_adopted(folder: Path) -> None:
    postgres.PostgresServer(folder).start(bound=False)
    begun = postgres.PostgresServer(folder).running()
    instance = whole.start(folder, "--no-demo")
    assert postgres.PostgresServer(folder).running().pid == begun.pid
    os.kill(instance.process.pid, signal.SIGKILL)
    instance.process.wait(10)
    # The server was started by this process, which would have to reap it.
    until = time.monotonic() + 20
    while postgres.PostgresServer(folder).running() and time.monotonic() < until:
        time.sleep(0.1)
    assert postgres.PostgresServer(folder).running() is None
    assert whole.wait_until_gone(folder, 10) == {}


@pytest.mark.parametrize("whom", ["up", "uv", "session"])
def test_a_killed_up_leaves_nothing_behind_and_starts_again(folder: Path, whom: str) -> None:
    uv = shutil.which("uv")
    if whom == "uv" and not uv:
        pytest.fail("uv is not on the PATH; install it as the README says")
    command = (uv, "run", "--no-sync", "python") if whom == "uv" else (sys.executable,)
    first = whole.start(folder, "--no-demo", command=command)
    with postgres.PostgresServer(folder).superuser("countersign") as admin:
        admin.execute("CREATE TABLE kept AS SELECT 1 AS n")
    if whom == "session":
        os.killpg(first.process.pid, signal.SIGKILL)
    else:
        os.kill(first.process.pid, signal.SIGKILL)
    first.process.wait(10)
    began = time.monotonic()
    second = whole.start(folder, "--no-demo")
    assert time.monotonic() - began < 50
    assert live(second) == 200
    with postgres.PostgresServer(folder).superuser("countersign") as admin:
        assert admin.execute("SELECT n FROM kept").fetchone() == (1,)

    os.kill(second.process.pid, signal.SIGKILL)
    second.process.wait(10)
    assert whole.wait_until_gone(folder) == {}


def test_dead_children_and_servers_are_started_again(folder: Path) -> None:
    instance = whole.start(folder, "--no-demo")
    before = {row["name"]: row["pid"] for row in json.loads((folder / "up.json").read_text())["children"]}
    assert before.keys() == {"web", "worker", "beat"}
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    os.kill(valkey.ValkeyServer(folder).running(), signal.SIGKILL)
    os.kill(postgres.PostgresServer(folder).running().pid, signal.SIGKILL)
    until = time.monotonic() + 40
    while time.monotonic() < until:
        time.sleep(0.3)
        now = {row["name"]: row["pid"] for row in json.loads((folder / "up.json").read_text())["children"]}
        server = postgres.PostgresServer(folder).running()
        ready = now.keys() == before.keys() and not set(now.values()) & set(before.values())
        if ready and server and server.ready and valkey.ValkeyServer(folder).running():
            break
    else:
        pytest.fail("not everything came back")
    while True:
        try:
            assert live(instance) == 200
            break
        except OSError:
            assert time.monotonic() < until + 10
            time.sleep(0.3)
    assert instance.stop() == 0
    assert whole.wait_until_gone(folder, 5) == {}
