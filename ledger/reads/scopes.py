"""Which scopes a caller sees, and who speaks there. Everything outside is, for that caller, not there."""

from collections.abc import Sequence

from django.db.models import Model, Q, QuerySet

from ledger.errors import Forbidden, NotFound
from ledger.models import GLOBAL, Person, Scope
from ledger.rules.permissions import Access, Right, covers


def ancestor_paths(path: str) -> list[str]:
    """The scope itself and all above it, from the top: `a/b` → `["global", "a", "a/b"]`."""
    if path == GLOBAL:
        return [GLOBAL]
    parts = path.split("/")
    return [GLOBAL, *("/".join(parts[: i + 1]) for i in range(len(parts)))]


def below(path: str) -> Q:
    """The scope itself and all under it."""
    if path == GLOBAL:
        return Q()
    return Q(path=path) | Q(path__startswith=path + "/")


def visible(access: Access, *, right: Right = Right.READ, root: str | None = None) -> QuerySet[Scope]:
    """The scopes where `access` has `right`, within `root`'s subtree when one is given."""
    roots = [path for path in access.roots() if access.may(right, path)]
    wanted = Q(pk__in=[])
    for path in roots:
        wanted |= below(path)
    # An empty Q would vanish in the disjunction instead of standing for everything.
    scopes = Scope.objects.all() if GLOBAL in roots else Scope.objects.filter(wanted)
    return scopes.filter(below(root)) if root is not None else scopes


def scope_at(path: str, access: Access, right: Right = Right.READ) -> Scope:
    """The scope at `path`. Raises `NotFound` where it does not exist or is out of sight, `Forbidden` without `right`."""
    scope = Scope.objects.filter(path=path).first() if len(path) <= 400 and "\0" not in path else None
    if scope is None or not access.sees(scope.path):
        raise NotFound(f"no scope {path[:100]!r}")
    if not access.may(right, scope.path):
        raise Forbidden(f"you may not {right} in {scope.path}")
    return scope


def reads_from_below(access: Access, path: str) -> bool:
    """Whether the reader has READ at `path` or anywhere below it: what holds above is readable from a descendant."""
    return access.may(Right.READ, path) or any(
        covers(path, root) and access.may(Right.READ, root) for root in access.roots()
    )


def in_sight[Row: Model](rows: QuerySet[Row], access: Access, path: str | None, *, descend: bool) -> QuerySet[Row]:
    """The rows of one scope, with `descend` of all below it too, without `path` of every scope in sight. Raises `NotFound` and
    `Forbidden` as `scope_at`."""
    if path is not None and not descend:
        return rows.filter(scope=scope_at(path, access))
    root = scope_at(path, access).path if path is not None else None
    return rows.filter(scope__in=visible(access, root=root))


def people_of(scope: Scope) -> Sequence[Person]:
    """The people of the scope and of the scopes above it, nearest first; one query."""
    rows = Person.objects.filter(scope__path__in=ancestor_paths(scope.path)).select_related("scope")
    return sorted(rows, key=lambda person: (-len(person.scope.path), person.name))
