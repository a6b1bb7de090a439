"""Where recall looks: live rows of a scope and of all above it, readable from the scope; on request what lies below."""

from dataclasses import dataclass

from django.db.models import Q

from ledger.models import Scope
from ledger.reads.scopes import ancestor_paths, below, scope_at
from ledger.rules.permissions import Access, Right


@dataclass(frozen=True, slots=True)
class Reach:
    """`distance` maps scope ids to steps: 0 here, 1 the parent, …; what lies below counts as here. `chain` is the scope
    and those above; `own` those of all whose sources and candidates the reader may see."""

    scope: Scope
    access: Access
    distance: dict[int, int]
    paths: dict[int, str]
    chain: tuple[int, ...]
    own: tuple[int, ...]

    @property
    def ids(self) -> list[int]:
        return list(self.distance)


def reach(path: str, access: Access, *, descend: bool = False, right: Right = Right.READ) -> Reach:
    """Two queries. Raises `NotFound` out of sight, `Forbidden` in sight without the right."""
    scope = scope_at(path, access, right)
    above = ancestor_paths(scope.path)
    wanted = Q(path__in=above)
    rows = Scope.objects.filter(
        wanted | below(scope.path) if descend and scope.parent_id else Q() if descend else wanted
    )
    found = sorted(rows.values_list("pk", "path"), key=lambda row: row[1])
    distance = {pk: len(above) - 1 - above.index(row) if row in above else 0 for pk, row in found}
    return Reach(
        scope,
        access,
        distance,
        dict(found),
        tuple(pk for pk, row in found if row in above),
        tuple(pk for pk, row in found if access.may(Right.READ, row)),
    )
