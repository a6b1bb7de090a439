"""What is done to an instance, and how long it takes until that part works again."""

import os
import random
import shutil
import signal
import subprocess
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from typing import Any

import psycopg
import redis

from config.embedded import postgres, process, supervisor, valkey
from tests import whole
from tests.campaign import clock
from tests.campaign.clients import Api

STUCK_S = 90
TMPFS = "1200m"
FULL_S = 5
SHOWN = 12
SEAL_S = 20
SEALED = "SELECT count(*) FROM ledger_seal"
TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = user"


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A file system of its own that a few seconds fill; False where this user may mount none."""
    folder.mkdir(parents=True, exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={TMPFS}", "tmpfs", folder], capture_output=True)
    try:
        yield mounted.returncode == 0
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", "--lazy", folder], capture_output=True)


def descendants(pid: int) -> list[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found, level = [], [pid]
    while level:
        level = [child for child, parent in parents.items() if parent in level]
        found += level
    return found


@dataclass
class Killer:
    """Does one thing after the other to the instance, each once the one before is over."""

    instance: whole.Instance
    api: Api
    disk: bool
    seed: int = 1
    ahead: Path | None = None
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    stuck: list[str] = field(default_factory=list)
    history: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.port = self.instance.url.rpartition(":")[2]
        self.data_dir = self.instance.data_dir
        works, serves, connects = self.works, self.serves, self.connects
        self.ways: dict[str, tuple[Callable[[], None], Callable[[], bool]]] = {
            "a web process": (lambda: self.kill(self.below("web")), serves),
            "web": (lambda: self.kill([self.child("web")]), serves),
            "a worker process": (lambda: self.kill(self.below("worker")), works),
            "worker": (lambda: self.kill([self.child("worker")]), works),
            "scheduler": (lambda: self.kill([self.child("beat")]), works),
            "broker": (lambda: self.kill([valkey.ValkeyServer(self.data_dir).running()]), works),
            "broker flushed": (self.flush, works),
            "database": (lambda: self.kill([postgres.PostgresServer(self.data_dir).pid()]), connects),
            "a backend": (lambda: self.kill(descendants(postgres.PostgresServer(self.data_dir).pid() or 0)), connects),
            "connections": (self.terminate, serves),
            "up": (self.kill_up, serves),
        }
        if self.disk:
            self.ways["full disk"] = (self.fill, works)
        if self.ahead:
            self.ways["clock"] = (self.jump, self.goes_on)

    def step(self, among: Sequence[str] = ()) -> None:
        name = self.random.choice(among or list(self.ways))
        do, well = self.ways[name]
        self.history.append(f"{datetime.now(UTC):%H:%M:%S} {name}")
        began = time.monotonic()
        with suppress(ProcessLookupError, OSError, psycopg.Error, redis.RedisError):
            do()
        done = time.monotonic()
        if name == "full disk":
            began = done
        while not well():
            if time.monotonic() - done > STUCK_S:
                self.stuck.append(f"{name}: not well after {STUCK_S} s")
                break
            time.sleep(0.05)
        self.times[name].append(time.monotonic() - began)

    def evidence(self) -> str:
        """What was done last, whether `up` lives, and how its own words and its database's log end."""
        ended, used = self.instance.process.poll(), shutil.disk_usage(self.data_dir)
        told = [*self.history[-SHOWN:], f"up: {'runs' if ended is None else f'ended with {ended}'}", f"disk: {used}"]
        for log in (self.instance.talk, postgres.PostgresServer(self.data_dir).log):
            told += [f"the end of {log.name}:", *log.read_text(errors="replace").splitlines()[-SHOWN * 3 :]]
        return "\n".join(told)

    def kill(self, pids: list[int | None]) -> None:
        """One of them, without a warning."""
        if living := [pid for pid in pids if pid]:
            os.kill(self.random.choice(living), signal.SIGKILL)

    def child(self, name: str) -> int | None:
        rows = supervisor.read_record(self.data_dir / "up.json").get("children", ())
        return next((int(row["pid"]) for row in rows if row["name"] == name), None)

    def below(self, name: str) -> list[int | None]:
        pid = self.child(name)
        return [*descendants(pid)] if pid else []

    def flush(self) -> None:
        redis.Redis(unix_socket_path=str(valkey.ValkeyServer(self.data_dir).socket), socket_timeout=2).flushall()

    def terminate(self) -> None:
        with psycopg.connect(self.instance.said["database_url"], autocommit=True) as connection:
            connection.execute(TERMINATE)

    def kill_up(self) -> None:
        self.instance.process.kill()
        self.instance.process.wait()
        self.instance = whole.start(self.data_dir, "--no-demo", "--port", self.port)

    def fill(self) -> None:
        """Not a byte is left for some seconds."""
        ballast = self.data_dir.parent / "ballast"
        with suppress(OSError), ballast.open("wb") as file:
            while shutil.disk_usage(ballast).free:
                file.write(b"\0" * min(1 << 20, shutil.disk_usage(ballast).free))
                file.flush()
        time.sleep(FULL_S)
        ballast.unlink(missing_ok=True)

    def jump(self) -> None:
        assert self.ahead
        clock.put(self.ahead, self.random.choice(clock.JUMPS_S))

    def sealed(self) -> int:
        with psycopg.connect(self.instance.said["database_url"], autocommit=True) as connection:
            return int((connection.execute(SEALED).fetchone() or (0,))[0])

    def goes_on(self) -> bool:
        """What is sent is read, and what only the scheduler begins is done."""
        before = self.sealed()
        return self.works() and process.wait_until(lambda: self.sealed() > before, seconds=SEAL_S, pause_s=0.5)

    def connects(self) -> bool:
        """New connections are taken, too: those of a killed server's sessions answer for a moment longer."""
        try:
            psycopg.connect(self.instance.said["database_url"], connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return self.serves()

    def serves(self) -> bool:
        """The web answers, and its database does."""
        return self.answered("GET", "/health/ready")[0] == 200

    def works(self) -> bool:
        """What is sent is read."""
        word = uuid.uuid4().hex
        body = {"scope": "probe", "kind": "document", "text": f"## Decision: Probe {word} is chosen\n", "wait": 10}
        status, answer = self.answered("POST", "/sources", body)
        return status == 201 and answer["run"] is not None and answer["run"]["status"] == "succeeded"

    def answered(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        try:
            return self.api.once(method, path, body, timeout=15)
        except (OSError, HTTPException, ValueError):
            return 0, None
