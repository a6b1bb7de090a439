"""Conflicts with the claims and trusted values that cannot all be true."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from ledger.errors import Forbidden, Invalid, NotFound
from ledger.models import Claim, Conflict, ConflictMember, ConflictStatus, TrustedState
from ledger.reads.page import MAX_ID, Page, check_limit, decode_cursor, page_of
from ledger.reads.scopes import scope_at, visible
from ledger.rules.permissions import Access, Right

MAX_COUNTED = 1000


@dataclass(frozen=True, slots=True)
class ConflictSide:
    """One member: a claim or a trusted value."""

    claim: Claim | None
    trusted: TrustedState | None

    @property
    def live(self) -> bool:
        row = self.claim or self.trusted
        return row is not None and row.status in ("active", "current")


def conflicts(
    access: Access,
    *,
    scope: str | None = None,
    descend: bool = False,
    status: str = "open",
    limit: int = 50,
    cursor: str | None = None,
    order: str = "newest",
) -> Page[Conflict]:
    """`order` newest or age (the oldest first). Raises `Invalid` by parameter, `NotFound` for a scope out of sight."""
    check_limit(limit)
    if status not in ConflictStatus.values:
        raise Invalid(f"status is one of {', '.join(ConflictStatus.values)}", field="status")
    if order not in ("newest", "age"):
        raise Invalid("order is newest or age", field="order")
    rows = _of(access, scope, descend, status).select_related("scope")
    if cursor:
        last = decode_cursor(cursor, (int,))[0]
        rows = rows.filter(pk__gt=last) if order == "age" else rows.filter(pk__lt=last)
    ordered = rows.order_by("pk" if order == "age" else "-pk")
    return page_of(list(ordered[: limit + 1]), limit, lambda row: [row.pk])


def _of(access: Access, scope: str | None, descend: bool, status: str) -> QuerySet[Conflict]:
    rows = Conflict.objects.filter(status=status)
    if scope is None:
        return rows.filter(scope__in=visible(access))
    place = scope_at(scope, access)
    return rows.filter(scope__in=visible(access, root=place.path)) if descend else rows.filter(scope=place)


def count_conflicts(access: Access, *, scope: str | None = None, status: str = "open") -> int:
    """How many there are, this scope's descendants included; no further than to `MAX_COUNTED`."""
    return _of(access, scope, True, status).order_by()[:MAX_COUNTED].count()


def conflict_at(pk: int | str, access: Access, *, right: Right = Right.READ) -> Conflict:
    """Raises `NotFound` out of sight, `Forbidden` in sight without `right`."""
    word = str(pk)
    row = None
    if word.isascii() and word.isdigit() and len(word) <= 19 and int(word) <= MAX_ID:
        row = Conflict.objects.select_related("scope").filter(pk=int(word)).first()
    if row is None or not access.sees(row.scope.path):
        raise NotFound(f"no conflict {word[:60]!r}")
    if not access.may(right, row.scope.path):
        raise Forbidden(f"you may not {right} in {row.scope.path}")
    return row


def conflict_sides(rows: Sequence[Conflict]) -> dict[int, list[ConflictSide]]:
    """The members of each; of an open one only those that still hold. One query."""
    found: dict[int, list[ConflictSide]] = {row.pk: [] for row in rows}
    still_open = {row.pk for row in rows if row.status == "open"}
    members = ConflictMember.objects.filter(conflict__in=found).select_related("claim__scope", "trusted__scope")
    for member in members.defer("claim__search").order_by("pk"):
        side = ConflictSide(member.claim, member.trusted)
        if side.live or member.conflict_id not in still_open:
            found[member.conflict_id].append(side)
    return found
