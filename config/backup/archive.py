"""One file that holds a backup: a tar, so that it can be taken apart without us, written and read as a stream.

`about.json` comes first and says what it is, `secrets.json` holds the data folder's secrets, `database/…` the dump in
pieces (`tar x`, then `cat database/* | pg_restore`), and `manifest.json` closes it with the size and hash of every other.
"""

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from config.backup import sealed
from config.backup.sealed import BadBackup

FORMAT = 1
PIECE = 4 * 1024 * 1024
ABOUT, SECRETS, MANIFEST, DATABASE = "about.json", "secrets.json", "manifest.json", "database/"


class Writer:
    """Writes one archive into a stream; `close` makes it whole."""

    def __init__(self, out: BinaryIO, key: bytes | None) -> None:
        self.sealer = sealed.Sealer(out, key) if key else None
        target: Any = self.sealer or out
        self.tar = tarfile.open(fileobj=target, mode="w|")  # noqa: SIM115 - closed by `close`
        self.members: dict[str, dict[str, Any]] = {}

    def add(self, name: str, data: bytes) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode = len(data), 0o600
        self.tar.addfile(member, io.BytesIO(data))
        self.members[name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    def add_json(self, name: str, value: Any) -> None:
        self.add(name, json.dumps(value, indent=1, ensure_ascii=False).encode())

    def add_stream(self, stream: BinaryIO) -> None:
        """The dump, piece by piece, as it comes."""
        for number, piece in enumerate(iter(lambda: stream.read(PIECE), b"")):
            self.add(f"{DATABASE}{number:06}", piece)

    def close(self) -> None:
        self.add_json(MANIFEST, {"members": self.members})
        self.tar.close()
        if self.sealer:
            self.sealer.finish()


def is_sealed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(sealed.MAGIC)) == sealed.MAGIC


@contextmanager
def members(path: Path, key: bytes | None) -> Iterator[Iterator[tuple[str, bytes]]]:
    """Name and bytes of each member, in their order. Raises `BadBackup` where the file is no backup, or a broken one."""
    with path.open("rb") as file:
        source: io.RawIOBase | BinaryIO = sealed.Opener(file, key) if key else file
        try:
            with tarfile.open(fileobj=io.BufferedReader(cast(io.RawIOBase, source), PIECE), mode="r|") as tar:
                yield _read(tar)
        except (tarfile.TarError, EOFError) as error:
            raise BadBackup(f"{path} is no whole backup: {error}") from None


def _read(tar: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for member in tar:
        file = tar.extractfile(member)
        yield member.name, file.read() if file else b""


def check(path: Path, key: bytes | None) -> dict[str, bytes]:
    """Read the file to its end and compare every hash; the small members by name. Raises `BadBackup`."""
    found: dict[str, dict[str, Any]] = {}
    small: dict[str, bytes] = {}
    with members(path, key) as parts:
        for name, data in parts:
            found[name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            if not name.startswith(DATABASE):
                small[name] = data
    if MANIFEST not in small:
        raise BadBackup(f"{path} has no end: the backup broke off while it was made or copied")
    del found[MANIFEST]
    told = json.loads(small[MANIFEST])["members"]
    if changed := sorted(name for name in told.keys() | found.keys() if told.get(name) != found.get(name)):
        raise BadBackup(f"{path} is not what was written: {', '.join(changed[:3])} differ from the manifest")
    if json.loads(small[ABOUT])["format"] != FORMAT:
        raise BadBackup(f"{path} was written in another format: take the release that made it")
    return small


def dump_pieces(path: Path, key: bytes | None) -> Iterator[bytes]:
    """The dump, piece by piece."""
    with members(path, key) as parts:
        for name, data in parts:
            if name.startswith(DATABASE):
                yield data
