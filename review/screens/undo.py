"""Take a decision back, from the toast, from a history or from the journal."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from ledger.actions.undo import undo, undo_batch
from ledger.errors import BadTransition, DomainError, Forbidden, InTheWay, NotFound
from ledger.models import JournalEvent
from ledger.reads.history import event_at
from ledger.rules.permissions import Right
from review.screens.frame import ScreenRequest, back_to, from_queue, parameters_of, screen
from review.screens.queue import show_desk
from review.screens.verbs import reason_of


@require_POST
@screen
def undo_event(request: ScreenRequest, pk: int) -> HttpResponse:
    """A new event that reverses the one named; the page it was asked from says which later one is in the way."""
    event = event_at(pk, request.actor.access)
    try:
        done = undo(event, actor=request.actor, reason=reason_of(request.POST))
    except DomainError as error:
        return not_undone(request, error, event)
    what = "the undo is taken back" if event.verb == "undo" else f"{event.verb.replace('_', ' ')} undone"
    what = f"{event.ref}: {what}" if event.ref else what[0].upper() + what[1:]
    step = "" if event.verb == "undo" else "undone-"
    messages.success(request, what, extra_tags=f"{step}event:{done.pk}")
    return undone(request, event.ref)


@require_POST
@screen
def undo_many(request: ScreenRequest, batch: uuid.UUID) -> HttpResponse:
    """All that one batch did, or nothing."""
    first = JournalEvent.objects.filter(batch=batch).select_related("scope").first()
    if first is None or not request.actor.access.sees(first.scope.path):
        raise NotFound(f"no batch {batch}")
    try:
        done = undo_batch(batch, actor=request.actor, reason=reason_of(request.POST))
    except DomainError as error:
        return not_undone(request, error)
    what, step = ("taken up again", "") if first.verb == "undo" else ("undone", "undone-")
    messages.success(request, f"{len(done)} decisions {what}", extra_tags=f"{step}batch:{done[0].batch}")
    return undone(request, first.ref)


def undone(request: ScreenRequest, ref: str) -> HttpResponse:
    """Back where it was asked from; the queue opens the card that waits again."""
    if request.htmx:
        return show_desk(request, parameters_of(request), then=ref)
    if from_queue(request):
        return back_to(request, "/", then=ref)
    return back_to(request, "/journal")


def not_undone(request: ScreenRequest, error: DomainError, event: JournalEvent | None = None) -> HttpResponse:
    """Said where it was asked, with a link to the event that is in the way, or that has undone it already."""
    if isinstance(error, NotFound | Forbidden):
        raise error
    later = in_the_way(error, event)
    if later is not None and request.actor.access.may(Right.READ, later.scope.path):
        who = (
            f"{later.verb} of {later.ref} by {later.actor_name}" if later.ref else f"{later.verb} by {later.actor_name}"
        )
        messages.error(request, f"Not undone: {error.message} ({who})", extra_tags=f"later:{later.pk}:{later.ref}")
    else:
        messages.error(request, f"Not undone: {error.message}")
    return undone(request, "") if request.POST.get("back") else redirect("journal")


def in_the_way(error: DomainError, event: JournalEvent | None) -> JournalEvent | None:
    """The later event that an error is about."""
    rows = JournalEvent.objects.select_related("scope")
    if isinstance(error, InTheWay) and error.details.get("event"):
        return rows.filter(pk=error.details["event"]).first()
    if isinstance(error, BadTransition) and event is not None:
        return rows.filter(undoes=event).first()
    return None
