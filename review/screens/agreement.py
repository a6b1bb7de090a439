"""Whether reviewers agree: a sample is drawn, two people judge it without seeing each other's answers, and kappa is told."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from ledger.errors import BadTransition, DomainError
from ledger.models import Claim
from ledger.reads.claims import claim_rows
from ledger.reads.scopes import scope_at, visible
from ledger.reads.teamwork import colleagues_of
from ledger.rules.permissions import Right
from review.desk.cards import CandidateCard, cards_of
from review.insights.agreement import (
    MAX_SIZE,
    MIN_SIZE,
    SampleState,
    draw_sample,
    end_sample,
    judge,
    sample_at,
    samples,
)
from review.models import BlindVerdict
from review.screens.frame import ScreenRequest, page, screen
from review.screens.verbs import number

MAX_SCOPES = 500


@dataclass(frozen=True, slots=True)
class Apart:
    """A candidate that was judged differently."""

    claim: Claim
    first: str
    second: str


@require_http_methods(["GET", "POST"])
@screen
def agreement_list(request: ScreenRequest) -> HttpResponse:
    """The samples of the scopes in which the reader decides; owners draw a new one."""
    if request.method == "GET":
        return show_list(request)
    posted = request.POST
    try:
        scope = scope_at(posted.get("scope", ""), request.actor.access)
        state = draw_sample(
            scope, first=posted.get("first", "").strip(), second=posted.get("second", "").strip(),
            size=number(posted, "size", digits=4), actor=request.actor,
        )  # fmt: skip
    except DomainError as error:
        return show_list(request, error=error)
    messages.success(
        request, f"{len(state.claims)} candidates drawn: {state.first} and {state.second} judge them, each alone"
    )
    return redirect("agreement", state.pk)


def show_list(request: ScreenRequest, *, error: DomainError | None = None) -> HttpResponse:
    access = request.actor.access
    owned = visible(access, right=Right.ADMINISTER).order_by("path").values_list("path", flat=True)[:MAX_SCOPES]
    context = {
        "samples": samples(access),
        "owned": list(owned),
        "colleagues": colleagues_of(access),
        "sizes": (MIN_SIZE, MAX_SIZE),
        "here": "insights",
    }
    return page(request, "review/agreement_list.html", context, error=error)


@require_http_methods(["GET", "POST"])
@screen
def agreement(request: ScreenRequest, pk: int) -> HttpResponse:
    """The next card to judge, without rank, confidence, state or anybody's answer; once that may be shown, what came of it."""
    state = sample_at(pk, request.actor.access)
    if request.method == "POST":
        return answer(request, state)
    me = request.actor.user_id
    mine = (state.sample.first_id, state.sample.second_id).index(me) if me in readers_of(state) else None
    context = {
        "state": state,
        "card": None if mine is None or state.result else next_card(request, state, mine),
        "judged": state.done[mine] if mine is not None else None,
        "apart": judged_apart(state) if state.result else [],
        "verdicts": list(BlindVerdict),
        "may_end": request.actor.access.may(Right.ADMINISTER, state.sample.scope.path) and state.result is None,
        "here": "insights",
    }
    return page(request, "review/agreement.html", context)


def readers_of(state: SampleState) -> tuple[int, int]:
    return state.sample.first_id, state.sample.second_id


def answer(request: ScreenRequest, state: SampleState) -> HttpResponse:
    if request.POST.get("action") == "end":
        end_sample(state.sample, actor=request.actor)
    else:
        try:
            judge(state.sample, request.actor.user_id, number(request.POST, "claim"), request.POST.get("verdict", ""))
        except BadTransition as error:
            messages.warning(request, error.message)
    return redirect("agreement", state.sample.pk)


def next_card(request: ScreenRequest, state: SampleState, mine: int) -> CandidateCard | None:
    """The first that the reader has not judged and may still read."""
    left = [pk for pk, said in state.answers.items() if said[mine] is None]
    rows = claim_rows().in_bulk(left)
    access = request.actor.access
    claim = next((rows[pk] for pk in left if pk in rows and access.may(Right.READ, rows[pk].scope.path)), None)
    return cards_of([claim], request.actor, {})[0] if claim else None


def judged_apart(state: SampleState) -> list[Apart]:
    said: dict[str | None, str] = dict(BlindVerdict.choices)
    rows = claim_rows().in_bulk(state.apart)
    return [Apart(rows[pk], *(said[one] for one in state.answers[pk])) for pk in state.apart if pk in rows]
