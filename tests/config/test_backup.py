"""Backups: made while everything runs, one file that says when it is broken, back into an empty database with every law."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from config.backup import archive, schedule, sealed
from config.backup.sealed import BadBackup
from config.embedded import postgres
from tests import services, whole

KEY = bytes(range(32))
CANARY = "zanzibarquokka"
# In one process, since each takes seconds to start: `purge`, and `verify` until all that it wrote is sealed.
PURGE_AND_SEAL = """
import io, json, time
from django.core.management import call_command
call_command("purge", "{source}", "--reason", "asked for")
def verified():
    out = io.StringIO()
    call_command("verify", "--json", stdout=out)
    return json.loads(out.getvalue())
report = before = verified()
until = time.monotonic() + 120
while report["sealed"] < before["events"]:
    assert time.monotonic() < until, report
    time.sleep(0.2)
    report = verified()
assert before["ok"] and report["ok"], report
print(json.dumps(report))
"""


def manage(data_dir: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=whole.ROOT,
        env=whole.environment(data_dir),
        capture_output=True,
        text=True,
        timeout=whole.PATIENCE_S,
    )


def ask(server: whole.Instance, method: str, path: str, body: Any = None) -> Any:
    request = urllib.request.Request(
        server.url + "/api/v1" + path,
        data=json.dumps(body).encode() if body is not None else None,
        method=method,
        headers={"Authorization": f"Bearer {server.said['reviewer_token']}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=whole.PATIENCE_S) as answer:
        return json.load(answer)


def entities_of(server: whole.Instance) -> list[dict[str, Any]]:
    return list(ask(server, "GET", "/entities?scope=global&descend=true&limit=200")["items"])


def made(path: Path, key: bytes | None = None, *, pieces: int = 3) -> Path:
    with path.open("wb") as out:
        writer = archive.Writer(out, key)
        writer.add_json(archive.ABOUT, {"format": archive.FORMAT, "migrations": []})
        writer.add_stream(BytesIO(os.urandom(pieces * archive.PIECE - 5)))
        writer.close()
    return path


@pytest.mark.parametrize("key", [None, KEY])
def test_an_archive_holds_what_was_written_and_is_told_from_a_broken_one(tmp_path: Path, key: bytes | None) -> None:
    path = made(tmp_path / "one", key)
    assert archive.is_sealed(path) == (key is not None)
    assert list(archive.check(path, key)) == [archive.ABOUT, archive.MANIFEST]
    assert sum(map(len, archive.dump_pieces(path, key))) == 3 * archive.PIECE - 5
    whole_file = path.read_bytes()
    for broken in (
        whole_file[:-20_000],
        whole_file[:1000],
        whole_file[: 2 * archive.PIECE] + b"x" + whole_file[2 * archive.PIECE + 1 :],
    ):
        path.write_bytes(broken)
        with pytest.raises(BadBackup):
            archive.check(path, key)


def test_a_sealed_archive_opens_with_its_key_alone(tmp_path: Path) -> None:
    path = made(tmp_path / "one", KEY, pieces=1)
    for key in (None, bytes(32)):
        with pytest.raises(BadBackup):
            archive.check(path, key)
    assert b"about.json" not in path.read_bytes()
    sealed.make_key(tmp_path / "key")
    assert len(sealed.read_key(tmp_path / "key")) == 32 and (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        sealed.make_key(tmp_path / "key")
    with pytest.raises(BadBackup):
        sealed.read_key(path)


@pytest.mark.parametrize("size", [0, 1, sealed.BLOCK - 1, sealed.BLOCK, sealed.BLOCK + 1, 3 * sealed.BLOCK])
def test_sealed_blocks_of_any_size_come_back(size: int) -> None:
    out, plain = BytesIO(), os.urandom(size)
    writer = sealed.Sealer(out, KEY)
    writer.write(plain)
    writer.finish()
    assert sealed.Opener(BytesIO(out.getvalue()), KEY).readall() == plain
    if size > sealed.BLOCK:
        with pytest.raises(BadBackup):  # cut where a block ends
            sealed.Opener(BytesIO(out.getvalue()[: len(sealed.MAGIC) + 16 + sealed.BLOCK + 16]), KEY).readall()


def test_the_newest_are_kept_and_nothing_else_is_touched(tmp_path: Path) -> None:
    assert schedule.is_due(tmp_path, 24)
    for day in range(1, 6):
        (tmp_path / f"countersign-2026010{day}T000000Z.backup").touch()
    (tmp_path / "mine.backup").touch()
    assert [one.name[18:20] for one in schedule.remove_old(tmp_path, 2)] == ["01", "02", "03"]
    assert len(list(tmp_path.iterdir())) == 3
    assert not schedule.is_due(tmp_path, 24)
    for one in schedule.backups_in(tmp_path):
        os.utime(one, (time.time() - 90_000,) * 2)
    assert schedule.is_due(tmp_path, 24) and not schedule.is_due(tmp_path, 26)


@dataclass
class Backed:
    """A backup of the shared server, and what came of it in an empty folder."""

    server: whole.Instance
    entities: list[dict[str, Any]]
    key: Path
    file: Path
    back: whole.Instance


@pytest.fixture(scope="module")
def backed(up_instance: whole.Instance) -> Iterator[Backed]:
    parent = Path(tempfile.mkdtemp(prefix="cs-backup-", dir=services.RUN_DIR))
    server, key, file, other = up_instance, parent / "key", parent / "one.backup", parent / "other" / "var"
    entities = entities_of(server)
    assert entities
    assert manage(server.data_dir, "backup", "--new-key", str(key)).returncode == 0
    done = manage(server.data_dir, "backup", str(file), "--key", str(key), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["journal"]["events"] > 0
    other.parent.mkdir()
    assert "is sealed" in manage(other, "restore", str(file)).stderr
    done = manage(other, "restore", str(file), "--key", str(key))
    assert done.returncode == 0, done.stderr
    back = whole.start(other, "--no-demo")
    yield Backed(server, entities, key, file, back)
    back.stop()
    shutil.rmtree(parent, ignore_errors=True)


def test_everything_comes_back_from_a_running_server(backed: Backed) -> None:
    server, back = backed.server, backed.back
    assert backed.file.stat().st_mode & 0o777 == 0o600
    assert "is not empty" in manage(server.data_dir, "restore", str(backed.file), "--key", str(backed.key)).stderr
    assert {name: back.said[name] for name in ("password", "agent_token")} == {
        name: server.said[name] for name in ("password", "agent_token")
    }
    assert entities_of(back) == backed.entities
    # What is written from now on is numbered and sealed, and a purge still has its power.
    source = backed.entities[0]["evidence"][0]["source"]
    done = manage(back.data_dir, "shell", "--no-imports", "-c", PURGE_AND_SEAL.format(source=source))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["redacted"] > 0


def test_a_stranger_s_file_is_no_backup(tmp_path: Path) -> None:
    path = tmp_path / "one"
    with tarfile.open(path, "w") as tar:
        tar.addfile(tarfile.TarInfo("hello"))
    for data in (path.read_bytes(), b"hello", b""):
        path.write_bytes(data)
        with pytest.raises(BadBackup):
            archive.check(path, None)


def left_in(folder: Path) -> list[str]:
    files = (file for file in folder.rglob("*") if file.is_file() and "pg_wal" not in file.parts)
    return [str(file.relative_to(folder)) for file in files if CANARY.encode() in file.read_bytes().lower()]


def test_no_byte_of_somebody_is_left(backed: Backed) -> None:
    """After an erasure and `erase --compact`: in the whole data folder, the write-ahead log apart."""
    server = backed.back
    name = CANARY.title()
    ask(server, "POST", "/scopes", {"scope": "lab", "tier": "project", "packs": ["engineering"]})
    ask(server, "POST", "/scope/people", {"scope": "lab", "name": name, "aliases": [f"{CANARY} the second"]})
    for n in range(30):
        text = f"Decision: {CANARY} keeps key number {n}.\n" * 40
        sent = {"scope": "lab", "kind": "message", "sender": name, "sender_kind": "user", "text": text}
        ask(
            server,
            "POST",
            "/sources",
            sent | {"conversation": f"{CANARY}-{n}", "external_id": f"{CANARY}{n}", "wait": 20 * (n == 29)},
        )
    ask(server, "POST", "/sources", {"scope": "lab", "kind": "document", "text": f"Ask {name} about the lid.\n"})
    for claim in ask(server, "GET", "/candidates?scope=lab&limit=20")["items"]:
        body = {"version": claim["version"], "reason": f"{name} said so"}
        ask(server, "POST", f"/candidates/{claim['id']}/promote", body)
    ask(server, "GET", f"/search?scope=lab&q={CANARY}&sources=true")
    with postgres.PostgresServer(server.data_dir).superuser(postgres.DATABASE) as admin:
        admin.execute("ANALYZE")
        admin.execute("CHECKPOINT")
    assert len(left_in(server.data_dir)) > 3
    assert ask(server, "POST", "/scope/erase", {"scope": "lab", "person": name})["status"] == "done"
    done = server.manage("erase", "--compact")
    assert done.returncode == 0, done.stderr
    assert ask(server, "GET", "/journal/verify")["ok"]
    assert server.stop() == 0
    assert left_in(server.data_dir) == []
