"""Packs: a domain as one TOML file, read here and kept as versioned rows."""

import hashlib
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ledger.errors import Invalid
from ledger.language.fold import slug_key
from ledger.packs.checking import problems
from ledger.packs.faults import Problem
from ledger.packs.places import line_of, lines_of

SHIPPED = Path(__file__).parent
CORE = "core"
MAX_FILE = 2_000_000
MAX_TOLD = 200


@dataclass(frozen=True, slots=True)
class KeySpec:
    """One key of a registry (T5). `stages` empty: allowed at every stage. `also` are names that stand for it; `values` what an
    enum can be; `block` the block that shows it, with an empty cell for it where it is `required`; `question` asks for it."""

    key: str
    value_type: str = ""
    unit: str = ""
    high_risk: bool = False
    stages: tuple[str, ...] = ()
    title: str = ""
    help: str = ""
    also: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    default: Any = None
    block: str = ""
    question: str = ""
    required: bool = False
    pack: str = ""


@dataclass(frozen=True, slots=True)
class BlockSpec:
    """One knowledge block (T8): `scope` is project or item; `prefixes` of the keys that it shows beside those that name it,
    `kinds` of claims without a key that it shows, in a list of the name `entries`. Those of `closes` are questions: each closes
    when its key is filled. `marks` are words that a kind's entries carry: `{"constraint": {"severity": "hard"}}`."""

    key: str
    title: str
    scope: str
    prefixes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    entries: str = "entries"
    closes: tuple[str, ...] = ()
    marks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class PackSet:
    """What a scope's packs say together; core first, later packs add and override single settings. Equal by its digest, so
    that what is compiled from it is kept once a process."""

    names: tuple[str, ...]
    digest: str
    contents: tuple[dict[str, Any], ...]
    keys: dict[str, KeySpec] = field(default_factory=dict)
    keys_closed: bool = False
    # What reads the texts of a scope with these packs: every name that one of them lists.
    extractors: tuple[str, ...] = ()
    blocks: dict[str, BlockSpec] = field(default_factory=dict)
    stages: tuple[str, ...] = ()
    # Other names of keys as `slug_key` writes them (`load in`, `Load-in`: load-in), each with its key.
    also: dict[str, str] = field(default_factory=dict)
    # Priors of single rules, set by hand in a scope over those that the packs give to a class of rules.
    priors: dict[str, float] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PackSet) and other.digest == self.digest

    def setting(self, table: str, name: str, default: Any) -> Any:
        """The last pack that sets `name` in `table` wins; a table within a table is named with a dot: `tripwire.context`."""
        return _setting(self.contents, table, name, default)

    def rows(self, path: str) -> list[Mapping[str, Any]]:
        """All rows of a list of tables, such as `tripwire.groups`: lists of several packs add up, in their order."""
        return _all(self.contents, path)

    def words(self, path: str) -> list[str]:
        """A list of words, such as `tripwire.languages`, of all packs together, each word once."""
        return list(dict.fromkeys(_all(self.contents, path)))

    def has(self, table: str) -> bool:
        """Whether one of the packs has this table at all."""
        return any(_at(content, table) is not None for content in self.contents)

    def key_named(self, name: str) -> KeySpec | None:
        """The key of this name however it is spelt, or the one that it is another name of."""
        return self.keys.get(name) or self.keys.get(self.also.get(slug_key(name), ""))

    def own_name(self, key: str) -> str:
        """The key's own name, whichever of its names this is."""
        spec = self.key_named(key)
        return spec.key if spec else key

    def is_risky(self, key: str) -> bool:
        spec = self.key_named(key)
        return spec is not None and spec.high_risk

    def spec_of(self, key: str) -> KeySpec:
        """What the packs say of a key; of one that they do not list, nothing."""
        return self.keys.get(key) or KeySpec(key)

    def key_order(self, key: str) -> tuple[int, str]:
        """Keys as the packs list them; what none lists comes last."""
        return self._places.get(key, len(self.keys)), key

    @cached_property
    def _places(self) -> dict[str, int]:
        return {key: place for place, key in enumerate(self.keys)}

    @cached_property
    def required_keys(self) -> dict[str, list[str]]:
        """By block the keys that have an empty cell there before anything is known."""
        required: dict[str, list[str]] = defaultdict(list)
        for key, spec in self.keys.items():
            block = self.block_of(key) if spec.required else None
            if block:
                required[block.key].append(key)
        return required

    def block_showing(self, kind: str, key: str, tier: str) -> BlockSpec | None:
        """The one block that shows a claim of a kind in a scope of this tier: that of its key, else the one that lists its kind,
        a later pack's before others."""
        keyed = None if kind in self.question_kinds else self.block_of(key)
        return keyed or self._listing.get((kind, tier == "item"))

    @cached_property
    def question_kinds(self) -> frozenset[str]:
        """The kinds that ask for a key and close when it is filled."""
        return frozenset(kind for block in self.blocks.values() for kind in block.closes)

    @cached_property
    def _listing(self) -> dict[tuple[str, bool], BlockSpec]:
        """By kind, and by whether it is about items, the block that lists it."""
        return {(kind, block.scope == "item"): block for block in self.blocks.values() for kind in block.kinds}

    @cached_property
    def _prefixes(self) -> dict[str, BlockSpec]:
        """By what keys begin with, the longest first, the block that they belong to."""
        blocks = reversed(self.blocks.values())
        owners = {prefix: block for block in blocks for prefix in (block.key, *block.prefixes)}
        return dict(sorted(owners.items(), key=lambda owned: -len(owned[0])))

    def block_of(self, key: str) -> BlockSpec | None:
        """The block that shows a key: the one it names, else the one with the longest of its prefixes (T8)."""
        spec = self.keys.get(key)
        if spec and spec.block:
            return self.blocks.get(spec.block)
        return next((block for prefix, block in self._prefixes.items() if f"{key}.".startswith(f"{prefix}.")), None)


def _at(content: Mapping[str, Any], path: str) -> Any:
    value: Any = content
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _all(contents: Iterable[Mapping[str, Any]], path: str) -> list[Any]:
    return [one for content in contents for one in _at(content, path) or ()]


def _setting(contents: Sequence[Mapping[str, Any]], table: str, name: str, default: Any) -> Any:
    for content in reversed(contents):
        value = _at(content, table)
        if isinstance(value, dict) and name in value:
            return value[name]
    return default


def parse(raw: bytes, *, file: str) -> tuple[dict[str, Any], str]:
    """Content and digest of one pack file. Raises `Invalid` with one line of `FILE:LINE: reason` for each fault there is
    (see `ledger.packs.checking`)."""
    content = _read(raw, file)
    shipped = (SHIPPED / f"{CORE}.toml").read_bytes()
    # The core pack itself defines the kinds that others may only name.
    found = problems(content, frozenset() if raw == shipped else core_kinds())
    if raw != shipped and _at(content, "pack.name") == CORE:
        found.append((("pack", "name"), f"the name {CORE!r} belongs to the pack that every scope has"))
    refuse(found, raw, file=file)
    return content, hashlib.sha256(raw).hexdigest()


def _read(raw: bytes, file: str) -> dict[str, Any]:
    if len(raw) > MAX_FILE:
        raise Invalid(f"{file}: has more than {MAX_FILE} bytes", field="pack")
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        line, reason = raw.count(b"\n", 0, error.start) + 1, f"not UTF-8 at byte {error.start}"
    except tomllib.TOMLDecodeError as error:
        line, reason = _line_told(error, raw.decode("utf-8")), str(error)
    except RecursionError:
        line, reason = 1, "nested too deeply"
    raise Invalid(f"{file}:{line}: {reason}", field="pack")


def refuse(found: Sequence[Problem], raw: bytes, *, file: str) -> None:
    """Raises `Invalid` that tells each fault with its line, in the order of the file; does nothing where there is none."""
    if not found:
        return
    lines = lines_of(raw.decode("utf-8"))
    told = sorted({(line_of(lines, path), reason) for path, reason in found})
    left = told[MAX_TOLD:]
    more = [f"{file}:{left[0][0]}: and {len(left)} more from here on"] if left else []
    raise Invalid("\n".join([f"{file}:{n}: {reason}" for n, reason in told[:MAX_TOLD]] + more), field="pack")


def _line_told(error: tomllib.TOMLDecodeError, text: str) -> int:
    """The line that the parser's message names; it says "at end of document" for the last one."""
    at = re.search(r"\(at line (\d+), column \d+\)\Z", str(error))
    return int(at[1]) if at else max(1, len(text.splitlines()))


@cache
def core_kinds() -> frozenset[str]:
    """The kinds of the core pack, as it is shipped."""
    content = tomllib.loads((SHIPPED / f"{CORE}.toml").read_text(encoding="utf-8"))
    return frozenset(kind["name"] for kind in content["kinds"])


def merge(contents: Sequence[tuple[str, str, dict[str, Any]]]) -> PackSet:
    """One `PackSet` of (name, digest, content) triples in order of force."""
    names, digests, packs = zip(*contents, strict=True) if contents else ((), (), ())
    keys: dict[str, KeySpec] = {}
    also: dict[str, str] = {}
    for name, content in zip(names, packs, strict=True):
        for row in _all([content], "keys.list"):
            keys[row["key"]] = KeySpec(**_with_tuples(row), pack=name)
            also |= {slug_key(one): row["key"] for one in (row["key"], *row.get("also", ()))}
    return PackSet(
        names=names,
        digest=hashlib.sha256("\n".join(digests).encode()).hexdigest(),
        contents=packs,
        keys=keys,
        keys_closed=bool(_setting(packs, "keys", "closed", False)),
        extractors=tuple(dict.fromkeys(_all(packs, "pack.extractors"))),
        blocks={row["key"]: BlockSpec(**{"title": row["key"]} | _with_tuples(row)) for row in _all(packs, "blocks")},
        stages=tuple(dict.fromkeys(_all(packs, "stages.names"))),
        also=also,
    )


def _with_tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a row, its lists of words as they are kept."""
    return dict(row) | {name: tuple(row[name]) for name in _WORDS if name in row}


_WORDS = ("stages", "also", "values", "prefixes", "kinds", "closes")
