"""Everything in one command: private servers, migrations, demo data, web, worker and scheduler."""

import json
import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import CommandError, CommandParser, call_command
from django.core.management.base import BaseCommand
from django.db import connections

from config import env
from config.embedded import folder, model, postgres, process, secrets, supervisor, valkey
from config.embedded.backend.base import SUPERVISED, passing
from config.embedded.binaries import Unavailable

USERNAME = "admin"
READY_SECONDS = 90
WEB_WORKERS, WEB_THREADS, WORKER_PROCESSES = 2, 4, 2


class Stop(BaseException):
    """SIGTERM, SIGINT or SIGHUP arrived."""


class Command(BaseCommand):
    help = "Start everything and print the address and the sign-in. Example: manage.py up --port 8080 --no-demo"
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
        parser.add_argument(
            "--port", type=int, default=8000, help="port to listen on (default 8000; 0 takes a free one)"
        )
        parser.add_argument("--no-demo", action="store_true", help="load no demo data")
        parser.add_argument("--demo", action="store_true", help="load demo data into the database of DATABASE_URL too")
        parser.add_argument("--provision", action="store_true", help="make user and tokens with DATABASE_URL too")
        parser.add_argument(
            "--model", choices=["local"], help="start a small language model too, and read with it where packs name one"
        )
        parser.add_argument(
            "--json", action="store_true", help="print one JSON line once it serves; talk goes to stderr"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        Up(Path(settings.DATA_DIR), options).run()


class Up:
    """One run of `up` on a data folder."""

    def __init__(self, data_dir: Path, options: dict[str, Any]) -> None:
        self.data_dir = data_dir
        self.host, self.port = str(options["host"]), int(options["port"])
        self.json = bool(options["json"])
        self.external_database = bool(env.text("DATABASE_URL"))
        self.demo = not options["no_demo"] and (bool(options["demo"]) or not self.external_database)
        self.provision = bool(options["provision"]) or not self.external_database
        self.local_model = bool(options["model"])
        self.weights: Path | None = None
        self.postgres = postgres.PostgresServer(data_dir)
        self.valkey = valkey.ValkeyServer(data_dir)
        self.services: list[supervisor.Service] = []
        self.children: list[supervisor.Child] = []
        self.record = data_dir / "up.json"
        self.recorded: list[int | None] = []

    def run(self) -> None:
        folder.private(self.data_dir)
        with listening_to_signals(), self.alone():
            try:
                left = supervisor.end_leftovers(self.record)
                if left:
                    self.say(f"Ended what a killed run had left: {', '.join(left)}")
                self.weights = model.weights() if self.local_model else None
                self.claim_port()
                self.save("starting")
                with redirect_stdout(sys.stderr):
                    self.start_servers()
                    self.prepare()
                    credentials = self.credentials()
                self.start_processes()
                self.wait_until_ready()
                self.announce(credentials)
                self.supervise()
            except Stop:
                self.say("Stopping")
            except Unavailable as error:
                raise CommandError(str(error)) from error
            finally:
                self.stop()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the folder's lock. One that is being stopped, or dying, is waited for; a healthy one is named."""
        began = time.monotonic()
        while True:
            try:
                with folder.locked(self.data_dir / "up.lock", wait=False):
                    yield
                    return
            except folder.Locked:
                other = supervisor.read_record(self.record)
                patience = 40 if other.get("state") == "stopping" else 3
                if time.monotonic() - began > patience:
                    raise CommandError(
                        f"Another `up` (process {other.get('pid')}) serves {self.data_dir} at {other.get('url')}"
                    ) from None
                time.sleep(0.1)

    def claim_port(self) -> None:
        """Raises CommandError while nothing has been started yet."""
        try:
            family, kind, _, _, address = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)[0]
            with socket.socket(family, kind) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
                self.port = int(probe.getsockname()[1])
        except (OSError, OverflowError) as error:
            reason = "is in use" if getattr(error, "errno", None) == 98 else f"cannot be used ({error})"
            raise CommandError(
                f"Port {self.port} on {self.host} {reason}. Choose another one: manage.py up --port {self.port + 1}"
            ) from None

    @property
    def url(self) -> str:
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)  # noqa: S104 - read, not bound
        return f"http://{f'[{host}]' if ':' in host and '[' not in host else host}:{self.port}"

    def start_servers(self) -> None:
        if not self.external_database:
            adopted = not self.postgres.start()
            passing(self.data_dir).unlink(missing_ok=True)
            # From here on only `supervise` starts a server: one begun by a connection would outlive a killed `up`.
            os.environ[SUPERVISED] = "1"
            self.say(f"PostgreSQL {'adopted' if adopted else 'started'} in {self.postgres.database_dir}")
            server = self.postgres
            self.services.append(supervisor.Service("PostgreSQL", server.running, server.start, server.stop))
        if not env.text("REDIS_URL"):
            adopted = not self.valkey.start()
            self.say(f"Valkey {'adopted' if adopted else 'started'} in {self.valkey.database_dir}")
            broker = self.valkey
            self.services.append(supervisor.Service("Valkey", broker.running, broker.start, broker.stop))

    def prepare(self) -> None:
        self.say("Migrating")
        call_command("migrate", interactive=False, verbosity=0, stdout=sys.stderr)
        call_command("collectstatic", interactive=False, verbosity=0, stdout=sys.stderr)
        loaded = self.data_dir / "demo.loaded"
        if self.demo and (self.external_database or not loaded.exists()):
            self.say("Loading demo data")
            call_command("load_demo", stdout=sys.stderr)
            if not self.external_database:
                folder.write_private(loaded, "")

    def credentials(self) -> dict[str, str | None]:
        """User and tokens of this folder, put into the database; nulls where none were asked for."""
        names = ("password", "reviewer_token", "agent_token")
        if not self.provision:
            return {"user": None, **dict.fromkeys(names)}
        from review.tokens import provision

        made = secrets.load(self.data_dir)
        provision(username=USERNAME, **{name: made[name] for name in names})
        return {"user": USERNAME, **{name: made[name] for name in names}}

    def start_processes(self) -> None:
        connections.close_all()
        log = self.data_dir / "log"
        shared = os.environ | {SUPERVISED: "1", "COUNTERSIGN_DATA": str(self.data_dir), "PYTHONUNBUFFERED": "1"}
        asked = []
        if self.weights:
            port = model.free_port()
            asked = [
                supervisor.Child("model", model.command(self.weights, port), shared, log / "model.log", patience=3)
            ]
            shared |= model.settings_for(self.weights, port)
        web = shared | {"COUNTERSIGN_ROLE": "web", "COUNTERSIGN_POOL": str(WEB_THREADS + 1)}
        worker = shared | {"COUNTERSIGN_ROLE": "worker"}
        for values in (web, worker):
            values.setdefault("COUNTERSIGN_HOSTS", self.hosts())
        for old in (self.data_dir / "metrics").glob("*.db"):  # counters begin anew with the processes that count
            old.unlink()
        python = [sys.executable, "-m"]
        celery = [*python, "celery", "--app", "config.celery", "--quiet", "--workdir", str(settings.BASE_DIR)]
        serve = [*python, "granian", "config.wsgi:application", "--interface", "wsgi", "--http", "1"]
        serve += ["--host", self.host, "--port", str(self.port), "--workers", str(WEB_WORKERS)]
        serve += ["--blocking-threads", str(WEB_THREADS), "--respawn-failed-workers", "--no-ws"]
        serve += ["--working-dir", str(settings.BASE_DIR), "--workers-kill-timeout", "5"]
        work = [*celery, "worker", "--concurrency", str(WORKER_PROCESSES), "--loglevel", "INFO"]
        work += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        tick = [*celery, "beat", "--scheduler", "celery.beat:Scheduler", "--loglevel", "INFO"]
        self.children = [
            supervisor.Child("web", serve, web, log / "web.log"),
            supervisor.Child("worker", work, worker, log / "worker.log", patience=6),
            supervisor.Child("beat", [*tick, "--pidfile", ""], worker, log / "beat.log", patience=3),
            *asked,
        ]
        for child in self.children:
            child.start()
        self.save("serving")

    def hosts(self) -> str:
        """Names under which the site answers: this machine's, and the address it was told to listen on."""
        own = ["localhost", "127.0.0.1", "[::1]", "testserver"]
        if self.host in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
            own += [socket.gethostname(), socket.getfqdn()]
        elif self.host not in own:
            own.append(f"[{self.host}]" if ":" in self.host else self.host)
        return ",".join(own)

    def wait_until_ready(self) -> None:
        until = time.monotonic() + READY_SECONDS
        while not answers(f"{self.url}/api/v1/health/live"):
            for child in self.children:
                status = child.dead()
                if status is not None and child.name == "web":
                    raise CommandError(f"web ended with {status}; the end of {child.log}:\n{end_of(child.log)}")
            if time.monotonic() > until:
                raise CommandError(
                    f"Nothing answers at {self.url} after {READY_SECONDS} s; see {self.data_dir / 'log'}"
                )
            time.sleep(0.1)

    def announce(self, credentials: dict[str, str | None]) -> None:
        if self.json:
            address = env.text("DATABASE_URL") or self.postgres.url()
            line = {"ready": True, "url": self.url, **credentials, "database_url": address}
            if not self.provision:
                line["database_url"] = None
            print(json.dumps(line), flush=True)
            return
        print(f"\n  Countersign   {self.url}/", flush=True)
        if credentials["user"]:
            print(f"  user          {credentials['user']}\n  password      {credentials['password']}", flush=True)
            print(f"  API tokens    {self.data_dir / 'secrets.json'}", flush=True)
        print(f"  logs          {self.data_dir / 'log'}\n  stop          Ctrl-C\n", flush=True)

    def supervise(self) -> None:
        while True:
            time.sleep(0.25)
            self.look_after()

    def look_after(self) -> None:
        """Start again what has ended. Where the disk is full, what fails by it is tried again at the next look: ending here would
        take everything along."""
        for service in self.services:
            if happened := service.check():
                self.say(happened)
        for child in self.children:
            status = child.dead()
            if status is not None and child.due():
                with suppress(OSError):
                    child.restart()
                    self.say(f"{child.name} had ended with {status} and was started again; see {child.log}")
        if self.recorded != self.pids():
            self.save("serving")

    def stop(self) -> None:
        """In order: nobody is served by a server that is gone already."""
        ignore_signals()
        self.save("stopping")
        connections.close_all()
        for child in self.children[:1]:  # the web, while the worker can still be woken
            child.stop()
        for child in self.children:
            child.ask()
        for child in self.children:
            child.stop()
        for service in reversed(self.services):
            service.stop()
        self.record.unlink(missing_ok=True)

    def save(self, state: str) -> None:
        pids = self.pids()
        with suppress(OSError):  # a full disk
            supervisor.record(self.record, url=self.url, state=state, children=self.children)
            self.recorded = pids

    def pids(self) -> list[int | None]:
        return [child.live_pid() for child in self.children]

    def say(self, text: str) -> None:
        with suppress(OSError):  # stderr may be a file on the full disk
            print(text, file=sys.stderr, flush=True)


@contextmanager
def listening_to_signals() -> Iterator[None]:
    """SIGTERM, Ctrl-C and a closed terminal raise Stop. So does the end of `uv run`, which hands no SIGKILL on."""

    def raise_stop(number: int, frame: FrameType | None) -> None:
        ignore_signals()
        raise Stop

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, raise_stop)
    parent = process.command_line(os.getppid())
    if parent and Path(parent[0]).name == "uv":
        process.end_with_parent(signal.SIGTERM)
    yield


def ignore_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - our own http address
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def end_of(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-20:])
