"""Take back a decision, a batch of them, or an undo: a new event that puts the changed columns back (design §4)."""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from django.db import IntegrityError, transaction
from django.db.models import Model, Q

from ledger.actions.locking import lock_proposals, lock_slots, slot_lock_of
from ledger.actions.way_back import WayBack
from ledger.actor import Actor
from ledger.errors import BadTransition, DomainError, InTheWay, NotFound
from ledger.journal import Step
from ledger.models import Approval, Claim, Conflict, Dispute, Handover, JournalChange, JournalEvent
from ledger.rules.permissions import Right
from ledger.verbs import Verb

# Rows whose claim is locked while they are put back.
ABOUT_CLAIMS: dict[str, type[Model]] = {"dispute": Dispute, "approval": Approval, "handover": Handover}


def undo(event: JournalEvent, *, actor: Actor, reason: str = "") -> JournalEvent:
    """Reverse `event`, and with a supersession the proposal of the successor that was typed for it, in one batch. Raises
    `BadTransition` for what has no undo or is undone already, `InTheWay` naming the later event whose work an undo would
    overwrite."""
    with transaction.atomic(savepoint=False):
        typed = _proposal_of_successor(event)
        together = sorted([event, *typed], key=lambda one: -one.pk)
        changes, batch = _locked_changes(together), uuid.uuid4() if typed else None
        done = {
            one.pk: _undo_one(
                one,
                changes[one.pk],
                actor,
                reason or ("" if one == event else f"it was typed for {event.ref}"),
                batch,
            )
            for one in together
        }
        return done[event.pk]


def _proposal_of_successor(event: JournalEvent) -> list[JournalEvent]:
    """The event of the same batch that proposed the claim to which `event` made another give way, or that took that proposal
    back together with it; none where the successor was there before."""
    if event.batch is None or root_verb(event) not in (Verb.SUPERSEDE, Verb.OVERRIDE):
        return []
    moved = JournalChange.objects.filter(event=event, noun="claim").values("row")
    beside = JournalEvent.objects.filter(batch=event.batch, verb__in=(Verb.PROPOSE, Verb.UNDO), undone_by=None)
    beside = beside.exclude(pk=event.pk).filter(changes__noun="claim", changes__row__in=moved).distinct()
    return [one for one in beside if root_verb(one) == Verb.PROPOSE]


def undo_batch(batch: uuid.UUID, *, actor: Actor, reason: str = "") -> list[JournalEvent]:
    """Reverse all events of a batch that still hold, the latest first, all or none. The new events share a batch."""
    with transaction.atomic(savepoint=False):
        found = JournalEvent.objects.filter(batch=batch).exclude(verb=Verb.SEE_AGAIN).select_related("scope")
        events = _still_holding(found)
        # One event out of sight is enough: what can be told of the others would tell of it.
        if not events or not all(actor.access.sees(event.scope.path) for event in found):
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
    holding: list[JournalEvent] = []
    heads = list(events)
    while heads:
        undoers = dict(JournalEvent.objects.filter(undoes__in=heads).values_list("undoes_id", "pk"))
        holding += [head for head in heads if head.pk not in undoers]
        heads = list(JournalEvent.objects.filter(undoes__in=list(undoers.values())))
    return sorted(holding, key=lambda event: -event.pk)


def right_to_undo(event: JournalEvent) -> Right:
    """Raises `BadTransition` where the verb has no undo: ingest, purge and all about trusted state, people and scopes."""
    verb = root_verb(event)
    right = undo_right(verb)
    if right is None:
        raise BadTransition(f"{verb} has no undo", verb=verb)
    return right


def undo_right(verb: str) -> Right | None:
    """The right that it takes to take the verb back; None where it has no undo."""
    return Verb(verb).row.undo if verb in Verb else None


def root_verb(event: JournalEvent) -> str:
    """The verb that an undo, or an undo of an undo, is about in the end."""
    while event.verb == Verb.UNDO and event.undoes is not None:
        event = event.undoes
    return event.verb


def _locked_changes(events: Iterable[JournalEvent]) -> dict[int, list[JournalChange]]:
    """The changes of each event, the latest first, with every slot locked that a claim or a conflict of them stands on or comes
    back to, and the claims' rows."""
    changes = {event.pk: list(JournalChange.objects.filter(event=event).order_by("-id")) for event in events}
    by_noun: dict[str, list[JournalChange]] = defaultdict(list)
    for change in chain.from_iterable(changes.values()):
        by_noun[change.noun].append(change)
    rows = {noun: [change.row for change in group] for noun, group in by_noun.items()}
    about = Q(pk__in=rows.get("claim", ()))
    for noun, model in ABOUT_CLAIMS.items():
        about |= Q(pk__in=model._default_manager.filter(pk__in=rows.get(noun, ())).values("claim_id"))
    claims = Claim.objects.filter(about)
    conflicts = Conflict.objects.filter(pk__in=rows.get("conflict", ()))
    before = [(change.row, change.before) for change in by_noun["claim"] if change.before]
    scopes = set(claims.values_list("scope_id", flat=True))
    lock_proposals(scopes | {columns["scope_id"] for _, columns in before if "scope_id" in columns})
    lock_slots(claims, before=before, also={slot_lock_of(one.scope_id, one.slot) for one in conflicts})
    list(claims.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    return changes


def what_bars_undo(event: JournalEvent, changes: Collection[JournalChange], *, undone: bool, called: str = "it") -> str:
    """Why an event whose verb has an undo is not undone all the same, whoever asks; empty where it may be. The verb and the
    histories that offer it both ask this."""
    if undone:
        return f"{called} is undone already"
    if event.redacted or any(change.redacted for change in changes):
        return f"{called} was redacted by a purge"
    return "" if changes else f"{called} changed nothing that could be put back"


def _undo_one(
    event: JournalEvent, changes: list[JournalChange], actor: Actor, reason: str, batch: uuid.UUID | None
) -> JournalEvent:
    right = right_to_undo(event)
    actor.require(right, event.scope)
    undone = JournalEvent.objects.filter(undoes=event).exists()
    if why := what_bars_undo(event, changes, undone=undone, called=f"event {event.pk}"):
        raise BadTransition(why, verb=event.verb)
    step = Step(Verb.UNDO, actor=actor, scope=event.scope, ref=event.ref, reason=reason, batch=batch, undoes=event)
    way = WayBack(step, event, root_verb(event), right, actor)
    try:
        with transaction.atomic():
            for change in changes:
                way.put_back(change)
            way.finish()
            return step.write()
    except IntegrityError as error:
        raise _met_in_the_database(event, str(error)) or error from None


def _met_in_the_database(event: JournalEvent, law: str) -> DomainError | None:
    """What two undos at once could only meet there."""
    if "undoes_id" in law:
        return BadTransition(f"event {event.pk} is undone already", verb=event.verb)
    if "claim_waits_once" in law or "claim_holds_once" in law:
        return InTheWay(f"{event.ref}: another claim says the same by now", event=None)
    if "chat_link_" in law:
        return InTheWay("the chat, or its thread, is linked anew by now", event=None)
    return None
