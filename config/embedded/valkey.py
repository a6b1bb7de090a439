"""The private Valkey of one data folder: a Unix socket in a folder of mode 0700, every write kept in a log on disk."""

import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import redis

from config.embedded import binaries, folder, process
from config.embedded.binaries import Unavailable

START_SECONDS = 60
STOP_SIGNALS = ((signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0))


@dataclass
class ValkeyServer:
    """Start, adopt and stop the server of `data_dir`."""

    data_dir: Path
    child: subprocess.Popen[bytes] | None = None

    @property
    def socket(self) -> Path:
        return folder.sockets(self.data_dir) / "valkey.sock"

    @property
    def database_dir(self) -> Path:
        return self.data_dir / "valkey"

    @property
    def log(self) -> Path:
        return self.data_dir / "log" / "valkey.log"

    def running(self) -> int | None:
        """The live server's pid, or None. A number that by now names some other process is not live."""
        try:
            pid = int((self.database_dir / "valkey.pid").read_text())
        except (OSError, ValueError):
            return None
        words = process.command_line(pid) or [str(self.database_dir)]
        return pid if process.alive(pid) and str(self.database_dir) in words else None

    def answers(self) -> bool:
        client = redis.Redis(unix_socket_path=str(self.socket), socket_timeout=2)
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
        finally:
            client.close()

    def start(self) -> bool:
        """Make sure that the server runs; it ends with this process. Returns False when a live one was adopted.

        Raises Unavailable with the last lines of the server's log."""
        folder.private(self.data_dir)
        with folder.locked(self.data_dir / "valkey.lock"):
            until = time.monotonic() + START_SECONDS
            while self.running() and time.monotonic() < until:  # one that is shutting down is waited for
                if self.answers():
                    return False
                time.sleep(0.05)
            self.launch(until)
            return True

    def launch(self, until: float) -> None:
        folder.private(self.database_dir)
        folder.private(self.log.parent)
        options = {
            "dir": str(self.database_dir),
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "port": "0",
            "appendonly": "yes",
            "appendfsync": "everysec",
            "pidfile": str(self.database_dir / "valkey.pid"),
            "set-proc-title": "no",  # the arguments are how the process is known again
            "loglevel": "warning",
            "save": "",
        }
        command = [str(binaries.valkey())]
        for name, value in options.items():
            command += [f"--{name}", value]
        with folder.append_private(self.log) as log:
            self.child = process.spawn(process.bound(command, death=signal.SIGTERM), log=log)
        while not (self.running() and self.answers()):
            if self.child.poll() is not None or time.monotonic() > until:
                raise Unavailable(f"Valkey did not start; the end of {self.log}:\n{process.log_end(self.log)}")
            time.sleep(0.02)

    def stop(self) -> None:
        process.stop(self.running, STOP_SIGNALS, self.child)
