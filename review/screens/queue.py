"""The queue: the list, the card that lies open, and those that come after it (contract §4)."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from ledger.actor import Actor
from ledger.errors import NotFound
from ledger.models import Claim, Kind, Layer
from ledger.reads.claims import claim_at, claim_rows
from ledger.reads.page import Page
from ledger.reads.queue.backlog import Snoozed, backlog, snoozed
from ledger.reads.queue.related import Cluster, clusters
from ledger.reads.queue.whereabouts import Whereabouts, decided_since, waiting_count, whereabouts
from ledger.reads.rivals import previews
from ledger.reads.scopes import visible
from ledger.reads.teamwork import Holder, colleagues_of, handed_counts, holders_of, with_others
from ledger.rules.columns import UNSTORABLE
from ledger.rules.permissions import Right
from ledger.rules.reconcile import PromotionPreview
from ledger.rules.states import IN_QUEUE
from review.desk.cards import CandidateCard, cards_of, comparison_mark
from review.desk.filters import OLDER, Filters
from review.desk.reservations import Reader, read_by_others, reserve, reserved_by_others
from review.desk.saved_views import opening_view, views_of
from review.desk.staleness import Staleness, staleness_of
from review.digest.mentions import mentions_of
from review.screens.frame import ScreenRequest, page, screen
from review.screens.refusal import Refusal
from review.screens.verbs import REASONS

# Cards that are already there when a key decides: so many decisions may be on their way at once.
AHEAD = 5
MAX_SCOPES = 500
# A desk names at most so many cards of its own.
MAX_NAMED = 20
STATUSES = ("pending", "deferred", "rejected", "expired", "merged")
ORDERS = {
    "best": "Best first",
    "rank": "By rank alone",
    "risk": "High risk first",
    "age": "Oldest first",
    "newest": "Newest first",
}


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A line of the list beside the card. `holder` is whose turn it is, where somebody passed it on, `since` what changed under it,
    `crowd` what stands behind it."""

    claim: Claim
    preview: PromotionPreview | None
    query: str
    open: bool
    reader: Reader | None
    holder: Holder | None
    since: tuple[Staleness, ...]
    crowd: Cluster | None
    crowd_query: str


@dataclass(slots=True)
class Desk:
    """The page: its list, and where there is one the open card, with those `ahead` that come after it. `opened` is the open
    card's ref, `reader` who else reads it where it was opened by hand.

    The rest are parameters of addresses: of the list's first and next page, of the cards around the open one, of everything
    that waits, whatever somebody's own view is; and `back`, where a form comes back to when it works without JavaScript.
    """

    filters: Filters
    rows: list[QueueRow]
    next_page: str
    may_batch: bool
    opened: str = ""
    reader: Reader | None = None
    card: CandidateCard | None = None
    ahead: list[CandidateCard] = field(default_factory=list)
    # What is put off, where the page tells of it; and where the rest of the place's candidates are, where nothing is left here.
    snoozed: Snoozed = field(default_factory=Snoozed)
    elsewhere: Whereabouts = field(default_factory=Whereabouts)
    # How many wait that were passed on to its reader, and to others.
    handed: tuple[int, int] = (0, 0)
    # How many wait in this list, None where that is not counted, and how many its reader has decided today.
    left: int | None = None
    decided: int = 0
    # What others read on this page, one row for each of them, whoever is done first first.
    readers: list[QueueRow] = field(init=False)
    # What was passed on to others, where nothing else is left on this page.
    kept: list[QueueRow] = field(init=False)
    first_page: str = field(init=False)
    previous: str = field(init=False)
    following: str = field(init=False)
    # Which of the list the open card is, from 1; 0 on a later page, and where it stands in none.
    position: int = field(init=False)
    back: str = field(init=False)
    unfiltered: str = "order=best"

    def __post_init__(self) -> None:
        readers = [(row.reader.until, row.reader.name, row) for row in self.rows if row.reader]
        self.readers = list({name: row for _, name, row in sorted(readers, key=itemgetter(0, 1))}.values())
        self.kept = [row for row in self.rows if row.holder and not row.reader]
        self.back, self.first_page = "/?" + self.filters.query(), self.filters.query(cursor="")
        queries = ["", *(row.query for row in self.rows), ""]
        at = next((at for at, row in enumerate(self.rows, 1) if row.open), 0)
        self.previous, self.following = (queries[at - 1], queries[at + 1]) if at else ("", "")
        self.position = at if not self.filters.cursor else 0


@require_GET
@screen
def queue(request: ScreenRequest) -> HttpResponse:
    """What the address says; without any parameter the view that its reader wants to open with."""
    if not request.GET and not request.htmx and (query := opening_view(request.actor)):
        return redirect("/?" + query)
    return show_desk(request, request.GET, card=request.GET.get("card", ""), then=request.GET.get("then", ""))


def show_desk(
    request: ScreenRequest,
    parameters: Mapping[str, str],
    *,
    card: str = "",
    then: str = "",
    refusal: Refusal | None = None,
) -> HttpResponse:
    """The whole page, or for htmx the desk alone; a refusal stands on its card, with what was typed."""
    desk = desk_of(request.actor, Filters.read(parameters), card=card, then=then)
    status = 200
    if refusal and desk.card:
        desk.card.refuse(refusal)
        status = refusal.status
    context = {"desk": desk, "here": "queue", **choices(request)}
    if not request.htmx or desk.card is None:
        desk.snoozed = snoozed(request.actor.access)
        desk.handed = handed_counts(request.actor.access, request.actor.user_id, desk.filters.scope or None)
    if desk.card is None:
        desk.elsewhere = whereabouts(request.actor.access, desk.filters.scope or None)
    if request.htmx:
        return render(request, "review/_desk.html", context | {"backlog": backlog(request.actor.access)}, status=status)
    context |= {"layers": Layer.values, "ages": list(OLDER), "views": views_of(request.actor)}
    context["colleagues"] = colleagues_of(request.actor.access)
    context["mentioned"] = mentions_of(request.actor.user_id).filter(read_at=None).count()
    return page(request, "review/queue.html", context, status=status)


def choices(request: ScreenRequest) -> dict[str, Any]:
    """What the selects of filters and forms offer. Two queries."""
    paths = visible(request.actor.access).order_by("path").values_list("path", flat=True)
    return {
        "scopes": list(paths[:MAX_SCOPES]),
        "kinds": list(Kind.objects.order_by("name").values_list("name", flat=True)),
        "statuses": STATUSES,
        "orders": ORDERS,
        "reasons": REASONS,
    }


def desk_of(actor: Actor, filters: Filters, *, card: str = "", then: str = "") -> Desk:
    """The page of the list that the filters name, and an open card with those after it.

    Open is `card` (a ref, whatever became of it), else `then` where it still stands in the list and is free, else the first that
    is: nobody else reads it, and it was passed on to nobody else. What is open and what comes next is reserved for its reader.
    A fixed number of queries: the list, its previews, and the cards together.
    """
    found = filters.page(actor)
    if not found.items and filters.cursor:
        filters = replace(filters, cursor="")
        found = filters.page(actor)
    others = read_by_others(actor.user_id, [claim.pk for claim in found.items])
    held = holders_of([claim.pk for claim in found.items])
    kept = {pk for pk, holder in held.items() if holder.user_id != actor.user_id and filters.handed != "others"}
    free = [claim for claim in found.items if claim.pk not in others and claim.pk not in kept]
    wanted = _opened(actor, found.items, free, card, then)
    line = [wanted, *_following(free, wanted)[:AHEAD]] if wanted else []
    cards = _reserved(actor, line, asked=card)
    everything = list({claim.pk: claim for claim in [*found.items, *cards]}.values())
    met, since = previews(everything), staleness_of(everything)
    shown = cards_of(cards, actor, met)
    for one in shown:
        one.since = since.get(one.claim.pk, ())
        one.next_ref = next((claim.ref for claim in _following(free, one.claim)), "")
    desk = list_of(found, actor, filters, others, cards[0].ref if cards else "", met, since, held)
    if shown:
        desk.card, *desk.ahead = shown
        desk.reader = others.get(cards[0].pk)
    return desk


def _opened(actor: Actor, rows: list[Claim], free: list[Claim], ref: str, then: str) -> Claim | None:
    here = {claim.ref: claim for claim in (rows if ref else free)}
    if ref and ref not in here:
        with suppress(NotFound):
            return claim_at(ref, actor.access, claims=claim_rows())
    return here.get(ref or then) or next(iter(free), None)


def _following(rows: list[Claim], opened: Claim) -> list[Claim]:
    """The rows after the open one; behind the last, from the first on."""
    at = next((at for at, claim in enumerate(rows) if claim.pk == opened.pk), -1)
    return rows[at + 1 :] + rows[: max(at, 0)]


def _reserved(actor: Actor, line: list[Claim], *, asked: str) -> list[Claim]:
    """What of the line is its reader's from now on; somebody may have come first since the list was read. What was asked for
    by name is shown whoever reads it, and who may not decide reserves nothing."""
    wanted = {
        claim.pk for claim in line if claim.status in IN_QUEUE and actor.access.may(Right.REVIEW, claim.scope.path)
    }
    lost = wanted - reserve(actor.user_id, wanted)
    return [claim for claim in line if claim.pk not in lost or claim.ref == asked]


def cards_ahead(actor: Actor, filters: Filters, have: Collection[str], seen: Collection[str]) -> list[CandidateCard]:
    """More cards for a desk that has those named `have`, in the list's order, reserved for it; none of `seen`, whose decisions
    may still be on their way."""
    missing = AHEAD - len(have)
    if missing <= 0:
        return []
    known = {*have, *seen}
    others = reserved_by_others(actor.user_id)
    if filters.handed != "others":
        others += with_others(actor.user_id)
    found = filters.page(actor, without=others, limit=missing + len(known)).items
    line = _reserved(actor, [claim for claim in found if claim.ref not in known][:missing], asked="")
    return cards_of(line, actor, previews(line))


def compared_anew(actor: Actor, marks: Mapping[str, str]) -> list[CandidateCard]:
    """Of the cards that a page holds, by ref with their marks, those that would meet something else by now than they say.

    One that somebody changed is left as it is: its reader is told so when it is decided. Four queries where nothing is new.
    """
    rows = [claim for claim in claim_rows().filter(ref__in=marks) if actor.access.sees(claim.scope.path)]
    met = previews(claim for claim in rows if marks[claim.ref].partition("-")[0] == str(claim.version))
    new = [claim for claim in rows if claim.pk in met and comparison_mark(claim, met[claim.pk]) != marks[claim.ref]]
    return cards_of(new, actor, met) if new else []


def marks_of(words: str) -> dict[str, str]:
    """`REF.MARK,REF.MARK`, as a page says what it holds; of what cannot be stored nothing."""
    named = words.split(",")[:MAX_NAMED] if UNSTORABLE.search(words) is None else []
    return {ref: mark for ref, _, mark in (one.partition(".") for one in named) if ref}


def list_of(
    found: Page[Claim],
    actor: Actor,
    filters: Filters,
    others: Mapping[int, Reader],
    opened: str,
    met: Mapping[int, PromotionPreview],
    since: Mapping[int, tuple[Staleness, ...]],
    held: Mapping[int, Holder],
) -> Desk:
    """The desk without its cards. One query where the page ends in something weak, for what stands behind; one for what its
    reader has decided today, one more for a long list's length."""
    behind = clusters(found.items, actor.access) if filters.collapsed else {}
    # The view that shows all of a rule's candidates in one source.
    views = {pk: filters.query(cursor="", rule=one.rule, source=str(one.source)) for pk, one in behind.items()}
    rows = [
        QueueRow(
            claim=claim,
            preview=met.get(claim.pk),
            query=filters.query(card=claim.ref),
            open=claim.ref == opened,
            reader=others.get(claim.pk),
            holder=held.get(claim.pk),
            since=since.get(claim.pk, ()),
            crowd=behind.get(claim.pk),
            crowd_query=views.get(claim.pk, ""),
        )
        for claim in found.items
    ]
    may_batch = any(actor.access.may(Right.REVIEW, claim.scope.path) for claim in found.items)
    desk = Desk(filters, rows, filters.next_page(found), may_batch, opened)
    desk.left = _left(found, actor, filters)
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    desk.decided = decided_since(actor.access, actor.user_id, midnight, filters.scope or None)
    return desk


def _left(found: Page[Claim], actor: Actor, filters: Filters) -> int | None:
    """How many wait in the list: all of a short one, else counted where nothing but the place narrows it."""
    if not found.next and not filters.cursor:
        return len(found.items)
    if filters.chosen <= {"scope"} and filters.status in ("", "pending"):
        return waiting_count(actor.access, filters.scope or None)
    return None
