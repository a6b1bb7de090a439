"""A decision on one claim: from the queue it advances to the next card, from a claim's own page it comes back there."""

import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from ledger.actions.promote import promote
from ledger.actor import Actor
from ledger.errors import BadTransition, DomainError, Invalid, SecondPersonNeeded, StaleVersion
from ledger.models import Claim, JournalEvent
from ledger.reads.claims import claim_at, claim_rows
from ledger.reads.conflicts import opened_by
from ledger.reads.rivals import previews
from ledger.rules.reconcile import PromotionOutcome
from ledger.verbs import Verb, done_word
from review.desk.reservations import let_go
from review.insights.decision_times import note_time
from review.screens.batch import MAX_TOGETHER, Report, common_of, decide_each, named_in, tell_left
from review.screens.claims import show_claim
from review.screens.frame import ScreenRequest, back_to, from_queue, parameters_of, screen
from review.screens.idempotency import actor_once, done_before
from review.screens.queue import choices, compared_anew, marks_of, show_desk
from review.screens.refusal import refusal_of
from review.screens.session_resume import kept_for_signed_out
from review.screens.verbs import TOGETHER, carry_out, reason_of

STAYS = ("edit", "join")
# How a form that was carried out already is refused when it comes again.
AGAIN = (StaleVersion, BadTransition, Invalid, SecondPersonNeeded)


@dataclass(frozen=True, slots=True)
class Decided:
    """What a press of a button did: the event of the card's own claim where there is one, and the report of those beside it."""

    event: JournalEvent | None
    report: Report | None

    @property
    def said(self) -> str:
        if self.report is not None:
            return self.report.said
        return f"{self.event.ref} {done_word(self.event.verb)}" if self.event is not None else ""

    @property
    def tag(self) -> str:
        """What the toast's undo button takes back: the batch where there is one, else the event."""
        if self.report is not None:
            return f"batch:{self.report.batch}"
        return tag_of(self.event) if self.event is not None else ""


@kept_for_signed_out
@require_POST
@screen
def decide(request: ScreenRequest, ref: str) -> HttpResponse:
    """What the pressed button says, done to the version that was on the screen and to what was chosen beside it."""
    claim = claim_at(ref, request.actor.access, claims=claim_rows().select_related("scope", "kind"))
    action = request.POST.get("action", "")
    try:
        decided = decide_together(action, claim, request.POST, actor_once(request))
    except DomainError as error:
        return refused(request, claim, action, error)
    if action == Verb.HAND_OVER:
        let_go(claim.pk)
    if decided.said:
        messages.success(request, decided.said, extra_tags=decided.tag)
    for pk, refs in opened_by(decided.event) if decided.event is not None and action == Verb.PROMOTE else ():
        messages.warning(request, f"{claim.ref} cannot be true together with {refs}", extra_tags=f"conflict:{pk}")
    if decided.report is not None:
        tell_left(request, decided.report)
    return advanced(request, claim, action)


def page_of(claim: Claim) -> HttpResponse:
    """The page of the claim as it now stands: what joined another was never promoted."""
    promoted = Claim.objects.values_list("promoted_at", flat=True).get(pk=claim.pk)
    return redirect("candidate" if promoted is None else "entity", claim.ref)


def decide_together(action: str, claim: Claim, posted: QueryDict, actor: Actor) -> Decided:
    """The claim first: where it is refused nothing beside it is decided. With something beside it, all share one batch.

    Raises whatever the verb raises, unless this very form was carried out before.
    """
    beside = [one for one in named_in(posted.getlist("also")[:MAX_TOGETHER]) if one.ref != claim.ref]
    if action == "join":
        return _joined(claim, beside, posted, actor)
    if action == "choose":
        return _chosen(posted, actor)
    if action not in TOGETHER or not beside:
        return Decided(_one(action, claim, posted, actor, None), None)
    event = _one(action, claim, posted, actor, uuid.uuid4())
    report = Report(event.batch or uuid.uuid4())
    report.verbs[event.verb] += 1
    before = partial(done_before, action, posted=_bare(posted), actor=actor)
    decide_each(
        beside, Verb(action), report, actor=actor, before=before, **common_of(action, posted, claim.scope.timezone)
    )
    return Decided(event, report)


def _one(action: str, claim: Claim, posted: QueryDict, actor: Actor, batch: uuid.UUID | None) -> JournalEvent:
    try:
        event = carry_out(action, claim, posted, actor, batch=batch)
    except AGAIN:
        event_before = done_before(action, claim, posted, actor)
        if event_before is None:
            raise
        return event_before
    note_time(actor.user_id, claim.pk, event)
    return event


def _chosen(posted: QueryDict, actor: Actor) -> Decided:
    """Of several values of one key one is promoted, in the place of what held, and the others are rejected; none of them where
    what holds is kept. One batch."""
    rows = named_in(posted.getlist("value")[:MAX_TOGETHER])
    picked = next((one for one in rows if one.ref == posted.get("chosen")), None)
    if picked is None and posted.get("chosen") != "none" or not rows:
        raise Invalid("choose one of the values", field="chosen")
    report, event = Report(uuid.uuid4()), None
    reason = reason_of(posted)
    if picked is not None:
        claim = claim_at(picked.ref, actor.access, claims=claim_rows().select_related("scope", "kind"))
        event = promote(
            claim, actor=actor, expected_version=picked.version, batch=report.batch, reason=reason,
            on_conflict=_in_its_place(claim),
        )  # fmt: skip
        note_time(actor.user_id, claim.pk, event)
        report.verbs[event.verb] += 1
    if event is None or event.verb != Verb.APPROVE:
        why = reason or (f"{picked.ref} was chosen" if picked else "what holds was kept")
        others = [one for one in rows if one is not picked]
        decide_each(others, Verb.REJECT, report, actor=actor, reason=why)
    return Decided(event, report)


def _in_its_place(claim: Claim) -> Literal["supersede"] | None:
    """Whether there is a claim that gives way; a trusted value never does."""
    met = previews([claim]).get(claim.pk)
    contested = met is not None and met.outcome in (PromotionOutcome.SUPERSEDES, PromotionOutcome.CONFLICT)
    return "supersede" if contested and Claim.objects.filter(ref__in=met.against if met else ()).exists() else None


def _joined(claim: Claim, beside: list[Any], posted: QueryDict, actor: Actor) -> Decided:
    """The words of those beside it join the claim, which goes on waiting."""
    if not beside:
        raise Invalid("choose first which ones join", field="also")
    report = Report(uuid.uuid4())
    before = partial(done_before, Verb.MERGE, posted=_bare(posted), actor=actor)
    decide_each(beside, Verb.MERGE, report, actor=actor, before=before, into=claim, **common_of(Verb.MERGE, posted))
    return Decided(None, report)


def _bare(posted: QueryDict) -> QueryDict:
    """The form without what was typed about the card's own claim."""
    bare = posted.copy()
    bare.pop("statement", None)
    return bare


def advanced(request: ScreenRequest, claim: Claim, action: str) -> HttpResponse:
    """The desk with the next card, or the page the form stood on."""
    stay = claim.ref if action in STAYS else ""
    then = request.POST.get("then", "")
    if request.headers.get("X-Requested-With") == "desk":
        # This desk has its next cards already, and asks for more by itself; what they would meet may be another by now.
        back = request.POST.get("back", "")
        fresh = compared_anew(request.actor, marks_of(request.POST.get("mine", "")))
        context = {"desk": {"back": back}, "back": back, "cards": fresh}
        return render(request, "review/_desk_answer.html", context | (choices(request) if fresh else {}))
    if request.htmx:
        return show_desk(request, parameters_of(request), card=stay, then=then)
    if from_queue(request):
        return back_to(request, "/", card=stay, then="" if stay else then)
    if request.POST.get("back", "").startswith("/workspace/"):
        return back_to(request, "/")
    return page_of(claim)


def refused(request: ScreenRequest, claim: Claim, action: str, error: DomainError) -> HttpResponse:
    """The row as it now stands, what changed, the choices there are, and in the form what was typed."""
    refusal = refusal_of(error, action, claim, request.POST)
    if request.htmx or from_queue(request):
        return show_desk(request, parameters_of(request), card=claim.ref, refusal=refusal)
    return show_claim(request, claim.ref, refusal=refusal)


def tag_of(event: JournalEvent) -> str:
    """What the toast's undo button takes back: the batch where there is one, else the event."""
    return f"batch:{event.batch}" if event.batch else f"event:{event.pk}"
