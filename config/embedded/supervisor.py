"""Keeps child processes running: a dead one is started again, after a pause that grows while it keeps dying."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from config.embedded import folder, process

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
HEALTHY_SECONDS = 60.0
LOG_BYTES = 20 * 1024 * 1024


@dataclass
class Child:
    """One supervised program. `death` is the signal that ends it in order, here and when this process is killed."""

    name: str
    command: list[str]
    env: dict[str, str]
    log: Path
    death: signal.Signals = signal.SIGTERM
    patience: float = 8.0
    handle: subprocess.Popen[bytes] | None = None
    began: float = 0.0
    failures: int = 0
    asked: bool = False

    def start(self) -> None:
        folder.private(self.log.parent)
        if self.log.exists() and self.log.stat().st_size > LOG_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        with self.log.open("ab") as log:
            self.handle = process.spawn(process.bound(self.command, death=self.death), log=log, env=self.env)
        self.began = time.monotonic()

    def dead(self) -> int | None:
        """The exit status once it has ended (negative: by a signal); None while it runs or was never started."""
        return self.handle.poll() if self.handle else None

    def due(self) -> bool:
        """Whether the pause after its last start is over, so that it may be started again."""
        pause: float = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**self.failures)
        return time.monotonic() - self.began >= pause

    def restart(self) -> None:
        healthy = time.monotonic() - self.began > HEALTHY_SECONDS
        self.failures = 0 if healthy else self.failures + 1
        self.start()

    def ask(self) -> None:
        """Send the signal once; a second one would be taken for impatience."""
        if self.handle is not None and self.handle.poll() is None and not self.asked:
            process.send(self.handle.pid, self.death)
            self.asked = True

    def stop(self) -> None:
        """Ask, wait, then kill the whole session."""
        if self.handle is None or self.handle.poll() is not None:
            return
        self.ask()
        if not process.wait_gone(self.handle.pid, seconds=self.patience, child=self.handle):
            kill_session(self.handle.pid)
            self.handle.wait(timeout=10)


@dataclass
class Service:
    """A server with its own `running`, `start` and `stop`, such as the embedded PostgreSQL."""

    name: str
    running: Callable[[], object]
    start: Callable[[], object]
    stop: Callable[[], object]
    began: float = 0.0
    failures: int = 0

    def check(self) -> str | None:
        """Start it again where it is gone. Returns what happened, for people to read."""
        if self.running():
            return None
        pause: float = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**self.failures)
        if time.monotonic() - self.began < pause:
            return None
        self.failures = 0 if time.monotonic() - self.began > HEALTHY_SECONDS else self.failures + 1
        self.began = time.monotonic()
        try:
            self.start()
        except Exception as error:  # noqa: BLE001 - it is tried again; the reason is told
            return f"{self.name} ended and could not be started again: {error}"
        return f"{self.name} had ended and was started again"


def kill_session(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def record(path: Path, *, url: str, state: str, children: list[Child]) -> None:
    """Write down who runs, so that the next start knows its predecessor's children from strangers."""
    live = [child for child in children if child.handle and child.handle.poll() is None]
    rows = [
        {"name": child.name, "pid": child.handle.pid, "started": process.started_at(child.handle.pid)}
        for child in live
        if child.handle
    ]
    folder.write_private(path, json.dumps({"pid": os.getpid(), "url": url, "state": state, "children": rows}))


def read_record(path: Path) -> dict[str, object]:
    try:
        content = json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def end_leftovers(path: Path) -> list[str]:
    """End the children that a killed predecessor left behind (where the kernel did not); returns their names."""
    ended = []
    rows = read_record(path).get("children")
    for row in rows if isinstance(rows, list) else []:
        pid, started = int(row["pid"]), str(row["started"])
        if process.alive(pid) and started and process.started_at(pid) == started:
            process.send(pid, signal.SIGTERM)
            if not process.wait_gone(pid, seconds=8):
                kill_session(pid)
                process.wait_gone(pid, seconds=5)
            ended.append(str(row["name"]))
    return ended
