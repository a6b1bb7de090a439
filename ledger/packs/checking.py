"""What can be wrong with a pack. A bad one is refused with file, line and reason before anything of it counts."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ledger.errors import Invalid
from ledger.language.fold import normalise_label, slug_key
from ledger.language.units import UNITS, canonical_unit
from ledger.packs.faults import Problem, faults_of_fields
from ledger.packs.fields import PackTable, pattern_fault
from ledger.packs.file import KeyRow, PackFile
from ledger.packs.places import Path
from ledger.rules.columns import check_json
from ledger.rules.registry import Misfit, fit

# Of which units the values of a type can be, and what is said of another; values of all other types have none.
UNIT_OF: dict[str, tuple[Callable[[str], object], str]] = {
    "": (bool, ""),
    "number": (bool, ""),
    "dimension": (lambda unit: canonical_unit(unit) in UNITS, "unit {!r} is not known, so nothing can be told in it"),
    "currency": (re.compile(r"[A-Z]{3}").fullmatch, "the unit of a currency is its code, such as EUR"),
}


def problems(content: Mapping[str, Any], core: frozenset[str]) -> list[Problem]:
    """All faults, each with the path of its place. `core` names the kinds that every pack may use and none may define again."""
    if not isinstance(content.get("pack"), dict):
        return [(("pack",) if "pack" in content else (), "a pack needs [pack] with name and version")]
    found = faults_of_fields(content)
    # How the parts hang together is told of the tables that are good in themselves.
    bad = {path[0] for path, _ in found}
    good = {name: table for name, table in content.items() if name not in bad}
    file = PackFile.model_validate({"pack": {"name": "x", "version": "1"}, **good})
    found += [problem for tables, check in TOGETHER if not bad & tables for problem in check(file, core)]
    return found or _unkept(content)


def _unkept(content: Mapping[str, Any]) -> list[Problem]:
    """What the database could not hold unchanged."""
    try:
        check_json("pack", content)
    except Invalid as error:
        return [(tuple(error.field.split(".")[1:]), error.message.removeprefix("pack."))]
    return []


def _twice(path: Path, rows: Iterable[PackTable], label: str) -> Iterator[Problem]:
    """Rows that are called like one before them."""
    seen: set[str] = set()
    for at, row in enumerate(rows):
        name = getattr(row, label)
        if name in seen:
            yield (*path, at, label), f"{str(path[0]).removesuffix('s')} {name!r}: stands here twice"
        seen.add(name)


def _unlike(file: PackFile, core: frozenset[str]) -> Iterator[Problem]:
    yield from _twice(("kinds",), file.kinds, "name")
    yield from _twice(("keys", "list"), file.keys.rows, "key")
    yield from _twice(("blocks",), file.blocks, "key")
    yield from _twice(("redline",), file.redline, "name")


def _defined(file: PackFile, core: frozenset[str]) -> Iterator[Problem]:
    for at, kind in enumerate(file.kinds):
        if kind.name in core:
            yield ("kinds", at, "name"), f"kind {kind.name!r} belongs to pack 'core'"


def _named(file: PackFile, core: frozenset[str]) -> Iterator[Problem]:
    """Kinds that are named somewhere and defined nowhere."""
    known = core | {kind.name for kind in file.kinds}
    for path, kinds in _kinds_named(file).items():
        for step, kind in kinds.items():
            if kind not in known:
                yield (*path, step), f"there is no kind {kind!r}; a pack names its own kinds and those of the core pack"


def _kinds_named(file: PackFile) -> dict[Path, Mapping[str | int, str]]:
    """By the path of a table or list the kinds that it names, each by its place there."""
    policies = [(name, field, kinds) for name, one in file.policies.items() for field, kinds in one.named_kinds.items()]
    return {
        ("rules", "labels"): _by_itself(file.rules.labels),
        ("rules", "headings"): _by_itself(file.rules.headings),
        ("rules", "intents"): dict(file.rules.intents.items()),
        ("novelty", "kinds"): _by_itself(file.novelty.kinds),
        ("model", "asks"): dict(enumerate(file.model.asks)),
        ("compaction", "keeps"): dict(enumerate(file.compaction.keeps)),
        **{("budgets", tier): _by_itself(kinds) for tier, kinds in file.budgets.by_tier.items()},
        **{("rules", "sentences", at): {"kind": row.kind} for at, row in enumerate(file.rules.sentences)},
        **{("enricher", at): {"kind": row.kind} for at, row in enumerate(file.enricher)},
        **{("blocks", at, "kinds"): dict(enumerate(row.kinds)) for at, row in enumerate(file.blocks)},
        **{("policies", name, field): dict(enumerate(kinds)) for name, field, kinds in policies},
    }


def _by_itself(names: Iterable[str]) -> Mapping[str | int, str]:
    return {name: name for name in names}


def _keys(file: PackFile, core: frozenset[str]) -> Iterator[Problem]:
    stages = file.stages.get("names", [])
    blocks = {"", *(block.key for block in file.blocks)}
    for at, row in enumerate(file.keys.rows):
        here, told = ("keys", "list", at), f"key {row.key!r}"
        for number, stage in enumerate(row.stages):
            if stage not in stages:
                yield (*here, "stages", number), f"{told}: stage {stage!r} is not among the names of [stages]"
        if row.block not in blocks:
            yield (*here, "block"), f"{told}: there is no block {row.block!r} in [[blocks]]"
        yield from (((*here, field), f"{told}: {fault}") for field, fault in _type_faults(row))


def _type_faults(row: KeyRow) -> Iterator[tuple[str, str]]:
    """Of the fields that belong to some types of values only, what is wrong with each."""
    given = row.model_fields_set
    if row.value_type == "enum" and not row.values:
        yield "value_type", "an enum needs values, a list of those it can have"
    elif row.value_type != "enum" and "values" in given:
        yield "values", "only an enum has values"
    fits, fault = UNIT_OF.get(row.value_type, (lambda unit: False, f"a value of type {row.value_type} has no unit"))
    if row.unit and not fits(row.unit):
        yield "unit", fault.format(row.unit)
    elif "default" in given and (row.values or row.value_type != "enum"):
        yield from _default_faults(row)


def _default_faults(row: KeyRow) -> Iterator[tuple[str, str]]:
    try:
        fit(row.default, row.value_type, unit=row.unit, values=row.values)
    except Misfit as error:
        yield "default", f"default {error}"


def _owned(file: PackFile, core: frozenset[str]) -> Iterator[Problem]:
    """Other names of keys that stand for two of them."""
    claims = [
        (("keys", "list", at, "also", number), f"key {row.key!r}: {name!r} stands for key", slug_key(name), row.key)
        for at, row in enumerate(file.keys.rows)
        for number, name in enumerate(row.also)
    ]
    yield from _claimed_twice(claims, {slug_key(row.key): row.key for row in file.keys.rows})


def _blocks(file: PackFile, core: frozenset[str]) -> Iterator[Problem]:
    claims = [
        (("blocks", at, "prefixes", number), f"block {row.key!r}: prefix {prefix!r} belongs to block", prefix, row.key)
        for at, row in enumerate(file.blocks)
        for number, prefix in enumerate(row.prefixes)
    ]
    yield from _claimed_twice(claims, {})


def _lists(file: PackFile, core: frozenset[str]) -> Iterator[Problem]:
    """What a block closes or marks, it lists; what a table of items shows is a key."""
    for at, block in enumerate(file.blocks):
        named: list[tuple[Path, str]] = [(("closes", number), kind) for number, kind in enumerate(block.closes)]
        for path, kind in [*named, *((("marks", kind), kind) for kind in block.marks)]:
            if kind not in block.kinds:
                yield ("blocks", at, *path), f"block {block.key!r}: {kind!r} is not among its kinds"
    keys = {row.key for row in file.keys.rows}
    for at, key in enumerate(file.items.columns):
        if key not in keys:
            yield ("items", "columns", at), f"[items]: there is no key {key!r} in [[keys.list]]"


def _labels(file: PackFile, core: frozenset[str]) -> Iterator[Problem]:
    claims = [
        (("rules", "labels", kind, at), f"label {label!r} stands for", normalise_label(label), kind)
        for kind, labels in file.rules.labels.items()
        for at, label in enumerate(labels)
    ]
    yield from _claimed_twice(claims, {})


def _claimed_twice(claims: Sequence[tuple[Path, str, str, str]], owners: dict[str, str]) -> Iterator[Problem]:
    """Of claims (place, words, name, owner) those to a name that another one owns already."""
    for path, words, name, owner in claims:
        if (first := owners.setdefault(name, owner)) != owner:
            yield path, f"{words} {first!r} already"


def _parts(file: PackFile, core: frozenset[str]) -> Iterator[Problem]:
    """Patterns that name a part by `<name>` are looked at with the part in its place."""
    for at, trigger in enumerate(file.discussion.triggers):
        for field, pattern in (("pattern", trigger.pattern), ("unless", trigger.unless)):
            whole = _with_parts(pattern, file.discussion.parts)
            if whole != pattern and (wrong := pattern_fault(whole)):
                yield ("discussion", "triggers", at, field), f"trigger {trigger.id!r}: with its parts {field} {wrong}"


def _with_parts(pattern: str, parts: Mapping[str, str]) -> str:
    for name, part in parts.items():
        # The part stands as it is: a backslash of it is no reference.
        pattern = re.sub(rf"(?<!\?P)<{re.escape(name)}>", f"(?:{part})".replace("\\", r"\\"), pattern)
    return pattern


def _numbers(file: PackFile, core: frozenset[str]) -> Iterator[Problem]:
    discussion = file.discussion
    if discussion.flag_above > discussion.extract_above and "extract_above" in discussion.model_fields_set:
        yield ("discussion", "flag_above"), "[discussion]: flag_above is at most extract_above"


# Each check with the tables that it looks at.
TOGETHER: tuple[tuple[set[str], Callable[[PackFile, frozenset[str]], Iterator[Problem]]], ...] = (
    (set(), _unlike),
    ({"kinds"}, _defined),
    ({"kinds", "rules", "novelty", "budgets", "discussion", "model", "policies", "blocks"}, _named),
    ({"keys", "stages", "blocks"}, _keys),
    ({"keys"}, _owned),
    ({"blocks"}, _blocks),
    ({"blocks", "items", "keys"}, _lists),
    ({"rules"}, _labels),
    ({"discussion"}, _numbers),
    ({"discussion"}, _parts),
)
