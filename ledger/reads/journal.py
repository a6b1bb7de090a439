"""The journal in the order of its seals: a cursor that misses nothing, whatever order the ids became visible in (law 3)."""

import uuid

from django.db import connection

from ledger.errors import Forbidden, Invalid, NotFound
from ledger.models import JournalEvent, Seal
from ledger.reads.history import event_rows
from ledger.reads.page import MAX_ID, Page, limit_of
from ledger.reads.scopes import scope_at, visible
from ledger.rules.permissions import GLOBAL, Access, Right
from ledger.rules.storable import storable


def seal() -> None:
    """Number what has been committed since, so that fresh events are listed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal()")


def journal(
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
    limit_of(limit)
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


def last_number() -> int:
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


def verify() -> dict[str, object]:
    """`{ok, events, sealed, root, redacted, broken}`: every digest of the chain computed again."""
    seal()
    with connection.cursor() as cursor:
        cursor.execute("SELECT ok, events, sealed, root, redacted, broken FROM ledger_verify_journal()")
        names = [column.name for column in cursor.description or ()]
        return dict(zip(names, cursor.fetchone(), strict=True))
