"""The list of sources: everything that was said where one may read, newest first, with filters that are an address."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Left
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from ledger.models import Evidence, Source, SourceKind, Speaker
from ledger.reads.page import Page, check_choice, newest_page
from ledger.reads.scopes import in_sight, visible
from ledger.recall.find import read_question
from ledger.recall.turns import find_sources
from ledger.rules.columns import storable
from ledger.rules.permissions import Access
from ledger.rules.secrets import masked
from review.desk.filters import Address, number_in
from review.screens.frame import ScreenRequest, page, page_or_fault, screen
from review.screens.queue import choices

PER_PAGE = 50
MAX_FOUND = 1000
MAX_HEAD = 200
# Whether a claim rests on it.
CITED = {"yes": "cited by a claim", "no": "nothing found in it"}


@dataclass(frozen=True, slots=True)
class SourceFilters(Address):
    """`scope` takes in what lies below it; `sender` is a whole name; `since` and `until` are days."""

    q: str = ""
    scope: str = ""
    kind: str = ""
    speaker: str = ""
    sender: str = ""
    cited: str = ""
    wave: str = ""
    cursor: str = ""

    def page(self, access: Access) -> Page[Source]:
        """Raises `Invalid` by parameter, `NotFound` for a scope out of sight. Of a search the likeliest, newest first."""
        rows = in_sight(Source.objects.all(), access, self.scope or None, descend=True)
        for name, column, choice in (("kind", "kind", SourceKind), ("speaker", "sender_kind", Speaker)):
            if value := getattr(self, name):
                rows = rows.filter(**{column: check_choice(value, choice.values, name)})
        if self.sender:
            rows = rows.filter(sender=storable(self.sender, "sender"))
        if wave := number_in(self.wave, "wave"):
            rows = rows.filter(wave=wave)
        if self.cited:
            quoted = Exists(Evidence.objects.filter(source=OuterRef("pk")))
            rows = rows.filter(quoted if check_choice(self.cited, CITED, "cited") == "yes" else ~quoted)
        return newest_page(shown(self._answering(rows, access)), self.cursor or None, PER_PAGE)

    def _answering(self, rows: QuerySet[Source], access: Access) -> QuerySet[Source]:
        if not self.q:
            return rows
        scopes = list(visible(access, root=self.scope or None).order_by().values_list("pk", flat=True))
        found = find_sources(read_question(str(storable(self.q, "q"))), scopes)
        return rows.filter(pk__in=found.order[:MAX_FOUND])


def shown(rows: QuerySet[Source]) -> QuerySet[Source]:
    """With the beginning of each text in place of all of it."""
    return rows.select_related("scope", "conversation").annotate(head=Left("text", MAX_HEAD)).defer("text")


@require_GET
@screen
def source_list(request: ScreenRequest) -> HttpResponse:
    filters, access = SourceFilters.read(request.GET), request.actor.access
    found, error = page_or_fault(lambda: filters.page(access))
    for row in found.items:
        row.head = masked(row.head, row.secrets)  # type: ignore[attr-defined]
    context: dict[str, Any] = {
        "sources": found.items,
        "cites": claims_citing(found.items),
        "filters": filters,
        "next_page": filters.next_page(found),
        "here": "sources",
        **choices(request),
        "kinds": SourceKind.values,
        "speakers": Speaker.values,
        "cited": CITED,
    }
    return page(request, "review/sources.html", context, error=error)


def claims_citing(sources: list[Source]) -> dict[int, int]:
    """By source id how many quotes claims take from it. One query."""
    cites: dict[int, int] = {}
    for pk in Evidence.objects.filter(source__in=[row.pk for row in sources]).values_list("source_id", flat=True):
        cites[pk] = cites.get(pk, 0) + 1
    return cites
