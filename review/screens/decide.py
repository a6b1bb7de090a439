"""A decision on one claim: from the queue it advances to the next card, from a claim's own page it comes back there."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from ledger.errors import DomainError
from ledger.models import Claim, JournalEvent
from ledger.reads.claims import claim_at, claim_rows
from review.screens.claims import show_claim
from review.screens.frame import Asked, back_to, from_queue, parameters_of, screen
from review.screens.queue import show_desk
from review.screens.refusal import refusal_of
from review.screens.verbs import carry_out
from review.screens.words import DONE

STAYS = ("edit",)
ENTITY_VERBS = ("archive", "withdraw", "restore", "supersede", "graduate", "dispute", "recheck")


@require_POST
@screen
def decide(request: Asked, ref: str) -> HttpResponse:
    """What the pressed button says, done to the version that was on the screen."""
    claim = claim_at(ref, request.actor.access, claims=claim_rows().select_related("scope", "kind"))
    action = request.POST.get("action", "")
    try:
        event = carry_out(action, claim, request.POST, request.actor)
    except DomainError as error:
        return refused(request, claim, action, error)
    messages.success(request, f"{claim.ref} {DONE.get(event.verb, event.verb)}", extra_tags=tag_of(event))
    return advanced(request, claim, action)


def advanced(request: Asked, claim: Claim, action: str) -> HttpResponse:
    """The desk with the next card, or the page the form stood on."""
    stay = claim.ref if action in STAYS else ""
    then = request.POST.get("then", "")
    if request.headers.get("X-Requested-With") == "desk":
        # This desk has its next cards already, and asks for more by itself.
        return render(request, "review/_said.html", {"desk": {"back": request.POST.get("back", "")}})
    if request.htmx:
        return show_desk(request, parameters_of(request), card=stay, then=then)
    if from_queue(request):
        return back_to(request, "/", card=stay, then="" if stay else then)
    return redirect("entity" if action in ("promote", *ENTITY_VERBS) else "candidate", claim.ref)


def refused(request: Asked, claim: Claim, action: str, error: DomainError) -> HttpResponse:
    """The row as it now stands, what changed, the choices there are, and in the form what was typed."""
    refusal = refusal_of(error, action, claim)
    if request.htmx or from_queue(request):
        return show_desk(request, parameters_of(request), card=claim.ref, refusal=refusal)
    return show_claim(request, claim.ref, refusal=refusal)


def tag_of(event: JournalEvent) -> str:
    """What the toast's undo button takes back: the batch where there is one, else the event."""
    return f"batch:{event.batch}" if event.batch else f"event:{event.pk}"
