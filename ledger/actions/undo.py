"""Take back a decision, a batch of them, or an undo: a new event that puts the changed columns back (design §4)."""

import datetime as dt
import uuid
from collections.abc import Iterable
from typing import Any

from django.db import IntegrityError, models, transaction

from ledger.actions.locking import lock_names, slot_lock_name
from ledger.actions.settle import settle
from ledger.actor import Actor
from ledger.errors import BadTransition, InTheWay, NotFound
from ledger.journal import MODELS, Step, snapshot
from ledger.models import Claim, Conflict, Dispute, JournalChange, JournalEvent
from ledger.rules.permissions import Right

# The right that a verb needs is the right its undo needs.
RIGHTS: dict[str, Right] = {
    "propose": Right.REVIEW,
    "admit": Right.REVIEW,
    "dispute": Right.OBSERVE,
    **dict.fromkeys(
        (
            "edit", "promote", "reject", "defer", "wake", "expire", "reopen", "merge", "withdraw", "archive",
            "restore", "supersede", "graduate", "recheck", "resolve", "dismiss",
        ),
        Right.REVIEW,
    ),
}  # fmt: skip
# What a verb made stays as a row, in the state that says it no longer counts.
VOID: dict[type[models.Model], str] = {Claim: "withdrawn", Conflict: "closed", Dispute: "void"}


def undo(event: JournalEvent, *, actor: Actor, reason: str = "") -> JournalEvent:
    """Reverse `event`. Raises `BadTransition` for what has no undo or is undone already, `InTheWay` naming the later
    event whose work an undo would overwrite."""
    with transaction.atomic(savepoint=False):
        return _undo([event], actor=actor, reason=reason, batch=None)[0]


def undo_batch(batch: uuid.UUID, *, actor: Actor, reason: str = "") -> list[JournalEvent]:
    """Reverse all events of a batch, the latest first, all or none. The new events share a batch of their own."""
    with transaction.atomic(savepoint=False):
        events = list(
            JournalEvent.objects.filter(batch=batch, undone_by=None).exclude(verb="see_again").order_by("-id")
        )
        if not events:
            raise NotFound(f"no batch {batch} that could be undone")
        return _undo(events, actor=actor, reason=reason, batch=uuid.uuid4())


def right_to_undo(event: JournalEvent) -> Right:
    """Raises `BadTransition` where the verb has no undo: ingest, purge and all about trusted state, people and scopes."""
    verb = event.verb
    while verb == "undo" and event.undoes is not None:
        event = event.undoes
        verb = event.verb
    if verb not in RIGHTS:
        raise BadTransition(f"{verb} has no undo", verb=verb)
    return RIGHTS[verb]


def _undo(events: list[JournalEvent], *, actor: Actor, reason: str, batch: uuid.UUID | None) -> list[JournalEvent]:
    changes = {event.pk: list(JournalChange.objects.filter(event=event).order_by("-id")) for event in events}
    _lock_slots(change for group in changes.values() for change in group)
    return [_undo_one(event, changes[event.pk], actor, reason, batch) for event in events]


def _lock_slots(changes: Iterable[JournalChange]) -> None:
    names = set()
    claims, conflicts = set(), set()
    for change in changes:
        if change.noun == "claim":
            claims.add(change.row)
        elif change.noun == "conflict":
            conflicts.add(change.row)
        elif change.noun == "dispute":
            claims.update(Dispute.objects.filter(pk=change.row).values_list("claim_id", flat=True))
    for claim in Claim.objects.filter(pk__in=claims).order_by("pk"):
        names.add(slot_lock_name(claim))
        # An undone edit may lead back into the slot the claim had before.
    for change in changes_of("claim", claims):
        before = change.before or {}
        if "key" in before or "slot" in before:
            names.add(
                f"{change.event.scope_id}|k:{before['key']}"
                if before.get("key")
                else f"{change.event.scope_id}|{before.get('slot')}"
            )
    for conflict in Conflict.objects.filter(pk__in=conflicts):
        key = conflict.slot.split("|k:", 1)[1] if "|k:" in conflict.slot else ""
        names.add(f"{conflict.scope_id}|k:{key}" if key else f"{conflict.scope_id}|{conflict.slot}")
    if names:
        lock_names(names)
    list(Claim.objects.select_for_update().filter(pk__in=claims).order_by("pk").values_list("pk"))


def changes_of(noun: str, rows: Iterable[int]) -> Iterable[JournalChange]:
    return JournalChange.objects.filter(noun=noun, row__in=list(rows)).select_related("event").order_by("-id")[:200]


def _undo_one(
    event: JournalEvent, changes: list[JournalChange], actor: Actor, reason: str, batch: uuid.UUID | None
) -> JournalEvent:
    right = right_to_undo(event)
    actor.require(right, event.scope)
    if JournalEvent.objects.filter(undoes=event).exists():
        raise BadTransition(f"event {event.pk} is undone already", verb=event.verb)
    if event.redacted or any(change.redacted for change in changes):
        raise BadTransition(f"event {event.pk} was redacted by a purge", verb=event.verb)
    if not changes:
        raise BadTransition(f"event {event.pk} changed nothing that could be put back", verb=event.verb)
    slots: dict[int, set[str]] = {}
    try:
        with transaction.atomic():
            step = Step("undo", actor=actor, scope=event.scope, ref=event.ref, reason=reason, batch=batch, undoes=event)
            for change in changes:
                _put_back(step, event, change, slots)
            for scope_id, names in slots.items():
                settle(step, scope_id, names)
            return step.write()
    except IntegrityError as error:
        if "undoes_id" in str(error):
            raise BadTransition(f"event {event.pk} is undone already", verb=event.verb) from None
        if "claim_waits_once" in str(error) or "claim_holds_once" in str(error):
            raise InTheWay(f"{event.ref}: another claim says the same by now", event=None) from None
        raise


def _put_back(step: Step, event: JournalEvent, change: JournalChange, slots: dict[int, set[str]]) -> None:
    model = MODELS[change.noun]
    row = model._default_manager.get(pk=change.row)
    if isinstance(row, Conflict) and change.implicit:
        # Conflicts follow the live claims; settling afterwards closes or reopens them.
        slots.setdefault(row.scope_id, set()).add(row.slot)
        return
    now = snapshot(row)
    moved = [name for name, value in (change.after or {}).items() if now.get(name) != value]
    if moved:
        later = _later_event(event, change, moved)
        raise InTheWay(f"event {later} has since changed {', '.join(moved)} of {change.noun} {change.row}", event=later)
    if isinstance(row, Claim):
        slots.setdefault(row.scope_id, set()).add(row.slot)
    if change.before is None:
        step.change(row, status=VOID[model])
        if isinstance(row, Claim) and row.graduates_id is None and now["status"] == "active":
            slots.setdefault(row.scope_id, set()).add(row.slot)
        return
    step.change(row, implicit=change.implicit, **{name: _typed(model, name, v) for name, v in change.before.items()})
    if isinstance(row, Claim):
        slots.setdefault(row.scope_id, set()).add(row.slot)


def _later_event(event: JournalEvent, change: JournalChange, moved: list[str]) -> int | None:
    rows = JournalChange.objects.filter(noun=change.noun, row=change.row, event__gt=event.pk).order_by("id")
    for row in rows:
        if any(name in (row.after or {}) for name in moved):
            return row.event_id
    return None


def _typed(model: type[models.Model], name: str, value: Any) -> Any:
    """A JSON value of the journal as its column holds it."""
    field = model._meta.get_field(name.removesuffix("_id") if name.endswith("_id") else name)
    if isinstance(field, models.DateTimeField) and isinstance(value, str):
        return dt.datetime.fromisoformat(value)
    return value
