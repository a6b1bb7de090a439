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
from review.desk.fields import in_utc, time_of
from review.desk.filters import Address, number_in
from review.desk.history import history_entries
from review.screens.frame import ScreenRequest, page, page_or_fault, screen
from review.screens.queue import choices

PER_PAGE = 50
DAY_LENGTH = len("2026-03-09")
LAST = dt.datetime.max.replace(tzinfo=dt.UTC)


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
    # "all" shows what programs did as well.
    events: str = ""
    cursor: str = ""

    @property
    def sought(self) -> JournalQuery:
        until = _moment(self.until, "until")
        if until is not None and len(self.until) == DAY_LENGTH:
            # The last day there is has no day after it.
            until = LAST if until.year == dt.MAXYEAR else until + dt.timedelta(days=1)
        since = _moment(self.since, "since")
        return JournalQuery(self.actor, self.verb, self.scope, since, until, decisions=self.only_decisions)

    @property
    def only_decisions(self) -> bool:
        """What people decided, unless everything is asked for, or something by its name."""
        return self.events != "all" and not any((self.ref, self.batch, self.policy, self.actor, self.verb, self.event))

    def page(self, access: Access) -> Page[JournalEvent]:
        """Raises `Invalid` by field, `NotFound` for a scope, batch or event out of sight."""
        if self.event:
            return Page([event_at(self.event, access, right=Right.READ)])
        sought = self.sought
        if sought.given and not any((self.ref, self.batch, self.policy)):
            return search_journal(access, sought, cursor=_cursor(self.cursor), limit=PER_PAGE)
        found = journal_page(
            access, after=self.cursor or None, scope=self.scope or None, descend=True, ref=self.ref or None,
            batch=self.batch or None, policy=self.policy or None, newest=True, limit=PER_PAGE,
        )  # fmt: skip
        return Page([event for event in found.items if _fits(event, sought)], found.next)


def _fits(event: JournalEvent, sought: JournalQuery) -> bool:
    """The history of one row or one batch is short: what else was asked is looked at here."""
    return (
        sought.actor in ("", event.actor_name)
        and sought.verb in ("", event.verb)
        and (sought.since or event.at) <= event.at < (sought.until or LAST)
    )


def _moment(text: str, field: str) -> dt.datetime | None:
    time = time_of(text, "UTC", field)
    return in_utc(time, field) if time else None


def _cursor(text: str) -> int | None:
    try:
        return number_in(text, "cursor")
    except Invalid:
        raise Invalid("this is no cursor of this list", field="cursor") from None


@require_GET
@screen
def journal_list(request: ScreenRequest) -> HttpResponse:
    """Of all scopes in sight, or narrowed; `verify` computes the whole chain again."""
    access, filters = request.actor.access, JournalFilters.read(request.GET)
    found, error = page_or_fault(lambda: filters.page(access))
    entries = history_entries(found.items, access)
    number, root = chain_root()
    context = {
        "history": entries,
        "filters": filters,
        "batch": filters.batch,
        "may_undo_batch": bool(filters.batch) and any(entry.may_undo for entry in entries),
        "next_page": filters.next_page(found),
        "looking": bool(found.next) and len(entries) < PER_PAGE,
        "verbs": sorted(Verb),
        "number": number,
        "root": root,
        "verified": verified(access) if request.GET.get("verify") else None,
        "here": "journal",
        **choices(request),
    }
    return page(request, "review/journal.html", context, error=error)


def verified(access: Access) -> dict[str, object]:
    """Raises `Forbidden` for who may read nothing at all."""
    if not any(access.may(Right.READ, root) for root in access.roots()):
        raise Forbidden("the journal is verified by those who may read some of it")
    return check_chain()
