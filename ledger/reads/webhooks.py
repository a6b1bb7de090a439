"""What an address is still to be told: decisions of its scope and below, in the journal's order, from the place it has reached."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db.models import OuterRef, Q, QuerySet, Subquery

from ledger.models import Claim, JournalChange, JournalEvent, Scope, Webhook, WebhookDelivery, WebhookStatus
from ledger.reads.journal import last_seal_number
from ledger.reads.scopes import below, require_sight, row_id
from ledger.rules.permissions import Access, Right, covers
from ledger.verbs import Verb

# By the journal's own verb; what is superseded is told by the change itself, since a promotion supersedes as well.
TOLD: Final = {"promote": "promoted", "reject": "rejected", "dispute": "disputed", "undo": "undone"}
SUPERSEDED: Final = "superseded"
VERBS: Final = (*TOLD.values(), SUPERSEDED)
# So many events one look goes through, and so many messages it finds.
STRETCH: Final = 20_000
MAX_AT_ONCE: Final = 20


@dataclass(frozen=True, slots=True)
class Place:
    """In the journal: the sealer's number of an event, and a place within the event."""

    seal: int
    part: int = 0


@dataclass(frozen=True, slots=True)
class WebhookMessage:
    """`part` is 0 for what the event is about, else the id of the change that superseded a claim."""

    type: str
    ref: str
    event: JournalEvent
    part: int = 0

    @property
    def place(self) -> Place:
        return Place(self.event.seal.number, self.part)

    @property
    def id(self) -> str:
        """The same however often it is sent."""
        return f"evt_{self.event.pk}" + (f"_{self.part}" if self.part else "")


@dataclass(frozen=True, slots=True)
class WaitingMessages:
    """The next messages, and where to go on once all of them arrived."""

    messages: list[WebhookMessage]
    end: Place


def waiting_messages(hook: Webhook) -> WaitingMessages:
    top = min(last_seal_number(), hook.next_seal + STRETCH)
    scopes = Scope.objects.filter(below(hook.scope.path))
    sealed = {"seal__number__gte": hook.next_seal, "seal__number__lte": top}
    wanted = [verb for verb, told in TOLD.items() if told in hook.verbs]
    events = JournalEvent.objects.filter(**sealed, verb__in=wanted, scope__in=scopes).exclude(ref="")
    found = [
        WebhookMessage(TOLD[event.verb], event.ref, event)
        for event in events.select_related("seal", "scope").order_by("seal__number")[: MAX_AT_ONCE + 1]
    ]
    if SUPERSEDED in hook.verbs:
        found += _superseded(hook, scopes, {f"event__{name}": value for name, value in sealed.items()})
    begin = (hook.next_seal, hook.next_part)
    found = sorted((one for one in found if (one.place.seal, one.part) >= begin), key=lambda m: (m.place.seal, m.part))
    if len(found) <= MAX_AT_ONCE:
        return WaitingMessages(found, Place(top + 1))
    return WaitingMessages(found[:MAX_AT_ONCE], found[MAX_AT_ONCE].place)


def _superseded(hook: Webhook, scopes: QuerySet[Scope], sealed: Mapping[str, Any]) -> list[WebhookMessage]:
    """An undo that lets a claim be superseded again is told as an undo."""
    changes = JournalChange.objects.filter(
        Q(event__seal__number__gt=hook.next_seal) | Q(pk__gte=hook.next_part),
        **sealed, noun="claim", before__status="active", after__status=SUPERSEDED, event__scope__in=scopes,
    )  # fmt: skip
    changes = changes.exclude(event__verb=Verb.UNDO).select_related("event__seal", "event__scope")
    rows = list(changes.order_by("event__seal__number", "pk")[: MAX_AT_ONCE + 1])
    refs = dict(Claim.objects.filter(pk__in=[one.row for one in rows]).values_list("pk", "ref"))
    return [WebhookMessage(SUPERSEDED, refs[one.row], one.event, one.pk) for one in rows]


def message_bodies(hook: Webhook, messages: list[WebhookMessage]) -> list[dict[str, Any]]:
    """What is sent, in the order of the messages. Words of a claim only where the owner wants them and it is still in the scope."""
    refs = {one.ref for one in messages}
    claims = {row.ref: row for row in Claim.objects.filter(ref__in=refs).select_related("scope", "successor")}
    return [_body(hook, one, claims.get(one.ref)) for one in messages]


def _body(hook: Webhook, message: WebhookMessage, claim: Claim | None) -> dict[str, Any]:
    event = message.event
    data: dict[str, Any] = {
        "event": event.pk,
        "cursor": str(message.place.seal),
        "verb": event.verb,
        "ref": message.ref,
        "scope": event.scope.path,
        "actor": {"kind": event.actor_kind, "name": event.actor_name},
        "undoes": event.undoes_id,
        "url": _url(message.ref),
    }
    if claim is not None and covers(hook.scope.path, claim.scope.path):
        data |= _of_claim(claim, event if hook.words else None)
    return {"type": message.type, "timestamp": event.at.isoformat(), "data": data}


def _of_claim(claim: Claim, event: JournalEvent | None) -> dict[str, Any]:
    """As it now stands; `event` where its words are told too."""
    successor = claim.successor
    told = {"kind": claim.kind_id, "status": claim.status, "by": successor.ref if successor else None}
    words = {"statement": claim.statement, "value": claim.value, "reason": event.reason} if event else {}
    return told | words


def _url(ref: str) -> str:
    base = settings.COUNTERSIGN_URL.rstrip("/")
    return f"{base}/record/{ref}" if base else ""


def webhooks_of(scope: Scope) -> QuerySet[Webhook]:
    """Those of this very scope that were not removed."""
    return Webhook.objects.filter(scope=scope).exclude(status=WebhookStatus.REMOVED).select_related("scope")


def webhook_at(number: int | str, access: Access) -> Webhook:
    """For owners of its scope. Raises `NotFound` and `Forbidden` as `require_sight`."""
    row = (
        Webhook.objects.filter(pk=row_id(number)).exclude(status=WebhookStatus.REMOVED).select_related("scope").first()
    )
    return require_sight(row, access, f"no webhook {str(number)[:20]}", right=Right.ADMINISTER)


def last_deliveries(hooks: list[Webhook]) -> dict[int, WebhookDelivery]:
    """The newest try of each."""
    newest = WebhookDelivery.objects.filter(webhook=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    ids = Webhook.objects.filter(pk__in=[one.pk for one in hooks]).values(newest=Subquery(newest))
    return {row.webhook_id: row for row in WebhookDelivery.objects.filter(pk__in=ids)}
