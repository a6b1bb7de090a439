"""Files as importers see them: by name, opened as often as needed, whether they lie in a folder or in a zip archive."""

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from extraction.importers.decoding import NotText
from extraction.importers.found import Found, Skipped, plain
from extraction.importers.json_stream import Broken, Pattern, Record, records
from extraction.importers.limits import (
    HEAD,
    MAX_ENTRIES,
    MAX_RATIO,
    MAX_UNPACKED,
    SLACK_BYTES,
    Budget,
    Counted,
    TooMuch,
)
from ledger.actions.ingest import MAX_TEXT, Incoming
from ledger.errors import Invalid
from ledger.rules.columns import storable

# What opening, unpacking and decoding may raise; an importer's caller turns it into one `Skipped`.
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, NotText, TooMuch,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class File:
    """One file: `name` as it is told and as ids are made of it, `/` between its parts."""

    name: str
    opener: Callable[[], IO[bytes]]
    asked_for: bool = False
    # The folder of a file that was given by itself, whose name does not show it.
    folder: str = ""

    @property
    def path(self) -> PurePosixPath:
        return PurePosixPath(self.name)

    @property
    def suffix(self) -> str:
        return self.path.suffix.lower()

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        with self.opener() as stream:
            yield stream

    def head(self) -> bytes:
        with self.open() as stream:
            return stream.read(HEAD)

    def records(self, wanted: Iterable[Pattern]) -> Iterator[Record | Skipped]:
        """The values of a JSON file at the wanted places; what is broken in it is told as skipped."""
        with self.open() as stream:
            for one in records(stream, wanted):
                yield self.skipped(one.why, one.place) if isinstance(one, Broken) else one

    def read_objects(
        self, wanted: Iterable[Pattern], otherwise: str, read: Callable[[dict[str, Any], str], Iterable[Found]]
    ) -> Iterator[Found]:
        """What `read` makes of each object and its place; `otherwise` is why another value is skipped."""
        for one in self.records(wanted):
            if isinstance(one, Skipped):
                yield one
            elif isinstance(one.value, dict):
                yield from read(one.value, one.place)
            else:
                yield self.skipped(otherwise, one.place)

    def skipped(self, why: str, place: object = "") -> Skipped:
        return Skipped(f"{self.name}#{place}" if place != "" else self.name, why[:300], self.asked_for and place == "")

    def kept(self, place: object, text: Incoming, *, empty: str = "empty") -> Found:
        """The text, or with its place why the database cannot hold it; `empty` is said of one without any words."""
        if not text.text:
            return self.skipped(empty, place)
        if len(text.text) > MAX_TEXT:
            return self.skipped(f"more than {MAX_TEXT} characters", place)
        try:
            for name in ("text", "sender", "title", "conversation", "external_id", "reply_to"):
                storable(getattr(text, name), name)
        except Invalid as error:
            return self.skipped(error.message, place)
        return text


@dataclass(frozen=True, slots=True)
class Tree:
    """What belongs together: a folder, an archive or a single file. `skipped` is what is in it and can't be read."""

    files: tuple[File, ...]
    skipped: tuple[Skipped, ...] = ()


def trees(path: Path) -> Iterator[Tree]:
    """The path's own tree first, then one for each archive in it; archives stay open while they are read."""
    if path.is_dir():
        files, skipped = folder(path.resolve())
        archives = [file for file in files if file.suffix == ".zip"]
        yield Tree(tuple(file for file in files if file.suffix != ".zip"), tuple(skipped))
        for file in archives:
            yield from archive(file)
        return
    if not path.exists():
        yield Tree((), (Skipped(str(path), "it does not exist", asked_for=True),))
        return
    file = File(plain(path.name), _opener(path), asked_for=True, folder=plain(path.resolve().parent.name))
    if not path.is_file():
        yield Tree((), (file.skipped("not a regular file"),))
    elif file.suffix == ".zip":
        yield from archive(file)
    else:
        yield Tree((file,))


def _opener(path: Path) -> Callable[[], IO[bytes]]:
    return lambda: path.open("rb")


def folder(root: Path) -> tuple[list[File], list[Skipped]]:
    """Its files in the order of their names, hidden ones left out; no link is followed that leads out of it."""
    files: list[File] = []
    skipped: list[Skipped] = []

    def unreadable(error: OSError) -> None:
        skipped.append(Skipped(plain(str(error.filename)), f"cannot be read: {error.strerror or error}"))

    for here, folders, names in os.walk(root, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(name for name in names if not name.startswith(".")):
            path = Path(here) / name
            shown = plain(f"{root.name}/{path.relative_to(root).as_posix()}")
            if why := _unfit(path, root):
                skipped.append(Skipped(shown, why))
            else:
                files.append(File(shown, _opener(path)))
    return files, skipped


def _unfit(path: Path, root: Path) -> str:
    """Why a file of the folder `root` is not read; empty where it is."""
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    if path.is_symlink() and not path.resolve().is_relative_to(root):
        return "a link that leads out of the folder"
    return "" if regular else "not a regular file"


def archive(file: File) -> Iterator[Tree]:
    """The files of a zip archive, unpacked in memory as they are read: nothing is written to disk under a name from inside."""
    try:
        with file.open() as stream, zipfile.ZipFile(stream) as box:
            entries = sorted(box.infolist(), key=lambda entry: entry.filename)
            if len(entries) > MAX_ENTRIES:
                yield Tree((), (file.skipped(f"more than {MAX_ENTRIES} files in it"),))
                return
            files: list[File] = []
            skipped: list[Skipped] = []
            budget = Budget()
            for entry in entries:
                inside = PurePosixPath(entry.filename.replace("\\", "/"))
                if entry.is_dir() or inside.name.startswith(".") or "__MACOSX" in inside.parts:
                    continue
                shown = plain(f"{file.name}/{inside}")
                if why := _refused(entry, inside):
                    skipped.append(Skipped(shown, why))
                else:
                    files.append(File(shown, _member(box, entry, budget)))
            yield Tree(tuple(files), tuple(skipped))
    except Exception as error:  # noqa: BLE001 - a damaged directory makes the library raise nearly anything
        yield Tree((), (file.skipped(f"not a zip file: {error}"),))


def _refused(entry: zipfile.ZipInfo, inside: PurePosixPath) -> str:
    outside = inside.is_absolute() or ".." in inside.parts or ":" in str(inside)[:2] or not inside.parts
    reasons = (
        (outside, "its name leads out of the archive"),
        (inside.suffix.lower() == ".zip", "an archive inside an archive"),
        (entry.flag_bits & 1, "encrypted"),
        (stat.S_ISLNK(entry.external_attr >> 16), "a link inside an archive"),
        (
            entry.file_size > MAX_RATIO * max(entry.compress_size, 1) + SLACK_BYTES,
            "it unpacks to far more than a text does",
        ),
        (entry.file_size > MAX_UNPACKED, f"the archive unpacks to more than {MAX_UNPACKED // 1024**3} GiB"),
    )
    return next((why for refused, why in reasons if refused), "")


def _member(box: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: Budget) -> Callable[[], IO[bytes]]:
    def opened() -> IO[bytes]:
        try:
            stream = box.open(entry)
        except Exception as error:  # noqa: BLE001 - a damaged archive makes the library raise nearly anything
            raise zipfile.BadZipFile(f"cannot be unpacked: {error}") from None
        return io.BufferedReader(Counted(stream, entry.compress_size, budget), 1 << 16)

    return opened
