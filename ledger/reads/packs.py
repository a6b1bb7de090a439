"""The packs in force at a scope: core, then its ancestors' from the top down, then its own."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import chain
from operator import or_
from typing import NamedTuple

from ledger.models import Kind, Pack, Scope
from ledger.packs import CORE, PackSet, merge
from ledger.reads.scopes import ancestor_paths
from ledger.reads.sql import fetch_rows

TITLE, SUMMARY = "content__pack__title", "content__pack__summary"


@dataclass(frozen=True, slots=True)
class PackInForce:
    """A pack that counts in a scope: its newest version, and the path of the scope that names it first (none: every scope
    has it)."""

    id: int
    name: str
    version: str
    digest: str
    title: str
    summary: str
    named_by: str


class ScopeSettings(NamedTuple):
    """What one scope itself says: its packs, its priors, and the id of the newest version of each of its packs and of core."""

    path: str
    packs: list[str]
    priors: dict[str, float]
    newest: dict[str, int]


def packs_of(scope: Scope) -> PackSet:
    """One query; the packs' content is read once a process and version. Priors that scopes set make a digest of their own,
    so that what is read with them has a version of its own (law 7)."""
    rows = _settings(ancestor_paths(scope.path))
    merged = _merged(_in_order(rows))
    priors: dict[str, float] = reduce(or_, (row.priors for row in rows), {})
    if not priors:
        return merged
    told = merged.digest + json.dumps(priors, sort_keys=True)
    return replace(merged, priors=priors, digest=hashlib.sha256(told.encode()).hexdigest())


def packs_of_each(scopes: Iterable[Scope]) -> dict[int, PackSet]:
    """By scope id the packs of many scopes, without priors: one query for all of them, none for none."""
    above = {scope.pk: ancestor_paths(scope.path) for scope in scopes}
    rows = {row.path: row for row in _settings(chain.from_iterable(above.values()))}
    return {pk: _merged(_in_order([rows[path] for path in paths if path in rows])) for pk, paths in above.items()}


def packs_in_force(scope: Scope) -> list[PackInForce]:
    """The packs of a scope in order of force, each with where it comes from."""
    names = _named(_settings(ancestor_paths(scope.path)))
    newest = {one.name: one for one in newest_packs(list(names))}
    return [replace(newest[name], named_by=path) for name, path in names.items() if name in newest]


def newest_packs(only: Sequence[str] | None = None) -> list[PackInForce]:
    """What is loaded (of the names `only`), the newest version of each pack, by name."""
    rows = Pack.objects.all() if only is None else Pack.objects.filter(name__in=only)
    columns = (
        rows.order_by("name", "-id").distinct("name").values_list("id", "name", "version", "digest", TITLE, SUMMARY)
    )
    return [
        PackInForce(pk, name, version, digest, title or name, summary or "", "")
        for pk, name, version, digest, title, summary in columns
    ]


# Asked with every decision: as a statement it takes a tenth of the time that composing it anew would.
_SETTINGS = """
    SELECT s.path, s.packs, s.priors::text, (
        SELECT coalesce(jsonb_object_agg(newest.name, newest.id), '{}')::text FROM (
            SELECT p.name, max(p.id) AS id FROM ledger_pack p WHERE p.name = %s OR p.name = ANY(s.packs) GROUP BY p.name
        ) newest
    ) FROM unnest(%s::text[]) WITH ORDINALITY AS asked(path, place) JOIN ledger_scope s USING (path) ORDER BY asked.place
"""


def _settings(paths: Iterable[str]) -> list[ScopeSettings]:
    """In the order of their `paths`. One query, none for no path."""
    named = list(dict.fromkeys(paths))
    rows = fetch_rows(_SETTINGS, [CORE, named]) if named else []
    return [ScopeSettings(path, packs, json.loads(priors), json.loads(newest)) for path, packs, priors, newest in rows]


def _named(rows: Sequence[ScopeSettings]) -> dict[str, str]:
    """The names of a scope's packs in order of force, each with the path of the scope that names it first."""
    names = {CORE: ""}
    for row in rows:
        for name in row.packs:
            names.setdefault(name, row.path)
    return names


def _in_order(rows: Sequence[ScopeSettings]) -> tuple[int, ...]:
    """The newest version of each pack, in order of force."""
    newest: dict[str, int] = reduce(or_, (row.newest for row in rows), {})
    return tuple(newest[name] for name in _named(rows) if name in newest)


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
