"""What a claim could be merged into, while somebody types words of it."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ledger.reads.claims import claim_at, claim_rows
from ledger.rules.columns import UNSTORABLE
from review.desk.alike import found_alike
from review.screens.frame import ScreenRequest, screen


@require_GET
@screen
def alike(request: ScreenRequest, ref: str) -> HttpResponse:
    """The list alone, of the claim's own scope."""
    claim = claim_at(ref, request.actor.access, claims=claim_rows())
    words = request.GET.get("into", "").strip()[:200]
    rows = found_alike(claim, words) if words and not UNSTORABLE.search(words) else []
    return render(request, "review/_alike.html", {"alike": rows, "words": words})
