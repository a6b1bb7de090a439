"""Archive what nobody saw for long and that is of low use or stands on little: each by the verb `archive`, all in one batch."""

import datetime as dt
import uuid
from dataclasses import dataclass, field

from django.db import transaction

from ledger.actions.decide import archive
from ledger.actor import Actor
from ledger.errors import DomainError
from ledger.models import Claim, Scope
from ledger.reads.compaction import MAX_AT_ONCE, StaleClaim, stale_claims


@dataclass(slots=True)
class Compaction:
    """What was archived under one batch, and what changed in between and stayed, each with its reason. `more`: run it again."""

    batch: uuid.UUID
    more: bool
    archived: list[StaleClaim] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)


def compact(scope: Scope, *, actor: Actor, now: dt.datetime) -> Compaction:
    """At most `MAX_AT_ONCE` claims of the scope itself, never deleted: `undo_batch` brings all of them back. Each in a transaction
    of its own, so that nobody waits for the whole."""
    found = stale_claims(scope, now=now)
    done = Compaction(uuid.uuid4(), more=len(found) == MAX_AT_ONCE)
    claims = Claim.objects.select_related("scope").defer("search").in_bulk([one.ref for one in found], field_name="ref")
    for one in found:
        try:
            with transaction.atomic():
                archive(
                    claims[one.ref], actor=actor, expected_version=one.version, reason=f"compaction: {one.why}",
                    batch=done.batch,
                )  # fmt: skip
            done.archived.append(one)
        except DomainError as error:
            done.left.append((one.ref, error.message))
    return done
