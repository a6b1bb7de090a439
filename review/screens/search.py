"""One search over everything: a page of its own, and for htmx the answers alone, which the dialog shows while one types."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ledger.recall.find import MAX_QUERY
from review.desk.search import find_everything
from review.screens.frame import ScreenRequest, page, screen


@require_GET
@screen
def search(request: ScreenRequest) -> HttpResponse:
    q = request.GET.get("q", "").strip()[:MAX_QUERY]
    groups = find_everything(q, request.actor.access, staff=getattr(request.user, "is_staff", False))
    context = {"q": q, "groups": groups, "here": "search"}
    if request.htmx:
        return render(request, "review/_search_results.html", context)
    return page(request, "review/search.html", context)
