"""The journal by pages: in the order of its seals with a cursor that misses nothing (law 3), or searched by who, what and when."""

import datetime as dt
import uuid
from dataclasses import dataclass

from django.db import connection

from ledger.errors import Forbidden, Invalid, NotFound
from ledger.models import JournalEvent, Seal
from ledger.reads.history import event_rows
from ledger.reads.page import MAX_ID, Page, check_limit
from ledger.reads.scopes import scope_at, visible
from ledger.rules.columns import storable
from ledger.rules.permissions import GLOBAL, Access, Right


def seal() -> None:
    """Number what has been committed since, so that fresh events are listed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal()")


def journal_page(
    access: Access,
    *,
    after: str | None = None,
    scope: str | None = None,
    descend: bool = False,
    ref: str | None = None,
    batch: str | None = None,
    policy: str | None = None,
    newest: bool = False,
    limit: int = 50,
) -> Page[JournalEvent]:
    """Events the reader may see, oldest first; `newest` turns them round.

    `after` is the sealer's number of the last event read, which `next` gives; a follower keeps it and asks again. The
    events of one row, one batch or one policy are listed by id, which orders them, and `after` is then the last event's id.
    Raises `Invalid` for a cursor or batch that is none, `NotFound` for a scope out of sight.
    """
    check_limit(limit)
    since = _number(after)
    rows = event_rows()
    if scope is not None:
        place = scope_at(scope, access)
        # The root's own condition first: the index of one scope's events is then a range.
        rows = rows.filter(scope__in=visible(access, root=place.path)) if descend else rows.filter(scope=place)
    elif not (GLOBAL in access.roots() and access.may(Right.READ, GLOBAL)):
        rows = rows.filter(scope__in=visible(access))
    if ref is not None:
        rows = rows.filter(ref=storable(ref, "ref").upper() if not ref.startswith(("source-", "token-")) else ref)
    if batch is not None:
        rows = rows.filter(batch=batch_id(batch))
    if policy is not None:
        # What stands before the @ is a policy's name, whichever version acted.
        rows = rows.filter(actor_kind="policy", actor_name__startswith=f"policy:{storable(policy, 'policy')[:60]}@")
    if ref is not None or batch is not None or policy is not None:
        name = "pk"
    else:
        seal()
        name = "seal__number"
        rows = rows.select_related("seal", "scope", "undone_by").filter(seal__isnull=False)
    if since is not None:
        rows = rows.filter(**{f"{name}__{'lt' if newest else 'gt'}": since})
    found = list(rows.order_by(f"-{name}" if newest else name)[: limit + 1])
    items = found[:limit]
    if len(found) <= limit:
        return Page(items)
    last = items[-1]
    return Page(items, str(last.pk if name == "pk" else last.seal.number))


def batch_id(text: str) -> uuid.UUID:
    """Raises `NotFound`: a word that is no batch id names no batch."""
    try:
        return uuid.UUID(text)
    except ValueError:
        raise NotFound(f"no batch {text[:60]!r}") from None


def _number(after: str | None) -> int | None:
    if after is None or after == "":
        return None
    if not (after.isascii() and after.isdigit()) or len(after) > 19 or int(after) > MAX_ID:
        raise Invalid("after is a number that an earlier page gave", field="after")
    return int(after)


def last_seal_number() -> int:
    """The sealer's newest number; 0 for an empty journal. A follower starts from here."""
    return Seal.objects.order_by("-number").values_list("number", flat=True).first() or 0


def event_at(pk: int | str, access: Access, *, right: Right | None = None) -> JournalEvent:
    """One event. Raises `NotFound` where there is none in the caller's sight, `Forbidden` in sight without `right`; a verb
    that asks for its own right names none."""
    word = str(pk)
    event = None
    if word.isascii() and word.isdigit() and len(word) <= 19 and int(word) <= MAX_ID:
        event = event_rows().filter(pk=int(word)).first()
    if event is None or not access.sees(event.scope.path):
        raise NotFound(f"no event {word[:60]!r}")
    if right is not None and not access.may(right, event.scope.path):
        raise Forbidden(f"you may not {right} in {event.scope.path}")
    return event


def check_chain() -> dict[str, object]:
    """`{ok, events, sealed, root, redacted, broken}`: every digest of the chain computed again."""
    seal()
    with connection.cursor() as cursor:
        cursor.execute("SELECT ok, events, sealed, root, redacted, broken FROM ledger_verify_journal()")
        names = [column.name for column in cursor.description or ()]
        return dict(zip(names, cursor.fetchone(), strict=True))


# How many events one page looks through for what it wants; where it finds too little, the next page goes on from there.
STRETCH = 20_000
# Events are sealed a little after they happen, and not in their order: so many more are looked at on both sides of a time.
SLACK = 1_000


@dataclass(frozen=True, slots=True)
class JournalQuery:
    """`actor` is the whole name; `since` and `until` are times of the event, half-open. Empty means: do not ask."""

    actor: str = ""
    verb: str = ""
    scope: str = ""
    since: dt.datetime | None = None
    until: dt.datetime | None = None

    @property
    def given(self) -> bool:
        return bool(self.actor or self.verb or self.since or self.until)


def search_journal(
    access: Access, sought: JournalQuery, *, cursor: int | None = None, limit: int = 50
) -> Page[JournalEvent]:
    """`cursor` is the sealer's number before which to go on. A page may be short, or empty, and still have a `next`: then
    there is more of the journal to look through."""
    seal()
    top = cursor - 1 if cursor is not None else last_seal_number()
    if sought.until is not None and cursor is None:
        top = min(top, seal_number_at(sought.until) + SLACK)
    bottom = max(0, top - STRETCH)
    lowest = max(0, seal_number_at(sought.since) - SLACK) if sought.since is not None else 0
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


def seal_number_at(moment: dt.datetime) -> int:
    """About the number that the sealer had reached at `moment`: it numbers in the order of its own time."""
    low, high = 0, last_seal_number()
    while low < high:
        middle = (low + high) // 2
        row = Seal.objects.filter(number__gt=middle).order_by("number").values_list("number", "sealed_at").first()
        if row is None or row[1] >= moment:
            high = middle
        else:
            low = row[0]
    return low


def chain_root() -> tuple[int, str]:
    """The newest seal's number and its digest, which stands for all before it; (0, "") for an empty journal."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT number, encode(digest, 'hex') FROM ledger_seal ORDER BY number DESC LIMIT 1")
        number, root = cursor.fetchone() or (0, "")
        return int(number), str(root)
