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

from ledger.actions.decide import archive, defer, reject, reopen, withdraw
from ledger.actions.dispute import recheck
from ledger.actions.promote import promote
from ledger.actions.restore import restore
from ledger.models import Claim
from ledger.reads.rivals import previews
from ledger.rules.permissions import Right
from ledger.rules.states import CLAIM_STEPS, next_state
from review.admin.card import claim_url
from review.admin.forms import MAX_AT_ONCE, decide_all
from review.admin.visibility import actor_of
from review.screens.verbs import PAUSES

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
class Line:
    """One row as the page between shows it. `hindrance` says why it will be skipped, where that can be told beforehand."""

    pk: int
    name: str
    url: str
    says: str
    cells: tuple[str, ...]
    version: int | None = None
    hindrance: str = ""


@dataclass(frozen=True, slots=True)
class Bulk:
    """A verb over what is ticked. `call(row, actor, data, version, batch)` does it to one row; `show` makes the lines."""

    label: str
    done: str
    call: Callable[[Any, Any, dict[str, Any], int | None, uuid.UUID], Any]
    show: Callable[[HttpRequest, list[Any]], list[Line]]
    columns: tuple[str, ...]
    name: Callable[[Any], str]
    form: type[forms.Form] = ReasonForm
    undone_together: bool = True
    warning: str = ""
    says: str = "Statement"


def action(name: str, bulk: Bulk) -> Callable[..., Any]:
    """The list action of that name."""

    @admin.action(description=f"{bulk.label} selected %(verbose_name_plural)s…")
    def act(model_admin: "LedgerAdmin", request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
        return perform(model_admin, request, rows, name, bulk)

    act.__name__ = name
    return act


def perform(
    model_admin: "LedgerAdmin", request: HttpRequest, rows: QuerySet[Any], name: str, bulk: Bulk
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
    word = request.POST.get(f"version-{pk}", "")
    return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else None


# Claims

CLAIM_COLUMNS = ("Kind", "Scope", "Status")


def claim_lines(verb: str, right: Right = Right.REVIEW) -> Callable[[HttpRequest, list[Any]], list[Line]]:
    def lines(request: HttpRequest, claims: list[Claim]) -> list[Line]:
        access = actor_of(request).access
        met = previews(claims) if verb == "promote" else {}
        return [
            Line(
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
                hindrance(verb, claim) if access.may(right, claim.scope.path) else "you may not decide here",
            )
            for claim in claims
        ]

    return lines


def _meets(preview: Any) -> str:
    if preview is None:
        return ""
    return f"{preview.outcome} {', '.join(preview.against)}".strip()


def hindrance(verb: str, claim: Claim) -> str:
    """Why the verb leads nowhere from the claim's state; empty where it does."""
    if verb == "recheck":
        return "" if claim.status == "active" else f"it is {claim.status}"
    if verb == "restore" and claim.promoted_at is None:
        return "it never held"
    return "" if next_state(CLAIM_STEPS, verb, claim.status) is not None else f"it is {claim.status}"


def _claim(verb: Callable[..., Any]) -> Callable[..., Any]:
    def call(claim: Claim, actor: Any, data: dict[str, Any], version: int | None, batch: uuid.UUID) -> Any:
        # The admin's proxies are faces of one claim; the verbs know the claim.
        row = Claim.objects.get(pk=claim.pk)
        return verb(row, actor=actor, reason=data["reason"], expected_version=version, batch=batch)

    return call


def _defer(claim: Claim, actor: Any, data: dict[str, Any], version: int | None, batch: uuid.UUID) -> Any:
    pause: dt.timedelta | None = PAUSES.get(data["until"])
    until = timezone.now() + pause if pause else None
    row = Claim.objects.get(pk=claim.pk)
    return defer(row, actor=actor, until=until, reason=data["reason"], expected_version=version, batch=batch)


def _of_claims(verb: str, label: str, done: str, call: Callable[..., Any], **more: Any) -> Callable[..., Any]:
    columns = (*CLAIM_COLUMNS, "Promoting it meets") if verb == "promote" else CLAIM_COLUMNS
    bulk = Bulk(label, done, call, claim_lines(verb), columns, lambda claim: claim.ref, **more)
    return action(f"{verb}_selected", bulk)


promote_selected = _of_claims("promote", "Promote", "Promoted", _claim(promote))
reject_selected = _of_claims("reject", "Reject", "Rejected", _claim(reject))
defer_selected = _of_claims("defer", "Defer", "Deferred", _defer, form=DeferForm)
reopen_selected = _of_claims("reopen", "Take back to the queue", "Back in the queue", _claim(reopen))
archive_selected = _of_claims("archive", "Archive", "Archived", _claim(archive))
withdraw_selected = _of_claims("withdraw", "Withdraw", "Withdrawn", _claim(withdraw))
restore_selected = _of_claims("restore", "Restore", "Restored", _claim(restore))
recheck_selected = _of_claims("recheck", "Confirm after a recheck", "Looked at again, and they hold", _claim(recheck))
