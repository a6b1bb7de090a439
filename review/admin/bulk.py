"""Actions of lists: a page between that shows the rows and asks for the reason, then one batch with one undo."""

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from ledger.models import Claim, Conflict
from ledger.reads.rivals import previews
from ledger.verbs import Verb, hindrance
from review.admin.card import claim_url
from review.admin.forms import MAX_AT_ONCE, decide_all
from review.admin.visibility import actor_of
from review.screens.verbs import DAYS, whole_number

if TYPE_CHECKING:
    from review.admin.base import LedgerAdmin


class ReasonForm(forms.Form):
    reason = forms.CharField(
        max_length=1000, required=False, widget=forms.TextInput(attrs={"size": 60, "dir": "auto"})
    )  # fmt: skip


class DeferForm(ReasonForm):
    until = forms.ChoiceField(
        choices=[("day", "a day"), ("week", "a week"), ("month", "a month"), ("", "for good")],
        required=False,
        initial="week",
        label="Defer for",
    )


@dataclass(frozen=True, slots=True)
class ListedRow:
    """One row as the page between shows it. `hindrance` says why it will be skipped, where that can be told beforehand."""

    pk: int
    name: str
    url: str
    says: str
    cells: tuple[str, ...]
    version: int | None = None
    hindrance: str = ""


@dataclass(frozen=True, slots=True)
class ListAction:
    """A verb over what is ticked. `call(row, actor, data, version, batch)` does it to one row; `show` makes the lines."""

    label: str
    done: str
    call: Callable[[Any, Any, dict[str, Any], int | None, uuid.UUID], Any]
    show: Callable[[HttpRequest, list[Any]], list[ListedRow]]
    columns: tuple[str, ...]
    name: Callable[[Any], str]
    form: type[forms.Form] = ReasonForm
    undone_together: bool = True
    warning: str = ""
    says: str = "Statement"


def action(name: str, bulk: ListAction) -> Callable[..., Any]:
    """The list action of that name."""

    @admin.action(description=f"{bulk.label} selected %(verbose_name_plural)s…")
    def act(model_admin: "LedgerAdmin", request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
        return perform(model_admin, request, rows, name, bulk)

    act.__name__ = name
    return act


def perform(
    model_admin: "LedgerAdmin", request: HttpRequest, rows: QuerySet[Any], name: str, bulk: ListAction
) -> HttpResponse | None:
    """The page between, or once it is confirmed the verb over exactly the rows and versions that it showed."""
    # What a list leaves out of its rows, such as the value, the page between asks for in one go.
    left_out = [name for name in model_admin.page_defer if "__" not in name]
    found = list(rows.defer(None).defer(*left_out).order_by("pk")[: MAX_AT_ONCE + 1])
    if len(found) > MAX_AT_ONCE:
        messages.error(request, f"At most {MAX_AT_ONCE} are decided at once; nothing was done.")
        return None
    sure = "sure" in request.POST
    form = bulk.form(request.POST if sure else None)
    if sure and form.is_valid():
        actor, data = actor_of(request), form.cleaned_data
        decide_all(
            request,
            found,
            lambda row, batch: bulk.call(row, actor, data, _version(request, row.pk), batch),
            name=bulk.name,
            done=bulk.done,
            batched=bulk.undone_together,
        )
        return HttpResponseRedirect(request.get_full_path())
    context = {
        **model_admin.admin_site.each_context(request),
        "title": f"{bulk.label}: {_told(model_admin, len(found))}",
        "opts": model_admin.opts,
        "media": model_admin.media,
        "bulk": bulk,
        "action": name,
        "checkbox": ACTION_CHECKBOX_NAME,
        "lines": bulk.show(request, found),
        "form": form,
        "back": request.get_full_path(),
    }
    return render(request, "admin/countersign/act.html", context)


def _told(model_admin: "LedgerAdmin", count: int) -> str:
    opts = model_admin.opts
    return f"{count} {opts.verbose_name if count == 1 else opts.verbose_name_plural}"


def _version(request: HttpRequest, pk: int) -> int | None:
    """The version of the row that the page showed; it is decided only if it still stands."""
    return whole_number(request.POST.get(f"version-{pk}", ""))


# Claims

CLAIM_COLUMNS = ("Kind", "Scope", "Status")


def claim_lines(verb: Verb) -> Callable[[HttpRequest, list[Any]], list[ListedRow]]:
    def lines(request: HttpRequest, claims: list[Claim]) -> list[ListedRow]:
        access = actor_of(request).access
        met = previews(claims) if verb == Verb.PROMOTE else {}
        return [
            ListedRow(
                claim.pk,
                claim.ref,
                claim_url(claim),
                claim.statement,
                (
                    claim.kind_id.replace("_", " "),
                    claim.scope.path,
                    claim.status,
                    *((_meets(met.get(claim.pk)),) if met else ()),
                ),
                claim.version,
                skipped_because(verb, claim)
                if access.may(verb.row.right, claim.scope.path)
                else "you may not decide here",
            )
            for claim in claims
        ]

    return lines


def skipped_because(verb: Verb, row: Claim | Conflict) -> str:
    """Why the verb leads nowhere from the row, without its own advice; empty where it does."""
    return hindrance(verb, row).partition(":")[0]


def _meets(preview: Any) -> str:
    if preview is None:
        return ""
    return f"{preview.outcome} {', '.join(preview.against)}".strip()


def claim_action(verb: Verb) -> Callable[..., Any]:
    """The list action of a verb about claims, as its row says."""
    takes_until = "until" in verb.row.takes

    def call(claim: Claim, actor: Any, data: dict[str, Any], version: int | None, batch: uuid.UUID) -> Any:
        more: dict[str, Any] = {"until": _until(data["until"])} if takes_until else {}
        # The admin's proxies are faces of one claim; the verbs know the claim.
        row = Claim.objects.get(pk=claim.pk)
        return verb.function()(row, actor=actor, reason=data["reason"], expected_version=version, batch=batch, **more)

    return action(
        f"{verb}_selected",
        ListAction(
            verb.row.listed,
            verb.row.done.capitalize(),
            call,
            claim_lines(verb),
            (*CLAIM_COLUMNS, "Promoting it meets") if verb == Verb.PROMOTE else CLAIM_COLUMNS,
            lambda claim: claim.ref,
            form=DeferForm if takes_until else ReasonForm,
        ),
    )


def _until(pause: str) -> dt.datetime | None:
    return timezone.now() + dt.timedelta(days=DAYS[pause]) if pause else None


CLAIM_ACTIONS = {verb: claim_action(verb) for verb in Verb if verb.row.lists}


def claim_actions(*lists: str) -> tuple[Callable[..., Any], ...]:
    """What the lists named so offer for several claims at once."""
    return tuple(act for verb, act in CLAIM_ACTIONS.items() if {*lists} & {*verb.row.lists})
