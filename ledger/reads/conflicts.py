"""Conflicts with the claims and trusted values that cannot all be true, and what of these an open conflict names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from django.db.models import Q, QuerySet

from ledger.errors import Invalid
from ledger.models import Claim, Conflict, ConflictMember, ConflictStatus, JournalEvent, TrustedState
from ledger.reads.page import Page, check_choice, check_limit, decode_cursor, page_of
from ledger.reads.scopes import in_sight, require_sight, row_id
from ledger.rules.permissions import Access, Right

MAX_COUNTED = 1000
# What each order sorts by, and how it goes on from the last id of a page.
ORDERS = {"newest": ("-pk", "pk__lt"), "age": ("pk", "pk__gt")}


@dataclass(frozen=True, slots=True)
class ConflictSide:
    """One member: a claim or a trusted value."""

    claim: Claim | None
    trusted: TrustedState | None

    @property
    def row(self) -> Claim | TrustedState:
        return self.claim or cast(TrustedState, self.trusted)

    @property
    def live(self) -> bool:
        return self.row.status in ("active", "current")


def conflicts(
    access: Access,
    *,
    scope: str | None = None,
    descend: bool = False,
    status: str = "open",
    limit: int = 50,
    cursor: str | None = None,
    order: str = "newest",
    count: bool = False,
) -> Page[Conflict]:
    """`order` newest or age (the oldest first). Raises `Invalid` by parameter, `NotFound` for a scope out of sight."""
    check_limit(limit)
    check_choice(status, ConflictStatus.values, "status")
    if order not in ORDERS:
        raise Invalid("order is newest or age", field="order")
    by, further = ORDERS[order]
    rows = _of(access, scope, descend, status).select_related("scope")
    total = rows.count() if count else None
    if cursor:
        rows = rows.filter(**{further: decode_cursor(cursor, (int,))[0]})
    return page_of(list(rows.order_by(by)[: limit + 1]), limit, lambda row: [row.pk], total=total)


def _of(access: Access, scope: str | None, descend: bool, status: str) -> QuerySet[Conflict]:
    return in_sight(Conflict.objects.filter(status=status), access, scope, descend=descend)


def count_conflicts(access: Access, *, scope: str | None = None, status: str = "open") -> int:
    """How many there are, this scope's descendants included; no further than to `MAX_COUNTED`."""
    return _of(access, scope, True, status).order_by()[:MAX_COUNTED].count()


def conflict_at(pk: int | str, access: Access, *, right: Right = Right.READ) -> Conflict:
    """Raises `NotFound` out of sight, `Forbidden` in sight without `right`."""
    rows = Conflict.objects.select_related("scope").filter(pk=row_id(pk))
    return require_sight(rows.first(), access, f"no conflict {str(pk)[:60]!r}", right=right)


def opened_by(event: JournalEvent) -> list[tuple[int, str]]:
    """The conflicts that one decision opened: the id of each, and the refs of what else it names, by commas. Two queries."""
    made = event.changes.filter(noun="conflict", before__isnull=True).values_list("row", flat=True)
    opened = Conflict.objects.filter(pk__in=list(made), status=ConflictStatus.OPEN).order_by("pk")
    sides = conflict_sides(list(opened))
    others = {pk: [side.row.ref for side in found if side.row.ref != event.ref] for pk, found in sides.items()}
    return [(pk, ", ".join(refs)) for pk, refs in others.items() if refs]


def conflict_sides(rows: Sequence[Conflict]) -> dict[int, list[ConflictSide]]:
    """The members of each; of an open one only those that still hold. One query."""
    sides: dict[int, list[ConflictSide]] = {row.pk: [] for row in rows}
    still_open = {row.pk for row in rows if row.status == "open"}
    members = ConflictMember.objects.filter(conflict__in=sides).select_related("claim__scope", "trusted__scope")
    for member in members.defer("claim__search").order_by("pk"):
        side = ConflictSide(member.claim, member.trusted)
        if side.live or member.conflict_id not in still_open:
            sides[member.conflict_id].append(side)
    return sides


def trusted_in_open_conflict(trusted_ids: Iterable[int]) -> set[int]:
    """Those of the trusted values that an open conflict names. One query."""
    members = ConflictMember.objects.filter(trusted__in=trusted_ids, conflict__status="open")
    return set(members.values_list("trusted", flat=True))


def refs_in_open_conflict(claim_ids: Sequence[int], trusted_ids: Sequence[int]) -> set[str]:
    """The refs of those claims and trusted values that hold while an open conflict names them. One query."""
    holds = Q(claim__in=claim_ids, claim__status="active") | Q(trusted__in=trusted_ids, trusted__status="current")
    rows = ConflictMember.objects.filter(holds, conflict__status="open").values_list("claim__ref", "trusted__ref")
    return {ref for pair in rows for ref in pair if ref is not None}
