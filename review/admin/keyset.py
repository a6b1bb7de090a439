"""Lists that cost the same on every page: no counting, no offset. The address holds the last row's key."""

from dataclasses import dataclass
from typing import Any

from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import PAGE_VAR, ChangeList
from django.core.exceptions import ValidationError
from django.db.models import Field, QuerySet
from django.db.models.expressions import Combinable
from django.http import HttpRequest

from ledger.errors import Invalid
from ledger.rules.columns import storable
from review.admin.keyset_scan import LOOKED_THROUGH, MAX_PROBES, Places, Plan, first_ids, planned, sorted_after_finding

AFTER, BEFORE = "after", "before"


class KeysetChangeList(ChangeList):
    """Orders by the admin's `keyset` (a unique column, `-pk` unless it says otherwise) and by nothing else.

    `p=after:KEY` and `p=before:KEY` turn the pages, `p=before:` is the last one. How many rows there are is what the
    planner believes, unless all of them are on the page. `look_on_url` leads on where a filter without an index was
    looked for in a part of the table only.
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
        turn = self._turn(request.GET.get(PAGE_VAR, ""))
        plan = planned(self.queryset) if self.queryset.query.where else None
        found, looked_to = self._rows(request, turn, plan)
        more = len(found) > self.list_per_page
        found = found[: self.list_per_page]
        if turn.backwards:
            found.reverse()
        self.model_admin.prepare(found)  # type: ignore[attr-defined]
        self.result_list = found
        # What is selected is what is on the page: there is no "select all 1,000,000".
        self.result_count = len(found)
        self.full_result_count = None
        self.show_full_result_count = False
        self.show_admin_actions = True
        self.can_show_all = self.multi_page = False
        self._lead_on(turn, None if more else looked_to, more)
        alone = not (self.first_url or self.last_url or self.look_on_url)
        self.size = len(found) if alone else (plan or planned(self.queryset)).rows
        self.size_is_exact = alone

    def _turn(self, asked: str) -> "_Turn":
        """What `p=` asks for. Raises `IncorrectLookupParameters` for a word that is no key."""
        keyset = self.model_admin.keyset  # type: ignore[attr-defined]
        column = keyset.removeprefix("-")
        direction, _, word = asked.partition(":")
        backwards = direction == BEFORE
        key = self._key(column, word) if word and direction in (AFTER, BEFORE) else None
        return _Turn(column, keyset.startswith("-") != backwards, key, backwards, entered=bool(word))

    def _key(self, column: str, word: str) -> Any:
        field = self.lookup_opts.pk if column == "pk" else self.lookup_opts.get_field(column)
        assert isinstance(field, Field)  # noqa: S101 (an admin orders by a column of its own)
        try:
            return field.to_python(word)
        except ValidationError as error:
            raise IncorrectLookupParameters(str(error)) from None

    def _rows(self, request: HttpRequest, turn: "_Turn", plan: Plan | None) -> tuple[list[Any], int | None]:
        """A page's rows and one more, and the id up to which was looked if the table goes on there."""
        rows = turn.beyond(self.queryset)
        if plan is None or turn.column != "pk":
            rows = rows.reverse() if turn.backwards else rows
        elif plan.few:
            rows = sorted_after_finding(rows, descending=turn.descending)
        else:
            return self._walked(request, turn)
        return list(rows[: self.list_per_page + 1]), None

    def _lead_on(self, turn: "_Turn", looked_to: int | None, more: bool) -> None:
        """The addresses of the pages around this one; empty where there is none."""
        has_previous, has_next = (more, turn.entered) if turn.backwards else (turn.entered, more)
        found, column = self.result_list, turn.column
        self.first_url = self.get_query_string() if has_previous else ""
        self.previous_url = self._page(BEFORE, getattr(found[0], column)) if has_previous and found else ""
        self.next_url = self._page(AFTER, getattr(found[-1], column)) if has_next and found else ""
        self.last_url = self._page(BEFORE, "") if has_next else ""
        self.look_on_url = "" if looked_to is None else self._page(BEFORE if turn.backwards else AFTER, looked_to)

    def _walked(self, request: HttpRequest, turn: "_Turn") -> tuple[list[Any], int | None]:
        """A page of what no index finds as a whole, and the id up to which was looked if the table goes on there."""
        places = self._places()
        rows, bound, count = turn.beyond(self.queryset), None, self.list_per_page + 1
        if self._needs_a_look(places):
            start = turn.key
            if start is None:
                first = first_ids(self._indexed(request), places, 1, descending=turn.descending)
                start = first[0] if first else 0
            bound = start - LOOKED_THROUGH if turn.descending else start + LOOKED_THROUGH
            rows = rows.filter(**{"pk__gte" if turn.descending else "pk__lte": bound})
        ids = first_ids(rows, places, count, descending=turn.descending)
        shown = self.queryset.model._default_manager.filter(pk__in=ids)
        shown = self.apply_select_related(shown).defer(*self.model_admin.list_defer)  # type: ignore[attr-defined]
        by_id = {row.pk: row for row in shown}
        found = [by_id[pk] for pk in ids if pk in by_id]
        if bound is None or len(ids) == count:
            return found, None
        rest = turn.beyond(self._indexed(request), bound)
        return found, bound if first_ids(rest, places, 1, descending=turn.descending) else None

    def _places(self) -> Places | None:
        """The scopes of the list, where an index leads through each of them in the key's order."""
        by_scope = self.model_admin.by_scope  # type: ignore[attr-defined]
        known = (getattr(spec, "ids", None) for spec in self.filter_specs)
        scopes = next((ids for ids in known if ids is not None), None)
        if by_scope is None or scopes is None:
            return None
        column, values = by_scope or ("", ("",))
        chosen = self.filter_params.get(f"{column}__exact") if column else None
        values = [value for value in values if value in chosen] if chosen else values
        return (scopes, column, values) if len(scopes) * len(values) <= MAX_PROBES else None

    def _needs_a_look(self, places: Places | None) -> bool:
        """Whether something is asked that no index orders: more than the scope, the day, and what stands in the index."""
        by_scope = self.model_admin.by_scope  # type: ignore[attr-defined]
        served = {"scope", PAGE_VAR}
        if places is not None and by_scope:
            served.add(f"{by_scope[0]}__exact")
        for spec in self.filter_specs:
            if getattr(spec, "bounds_ids", False):
                served.update(name for name in spec.expected_parameters() if name)
        return bool(self.query) or any(name not in served for name in self.filter_params)

    def _indexed(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows by scope and day alone."""
        rows: QuerySet[Any] = self.root_queryset
        for spec in self.filter_specs:
            if getattr(spec, "ids", None) is not None or getattr(spec, "bounds_ids", False):
                narrowed = spec.queryset(request, rows)
                rows = rows if narrowed is None else narrowed
        return rows

    def _page(self, direction: str, key: Any) -> str:
        return self.get_query_string({PAGE_VAR: f"{direction}:{key}"})


@dataclass(frozen=True, slots=True)
class _Turn:
    """Which way along the key, and from where; `entered` on any page but the first."""

    column: str
    descending: bool
    key: Any
    backwards: bool
    entered: bool

    def beyond(self, rows: QuerySet[Any], key: Any = None) -> QuerySet[Any]:
        key = self.key if key is None else key
        return rows if key is None else rows.filter(**{f"{self.column}__{'lt' if self.descending else 'gt'}": key})
