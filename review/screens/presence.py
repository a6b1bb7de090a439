"""Who else has a card open: asked by the card itself while it lies open."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ledger.reads.claims import claim_at
from review.desk.presence import arrive
from review.screens.frame import ScreenRequest, screen


@require_GET
@screen
def presence(request: ScreenRequest, ref: str) -> HttpResponse:
    claim = claim_at(ref, request.actor.access)
    return render(request, "review/_presence.html", {"colleagues_here": arrive(request.actor.user_id, claim.pk)})
