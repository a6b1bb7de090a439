"""One value on a page to be printed, for somebody who checks: what holds, who countersigned it and when, whose words it rests on,
and what it replaced."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from ledger.models import Claim, TrustedState
from ledger.reads.claims import claim_at, claim_rows
from ledger.reads.journal import chain_root
from ledger.reads.scopes import require_sight
from ledger.reads.why import TRUSTED_REF, why
from ledger.rules.permissions import Access, Right
from review.desk.evidence import quotes_of
from review.desk.fields import value_text
from review.screens.frame import ScreenRequest, page, screen

MAX_REPLACED = 100


@require_GET
@screen
def record(request: ScreenRequest, ref: str) -> HttpResponse:
    """Of a claim or a trusted value, checked while it is read."""
    access = request.actor.access
    told = _of_trusted(ref, access) if TRUSTED_REF.fullmatch(ref) else _of_claim(ref, access)
    number, root = chain_root()
    chain = why(ref, access)
    context = told | {
        "why": chain,
        "acts": [step for step in chain.chain if step.layer in ("trusted", "entity", "candidate") and step.event],
        "number": number,
        "root": root,
        "printed": timezone.now(),
    }
    return page(request, "review/record.html", context)


def _of_claim(ref: str, access: Access) -> dict[str, Any]:
    claim = claim_at(ref, access, claims=claim_rows())
    gone = claim_rows().filter(successor=claim).order_by("pk")[:MAX_REPLACED]
    return {
        "row": claim,
        "kind": claim.kind_id,
        "value": value_text(claim.value),
        "quotes": quotes_of([claim.pk], access)[claim.pk],
        "replaced": [row for row in gone if access.may(Right.READ, row.scope.path)],
    }


def _of_trusted(ref: str, access: Access) -> dict[str, Any]:
    row = TrustedState.objects.filter(ref=ref.upper()).select_related("scope").first()
    trusted = require_sight(row, access, f"no trusted value {ref[:60]!r}")
    cited = list(Claim.objects.filter(ref__in=trusted.cites).values_list("pk", flat=True))
    earlier = TrustedState.objects.filter(scope=trusted.scope_id, key=trusted.key, pk__lt=trusted.pk)
    return {
        "row": trusted,
        "kind": "trusted value",
        "value": value_text(trusted.value),
        "quotes": [quote for quotes in quotes_of(cited, access).values() for quote in quotes],
        "replaced": earlier.order_by("pk")[:MAX_REPLACED],
    }
