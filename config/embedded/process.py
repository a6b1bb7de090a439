"""Child processes that end with their parent, and pids that are not taken for a stranger's."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

SHIM = Path(__file__).with_name("bound.py")
GUARD = Path(__file__).with_name("guard.py")
PROC = Path("/proc")
PR_SET_PDEATHSIG = 1


def bound(command: Sequence[str], *, death: signal.Signals) -> list[str]:
    """The command, wrapped so that the kernel sends it `death` when this process ends in whatever way (Linux only)."""
    if sys.platform != "linux":
        return list(command)
    # -I -S: the shim needs no site packages, and starts in a few milliseconds without them.
    return [sys.executable, "-I", "-S", str(SHIM), str(os.getpid()), str(int(death)), *command]


def guard(pid: int, number: signal.Signals, *, log: IO[bytes]) -> subprocess.Popen[bytes] | None:
    """Send the signal to a process that we did not fork when this process ends in whatever way (Linux only)."""
    if sys.platform != "linux":
        return None
    command = [sys.executable, "-I", "-S", str(GUARD), str(os.getpid()), str(pid), str(int(number))]
    return spawn(command, log=log)


def end_with_parent(number: signal.Signals, parent: int | None = None) -> None:
    """Ask the kernel to send this process the signal when the process that forked it ends (Linux only). Where `parent` forked it,
    and ended before it could ask, it is sent at once."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(number))
        if parent is not None and os.getppid() != parent:
            os.kill(os.getpid(), number)


def spawn(command: Sequence[str], *, log: IO[bytes], env: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Start in a session of its own: Ctrl-C in the terminal reaches the parent alone, which stops children in order.

    Call from the main thread: the kernel counts the end of the *thread* that forked as the parent's death."""
    return subprocess.Popen(  # noqa: S603 - commands are ours
        list(command),
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        env=env,
        start_new_session=True,
        umask=0o077,
    )


def alive(pid: int) -> bool:
    """Whether the process runs. A zombie, which nobody may have reaped in a container, does not."""
    if PROC.joinpath("self").exists():
        return _stat(pid)[0] not in {"", "Z", "X"}
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _stat(pid: int) -> list[str]:
    """The columns of /proc/PID/stat behind the name; one empty word where there is no such process."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return [""]


def command_line(pid: int) -> list[str]:
    """The process's argument vector; empty where it cannot be read."""
    try:
        return (PROC / str(pid) / "cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return []


def started_at(pid: int) -> str:
    """The process's start, in clock ticks since boot: with the pid it names one process for good. Empty if unknown."""
    return "".join(_stat(pid)[19:20])


def send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def wait_until(condition: Callable[[], object], *, seconds: float, pause_s: float = 0.02) -> bool:
    """False where it did not come true in time."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= until:
            return False
        time.sleep(pause_s)
    return True


def wait_gone(pid: int, *, seconds: float, child: subprocess.Popen[bytes] | None = None) -> bool:
    """Wait until the process is gone; reaps it when it is our child. False when it outlived the wait."""
    return wait_until(lambda: (child is not None and child.poll() is not None) or not alive(pid), seconds=seconds)


def stop(
    running: Callable[[], int | None],
    signals: Iterable[tuple[signal.Signals, float]],
    child: subprocess.Popen[bytes] | None,
) -> None:
    """Send one signal after the other, each with the seconds that it is given, until nothing runs."""
    for number, patience in signals:
        pid = running()
        if pid is None:
            break
        send(pid, number)
        if wait_gone(pid, seconds=patience, child=child):
            break
    if child is not None:
        child.poll()


def log_end(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-12:])
