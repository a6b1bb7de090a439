"""What makes a repeated write harmless: a record under the caller's own key, written with the write itself (design §10)."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from ledger.actor import Actor, ActorRequest
from ledger.errors import Invalid, KeyReused
from ledger.models import IdempotencyRecord

KEPT_FOR = timedelta(days=1)
LONGEST_KEY = 200


@dataclass(frozen=True, slots=True)
class OnceResult:
    """`outcome` holds row ids, never content; `replayed` says that nothing was written this time."""

    status: int
    outcome: Any
    replayed: bool = False


def at_most_once(actor: Actor, route: str, key: str, body: Any, do: Callable[[], tuple[int, Any]]) -> OnceResult:
    """Run `do` in one transaction, at most once for a caller, route and key.

    `do` answers the HTTP status and the ids (JSON) from which the endpoint builds its answer; the endpoint builds it the
    same way when `replayed`, from the rows as they now stand. Without a key `do` simply runs. What raises leaves no
    record, so that only successes are remembered, for a day. `route` is a short constant name such as `sources`; `body`
    is the request's bytes or its parsed content. Raises `KeyReused` for another body under the same key.
    """
    with transaction.atomic(savepoint=False):
        if not key:
            return OnceResult(*do())
        if len(key) > LONGEST_KEY or not key.isprintable():
            raise Invalid(f"an Idempotency-Key has at most {LONGEST_KEY} printable characters", field="Idempotency-Key")
        caller = f"token:{actor.token_id}" if actor.token_id else f"user:{actor.user_id}"
        digest = fingerprint(body)
        with connection.cursor() as cursor:
            # An equal request that is still at work is waited for here; if it fails, this one takes its place.
            cursor.execute(
                "INSERT INTO ledger_idempotencyrecord (caller, route, key, body_sha256, status, outcome, created_at)"
                " VALUES (%s, %s, %s, %s, 0, NULL, now()) ON CONFLICT (caller, route, key) DO NOTHING RETURNING id",
                [caller, route, key, digest],
            )
            inserted = cursor.fetchone()
        if inserted is None:
            known = IdempotencyRecord.objects.get(caller=caller, route=route, key=key)
            if known.body_sha256 != digest:
                raise KeyReused("this Idempotency-Key came before with another body")
            return OnceResult(known.status, known.outcome, replayed=True)
        status, outcome = do()
        IdempotencyRecord.objects.filter(pk=inserted[0]).update(status=status, outcome=outcome)
        return OnceResult(status, outcome)


def once_per_key(request: ActorRequest, route: str, do: Callable[[], tuple[int, Any]]) -> OnceResult:
    """The same for a request to the API, under its Idempotency-Key."""
    return at_most_once(request.actor, route, request.headers.get("Idempotency-Key", ""), request.body, do)


def fingerprint(body: Any) -> str:
    raw = body if isinstance(body, bytes) else json.dumps(body, sort_keys=True, default=str).encode("utf-8")
    return hashlib.sha256(raw).hexdigest()


def drop_old_records() -> int:
    """Forget what is older than a day; the sweep does this."""
    return IdempotencyRecord.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()[0]
