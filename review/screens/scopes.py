"""Scopes: what each holds, who may do what there, and its people; owners change all of it here."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.scope import add_person, create_scope, remove_member, set_member, update_scope
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.models import (
    GLOBAL,
    Claim,
    Conflict,
    Member,
    Pattern,
    Person,
    Role,
    Run,
    Scope,
    SecretsSetting,
    Tier,
    TrustedState,
)
from ledger.packs import CORE
from ledger.projections.mirror import mirror_page
from ledger.reads.insights.discussions import discussion_figures
from ledger.reads.packs import newest_packs, packs_in_force, packs_of, stage_of
from ledger.reads.queue.whereabouts import waiting_in_each
from ledger.reads.scopes import ancestor_paths, scope_at, visible
from ledger.reads.state import scope_state
from ledger.reads.why_not import why_not
from ledger.rules.permissions import Right
from review.desk.blocks import block_sheets
from review.desk.evidence import visible_quotes
from review.screens.as_of import as_of_from
from review.screens.frame import ScreenRequest, page, screen, telling_refusals
from review.screens.verbs import version_of

MAX_ROWS = 500
COUNTED = 10_000
PATTERNS_SHOWN = 50
TIERS = [tier for tier in Tier.values if tier != "global"]
# Of each kind on the page for people; the Markdown has more, the list of entities all.
MAX_SHOWN = 100
TABS = {
    "": "What holds",
    "then": "At a time",
    "why-not": "Why not",
    "discussion": "Discussion",
    "people": "People",
    "settings": "Packs and settings",
}


@require_GET
@screen
def scope_list(request: ScreenRequest) -> HttpResponse:
    """The tree as far as it is in sight, with one's own role in each part of it."""
    access = request.actor.access
    rows = list(visible(access).order_by("path")[:MAX_ROWS])
    counts = waiting_in_each([row.pk for row in rows])
    context = {
        "rows": [{"scope": row, "depth": row.path.count("/"), "counts": counts[row.pk]} for row in rows],
        "may_make": access.may_make_top_level(),
        "packs": [one for one in newest_packs() if one.name != CORE] if access.may_make_top_level() else [],
        "tiers": TIERS,
        "here": "scopes",
    }
    return page(request, "review/scopes.html", context)


@require_GET
@screen
def scope(request: ScreenRequest, path: str) -> HttpResponse:
    """One part of the page at a time; the first is what holds, as people read it (P17)."""
    row, access = scope_at(path, request.actor.access), request.actor.access
    tab = request.GET.get("tab", "")
    tab = tab if tab in TABS else ""
    context = {
        "scope": row,
        "tab": tab,
        "tabs": TABS,
        "above": [one for one in ancestor_paths(row.path)[:-1] if access.sees(one)],
        "counts": counts(row),
        "in_force": packs_in_force(row),
        "may_administer": access.may(Right.ADMINISTER, row.path),
        "may_review": access.may(Right.REVIEW, row.path),
        "here": "scopes",
        **TAB_CONTENT[tab](request, row),
    }
    return page(request, "review/scope.html", context, status=422 if context.get("error") else 200)


def holds_shown(request: ScreenRequest, row: Scope) -> dict[str, object]:
    below = visible(request.actor.access, root=row.path).exclude(pk=row.pk)
    found = mirror_page(row, most=MAX_SHOWN)
    words = {line.claim.pk: line.words for part in found.parts for line in part.lines}
    quotes = visible_quotes(words, request.actor.access)
    parts = [(part, [(line, quotes[line.claim.pk]) for line in part.lines]) for part in found.parts]
    sheets = block_sheets(found.blocks, request.actor.access)
    return {"mirrored": found, "parts": parts, "sheets": sheets, "below": list(below.order_by("path")[:MAX_ROWS])}


def as_of_shown(request: ScreenRequest, row: Scope) -> dict[str, object]:
    """What was known of the scope at the time that the address asks for, on both clocks."""
    clocks = as_of_from(request.GET, row.timezone)
    found = scope_state(row, as_of=clocks.as_of, believed_at=clocks.believed_at) if clocks.asked else None
    return {"clocks": clocks, "clocks_at": reverse("scope", args=[row.path]), "as_of": found, "error": clocks.error}


def why_not_shown(request: ScreenRequest, row: Scope) -> dict[str, object]:
    """Answers to "why does this not hold here?", each with the decision behind it."""
    q = request.GET.get("q", "").strip()
    try:
        return {"q": q, "answers": why_not(row, q, request.actor.access) if q else []}
    except Invalid as error:
        return {"q": q, "answers": [], "error": error}


def people_shown(request: ScreenRequest, row: Scope) -> dict[str, object]:
    return {
        "members": members_of(row),
        "people": list(Person.objects.filter(scope=row).select_related("user").order_by("name")[:MAX_ROWS]),
        "roles": Role.values,
    }


def settings_shown(request: ScreenRequest, row: Scope) -> dict[str, object]:
    return {**packs_shown(row), "tiers": TIERS}


def discussion_shown(request: ScreenRequest, row: Scope) -> dict[str, object]:
    """The newest patterns of its threads with their messages, and how much the discussions give (D2, D13)."""
    rows = Pattern.objects.filter(scope=row).select_related("claim").defer("claim__search")
    patterns = list(rows.prefetch_related("sources").order_by("-pk")[:PATTERNS_SHOWN])
    return {"patterns": patterns, "figures": discussion_figures(row) if patterns else None}


def packs_shown(row: Scope) -> dict[str, object]:
    """What is in force, where it comes from, and what its owner may choose; the keys of all of it together, by block."""
    packs, stage = packs_of(row), stage_of(row)
    chosen, choosable = packs_in_force(row), [one for one in newest_packs() if one.name != CORE]
    inherited = {one.name: one.named_by for one in chosen if one.named_by != row.path}
    return {
        "in_force": chosen,
        "extractors": packs.extractors,
        "keys": [
            {
                "spec": spec,
                "block": packs.block_of(spec.key),
                "allowed": not spec.stages or stage in ("", *spec.stages),
            }
            for spec in packs.keys.values()
        ],
        "keys_closed": packs.keys_closed,
        "stage": stage,
        "stages": packs.stages,
        "secrets_settings": [("", "as the scope above"), *SecretsSetting.choices],
        "packs": [(one, inherited.get(one.name)) for one in choosable],
        "choosable": choosable,
    }


def members_of(row: Scope) -> list[Member]:
    """Who may do something here: the scope's own members and those of its ancestors, whose roles reach down."""
    members = Member.objects.filter(scope__path__in=ancestor_paths(row.path)).select_related("scope", "user")
    return list(members.order_by("scope__path", "pk")[:MAX_ROWS])


def counts(row: Scope) -> dict[str, int]:
    """What the scope itself holds; four queries, none longer than ten thousand rows."""
    few = Claim.objects.filter(scope=row, status__in=("pending", "deferred", "active")).order_by()[:COUNTED]
    by_status = Claim.objects.filter(pk__in=few.values("pk")).aggregate(
        pending=Count("pk", filter=Q(status="pending")),
        deferred=Count("pk", filter=Q(status="deferred")),
        active=Count("pk", filter=Q(status="active")),
    )
    return {
        **by_status,
        "trusted": TrustedState.objects.filter(scope=row, status="current").count(),
        "conflicts": Conflict.objects.filter(scope=row, status="open").count(),
        "failed": Run.objects.filter(scope=row, status="failed").order_by()[:COUNTED].count(),
    }


@require_POST
@screen
def change_scope(request: ScreenRequest, path: str) -> HttpResponse:
    """One of the small forms of the page: a member, a person, the settings, a new scope below."""
    row = scope_at(path, request.actor.access)
    change = CHANGES.get(request.POST.get("action", ""), _no_action)
    with telling_refusals(request, titled=True):
        messages.success(request, change(row, request.POST, request.actor))
        if change is _child:
            return redirect("scope", child_path(row, request.POST))
    tab = request.POST.get("tab", "")
    query = f"?tab={tab}" if tab in TABS.keys() - {""} else ""
    return redirect(reverse("scope", args=[row.path]) + query)


def _member(row: Scope, posted: QueryDict, actor: Actor) -> str:
    username = posted.get("username", "").strip()
    set_member(row, username, role=posted.get("role", ""), actor=actor)
    return f"{username} is {posted.get('role', '')} of {row.path}"


def _leave(row: Scope, posted: QueryDict, actor: Actor) -> str:
    username = posted.get("username", "")
    remove_member(row, username, actor=actor)
    return f"{username} is no longer a member of {row.path}"


def _person(row: Scope, posted: QueryDict, actor: Actor) -> str:
    aliases = [alias for part in posted.get("aliases", "").split(",") if (alias := part.strip())]
    username = posted.get("user", "").strip()
    added = add_person(
        row, posted.get("name", ""), aliases=aliases, role=posted.get("role", ""), username=username, actor=actor
    )
    return f"{added.name} is noted"


def _settings(row: Scope, posted: QueryDict, actor: Actor) -> str:
    changes = {
        "name": posted.get("name", "").strip(),
        "packs": in_order(row.packs, posted.getlist("packs")),
        "timezone": posted.get("timezone", "").strip(),
        "stage": posted.get("stage", "").strip(),
        "secrets": posted.get("secrets", row.secrets),
        "second_factor": "second_factor" in posted,
    }
    changed = {name: value for name, value in changes.items() if value != getattr(row, name)}
    reason = posted.get("reason", "").strip()
    update_scope(row, actor=actor, changes=changed, expected_version=version_of(posted), reason=reason)
    return f"{row.path} saved"


def in_order(now: Sequence[str], chosen: Sequence[str]) -> list[str]:
    """The packs that stay keep their order, because a later one overrides an earlier; what is new comes last."""
    return [*(name for name in now if name in chosen), *(name for name in chosen if name not in now)]


def child_path(row: Scope, posted: QueryDict) -> str:
    return ("" if row.path == GLOBAL else row.path + "/") + posted.get("path", "").strip()


def _child(row: Scope, posted: QueryDict, actor: Actor) -> str:
    made = create_scope(
        child_path(row, posted), tier=posted.get("tier", ""), name=posted.get("name", "").strip(),
        packs=posted.getlist("packs"), timezone=row.timezone, actor=actor,
    )  # fmt: skip
    return f"{made.path} made"


def _no_action(row: Scope, posted: QueryDict, actor: Actor) -> str:
    raise Invalid("no such action", field="action")


CHANGES: dict[str, Callable[[Scope, QueryDict, Actor], str]] = {
    "member": _member,
    "leave": _leave,
    "person": _person,
    "settings": _settings,
    "child": _child,
}

TAB_CONTENT: dict[str, Callable[[ScreenRequest, Scope], dict[str, Any]]] = {
    "": holds_shown,
    "then": as_of_shown,
    "why-not": why_not_shown,
    "discussion": discussion_shown,
    "people": people_shown,
    "settings": settings_shown,
}
