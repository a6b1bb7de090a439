"""Packs: a domain as one TOML file, read here and kept as versioned rows."""

import hashlib
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import re2

from ledger.errors import Invalid

SHIPPED = Path(__file__).parent
SPEAKERS = {"user", "agent", "tool", "document", "system"}
LAYERS = {"memory", "entity"}
VALUE_TYPES = {
    "", "boolean", "enum", "number", "dimension", "currency", "date", "string", "note", "event", "assignment", "action_item",
}  # fmt: skip
TABLES = {"pack", "kinds", "keys", "gates", "budgets", "rules", "tripwire", "redline", "policies", "blocks", "stages"}


@dataclass(frozen=True, slots=True)
class KeySpec:
    """One key of a registry (T5): its type, unit, risk and the stages it belongs to."""

    key: str
    value_type: str = ""
    unit: str = ""
    high_risk: bool = False
    stages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PackSet:
    """What a scope's packs say together; core first, later packs add and override single settings."""

    names: tuple[str, ...]
    digest: str
    contents: tuple[dict[str, Any], ...]
    keys: dict[str, KeySpec] = field(default_factory=dict)
    keys_closed: bool = False

    def setting(self, table: str, name: str, default: Any) -> Any:
        """The last pack that sets `table.name` wins."""
        for content in reversed(self.contents):
            value = content.get(table, {})
            if isinstance(value, dict) and name in value:
                return value[name]
        return default


def parse(raw: bytes, *, file: str) -> tuple[dict[str, Any], str]:
    """Content and digest of one pack file. Raises `Invalid` naming file, line and reason."""
    try:
        content = tomllib.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Invalid(f"{file}: not UTF-8 at byte {error.start}", field="pack") from None
    except tomllib.TOMLDecodeError as error:
        raise Invalid(f"{file}: {error}", field="pack") from None
    text = raw.decode("utf-8")
    for problem, needle in problems(content):
        raise Invalid(f"{file}:{_line_of(text, needle)}: {problem}", field="pack")
    return content, hashlib.sha256(raw).hexdigest()


def problems(content: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """What is wrong with a pack's content, each with a word of the line where it stands."""
    for table in content:
        if table not in TABLES:
            yield f"unknown table {table!r}", table
    pack = content.get("pack")
    if not isinstance(pack, dict) or not pack.get("name") or not pack.get("version"):
        yield "a pack needs [pack] with name and version", "[pack]"
        return
    for kind in content.get("kinds", []):
        name = kind.get("name", "")
        if not name or not kind.get("prefix"):
            yield "a kind needs name and prefix", name or "[[kinds]]"
        if kind.get("layer") not in LAYERS:
            yield f"kind {name!r}: layer must be memory or entity", name
        if unknown := set(kind.get("anchors", [])) - SPEAKERS:
            yield f"kind {name!r}: unknown speaker {sorted(unknown)[0]!r}", name
        if kind.get("value_type", "") not in VALUE_TYPES:
            yield f"kind {name!r}: unknown value type {kind['value_type']!r}", name
    for key in content.get("keys", {}).get("list", []):
        if not key.get("key"):
            yield "a key needs its name", "[[keys.list]]"
        if key.get("value_type", "") not in VALUE_TYPES:
            yield f"key {key.get('key')!r}: unknown value type {key['value_type']!r}", str(key.get("key"))
    for pattern in _patterns(content):
        try:
            re2.compile(pattern)
        except re2.error as error:
            yield f"pattern {pattern!r}: {error}", pattern


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


def _line_of(text: str, needle: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        if needle in line:
            return number
    return 1


def merge(contents: list[tuple[str, str, dict[str, Any]]]) -> PackSet:
    """One `PackSet` of (name, digest, content) triples in order of force."""
    keys: dict[str, KeySpec] = {}
    closed = False
    for _, _, content in contents:
        table = content.get("keys", {})
        closed = bool(table.get("closed", closed))
        for item in table.get("list", []):
            keys[item["key"]] = KeySpec(
                item["key"],
                item.get("value_type", ""),
                item.get("unit", ""),
                bool(item.get("high_risk", False)),
                tuple(item.get("stages", ())),
            )
    digest = hashlib.sha256("\n".join(d for _, d, _ in contents).encode()).hexdigest()
    return PackSet(tuple(n for n, _, _ in contents), digest, tuple(c for _, _, c in contents), keys, closed)
