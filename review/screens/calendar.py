"""The calendar of a scope: what takes place day by day, what waits to be written there, and the addresses that read it."""

from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.feed import end_feed, feed_read, open_feed
from ledger.errors import DomainError, Invalid
from ledger.models import CalendarFeed, FeedStatus, Scope
from ledger.projections.calendar_file import MEDIA_TYPE, write_calendar_seen_in
from ledger.reads.calendar import occurrences
from ledger.reads.pending import pending_actions
from ledger.reads.scopes import require_sight, row_id, scope_at
from ledger.rules.permissions import Right
from review.desk.filters import Filters
from review.screens.frame import ScreenRequest, page, screen, telling_refusals
from review.screens.queue import choices

WINDOW: Final = timedelta(days=14)
MAX_WAITING: Final = 50


@require_GET
@screen
def calendar(request: ScreenRequest) -> HttpResponse:
    """Two weeks from a day on; without a scope, the choice of one."""
    return _show(request)


def _show(request: ScreenRequest, *, token: str = "", error: DomainError | None = None) -> HttpResponse:
    filters = Filters.read(request.GET if request.method == "GET" else request.POST)
    access = request.actor.access
    scope = scope_at(filters.scope, access) if filters.scope else None
    context = {"filters": filters, "scope": scope, "here": "calendar", **choices(request)}
    if scope is not None:
        context |= _of_scope(request, scope) | {
            "address": request.build_absolute_uri(f"/feeds/{token}.ics") if token else ""
        }
        context["owns"] = access.may(Right.ADMINISTER, scope.path)
        context["decides"] = access.may(Right.REVIEW, scope.path)
        if context["owns"]:
            context["feeds"] = CalendarFeed.objects.filter(scope=scope, status=FeedStatus.ON)
    return page(request, "review/calendar.html", context, error=error)


def _of_scope(request: ScreenRequest, scope: Scope) -> dict[str, object]:
    zone = ZoneInfo(scope.timezone)
    start = datetime.combine(_first_day(request, zone), time(), tzinfo=zone)
    found = occurrences(scope, start, start + WINDOW, cancelled=True)
    days = groupby(found, key=lambda one: max(one.start.astimezone(zone), start).date())
    return {
        "days": [(day, list(theirs)) for day, theirs in days],
        "start": start.date(),
        "before": (start - WINDOW).date().isoformat(),
        "after": (start + WINDOW).date().isoformat(),
        "waiting": pending_actions(scope)[:MAX_WAITING],
    }


def _first_day(request: ScreenRequest, zone: ZoneInfo) -> date:
    words = request.GET.get("from", "")
    try:
        day = date.fromisoformat(words) if words else timezone.now().astimezone(zone).date()
    except ValueError:
        raise Invalid("from is a day such as 2026-05-04", field="from") from None
    if not 1900 < day.year < 9000:
        raise Invalid("from is a day between the years 1901 and 8999", field="from")
    return day


@require_POST
@screen
def calendar_feeds(request: ScreenRequest) -> HttpResponse:
    """Make an address for a calendar program, or end one. The answer that made it is the only one that shows it."""
    access = request.actor.access
    if request.POST.get("action") == "open":
        scope = scope_at(request.POST.get("scope", ""), access, Right.ADMINISTER)
        try:
            _, token = open_feed(scope, actor=request.actor, name=request.POST.get("name", ""))
        except Invalid as error:
            return _show(request, error=error)
        answer = _show(request, token=token)
        answer["Cache-Control"] = "no-store"
        return answer
    number = request.POST.get("feed", "")
    row = CalendarFeed.objects.filter(pk=row_id(number)).select_related("scope").first()
    feed = require_sight(row, access, f"no feed {number[:20]}", right=Right.ADMINISTER)
    with telling_refusals(request):
        end_feed(feed, actor=request.actor)
        messages.success(request, f"{feed.name} is ended: its address leads nowhere now")
    return redirect(f"/calendar?{urlencode({'scope': feed.scope.path})}")


@require_GET
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """The calendar for whoever has the address; nothing at any other."""
    row = feed_read(token)
    if row is None:
        raise Http404
    headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
    return HttpResponse(write_calendar_seen_in(row.scope), content_type=MEDIA_TYPE, headers=headers)
