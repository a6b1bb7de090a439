"""What held, on two clocks: when it held (valid time), and when it was believed (the journal's time; design §7)."""

import datetime as dt
from collections.abc import Sequence
from typing import cast

from django.utils import timezone

from ledger.models import Claim, Conflict, Scope, TrustedState
from ledger.reads.claims import claim_rows
from ledger.reads.replay import rows_at

COUNTS = ("active", "superseded")


def claims_at(
    scopes: Sequence[Scope], *, as_of: dt.datetime | None = None, believed_at: dt.datetime | None = None
) -> list[Claim]:
    """The claims that held at `as_of` (default: at the time of belief) by what was believed at `believed_at` (now).

    A claim holds from its `valid_from` to its `valid_to`. One without a beginning held always, unless it replaced
    another: then it holds from its promotion, and the other one until then. A promotion that was undone since counts at
    the times when it stood.
    """
    ids = [scope.pk for scope in scopes]
    if believed_at is None:
        rows = list(claim_rows().filter(scope__in=ids, status="active").order_by("pk"))
        if as_of is not None:
            rows += claim_rows().filter(scope__in=ids, status="superseded").order_by("pk")
    else:
        rows = [cast(Claim, row) for row in rows_at("claim", ids, at=believed_at, status=COUNTS)]
    heirs = {row.pk: row for row in rows}
    missing = {row.successor_id for row in rows if row.status == "superseded"} - heirs.keys() - {None}
    heirs |= Claim.objects.in_bulk(missing) if missing else {}
    return holding(rows, heirs, as_of or believed_at or timezone.now())


def holding(rows: Sequence[Claim], heirs: dict[int, Claim], moment: dt.datetime) -> list[Claim]:
    """Those of `rows` (active or superseded) that hold at `moment`; `heirs` are what the superseded ones gave way to, by id."""
    replacing = {row.successor_id for row in rows if row.status == "superseded"}
    held = []
    for row in rows:
        begins = row.valid_from or (row.promoted_at if row.pk in replacing else None)
        ends = row.valid_to
        if row.status == "superseded":
            heir = heirs.get(row.successor_id) if row.successor_id else None
            gave_way = (heir.valid_from or heir.promoted_at) if heir else None
            if gave_way is None:
                continue
            ends = min(ends, gave_way) if ends else gave_way
        if (begins is None or begins <= moment) and (ends is None or moment < ends):
            held.append(row)
    return held


def trusted_at(scopes: Sequence[Scope], *, at: dt.datetime | None = None) -> list[TrustedState]:
    """The trusted values that were current at a time: they hold from the hand that set them to the hand that changed
    them, so that both clocks are one."""
    ids = [scope.pk for scope in scopes]
    if at is None:
        return list(TrustedState.objects.filter(scope__in=ids, status="current").select_related("scope"))
    return [cast(TrustedState, row) for row in rows_at("trusted", ids, at=at, status=["current"])]


def conflicts_at(scopes: Sequence[Scope], *, at: dt.datetime | None = None) -> list[Conflict]:
    """The conflicts that were open at a time."""
    ids = [scope.pk for scope in scopes]
    if at is None:
        return list(Conflict.objects.filter(scope__in=ids, status="open").select_related("scope").order_by("pk"))
    return [cast(Conflict, row) for row in rows_at("conflict", ids, at=at, status=["open"])]
