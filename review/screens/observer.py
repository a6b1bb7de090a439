"""The observer: what it said, what waits, and any thread read again with its gates and the reason of each silence (O8-O12)."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

from django.conf import settings
from django.contrib import messages
from django.db.models import Max
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.answer_notice import answer_notice
from ledger.errors import NotFound
from ledger.models import Conversation, Gate, Notice, Scope, Source
from ledger.reads.insights.observer import ObserverFigures, observer_figures
from ledger.reads.page import newest_page
from ledger.reads.pending import actions_of, pending_claims
from ledger.reads.scopes import in_sight, require_sight, row_id, scope_at
from ledger.verbs import Verb, done_word
from review.desk.filters import Filters
from review.plots import LineSeries, line
from review.screens.frame import ScreenRequest, page, screen
from review.screens.queue import choices

PER_PAGE = 25
PERIOD = timedelta(days=30)
MAX_THREADS = 50
MAX_WAITING = 25


class _Said(Protocol):
    after: Source
    rule: str
    text: str
    refs: Sequence[str]
    at: datetime


class _Replayed(Protocol):
    messages: Sequence[Source]
    notices: Sequence[_Said]
    gates: Mapping[int, Gate]
    silence: Mapping[int, str]


@require_GET
@screen
def observer(request: ScreenRequest) -> HttpResponse:
    """Notices, the newest first, and what was read from chat and waits. With a scope its threads, with a thread its replay."""
    filters = Filters.read(request.GET)
    access = request.actor.access
    notices = in_sight(
        Notice.objects.select_related("scope", "conversation"), access, filters.scope or None, descend=True
    )
    found = newest_page(notices, filters.cursor or None, PER_PAGE)
    scope = scope_at(filters.scope, access) if filters.scope else None
    waiting = in_sight(pending_claims(), access, filters.scope or None, descend=True)
    now = timezone.now()
    figures = observer_figures(access, since=now - PERIOD, now=now, root=scope.path if scope else None)
    context = {
        "figures": figures,
        "plot": _plot(figures),
        "notices": found.items,
        "next_page": filters.next_page(found),
        "waiting": actions_of(waiting[:MAX_WAITING]),
        "decides": True,
        "threads": _threads(scope) if scope else [],
        "replayed": _replayed(scope, request.GET.get("conversation", "")) if scope else None,
        "conversation": request.GET.get("conversation", ""),
        "filters": filters,
        "here": "observer",
        **choices(request),
    }
    return page(request, "review/observer.html", context)


def _plot(figures: ObserverFigures) -> SafeString:
    labels = [f"{day:%m-%d}" for day in figures.days]
    alt = f"Notices a day over {len(labels)} days: {figures.notices} in all, at most {max(figures.said)} on one day"
    return line(labels, [LineSeries("notices", tuple(map(float, figures.said)))], alt=alt)


@require_POST
@screen
def answer(request: ScreenRequest, pk: int) -> HttpResponse:
    """`why` leads to the thread with the notice in it, and counts; `right` and `wrong` are counted."""
    row = Notice.objects.filter(pk=row_id(pk)).select_related("scope", "conversation").first()
    notice = require_sight(row, request.actor.access, f"no notice {pk}")
    given = request.POST.get("answer", "")
    event = answer_notice(notice, given, actor=request.actor)
    query = {"scope": notice.scope.path}
    if event.verb == Verb.ASK_WHY and notice.conversation is not None:
        return redirect(f"/observer?{urlencode(query | {'conversation': notice.conversation.external_id})}")
    messages.success(request, f"The notice {done_word(event.verb)}.")
    return redirect(f"/observer?{urlencode(query)}")


def _threads(scope: Scope) -> Sequence[Conversation]:
    """Those in which somebody wrote last."""
    rows = Conversation.objects.filter(scope=scope, sources__kind="message").annotate(last=Max("sources__id"))
    return list(rows.order_by("-last")[:MAX_THREADS])


def _replayed(scope: Scope, name: str) -> list[dict[str, Any]] | None:
    """Each message of the thread with what was said after it, or why nothing was."""
    if not name:
        return None
    thread = Conversation.objects.filter(scope=scope, external_id=name).first() if "\0" not in name else None
    if thread is None:
        raise NotFound("no such thread")
    found: _Replayed = import_string(settings.COUNTERSIGN_REPLAY)(scope, thread)
    return [
        {
            "message": message,
            "gate": found.gates.get(message.pk),
            "said": [one for one in found.notices if one.after.pk == message.pk],
            "silence": found.silence.get(message.pk, ""),
        }
        for message in found.messages
    ]
