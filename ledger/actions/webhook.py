"""Who is told of decisions: addresses that a scope's owners name, change and remove, and what became of each message."""

import datetime as dt
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from ledger.actions.locking import check_version, lock_names
from ledger.actor import Actor, system
from ledger.errors import Invalid, NotFound
from ledger.journal import Step
from ledger.models import Scope, Webhook, WebhookDelivery, WebhookStatus
from ledger.reads.journal import last_seal_number, seal
from ledger.reads.webhooks import VERBS, Place, WebhookMessage, webhooks_of
from ledger.rules.columns import check_columns, check_items, check_members, check_unique
from ledger.rules.outward import checked_address
from ledger.verbs import Verb

MAX_OF_SCOPE: Final = 20
FIRST_RETRY: Final = dt.timedelta(seconds=5)
LAST_RETRY: Final = dt.timedelta(hours=6)
MAX_FAILING: Final = dt.timedelta(days=3)
KEPT_FOR: Final = dt.timedelta(days=30)
# The receiver says that it is gone for good.
GONE: Final = 410
MACHINE: Final = system("worker", "webhooks")


def add_webhook(
    scope: Scope, url: str, *, actor: Actor, verbs: Sequence[str] = VERBS, words: bool = False, reason: str = ""
) -> Webhook:
    """Tells `url` of decisions in the scope and below from now on. Raises `Invalid` by field."""
    parts = checked_address(url, "url")
    _check_verbs(verbs)
    check_columns({"reason": reason})
    with transaction.atomic(savepoint=False):
        actor.require(Verb.ADD_WEBHOOK.row.right, scope)
        lock_names([f"webhooks|{scope.pk}"])
        if webhooks_of(scope).count() >= MAX_OF_SCOPE:
            raise Invalid(f"a scope has at most {MAX_OF_SCOPE} webhooks", field="url")
        with Step(Verb.ADD_WEBHOOK, actor=actor, scope=scope, reason=reason) as step:
            row = Webhook.objects.create(
                scope=scope, url=url, host=f"{parts.scheme}://{parts.netloc}", verbs=list(verbs), words=words,
                key=secrets.token_hex(16), made_by=actor.name, next_seal=_from_now_on(),
            )  # fmt: skip
            step.created(row)
        return row


def change_webhook(
    hook: Webhook,
    *,
    actor: Actor,
    changes: Mapping[str, Any],
    new_secret: bool = False,
    skip: bool = False,
    expected_version: int | None = None,
    reason: str = "",
) -> Webhook:
    """Write `changes` (`verbs`, `words`, `status` on or off). With `new_secret` it signs with another one from now on; with
    `skip` what waits is not told any more. Turned on, it begins to try at once. Raises `Invalid` by field."""
    columns = dict(changes)
    if "verbs" in columns:
        _check_verbs(columns["verbs"])
    if columns.get("status", "on") not in (WebhookStatus.ON, WebhookStatus.OFF):
        raise Invalid("status is on or off", field="status")
    check_columns({"reason": reason})
    with transaction.atomic(savepoint=False):
        row = _locked(hook, Verb.CHANGE_WEBHOOK, actor)
        check_version(row, expected_version, f"webhook {row.pk}")
        if new_secret:
            columns["key_number"] = row.key_number + 1
        with Step(Verb.CHANGE_WEBHOOK, actor=actor, scope=row.scope, reason=reason) as step:
            step.change(row, **columns)
        bookkeeping = {"tries": 0, "retry_at": None, "failing_since": None} if columns.get("status") == "on" else {}
        bookkeeping |= {"next_seal": _from_now_on(), "next_part": 0} if skip else {}
        _note(row, bookkeeping)
        return row


def remove_webhook(hook: Webhook, *, actor: Actor, reason: str = "") -> Webhook:
    """For good; its deliveries stay. Nothing of what waits is sent."""
    check_columns({"reason": reason})
    with transaction.atomic(savepoint=False):
        row = _locked(hook, Verb.REMOVE_WEBHOOK, actor)
        with Step(Verb.REMOVE_WEBHOOK, actor=actor, scope=row.scope, reason=reason) as step:
            step.change(row, status=WebhookStatus.REMOVED)
        return row


@dataclass(frozen=True, slots=True)
class DeliveryAttempt:
    """`status` is what the receiver answered, if it did."""

    message: WebhookMessage
    at: dt.datetime
    ms: int
    delivered: bool
    status: int | None = None
    error: str = ""


def note_attempts(hook: Webhook, attempts: Sequence[DeliveryAttempt], *, end: Place, now: dt.datetime) -> None:
    """What became of messages sent in their order, of which only the last one can have failed; `end` is where to go on when none
    did. The place moves only from where it was read: an owner may have skipped what waited meanwhile."""
    with transaction.atomic(savepoint=False):
        row = Webhook.objects.select_for_update(of=("self",)).select_related("scope").get(pk=hook.pk)
        tries = [row.tries, *[0] * len(attempts)]
        WebhookDelivery.objects.bulk_create(
            WebhookDelivery(
                webhook=row, event=one.message.event, message=one.message.id, type=one.message.type,
                ref=one.message.ref, at=one.at, ms=one.ms, delivered=one.delivered, status=one.status,
                error=one.error[:300], attempt=before + 1,
            )
            for one, before in zip(attempts, tries, strict=False)
        )  # fmt: skip
        if (row.next_seal, row.next_part) != (hook.next_seal, hook.next_part):
            return
        failed = next((one for one in attempts if not one.delivered), None)
        if failed is None:
            _note(row, {"tries": 0, "retry_at": None, "failing_since": None}, end)
        else:
            _note_failure(row, failed, tries[len(attempts) - 1], now)


def _note_failure(row: Webhook, failed: DeliveryAttempt, tries: int, now: dt.datetime) -> None:
    since = (row.failing_since or now) if tries else now
    pause = min(FIRST_RETRY * 4 ** min(tries, 10), LAST_RETRY)
    _note(row, {"tries": tries + 1, "retry_at": now + pause, "failing_since": since}, failed.message.place)
    if row.status == WebhookStatus.ON and (failed.status == GONE or now - since >= MAX_FAILING):
        why = f"turned off: {failed.error}, since {since:%Y-%m-%d %H:%M} UTC"
        with Step(Verb.STOP_WEBHOOK, actor=MACHINE, scope=row.scope, reason=why) as step:
            step.change(row, status=WebhookStatus.OFF)


def forget_deliveries() -> int:
    """Of tries longer ago than thirty days nothing is kept; the sweep does this."""
    return WebhookDelivery.objects.filter(at__lt=timezone.now() - KEPT_FOR).delete()[0]


def _check_verbs(verbs: Sequence[str]) -> None:
    check_items("verbs", verbs, most=20)
    check_members("verbs", verbs, VERBS, f"{{!r}} is none of {', '.join(VERBS)}")
    check_unique("verbs", verbs)
    if not verbs:
        raise Invalid("name what it is told of", field="verbs")


def _locked(hook: Webhook, verb: Verb, actor: Actor) -> Webhook:
    row = Webhook.objects.select_for_update(of=("self",)).select_related("scope").get(pk=hook.pk)
    actor.require(verb.row.right, row.scope)
    if row.status == WebhookStatus.REMOVED:
        raise NotFound(f"no webhook {row.pk}")
    return row


def _from_now_on() -> int:
    seal()
    return last_seal_number() + 1


def _note(row: Webhook, columns: Mapping[str, Any], place: Place | None = None) -> None:
    """Bookkeeping, of which the journal knows nothing."""
    if place is not None:
        columns = {**columns, "next_seal": place.seal, "next_part": place.part}
    Webhook.objects.filter(pk=row.pk).update(**columns)
