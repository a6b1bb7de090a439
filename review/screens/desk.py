"""The desk: the queue's filters, its list, and the card that lies open."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict

from ledger.actor import Actor
from ledger.errors import NotFound
from ledger.models import Claim
from ledger.reads.claims import claim_at, claim_rows
from ledger.reads.held import previews
from ledger.reads.page import Page
from ledger.reads.queue import Wanted, queue
from ledger.rules.permissions import Right
from ledger.rules.reconcile import Preview
from review.screens.cards import Card, cards_of

PER_PAGE = 25
# Cards that are already there when a key decides: so many decisions may be on their way at once.
AHEAD = 3
FILTERS = ("scope", "kind", "status", "order", "q", "risk", "cursor")


@dataclass(frozen=True, slots=True)
class Filters:
    """The queue's URL parameters. `scope` takes in what lies below it."""

    scope: str = ""
    kind: str = ""
    status: str = ""
    order: str = ""
    q: str = ""
    risk: str = ""
    cursor: str = ""

    @classmethod
    def read(cls, parameters: Mapping[str, str]) -> "Filters":
        return cls(**{name: parameters.get(name, "").strip() for name in FILTERS})

    def page(self, actor: Actor) -> Page[Claim]:
        wanted = Wanted(
            status=self.status or "pending", kind=self.kind, q=self.q, high_risk=True if self.risk == "high" else None
        )
        return queue(
            actor.access, wanted, scope=self.scope or None, descend=True, order=self.order or None, limit=PER_PAGE,
            cursor=self.cursor or None,
        )  # fmt: skip

    def query(self, **more: str) -> str:
        """The parameters that differ from nothing, as they stand in a URL."""
        chosen = QueryDict(mutable=True)
        for name, value in ({name: getattr(self, name) for name in FILTERS} | more).items():
            if value:
                chosen[name] = value
        return chosen.urlencode()

    @property
    def narrowed(self) -> bool:
        return bool(self.scope or self.kind or self.q or self.risk or self.status not in ("", "pending"))


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list beside the card."""

    claim: Claim
    preview: Preview | None
    query: str
    open: bool


@dataclass(slots=True)
class Desk:
    filters: Filters
    rows: list[Row]
    card: Card | None
    ahead: list[Card]
    next_page: str
    previous: str
    following_query: str
    may_batch: bool

    @property
    def first_page(self) -> str:
        """The parameters of the list's beginning."""
        return self.filters.query(cursor="")

    @property
    def back(self) -> str:
        """Where a form of this page comes back to when it works without JavaScript."""
        return "/?" + self.filters.query()


def desk_of(actor: Actor, filters: Filters, *, card: str = "", then: str = "") -> Desk:
    """The page of the list that the filters name, and an open card with those after it.

    Open is `card` (a ref, whatever became of it), else `then` where it still stands in the list, else the first. A fixed
    number of queries: the list, its previews, and the cards together.
    """
    found = filters.page(actor)
    if not found.items and filters.cursor:
        filters = Filters(**{name: getattr(filters, name) for name in FILTERS if name != "cursor"})
        found = filters.page(actor)
    opened = _opened(actor, found.items, card, then)
    cards = _line(found.items, opened)
    met = previews([*found.items, *(claim for claim in cards if claim not in found.items)])
    shown = cards_of(cards, actor, met=met)
    for one in shown:
        after = _after(found.items, one.claim)
        one.then = after.ref if after is not None else ""
    refs = [claim.ref for claim in found.items]
    at = refs.index(opened.ref) if opened is not None and opened.ref in refs else -1
    return Desk(
        filters=filters,
        rows=[_row(claim, met, filters, opened) for claim in found.items],
        card=shown[0] if shown else None,
        ahead=shown[1:],
        next_page=filters.query(cursor=found.next) if found.next else "",
        previous=filters.query(card=refs[at - 1]) if at > 0 else "",
        may_batch=any(actor.access.may(Right.REVIEW, claim.scope.path) for claim in found.items),
        following_query=filters.query(card=refs[at + 1]) if -1 < at < len(refs) - 1 else "",
    )


def _opened(actor: Actor, rows: list[Claim], ref: str, then: str) -> Claim | None:
    for claim in rows:
        if claim.ref == (ref or then):
            return claim
    if ref:
        try:
            return claim_at(ref, actor.access, claims=claim_rows())
        except NotFound:
            pass
    return rows[0] if rows else None


def _line(rows: list[Claim], opened: Claim | None) -> list[Claim]:
    """The open card and the next few in the list's order."""
    line: list[Claim] = [] if opened is None else [opened]
    while line and len(line) <= AHEAD:
        after = _after(rows, line[-1])
        if after is None or after in line:
            break
        line.append(after)
    return line


def _after(rows: list[Claim], opened: Claim | None) -> Claim | None:
    """The row after the open one; behind the last, the first that is another one."""
    if opened is None:
        return None
    at = next((i for i, claim in enumerate(rows) if claim.pk == opened.pk), None)
    if at is not None and at + 1 < len(rows):
        return rows[at + 1]
    return next((claim for claim in rows if claim.pk != opened.pk), None)


def _row(claim: Claim, met: dict[int, Preview], filters: Filters, opened: Claim | None) -> Row:
    is_open = opened is not None and claim.pk == opened.pk
    return Row(claim, met.get(claim.pk), filters.query(card=claim.ref), is_open)
