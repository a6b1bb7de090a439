"""Which scopes a caller sees, and who speaks there. Everything outside is, for that caller, not there."""

import re
from collections.abc import Sequence
from functools import reduce
from itertools import accumulate
from operator import or_
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db.models import Model, Q, QuerySet

from ledger.errors import Forbidden, NotFound
from ledger.models import GLOBAL, Person, Scope
from ledger.reads.page import MAX_ID
from ledger.rules.permissions import Access, Right, covers

NOTHING = Q(pk__in=[])
_DIGITS = re.compile(r"[0-9]{1,19}")


def ancestor_paths(path: str) -> list[str]:
    """The scope itself and all above it, from the top: `a/b` → `["global", "a", "a/b"]`."""
    return list(dict.fromkeys([GLOBAL, *accumulate(path.split("/"), "{}/{}".format)]))


def depth(path: str) -> int:
    """How many names a path has; the scope of all has none."""
    return 0 if path == GLOBAL else path.count("/") + 1


def below(path: str) -> Q:
    """The scope itself and all under it."""
    return ~NOTHING if path == GLOBAL else Q(path=path) | Q(path__startswith=path + "/")


def visible(access: Access, *, right: Right = Right.READ, root: str | None = None) -> QuerySet[Scope]:
    """The scopes where `access` has `right`, within `root`'s subtree when one is given."""
    roots = [path for path in access.roots() if access.may(right, path)]
    scopes = Scope.objects.filter(reduce(or_, map(below, roots), NOTHING))
    return scopes.filter(below(root)) if root is not None else scopes


def reads_everything(access: Access) -> bool:
    return GLOBAL in access.roots() and access.may(Right.READ, GLOBAL)


def visible_ids(access: Access, *, root: str | None = None) -> tuple[str, tuple[Any, ...]]:
    """A query for the ids of the scopes that a caller may read (at and under `root`), and its parameters."""
    try:
        sql, params = visible(access, root=root).order_by().values("id").query.sql_with_params()
        return sql, tuple(params)
    except EmptyResultSet:
        return "SELECT id FROM ledger_scope WHERE false", ()


def row_id(word: int | str) -> int:
    """The id that `word` writes in digits; 0, which no row has, for anything else."""
    number = int(word) if _DIGITS.fullmatch(str(word)) else 0
    return number if number <= MAX_ID else 0


def require_sight[Row: Model](
    row: Row | None, access: Access, missing: str, *, right: Right | None = Right.READ
) -> Row:
    """A scope, or the row of one. Raises `NotFound` (with the words `missing`) where there is none or it is out of sight,
    `Forbidden` where it is in sight without `right`."""
    scope: Any = getattr(row, "scope", row)
    if row is None or not access.sees(scope.path):
        raise NotFound(missing)
    if right is not None and not access.may(right, scope.path):
        raise Forbidden(f"you may not {right} in {scope.path}")
    return row


def scope_at(path: str, access: Access, right: Right = Right.READ) -> Scope:
    """The scope at `path`. Raises `NotFound` where it does not exist or is out of sight, `Forbidden` without `right`."""
    rows = Scope.objects.none() if "\0" in path else Scope.objects.filter(path=path)
    return require_sight(rows.first(), access, f"no scope {path[:100]!r}", right=right)


def reads_from_below(access: Access, path: str) -> bool:
    """Whether the reader has READ at `path` or anywhere below it: what holds above is readable from a descendant."""
    inside = [root for root in access.roots() if covers(path, root)]
    return any(access.may(Right.READ, place) for place in (path, *inside))


def in_sight[Row: Model](rows: QuerySet[Row], access: Access, path: str | None, *, descend: bool) -> QuerySet[Row]:
    """The rows of one scope, with `descend` of all below it too, without `path` of every scope in sight. Raises `NotFound` and
    `Forbidden` as `scope_at`."""
    if path is None:
        return rows.filter(scope__in=visible(access))
    scope = scope_at(path, access)
    return rows.filter(scope__in=visible(access, root=scope.path)) if descend else rows.filter(scope=scope)


def people_of(scope: Scope) -> Sequence[Person]:
    """The people of the scope and of the scopes above it, nearest first; one query."""
    rows = Person.objects.filter(scope__path__in=ancestor_paths(scope.path)).select_related("scope")
    return sorted(rows, key=lambda person: (-len(person.scope.path), person.name))
