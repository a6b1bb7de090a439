"""Take a source's text away for good: hash and tombstone stay, and every copy of its words goes with it (law 1)."""

import uuid
from collections import defaultdict

from django.db import connection, transaction
from django.db.models.expressions import RawSQL

from ledger.actions.locking import lock_names, lock_proposals, lock_slots
from ledger.actions.patch_blocks import patch_blocks
from ledger.actions.reconcile_conflicts import mark_contested, reconcile_conflicts, slots_contended
from ledger.actor import Actor
from ledger.errors import BadTransition, Invalid, NotFound
from ledger.journal import Step
from ledger.models import Claim, JournalEvent, Source
from ledger.verbs import Verb


def purge(source: Source, *, actor: Actor, reason: str, batch: uuid.UUID | None = None) -> JournalEvent:
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
        actor.require(Verb.PURGE.row.right, fresh.scope)
        lock_names([f"purge|{fresh.pk}"])
        gone = _lock_what_loses_its_words(fresh)
        if Source.objects.filter(pk=fresh.pk, purged_at__isnull=False).exists():
            raise BadTransition(f"source {fresh.pk} is purged already", state="purged")
        step = Step(Verb.PURGE, actor=actor, scope=fresh.scope, ref=f"source-{fresh.pk}", reason=reason, batch=batch)
        slots: dict[int, set[str]] = defaultdict(set)
        for scope_id, slot in slots_contended(gone):
            slots[scope_id].add(slot)
        for scope_id, named in slots.items():
            reconcile_conflicts(step, scope_id, named, without=[claim.pk for claim in gone])
        for claim in _offering(fresh, gone):
            left = [place for place in claim.anchors_to_choose if place["source"] != fresh.pk]
            step.change(claim, implicit=True, anchors_to_choose=left)
        step.write()
        with connection.cursor() as cursor:
            cursor.execute("SELECT ledger_purge_source(%s, %s)", [fresh.pk, step.event.pk])
        for scope_id, named in slots.items():
            mark_contested(scope_id, named)
        patch_blocks(step.event, Claim.objects.filter(pk__in=[claim.pk for claim in gone]))
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


def _lock_what_loses_its_words(source: Source) -> list[Claim]:
    """Once no other verb works on the slots of these claims or can propose on these words."""
    lock_proposals([source.scope_id])
    return lock_slots(Claim.objects.filter(pk__in=RawSQL("SELECT ledger_purge_reach(%s)", [source.pk])))  # noqa: S611
