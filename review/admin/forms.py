"""Verbs behind the admin's buttons and forms: one call, and a message that says what came of it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from ledger.actions.undo import root_verb, undo_right
from ledger.errors import DecisionNeeded, DomainError, Invalid
from ledger.models import JournalEvent
from ledger.verbs import Verb
from review.admin.filters import paths_offered

# A list action takes what is ticked on a page; this is only a bound for addresses made by hand.
MAX_AT_ONCE = 500
MAX_REASONS_SHOWN = 10


class JsonField(forms.JSONField):
    """Two lines to type in, empty where there is no value."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=forms.Textarea(attrs={"rows": 2}), **options)

    def prepare_value(self, value: Any) -> Any:
        return "" if value is None else super().prepare_value(value)


def explain(error: DomainError) -> str:
    """What went wrong, with the choices where a decision is needed."""
    text = f"{error.title.capitalize()}: {error.message}"
    if isinstance(error, DecisionNeeded):
        choices = "; ".join(", ".join(f"{name} {_said(value)}" for name, value in c.items()) for c in error.choices)
        text += f" Choose: {choices}."
    return text


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def attempt[T](request: HttpRequest, do: Callable[[], T], done: str) -> T | None:
    """Carry out `do` in a transaction of its own; a domain error becomes a message, never a page of its own. What made an
    event that can be undone says so with a button."""
    try:
        with transaction.atomic():
            result = do()
    except DomainError as error:
        messages.error(request, explain(error))
        return None
    messages.success(request, done, extra_tags=undo_tag(result))
    return result


def undo_tag(result: Any) -> str:
    """What the button beside a message takes back: the batch of an event where it has one, else the event; nothing else."""
    if not isinstance(result, JournalEvent) or not undoable(result):
        return ""
    return f"batch:{result.batch}" if result.batch else f"event:{result.pk}"


def decide_all[T](
    request: HttpRequest,
    rows: Iterable[T],
    do: Callable[[T, uuid.UUID], Any],
    *,
    name: Callable[[T], str],
    done: str,
    batched: bool = True,
) -> uuid.UUID:
    """One verb over many rows, each in its own transaction, all in one batch, with a report of done and skipped.

    What is not journalled, such as the retry of a run, has no batch to name (`batched` false).
    """
    batch = uuid.uuid4()
    count, approved, skipped = 0, 0, []
    for row in rows:
        try:
            with transaction.atomic():
                result = do(row, batch)
        except DomainError as error:
            skipped.append(f"{name(row)}: {explain(error)}")
        else:
            # Where two people decide, the first one's promotion is no promotion yet.
            first = isinstance(result, JournalEvent) and result.verb == Verb.APPROVE
            count, approved = count + (not first), approved + first
    told = [f"{done}: {count}."] if count else []
    told += [f"Approved: {approved}. Another person must countersign."] if approved else []
    if told:
        messages.success(request, " ".join(told), extra_tags=f"batch:{batch}" if batched else "")
    if skipped:
        more = [f"and {len(skipped) - MAX_REASONS_SHOWN} more"] if len(skipped) > MAX_REASONS_SHOWN else []
        messages.warning(request, "\n".join([f"Skipped: {len(skipped)}.", *skipped[:MAX_REASONS_SHOWN], *more]))
    return batch


def undoable(event: JournalEvent) -> bool:
    """Whether the journal can put back what the event changed; somebody's later work may still be in the way."""
    undone = getattr(event, "undone_by", None) is not None
    return not event.redacted and not undone and undo_right(root_verb(event)) is not None


def form_page(
    request: HttpRequest,
    model_admin: admin.ModelAdmin[Any],
    *,
    title: str,
    form: type[forms.Form],
    do: Callable[[dict[str, Any]], Any],
    back: str | Callable[[Any], str],
    done: str,
    button: str = "Save",
    original: Any = None,
    initial: dict[str, Any] | None = None,
    warning: str = "",
) -> HttpResponse:
    """A page with one form. Its valid data goes to `do`; a domain error shows at its field with what was typed kept."""
    bound = form(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and bound.is_valid():
        try:
            with transaction.atomic():
                result = do(bound.cleaned_data)
        except DomainError as error:
            place = error.field.partition(".")[0] if isinstance(error, Invalid) else ""
            bound.add_error(place if place in bound.fields else None, explain(error))
        else:
            messages.success(request, done, extra_tags=undo_tag(result))
            return HttpResponseRedirect(back(result) if callable(back) else back)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": title,
        "opts": model_admin.opts,
        "original": original,
        "form": bound,
        "media": model_admin.media + bound.media,
        "button": button,
        "warning": warning,
        "back": "" if callable(back) else back,
        "paths": paths_offered(request) if "scope" in bound.fields else [],
    }
    return render(request, "admin/countersign/form_page.html", context)


def split(words: str) -> list[str]:
    """Comma-joined words as a list, without empty ones."""
    return [word.strip() for word in words.split(",") if word.strip()]
