"""To the provider of the single sign-on, and back."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET

from review.screens.second_factor import to_second_step
from review.second_factor import sign_in
from review.single_sign_on import NotLetIn, had_second_factor, is_configured, person_of, provider

log = structlog.get_logger(__name__)

NEXT = "single_sign_on_next"


@contextmanager
def answering_faults() -> Iterator[None]:
    """What the provider or its answer lacks is told to the log; who signs in learns that it did not work."""
    from authlib.common.errors import AuthlibBaseError
    from joserfc.errors import JoseError
    from requests import RequestException

    try:
        yield
    except (AuthlibBaseError, JoseError, RequestException, RuntimeError, ValueError) as error:
        log.warning("single_sign_on_failed", why=type(error).__name__)
        raise NotLetIn("the single sign-on did not work; try it once more, or sign in by your password") from None


@require_GET
def to_provider(request: HttpRequest) -> HttpResponse:
    if not is_configured():
        raise Http404
    request.session[NEXT] = request.GET.get("next", "")
    base = settings.COUNTERSIGN_URL.rstrip("/") or request.build_absolute_uri("/").rstrip("/")
    with answering_faults():
        answer: HttpResponse = provider().authorize_redirect(request, base + reverse("from_provider"))
    return answer


@require_GET
def from_provider(request: HttpRequest) -> HttpResponse:
    """Signs in whom the provider names. What does not fit (state, nonce, signature, issuer, audience, time) is refused alike."""
    if not is_configured():
        raise Http404
    next_page = request.session.pop(NEXT, "")
    with answering_faults():
        claims = provider().authorize_access_token(request).get("userinfo") or {}
    if not sign_in(request, person_of(claims), verified_elsewhere=had_second_factor(claims)):
        return to_second_step(next_page)
    fits = url_has_allowed_host_and_scheme(next_page, request.get_host(), require_https=request.is_secure())
    return HttpResponseRedirect(next_page if fits else "/")
