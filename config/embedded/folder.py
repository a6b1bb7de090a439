"""The data folder: who may read it, where its sockets live, and locks that end with their process."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

# A Unix socket's path holds 107 bytes on Linux and 103 on macOS; the longest name put into the folder is PostgreSQL's.
SOCKET_PATH_LIMIT = 103
LONGEST_SOCKET_NAME = ".s.PGSQL.5432.lock"


class Locked(RuntimeError):
    """Another live process holds the lock."""


def private(path: Path) -> Path:
    """Make the folder, readable by its owner alone. A folder that already holds something keeps its mode."""
    if not path.exists():
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o700)
    return path


def sockets(data_dir: Path) -> Path:
    """The folder for Unix sockets: inside the data folder, or where that path is too long a short private one in the
    temporary folder, whose name is kept in the data folder."""
    inside = data_dir / "run"
    if len(os.fsencode(inside / LONGEST_SOCKET_NAME)) <= SOCKET_PATH_LIMIT:
        return private(inside)
    record = data_dir / "run.path"
    try:
        recorded = Path(record.read_text().strip())
        if recorded.is_dir() and recorded.stat().st_uid == data_dir.stat().st_uid:
            return recorded
    except FileNotFoundError:
        pass
    private(data_dir)
    with locked(data_dir / "run.lock"):
        short = Path(tempfile.mkdtemp(prefix="countersign-"))
        if len(os.fsencode(short / LONGEST_SOCKET_NAME)) > SOCKET_PATH_LIMIT:
            short.rmdir()
            short = Path(tempfile.mkdtemp(prefix="countersign-", dir="/tmp"))  # noqa: S108 - mkdtemp is private
        write_private(record, str(short))
    return short


def write_private(path: Path, text: str) -> None:
    """Replace the file as a whole, mode 0600 from its first byte, so that no reader ever meets half of it. Where there is no
    room, OSError is raised and nothing is left."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)


def append_private(path: Path) -> IO[bytes]:
    """The file, open at its end, mode 0600 whoever made it."""
    file = open(path, "ab", opener=lambda name, flags: os.open(name, flags, 0o600))  # noqa: SIM115 - the caller closes it
    os.fchmod(file.fileno(), 0o600)
    return file


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold an advisory lock on the file; the kernel drops it when the process ends, however it ends.

    Raises Locked when `wait` is false and another process holds it."""
    private(path.parent)
    with append_private(path) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise Locked(str(path)) from None
        yield


def is_locked(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        with locked(path, wait=False):
            return False
    except Locked:
        return True
