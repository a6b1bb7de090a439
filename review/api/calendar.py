"""What takes place: the confirmed events and assignments of a scope, one occurrence at a time."""

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, TypedDict

from django.http import HttpResponse
from django.utils import timezone
from ninja import Query, Router

from ledger.actor import ActorRequest
from ledger.errors import Invalid
from ledger.reads.calendar import occurrences
from ledger.reads.page import check_limit, decode_cursor, newest_page, page_of
from ledger.reads.pending import PendingAction, actions_of, pending_claims
from ledger.reads.scopes import in_sight, scope_at
from ledger.rules.calendar import Occurrence
from review.api.bodies import Moment
from review.api.shapes import PageShape, page

router = Router(tags=["calendar"])

USUAL_WINDOW = timedelta(days=7)
MAX_WINDOW = timedelta(days=366)


class OccurrenceShape(TypedDict):
    """One time that something takes place. `end` is an hour after `start` where nobody told it (`end_known` false). `changes`: the
    start, or the day, of the occurrence of `series` (a ref, or a UID) that it stands for; `cancelled` where that was called off."""

    ref: str
    kind: str
    title: str
    people: list[str]
    start: datetime
    end: datetime
    end_known: bool
    all_day: bool
    timezone: str
    place: str
    recurring: bool
    background: bool
    series: str
    changes: str | None
    cancelled: bool


def occurrence_shape(one: Occurrence) -> OccurrenceShape:
    entry = one.entry
    return {
        "ref": entry.ref, "kind": entry.kind, "title": entry.title, "people": list(entry.people), "start": one.start,
        "end": one.end, "end_known": entry.end_known, "all_day": entry.all_day, "timezone": entry.zone_name,
        "place": entry.place, "recurring": one.recurring, "background": entry.background, "cancelled": entry.cancelled,
        "series": entry.series if entry.changes else "", "changes": entry.changes.isoformat() if entry.changes else None,
    }  # fmt: skip


@router.get("/upcoming", response=PageShape[OccurrenceShape])
def list_upcoming(
    request: ActorRequest,
    scope: str,
    since: Annotated[Moment | None, Query(alias="from")] = None,
    until: Annotated[Moment | None, Query(alias="to")] = None,
    person: Annotated[str | None, Query(max_length=200)] = None,
    cancelled: bool = False,
    limit: int = 50,
    cursor: str | None = None,
    count: bool = False,
) -> HttpResponse:
    """What takes place between `from` (now) and `to` (a week later), the earliest first; `person` by any of their names: what
    they take part in or have taken on. An event is there before it begins and gone once it is over; at most a year at once.
    `cancelled`: with occurrences that were called off."""
    row = scope_at(scope, request.actor.access)
    start = since or timezone.now()
    end = until or start + USUAL_WINDOW
    if not timedelta() < end - start <= MAX_WINDOW:
        raise Invalid("`to` lies after `from`, by at most 366 days", field="to")
    found = occurrences(row, start, end, person, cancelled=cancelled)
    total = len(found) if count else None
    if cursor is not None:
        after, ref = decode_cursor(cursor, (datetime, str))
        found = [one for one in found if (one.start, one.ref) > (after, ref)]
    listed = page_of(found[: check_limit(limit) + 1], limit, lambda one: [one.start, one.ref], total=total)
    return page(listed, [occurrence_shape(one) for one in listed.items])


class PendingShape(TypedDict):
    """What would be written to the calendar, or was: `summary` in at most 140 characters, `writes` in words and `value` as it is
    written, `next` the first times that it takes place. Nobody's answer by `expires_at` is a no; `decided_by` says whose it was."""

    ref: str
    scope: str
    kind: str
    rule: str
    status: str
    summary: str
    writes: str
    recurs: str
    value: Any
    next: list[datetime]
    confidence: float
    needs_review: bool
    version: int
    created_at: datetime
    expires_at: datetime | None
    decided_by: str
    decided_at: datetime | None


def pending_shape(action: PendingAction) -> PendingShape:
    claim = action.claim
    return {
        "ref": claim.ref, "scope": claim.scope.path, "kind": claim.kind_id, "rule": claim.rule, "status": claim.status,
        "summary": action.summary, "writes": action.writes, "recurs": action.recurs, "value": claim.value,
        "next": [one.start for one in action.next], "confidence": claim.confidence, "needs_review": claim.needs_review,
        "version": claim.version, "created_at": claim.created_at, "expires_at": claim.expires_at,
        "decided_by": action.decided_by, "decided_at": action.decided_at,
    }  # fmt: skip


@router.get("/pending", response=PageShape[PendingShape])
def list_pending(
    request: ActorRequest,
    scope: str | None = None,
    descend: bool = False,
    status: Literal["pending", "active", "rejected", "expired"] = "pending",
    limit: int = 50,
    cursor: str | None = None,
    count: bool = False,
) -> HttpResponse:
    """Pending actions, the newest first: what was read and is written to the calendar only when somebody confirms it
    (`POST /candidates/{ref}/promote`, or `/reject`). With another `status` those that were decided, and by whom."""
    rows = in_sight(pending_claims(status), request.actor.access, scope, descend=descend)
    found = newest_page(rows, cursor, limit, count=count)
    return page(found, [pending_shape(one) for one in actions_of(found.items)])
