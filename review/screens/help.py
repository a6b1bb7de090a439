"""How to work here, and the switch for the keys (WCAG 2.1.4)."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from review.screens.frame import Asked, back_to, page, screen
from review.screens.verbs import REASONS

A_YEAR_S = 365 * 24 * 3600


@require_GET
@screen
def help_page(request: Asked) -> HttpResponse:
    return page(request, "review/help.html", {"reasons": REASONS, "here": "help"})


@require_POST
@screen
def keys(request: Asked) -> HttpResponse:
    """Single-key shortcuts on or off in this browser."""
    answer = back_to(request, "/help")
    chosen = "off" if request.POST.get("keys") == "off" else "on"
    answer.set_cookie("keys", chosen, max_age=A_YEAR_S, httponly=True, samesite="Lax", secure=request.is_secure())
    return answer
