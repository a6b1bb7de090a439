"""A wall clock that jumps, for an instance and all of its servers, while the machine's own is left alone."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOURCE = Path(__file__).with_name("shifted_clock.c")
# Less than a day between any two: an acknowledged request may be repeated for a day (docs/agents.md).
JUMPS_S = (-10 * 3600, -3600, -60, 0, 60, 3600, 10 * 3600)


@contextmanager
def shifted_clock() -> Iterator[Path | None]:
    """The file that holds the seconds; None where there is no C compiler. Processes started within go by it."""
    if not shutil.which("cc"):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="cs-clock-") as place:
        folder = Path(place)
        folder.chmod(0o755)  # PostgreSQL runs as another user
        library, ahead = folder / "clock.so", folder / "ahead"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
        put(ahead, 0)
        added = {"LD_PRELOAD": str(library), "SHIFTED_CLOCK": str(ahead)}
        os.environ |= added
        try:
            yield ahead
        finally:
            for name in added:
                del os.environ[name]


def put(ahead: Path, seconds: int) -> None:
    with ahead.open("r+b" if ahead.exists() else "wb") as file:
        file.write(seconds.to_bytes(8, "little", signed=True))
