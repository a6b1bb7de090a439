"""What can be wrong with a pack. A bad one is refused with file, line and reason before anything of it counts."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ledger.errors import Invalid
from ledger.language.fold import normalise_label, slug_key
from ledger.language.values import UNITS, canonical_unit
from ledger.packs.fits import pattern
from ledger.packs.places import Path
from ledger.packs.shape import Problem, problems_of
from ledger.packs.tables import FILE, TIERS
from ledger.rules.columns import check_json
from ledger.rules.registry import Misfit, fit


def problems(content: Mapping[str, Any], core: frozenset[str]) -> list[Problem]:
    """All faults, each with the path of its place. `core` names the kinds that every pack may use and none may define again."""
    if not isinstance(content.get("pack"), dict):
        return [(("pack",) if "pack" in content else (), "a pack needs [pack] with name and version")]
    found = list(problems_of(content, FILE))
    # How the parts hang together is told of the tables that are good in themselves.
    bad = {path[0] for path, _ in found if path}
    for needed, check in TOGETHER:
        if not bad & needed:
            found += check(content, core)
    if not found:
        try:
            check_json("pack", content)
        except Invalid as error:
            found.append((tuple(error.field.split(".")[1:]), error.message.removeprefix("pack.")))
    return found


def _defined(content: Mapping[str, Any], core: frozenset[str]) -> Iterator[Problem]:
    for at, kind in enumerate(content.get("kinds", [])):
        if kind["name"] in core:
            yield ("kinds", at, "name"), f"kind {kind['name']!r} belongs to pack 'core'"


def _named(content: Mapping[str, Any], core: frozenset[str]) -> Iterator[Problem]:
    """Kinds that are named somewhere and defined nowhere."""
    known = core | {kind["name"] for kind in content.get("kinds", [])}
    for path, kind in _kinds_named(content):
        if kind not in known:
            yield path, f"there is no kind {kind!r}; a pack names its own kinds and those of the core pack"


def _kinds_named(content: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    for tables in (
        ("rules", "labels"),
        ("rules", "headings"),
        ("novelty", "kinds"),
        *(("budgets", tier) for tier in TIERS),
    ):
        for kind in content.get(tables[0], {}).get(tables[1], {}):
            yield (*tables, kind), kind
    for table, rows in (("rules", "sentences"), ("discussion", "triggers")):
        for at, row in enumerate(content.get(table, {}).get(rows, [])):
            if "kind" in row:
                yield (table, rows, at, "kind"), row["kind"]
    for intent, kind in content.get("rules", {}).get("intents", {}).items():
        yield ("rules", "intents", intent), kind
    lists: dict[Path, list[str]] = {("model", "asks"): content.get("model", {}).get("asks", [])}
    lists |= {("blocks", at, "kinds"): row.get("kinds", []) for at, row in enumerate(content.get("blocks", []))}
    for name, policy in content.get("policies", {}).items():
        lists |= {("policies", name, field): policy.get(field, []) for field in ("kinds", "never")}
    for path, kinds in lists.items():
        for at, kind in enumerate(kinds):
            yield (*path, at), kind


def _keys(content: Mapping[str, Any], core: frozenset[str]) -> Iterator[Problem]:
    stages = content.get("stages", {}).get("names", [])
    blocks = {block["key"] for block in content.get("blocks", [])}
    rows = content.get("keys", {}).get("list", [])
    owners = {slug_key(row["key"]): row["key"] for row in rows}
    for at, row in enumerate(rows):
        here, called = ("keys", "list", at), f"key {row['key']!r}"
        for number, stage in enumerate(row.get("stages", [])):
            if stage not in stages:
                yield (*here, "stages", number), f"{called}: stage {stage!r} is not among the names of [stages]"
        if "block" in row and row["block"] not in blocks:
            yield (*here, "block"), f"{called}: there is no block {row['block']!r} in [[blocks]]"
        for number, name in enumerate(row.get("also", [])):
            owner = owners.setdefault(slug_key(name), row["key"])
            if owner != row["key"]:
                yield (*here, "also", number), f"{called}: {name!r} stands for key {owner!r} already"
        yield from _typed(row, here, called)


def _typed(row: Mapping[str, Any], here: Path, called: str) -> Iterator[Problem]:
    """The fields that belong to some types of values only."""
    value_type, unit, values = row.get("value_type", ""), row.get("unit", ""), row.get("values", [])
    if value_type == "enum" and not values:
        yield (*here, "value_type"), f"{called}: an enum needs values, a list of those it can have"
    if "values" in row and value_type != "enum":
        yield (*here, "values"), f"{called}: only an enum has values"
    if unit and value_type == "dimension" and canonical_unit(unit) not in UNITS:
        yield (*here, "unit"), f"{called}: unit {unit!r} is not known, so nothing can be told in it"
    elif unit and value_type == "currency" and not (len(unit) == 3 and unit.isalpha() and unit.isupper()):
        yield (*here, "unit"), f"{called}: the unit of a currency is its code, such as EUR"
    elif unit and value_type not in ("dimension", "currency", "number", ""):
        yield (*here, "unit"), f"{called}: a value of type {value_type} has no unit"
    elif "default" in row and (value_type != "enum" or values):
        try:
            fit(row["default"], value_type, unit=unit, values=values)
        except Misfit as error:
            yield (*here, "default"), f"{called}: default {error}"


def _blocks(content: Mapping[str, Any], core: frozenset[str]) -> Iterator[Problem]:
    owners: dict[str, str] = {}
    for at, block in enumerate(content.get("blocks", [])):
        for number, prefix in enumerate(block.get("prefixes", [])):
            if owners.setdefault(prefix, block["key"]) != block["key"]:
                where = ("blocks", at, "prefixes", number)
                yield where, f"block {block['key']!r}: prefix {prefix!r} belongs to block {owners[prefix]!r} already"


def _labels(content: Mapping[str, Any], core: frozenset[str]) -> Iterator[Problem]:
    owners: dict[str, str] = {}
    for kind, labels in content.get("rules", {}).get("labels", {}).items():
        for at, label in enumerate(labels):
            if (owner := owners.setdefault(normalise_label(label), kind)) != kind:
                yield ("rules", "labels", kind, at), f"label {label!r} stands for {owner!r} already"


def _parts(content: Mapping[str, Any], core: frozenset[str]) -> Iterator[Problem]:
    """Patterns that name a part by `<name>` are looked at with the part in its place."""
    table = content.get("discussion", {})
    for at, trigger in enumerate(table.get("triggers", [])):
        for field in ("pattern", "unless"):
            whole = trigger.get(field, "")
            for name, part in table.get("parts", {}).items():
                # The part stands as it is: a backslash of it is no reference.
                whole = re.sub(rf"(?<!\?P)<{re.escape(name)}>", f"(?:{part})".replace("\\", r"\\"), whole)
            if whole != trigger.get(field, "") and (wrong := pattern(whole)):
                yield (
                    ("discussion", "triggers", at, field),
                    f"trigger {trigger['id']!r}: with its parts {field} {wrong}",
                )


def _numbers(content: Mapping[str, Any], core: frozenset[str]) -> Iterator[Problem]:
    discussion = content.get("discussion", {})
    flag, extract = discussion.get("flag_above"), discussion.get("extract_above")
    if flag is not None and extract is not None and flag > extract:
        yield ("discussion", "flag_above"), "[discussion]: flag_above is at most extract_above"


# Each check with the tables that it looks at.
TOGETHER = (
    ({"kinds"}, _defined),
    ({"kinds", "rules", "novelty", "budgets", "discussion", "model", "policies", "blocks"}, _named),
    ({"keys", "stages", "blocks"}, _keys),
    ({"blocks"}, _blocks),
    ({"rules"}, _labels),
    ({"discussion"}, _numbers),
    ({"discussion"}, _parts),
)
