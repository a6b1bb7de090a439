"""What held, on two clocks: when it held (valid time), and when it was believed (the time of the journal; design §7)."""

import copy
import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from ledger.models import Claim, Conflict, Scope, TrustedState
from ledger.reads.claims import claim_rows
from ledger.reads.replay import redacted_rows, replayed_columns, rows_at, set_replayed
from ledger.reads.sql import fetch_column

COUNTS = ("active", "superseded")
ALWAYS = dt.datetime.min.replace(tzinfo=dt.UTC)
NEVER = dt.datetime.max.replace(tzinfo=dt.UTC)
# What decisions about this claim also changed: what it replaced, or gave way to, since taken back or not.
_KIN = """
    SELECT DISTINCT other.row FROM ledger_journalchange own JOIN ledger_journalchange other ON other.event_id = own.event_id
    WHERE own.noun = 'claim' AND own.row = %s AND other.noun = 'claim' AND other.row <> own.row
    UNION SELECT id FROM ledger_claim WHERE successor_id = %s
    LIMIT 200
"""
_HEIRS = """
    WITH RECURSIVE heir AS (
        SELECT id, successor_id, status FROM ledger_claim WHERE id = ANY(%s)
        UNION SELECT c.id, c.successor_id, c.status FROM heir h JOIN ledger_claim c ON c.id = h.successor_id
         WHERE h.status = 'superseded'
    )
    SELECT c.id, c.successor_id, c.status, c.valid_from, c.promoted_at FROM ledger_claim c JOIN heir USING (id)
"""
WAITS = {"pending": "it waited for a decision", "deferred": "its decision was put off"}


def claims_as_of(
    scopes: Sequence[Scope], *, as_of: dt.datetime | None = None, believed_at: dt.datetime | None = None
) -> list[Claim]:
    """The claims that held at `as_of` (default: at the time of belief) by what was believed at `believed_at` (now).

    A claim holds from its `valid_from` to its `valid_to`. One without a beginning held always, unless it replaced
    another: then it holds from its promotion, and the other one until then. A promotion that was undone since counts at
    the times when it stood.
    """
    ids = [scope.pk for scope in scopes]
    if believed_at is not None:
        rows = rows_at(Claim, ids, at=believed_at, status=COUNTS)
    else:
        wanted = COUNTS if as_of is not None else COUNTS[:1]
        rows = list(claim_rows().filter(scope__in=ids, status__in=wanted).order_by("status", "pk"))
    return _holding(rows, _with_heirs(rows), as_of or believed_at or timezone.now())


def _with_heirs(rows: Sequence[Claim]) -> dict[int, Claim]:
    """The rows by id, and what the superseded ones of them gave way to, down to the last. At most one query."""
    known = {row.pk: row for row in rows}
    missing = {row.successor_id for row in rows if row.status == "superseded"} - known.keys() - {None}
    return {row.pk: row for row in Claim.objects.raw(_HEIRS, [list(missing)])} | known if missing else known


def _holding(rows: Sequence[Claim], heirs: Mapping[int, Claim], moment: dt.datetime) -> list[Claim]:
    """Those of `rows` (active or superseded) that hold at `moment`."""
    replacing = {row.successor_id for row in rows if row.status == "superseded"}
    return [row for row in rows if _begins(row, row.pk in replacing) <= moment < _ends(row, heirs)]


def _begins(row: Claim, replacing: bool) -> dt.datetime:
    return row.valid_from or (row.promoted_at if replacing else None) or ALWAYS


def _ends(row: Claim, heirs: Mapping[int, Claim]) -> dt.datetime:
    """One that was superseded ends at the earliest beginning among all its heirs; where that cannot be told, it never held."""
    ends, seen = row.valid_to or NEVER, {row.pk}
    while row.status == "superseded" and row.successor_id not in seen:
        heir = heirs.get(row.successor_id or 0)
        if heir is None:
            return ALWAYS
        ends, row = min(ends, _begins(heir, True)), heir
        seen.add(heir.pk)
    return ends


def trusted_as_of(scopes: Sequence[Scope], *, at: dt.datetime | None = None) -> list[TrustedState]:
    """The trusted values that were current at a time: they hold from the hand that set them to the hand that changed
    them, so that both clocks are one."""
    ids = [scope.pk for scope in scopes]
    if at is not None:
        return rows_at(TrustedState, ids, at=at, status=["current"])
    return list(TrustedState.objects.filter(scope__in=ids, status="current").select_related("scope"))


def conflicts_as_of(scopes: Sequence[Scope], *, at: dt.datetime | None = None) -> list[Conflict]:
    """The conflicts that were open at a time."""
    ids = [scope.pk for scope in scopes]
    if at is not None:
        return rows_at(Conflict, ids, at=at, status=["open"])
    return list(Conflict.objects.filter(scope__in=ids, status="open").select_related("scope").order_by("pk"))


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
    kin = fetch_column(_KIN, [claim.pk, claim.pk])
    told = replayed_columns("claim", [claim.pk, *kin], until=known)
    if claim.pk not in told:
        return ClaimAsOf(known, moment, None, False, "nobody had proposed it yet")
    was = copy.copy(claim)
    related = list(claim_rows().filter(pk__in=told.keys() - {claim.pk}))
    for row in (was, *related):
        set_replayed(row, told[row.pk])
        # A path remembered from now is not the one of then.
        row._state.fields_cache.pop("successor", None)
    counted = [row for row in (was, *related) if row.status in COUNTS and row.scope_id == was.scope_id]
    held = was in _holding(counted, _with_heirs([was, *related]), moment)
    lost = bool(redacted_rows("claim", [claim.pk]))
    return ClaimAsOf(known, moment, was, held, "" if held else _why_not(was, moment), lost)


def _why_not(was: Claim, moment: dt.datetime) -> str:
    if was.status not in COUNTS:
        return WAITS.get(was.status, f"it was {was.status}")
    if moment < _begins(was, False):
        return "it did not hold yet"
    if moment >= (was.valid_to or NEVER):
        return "its time was over"
    return "another claim held in its place"
