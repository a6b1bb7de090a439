"""A real `up` as a child process, for the tests that need everything."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_S = 240  # for what takes a few seconds on a machine that has nothing else to do
DROPPED = (
    "DATABASE_URL",
    "REDIS_URL",
    "COUNTERSIGN_ROLE",
    "COUNTERSIGN_POOL",
    "COUNTERSIGN_SUPERVISED",
    "PYTHONDONTWRITEBYTECODE",
)


@dataclass
class Instance:
    """What `up --json` said, and its process."""

    process: subprocess.Popen[str]
    data_dir: Path
    said: dict[str, Any]

    @property
    def url(self) -> str:
        return str(self.said["url"])

    @property
    def talk(self) -> Path:
        """What it said on stderr, and those before it on the same folder."""
        return talk_of(self.data_dir)

    def manage(self, *arguments: str, seconds: float = PATIENCE_S) -> subprocess.CompletedProcess[str]:
        """Run a command against this instance, as a person in another terminal would."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=environment(self.data_dir),
            capture_output=True,
            text=True,
            timeout=seconds,
        )

    def stop(self, seconds: float = PATIENCE_S) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        finally:
            if self.process.poll() is None:
                self.process.kill()


def talk_of(data_dir: Path) -> Path:
    return data_dir.with_name(data_dir.name + ".talk")


def environment(data_dir: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in DROPPED}
    return kept | {"COUNTERSIGN_DATA": str(data_dir)}


def start(
    data_dir: Path, *arguments: str, command: tuple[str, ...] = (sys.executable,), seconds: float = PATIENCE_S
) -> Instance:
    """Start `up` on the folder and wait until it serves; raises AssertionError with what it said on stderr."""
    talk = talk_of(data_dir)
    with talk.open("ab") as stderr:
        process = subprocess.Popen(
            [*command, "manage.py", "up", "--json", "--port", "0", *arguments],
            cwd=ROOT,
            env=environment(data_dir),
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            start_new_session=True,
        )
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if select.select([process.stdout], [], [], 0.2)[0] and (line := process.stdout.readline()):
            return Instance(process, data_dir, json.loads(line))
        if process.poll() is not None:
            raise AssertionError(f"up ended with {process.returncode}:\n{talk.read_text()[-3000:]}")
    process.send_signal(signal.SIGTERM)
    raise AssertionError(f"up was not ready in {seconds} s:\n{talk.read_text()[-3000:]}")


def processes_of(data_dir: Path) -> dict[int, str]:
    """Live processes that work on the folder, by what their command line or environment says."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if (entry / "stat").read_text().rpartition(")")[2].split()[0] == "Z":
                continue
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            around = (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        mine = f"COUNTERSIGN_DATA={data_dir}".encode() in around or str(data_dir) in line
        if mine and int(entry.name) != os.getpid():
            found[int(entry.name)] = line.strip()
    return found


def wait_until_gone(data_dir: Path, seconds: float = PATIENCE_S) -> dict[int, str]:
    """What still works on the folder when the time is over; empty as soon as nothing does."""
    until = time.monotonic() + seconds
    while (left := processes_of(data_dir)) and time.monotonic() < until:
        time.sleep(0.1)
    return left


def use_here(instance: Instance) -> None:
    """Set Django up in this process on the instance's database, as its owner: benchmarks measure functions beside requests."""
    os.environ |= {"DATABASE_URL": instance.said["database_url"], "COUNTERSIGN_DATA": str(instance.data_dir)}
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()


@contextmanager
def thrown_away(name: str) -> Iterator[Instance]:
    """An instance without demo data in a folder of its own, used here, and gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix=f"cs-{name}-"))
    instance = start(folder / "var", "--no-demo")
    try:
        use_here(instance)
        yield instance
    finally:
        instance.stop()
        shutil.rmtree(folder, ignore_errors=True)
