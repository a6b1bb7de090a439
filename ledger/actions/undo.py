"""Take back a decision, a batch of them, or an undo: a new event that puts the changed columns back (design §4)."""

import uuid
from collections.abc import Iterable, Sequence

from django.db import IntegrityError, transaction

from ledger.actions.locking import lock_proposals, lock_slots, slot_lock_of
from ledger.actions.way_back import WayBack
from ledger.actor import Actor
from ledger.errors import BadTransition, DomainError, InTheWay, NotFound
from ledger.journal import Step
from ledger.models import Approval, Claim, Conflict, Dispute, JournalChange, JournalEvent
from ledger.rules.permissions import Right
from ledger.verbs import Verb, undo_right

# Laws of the database that two undos at once could only meet there.
SAYS_THE_SAME = ("claim_waits_once", "claim_holds_once")


def undo(event: JournalEvent, *, actor: Actor, reason: str = "") -> JournalEvent:
    """Reverse `event`. Raises `BadTransition` for what has no undo or is undone already, `InTheWay` naming the later
    event whose work an undo would overwrite."""
    with transaction.atomic(savepoint=False):
        changes = _locked_changes([event])
        return _undo_one(event, changes[event.pk], actor, reason, None)


def undo_batch(batch: uuid.UUID, *, actor: Actor, reason: str = "") -> list[JournalEvent]:
    """Reverse all events of a batch that still hold, the latest first, all or none. The new events share a batch."""
    with transaction.atomic(savepoint=False):
        events = _still_holding(JournalEvent.objects.filter(batch=batch).exclude(verb=Verb.SEE_AGAIN))
        if not events:
            raise NotFound(f"no batch {batch} that could be undone")
        changes, undoing = _locked_changes(events), uuid.uuid4()
        return [_undo_one(event, changes[event.pk], actor, reason, undoing) for event in events]


def undo_each(
    events: Sequence[JournalEvent], *, actor: Actor, reason: str = ""
) -> tuple[list[JournalEvent], list[tuple[JournalEvent, str]]]:
    """Reverse those of `events` that still hold and that nobody has built on since, the latest first, in one transaction and
    one batch: the new events, and what was left with its reason."""
    done: list[JournalEvent] = []
    left: list[tuple[JournalEvent, str]] = []
    with transaction.atomic(savepoint=False):
        events = _still_holding(events)
        changes, batch = _locked_changes(events), uuid.uuid4()
        for event in events:
            try:
                done.append(_undo_one(event, changes[event.pk], actor, reason, batch))
            except DomainError as error:
                left.append((event, error.message))
    return done, left


def _still_holding(events: Iterable[JournalEvent]) -> list[JournalEvent]:
    """What to undo, latest first: each event itself, or the redo by which it holds again; none for what is undone."""
    heads = {event.pk: (event, True) for event in events}
    while later := list(JournalEvent.objects.filter(undoes__in=[head.pk for head, _ in heads.values()])):
        undone = {event.undoes_id: event for event in later}
        heads = {
            pk: (undone[head.pk], not holds) if head.pk in undone else (head, holds)
            for pk, (head, holds) in heads.items()
        }
    return sorted((head for head, holds in heads.values() if holds), key=lambda head: -head.pk)


def right_to_undo(event: JournalEvent) -> Right:
    """Raises `BadTransition` where the verb has no undo: ingest, purge and all about trusted state, people and scopes."""
    verb = root_verb(event)
    right = undo_right(verb)
    if right is None:
        raise BadTransition(f"{verb} has no undo", verb=verb)
    return right


def root_verb(event: JournalEvent) -> str:
    """The verb that an undo, or an undo of an undo, is about in the end."""
    while event.verb == Verb.UNDO and event.undoes is not None:
        event = event.undoes
    return event.verb


def _locked_changes(events: Iterable[JournalEvent]) -> dict[int, list[JournalChange]]:
    """The changes of each event, the latest first, with every slot locked that a claim or a conflict of them stands on or comes
    back to, and the claims' rows."""
    changes = {event.pk: list(JournalChange.objects.filter(event=event).order_by("-id")) for event in events}
    by_noun: dict[str, list[JournalChange]] = {"claim": [], "dispute": [], "approval": [], "conflict": []}
    for change in (change for group in changes.values() for change in group):
        by_noun.setdefault(change.noun, []).append(change)
    rows = {noun: [change.row for change in group] for noun, group in by_noun.items()}
    ids = set(rows["claim"])
    for model, noun in ((Dispute, "dispute"), (Approval, "approval")):
        ids |= set(model._default_manager.filter(pk__in=rows[noun]).values_list("claim_id", flat=True))
    conflicts = Conflict.objects.filter(pk__in=rows["conflict"])
    before = [(change.row, change.before) for change in by_noun["claim"] if change.before]
    claims = Claim.objects.filter(pk__in=ids)
    scopes = set(claims.values_list("scope_id", flat=True))
    lock_proposals(scopes | {columns["scope_id"] for _, columns in before if "scope_id" in columns})
    lock_slots(claims, before=before, also={slot_lock_of(one.scope_id, one.slot) for one in conflicts})
    list(claims.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    return changes


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
    step = Step(Verb.UNDO, actor=actor, scope=event.scope, ref=event.ref, reason=reason, batch=batch, undoes=event)
    way = WayBack(step, event, root_verb(event), right, actor)
    try:
        with transaction.atomic():
            for change in changes:
                way.put_back(change)
            way.finish(changes)
            return step.write()
    except IntegrityError as error:
        if "undoes_id" in str(error):
            raise BadTransition(f"event {event.pk} is undone already", verb=event.verb) from None
        if any(law in str(error) for law in SAYS_THE_SAME):
            raise InTheWay(f"{event.ref}: another claim says the same by now", event=None) from None
        raise
