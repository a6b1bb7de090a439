"""What was said: conversations, sources and their sections. Nothing here changes; a purge takes the words away."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models import QuerySet
from django.db.models.functions import Left, Length
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse

from ledger.actions.purge import purge
from ledger.models import Conversation, Section, Source
from ledger.models.source import SEARCHED_CHARACTERS
from ledger.rules.permissions import Right
from ledger.rules.secrets import masked
from review.admin.base import LedgerAdmin, number
from review.admin.date_filter import when
from review.admin.filters import ScopeFilter, scope_at
from review.admin.forms import form_page
from review.admin.visibility import actor_of

SHOWN_CHARACTERS = 20_000


@admin.register(Conversation)
class ConversationAdmin(LedgerAdmin):
    list_display = ("id", "external_id", "title", "scope", "created_at")
    list_select_related = ("scope",)
    list_filter = (ScopeFilter,)
    search_fields = ("external_id",)
    search_help_text = "A number, or the sender's own id in full"

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        found = rows.filter(external_id=term)
        return found | rows.filter(pk=int(term)) if number(term) else found


class PurgeForm(forms.Form):
    reason = forms.CharField(max_length=2000, widget=forms.TextInput(attrs={"size": 60}))
    sure = forms.BooleanField(label="I know that this cannot be undone")


@admin.register(Source)
class SourceAdmin(LedgerAdmin):
    """Lists never fetch the text; the page shows the first part of it, the screens all of it with its evidence lit."""

    change_form_template = "admin/countersign/source.html"
    list_display = ("id", "kind", "name", "sender", "sender_kind", "scope", "sent_at", "created_at", "purged_at")
    list_select_related = ("scope",)
    list_filter = (ScopeFilter, when("created_at"), "kind", "sender_kind")
    by_scope = ()
    list_defer = page_defer = ("text",)
    linked = ("conversation__id__exact", "wave__id__exact", "purged_at__isnull")
    page_related = ("scope", "conversation", "wave")
    search_fields = ("text",)
    search_help_text = "A number, or words of the text"
    fields = (
        "id", "kind", "title", "scope", "conversation", "position", "sender", "sender_kind", "sent_at", "external_id",
        "reply_to", "wave", "sha256", "created_at", "purged_at",
    )  # fmt: skip

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """Full text over the same expression as the index `source_search`, so that the index serves."""
        if number(term):
            return rows.filter(pk=int(term))
        words = SearchVector(Left("text", SEARCHED_CHARACTERS), config="english")
        query = SearchQuery(term, search_type="websearch", config="english")
        found: QuerySet[Any] = rows.alias(words=words).filter(words=query)
        return found

    @admin.display(description="title")
    def name(self, source: Source) -> str:
        return source.title[:80] or source.external_id[:80]

    def view_on_site(self, source: Source) -> str:
        return f"/sources/{source.pk}"

    def get_urls(self) -> list[URLPattern]:
        purge_view = self.admin_site.admin_view(self.purge_view)
        return [path("<int:pk>/purge/", purge_view, name="ledger_source_purge"), *super().get_urls()]

    def purge_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """A page that says what will be gone, and asks for a reason and a tick."""
        source: Source = self.get_object(request, str(pk))
        self.require(request, Right.ADMINISTER, source.scope.path)
        cited = source.evidence.values("claim_id").distinct().count()
        return form_page(
            request,
            self,
            title=f"Purge source {source.pk}",
            original=source,
            form=PurgeForm,
            do=lambda data: purge(source, actor=actor_of(request), reason=data["reason"]),
            back=reverse("admin:ledger_source_change", args=[source.pk]),
            done=f"Source {source.pk} is purged; its hash and its tombstone stay.",
            button="Purge for good",
            warning=f"The text goes, and every copy of its words with it. Claims that cite it: {cited}. What rests on nothing"
            " else keeps its ref and status and loses its words. There is no undo.",
        )

    def page_context(self, request: HttpRequest, row: Source) -> dict[str, Any]:
        text, length = (
            Source.objects.filter(pk=row.pk).values_list(Left("text", SHOWN_CHARACTERS), Length("text")).get()
        )
        text = masked(text, row.secrets)
        may_purge = row.purged_at is None and self.may(request, Right.ADMINISTER, row.scope.path)
        return {
            "text": text,
            "length": length,
            "shown": SHOWN_CHARACTERS,
            "purge_url": reverse("admin:ledger_source_purge", args=[row.pk]) if may_purge else "",
            "links": [
                (f"{reverse('admin:ledger_section_changelist')}?source__id__exact={row.pk}", "Sections"),
                (f"{reverse('admin:ledger_evidence_changelist')}?source__id__exact={row.pk}", "Evidence"),
                (f"{reverse('admin:ledger_run_changelist')}?source__id__exact={row.pk}", "Runs"),
                (f"{reverse('admin:ledger_gate_changelist')}?source__id__exact={row.pk}", "Checks"),
            ],
        }


@admin.register(Section)
class SectionAdmin(LedgerAdmin):
    scope_lookups = ("source__scope",)
    list_display = ("id", "source_id", "speaker", "name", "start", "end", "scope")
    list_select_related = ("source__scope",)
    list_filter = (scope_at("source__scope"), "speaker")
    list_defer = page_defer = ("source__text",)
    page_related = ("source",)
    linked = ("source__id__exact",)
    search_fields = ("source__id",)
    search_help_text = "The number of a source"

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(source=int(term)) if number(term) else rows.none()

    @admin.display(description="scope")
    def scope(self, section: Section) -> str:
        return section.source.scope.path
