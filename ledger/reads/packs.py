"""The packs in force at a scope: core, then its ancestors' from the top down, then its own."""

from functools import lru_cache

from ledger.models import GLOBAL, Kind, Pack, Scope
from ledger.packs import PackSet, merge
from ledger.reads.scopes import ancestor_paths


def packs_of(scope: Scope) -> PackSet:
    """Two queries; the packs' content is read once a process and version."""
    names = ["core"]
    rows = Scope.objects.filter(path__in=ancestor_paths(scope.path)).values_list("path", "packs")
    for _, packs in sorted(rows, key=lambda row: len(row[0]) if row[0] != GLOBAL else 0):
        names += [name for name in packs if name not in names]
    newest = dict(
        Pack.objects.filter(name__in=names).order_by("name", "-id").distinct("name").values_list("name", "id")
    )
    return _merged(tuple(newest[name] for name in names if name in newest))


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
