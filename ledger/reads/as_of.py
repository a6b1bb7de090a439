"""What held, on two clocks: when it held (valid time), and when it was believed (the time of the journal; design §7)."""

import copy
import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from django.db import connection
from django.utils import timezone

from ledger.models import Claim, Conflict, Scope, TrustedState
from ledger.reads.claims import claim_rows
from ledger.reads.replay import redacted_rows, replayed_columns, rows_at, set_replayed

COUNTS = ("active", "superseded")


def claims_as_of(
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


def trusted_as_of(scopes: Sequence[Scope], *, at: dt.datetime | None = None) -> list[TrustedState]:
    """The trusted values that were current at a time: they hold from the hand that set them to the hand that changed
    them, so that both clocks are one."""
    ids = [scope.pk for scope in scopes]
    if at is None:
        return list(TrustedState.objects.filter(scope__in=ids, status="current").select_related("scope"))
    return [cast(TrustedState, row) for row in rows_at("trusted", ids, at=at, status=["current"])]


def conflicts_as_of(scopes: Sequence[Scope], *, at: dt.datetime | None = None) -> list[Conflict]:
    """The conflicts that were open at a time."""
    ids = [scope.pk for scope in scopes]
    if at is None:
        return list(Conflict.objects.filter(scope__in=ids, status="open").select_related("scope").order_by("pk"))
    return [cast(Conflict, row) for row in rows_at("conflict", ids, at=at, status=["open"])]


# What decisions about this claim also changed: what it replaced, or gave way to, since taken back or not.
_KIN = """
    SELECT DISTINCT other.row FROM ledger_journalchange own JOIN ledger_journalchange other ON other.event_id = own.event_id
    WHERE own.noun = 'claim' AND own.row = %s AND other.noun = 'claim' AND other.row <> own.row
    UNION SELECT id FROM ledger_claim WHERE successor_id = %s
    LIMIT 200
"""


@dataclass(frozen=True, slots=True)
class ClaimAsOf:
    """The claim as it was believed to be at `believed_at`; None where nobody had proposed it yet. `held` tells whether it held
    at `as_of`, `why` what it was otherwise. `redacted`: a purge took its words, so that what it said then is lost."""

    believed_at: dt.datetime
    as_of: dt.datetime
    claim: Claim | None
    held: bool
    why: str
    redacted: bool = False


def claim_as_of(claim: Claim, *, as_of: dt.datetime | None = None, believed_at: dt.datetime | None = None) -> ClaimAsOf:
    """At most five queries. Without `believed_at`: by what is believed now; without `as_of`: at the time of belief."""
    known = believed_at or timezone.now()
    moment = as_of or known
    with connection.cursor() as cursor:
        cursor.execute(_KIN, [claim.pk, claim.pk])
        kin = {pk for (pk,) in cursor.fetchall()}
    told = replayed_columns("claim", [claim.pk, *kin], until=known)
    if claim.pk not in told:
        return ClaimAsOf(known, moment, None, False, "nobody had proposed it yet")
    rows = {claim.pk: copy.copy(claim)} | {row.pk: row for row in claim_rows().filter(pk__in=kin & told.keys())}
    for row in rows.values():
        set_replayed(row, told[row.pk])
        # A path remembered from now is not the one of then.
        row._state.fields_cache.pop("successor", None)
    was = rows[claim.pk]
    missing = {was.successor_id} - rows.keys() - {None}
    heirs = rows | (Claim.objects.in_bulk(missing) if missing else {})
    counted = [row for row in rows.values() if row.status in COUNTS and row.scope_id == was.scope_id]
    held = any(row.pk == claim.pk for row in holding(counted, heirs, moment))
    lost = bool(redacted_rows("claim", [claim.pk]))
    return ClaimAsOf(known, moment, was, held, "" if held else _why(was, moment), lost)


def _why(was: Claim, moment: dt.datetime) -> str:
    if was.status not in COUNTS:
        waits = {"pending": "it waited for a decision", "deferred": "its decision was put off"}
        return waits.get(was.status, f"it was {was.status}")
    if was.valid_from and moment < was.valid_from:
        return "it did not hold yet"
    if was.valid_to and moment >= was.valid_to:
        return "its time was over"
    return "another claim held in its place"
