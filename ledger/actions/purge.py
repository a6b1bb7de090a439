"""Take a source's text away for good: hash and tombstone stay, and every copy of its words goes with it (law 1)."""

from django.db import connection, transaction

from ledger.actions.locking import lock_names, lock_proposals, slot_lock_name
from ledger.actions.ordering import mark_contested
from ledger.actions.reconcile_conflicts import settle
from ledger.actor import Actor
from ledger.errors import BadTransition, Invalid, NotFound
from ledger.journal import Step
from ledger.models import Claim, JournalEvent, Source
from ledger.rules.permissions import Right


def purge(source: Source, *, actor: Actor, reason: str) -> JournalEvent:
    """One event; the rest is the database's own function, which alone may blank text. There is no undo.

    Claims left without evidence keep ref and status and lose their words; a conflict that only they kept up is closed.
    Raises `Invalid` without a reason.
    """
    if not reason.strip():
        raise Invalid("a purge needs a reason", field="reason")
    with transaction.atomic(savepoint=False):
        fresh = Source.objects.select_related("scope").defer("text").filter(pk=source.pk).first()
        if fresh is None:
            raise NotFound(f"no source {source.pk}")
        actor.require(Right.ADMINISTER, fresh.scope)
        lock_names([f"purge|{fresh.pk}"])
        gone = _lock_reach(fresh)
        if Source.objects.filter(pk=fresh.pk, purged_at__isnull=False).exists():
            raise BadTransition(f"source {fresh.pk} is purged already", state="purged")
        step = Step("purge", actor=actor, scope=fresh.scope, ref=f"source-{fresh.pk}", reason=reason)
        for scope_id, slot in {(claim.scope_id, claim.slot) for claim in gone if claim.slot}:
            settle(step, scope_id, {slot}, without=[claim.pk for claim in gone])
        for claim in _offering(fresh, gone):
            left = [place for place in claim.anchors_to_choose if place["source"] != fresh.pk]
            step.change(claim, implicit=True, anchors_to_choose=left)
        step.write()
        with connection.cursor() as cursor:
            cursor.execute("SELECT ledger_purge_source(%s, %s)", [fresh.pk, step.event.pk])
        for scope_id, slot in {(claim.scope_id, claim.slot) for claim in gone if claim.slot}:
            mark_contested(scope_id, {slot})
        return step.event


def _offering(source: Source, gone: list[Claim]) -> list[Claim]:
    """Claims that keep their words and still offer places in this text to choose from."""
    rows = Claim.objects.raw(
        "SELECT * FROM ledger_claim WHERE anchors_to_choose <> '[]' AND id <> ALL (%s)"
        " AND anchors_to_choose @> jsonb_build_array(jsonb_build_object('source', %s::bigint))"
        " ORDER BY id FOR NO KEY UPDATE",
        [[claim.pk for claim in gone], source.pk],
    )
    return list(rows)


def _lock_reach(source: Source) -> list[Claim]:
    """The claims that lose their words, once no other verb works on their slots or can propose on these words."""
    lock_proposals([source.scope_id])
    locked: set[str] = set()
    while True:
        gone = list(
            Claim.objects.raw("SELECT c.* FROM ledger_claim c WHERE id IN (SELECT ledger_purge_reach(%s))", [source.pk])
        )
        missing = {slot_lock_name(claim) for claim in gone} - locked
        if not missing:
            return gone
        lock_names(missing)
        locked |= missing
