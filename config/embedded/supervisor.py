"""Keeps child processes running: a dead one is started again, after a pause that grows while it keeps dying."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.embedded import folder, process

FIRST_PAUSE_S, MAX_PAUSE_S = 0.5, 5.0
HEALTHY_S = 60.0
MAX_LOG_BYTES = 20 * 1024 * 1024


@dataclass(kw_only=True)
class Backoff:
    """When something that ended may be started again: after a pause that grows while it keeps ending."""

    began: float = 0.0
    failures: int = 0

    def due(self) -> bool:
        """Whether the pause after its last start is over."""
        pause: float = min(MAX_PAUSE_S, FIRST_PAUSE_S * 2.0**self.failures)
        return time.monotonic() - self.began >= pause

    def count_start(self) -> None:
        healthy = time.monotonic() - self.began > HEALTHY_S
        self.failures = 0 if healthy else self.failures + 1
        self.began = time.monotonic()


@dataclass
class Child(Backoff):
    """One supervised program. `death` is the signal that ends it in order, here and when this process is killed."""

    name: str
    command: list[str]
    env: dict[str, str]
    log: Path
    death: signal.Signals = signal.SIGTERM
    patience: float = 8.0
    handle: subprocess.Popen[bytes] | None = None
    asked: bool = False

    def start(self) -> None:
        folder.private(self.log.parent)
        if self.log.exists() and self.log.stat().st_size > MAX_LOG_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        with folder.append_private(self.log) as log:
            self.handle = process.spawn(process.bound(self.command, death=self.death), log=log, env=self.env)
        self.began = time.monotonic()

    def dead(self) -> int | None:
        """The exit status once it has ended (negative: by a signal); None while it runs or was never started."""
        return self.handle.poll() if self.handle else None

    def live_pid(self) -> int | None:
        return self.handle.pid if self.handle is not None and self.handle.poll() is None else None

    def restart(self) -> None:
        self.count_start()
        self.start()

    def ask(self) -> None:
        """Send the signal once; a second one would be taken for impatience."""
        pid = self.live_pid()
        if pid is not None and not self.asked:
            process.send(pid, self.death)
            self.asked = True

    def stop(self) -> None:
        """Ask, wait, then kill the whole session."""
        self.ask()
        pid = self.live_pid()
        if pid is not None and not process.wait_gone(pid, seconds=self.patience, child=self.handle):
            kill_session(pid)
            process.wait_gone(pid, seconds=10, child=self.handle)


@dataclass
class Service(Backoff):
    """A server with its own `running`, `start` and `stop`, such as the embedded PostgreSQL."""

    name: str
    running: Callable[[], object]
    start: Callable[[], object]
    stop: Callable[[], object]

    def check(self) -> str | None:
        """Start it again where it is gone. Returns what happened, for people to read."""
        if self.running() or not self.due():
            return None
        self.count_start()
        try:
            self.start()
        except Exception as error:  # noqa: BLE001 - it is tried again; the reason is told
            return f"{self.name} ended and could not be started again: {error}"
        return f"{self.name} had ended and was started again"


def kill_session(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def record(path: Path, *, url: str, state: str, children: list[Child]) -> None:
    """Write down who runs, so that the next start knows its predecessor's children from strangers."""
    pids = [(child.name, child.live_pid()) for child in children]
    rows = [{"name": name, "pid": pid, "started": process.started_at(pid)} for name, pid in pids if pid is not None]
    folder.write_private(path, json.dumps({"pid": os.getpid(), "url": url, "state": state, "children": rows}))


def read_record(path: Path) -> dict[str, Any]:
    """What `record` wrote; nothing where it wrote nothing, or was cut off."""
    with suppress(FileNotFoundError, ValueError, TypeError):
        return dict(json.loads(path.read_text()))
    return {}


def end_leftovers(path: Path) -> list[str]:
    """End the children that a killed predecessor left behind (where the kernel did not); returns their names."""
    ended = []
    for row in read_record(path).get("children", ()):
        pid, started = int(row["pid"]), str(row["started"])
        if started and process.alive(pid) and process.started_at(pid) == started:
            process.send(pid, signal.SIGTERM)
            if not process.wait_gone(pid, seconds=8):
                kill_session(pid)
                process.wait_gone(pid, seconds=5)
            ended.append(str(row["name"]))
    return ended
