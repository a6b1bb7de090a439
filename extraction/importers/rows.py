"""JSONL: one object a line, with `text` and the fields of a source."""

import codecs
import io
import json
from collections.abc import Iterator

from pydantic import ValidationError

from extraction.importers.files import File
from extraction.importers.found import Found, Into, short
from extraction.importers.limits import MAX_BYTES
from extraction.intake.take import SourceIn, incoming


def read(file: File, into: Into) -> Iterator[Found]:
    """A bad line, even one that is no UTF-8, is told by its number, and the rest kept."""
    with file.open() as stream:
        buffered = io.BufferedReader(stream) if isinstance(stream, io.RawIOBase) else stream
        number = 0
        while line := buffered.readline(MAX_BYTES + 1):
            number += 1
            if len(line) > MAX_BYTES:
                yield file.skipped(
                    f"the line is longer than {MAX_BYTES // 1024**2} MiB; the rest of the file is not read", number
                )
                return
            line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            if line.strip():
                yield _item(line, file, number, into.scope)


def _item(line: bytes, file: File, number: int, scope: str) -> Found:
    try:
        return file.kept(number, incoming(_source(line, f"{file.name}#{number}", scope)))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return file.skipped(f"{'.'.join(map(str, first['loc']))}: {first['msg']}", number)
    except UnicodeDecodeError as error:
        return file.skipped(f"not UTF-8 at byte {error.start} of the line", number)
    except _NoSource as error:
        return file.skipped(str(error), number)
    except (ValueError, RecursionError) as error:
        return file.skipped(f"no JSON: {error}", number)


class _NoSource(Exception):
    """An object that is no source of this scope: the reason."""


def _source(line: bytes, place: str, scope: str) -> SourceIn:
    row = json.loads(line.decode("utf-8"))
    if not isinstance(row, dict):
        raise _NoSource("no JSON object")
    if not isinstance(row.get("text"), str):
        raise _NoSource("text is missing" if "text" not in row else "text is no string")
    if row.get("scope") not in (None, scope):
        raise _NoSource(f"it belongs to scope {row['scope']!r}")
    own = row.get("external_id") or row.get("id")
    named = str(own) if own and isinstance(own, str | int) else place
    fields = {key: value for key, value in row.items() if key in SourceIn.model_fields and value is not None}
    return SourceIn.model_validate(fields | {"scope": scope, "external_id": short(named)})
