"""What can be wrong with a pack. A bad one is refused with file, line and reason before anything of it counts."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import re2

from ledger.errors import Invalid
from ledger.rules.columns import check_json

SPEAKERS = {"user", "agent", "tool", "document", "system"}
LAYERS = {"memory", "entity"}
VALUE_TYPES = {
    "", "boolean", "enum", "number", "dimension", "currency", "date", "string", "note", "event", "assignment", "action_item",
}  # fmt: skip
EXTRACTORS = {"rules", "discussion", "coordination", "model"}
TABLES = {"pack", "kinds", "keys", "gates", "budgets", "rules", "tripwire", "redline", "policies", "blocks", "stages"}
LONGEST_PATTERN = 4_000
# Trusted state and patterns have refs of their own.
TAKEN_PREFIXES = {"TRU", "PAT"}
NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,59}")
KIND = re.compile(r"[a-z][a-z0-9_]{0,39}")
PREFIX = re.compile(r"[A-Z]{2,5}")

type Problem = tuple[str, str]
type Check = Callable[[Any], str]


def problems(content: Mapping[str, Any]) -> Iterable[Problem]:
    """Each problem with a word of the line where it stands."""
    for table in content:
        if table not in TABLES:
            yield f"unknown table {table!r}", table
        elif table == "kinds" and not isinstance(content[table], list):
            yield "kinds must be [[kinds]] tables", table
            return
        elif table in ("keys", "gates", "budgets", "rules") and not isinstance(content[table], dict):
            yield f"[{table}] must be a table", table
            return
    if not isinstance(content.get("pack"), dict):
        yield "a pack needs [pack] with name and version", "[pack]"
        return
    try:
        check_json("pack", content)
    except Invalid as error:
        yield error.message.removeprefix("pack."), error.field.rpartition(".")[2]
        return
    yield from _fields("[pack]", content["pack"], PACK, needed=("name", "version"))
    for at, kind in enumerate(content.get("kinds", [])):
        yield from _fields(_named("kind", kind, "name", at), kind, KINDS, needed=("name", "layer", "prefix"))
    keys = content.get("keys", {})
    yield from _fields("[keys]", keys, KEYS)
    if isinstance(keys.get("list", []), list):
        for at, key in enumerate(keys.get("list", [])):
            yield from _fields(_named("key", key, "key", at), key, KEY, needed=("key",))
    for table, check in (("gates", _share), ("budgets", _count)):
        yield from _fields(f"[{table}]", content.get(table, {}), dict.fromkeys(content.get(table, {}), check))
    yield from _bad_patterns(content)


def _named(what: str, row: Any, field: str, at: int) -> str:
    name = row.get(field) if isinstance(row, dict) else None
    return f"{what} {name!r}" if isinstance(name, str) and name else f"{what} number {at + 1}"


def _fields(where: str, row: Any, known: Mapping[str, Check], *, needed: tuple[str, ...] = ()) -> Iterable[Problem]:
    if not isinstance(row, dict):
        yield f"{where}: must be a table", where.strip("[]").split(" ")[0]
        return
    words = [value for value in row.values() if isinstance(value, str) and value]
    for name in needed:
        if name not in row:
            yield f"{where}: needs {' and '.join(needed)}; {name} is missing", words[0] if words else where
    for name, value in row.items():
        if name not in known:
            yield f"{where}: there is no field {name!r}", name
        elif wrong := known[name](value):
            yield f"{where}: {name} {wrong}", value if isinstance(value, str) and value else name


def _like(pattern: re.Pattern[str], what: str) -> Check:
    return lambda value: "" if isinstance(value, str) and pattern.fullmatch(value) else f"must be {what}, not {value!r}"


def _text(most: int, *, empty: bool = False) -> Check:
    def check(value: Any) -> str:
        fits = isinstance(value, str) and len(value) <= most and (empty or value.strip())
        return "" if fits else f"must be a text of at most {most} characters"

    return check


def _one_of(words: set[str]) -> Check:
    told = ", ".join(sorted(word for word in words if word))
    return lambda value: "" if isinstance(value, str) and value in words else f"must be one of {told}, not {value!r}"


def _several_of(words: set[str]) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            return "must be a list of words"
        unknown = sorted(set(value) - words)
        return f"has {unknown[0]!r}, which is none of {', '.join(sorted(words))}" if unknown else ""

    return check


def _flag(value: Any) -> str:
    return "" if isinstance(value, bool) else "must be true or false"


def _words(value: Any) -> str:
    fits = isinstance(value, list) and all(isinstance(one, str) and 0 < len(one) <= 60 for one in value)
    return "" if fits else "must be a list of words of at most 60 characters"


def _tables(value: Any) -> str:
    return "" if isinstance(value, list) else "must be [[keys.list]] tables"


def _share(value: Any) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return "" if number and 0 <= value <= 1 else "must be a number between 0 and 1"


def _count(value: Any) -> str:
    """A number, or a table of them (by tier, by kind)."""
    if isinstance(value, dict):
        return next((wrong for one in value.values() if (wrong := _count(one))), "")
    whole = isinstance(value, int) and not isinstance(value, bool)
    return "" if whole and 0 <= value <= 1_000_000 else "must be a whole number, 0 or more"


def _prefix(value: Any) -> str:
    if value in TAKEN_PREFIXES:
        return f"{value!r} is taken by the refs of trusted state and patterns"
    return _like(PREFIX, "two to five capital letters")(value)


PACK: dict[str, Check] = {
    "name": _like(NAME, "lower-case letters, digits, . _ - (at most 60)"),
    "version": _text(30),
    "title": _text(200, empty=True),
    "summary": _text(2000, empty=True),
    "extractors": _several_of(EXTRACTORS),
}
KINDS: dict[str, Check] = {
    "name": _like(KIND, "lower-case letters, digits and _ (at most 40)"),
    "layer": _one_of(LAYERS),
    "prefix": _prefix,
    "anchors": _several_of(SPEAKERS),
    "many": _flag,
    "value_type": _one_of(VALUE_TYPES),
}
KEYS: dict[str, Check] = {"closed": _flag, "list": _tables}
KEY: dict[str, Check] = {
    "key": _text(200),
    "value_type": _one_of(VALUE_TYPES),
    "unit": _text(30, empty=True),
    "high_risk": _flag,
    "stages": _words,
}


def _bad_patterns(content: Any) -> Iterable[Problem]:
    options = re2.Options()
    options.log_errors = False
    for pattern in _patterns(content):
        if len(pattern) > LONGEST_PATTERN:
            yield f"a pattern has more than {LONGEST_PATTERN} characters", pattern[:60]
            continue
        try:
            re2.compile(pattern, options)
        except re2.error as error:
            reason = error.args[0] if error.args else error
            told = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
            yield f"pattern {pattern!r}: {told}", pattern


def _patterns(content: Any) -> Iterable[str]:
    if isinstance(content, dict):
        for name, value in content.items():
            if name == "pattern" and isinstance(value, str):
                yield value
            elif name == "patterns" and isinstance(value, list):
                yield from (item for item in value if isinstance(item, str))
            else:
                yield from _patterns(value)
    elif isinstance(content, list):
        for item in content:
            yield from _patterns(item)
