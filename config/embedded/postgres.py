"""The private PostgreSQL of one data folder: a Unix socket, no network, one owner role that is no superuser."""

import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from config.embedded import binaries, folder, process
from config.embedded.binaries import Unavailable

PORT = 5432
OWNER = DATABASE = "countersign"
SUPERUSER = "postgres"
START_SECONDS = 120  # replaying the journal after a crash may take a while
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    "max_wal_size": "2GB",
    "random_page_cost": "1.1",
    "synchronous_commit": "on",
    "unix_socket_permissions": "0700",
    "log_min_messages": "warning",
    # What a statement holds, and what the detail of an error quotes, are people's words: they stand in no log.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "idle_in_transaction_session_timeout": "10min",
    # A killed client's statement ends within this time, and its locks with it.
    "client_connection_check_interval": "2s",
}
STOP_SIGNALS = ((signal.SIGINT, 20.0), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0))


@dataclass(frozen=True)
class Running:
    """A live server: its process, and the folder and port of its socket."""

    pid: int
    host: str
    port: int
    ready: bool


@dataclass
class PostgresServer:
    """Start, adopt and stop the server of `data_dir`. `settings` are added to SETTINGS."""

    data_dir: Path
    settings: dict[str, str] = field(default_factory=dict)
    child: subprocess.Popen[bytes] | None = None
    guarded: int = 0
    guardian: subprocess.Popen[bytes] | None = None

    @property
    def database_dir(self) -> Path:
        return self.data_dir / "postgres"

    @property
    def log(self) -> Path:
        return self.data_dir / "log" / "postgres.log"

    def running(self) -> Running | None:
        """The live server, or None. A `postmaster.pid` whose number now belongs to some other process is not live."""
        try:
            lines = (self.database_dir / "postmaster.pid").read_text().splitlines()
            pid = int(lines[0])
        except (OSError, ValueError, IndexError):
            return None
        if not process.alive(pid) or not self.is_postmaster(pid):
            return None
        # What is not written yet is empty.
        port, host, _, _, status = ([line.strip() for line in lines[3:8]] + [""] * 5)[:5]
        if not port.isdigit() or not host:
            return Running(pid, str(folder.sockets(self.data_dir)), PORT, ready=False)
        return Running(pid, host, int(port), ready=status == "ready")

    def pid(self) -> int | None:
        found = self.running()
        return found.pid if found else None

    def is_ready(self) -> bool:
        found = self.running()
        return found is not None and found.ready

    def is_postmaster(self, pid: int) -> bool:
        words = process.command_line(pid)
        if not words:  # unreadable (another system than Linux): trust PostgreSQL's own file
            return not process.PROC.joinpath("self").exists()
        return str(self.database_dir) in words and any(word.endswith("postgres") for word in words)

    def start(self, *, bound: bool = True) -> bool:
        """Make sure that the server runs and holds the owner's database. Returns False when a live one was adopted.

        With `bound` the server is shut down when this process ends in whatever way, an adopted one too; without, it
        outlives the process until `stop`. Raises Unavailable with the last lines of the server's log."""
        folder.private(self.data_dir)
        with folder.locked(self.data_dir / "postgres.lock"):
            if self.adopt():
                if bound:
                    self.guard()
                return False
            self.launch(bound=bound)
            self.bootstrap()
            return True

    def adopt(self) -> bool:
        """Wait for a live server to be ready, or for one that is shutting down to be gone. True when one is ready."""
        until = time.monotonic() + START_SECONDS
        while found := self.running():
            if found.ready and self.answers(found):
                return True
            if time.monotonic() > until:
                raise Unavailable(f"a PostgreSQL of {self.data_dir} runs and does not answer; see {self.log}")
            time.sleep(0.05)
        return False

    def guard(self) -> None:
        """Tie a server that somebody else started to this process: `up` adopts what a command began."""
        pid = self.pid()
        own = self.child is not None and self.child.poll() is None
        if pid is not None and not own and pid != self.guarded:
            with folder.append_private(self.log) as log:
                self.guardian = process.guard(pid, signal.SIGINT, log=log)
            self.guarded = pid

    def answers(self, found: Running) -> bool:
        try:
            psycopg.connect(host=found.host, port=found.port, user=OWNER, dbname=DATABASE, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def launch(self, *, bound: bool) -> None:
        programs, version = binaries.choose_postgres(self.existing_version())
        owner = self.database_dir.stat().st_uid if self.database_dir.exists() else None
        prefix = binaries.unprivileged(owner, programs / "postgres")
        socket_dir = folder.sockets(self.data_dir)
        hand_over(socket_dir, prefix)
        if owner is None:
            self.initialise(programs, version, prefix)
        # Nothing of ours runs: what the file names is gone, or its number was handed to a stranger, at whom
        # PostgreSQL would take fright.
        (self.database_dir / "postmaster.pid").unlink(missing_ok=True)
        command = [str(programs / "postgres"), "-D", str(self.database_dir), "-k", str(socket_dir), "-p", str(PORT)]
        for name, value in (SETTINGS | self.settings).items():
            command += ["-c", f"{name}={value}"]
        # SIGINT is PostgreSQL's fast shutdown: sessions are ended, nothing committed is lost.
        self.run_until_ready(binaries.bind(prefix, command, signal.SIGINT) if bound else [*prefix, *command])

    def run_until_ready(self, command: list[str]) -> None:
        folder.private(self.log.parent)
        until = time.monotonic() + START_SECONDS
        with folder.append_private(self.log) as log:
            self.child = process.spawn(command, log=log)
            while not self.is_ready():
                late = time.monotonic() > until
                if self.child.poll() is not None:
                    # Orphaned sessions of a killed server hold its shared memory until they notice.
                    end = process.log_end(self.log)
                    if late or "shared memory" not in end:
                        raise Unavailable(f"PostgreSQL did not start; the end of {self.log}:\n{end}")
                    time.sleep(0.5)
                    self.child = process.spawn(command, log=log)
                elif late:
                    raise Unavailable(f"PostgreSQL is not ready after {START_SECONDS} s; see {self.log}")
                time.sleep(0.02)

    def existing_version(self) -> int | None:
        try:
            return int((self.database_dir / "PG_VERSION").read_text().strip())
        except FileNotFoundError:
            return None

    def initialise(self, programs: Path, version: int, prefix: list[str]) -> None:
        """Make the database folder, under another name until it is whole."""
        fresh = self.data_dir / "postgres.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        hand_over(fresh, prefix)
        locale = ["--locale-provider=builtin", "--locale=C.UTF-8"] if version >= 17 else ["--locale=C.UTF-8"]
        command = [*prefix, str(programs / "initdb"), "-D", str(fresh), f"--username={SUPERUSER}", "--auth=trust"]
        command += ["--encoding=UTF8", "--no-instructions", *locale]
        if self.settings.get("fsync") == "off":
            command.append("--no-sync")
        made = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if made.returncode:
            raise Unavailable(f"initdb failed:\n{made.stdout}{made.stderr}")
        fresh.rename(self.database_dir)

    def bootstrap(self) -> None:
        """Role, extensions and database, each made where missing. The owner may create roles and test databases."""
        owner, database = sql.Identifier(OWNER), sql.Identifier(DATABASE)
        with self.superuser("template1") as admin:
            if not admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [OWNER]).fetchone():
                admin.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEROLE CREATEDB").format(owner))
            # Whoever creates a role may not act under it unless that is asked for.
            admin.execute(sql.SQL("ALTER ROLE {} SET createrole_self_grant = 'set'").format(owner))
            create_extensions(admin)
            found = admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
        if not found:
            with self.superuser("postgres") as admin:
                admin.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(database, owner))
        with self.superuser(DATABASE) as admin:
            create_extensions(admin)

    def superuser(self, database: str) -> psycopg.Connection:
        found = self.running()
        if found is None:
            raise Unavailable(f"the PostgreSQL of {self.data_dir} does not run; see {self.log}")
        return psycopg.connect(host=found.host, port=found.port, user=SUPERUSER, dbname=database, autocommit=True)

    def other_sessions(self) -> int:
        """How many client sessions the server holds beside the one that asks."""
        with self.superuser("postgres") as admin:
            row = admin.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            ).fetchone()
        return int(row[0]) if row else 0

    def stop(self) -> None:
        """Fast shutdown, then an immediate one; the server may be ours or adopted."""
        process.stop(self.pid, STOP_SIGNALS, self.child)

    def url(self) -> str:
        """The owner's address, as `psql` and DATABASE_URL take it."""
        host, port = self.address()
        return f"postgresql://{OWNER}@/{DATABASE}?host={quote(host, safe='/')}&port={port}"

    def address(self) -> tuple[str, int]:
        """Folder and port of the socket: the live server's, else those that it will have."""
        found = self.running()
        return (found.host, found.port) if found else (str(folder.sockets(self.data_dir)), PORT)


def create_extensions(connection: psycopg.Connection) -> None:
    for name in binaries.REQUIRED_EXTENSIONS:
        connection.execute(sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(name)))


def hand_over(path: Path, prefix: list[str]) -> None:
    """To the user under whom the programs run, where that is another one for real."""
    if prefix[:1] == ["setpriv"]:
        os.chown(path, int(prefix[1].partition("=")[2]), -1)
