"""The messages that wait are sent: each at least once, those of one address in the journal's order.

What is to be sent stands in the journal, and how far an address has come in its row. So a worker that is killed loses nothing:
what it had sent and not noted is sent again, under the same id.
"""

import datetime as dt
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from django.db.models import Q
from django.utils import timezone

from ledger.actions.locking import alone
from ledger.actions.webhook import DeliveryAttempt, note_attempts
from ledger.errors import Invalid
from ledger.models import Webhook, WebhookStatus
from ledger.reads.journal import last_seal_number, seal
from ledger.reads.webhooks import MAX_AT_ONCE, WaitingMessages, message_bodies, waiting_messages
from review.webhooks.post import NotDelivered, post
from review.webhooks.signing import secret_of, signed_headers

PASS_LOCK: Final = 6
# Addresses at once, and how long one may take of a round: a slow one keeps the others waiting no longer than that.
AT_ONCE: Final = 8
ROUND_S: Final = 10.0
LONGEST_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Parcel:
    """What one address is sent in one round: the messages, and their bodies in the same order."""

    hook: Webhook
    waiting: WaitingMessages
    bodies: list[bytes]

    @property
    def is_full(self) -> bool:
        return len(self.waiting.messages) == MAX_AT_ONCE


def deliver_waiting(*, now: dt.datetime | None = None, seconds: float = LONGEST_S) -> int:
    """Sends what waits, to each address until a message fails; returns how many arrived. Safe to call at any time, from
    several processes: one of them does the work."""
    with alone(PASS_LOCK) as is_alone:
        if not is_alone:
            return 0
        until, done = time.monotonic() + seconds, 0
        parcels = due_parcels(now or timezone.now())
        while parcels:
            arrived, failed = _round(parcels, now or timezone.now())
            done += arrived
            again = [one.hook.pk for one in parcels if one.is_full and one.hook.pk not in failed]
            parcels = due_parcels(now or timezone.now(), again) if again and time.monotonic() < until else []
        return done


def due_parcels(now: dt.datetime, among: list[int] | None = None) -> list[Parcel]:
    """What there is to be sent to addresses that are on and not waiting for a retry. One that has nothing to be told is brought
    to the end of what was looked through."""
    seal()
    due = Webhook.objects.filter(Q(retry_at=None) | Q(retry_at__lte=now), status=WebhookStatus.ON)
    due = due.filter(next_seal__lte=last_seal_number()).select_related("scope")
    if among is not None:
        due = due.filter(pk__in=among)
    parcels = []
    for hook in due.order_by("pk"):
        waiting = waiting_messages(hook)
        if waiting.messages:
            bodies = [
                json.dumps(body, separators=(",", ":")).encode() for body in message_bodies(hook, waiting.messages)
            ]
            parcels.append(Parcel(hook, waiting, bodies))
        else:
            note_attempts(hook, [], end=waiting.end, now=now)
    return parcels


def _round(parcels: list[Parcel], now: dt.datetime) -> tuple[int, set[int]]:
    """How many messages arrived, and the addresses where one did not."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(lambda parcel: list(send(parcel)), parcels))
    failed = set[int]()
    for parcel, attempts in zip(parcels, results, strict=True):
        messages = parcel.waiting.messages
        # One that took too long goes on from the first that was not tried.
        end = parcel.waiting.end if len(attempts) == len(messages) else messages[len(attempts)].place
        note_attempts(parcel.hook, attempts, end=end, now=now)
        if not attempts[-1].delivered:
            failed.add(parcel.hook.pk)
    return sum(map(len, results)) - len(failed), failed


def send(parcel: Parcel) -> Iterator[DeliveryAttempt]:
    """Until one fails or the round's time is over. No database here: it runs in a thread of its own."""
    began, secret = time.monotonic(), secret_of(parcel.hook)
    for message, body in zip(parcel.waiting.messages, parcel.bodies, strict=True):
        at, start = timezone.now(), time.monotonic()
        status, error, delivered = None, "", True
        try:
            status = post(parcel.hook.url, body, signed_headers(secret, message.id, body, at=int(time.time())))
        except (NotDelivered, Invalid) as refused:
            status, error, delivered = getattr(refused, "answered", None), str(refused), False
        took = time.monotonic() - start
        yield DeliveryAttempt(message, at, int(took * 1000), delivered, status, error)
        if not delivered or time.monotonic() - began > ROUND_S:
            return
