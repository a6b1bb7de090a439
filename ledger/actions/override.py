"""Type a value over an item's field, and give it up again (T11). The override is a claim of kind manual on the person's own words:
it takes the place of the facts of its key, and what comes to hold later is told beside it."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from ledger.actions.approve import require_second
from ledger.actions.locking import lock_claim, lock_names, lock_proposals, slot_lock, statements_lock, twin_of
from ledger.actions.note import note
from ledger.actions.propose import Draft, propose
from ledger.actions.reconcile_conflicts import reconcile_around
from ledger.actor import Actor
from ledger.errors import Duplicate, Invalid, NotFound, StaleVersion
from ledger.journal import Step
from ledger.models import Claim, JournalEvent, Scope, Tier
from ledger.packs import KeySpec
from ledger.reads.packs import packs_of
from ledger.rules.blocks import MANUAL, newest_first, value_in_words
from ledger.rules.registry import Misfit, register
from ledger.rules.states import Status
from ledger.verbs import REDACTED, Verb

# What gives way to a typed value, and comes back when it is given up; what else holds on the key stays beside it.
GIVES_WAY = ("fact", MANUAL)


def override(
    item: Scope,
    key: str,
    value: Any,
    *,
    actor: Actor,
    seen: str | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """`value` stands in the field from now on: a proposal and its override, two events of one batch. Typed again as it stands, it
    changes nothing and answers the event that wrote it.

    `seen` is the ref that the person saw in the field, empty for none. Raises `StaleVersion` where another one stands there by now,
    `NotFound` for no key of the item, `Invalid` for no value of the key, `SecondPersonNeeded` where two must decide.
    """
    with transaction.atomic(savepoint=False):
        key, value, spec = _registered(item, key, value)
        held = _locked(Verb.OVERRIDE, item, key, actor, seen)
        batch = batch or uuid.uuid4()
        statement = f"{spec.title or key}: {value_in_words(value)}"
        draft = Draft(
            kind=MANUAL, statement=statement, quotes=(note(statement, item, actor),), key=key, value=value, confidence=1.0,
            rule=MANUAL, hand_authored=True,
        )  # fmt: skip
        answer = propose(
            draft, scope=item, actor=actor, reason=reason, batch=batch, right=Verb.OVERRIDE.row.right, slots_held=True
        )
        if answer.stands_in is None:
            raise Duplicate(answer.why, ref=answer.known_as)
        claim = lock_claim(answer.stands_in)
        replaced = [row for row in held if row.pk != claim.pk]
        if claim.status == Status.ACTIVE and not replaced:
            return JournalEvent.objects.filter(ref=claim.ref, verb=Verb.OVERRIDE).latest("pk")
        with Step(Verb.OVERRIDE, actor=actor, scope=item, ref=claim.ref, reason=reason, batch=batch) as step:
            for row in replaced:
                step.change(row, status=Status.SUPERSEDED, successor_id=claim.pk)
            if claim.status != Status.ACTIVE:
                require_second(claim, actor=actor)
            step.change(claim, status=Status.ACTIVE, promoted_at=timezone.now())
            reconcile_around(step, [claim, *replaced])
        return step.event


def release(
    item: Scope, key: str, *, actor: Actor, seen: str | None = None, reason: str = "", batch: uuid.UUID | None = None
) -> JournalEvent:
    """Give the typed value up: the facts that it took the place of hold again. Raises `NotFound` where nothing was typed over the
    field, and as `override`."""
    with transaction.atomic(savepoint=False):
        key = packs_of(item).own_name(key)
        held = _locked(Verb.RELEASE, item, key, actor, seen)
        claim = next((row for row in held if row.kind_id == MANUAL), None)
        if claim is None:
            raise NotFound(f"nobody typed over {key[:60]!r} of {item.path}")
        with Step(Verb.RELEASE, actor=actor, scope=item, ref=claim.ref, reason=reason, batch=batch) as step:
            step.change(claim, status=Status.WITHDRAWN)
            back = _given_way_to(claim)
            for row in back:
                step.change(row, status=Status.ACTIVE, successor_id=None)
            reconcile_around(step, [claim, *back])
        return step.event


def _registered(item: Scope, key: str, value: Any) -> tuple[str, Any, KeySpec]:
    """Whoever types decides, at whichever stage."""
    if item.tier != Tier.ITEM:
        raise NotFound(f"{item.path} is no item")
    if value is None or value == "":
        raise Invalid("a value is needed; to go back to the facts, give the field up", field="value")
    packs = packs_of(item)
    try:
        entry = register(packs, key, value, "")
    except Misfit as error:
        if error.field == "key":
            raise NotFound(str(error)) from None
        raise Invalid(str(error), field=error.field) from None
    return entry.key, entry.value, packs.keys.get(entry.key, KeySpec(entry.key))


def _locked(verb: Verb, item: Scope, key: str, actor: Actor, seen: str | None) -> list[Claim]:
    """What holds on the key and gives way, what counts first, once nobody else can change it."""
    actor.require(verb.row.right, item)
    lock_proposals([item.pk])
    lock_names([slot_lock(item.pk, key, ""), statements_lock(item.pk)])
    rows = Claim.objects.filter(scope=item, key=key, status=Status.ACTIVE, kind__in=GIVES_WAY).select_related(
        "scope", "kind"
    )
    held = newest_first(rows.select_for_update(of=("self",), no_key=True))
    stands = held[0].ref if held else ""
    if seen is not None and seen != stands:
        raise StaleVersion(
            f"{stands or 'nothing'} stands in {key} by now, not {seen or 'nothing'}", row=held[0] if held else None
        )
    return held


def _given_way_to(claim: Claim) -> Sequence[Claim]:
    """The facts that the typed value, or one that was typed before it, took the place of, but for those whose words a purge took or
    which somebody else says by now. What was typed before it stays in the past."""
    rows = Claim.objects.filter(successor__in=_typed_one_after_another(claim), status=Status.SUPERSEDED)
    rows = rows.exclude(kind=MANUAL).exclude(proposed=REDACTED).select_related("scope", "kind")
    locked = rows.select_for_update(of=("self",), no_key=True).order_by("pk")
    return [row for row in locked if twin_of(row, (Status.ACTIVE,)) is None]


def _typed_one_after_another(claim: Claim) -> set[int]:
    """The typed value, and those that it took the place of, one after another."""
    typed = latest = {claim.pk}
    while latest:
        before = Claim.objects.filter(successor__in=latest, kind=MANUAL, status=Status.SUPERSEDED)
        latest = set(before.values_list("pk", flat=True)) - typed
        typed = typed | latest
    return typed
