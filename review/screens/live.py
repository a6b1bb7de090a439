"""What an open page asks for by itself: the next cards before they are needed, and what changed meanwhile."""

import hashlib
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ledger.models import Claim
from ledger.reads.queue.backlog import backlog
from ledger.reads.rivals import previews
from ledger.rules.columns import UNSTORABLE
from ledger.rules.permissions import Right
from review.desk.desk import Desk, Filters, ahead_of, rows_of
from review.desk.reservations import pulse, read_by_others, reserve
from review.desk.staleness import staleness_of
from review.screens.frame import ScreenRequest, screen
from review.screens.queue import choices

# A desk names at most so many cards of its own.
MAX_NAMED: Final = 20


def named(request: HttpRequest, parameter: str) -> list[str]:
    return [ref for ref in request.GET.get(parameter, "").split(",") if ref and UNSTORABLE.search(ref) is None][
        :MAX_NAMED
    ]


@require_GET
@screen
def ahead(request: ScreenRequest) -> HttpResponse:
    """The cards that come after those the desk `have`s, as templates."""
    filters = Filters.read(request.GET)
    cards = ahead_of(request.actor, filters, named(request, "have"), named(request, "seen"))
    desk = {"back": "/?" + filters.query()}
    return render(
        request, "review/_next_cards.html", {"cards": cards, "desk": desk, "back": desk["back"], **choices(request)}
    )


@require_GET
def live(request: HttpRequest) -> HttpResponseBase:
    """The list and the backlog as they are now, or 304 where nothing that is shown has changed; what lies on the desk (`mine`)
    stays reserved meanwhile.

    The tag has two halves. Where the first still beats the same nothing at all happened: one statement beside those of the
    session. Where only the second is the same, something happened that this desk does not show.
    """
    beat = _beat(request)
    if beat and request.headers.get("If-None-Match", "").startswith(f'"{beat}.'):
        return HttpResponseNotModified(headers={"ETag": request.headers["If-None-Match"]})
    return _live(request, beat)


@screen
def _live(request: ScreenRequest, beat: str) -> HttpResponse:
    actor, filters = request.actor, Filters.read(request.GET)
    found = filters.page(actor)
    keep_reserved(request, found.items)
    others = read_by_others(actor.user_id, [claim.pk for claim in found.items])
    waiting = backlog(actor.access)
    told = [(claim.pk, claim.version, others[claim.pk].name if claim.pk in others else "") for claim in found.items]
    content = hashlib.sha256(repr((told, waiting, filters)).encode()).hexdigest()[:32]
    tag = f'"{beat}.{content}"'
    if request.headers.get("If-None-Match", "").endswith(f'.{content}"'):
        return HttpResponseNotModified(headers={"ETag": tag})
    opened = request.GET.get("open", "")
    desk = Desk(
        filters=filters,
        rows=rows_of(
            found, actor, filters, others, opened=opened, met=previews(found.items), since=staleness_of(found.items)
        ),  # fmt: skip
        card=None,
        ahead=[],
        next_page=filters.query(cursor=found.next) if found.next else "",
        may_batch=any(actor.access.may(Right.REVIEW, claim.scope.path) for claim in found.items),
        opened=opened,
    )
    answer = render(request, "review/_live.html", {"desk": desk, "backlog": waiting})
    answer["ETag"] = tag
    return answer


@require_GET
def pulse_of_page(request: HttpRequest) -> HttpResponseBase:
    """The backlog alone, for the head of a page that shows no list; 304 where nothing happened."""
    beat = _beat(request)
    if beat and request.headers.get("If-None-Match") == f'"{beat}"':
        return HttpResponseNotModified(headers={"ETag": f'"{beat}"'})
    return _head(request, beat)


@screen
def _head(request: ScreenRequest, beat: str) -> HttpResponse:
    answer = render(request, "review/_backlog.html", {"backlog": backlog(request.actor.access)})
    answer["ETag"] = f'"{beat}"'
    return answer


def _beat(request: HttpRequest) -> str:
    """What anything at all that happened changes, for this person and these parameters; nothing without a person."""
    user_id = request.user.pk if request.user.is_authenticated else None
    if user_id is None:
        return ""
    asked = {name: value for name, value in request.GET.items() if name != "mine"}
    happened = pulse(user_id, named(request, "mine"))
    return hashlib.sha256(repr((user_id, asked, happened)).encode()).hexdigest()[:24]


def keep_reserved(request: ScreenRequest, rows: list[Claim]) -> None:
    actor, mine = request.actor, named(request, "mine")
    if not mine or actor.user_id is None:
        return
    by_ref = {claim.ref: claim for claim in rows}
    missing = [ref for ref in mine if ref not in by_ref]
    if missing:
        by_ref |= {
            row.ref: row for row in Claim.objects.filter(ref__in=missing).select_related("scope").defer("search")
        }
    held = [by_ref[ref] for ref in mine if ref in by_ref]
    reserve(
        actor.user_id,
        [row.pk for row in held if row.status == "pending" and actor.access.may(Right.REVIEW, row.scope.path)],
    )
