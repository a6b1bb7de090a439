"""What all screens share: who asks, and the page around the answer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from ledger.actor import Actor
from ledger.errors import DomainError, Forbidden, Invalid
from ledger.reads.page import Page
from ledger.reads.queue.backlog import backlog
from review.access import actor_of_request
from review.second_factor import SecondFactorNeeded


class ScreenRequest(HttpRequest):
    """A request of somebody who is signed in; `actor` comes through the door "screen"."""

    actor: Actor
    htmx: HtmxDetails
    # Only of the page where it is set up.
    second_factor_needed: bool


def screen[**P](
    view: Callable[Concatenate[ScreenRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Only for people who are signed in. A piece of a page asked for after the session ended loads the whole sign-in; so does
    what comes from a page of somebody else, who was signed in here before: nobody decides in another's name."""

    @wraps(view)
    def asked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated or not _own_page(request):
            if request.headers.get("HX-Request"):
                return HttpResponseClientRedirect("/login/")
            return redirect_to_login(request.get_full_path() if request.method == "GET" else "/")
        request.actor = actor_of_request(request)  # type: ignore[attr-defined]
        return view(request, *args, **kwargs)  # type: ignore[arg-type]

    return asked


def screen_without_second_factor[**P](
    view: Callable[Concatenate[ScreenRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """As `screen`, also for who still has to set a second factor up; until then nothing else is in sight."""

    @wraps(view)
    def asked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated or not _own_page(request):
            return redirect_to_login(request.path)
        asking: ScreenRequest = request  # type: ignore[assignment]
        asking.second_factor_needed = False
        try:
            asking.actor = actor_of_request(request)
        except SecondFactorNeeded:
            asking.second_factor_needed = True
            asking.actor = Actor("human", request.user.get_username(), "screen", user_id=request.user.pk)
        return view(asking, *args, **kwargs)

    return asked


def _own_page(request: HttpRequest) -> bool:
    """Whether the form stood on a page of whoever is signed in now, as far as it says so."""
    return request.POST.get("reader", str(request.user.pk)) == str(request.user.pk)


def page(
    request: ScreenRequest,
    template: str,
    context: dict[str, Any],
    *,
    error: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    """A whole page with the backlog in its head; `error` says why what was asked or typed was not taken."""
    context = {"backlog": backlog(request.actor.access), "error": error, **context}
    return render(request, template, context, status=error.status if error else status)


def page_or_fault[T](read: Callable[[], Page[T]]) -> tuple[Page[T], Invalid | None]:
    """A page of a list, or an empty one with what is wrong in its address."""
    try:
        return read(), None
    except Invalid as error:
        return Page([]), error


@contextmanager
def telling_refusals(request: HttpRequest, *, titled: bool = False) -> Iterator[None]:
    """What a verb refuses stands as a message on the next page, except where one may not do this at all."""
    try:
        yield
    except Forbidden:
        raise
    except DomainError as error:
        title = f"{error.title.capitalize()}: " if titled else ""
        messages.error(request, title + error.message)


def back_to(request: HttpRequest, fallback: str, **changed: str) -> HttpResponseRedirect:
    """Where the form came from, if that is one of our own pages, with these parameters changed."""
    path, _, query = request.POST.get("back", "").partition("?")
    if not path.startswith("/") or not url_has_allowed_host_and_scheme(path, None):
        path, query = fallback, ""
    parameters = QueryDict(query, mutable=True)
    for name in changed:
        parameters.pop(name, None)
    parameters.update({name: value for name, value in changed.items() if value})
    return HttpResponseRedirect(path + ("?" + parameters.urlencode() if parameters else ""))


def from_queue(request: HttpRequest) -> bool:
    """Whether the form stood on the queue."""
    return request.POST.get("back", "").partition("?")[0] == "/"


def parameters_of(request: HttpRequest) -> QueryDict:
    """The parameters of the page that the form stood on."""
    return QueryDict(request.POST.get("back", "").partition("?")[2])
