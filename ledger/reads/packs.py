"""The packs in force at a scope: core, then its ancestors' from the top down, then its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ledger.models import GLOBAL, Kind, Pack, Scope
from ledger.packs import CORE, PackSet, merge
from ledger.reads.scopes import ancestor_paths

TITLE = "content__pack__title"


@dataclass(frozen=True, slots=True)
class InForce:
    """A pack that counts in a scope: its newest version, and the path of the scope that names it first (none: every scope
    has it)."""

    id: int
    name: str
    version: str
    digest: str
    title: str
    named_by: str


def packs_of(scope: Scope) -> PackSet:
    """Two queries; the packs' content is read once a process and version."""
    names = _named(scope)
    newest = dict(
        Pack.objects.filter(name__in=names).order_by("name", "-id").distinct("name").values_list("name", "id")
    )
    return _merged(tuple(newest[name] for name in names if name in newest))


def in_force(scope: Scope) -> list[InForce]:
    """The packs of a scope in order of force, each with where it comes from."""
    names = _named(scope)
    newest = {one.name: one for one in newest_packs(list(names))}
    return [replace(newest[name], named_by=path) for name, path in names.items() if name in newest]


def newest_packs(only: Sequence[str] | None = None) -> list[InForce]:
    """What is loaded (of the names `only`), the newest version of each pack, by name."""
    rows = Pack.objects.all() if only is None else Pack.objects.filter(name__in=only)
    columns = rows.order_by("name", "-id").distinct("name").values_list("id", "name", "version", "digest", TITLE)
    return [InForce(pk, name, version, digest, title or name, "") for pk, name, version, digest, title in columns]


def _named(scope: Scope) -> dict[str, str]:
    """The names of a scope's packs in order of force, each with the path of the scope that names it first."""
    names = {CORE: ""}
    rows = Scope.objects.filter(path__in=ancestor_paths(scope.path)).values_list("path", "packs")
    for path, packs in sorted(rows, key=lambda row: len(row[0]) if row[0] != GLOBAL else 0):
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
