"""The shape of a pack file as data: tables, lists of tables and fields, each field with the check of its value."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ledger.packs.places import Path

# What is wrong with a value, in words that follow the field's name; empty where it fits.
type Check = Callable[[Any], str]
type Shape = Check | Table | Rows
type Problem = tuple[Path, str]


@dataclass(frozen=True, slots=True)
class Table:
    """A TOML table. `fields` may stand in it and no others, save where `names` checks a name: then those have the shape
    `other`. `needed` must stand in it, and at least one of `one_of`."""

    fields: Mapping[str, Shape] = field(default_factory=dict)
    needed: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()
    names: Check | None = None
    other: Shape | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """`[[a list]]` of tables; the field `label` tells one from another in messages, and no two have it the same where
    they are `unlike`."""

    row: Table
    label: str
    unlike: bool = False


def problems_of(value: Any, shape: Shape, path: Path = (), called: str = "") -> Iterator[Problem]:
    """Every place below `path` where `value` is not of the shape, with the reason."""
    if isinstance(shape, Table):
        yield from _table(value, shape, path, called)
    elif isinstance(shape, Rows):
        yield from _rows(value, shape, path, called)
    elif wrong := shape(value):
        yield path, f"{called}: {wrong}" if called else wrong


def _table(value: Any, shape: Table, path: Path, called: str) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield path, f"{called} must be a table"
        return
    for name in shape.needed:
        if name not in value:
            yield path, f"{called}: needs {' and '.join(shape.needed)}; {name} is missing"
    if shape.one_of and not any(name in value for name in shape.one_of):
        yield path, f"{called}: needs {' or '.join(shape.one_of)}"
    for name, inner in value.items():
        here = (*path, name)
        if name in shape.fields:
            known = shape.fields[name]
            if isinstance(known, Table | Rows):
                yield from problems_of(inner, known, here, told(here))
            elif wrong := known(inner):
                yield from _parted(inner, here, f"{called}: {name} {wrong}", known)
        elif shape.names is None or shape.other is None:
            yield here, f"{called}: there is no field {name!r}" if path else f"unknown table {name!r}"
        elif wrong := shape.names(name):
            yield here, f"{called}: {name!r} {wrong}"
        elif isinstance(shape.other, Table | Rows):
            yield from problems_of(inner, shape.other, here, told(here))
        elif wrong := shape.other(inner):
            yield from _parted(inner, here, f"{called}: {name} {wrong}", shape.other)


def _parted(value: Any, path: Path, reason: str, check: Check) -> Iterator[Problem]:
    """The problem at the one item of a list that is at fault, where a list without it is good."""
    at = path
    if isinstance(value, list):
        at = next(((*path, number) for number, item in enumerate(value) if check([item])), path)
    yield at, reason


def _rows(value: Any, shape: Rows, path: Path, called: str) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield path, f"{called.strip('[]')} must be [[{_dotted(path)}]] tables"
        return
    seen: set[str] = set()
    for number, row in enumerate(value):
        name = row.get(shape.label) if isinstance(row, dict) else None
        known = isinstance(name, str) and bool(name)
        one = _dotted(path).removesuffix(".list").rpartition(".")[2].removesuffix("s")
        yield from _table(row, shape.row, (*path, number), f"{one} {name!r}" if known else f"{one} number {number + 1}")
        if shape.unlike and isinstance(name, str):
            if name in seen:
                yield (*path, number, shape.label), f"{one} {name!r}: stands here twice"
            seen.add(name)


def told(path: Path) -> str:
    """A table as it is written in the file."""
    return f"[{_dotted(path)}]"


def _dotted(path: Path) -> str:
    return ".".join(str(name) for name in path if isinstance(name, str))


def fields_of(shape: Shape, path: str = "") -> Iterator[tuple[str, str]]:
    """Every (table, field) that a file may have, such as `("keys.list", "unit")`, for the docs to be complete."""
    if isinstance(shape, Rows):
        yield from fields_of(shape.row, path)
    elif isinstance(shape, Table):
        for name, inner in shape.fields.items():
            if isinstance(inner, Table | Rows):
                yield from fields_of(inner, f"{path}.{name}".lstrip("."))
            else:
                yield path, name
        if isinstance(shape.other, Table | Rows):
            yield from fields_of(shape.other, f"{path}.*".lstrip("."))
        elif shape.other is not None:
            yield path, "*"
