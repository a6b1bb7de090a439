"""Webhooks of a scope, for its owners: who is told of decisions, and what became of each message."""

from datetime import datetime
from typing import NotRequired, TypedDict

from django.http import HttpResponse
from ninja import Router

from ledger.actions.idempotency import once_per_key
from ledger.actions.webhook import add_webhook, change_webhook, remove_webhook
from ledger.actor import ActorRequest
from ledger.models import Webhook, WebhookDelivery
from ledger.reads.page import newest_page
from ledger.reads.scopes import scope_at
from ledger.reads.webhooks import VERBS, last_deliveries, webhook_at, webhooks_of
from ledger.rules.permissions import Right
from review.api.bodies import WebhookChanges, WebhookIn
from review.api.shapes import PageShape, answer, page, shape_of
from review.webhooks.signing import secret_of

router = Router(tags=["webhooks"])


class DeliveryShape(TypedDict):
    """One try to deliver one message. `status` is what the receiver answered, null where nothing came."""

    id: int
    event: int
    message: str
    type: str
    ref: str
    at: datetime
    attempt: int
    ms: int
    delivered: bool
    status: int | None
    error: str


class WebhookShape(TypedDict):
    """`secret` is there only in the answer that made it. What fails is tried again at `retry_at`, and after three days of
    `failing_since` it is `off`."""

    id: int
    scope: str
    url: str
    verbs: list[str]
    words: bool
    status: str
    version: int
    created_at: datetime
    made_by: str
    cursor: str
    tries: int
    retry_at: datetime | None
    failing_since: datetime | None
    last_delivery: DeliveryShape | None
    secret: NotRequired[str]


def delivery_shape(row: WebhookDelivery) -> DeliveryShape:
    return {**shape_of(DeliveryShape, row), "event": row.event_id}


def webhook_shape(row: Webhook, last: WebhookDelivery | None, *, with_secret: bool = False) -> WebhookShape:
    """`cursor` is the journal's, up to which everything was told."""
    shape: WebhookShape = {
        "id": row.pk,
        "scope": row.scope.path,
        "url": row.url,
        "verbs": row.verbs,
        "words": row.words,
        "status": row.status,
        "version": row.version,
        "created_at": row.created_at,
        "made_by": row.made_by,
        "cursor": str(row.next_seal - 1),
        "tries": row.tries,
        "retry_at": row.retry_at,
        "failing_since": row.failing_since,
        "last_delivery": delivery_shape(last) if last else None,
    }
    return {**shape, "secret": secret_of(row)} if with_secret else shape


@router.get("/scope/webhooks", response=PageShape[WebhookShape])
def list_webhooks(
    request: ActorRequest, scope: str, limit: int = 50, cursor: str | None = None, count: bool = False
) -> HttpResponse:
    """The webhooks of this very scope, the newest first; for owners."""
    row = scope_at(scope, request.actor.access, Right.ADMINISTER)
    found = newest_page(webhooks_of(row), cursor, limit, count=count)
    last = last_deliveries(found.items)
    return page(found, [webhook_shape(one, last.get(one.pk)) for one in found.items])


@router.post("/scope/webhooks", response={201: WebhookShape})
def post_webhook(request: ActorRequest, body: WebhookIn) -> HttpResponse:
    """Tell an address of decisions in this scope and below from now on; 201 with the `secret`, which is shown this once. 422 where
    no message may go there."""
    actor = request.actor
    row = scope_at(body.scope, actor.access, Right.ADMINISTER)

    def write() -> tuple[int, int]:
        verbs = VERBS if body.verbs is None else body.verbs
        return 201, add_webhook(row, body.url, actor=actor, verbs=verbs, words=body.words, reason=body.reason).pk

    done = once_per_key(request, "webhooks", write)
    made = Webhook.objects.select_related("scope").get(pk=done.outcome)
    return answer(webhook_shape(made, None, with_secret=True), done.status)


@router.get("/scope/webhooks/{id}", response=WebhookShape)
def get_webhook(request: ActorRequest, id: int) -> HttpResponse:
    """One webhook, without its secret."""
    row = webhook_at(id, request.actor.access)
    return answer(webhook_shape(row, last_deliveries([row]).get(row.pk)))


@router.patch("/scope/webhooks/{id}", response=WebhookShape)
def patch_webhook(request: ActorRequest, id: int, body: WebhookChanges) -> HttpResponse:
    """Change what it is told, turn it off or on again, make a `new_secret` (which the answer then holds), or `skip` what waits."""
    actor = request.actor
    row = change_webhook(
        webhook_at(id, actor.access), actor=actor, changes=body.given(), new_secret=body.new_secret, skip=body.skip,
        expected_version=body.version, reason=body.reason,
    )  # fmt: skip
    row = webhook_at(row.pk, actor.access)
    return answer(webhook_shape(row, last_deliveries([row]).get(row.pk), with_secret=body.new_secret))


@router.delete("/scope/webhooks/{id}", response=WebhookShape)
def delete_webhook(request: ActorRequest, id: int) -> HttpResponse:
    """Remove it for good: nothing of what waits is sent."""
    row = remove_webhook(webhook_at(id, request.actor.access), actor=request.actor)
    return answer(webhook_shape(row, None))


@router.get("/scope/webhooks/{id}/deliveries", response=PageShape[DeliveryShape])
def list_deliveries(
    request: ActorRequest, id: int, limit: int = 50, cursor: str | None = None, count: bool = False
) -> HttpResponse:
    """Every try of the last thirty days, the newest first."""
    row = webhook_at(id, request.actor.access)
    found = newest_page(row.deliveries.all(), cursor, limit, count=count)
    return page(found, [delivery_shape(one) for one in found.items])
