"""The desk: the queue's filters, its list, and the card that lies open."""

from collections.abc import Collection
from dataclasses import dataclass, field

from ledger.actor import Actor
from ledger.errors import NotFound
from ledger.models import Claim
from ledger.reads.claims import claim_at, claim_rows
from ledger.reads.page import Page
from ledger.reads.queue.backlog import Snoozed
from ledger.reads.queue.related import Cluster, clusters
from ledger.reads.rivals import previews
from ledger.rules.permissions import Right
from ledger.rules.reconcile import PromotionPreview
from ledger.rules.states import IN_QUEUE
from review.desk.cards import CandidateCard, cards_of
from review.desk.filters import Filters as Filters
from review.desk.reservations import Reader, read_by_others, reserve, reserved_by_others
from review.desk.staleness import Staleness, staleness_of

# Cards that are already there when a key decides: so many decisions may be on their way at once.
AHEAD = 5


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A line of the list beside the card. `since` is what changed under it, `crowd` what stands behind it."""

    claim: Claim
    preview: PromotionPreview | None
    query: str
    open: bool
    reader: Reader | None
    since: tuple[Staleness, ...] = ()
    crowd: Cluster | None = None
    crowd_query: str = ""


@dataclass(slots=True)
class Desk:
    filters: Filters
    rows: list[QueueRow]
    card: CandidateCard | None
    ahead: list[CandidateCard]
    next_page: str
    may_batch: bool
    # The ref of the open card, and who else reads it where it was opened by hand.
    opened: str = ""
    reader: Reader | None = None
    # What is put off, where the page tells of it.
    snoozed: Snoozed = field(default_factory=Snoozed)

    @property
    def first_page(self) -> str:
        """The parameters of the list's beginning."""
        return self.filters.query(cursor="")

    @property
    def unfiltered(self) -> str:
        """The parameters of everything that waits, whatever somebody's own view is."""
        return "order=best"

    @property
    def previous(self) -> str:
        """The parameters that open the row before the open one."""
        at = self._at
        return self.filters.query(card=self.rows[at - 1].claim.ref) if at > 0 else ""

    @property
    def following_query(self) -> str:
        at = self._at
        return self.filters.query(card=self.rows[at + 1].claim.ref) if -1 < at < len(self.rows) - 1 else ""

    @property
    def _at(self) -> int:
        return next((at for at, row in enumerate(self.rows) if row.claim.ref == self.opened), -1)

    @property
    def readers(self) -> list[Reader]:
        """Who else is at work on this page, each once, whoever is done first first."""
        return sorted(
            {row.reader.name: row.reader for row in self.rows if row.reader}.values(), key=lambda one: one.until
        )

    @property
    def back(self) -> str:
        """Where a form of this page comes back to when it works without JavaScript."""
        return "/?" + self.filters.query()


def desk_of(actor: Actor, filters: Filters, *, card: str = "", then: str = "") -> Desk:
    """The page of the list that the filters name, and an open card with those after it.

    Open is `card` (a ref, whatever became of it), else `then` where it still stands in the list and nobody else reads it, else
    the first that nobody else reads. What is open and what comes next is reserved for its reader. A fixed number of queries:
    the list, its previews, and the cards together.
    """
    found = filters.page(actor)
    if not found.items and filters.cursor:
        filters = filters.without("cursor")
        found = filters.page(actor)
    others = read_by_others(actor.user_id, [claim.pk for claim in found.items])
    free = [claim for claim in found.items if claim.pk not in others]
    opened = _opened(actor, found.items, free, card, then)
    cards = _mine(actor, _line(free, opened), asked=card)
    opened = cards[0] if cards else None
    everything = [*found.items, *(claim for claim in cards if claim not in found.items)]
    met, since = previews(everything), staleness_of(everything)
    shown = cards_of(cards, actor, met=met)
    for one in shown:
        one.since = since.get(one.claim.pk, ())
        after = _after(free, one.claim)
        one.then = after.ref if after is not None else ""
    ref = opened.ref if opened is not None else ""
    return Desk(
        filters=filters,
        rows=rows_of(found, actor, filters, others, opened=ref, met=met, since=since),
        card=shown[0] if shown else None,
        ahead=shown[1:],
        next_page=filters.query(cursor=found.next) if found.next else "",
        may_batch=any(actor.access.may(Right.REVIEW, claim.scope.path) for claim in found.items),
        opened=ref,
        reader=others.get(opened.pk) if opened is not None else None,
    )


def _mine(actor: Actor, line: list[Claim], *, asked: str) -> list[Claim]:
    """What of the line is its reader's from now on; somebody may have come first since the list was read. What was asked for
    by name is shown whoever reads it, and who may not decide reserves nothing."""
    wanted = [claim for claim in line if claim.status in IN_QUEUE and actor.access.may(Right.REVIEW, claim.scope.path)]
    if actor.user_id is None or not wanted:
        return line
    mine = reserve(actor.user_id, [claim.pk for claim in wanted])
    lost = {claim.pk for claim in wanted} - mine
    return [claim for claim in line if claim.pk not in lost or claim.ref == asked]


def ahead_of(actor: Actor, filters: Filters, have: Collection[str], seen: Collection[str]) -> list[CandidateCard]:
    """More cards for a desk that has those named `have`, in the list's order, reserved for it; none of `seen`, whose decisions
    may still be on their way."""
    missing = AHEAD - len(have)
    if missing <= 0:
        return []
    known = {*have, *seen}
    others = reserved_by_others(actor.user_id)
    found = filters.page(actor, without=others, limit=missing + len(known)).items
    line = _mine(actor, [claim for claim in found if claim.ref not in known][:missing], asked="")
    return cards_of(line, actor)


def _opened(actor: Actor, rows: list[Claim], free: list[Claim], ref: str, then: str) -> Claim | None:
    for claim in rows if ref else free:
        if claim.ref == (ref or then):
            return claim
    if ref:
        try:
            return claim_at(ref, actor.access, claims=claim_rows())
        except NotFound:
            pass
    return free[0] if free else None


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


def rows_of(
    page: Page[Claim],
    actor: Actor,
    filters: Filters,
    others: dict[int, Reader],
    *,
    opened: str,
    met: dict[int, PromotionPreview],
    since: dict[int, tuple[Staleness, ...]],
) -> list[QueueRow]:
    """The lines of one page of the list. One query where it ends in something weak, for what stands behind."""
    behind = clusters(page.items, actor.access) if filters.collapsed else {}
    rows = []
    for claim in page.items:
        crowd = behind.get(claim.pk)
        rows.append(
            QueueRow(
                claim=claim,
                preview=met.get(claim.pk),
                query=filters.query(card=claim.ref),
                open=claim.ref == opened,
                reader=others.get(claim.pk),
                since=since.get(claim.pk, ()),
                crowd=crowd,
                crowd_query=crowd_query(filters, crowd) if crowd else "",
            )
        )
    return rows


def crowd_query(filters: Filters, crowd: Cluster) -> str:
    """The view that shows all of a rule's candidates in one source."""
    return filters.query(cursor="", rule=crowd.rule, source=str(crowd.source))
