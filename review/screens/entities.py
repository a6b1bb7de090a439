"""The list of entities: what people countersigned, with filters that are an address."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_GET, require_POST

from ledger.errors import BadTransition
from ledger.models import Claim
from ledger.reads.claims import claim_at, claim_rows, claims_in_open_conflict
from ledger.reads.packs import packs_of
from ledger.reads.page import Page
from ledger.reads.queue.listing import ClaimFilter, claims_page
from ledger.reads.scopes import scope_at
from ledger.rules.permissions import Access, Right
from review.desk.filters import Address
from review.reading_again import read_again as read_sources_again
from review.screens.frame import ScreenRequest, page, page_or_fault, screen
from review.screens.queue import choices

PER_PAGE = 50
HELD = ("active", "superseded", "archived", "graduated", "withdrawn", "merged")
LAYERS = ("entity", "memory")
MAX_KEYS = 200


@dataclass(frozen=True, slots=True)
class EntityFilters(Address):
    """Parameters of the same names as the API's; `scope` takes in what lies below it."""

    q: str = ""
    scope: str = ""
    kind: str = ""
    key: str = ""
    layer: str = ""
    status: str = ""
    disputed: str = ""
    needs_recheck: str = ""
    cursor: str = ""

    def page(self, access: Access) -> Page[Claim]:
        """Raises `Invalid` by parameter, `NotFound` for a scope out of sight."""
        wanted = ClaimFilter(
            status=self.status or "active", kind=self.kind, key=self.key, layer=self.layer, q=self.q, promoted=True,
            disputed=bool(self.disputed) or None, needs_recheck=bool(self.needs_recheck) or None,
        )  # fmt: skip
        return claims_page(
            access, wanted, scope=self.scope or None, descend=True, limit=PER_PAGE, cursor=self.cursor or None
        )


@require_GET
@screen
def entities(request: ScreenRequest) -> HttpResponse:
    """What holds, newest first, with filters for what once held."""
    filters, access = EntityFilters.read(request.GET), request.actor.access
    found, error = page_or_fault(lambda: filters.page(access))
    context = {
        "claims": found.items,
        "contradicted": claims_in_open_conflict([claim.pk for claim in found.items]),
        "next_page": filters.next_page(found),
        "filters": filters,
        "keys": _keys(filters.scope, access),
        "layers": LAYERS,
        "here": "entities",
        **choices(request),
        "statuses": HELD,
    }
    return page(request, "review/entities.html", context, error=error)


def _keys(path: str, access: Access) -> list[str]:
    """The keys that the packs of a chosen scope name, to pick from."""
    return sorted(packs_of(scope_at(path, access)).keys)[:MAX_KEYS] if path else []


@require_POST
@screen
def read_again(request: ScreenRequest, ref: str) -> HttpResponse:
    """A forced run over each source of the claim, which proposes beside what is there."""
    claim = claim_at(ref, request.actor.access, right=Right.INGEST, claims=claim_rows())
    try:
        count = len(read_sources_again(claim, request.actor))
    except BadTransition as error:
        messages.error(request, error.message.capitalize())
    else:
        messages.success(request, f"{count} run{pluralize(count)} asked for: what they find waits in the queue")
    return redirect("candidate" if claim.promoted_at is None else "entity", claim.ref)
