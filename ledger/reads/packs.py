"""The packs in force at a scope: core, then its ancestors' from the top down, then its own."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ledger.models import GLOBAL, Kind, Pack, Scope
from ledger.packs import CORE, PackSet, merge
from ledger.reads.scopes import ancestor_paths

TITLE = "content__pack__title"


@dataclass(frozen=True, slots=True)
class PackInForce:
    """A pack that counts in a scope: its newest version, and the path of the scope that names it first (none: every scope
    has it)."""

    id: int
    name: str
    version: str
    digest: str
    title: str
    named_by: str


def packs_of(scope: Scope) -> PackSet:
    """Two queries; the packs' content is read once a process and version. Priors that scopes set make a digest of their own,
    so that what is read with them has a version of its own (law 7)."""
    rows = _settings(scope)
    names = _named(rows)
    newest = dict(
        Pack.objects.filter(name__in=names).order_by("name", "-id").distinct("name").values_list("name", "id")
    )
    merged = _merged(tuple(newest[name] for name in names if name in newest))
    priors: dict[str, float] = {}
    for _, _, own in rows:
        priors |= own
    if not priors:
        return merged
    told = merged.digest + json.dumps(priors, sort_keys=True)
    return replace(merged, priors=priors, digest=hashlib.sha256(told.encode()).hexdigest())


def packs_of_each(scopes: Iterable[Scope]) -> dict[int, PackSet]:
    """By scope id the packs of many scopes: two queries for all of them, none for none."""
    asked = {scope.pk: scope.path for scope in scopes}
    if not asked:
        return {}
    paths = {above for path in asked.values() for above in ancestor_paths(path)}
    named = dict(Scope.objects.filter(path__in=paths).values_list("path", "packs"))
    wanted = {CORE} | {name for packs in named.values() for name in packs}
    rows = Pack.objects.filter(name__in=wanted).order_by("name", "-id").distinct("name")
    newest = dict(rows.values_list("name", "id"))
    found = {}
    for pk, path in asked.items():
        names = dict.fromkeys([CORE, *(name for above in ancestor_paths(path) for name in named.get(above, ()))])
        found[pk] = _merged(tuple(newest[name] for name in names if name in newest))
    return found


def packs_in_force(scope: Scope) -> list[PackInForce]:
    """The packs of a scope in order of force, each with where it comes from."""
    names = _named(_settings(scope))
    newest = {one.name: one for one in newest_packs(list(names))}
    return [replace(newest[name], named_by=path) for name, path in names.items() if name in newest]


def newest_packs(only: Sequence[str] | None = None) -> list[PackInForce]:
    """What is loaded (of the names `only`), the newest version of each pack, by name."""
    rows = Pack.objects.all() if only is None else Pack.objects.filter(name__in=only)
    columns = rows.order_by("name", "-id").distinct("name").values_list("id", "name", "version", "digest", TITLE)
    return [PackInForce(pk, name, version, digest, title or name, "") for pk, name, version, digest, title in columns]


def _settings(scope: Scope) -> list[tuple[str, list[str], dict[str, float]]]:
    """Path, packs and priors of the scopes from the top down to this one. One query."""
    rows = Scope.objects.filter(path__in=ancestor_paths(scope.path)).values_list("path", "packs", "priors")
    return sorted(rows, key=lambda row: len(row[0]) if row[0] != GLOBAL else 0)


def _named(rows: Sequence[tuple[str, list[str], dict[str, float]]]) -> dict[str, str]:
    """The names of a scope's packs in order of force, each with the path of the scope that names it first."""
    names = {CORE: ""}
    for path, packs, _ in rows:
        for name in packs:
            names.setdefault(name, path)
    return names


@lru_cache(maxsize=256)
def _merged(ids: tuple[int, ...]) -> PackSet:
    rows = Pack.objects.in_bulk(ids)
    return merge([(rows[i].name, rows[i].digest, rows[i].content) for i in ids])


def stage_of(scope: Scope) -> str:
    """The stage that a scope is in: its own, else that of the nearest scope above it that has one."""
    rows = Scope.objects.filter(path__in=ancestor_paths(scope.path)).exclude(stage="").values_list("path", "stage")
    nearest = max(rows, key=lambda row: len(row[0]) if row[0] != GLOBAL else 0, default=None)
    return nearest[1] if nearest else ""


def kinds() -> dict[str, Kind]:
    """All kinds by name. One small query: packs may be loaded while the process runs."""
    return {kind.name: kind for kind in Kind.objects.all()}
