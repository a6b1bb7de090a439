"""Calendar feeds of a scope, for its owners."""

from datetime import datetime
from typing import NotRequired, TypedDict

from django.http import HttpResponse
from ninja import Router, Schema
from pydantic import ConfigDict

from ledger.actions.feed import end_feed, open_feed
from ledger.actor import ActorRequest
from ledger.models import CalendarFeed
from ledger.reads.page import newest_page
from ledger.reads.scopes import require_sight, row_id, scope_at
from ledger.rules.permissions import Right
from review.api.shapes import PageShape, answer, page

router = Router(tags=["calendar"])


class FeedIn(Schema):
    model_config = ConfigDict(extra="forbid")

    scope: str
    name: str = ""


class FeedShape(TypedDict):
    """`path` holds the token, and is there only in the answer that made it."""

    id: int
    scope: str
    name: str
    prefix: str
    status: str
    made_by: str
    created_at: datetime
    last_read_at: datetime | None
    path: NotRequired[str]


def feed_shape(row: CalendarFeed) -> FeedShape:
    return {
        "id": row.pk, "scope": row.scope.path, "name": row.name, "prefix": row.prefix, "status": row.status,
        "made_by": row.made_by, "created_at": row.created_at, "last_read_at": row.last_read_at,
    }  # fmt: skip


@router.get("/scope/feeds", response=PageShape[FeedShape])
def list_feeds(
    request: ActorRequest, scope: str, limit: int = 50, cursor: str | None = None, count: bool = False
) -> HttpResponse:
    """The addresses at which this scope's calendar can be read, ended ones too, the newest first; for owners."""
    row = scope_at(scope, request.actor.access, Right.ADMINISTER)
    found = newest_page(CalendarFeed.objects.filter(scope=row).select_related("scope"), cursor, limit, count=count)
    return page(found, [feed_shape(one) for one in found.items])


@router.post("/scope/feeds", response={201: FeedShape})
def post_feed(request: ActorRequest, body: FeedIn) -> HttpResponse:
    """Make an address that shows the calendar to whoever has it; `path` is shown this once."""
    row = scope_at(body.scope, request.actor.access, Right.ADMINISTER)
    feed, token = open_feed(row, actor=request.actor, name=body.name)
    response = answer({**feed_shape(feed), "path": f"/feeds/{token}.ics"}, 201)
    response["Cache-Control"] = "no-store"
    return response


@router.delete("/scope/feeds/{id}", response=FeedShape)
def delete_feed(request: ActorRequest, id: int) -> HttpResponse:
    """End it: its address leads nowhere from now on."""
    row = CalendarFeed.objects.filter(pk=row_id(id)).select_related("scope").first()
    found = require_sight(row, request.actor.access, f"no feed {id}", right=Right.ADMINISTER)
    return answer(feed_shape(end_feed(found, actor=request.actor)))
