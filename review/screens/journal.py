"""The journal: every decision, newest first, with its undo, and whether its chain of seals is whole."""

import datetime as dt
from dataclasses import dataclass

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from ledger.errors import Forbidden, Invalid
from ledger.models import JournalEvent
from ledger.reads.history import event_at
from ledger.reads.journal import JournalQuery, chain_root, check_chain, journal_page, search_journal
from ledger.reads.page import Page
from ledger.rules.permissions import Access, Right
from ledger.verbs import Verb
from review.desk.fields import time_of
from review.desk.filters import Address
from review.desk.history import history_entries
from review.screens.frame import ScreenRequest, page, screen
from review.screens.queue import choices

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class JournalFilters(Address):
    """`scope` takes in what lies below it; `since` and `until` are days or times in UTC, a day `until` included."""

    scope: str = ""
    ref: str = ""
    batch: str = ""
    policy: str = ""
    actor: str = ""
    verb: str = ""
    since: str = ""
    until: str = ""
    event: str = ""
    cursor: str = ""

    @property
    def sought(self) -> JournalQuery:
        until = _moment(self.until, "until")
        if until is not None and len(self.until) == 10:
            # The last day there is has no day after it.
            until = dt.datetime.max.replace(tzinfo=dt.UTC) if until.year == dt.MAXYEAR else until + dt.timedelta(days=1)
        return JournalQuery(self.actor, self.verb, self.scope, _moment(self.since, "since"), until)

    def page(self, access: Access) -> Page[JournalEvent]:
        """Raises `Invalid` by field, `NotFound` for a scope, batch or event out of sight."""
        if self.event:
            return Page([event_at(self.event, access, right=Right.READ)])
        sought = self.sought
        if sought.given and not self.ref and not self.batch and not self.policy:
            return search_journal(access, sought, cursor=_number(self.cursor), limit=PER_PAGE)
        found = journal_page(
            access, after=self.cursor or None, scope=self.scope or None, descend=True, ref=self.ref or None,
            batch=self.batch or None, policy=self.policy or None, newest=True, limit=PER_PAGE,
        )  # fmt: skip
        return Page([row for row in found.items if self._fits(row, sought)], found.next)

    def _fits(self, event: JournalEvent, sought: JournalQuery) -> bool:
        """The history of one row or one batch is short: what else was asked is looked at here."""
        return (
            (not sought.actor or event.actor_name == sought.actor)
            and (not sought.verb or event.verb == sought.verb)
            and (sought.since is None or event.at >= sought.since)
            and (sought.until is None or event.at < sought.until)
        )


def _moment(text: str, field: str) -> dt.datetime | None:
    try:
        found = time_of(text, "UTC", field)
        return found.astimezone(dt.UTC) if found else None
    except OverflowError:
        raise Invalid("no such time", field=field) from None


def _number(cursor: str) -> int | None:
    if not cursor:
        return None
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 18):
        raise Invalid("this is no cursor of this list", field="cursor")
    return int(cursor)


@require_GET
@screen
def journal_list(request: ScreenRequest) -> HttpResponse:
    """Of all scopes in sight, or narrowed; `verify` computes the whole chain again."""
    access = request.actor.access
    filters, error, found = JournalFilters.read(request.GET), None, Page[JournalEvent]([])
    try:
        found = filters.page(access)
    except Invalid as refused:
        error = refused
    rows = history_entries(found.items, access)
    number, root = chain_root()
    context = {
        "past": rows,
        "filters": filters,
        "error": error,
        "batch": filters.batch,
        "may_undo_batch": bool(filters.batch) and any(row.may_undo for row in rows),
        "next_page": filters.query(cursor=found.next) if found.next else "",
        "looking": bool(found.next) and len(rows) < PER_PAGE,
        "verbs": sorted(Verb),
        "number": number,
        "root": root,
        "verified": verified(access) if request.GET.get("verify") else None,
        "here": "journal",
        **choices(request),
    }
    return page(request, "review/journal.html", context, status=422 if error else 200)


def verified(access: Access) -> dict[str, object]:
    """Raises `Forbidden` for who may read nothing at all."""
    if not any(access.may(Right.READ, root) for root in access.roots()):
        raise Forbidden("the journal is verified by those who may read some of it")
    return check_chain()
