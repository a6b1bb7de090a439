"""From a plain `python3 manage.py …` into the project's own environment: through uv where the machine has it, else through one
that pip puts beside the checkout's files. Standard library only, and no syntax that an older Python cannot read."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 12)
# Nothing starts without these; a Django that a system brings along is not the project's.
NEEDED = ("django", "ninja", "psycopg", "granian", "structlog")
ENTERED = "COUNTERSIGN_ENTERED"
PRIVATE = ROOT / ".uv"
ENVIRONMENT = ROOT / ".venv"
# Where pip leaves uv: in an environment, or in a plain folder.
PLACES = (PRIVATE / "bin" / "uv", PRIVATE / "packages" / "bin" / "uv")


def prepared() -> bool:
    """Whether this Python has what the project needs."""
    return all(importlib.util.find_spec(name) for name in NEEDED)


def enter(arguments: list[str]) -> NoReturn:
    """The same command in the project's environment, in place of this process."""
    if os.environ.get(ENTERED):
        sys.exit(f"The environment in {ENVIRONMENT} lacks what the project needs: remove it, and start again.")
    uv = uv_of_machine() or private_uv()
    os.environ[ENTERED] = "1"
    if python := python_at_hand():
        # Whatever `.python-version` prefers: this one needs no download.
        os.environ.setdefault("UV_PYTHON", python)
    os.execv(uv, [uv, "run", "--project", str(ROOT), str(ROOT / "manage.py"), *arguments])  # noqa: S606 - no shell wanted


def python_at_hand() -> str:
    """The path of the Python that an earlier run made the environment with, else of this one where it is new enough."""
    made = str(ENVIRONMENT / "bin" / "python")
    if works(made, "-c", f"import sys; sys.exit(sys.version_info < {OLDEST})"):
        return made
    return sys.executable if sys.version_info >= OLDEST else ""


def uv_of_machine() -> str:
    """The path of a uv that works, or nothing: a version manager's stand-in may have none behind it."""
    places = [shutil.which("uv") or "", *map(str, PLACES)]
    return next((place for place in places if place and works(place, "--version")), "")


def private_uv() -> str:
    """The path of a uv that pip has just put into a folder of the checkout's own."""
    if sys.version_info < OLDEST:
        sys.exit(f"Python 3.12 or newer is needed, or uv (pip install uv); this is Python {sys.version.split()[0]}.")
    print(f"No uv here: pip puts it into {PRIVATE}, and it makes {ENVIRONMENT}.", file=sys.stderr, flush=True)
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    if works(sys.executable, "-m", "venv", str(PRIVATE)):
        works(str(PRIVATE / "bin" / "python"), *pip, "uv")
    else:
        # Debian's Python has no venv without python3-venv; pip alone does as well.
        works(sys.executable, *pip, "--target", str(PRIVATE / "packages"), "uv")
    if found := uv_of_machine():
        return found
    shutil.rmtree(PRIVATE, ignore_errors=True)
    sys.exit(
        "uv is missing, and pip did not bring it: install uv, or Python's venv and pip (apt install python3-venv)."
    )


def works(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603 - our own words
    except OSError:
        return False
