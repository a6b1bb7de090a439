"""Lists that cost the same on every page: no counting, no offset. The address holds the last row's key."""

import json
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import PAGE_VAR, ChangeList
from django.core.exceptions import ValidationError
from django.db.models import F, Field, QuerySet
from django.db.models.expressions import Combinable
from django.http import HttpRequest

from ledger.errors import Invalid
from ledger.rules.storable import storable

AFTER, BEFORE = "after", "before"
# Few rows that the planner can find cheaply (its own unit: a page read in order is 1) are found as a whole and then
# sorted. It would rather walk down the key until enough rows have passed, trusting that rare rows lie spread evenly;
# those of a small scope or a rare word do not. What has no index of its own is dearer, and walking the key is right.
FEW = 20_000
CHEAP = 20_000


class KeysetChangeList(ChangeList):
    """Orders by the admin's `keyset` (a unique column, `-pk` unless it says otherwise) and by nothing else.

    `p=after:KEY` and `p=before:KEY` turn the pages, `p=before:` is the last one. How many rows there are is what the
    planner believes, unless all of them are on the page.
    """

    keyset: str

    def __init__(self, request: HttpRequest, *args: Any) -> None:
        try:
            storable(dict(request.GET.lists()), "query")
        except Invalid as error:
            raise IncorrectLookupParameters(str(error)) from None
        super().__init__(request, *args)

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> list[str | Combinable]:
        return [self.model_admin.keyset]  # type: ignore[attr-defined]

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        return super().get_queryset(request, exclude_parameters).defer(*self.model_admin.list_defer)  # type: ignore[attr-defined]

    def get_results(self, request: HttpRequest) -> None:
        keyset = self.model_admin.keyset  # type: ignore[attr-defined]
        column, descending = keyset.removeprefix("-"), keyset.startswith("-")
        direction, _, word = request.GET.get(PAGE_VAR, "").partition(":")
        backwards = direction == BEFORE
        rows = self.queryset
        if word and direction in (AFTER, BEFORE):
            field = self.lookup_opts.pk if column == "pk" else self.lookup_opts.get_field(column)
            assert isinstance(field, Field)  # noqa: S101 (an admin orders by a column of its own)
            try:
                key = field.to_python(word)
            except ValidationError as error:
                raise IncorrectLookupParameters(str(error)) from None
            rows = rows.filter(**{f"{column}__{'lt' if descending != backwards else 'gt'}": key})
        plan = planned(self.queryset) if self.queryset.query.where else None
        if plan is not None and plan.few and column == "pk":
            rows = sorted_after_finding(rows, descending=descending != backwards)
        elif backwards:
            rows = rows.reverse()
        found = list(rows[: self.list_per_page + 1])
        more = len(found) > self.list_per_page
        found = found[: self.list_per_page]
        if backwards:
            found.reverse()
        has_previous = more if backwards else bool(word)
        has_next = bool(word) if backwards else more
        self.result_list = found
        # What is selected is what is on the page: there is no "select all 1,000,000".
        self.result_count = len(found)
        self.full_result_count = None
        self.show_full_result_count = False
        self.show_admin_actions = True
        self.can_show_all = self.multi_page = False
        if not has_previous and not has_next:
            self.size, self.size_is_exact = len(found), True
        else:
            self.size, self.size_is_exact = (plan or planned(self.queryset)).rows, False
        self.first_url = self.get_query_string() if has_previous else ""
        self.previous_url = self._page(BEFORE, found[0], column) if has_previous and found else ""
        self.next_url = self._page(AFTER, found[-1], column) if has_next and found else ""
        self.last_url = self.get_query_string({PAGE_VAR: f"{BEFORE}:"}) if has_next else ""

    def _page(self, direction: str, row: Any, column: str) -> str:
        return self.get_query_string({PAGE_VAR: f"{direction}:{getattr(row, column)}"})


@dataclass(frozen=True, slots=True)
class Plan:
    """What the planner expects of finding all rows, in no order: how many, and its own measure of the work."""

    rows: int
    cost: float

    @property
    def few(self) -> bool:
        return self.rows <= FEW and self.cost <= CHEAP


def planned(rows: QuerySet[Any]) -> Plan:
    """Asks in about a millisecond, whatever the size of the table."""
    answer = rows.order_by().values("pk").explain(format="json")
    if not answer:
        # Django knows on its own that nothing can match.
        return Plan(0, 0)
    top = json.loads(answer)[0]["Plan"]
    return Plan(int(top["Plan Rows"]), float(top["Total Cost"]))


def sorted_after_finding(rows: QuerySet[Any], *, descending: bool = True) -> QuerySet[Any]:
    """The same rows in the key's order, of which the planner cannot know that it is the primary key's."""
    order = F("pk") + 0
    return rows.order_by(order.desc() if descending else order.asc())


def any_found(rows: QuerySet[Any]) -> bool:
    """Whether there is a row, through the filters' own indexes. What takes long to find is taken for there."""
    if not planned(rows).few:
        return True
    return bool(sorted_after_finding(rows).values_list("pk", flat=True)[:1])
