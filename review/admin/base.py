"""What every noun's admin has in common: rows within sight, nothing written but by verbs, pages that stay fast."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.messages import warning
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from ledger.errors import Invalid
from ledger.journal import NOUN_OF, model_of
from ledger.models import JournalChange, JournalEvent
from ledger.rules.columns import storable
from ledger.rules.permissions import Right
from review.admin.keyset import KeysetChangeList
from review.admin.visibility import actor_of, in_sight, reader_of, sees_everything
from review.desk.history import history_entries
from review.site import help_of

MAX_HISTORY = 200
ALL_OF_THE_PAGE = format_html('<input type="checkbox" id="{}" aria-label="Select all of the page">', "action-toggle")


class NamedList(admin.ModelAdmin):  # type: ignore[type-arg]
    """Its list is headed by what its rows are called, with a line that says what they are; an empty one says why."""

    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER
    change_list_template = "admin/countersign/change_list.html"

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        told = {"help": help_of(self.model), "title": capfirst(self.opts.verbose_name_plural)}
        answer: HttpResponse = super().changelist_view(request, {**told, **(extra_context or {})})
        return answer


class LedgerAdmin(NamedList):
    """Read-only. `scope_lookups` say where a row's scope is; a row is shown where all of them are within sight.

    `by_scope` names what stands between scope and id in an index that leads through
    one scope's rows in the order of their ids: nothing `()`, or a column with its values; None without such an index.
    `list_defer` and `page_defer` name columns that a list or a page need not fetch, `page_related` what a page shows of
    other rows. `linked` names further lookups that addresses may carry. A row out of sight is 404; the verbs behind
    the buttons ask for rights on their own.
    """

    scope_lookups: Sequence[str] = ("scope",)
    by_scope: tuple[()] | tuple[str, Sequence[str]] | None = None
    keyset = "-pk"
    list_defer: Sequence[str] = ()
    page_related: Sequence[str] = ("scope",)
    page_defer: Sequence[str] = ()
    linked: Sequence[str] = ()
    list_max_show_all = 0
    sortable_by = ()
    show_full_result_count = False
    actions_on_top = True
    change_form_template = "admin/countersign/change_form.html"

    # Who sees what

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        for lookup in self.scope_lookups:
            rows = rows.filter(in_sight(request, lookup))
        return rows

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Raises Http404 for what is not there or out of sight, which must look the same."""
        field: Any = self.opts.get_field(from_field) if from_field else self.opts.pk
        rows = self.get_queryset(request).defer(*self.page_defer)
        if self.page_related:
            rows = rows.select_related(*self.page_related)
        try:
            key = field.to_python(storable(object_id, "id"))
            return rows.get(**{field.name: key})
        except (ObjectDoesNotExist, ValidationError, ValueError, Invalid):
            raise Http404(f"no {self.opts.verbose_name} {object_id[:40]!r}") from None

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Staff, for rows within sight; Django's own model permissions play no part."""
        if not (request.user.is_active and request.user.is_staff):
            return False
        if obj is None or sees_everything(request) or not self.scope_lookups:
            return True
        return self.get_queryset(request).filter(pk=obj.pk).exists()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Equality only: no pattern over a million rows out of an address."""
        name, _, kind = lookup.rpartition("__")
        plain = lookup if not name else name if kind in ("exact", "isnull") else ""
        return lookup in self.linked or bool(plain and super().lookup_allowed(lookup, value, request))

    # Pages

    @admin.display(description=ALL_OF_THE_PAGE)
    def action_checkbox(self, obj: Model) -> SafeString:
        """As Django's, without a form field for each row: a fifth of what a list costs."""
        return format_html(
            '<input type="checkbox" name="{}" value="{}" class="action-select" aria-label="Select {}">',
            ACTION_CHECKBOX_NAME, obj.pk, str(obj)[:80],
        )  # fmt: skip

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[KeysetChangeList]:
        found: type[KeysetChangeList] = getattr(request, "_changelist", KeysetChangeList)
        return found

    def prepare(self, rows: list[Any]) -> None:
        """Reads what a page of rows shows beside their columns, in a fixed number of queries."""

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """Each admin with a search box says what its words mean in `find`."""
        term = search_term.strip()
        if not term or not self.search_fields:
            return queryset, False
        if len(term) > 500:
            warning(request, "A search has at most 500 characters.")
            return queryset.none(), False
        storable(term, "q")
        return self.find(queryset, term), False

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By number, unless an admin knows better."""
        return rows.filter(pk=int(term)) if number(term) else rows.none()

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The row's events in the journal, the newest first; Django's own log knows nothing of verbs."""
        row = self.get_object(request, object_id)
        noun = NOUN_OF.get(model_of(row))
        if noun is None:
            raise Http404(f"{self.opts.verbose_name_plural} keep no history")
        events = history_entries(events_of(noun, row.pk, request), reader_of(request).access)
        context = {
            **self.admin_site.each_context(request),
            "title": f"History of {row}",
            "opts": self.opts,
            "original": row,
            "history": events,
        }
        return render(request, "admin/countersign/history.html", context)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        context["keeps_history"] = model_of(self.model()) in NOUN_OF
        if context.get("original") is not None:
            context |= self.page_context(request, context["original"])
        return super().render_change_form(request, context, *args, **kwargs)

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """What the row's page shows beside its columns."""
        return {}

    def may(self, request: HttpRequest, right: Right, path: str) -> bool:
        return actor_of(request).access.may(right, path)

    def require(self, request: HttpRequest, right: Right, path: str) -> None:
        """For a page that leads to a verb: who sees the row but may not do this is told so before typing."""
        if not self.may(request, right, path):
            raise PermissionDenied(f"you may not {right} in {path}")


class ReadOnlyInline(admin.StackedInline):  # type: ignore[type-arg]
    """Rows that belong to the row of the page; shown, never written."""

    extra = 0
    can_delete = False
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True


def events_of(noun: str, row: int, request: HttpRequest) -> list[JournalEvent]:
    """Events that changed one row, the newest first, where their scope is within sight."""
    touching = JournalChange.objects.filter(noun=noun, row=row).order_by("-id").values_list("event_id", flat=True)
    rows = JournalEvent.objects.filter(in_sight(request, "scope"), pk__in=list(touching[:MAX_HISTORY]))
    return list(rows.select_related("scope", "undone_by").prefetch_related("changes").order_by("-id"))


def number(term: str) -> bool:
    """Whether a search term can be the number of a row."""
    return term.isascii() and term.isdigit() and len(term) <= 18
