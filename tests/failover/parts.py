"""The processes of an installation beyond one machine, side by side on this one: web nodes, workers, databases, brokers."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg
import redis

from config.embedded import binaries, folder, process
from config.embedded.model import free_port
from config.embedded.postgres import DATABASE, OWNER, PORT, SUPERUSER, PostgresServer
from config.embedded.supervisor import Child, kill_session
from tests.failover.network import SUBNET, Network
from tests.whole import DROPPED, ROOT


class Standby(PostgresServer):
    """A copy of a primary that follows it; it answers reads."""

    def is_ready(self) -> bool:
        try:
            psycopg.connect(
                host=str(folder.sockets(self.data_dir)), port=PORT, user=OWNER, dbname=DATABASE, connect_timeout=2
            ).close()
        except psycopg.OperationalError:
            return False
        return True

    def copy(self, primary: PostgresServer, host: str = "") -> None:
        """The commands of docs/failover.md: copy, and start."""
        programs, _ = binaries.choose_postgres(None)
        prefix = binaries.unprivileged(primary.database_dir.stat().st_uid, programs / "postgres")
        folder.private(self.data_dir)
        os.chown(self.data_dir, primary.database_dir.stat().st_uid, -1)
        source = ["-h", host or primary.address()[0], "-p", str(PORT), "-U", SUPERUSER]
        copy = [str(programs / "pg_basebackup"), *source, "-D", str(self.database_dir), "-R", "-c", "fast"]
        subprocess.run([*prefix, *copy], check=True)
        self.launch(bound=True)

    def follow(self, primary: PostgresServer, host: str = "") -> None:
        """And have every commit wait for the copy."""
        self.copy(primary, host)
        with primary.superuser("postgres") as admin:
            admin.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            admin.execute("SELECT pg_reload_conf()")

    def promote(self) -> None:
        with psycopg.connect(
            host=str(folder.sockets(self.data_dir)), port=PORT, user=SUPERUSER, dbname="postgres", autocommit=True
        ) as admin:
            admin.execute("SELECT pg_promote(true, 30)")


def kill_server(server: PostgresServer) -> None:
    """The machine is gone: the server and all of its backends at once."""
    pid = server.pid()
    assert pid is not None
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for one in [pid, *map(int, children)]:
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)


@dataclass
class Broker:
    """A Valkey on a port of this machine, by itself or as the replica of another."""

    at: Path
    of: "Broker | None" = None
    host: str = "127.0.0.1"
    port: int = field(default_factory=free_port)
    child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        folder.private(self.at)
        command = [str(binaries.valkey()), "--port", str(self.port), "--bind", self.host, "--dir", str(self.at)]
        command += ["--appendonly", "yes", "--save", "", "--loglevel", "warning", "--protected-mode", "no"]
        command += ["--replicaof", self.of.host, str(self.of.port)] if self.of else []
        with folder.append_private(self.at / "log") as log:
            self.child = process.spawn(process.bound(command, death=signal.SIGTERM), log=log)

    def promote(self) -> None:
        redis.Redis(self.host, self.port).execute_command("REPLICAOF", "NO", "ONE")

    def stop(self) -> None:
        if self.child and self.child.poll() is None:
            kill_session(self.child.pid)


@dataclass
class Installation:
    """Everything below one folder. `children` are started again where they end, as systemd or a container runtime would."""

    at: Path
    network: Network = field(default_factory=Network)
    databases: list[PostgresServer] = field(default_factory=list)
    brokers: list[Broker] = field(default_factory=list)
    children: dict[str, Child] = field(default_factory=dict)
    urls: dict[str, str] = field(default_factory=dict)

    def start_services(self) -> None:
        self.network.open()
        listening = {"listen_addresses": "*"} if self.network.apart else {}
        first, second = PostgresServer(self.at / "db1", listening), Standby(self.at / "db2", listening)
        self.databases = [first, second]
        with self.network.inside("db1"):
            first.start()
        if self.network.apart:
            self.let_in(first)
        with self.network.inside("db2"):
            second.follow(first, self.network.address("db1") if self.network.apart else "")
        addresses = [self.network.address(name) for name in ("broker1", "broker2")]
        first_broker = Broker(self.at / "broker1", host=addresses[0])
        self.brokers = [first_broker, Broker(self.at / "broker2", first_broker, addresses[1])]
        for broker in self.brokers:
            with self.network.inside(broker.at.name):
                broker.start()

    def let_in(self, server: PostgresServer) -> None:
        """Whoever comes over the bridge, which leads nowhere else."""
        with (server.database_dir / "pg_hba.conf").open("a") as file:
            file.write(f"host all,replication all {SUBNET}.0/24 trust\n")
        with server.superuser("postgres") as admin:
            admin.execute("SELECT pg_reload_conf()")

    @property
    def options(self) -> str:
        """Those of the example in deploy/."""
        example = (ROOT / "deploy" / "countersign.env.example").read_text()
        return str(re.findall(r"^DATABASE_URL=\S+\?(\S+)", example, re.MULTILINE)[0])

    @property
    def database_url(self) -> str:
        if self.network.apart:
            hosts = ",".join(f"{self.network.address(one.data_dir.name)}:{PORT}" for one in self.databases)
            return f"postgresql://{OWNER}@{hosts}/{DATABASE}?{self.options}"
        hosts = ",".join(quote(str(folder.sockets(one.data_dir)), safe="/") for one in self.databases)
        return f"postgresql://{OWNER}@/{DATABASE}?host={hosts}&port={PORT},{PORT}&target_session_attrs=read-write"

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in DROPPED}
        return kept | {
            "DATABASE_URL": self.database_url,
            "REDIS_URL": ";".join(f"redis://{one.host}:{one.port}/0" for one in self.brokers),
            "COUNTERSIGN_DATA": str(self.at / "node"),
            "COUNTERSIGN_SECRET_KEY": "a key that all nodes share, as long as it has to be for this",
        }

    def start_nodes(self) -> None:
        """Two web nodes, three workers, one scheduler: the commands of deploy/."""
        web = self.environment() | {"COUNTERSIGN_ROLE": "web", "COUNTERSIGN_POOL": "5"}
        worker = self.environment() | {"COUNTERSIGN_ROLE": "worker"}
        python = [sys.executable, "-m"]
        serve = [*python, "granian", "config.wsgi:application", "--interface", "wsgi", "--working-dir", str(ROOT)]
        serve += ["--workers", "1", "--blocking-threads", "4", "--respawn-failed-workers", "--port"]
        celery = [*python, "celery", "--app", "config.celery", "--quiet", "--workdir", str(ROOT)]
        work = [*celery, "worker", "--concurrency", "1", "--without-gossip", "--without-mingle", "--hostname"]
        for name in ("web1", "web2"):
            port, host = free_port(), self.network.address(name)
            self.urls[name] = f"http://{host}:{port}"
            self.add(name, [*serve, str(port), "--host", host], web | {"COUNTERSIGN_HOSTS": host})
        for name in ("worker1", "worker2", "worker3"):
            self.add(name, [*work, f"{name}@%h"], worker)
        self.add("beat", [*celery, "beat", "--scheduler", "celery.beat:Scheduler", "--pidfile", ""], worker)

    def add(self, name: str, command: list[str], env: dict[str, str]) -> None:
        child = Child(name=name, command=command, env=env, log=self.at / "log" / f"{name}.log")
        self.children[name] = child
        with self.network.inside(name):
            child.start()

    def tend(self) -> None:
        for name, child in self.children.items():
            if child.dead() is not None and child.due():
                with self.network.inside(name):
                    child.restart()

    def kill(self, name: str) -> None:
        pid = self.children[name].live_pid()
        assert pid is not None, name
        kill_session(pid)

    def replace_broker(self) -> None:
        """The first is gone, its replica takes its place; what that one had not yet is found by the sweep."""
        if self.network.apart:
            self.network.cut("broker1")
        else:
            self.brokers[0].stop()
        self.brokers[1].promote()

    def lose_primary(self) -> None:
        """Its machine is gone, with all connections: cut off where it is one of its own."""
        if self.network.apart:
            self.network.cut("db1")
        else:
            kill_server(self.databases[0])

    def answers(self, name: str) -> bool:
        try:
            with urllib.request.urlopen(f"{self.urls[name]}/api/v1/health/ready", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def wait_for(self, name: str, seconds: float = 120) -> float:
        """Seconds until a web node answers, with its database."""
        began = time.monotonic()
        while not self.answers(name):
            assert time.monotonic() - began < seconds, f"{name} does not answer; see {self.at}/log"
            self.tend()
            time.sleep(0.05)
        return time.monotonic() - began

    def stop(self) -> None:
        for child in self.children.values():
            child.stop()
        for broker in self.brokers:
            broker.stop()
        for database in reversed(self.databases):
            database.stop()
        self.network.close()
