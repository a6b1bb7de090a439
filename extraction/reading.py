"""Read files, folders and archives into texts, to the byte; say of everything else why it was passed over."""

import codecs
import hashlib
import io
import json
import os
import stat
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from pydantic import ValidationError

from extraction.api.shapes import SourceIn
from ledger.actions.ingest import LONGEST_TEXT, Incoming

TEXTS = {"": "text", ".txt": "text", ".text": "text", ".log": "text", ".rst": "text", ".org": "text", ".adoc": "text",
         ".html": "text", ".htm": "text", ".md": "markdown", ".markdown": "markdown", ".mdown": "markdown",
         ".jsonl": "jsonl", ".ndjson": "jsonl"}  # fmt: skip
FORMATS = ("auto", "markdown", "text", "jsonl")
MOST_BYTES = 4 * LONGEST_TEXT
MOST_ENTRIES = 200_000
MOST_UNPACKED = 8 * 1024**3
# Text packs to a tenth, seldom to a fiftieth; a bomb packs to a thousandth.
MOST_RATIO = 200
BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was passed over: its path (with `#line` in a JSONL file) and why."""

    path: str
    why: str
    asked_for: bool = False


type Found = Incoming | Skipped


def read_paths(paths: Iterable[Path], form: str, scope: str) -> Iterator[Found]:
    """Everything under the paths, in the order of their names. A text's external id is its path from the folder that
    holds the given path, so that the same folder ingested again is recognised wherever one stands."""
    seen: dict[str, Path] = {}
    for path in paths:
        for found in _read(path, form, scope):
            name = found.external_id if isinstance(found, Incoming) else ""
            if name and seen.setdefault(name, path) != path:
                yield Skipped(name, f"{seen[name]} has the same name; give their common folder instead")
            else:
                yield found


def _read(path: Path, form: str, scope: str) -> Iterator[Found]:
    if not path.exists():
        yield Skipped(str(path), "it does not exist", asked_for=True)
    elif path.is_dir():
        yield from _folder(path.resolve(), form, scope)
    else:
        yield from _file(path, path.name, form, scope, asked_for=True)


def _folder(root: Path, form: str, scope: str) -> Iterator[Found]:
    for folder, folders, files in os.walk(root, onerror=None):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.startswith("."):
                continue
            file = Path(folder) / name
            shown = f"{root.name}/{file.relative_to(root).as_posix()}"
            if file.is_symlink() and not file.resolve().is_relative_to(root):
                yield Skipped(plain(shown), "a link that leads out of the folder")
            else:
                yield from _file(file, shown, form, scope)


def _file(file: Path, name: str, form: str, scope: str, *, asked_for: bool = False) -> Iterator[Found]:
    name = plain(name)
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            yield Skipped(name, "not a regular file", asked_for)
            return
        with file.open("rb") as stream:
            if file.suffix.lower() == ".zip":
                yield from _archive(stream, name, form, scope, asked_for)
            else:
                yield from _stream(stream, name, form, scope, asked_for)
    except OSError as error:
        yield Skipped(name, f"cannot be read: {error.strerror or error}", asked_for)


def _archive(stream: IO[bytes], name: str, form: str, scope: str, asked_for: bool) -> Iterator[Found]:
    """The texts of a zip file, unpacked in memory one by one: nothing is written to disk under a name from inside."""
    try:
        archive = zipfile.ZipFile(stream)
        entries = sorted(archive.infolist(), key=lambda entry: entry.filename)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        yield Skipped(name, f"not a zip file: {error}", asked_for)
        return
    if len(entries) > MOST_ENTRIES:
        yield Skipped(name, f"more than {MOST_ENTRIES} files in it", asked_for)
        return
    unpacked = 0
    for entry in entries:
        inside = PurePosixPath(entry.filename.replace("\\", "/"))
        shown = plain(f"{name}/{inside}")
        if entry.is_dir() or inside.name.startswith(".") or "__MACOSX" in inside.parts:
            continue
        if inside.is_absolute() or ".." in inside.parts:
            yield Skipped(shown, "its name leads out of the archive")
        elif inside.suffix.lower() == ".zip":
            yield Skipped(shown, "an archive inside an archive")
        elif entry.flag_bits & 1:
            yield Skipped(shown, "encrypted")
        elif entry.file_size > MOST_RATIO * max(entry.compress_size, 1) + 1024 * 1024:
            yield Skipped(shown, "it unpacks to far more than a text does")
        elif unpacked + entry.file_size > MOST_UNPACKED:
            yield Skipped(shown, f"the archive unpacks to more than {MOST_UNPACKED // 1024**3} GiB")
        else:
            unpacked += entry.file_size
            try:
                with archive.open(entry) as member:
                    yield from _stream(member, shown, form, scope, False)
            except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
                yield Skipped(shown, f"cannot be unpacked: {error}")


def _stream(stream: IO[bytes], name: str, form: str, scope: str, asked_for: bool) -> Iterator[Found]:
    chosen = form
    if form == "auto":
        suffix = PurePosixPath(name).suffix.lower()
        chosen = TEXTS.get(suffix, "text" if asked_for else "")
        if not chosen:
            yield Skipped(name, f"no format is known for {suffix}")
            return
    if chosen == "jsonl":
        yield from _lines(stream, name, scope)
        return
    raw = stream.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        yield Skipped(name, f"larger than {MOST_BYTES // 1024**2} MiB", asked_for)
        return
    text = decoded(raw)
    if isinstance(text, str):
        yield Incoming(text=text, external_id=short(name), title=PurePosixPath(name).name[:500])
    else:
        yield Skipped(name, text.why, asked_for)


def decoded(raw: bytes) -> str | Skipped:
    """The text as it stands, line ends and all; a byte order mark says the encoding and is no part of the text."""
    encoding = next((name for mark, name in BOMS if raw.startswith(mark)), "utf-8")
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        return Skipped("", f"not {encoding.removesuffix('-sig').upper()} at byte {error.start}")


def _lines(stream: IO[bytes], name: str, scope: str) -> Iterator[Found]:
    """One JSON object a line: `text` and the fields of a source. A bad line is told by its number, the rest kept."""
    buffered = io.BufferedReader(stream) if isinstance(stream, io.RawIOBase) else stream
    number = 0
    while line := buffered.readline(MOST_BYTES + 1):
        number += 1
        place = f"{name}#{number}"
        if len(line) > MOST_BYTES:
            yield Skipped(
                place, f"the line is longer than {MOST_BYTES // 1024**2} MiB; the rest of the file is not read"
            )
            return
        line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
        if line.strip():
            yield _item(line, place, scope)


def _item(line: bytes, place: str, scope: str) -> Found:
    try:
        row = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Skipped(place, f"not UTF-8 at byte {error.start} of the line")
    except (ValueError, RecursionError) as error:
        return Skipped(place, f"no JSON: {error}"[:300])
    if not isinstance(row, dict):
        return Skipped(place, "no JSON object")
    if not isinstance(row.get("text"), str):
        return Skipped(place, "text is missing" if "text" not in row else "text is no string")
    if row.get("scope") not in (None, scope):
        return Skipped(place, f"it belongs to scope {row['scope']!r}"[:300])
    own = row.get("external_id") or row.get("id")
    fields = {key: value for key, value in row.items() if key in SourceIn.model_fields and value is not None}
    fields |= {"scope": scope, "external_id": short(str(own)) if own and isinstance(own, str | int) else short(place)}
    try:
        item = SourceIn.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return Skipped(place, f"{'.'.join(map(str, first['loc']))}: {first['msg']}"[:300])
    return Incoming(
        text=item.text, kind=item.kind, sender=item.sender, sender_kind=item.sender_kind, sent_at=item.sent_at,
        conversation=item.conversation, external_id=item.external_id, reply_to=item.reply_to, title=item.title,
    )  # fmt: skip


def plain(name: str) -> str:
    """A file's name as text: bytes that are no UTF-8 are written out."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace").replace("\0", "\\0")


def short(name: str) -> str:
    """At most 500 characters; a longer name keeps its end and a print of the whole."""
    return (
        name
        if len(name) <= 500
        else f"{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:16]}…{name[-400:]}"
    )
