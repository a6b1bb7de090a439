"""Packs: a domain as one TOML file, read here and kept as versioned rows."""

import hashlib
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ledger.errors import Invalid
from ledger.packs.checking import problems

SHIPPED = Path(__file__).parent


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
    # What reads the texts of a scope with these packs: every name that one of them lists.
    extractors: tuple[str, ...] = ()

    def setting(self, table: str, name: str, default: Any) -> Any:
        """The last pack that sets `table.name` wins."""
        for content in reversed(self.contents):
            value = content.get(table, {})
            if isinstance(value, dict) and name in value:
                return value[name]
        return default


def parse(raw: bytes, *, file: str) -> tuple[dict[str, Any], str]:
    """Content and digest of one pack file. Raises `Invalid` naming file, line and reason (see `ledger.packs.checking`)."""
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
    extractors = dict.fromkeys(name for _, _, content in contents for name in content["pack"].get("extractors", ()))
    return PackSet(
        tuple(n for n, _, _ in contents), digest, tuple(c for _, _, c in contents), keys, closed, tuple(extractors)
    )
