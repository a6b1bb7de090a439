"""Look for events by who, what and when: newest first, by pages that each read a bounded stretch of the journal."""

import datetime as dt
from dataclasses import dataclass

from django.db import connection

from ledger.models import JournalEvent, Seal
from ledger.reads.history import event_rows
from ledger.reads.journal import last_number, seal
from ledger.reads.page import Page
from ledger.reads.scopes import scope_at, visible
from ledger.rules.permissions import GLOBAL, Access, Right
from ledger.rules.storable import storable

# How many events one page looks through for what it wants; where it finds too little, the next page goes on from there.
STRETCH = 20_000
# Events are sealed a little after they happen, and not in their order: so many more are looked at on both sides of a time.
SLACK = 1_000


@dataclass(frozen=True, slots=True)
class Sought:
    """`actor` is the whole name; `since` and `until` are times of the event, half-open. Empty means: do not ask."""

    actor: str = ""
    verb: str = ""
    scope: str = ""
    since: dt.datetime | None = None
    until: dt.datetime | None = None

    @property
    def given(self) -> bool:
        return bool(self.actor or self.verb or self.since or self.until)


def search_journal(access: Access, sought: Sought, *, cursor: int | None = None, limit: int = 50) -> Page[JournalEvent]:
    """`cursor` is the sealer's number before which to go on. A page may be short, or empty, and still have a `next`: then
    there is more of the journal to look through."""
    seal()
    top = cursor - 1 if cursor is not None else last_number()
    if sought.until is not None and cursor is None:
        top = min(top, number_at(sought.until) + SLACK)
    bottom = max(0, top - STRETCH)
    lowest = max(0, number_at(sought.since) - SLACK) if sought.since is not None else 0
    bottom = max(bottom, lowest)
    rows = event_rows().select_related("seal", "scope", "undone_by", "undoes")
    rows = rows.filter(seal__number__gt=bottom, seal__number__lte=top)
    if sought.scope:
        rows = rows.filter(scope__in=visible(access, root=scope_at(sought.scope, access).path))
    elif not (GLOBAL in access.roots() and access.may(Right.READ, GLOBAL)):
        rows = rows.filter(scope__in=visible(access))
    if sought.actor:
        rows = rows.filter(actor_name=storable(sought.actor, "actor"))
    if sought.verb:
        rows = rows.filter(verb=storable(sought.verb, "verb"))
    if sought.since is not None:
        rows = rows.filter(at__gte=sought.since)
    if sought.until is not None:
        rows = rows.filter(at__lt=sought.until)
    found = list(rows.order_by("-seal__number")[: limit + 1])
    if len(found) > limit:
        return Page(found[:limit], str(found[limit - 1].seal.number))
    return Page(found, str(bottom + 1) if bottom > lowest else None)


def number_at(moment: dt.datetime) -> int:
    """About the number that the sealer had reached at `moment`: it numbers in the order of its own time."""
    low, high = 0, last_number()
    while low < high:
        middle = (low + high) // 2
        row = Seal.objects.filter(number__gt=middle).order_by("number").values_list("number", "sealed_at").first()
        if row is None or row[1] >= moment:
            high = middle
        else:
            low = row[0]
    return low


def root_now() -> tuple[int, str]:
    """The newest seal's number and its digest, which stands for all before it; (0, "") for an empty journal."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT number, encode(digest, 'hex') FROM ledger_seal ORDER BY number DESC LIMIT 1")
        number, root = cursor.fetchone() or (0, "")
        return int(number), str(root)
