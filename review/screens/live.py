"""What an open page asks for by itself: the next cards before they are needed, and what changed meanwhile."""

import hashlib

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ledger.models import Claim
from ledger.reads.claims import claim_rows
from ledger.reads.queue.backlog import backlog
from ledger.reads.rivals import previews
from ledger.reads.teamwork import holders_of
from ledger.rules.permissions import Right
from review.desk.filters import Filters
from review.desk.reservations import pulse, read_by_others, reserve
from review.desk.staleness import staleness_of
from review.screens.frame import ScreenRequest, screen
from review.screens.queue import cards_ahead, choices, compared_anew, list_of, marks_of


def named(request: HttpRequest, parameter: str) -> list[str]:
    return list(marks_of(request.GET.get(parameter, "")))


@require_GET
@screen
def ahead(request: ScreenRequest) -> HttpResponse:
    """The cards that come after those the desk `have`s, as templates."""
    filters = Filters.read(request.GET)
    cards = cards_ahead(request.actor, filters, named(request, "have"), named(request, "seen"))
    back = "/?" + filters.query()
    context = {"cards": cards, "desk": {"back": back}, "back": back, **choices(request)}
    return render(request, "review/_next_cards.html", context)


@require_GET
def live(request: HttpRequest) -> HttpResponseBase:
    """The list and the backlog as they are now, or 304 where nothing that is shown has changed; what lies on the desk (`mine`)
    stays reserved meanwhile, and comes again where it would meet something else by now.

    The tag has two halves. Where the first still beats the same nothing at all happened: one statement beside those of the
    session. Where only the second is the same, something happened that this desk does not show.
    """
    beat = beat_of(request)
    if beat and request.headers.get("If-None-Match", "").startswith(f'"{beat}.'):
        return HttpResponseNotModified(headers={"ETag": request.headers["If-None-Match"]})
    return _live(request, beat)


@screen
def _live(request: ScreenRequest, beat: str) -> HttpResponse:
    actor, filters = request.actor, Filters.read(request.GET)
    found = filters.page(actor)
    keep_reserved(request, found.items)
    others = read_by_others(actor.user_id, [claim.pk for claim in found.items])
    readers = {pk: reader.name for pk, reader in others.items()}
    waiting = backlog(actor.access)
    shown = [(claim.pk, claim.version, readers.get(claim.pk)) for claim in found.items]
    fresh = compared_anew(actor, marks_of(request.GET.get("mine", "")))
    content = hashlib.sha256(repr((shown, waiting, filters, [card.mark for card in fresh])).encode()).hexdigest()[:32]
    tag = f'"{beat}.{content}"'
    if request.headers.get("If-None-Match", "").endswith(f'.{content}"'):
        return HttpResponseNotModified(headers={"ETag": tag})
    met, since = previews(found.items), staleness_of(found.items)
    held = holders_of([claim.pk for claim in found.items])
    desk = list_of(found, actor, filters, others, request.GET.get("open", ""), met, since, held)
    context = {"desk": desk, "backlog": waiting, "cards": fresh, "back": desk.back}
    answer = render(request, "review/_live.html", context | (choices(request) if fresh else {}))
    answer["ETag"] = tag
    return answer


@require_GET
def pulse_of_page(request: HttpRequest) -> HttpResponseBase:
    """The backlog alone, for the head of a page that shows no list; 304 where nothing happened."""
    beat = beat_of(request)
    if beat and request.headers.get("If-None-Match") == f'"{beat}"':
        return HttpResponseNotModified(headers={"ETag": f'"{beat}"'})
    return _head(request, beat)


@screen
def _head(request: ScreenRequest, beat: str) -> HttpResponse:
    answer = render(request, "review/_backlog.html", {"backlog": backlog(request.actor.access)})
    answer["ETag"] = f'"{beat}"'
    return answer


def beat_of(request: HttpRequest) -> str:
    """What anything at all that happened changes, for this person and this address; nothing without a person."""
    if not request.user.is_authenticated:
        return ""
    asked = {name: value for name, value in request.GET.items() if name != "mine"}
    happened = pulse(request.user.pk, named(request, "mine"))
    return hashlib.sha256(repr((request.user.pk, request.path, asked, happened)).encode()).hexdigest()[:24]


def keep_reserved(request: ScreenRequest, rows: list[Claim]) -> None:
    """What lies on the desk, whether it stands on this page of the list or not."""
    access, mine = request.actor.access, named(request, "mine")
    here = [claim for claim in rows if claim.ref in mine]
    elsewhere = claim_rows().filter(ref__in={*mine} - {claim.ref for claim in here})
    held = [row for row in (*here, *elsewhere) if row.status == "pending"]
    reserve(request.actor.user_id, [row.pk for row in held if access.may(Right.REVIEW, row.scope.path)])
