"""Take a source's text away for good: hash and tombstone stay, and every copy of its words goes with it (law 1)."""

from django.db import connection, transaction

from ledger.actor import Actor
from ledger.errors import BadTransition, Invalid, NotFound
from ledger.journal import Step
from ledger.models import JournalEvent, Source
from ledger.rules.permissions import Right


def purge(source: Source, *, actor: Actor, reason: str) -> JournalEvent:
    """One event; the rest is the database's own function, which alone may blank text. There is no undo.

    Claims left without evidence keep ref and status and lose their words. Raises `Invalid` without a reason.
    """
    if not reason.strip():
        raise Invalid("a purge needs a reason", field="reason")
    with transaction.atomic(savepoint=False):
        fresh = Source.objects.select_related("scope").defer("text").filter(pk=source.pk).first()
        if fresh is None:
            raise NotFound(f"no source {source.pk}")
        actor.require(Right.ADMINISTER, fresh.scope)
        if fresh.purged_at is not None:
            raise BadTransition(f"source {fresh.pk} is purged already", state="purged")
        event = Step("purge", actor=actor, scope=fresh.scope, ref=f"source-{fresh.pk}", reason=reason).write()
        with connection.cursor() as cursor:
            cursor.execute("SELECT ledger_purge_source(%s, %s)", [fresh.pk, event.pk])
        return event
