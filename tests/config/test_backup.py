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
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from config.backup import archive, schedule, sealed
from config.backup.sealed import BadBackup
from tests import services, whole

KEY = bytes(range(32))
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


@pytest.fixture(scope="module")
def parent() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="cs-backup-", dir=services.RUN_DIR))
    yield made
    shutil.rmtree(made, ignore_errors=True)


def entities_of(server: whole.Instance, token: str) -> list[dict[str, Any]]:
    request = urllib.request.Request(
        server.url + "/api/v1/entities?scope=global&descend=true&limit=200",
        headers={"Authorization": f"Bearer {token}"},
    )
    with urllib.request.urlopen(request, timeout=whole.PATIENCE_S) as answer:
        found: list[dict[str, Any]] = json.load(answer)["items"]
    return found


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


def test_everything_comes_back_from_a_running_server(parent: Path, up_instance: whole.Instance) -> None:
    server = up_instance
    entities = entities_of(server, server.said["reviewer_token"])
    assert entities
    key, file = parent / "key", parent / "one.backup"
    assert manage(server.data_dir, "backup", "--new-key", str(key)).returncode == 0
    done = manage(server.data_dir, "backup", str(file), "--key", str(key), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["journal"]["events"] > 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert "is not empty" in manage(server.data_dir, "restore", str(file), "--key", str(key)).stderr
    other = parent / "other" / "var"
    other.parent.mkdir()
    assert "is sealed" in manage(other, "restore", str(file)).stderr
    done = manage(other, "restore", str(file), "--key", str(key))
    assert done.returncode == 0, done.stderr
    back = whole.start(other, "--no-demo")
    try:
        assert {name: back.said[name] for name in ("password", "agent_token")} == {
            name: server.said[name] for name in ("password", "agent_token")
        }
        assert entities_of(back, server.said["reviewer_token"]) == entities
        # What is written from now on is numbered and sealed, and a purge still has its power.
        source = entities[0]["evidence"][0]["source"]
        done = manage(other, "shell", "--no-imports", "-c", PURGE_AND_SEAL.format(source=source))
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout.splitlines()[-1])["redacted"] > 0
    finally:
        back.stop()


def test_a_stranger_s_file_is_no_backup(tmp_path: Path) -> None:
    path = tmp_path / "one"
    with tarfile.open(path, "w") as tar:
        tar.addfile(tarfile.TarInfo("hello"))
    for data in (path.read_bytes(), b"hello", b""):
        path.write_bytes(data)
        with pytest.raises(BadBackup):
            archive.check(path, None)
