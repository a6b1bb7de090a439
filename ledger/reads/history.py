"""Journal events with all that an answer shows of them."""

from django.db.models import QuerySet

from ledger.models import Claim, JournalEvent, Scope
from ledger.reads.page import MAX_ID, Page, decode_cursor, page_of
from ledger.reads.scopes import require_sight, row_id, visible
from ledger.reads.sql import fetch_column
from ledger.rules.permissions import Access, Right

PER_PAGE = 30


def event_rows() -> QuerySet[JournalEvent]:
    """Events with scope, changes, what they undo and what undid them: two queries for any number."""
    return JournalEvent.objects.select_related("scope", "undone_by", "undoes").prefetch_related("changes")


def event_by_id(pk: int) -> JournalEvent:
    return event_rows().get(pk=pk)


def event_at(pk: int | str, access: Access, *, right: Right | None = None) -> JournalEvent:
    """One event. Raises `NotFound` where there is none in the caller's sight, `Forbidden` in sight without `right`; a verb
    that asks for its own right names none."""
    return require_sight(event_rows().filter(pk=row_id(pk)).first(), access, f"no event {str(pk)[:60]!r}", right=right)


def moved_out_of_sight(event: JournalEvent, access: Access) -> frozenset[int]:
    """The ids of those of its changes that moved a row to or from a scope that the reader may not read: what the row says
    there is none of theirs. No query where nothing moved."""
    moved = {
        change.pk: {side["scope_id"] for side in (change.before, change.after or {}) if "scope_id" in side}
        for change in event.changes.all()
        if change.before is not None
    }
    places = set().union(*moved.values())
    if not places:
        return frozenset()
    paths = Scope.objects.filter(pk__in=places).values_list("pk", "path")
    seen = {pk for pk, path in paths if access.may(Right.READ, path)}
    return frozenset(pk for pk, scopes in moved.items() if not scopes <= seen)


# Two ranges of indexes; as one condition with OR it would read the whole journal.
_TOUCHING = """
    SELECT id FROM (
        SELECT c.event_id AS id FROM ledger_journalchange c WHERE c.noun = %s AND c.row = %s
        UNION SELECT e.id FROM ledger_journalevent e WHERE e.ref = %s AND e.ref <> ''
    ) touching WHERE id < %s ORDER BY id DESC
"""


def claim_history(claim: Claim, access: Access) -> list[JournalEvent]:
    """All that happened to a claim, the oldest first, knock-on changes of others' decisions included.

    Where a decision on another scope's row touched it, that event is shown only to who may read there.
    """
    ids = fetch_column(_TOUCHING, ["claim", claim.pk, claim.ref, MAX_ID])
    return [
        event for event in event_rows().filter(pk__in=ids).order_by("pk") if access.may(Right.READ, event.scope.path)
    ]


def history_page(noun: str, pk: int, ref: str, access: Access, *, cursor: str | None = None) -> Page[JournalEvent]:
    """The same of a claim, a trusted value or a conflict, newest first and by pages. Raises `Invalid` for a cursor of another
    list. Three queries."""
    before = decode_cursor(cursor, (int,))[0] if cursor else MAX_ID
    ids = fetch_column(_TOUCHING + " LIMIT 2000", [noun, pk, ref, before])
    rows = event_rows().filter(pk__in=ids, scope__in=visible(access).order_by().values("pk")).order_by("-pk")
    return page_of(list(rows[: PER_PAGE + 1]), PER_PAGE, lambda event: [event.pk])
