"""Where the content of a pack file is not what its models say, and in which words that is told."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ledger.packs.file import PackFile
from ledger.packs.places import Path

type Problem = tuple[Path, str]

# What tells one row of a list from another in a message.
LABELS = {
    "kinds": "name", "list": "key", "blocks": "key", "sentences": "id", "triggers": "id", "groups": "name", "redline": "name",
    "enricher": "id",
}  # fmt: skip


def faults_of_fields(content: Mapping[str, Any]) -> list[Problem]:
    """Every place at fault, once: its path and the reason, such as `key 'late': there is no field 'units'`."""
    try:
        PackFile.model_validate(content)
    except ValidationError as refused:
        found: dict[Path, str] = {}
        for error in refused.errors(include_url=False):
            path, reason = _told(content, error)
            found.setdefault(path, reason)
        return list(found.items())
    return []


def _told(content: Mapping[str, Any], error: ErrorDetails) -> Problem:
    path = tuple(step for step in error["loc"] if step != "[key]")
    name, table = path[-1], path[:-1]
    match error["type"]:
        case "model_type" | "dict_type":
            return path, f"{called(content, path)} must be a table"
        case "list_type":
            return path, f"{dotted(path)} must be [[{dotted(path)}]] tables"
        case "missing":
            return path, f"{called(content, table)}: {name} is missing"
        case "extra_forbidden":
            return path, f"{called(content, table)}: there is no field {name!r}" if table else f"unknown table {name!r}"
    if error["loc"] != path:
        return path, f"{called(content, table)}: {_reason_of_name(error, name)}"
    if isinstance(name, int):
        return path, f"{called(content, table[:-1])}: {table[-1]} {_reason_of_item(error)}"
    return path, f"{called(content, table)}: {name} {_reason(error)}"


def _reason(error: ErrorDetails) -> str:
    """What is wrong with a value, in words that follow the field's name."""
    details = error.get("ctx", {})
    if error["type"] == "literal_error":
        return f"must be one of {_words(error)}, not {error['input']!r}"
    return "must be true or false" if error["type"] == "bool_type" else str(details.get("error", error["msg"]))


def _reason_of_name(error: ErrorDetails, name: str | int) -> str:
    """Of a name in a table of names that a pack chooses itself, or of a field of others."""
    return f"there is no field {name!r}" if error["type"] == "literal_error" else f"{name!r} {_reason(error)}"


def _reason_of_item(error: ErrorDetails) -> str:
    """Of one item of a list, told as the list's."""
    if error["type"] == "literal_error":
        return f"has {error['input']!r}, which is none of {_words(error)}"
    reason = _reason(error)
    return reason if reason.startswith(("has", "must be a list")) else f"has an item that {reason}"


def _words(error: ErrorDetails) -> str:
    return ", ".join(filter(None, re.findall(r"'([^']*)'", error["ctx"]["expected"])))


def called(content: Mapping[str, Any], path: Path) -> str:
    """A table as it is written in the file, a row of a list by its name or number."""
    if not path or not isinstance(path[-1], int):
        return f"[{dotted(path)}]"
    row: Any = content
    for step in path:
        row = row[step]
    name = row.get(LABELS.get(str(path[-2]))) if isinstance(row, dict) else None
    one = dotted(path).removesuffix(".list").rpartition(".")[2].removesuffix("s")
    return f"{one} {name!r}" if name and isinstance(name, str) else f"{one} number {path[-1] + 1}"


def dotted(path: Path) -> str:
    return ".".join(name for name in path if isinstance(name, str))
