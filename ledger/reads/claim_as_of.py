"""One claim at a time past, on both clocks: what its row said then, and whether it held (design §7)."""

import copy
import datetime as dt
from dataclasses import dataclass

from django.db import connection
from django.utils import timezone

from ledger.models import Claim
from ledger.reads.as_of import COUNTS, holding
from ledger.reads.claims import claim_rows
from ledger.reads.replay import as_told, redacted, replay

# What decisions about this claim also changed: what it replaced, or gave way to, since taken back or not.
_KIN = """
    SELECT DISTINCT other.row FROM ledger_journalchange own JOIN ledger_journalchange other ON other.event_id = own.event_id
    WHERE own.noun = 'claim' AND own.row = %s AND other.noun = 'claim' AND other.row <> own.row
    UNION SELECT id FROM ledger_claim WHERE successor_id = %s
    LIMIT 200
"""


@dataclass(frozen=True, slots=True)
class Then:
    """The claim as it was believed to be at `believed_at`; None where nobody had proposed it yet. `held` tells whether it held
    at `as_of`, `why` what it was otherwise. `redacted`: a purge took its words, so that what it said then is lost."""

    believed_at: dt.datetime
    as_of: dt.datetime
    claim: Claim | None
    held: bool
    why: str
    redacted: bool = False


def then(claim: Claim, *, as_of: dt.datetime | None = None, believed_at: dt.datetime | None = None) -> Then:
    """At most five queries. Without `believed_at`: by what is believed now; without `as_of`: at the time of belief."""
    known = believed_at or timezone.now()
    moment = as_of or known
    with connection.cursor() as cursor:
        cursor.execute(_KIN, [claim.pk, claim.pk])
        kin = {pk for (pk,) in cursor.fetchall()}
    told = replay("claim", [claim.pk, *kin], until=known)
    if claim.pk not in told:
        return Then(known, moment, None, False, "nobody had proposed it yet")
    rows = {claim.pk: copy.copy(claim)} | {row.pk: row for row in claim_rows().filter(pk__in=kin & told.keys())}
    for row in rows.values():
        as_told(row, told[row.pk])
        # A path remembered from now is not the one of then.
        row._state.fields_cache.pop("successor", None)
    was = rows[claim.pk]
    missing = {was.successor_id} - rows.keys() - {None}
    heirs = rows | (Claim.objects.in_bulk(missing) if missing else {})
    counted = [row for row in rows.values() if row.status in COUNTS and row.scope_id == was.scope_id]
    held = any(row.pk == claim.pk for row in holding(counted, heirs, moment))
    lost = bool(redacted("claim", [claim.pk]))
    return Then(known, moment, was, held, "" if held else _why(was, moment), lost)


def _why(was: Claim, moment: dt.datetime) -> str:
    if was.status not in COUNTS:
        waits = {"pending": "it waited for a decision", "deferred": "its decision was put off"}
        return waits.get(was.status, f"it was {was.status}")
    if was.valid_from and moment < was.valid_from:
        return "it did not hold yet"
    if was.valid_to and moment >= was.valid_to:
        return "its time was over"
    return "another claim held in its place"
