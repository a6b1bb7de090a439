"""Files that grow while programs write them: what is new in each since it was last looked at.

Session logs are read line by line, up to the last whole line. Other formats (a chat's export, a text) have no place where a
first part ends, so they are read as a whole once nobody has written to them for a moment; what was taken in before is known by
its ids.
"""

import hashlib
import io
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, Final

from extraction.importers import READERS, Found, Into, Skipped
from extraction.importers.detect import recognized
from extraction.importers.files import UNREADABLE, File, folder, trees

# Where a line is an event, whole by itself; and of other formats in files of these names.
BY_LINE: Final = {"claude-code", "codex", "jsonl", "mattermost"}
LINES_BY_NAME: Final = {".jsonl", ".ndjson"}
# Lines that need none of those before them: only what is new is read, so much at once.
ALONE: Final = {"claude-code"}
CHUNK: Final = 16 * 1024**2
# So many seconds without a write, and what is at the end is taken for finished.
QUIET_S: Final = 3.0
PRINTED: Final = 256
# A file that has to be read from its beginning is read seldom where that takes long: at most this share of the time goes into it.
MAX_SHARE: Final = 0.1


@dataclass(frozen=True, slots=True)
class Position:
    """How far a file has been read: `offset` in bytes, and what stood before it in `lines` and `findings`. `print` is that of its
    first bytes, by which another file in its place is told from it. While `size` and `written` are as they were, nothing is new."""

    path: str
    offset: int = 0
    lines: int = 0
    findings: int = 0
    print: str = ""
    size: int = -1
    written: int = -1


@dataclass(frozen=True, slots=True)
class News:
    """What a file has to say since the last look, and the position to keep (under `key`) once that was taken in."""

    key: str
    position: Position
    findings: Sequence[Found]


@dataclass(slots=True)
class Follower:
    """`positions` by device and inode, so that a renamed file is still the same one."""

    paths: Sequence[Path]
    into: Into
    positions: dict[str, Position] = field(default_factory=dict)
    quiet_s: float = QUIET_S
    _rests_until: dict[str, float] = field(default_factory=dict)

    def look(self) -> Iterator[News]:
        """Of each file in which something is new."""
        for path, file in _files(self.paths):
            try:
                with path.open("rb") as stream:
                    news = self._look_into(stream, path, file)
            except UNREADABLE as error:
                news = News("", Position(str(path)), [file.skipped(f"cannot be read: {error}")])
            if news:
                yield news

    def keep(self, news: News) -> None:
        if news.key:
            self.positions[news.key] = news.position

    def _look_into(self, stream: BinaryIO, path: Path, file: File) -> News | None:
        status = os.fstat(stream.fileno())
        key = f"{status.st_dev}:{status.st_ino}"
        known = self.positions.get(key, Position(str(path)))
        if (status.st_size, status.st_mtime_ns) == (known.size, known.written):
            return None
        if known.offset > status.st_size or _print(stream, known.offset) != known.print:
            known = Position(str(path))
        quiet = time.time() - status.st_mtime >= self.quiet_s
        read = self._read_on(stream, file, key, known, quiet=quiet)
        if read is None:
            return None
        position, found = read
        position = replace(position, path=str(path), print=_print(stream, position.offset))
        if position.offset == status.st_size or (quiet and position.offset == known.offset):
            position = replace(position, size=status.st_size, written=status.st_mtime_ns)
        return News(key, position, found) if position != known else None

    def _read_on(
        self, stream: BinaryIO, file: File, key: str, known: Position, *, quiet: bool
    ) -> tuple[Position, list[Found]] | None:
        """What the file says from the known position on, as its format wants to be read; None while it rests."""
        form = recognized(file, file.head()).form
        if form not in BY_LINE and file.suffix not in LINES_BY_NAME:
            return _whole(stream, file, form, self.into) if quiet else (known, [])
        if form in ALONE:
            return _tail(stream, file, form, self.into, known, quiet=quiet)
        began = time.monotonic()
        if began < self._rests_until.get(key, 0.0):
            return None
        read = _again(stream, file, form, self.into, known, quiet=quiet)
        self._rests_until[key] = began + (time.monotonic() - began) / MAX_SHARE
        return read


def _files(paths: Sequence[Path]) -> Iterator[tuple[Path, File]]:
    """Those that are there, with their places on the disk; archives do not grow."""
    for root in paths:
        if root.is_dir():
            above = root.resolve().parent
            found = [(above / file.name, file) for file in folder(root.resolve())[0]]
        else:
            found = [(root, file) for tree in trees(root) for file in tree.files]
        yield from ((path, file) for path, file in found if file.suffix != ".zip" and path.is_file())


def _print(stream: BinaryIO, offset: int) -> str:
    if not offset:
        return ""
    stream.seek(0)
    return hashlib.sha256(stream.read(min(offset, PRINTED))).hexdigest()


def _tail(
    stream: BinaryIO, file: File, form: str, into: Into, known: Position, *, quiet: bool
) -> tuple[Position, list[Found]]:
    """What stands behind the position; empty lines in front, so that lines are called by their numbers."""
    new = _lines(stream, known.offset, CHUNK, quiet=quiet)
    found = _read(file, form, into, b"\n" * known.lines + new)
    return _after(known, known.offset + len(new), known.lines + new.count(b"\n"), len(found)), found


def _again(
    stream: BinaryIO, file: File, form: str, into: Into, known: Position, *, quiet: bool
) -> tuple[Position, list[Found]]:
    """From the beginning, whose lines say of the others whose they are and which of equal ones is which."""
    raw = _lines(stream, 0, -1, quiet=quiet)
    if len(raw) <= known.offset:
        return known, []
    found = _read(file, form, into, raw)
    return _after(known, len(raw), raw.count(b"\n"), len(found) - known.findings), found[known.findings :]


def _after(known: Position, offset: int, lines: int, findings: int) -> Position:
    return replace(known, offset=offset, lines=lines, findings=known.findings + findings, size=-1, written=-1)


def _whole(stream: BinaryIO, file: File, form: str, into: Into) -> tuple[Position, list[Found]]:
    size = os.fstat(stream.fileno()).st_size
    if not form:
        return Position("", offset=size), [file.skipped(f"no format is known for {file.suffix}")]
    return Position("", offset=size), list(READERS[form](file, into))


def _read(file: File, form: str, into: Into, raw: bytes) -> list[Found]:
    if not raw.strip():
        return []
    if form not in READERS:
        return [Skipped(file.name, "no format is known")]
    return list(READERS[form](replace(file, opener=lambda: io.BytesIO(raw)), into))


def _lines(stream: BinaryIO, start: int, most: int, *, quiet: bool) -> bytes:
    """Whole lines from `start` on, about `most` bytes (-1 for all), at least one line where there is one. A last line without an
    end is taken where nobody writes any more and it is whole."""
    stream.seek(start)
    raw = stream.read(most)
    end = raw.rfind(b"\n") + 1
    if not end and len(raw) == most:
        raw += stream.readline()
        end = raw.rfind(b"\n") + 1
    last = raw[end:]
    return raw if quiet and _is_whole(last) else raw[:end]


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
