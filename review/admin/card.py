"""The card on a claim's page: the review room's own pieces and verbs, through the door named admin."""

from copy import copy
from typing import TYPE_CHECKING, Any, cast

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse

from ledger.errors import DomainError
from ledger.models import Claim
from ledger.reads.claims import claim_rows
from review.admin.keyset import KeysetChangeList
from review.admin.keyset_scan import planned, sorted_after_finding
from review.admin.visibility import actor_of, in_sight, reader_of
from review.screens.batch import tell_left
from review.screens.claims import claim_context
from review.screens.decide import STAYS, decide_together
from review.screens.frame import ScreenRequest
from review.screens.idempotency import actor_once
from review.screens.refusal import refusal_of

if TYPE_CHECKING:
    from review.admin.claim import ClaimAdmin

# How the admin's links carry the filters of the list they came from (Django's own name).
KEPT = "_changelist_filters"


def card_context(model_admin: "ClaimAdmin", request: HttpRequest, row: Claim) -> dict[str, Any]:
    """What `review/_claim.html` shows, with the addresses of this door, and the candidates before and after."""
    claim = claim_rows().select_related("scope", "kind", "successor", "run").get(pk=row.pk)
    asked = cast(ScreenRequest, request)
    asked.actor = reader_of(request)
    shown = claim_context(asked, claim, getattr(request, "_refusal", None))
    name = model_admin.opts.model_name
    kept = request.GET.get(KEPT, "")
    previous, following = neighbours(model_admin, request, row) if claim.promoted_at is None else (None, None)
    shown["card"].next_ref = following.ref if following is not None else ""
    return {
        **shown,
        # On a refusal the address is that of the button; the page is the one it stood on.
        "back": request.POST.get("back", "")[:2000] or request.get_full_path(),
        "decide_at": f"admin:ledger_{name}_decide",
        "previous_url": page_of(model_admin, previous, kept) if previous is not None else "",
        "next_url": page_of(model_admin, following, kept) if following is not None else "",
    }


def neighbours(model_admin: "ClaimAdmin", request: HttpRequest, row: Claim) -> tuple[Claim | None, Claim | None]:
    """The waiting candidates before and after `row` in the list, filtered and searched, that it was opened from."""
    asked = copy(request)
    asked.GET = QueryDict(request.GET.get(KEPT, ""))
    asked._changelist = Rows  # type: ignore[attr-defined]
    try:
        rows = model_admin.get_changelist_instance(asked).queryset
    except IncorrectLookupParameters:
        rows = model_admin.get_queryset(request)
    rows = rows.filter(status="pending").order_by()
    return _one(rows.filter(pk__gt=row.pk), descending=False), _one(rows.filter(pk__lt=row.pk), descending=True)


def _one(rows: QuerySet[Any], *, descending: bool) -> Claim | None:
    rows = rows.select_related(None).only("pk", "ref", "promoted_at")
    if planned(rows).few:
        return sorted_after_finding(rows, descending=descending).first()
    found: Claim | None = rows.order_by("-pk" if descending else "pk").first()
    return found


class Rows(KeysetChangeList):
    """A list's rows, none of them read."""

    def get_results(self, request: HttpRequest) -> None:
        return None


def page_of(model_admin: "ClaimAdmin", claim: Claim, kept: str = "") -> str:
    """The claim's page among the noun that the reader looks at, with the filters of the list it was opened from."""
    url = claim_url(claim, among_all=model_admin.opts.model_name == "claim")
    return f"{url}?{_query(kept)}" if kept else url


def claim_url(claim: Claim, *, among_all: bool = False) -> str:
    """The claim's page under the name it now goes by; one that was just promoted has left the candidates."""
    noun = "claim" if among_all else "entity" if claim.promoted_at else "candidate"
    return reverse(f"admin:ledger_{noun}_change", args=[claim.pk])


def _query(kept: str) -> str:
    query = QueryDict(mutable=True)
    query[KEPT] = kept
    return query.urlencode()


def decide(model_admin: "ClaimAdmin", request: HttpRequest, ref: str) -> HttpResponse:
    """What the pressed button says. It leads on to the next candidate; a refusal shows on the card, with what was typed.

    Raises Http404 for what is out of sight, Forbidden where the reader may not do this.
    """
    claim = claim_rows().select_related("kind").filter(in_sight(request, "scope"), ref=ref[:40]).first()
    if claim is None or "\0" in ref:
        raise Http404(f"no claim {ref[:40]!r}")
    action = request.POST.get("action", "")
    waiting = claim.promoted_at is None
    asked = cast(ScreenRequest, request)
    asked.actor = actor_of(request)
    try:
        decided = decide_together(action, claim, request.POST, actor_once(asked))
    except DomainError as error:
        return _refused(model_admin, request, claim, refusal_of(error, action, claim, request.POST))
    if decided.said:
        messages.success(request, decided.said, extra_tags=decided.tag)
    if decided.report is not None:
        tell_left(asked, decided.report)
    kept = QueryDict(request.POST.get("back", "").partition("?")[2]).get(KEPT, "") or ""
    if waiting and action not in STAYS:
        return _onward(model_admin, request, kept)
    return HttpResponseRedirect(page_of(model_admin, Claim.objects.only("pk", "promoted_at").get(pk=claim.pk), kept))


def _refused(model_admin: "ClaimAdmin", request: HttpRequest, claim: Claim, refusal: Any) -> HttpResponse:
    """The page of the claim as it now stands, with what stopped the decision."""
    request._refusal = refusal  # type: ignore[attr-defined]
    posted, request.method = request.method, "GET"
    request.GET = QueryDict(request.POST.get("back", "").partition("?")[2])
    shown_by: Any = model_admin
    if not model_admin.get_queryset(request).filter(pk=claim.pk).exists():
        # Somebody was faster, and the claim goes by another name now.
        shown_by = model_admin.admin_site._registry[Claim]
    try:
        answer: Any = shown_by.change_view(request, str(claim.pk))
        answer.status_code = refusal.status
        return answer  # type: ignore[no-any-return]
    finally:
        request.method = posted


def _onward(model_admin: "ClaimAdmin", request: HttpRequest, kept: str) -> HttpResponse:
    """The candidate that came next when the card was shown, or the list where none did."""
    then = request.POST.get("then", "")
    following = Claim.objects.filter(in_sight(request, "scope"), ref=then[:40]).only("pk", "promoted_at").first()
    if following is not None and following.promoted_at is None:
        return HttpResponseRedirect(page_of(model_admin, following, kept))
    url = reverse(f"admin:ledger_{model_admin.opts.model_name}_changelist")
    return HttpResponseRedirect(f"{url}?{kept}" if kept else url)
