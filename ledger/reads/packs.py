"""The packs in force at a scope: core, then its ancestors' from the top down, then its own."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import chain
from operator import or_

from ledger.models import Kind, Pack, Scope
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


type Settings = tuple[str, list[str], dict[str, float]]


def packs_of(scope: Scope) -> PackSet:
    """Two queries; the packs' content is read once a process and version. Priors that scopes set make a digest of their own,
    so that what is read with them has a version of its own (law 7)."""
    rows = _settings(ancestor_paths(scope.path))
    names = _named(rows)
    merged = _merged(_in_order(names, _newest(names)))
    priors: dict[str, float] = reduce(or_, (own for _, _, own in rows), {})
    if not priors:
        return merged
    told = merged.digest + json.dumps(priors, sort_keys=True)
    return replace(merged, priors=priors, digest=hashlib.sha256(told.encode()).hexdigest())


def packs_of_each(scopes: Iterable[Scope]) -> dict[int, PackSet]:
    """By scope id the packs of many scopes, without priors: two queries for all of them, none for none."""
    above = {scope.pk: ancestor_paths(scope.path) for scope in scopes}
    rows = _settings(chain.from_iterable(above.values()))
    named = {pk: _named([row for row in rows if row[0] in paths]) for pk, paths in above.items()}
    newest = _newest(chain.from_iterable(named.values()))
    return {pk: _merged(_in_order(names, newest)) for pk, names in named.items()}


def packs_in_force(scope: Scope) -> list[PackInForce]:
    """The packs of a scope in order of force, each with where it comes from."""
    names = _named(_settings(ancestor_paths(scope.path)))
    newest = {one.name: one for one in newest_packs(list(names))}
    return [replace(newest[name], named_by=path) for name, path in names.items() if name in newest]


def newest_packs(only: Sequence[str] | None = None) -> list[PackInForce]:
    """What is loaded (of the names `only`), the newest version of each pack, by name."""
    rows = Pack.objects.all() if only is None else Pack.objects.filter(name__in=only)
    columns = rows.order_by("name", "-id").distinct("name").values_list("id", "name", "version", "digest", TITLE)
    return [PackInForce(pk, name, version, digest, title or name, "") for pk, name, version, digest, title in columns]


def _settings(paths: Iterable[str]) -> list[Settings]:
    """Path, packs and priors of scopes in the order of their `paths`. One query."""
    named = dict.fromkeys(paths)
    rows = {row[0]: row for row in Scope.objects.filter(path__in=named).values_list("path", "packs", "priors")}
    return [rows[path] for path in named if path in rows]


def _named(rows: Sequence[Settings]) -> dict[str, str]:
    """The names of a scope's packs in order of force, each with the path of the scope that names it first."""
    names = {CORE: ""}
    for path, packs, _ in rows:
        for name in packs:
            names.setdefault(name, path)
    return names


def _newest(names: Iterable[str]) -> dict[str, int]:
    rows = Pack.objects.filter(name__in=set(names)).order_by("name", "-id").distinct("name")
    return dict(rows.values_list("name", "id"))


def _in_order(names: Iterable[str], newest: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(newest[name] for name in names if name in newest)


@lru_cache(maxsize=256)
def _merged(ids: tuple[int, ...]) -> PackSet:
    rows = Pack.objects.in_bulk(ids)
    return merge([(rows[i].name, rows[i].digest, rows[i].content) for i in ids])


def stage_of(scope: Scope) -> str:
    """The stage that a scope is in: its own, else that of the nearest scope above it that has one."""
    paths = ancestor_paths(scope.path)
    stages = dict(Scope.objects.filter(path__in=paths).exclude(stage="").values_list("path", "stage"))
    return next((stages[path] for path in reversed(paths) if path in stages), "")


def kinds() -> dict[str, Kind]:
    """All kinds by name. One small query: packs may be loaded while the process runs."""
    return Kind.objects.in_bulk()
