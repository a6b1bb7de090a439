"""The journal by pages: in the order of its seals with a cursor that misses nothing (law 3), or searched by who, what and when."""

import datetime as dt
import re
import uuid
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from ledger.errors import Invalid, NotFound
from ledger.models import Claim, JournalEvent, Seal
from ledger.reads.history import event_rows
from ledger.reads.packs import kinds
from ledger.reads.page import Page, check_limit
from ledger.reads.scopes import in_sight, reads_everything
from ledger.reads.sql import fetch_rows
from ledger.rules.columns import storable
from ledger.rules.permissions import Access, Right
from ledger.verbs import Verb

# How many events one page looks through for what it wants; where it finds too little, the next page goes on from there.
STRETCH = 20_000
# Events are sealed a little after they happen, and not in their order: so many more are looked at on both sides of a time.
SLACK = 1_000

# What a person decides, as against what is sent, proposed and written along.
DECISIONS = [verb.value for verb in Verb if verb.row.right not in (Right.INGEST, Right.PROPOSE)]

AFTER = re.compile(r"[0-9]{1,18}")

_by_id: Callable[[JournalEvent], int] = attrgetter("pk")
_by_seal: Callable[[JournalEvent], int] = attrgetter("seal.number")


@dataclass(frozen=True, slots=True)
class JournalPage(Page[JournalEvent]):
    """With the `cursor` from which a follower goes on, whether there is more now or not."""

    cursor: str = ""

    def as_json(self, items: Sequence[Any]) -> dict[str, Any]:
        return Page.as_json(self, items) | {"cursor": self.cursor}


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
    verb: str = "",
    kind: str = "",
    newest: bool = False,
    limit: int = 50,
) -> JournalPage:
    """Events the reader may see, oldest first; `newest` turns them round. `verb` and `kind` ask for those of one verb, and for what
    happened to claims of one kind.

    `after` is the sealer's number of the last event read, which `cursor` gives; a follower keeps it and asks again. The
    events of one row, one batch or one policy are listed by id, which orders them, and `after` is then the last event's id.
    Raises `Invalid` for a cursor, batch, verb or kind that is none, `NotFound` for a scope out of sight.
    """
    check_limit(limit)
    if after and not AFTER.fullmatch(after):
        raise Invalid("after is a number that an earlier page gave", field="after")
    rows = _seen(event_rows(), access, scope, descend=descend).filter(**_of(verb, kind))
    start = int(after) if after else None
    if named := _named(ref, batch, policy):
        page = _page(_from(rows.filter(**named), "pk", start, newest, limit), limit, _by_id, None)
        return JournalPage(page.items, page.next, cursor=str(_by_id(page.items[-1])) if page.items else after or "0")
    return _sealed_page(rows, start, limit, newest=newest, by_stretches=bool(verb or kind) and not newest)


def _sealed_page(
    rows: QuerySet[JournalEvent], start: int | None, limit: int, *, newest: bool, by_stretches: bool
) -> JournalPage:
    """Events by the sealer's numbers; what is rare is looked for a stretch at a time."""
    seal()
    # Read before the events are, so that none is sealed between the two and missed.
    last, begin = last_seal_number(), start or 0
    top = min(last, begin + STRETCH) if by_stretches else last
    rows = rows.select_related("seal", "scope", "undone_by").filter(seal__number__lte=top)
    found = _from(rows, "seal__number", start, newest, limit)
    page = _page(found, limit, _by_seal, str(top) if top < last else None)
    follows = page.next if page.next and not newest else str(max(top, begin))
    return JournalPage(page.items, page.next, cursor=follows)


def _from(rows: QuerySet[JournalEvent], column: str, start: int | None, newest: bool, limit: int) -> list[JournalEvent]:
    """One more than a page, from behind the one that the last page ended with."""
    if start is not None:
        rows = rows.filter(**{f"{column}__{'lt' if newest else 'gt'}": start})
    return list(rows.order_by(f"-{column}" if newest else column)[: limit + 1])


def _of(verb: str, kind: str) -> dict[str, Any]:
    """Conditions on what was done, and to what."""
    if verb and verb not in set(Verb):
        raise Invalid(f"no verb {verb[:60]!r}", field="verb")
    if kind and kind not in kinds():
        raise Invalid(f"no kind {kind[:60]!r}", field="kind")
    of_verb = {"verb": verb} if verb else {}
    return of_verb | ({"ref__in": Claim.objects.filter(kind=kind).values("ref")} if kind else {})


def _seen(rows: QuerySet[JournalEvent], access: Access, scope: str | None, *, descend: bool) -> QuerySet[JournalEvent]:
    """Who reads everything asks for no scopes; else the condition on them comes first, a range of the index by scope."""
    if scope is None and reads_everything(access):
        return rows
    return in_sight(rows, access, scope, descend=descend)


def _named(ref: str | None, batch: str | None, policy: str | None) -> dict[str, Any]:
    """Conditions for the events of one row, one batch or one policy."""
    named: dict[str, Any] = {}
    if ref is not None:
        named["ref"] = ref if ref.startswith(("source-", "token-")) else storable(ref, "ref").upper()
    if batch is not None:
        named["batch"] = batch_id(batch)
    if policy is not None:
        # What stands before the @ is a policy's name, whichever version acted.
        named |= {"actor_kind": "policy", "actor_name__startswith": f"policy:{storable(policy, 'policy')[:60]}@"}
    return named


def _page(
    found: list[JournalEvent], limit: int, key: Callable[[JournalEvent], int], further: str | None
) -> Page[JournalEvent]:
    """`further` is where to go on from where fewer than `limit` were found."""
    return Page(found[:limit], str(key(found[limit - 1])) if len(found) > limit else further)


def batch_id(text: str) -> uuid.UUID:
    """Raises `NotFound`: a word that is no batch id names no batch."""
    try:
        return uuid.UUID(text)
    except ValueError:
        raise NotFound(f"no batch {text[:60]!r}") from None


def last_seal_number() -> int:
    """The sealer's newest number; 0 for an empty journal. A follower starts from here."""
    return Seal.objects.order_by("-number").values_list("number", flat=True).first() or 0


def check_chain() -> dict[str, Any]:
    """`{ok, events, sealed, root, redacted, broken}`: every digest of the chain computed again."""
    seal()
    names = ("ok", "events", "sealed", "root", "redacted", "broken")
    return dict(zip(names, fetch_rows(f"SELECT {', '.join(names)} FROM ledger_verify_journal()")[0], strict=True))  # noqa: S608


@dataclass(frozen=True, slots=True)
class JournalQuery:
    """`actor` is the whole name; `since` and `until` are times of the event, half-open. Empty means: do not ask."""

    actor: str = ""
    verb: str = ""
    scope: str = ""
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    # Only what people decided: neither what came in, nor what a program did.
    decisions: bool = False

    @property
    def conditions(self) -> dict[str, Any]:
        """What is asked of the events themselves; their scope apart."""
        words = {"actor_name": storable(self.actor, "actor"), "verb": storable(self.verb, "verb")}
        asked = words | {"at__gte": self.since, "at__lt": self.until}
        if self.decisions:
            asked |= {"actor_kind": "human", "verb__in": DECISIONS}
        return {name: value for name, value in asked.items() if value}

    @property
    def given(self) -> bool:
        return bool(self.conditions)


def search_journal(
    access: Access, query: JournalQuery, *, cursor: int | None = None, limit: int = 50
) -> Page[JournalEvent]:
    """`cursor` is the sealer's number before which to go on. A page may be short, or empty, and still have a `next`: then
    there is more of the journal to look through."""
    seal()
    bottom, top = _stretch(query, cursor)
    lowest = max(0, seal_number_at(query.since) - SLACK) if query.since else 0
    bottom = max(bottom, lowest)
    rows = _seen(
        event_rows().select_related("seal", "scope", "undone_by", "undoes"), access, query.scope or None, descend=True
    )
    wanted = {"seal__number__gt": bottom, "seal__number__lte": top, **query.conditions}
    found = list(rows.filter(**wanted).order_by("-seal__number")[: limit + 1])
    return _page(found, limit, _by_seal, str(bottom + 1) if bottom > lowest else None)


def _stretch(query: JournalQuery, cursor: int | None) -> tuple[int, int]:
    """The numbers that one page looks through, the first of them left out."""
    top = last_seal_number() if cursor is None else cursor - 1
    if query.until and cursor is None:
        top = min(top, seal_number_at(query.until) + SLACK)
    return max(0, top - STRETCH), top


def seal_number_at(moment: dt.datetime) -> int:
    """About the number that the sealer had reached at `moment`: it numbers in the order of its own time."""
    return bisect_left(range(last_seal_number()), moment, key=_sealed_after)


def _sealed_after(number: int) -> dt.datetime:
    """When the seal after this number was set; there is one."""
    return Seal.objects.filter(number__gt=number).order_by("number").values_list("sealed_at", flat=True)[0]


def chain_root() -> tuple[int, str]:
    """The newest seal's number and its digest, which stands for all before it; (0, "") for an empty journal."""
    rows = fetch_rows("SELECT number, encode(digest, 'hex') FROM ledger_seal ORDER BY number DESC LIMIT 1")
    return next(iter(rows), (0, ""))
