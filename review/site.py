"""The admin's site: its nouns grouped by what one comes for, each with a line that says what its rows are."""

from typing import Any

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

GROUPS: dict[str, dict[str, str]] = {
    "Decide": {
        "Candidate": "What was proposed and waits for a person, and what was turned down",
        "Entity": "What a person countersigned: what holds, and what once held",
        "Conflict": "Live claims that cannot all be true; resolve or dismiss them here",
        "TrustedState": "The few values that curators typed with their own hand",
        "Claim": "Every claim, whatever became of it",
        "Dispute": "Objections to a claim, each with its words",
        "Reservation": "Who is reading which candidate just now",
    },
    "Look back": {
        "JournalEvent": "Every decision, with what it changed and its undo; it only grows",
        "Seal": "The digests that chain the journal",
        "Evaluation": "What was measured against labelled texts",
    },
    "What was said": {
        "Source": "Texts as they came in; they never change",
        "Conversation": "Threads that sources belong to",
        "Section": "Parts of a source, and who speaks in each",
        "Evidence": "The exact words that claims rest on; insert-only",
        "Wave": "Batches of sources",
    },
    "What was read": {
        "Run": "Passes of an extractor over a source; failed ones can be retried",
        "RunHit": "What a pass found and did not propose, with the reason",
        "Gate": "Checks of confidence, each with its own score and threshold",
        "Pattern": "Corrections, contradictions, repeated questions and confirmations",
        "Notice": "What the system said to people",
        "Exposure": "What was shown to an agent",
        "Outcome": "What came of it",
    },
    "Set up": {
        "Scope": "Places where something holds, with their settings and members",
        "Member": "Who has which role where",
        "Person": "Who speaks or is spoken of",
        "Pack": "Domains as data: kinds, keys, rules, thresholds",
        "Kind": "What a claim can be",
        "User": "Who can sign in",
        "Group": "Django's own groups; roles in scopes do not use them",
        "AgentToken": "Bearer tokens: what each opens; they can be revoked",
        "IdempotencyRecord": "Writes that may be repeated without doing anything twice",
    },
    "Derived": {
        "Block": "Knowledge blocks as people and agents read them",
        "CatalogItem": "Canonical items",
        "Synonym": "Their other names",
        "PriceObservation": "Prices seen in sources",
        "CatalogLink": "What claims say about items",
    },
}
HELP = {noun: told for group in GROUPS.values() for noun, told in group.items()}


class Site(AdminSite):
    site_header = site_title = "Countersign"
    index_title = "Administration"
    site_url = "/"

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The screens' own sign-in, and from there back. Raises PermissionDenied for who is signed in and may not enter."""
        if not request.user.is_authenticated:
            following = QueryDict(mutable=True)
            following["next"] = request.GET.get("next", reverse("admin:index"))
            return redirect(f"{settings.LOGIN_URL}?{following.urlencode(safe='/')}")
        if not self.has_permission(request):
            raise PermissionDenied("only staff may enter here")
        return redirect("admin:index")

    def has_permission(self, request: HttpRequest) -> bool:
        """Raises `SecondFactorNeeded` where the installation asks for one that this session lacks."""
        from review.second_factor import require_second_factor

        if request.user.is_authenticated:
            require_second_factor(request)
        return super().has_permission(request)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """By purpose; for one application as Django lists it."""
        apps = super().get_app_list(request, app_label)
        nouns = {noun["object_name"]: noun for app in apps for noun in app["models"]}
        for name, noun in nouns.items():
            noun["help"] = HELP.get(name, "")
        if app_label is not None:
            return apps
        index = reverse("admin:index", current_app=self.name)
        groups = [(title, [nouns.pop(name) for name in names if name in nouns]) for title, names in GROUPS.items()]
        groups.append(("More", list(nouns.values())))
        return [
            {
                "name": title,
                "app_label": title.lower().replace(" ", "-"),
                "app_url": f"{index}#{title.lower().replace(' ', '-')}",
                "has_module_perms": True,
                "models": found,
            }
            for title, found in groups
            if found
        ]


def help_of(model: type[Model]) -> str:
    """The line about a noun; empty for one that has none."""
    return HELP.get(model._meta.object_name or "", "")


class CountersignAdminConfig(AdminConfig):
    """Django's admin with this site."""

    default_site = "review.site.Site"
