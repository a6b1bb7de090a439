"""JSONL: the objects of a file's lines, one by one, so that a bad line costs only itself."""

import codecs
import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from extraction.importers.files import File
from extraction.importers.found import Found, Skipped
from extraction.importers.limits import MAX_BYTES


def read_lines(file: File, read: Callable[[dict[str, Any], int], Iterable[Found]]) -> Iterator[Found]:
    """What `read` makes of each object and the number of its line; a line that is none, even no UTF-8, is told by its number."""
    for number, line in _numbered(file):
        if line is None:
            yield file.skipped(
                f"the line is longer than {MAX_BYTES // 1024**2} MiB; the rest of the file is not read", number
            )
            return
        row = _object(line, file, number)
        if isinstance(row, Skipped):
            yield row
        else:
            yield from read(row, number)


def _numbered(file: File) -> Iterator[tuple[int, bytes | None]]:
    """The lines that are not empty with their numbers; None stands for one too long, the last then."""
    with file.open() as stream:
        buffered = io.BufferedReader(stream) if isinstance(stream, io.RawIOBase) else stream
        for number, line in enumerate(iter(lambda: buffered.readline(MAX_BYTES + 1), b""), 1):
            line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            if line.strip():
                yield number, line if len(line) <= MAX_BYTES else None


def _object(line: bytes, file: File, number: int) -> dict[str, Any] | Skipped:
    try:
        row = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return file.skipped(f"not UTF-8 at byte {error.start} of the line", number)
    except (ValueError, RecursionError) as error:
        return file.skipped(f"no JSON: {error}", number)
    return row if isinstance(row, dict) else file.skipped("no JSON object", number)
