"""JSONL: one object a line, with `text` and the fields of a source."""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from extraction.importers.files import File
from extraction.importers.found import Found, Into, short
from extraction.importers.json_lines import read_lines
from extraction.intake.take import SourceIn, incoming


def read(file: File, into: Into) -> Iterator[Found]:
    return read_lines(file, lambda row, number: [_source(row, file, number, into.scope)])


def _source(row: dict[str, Any], file: File, number: int, scope: str) -> Found:
    if not isinstance(row.get("text"), str):
        return file.skipped("text is missing" if "text" not in row else "text is no string", number)
    if row.get("scope") not in (None, scope):
        return file.skipped(f"it belongs to scope {row['scope']!r}", number)
    own = row.get("external_id") or row.get("id")
    named = str(own) if own and isinstance(own, str | int) else f"{file.name}#{number}"
    fields = {key: value for key, value in row.items() if key in SourceIn.model_fields and value is not None}
    try:
        return file.kept(
            number, incoming(SourceIn.model_validate(fields | {"scope": scope, "external_id": short(named)}))
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return file.skipped(f"{'.'.join(map(str, first['loc']))}: {first['msg']}", number)
