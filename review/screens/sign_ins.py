"""Where one is signed in, and the end of it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_GET, require_POST

from ledger.errors import NotFound
from review.screens.frame import ScreenRequest, page, screen, telling_refusals
from review.sessions import end_sign_ins, sign_ins


@require_GET
@screen
def sign_in_list(request: ScreenRequest) -> HttpResponse:
    return page(request, "review/sign_ins.html", {"sign_ins": sign_ins(request), "here": "sign_ins"})


@require_POST
@screen
def end_sign_in(request: ScreenRequest) -> HttpResponse:
    """`handle` names one; without it all others end. The next request of an ended one meets the sign-in page."""
    handle = request.POST.get("handle", "")
    with telling_refusals(request):
        ended = end_sign_ins(request, handle)
        if handle and not ended:
            raise NotFound("that sign-in has ended already")
        messages.success(request, f"{ended} sign-in{pluralize(ended)} ended")
    return redirect("sign_ins")
