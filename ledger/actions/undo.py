"""Take back a decision, a batch of them, or an undo: a new event that puts the changed columns back (design §4)."""

import datetime as dt
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import IntegrityError, models, transaction

from ledger.actions.anchoring import anchored_by
from ledger.actions.approve import require_second
from ledger.actions.dispute import flags_of
from ledger.actions.locking import lock_names, lock_proposals, slot_lock_name, slot_lock_of
from ledger.actions.ordering import mark_contested
from ledger.actions.reconcile_conflicts import settle
from ledger.actor import Actor
from ledger.errors import BadTransition, DomainError, InTheWay, NotFound, SecondPersonNeeded
from ledger.journal import MODELS, Step, snapshot
from ledger.language.nearness import near_keys
from ledger.models import Approval, Claim, Conflict, Dispute, JournalChange, JournalEvent, Kind
from ledger.rules.permissions import Right
from ledger.rules.slots import dedup_of, slot_of
from ledger.rules.states import IN_QUEUE

# The right that a verb needs is the right its undo needs.
RIGHTS: dict[str, Right] = {
    "propose": Right.REVIEW,
    "admit": Right.REVIEW,
    "dispute": Right.OBSERVE,
    "set_prior": Right.ADMINISTER,
    **dict.fromkeys(
        (
            "edit", "promote", "approve", "reject", "defer", "wake", "expire", "reopen", "merge", "withdraw", "archive",
            "restore", "supersede", "graduate", "recheck", "resolve", "dismiss", "confirm", "flag",
        ),
        Right.REVIEW,
    ),
}  # fmt: skip
# What a verb made stays as a row, in the state that says it no longer counts.
VOID: dict[type[models.Model], str] = {Claim: "withdrawn", Conflict: "closed", Dispute: "void", Approval: "void"}
# Which of the two an unsettled conflict is in follows from the live claims, not from a decision.
SETTLED = ("open", "closed")
FLAGS = ("disputed", "needs_recheck")
DERIVED = ("slot", "dedup")
# What a decision about a claim was made about.
SAID = (
    "statement", "value", "value_type", "kind_id", "layer", "key", "topic", "scope_id", "assignee", "tags", "downstream",
    "valid_from", "valid_to", "high_risk", "anchors_to_choose",
)  # fmt: skip


def undo(event: JournalEvent, *, actor: Actor, reason: str = "") -> JournalEvent:
    """Reverse `event`. Raises `BadTransition` for what has no undo or is undone already, `InTheWay` naming the later
    event whose work an undo would overwrite."""
    with transaction.atomic(savepoint=False):
        return _undo([event], actor=actor, reason=reason, batch=None)[0]


def undo_batch(batch: uuid.UUID, *, actor: Actor, reason: str = "") -> list[JournalEvent]:
    """Reverse all events of a batch that still hold, the latest first, all or none. The new events share a batch."""
    with transaction.atomic(savepoint=False):
        events = _still_holding(JournalEvent.objects.filter(batch=batch).exclude(verb="see_again"))
        if not events:
            raise NotFound(f"no batch {batch} that could be undone")
        return _undo(events, actor=actor, reason=reason, batch=uuid.uuid4())


def undo_each(
    events: Sequence[JournalEvent], *, actor: Actor, reason: str = ""
) -> tuple[list[JournalEvent], list[tuple[JournalEvent, str]]]:
    """Reverse those of `events` that still hold and that nobody has built on since, the latest first, in one transaction and
    one batch: the new events, and what was left with its reason."""
    done: list[JournalEvent] = []
    left: list[tuple[JournalEvent, str]] = []
    with transaction.atomic(savepoint=False):
        events = _still_holding(events)
        changes = {event.pk: list(JournalChange.objects.filter(event=event).order_by("-id")) for event in events}
        _lock([change for group in changes.values() for change in group])
        batch = uuid.uuid4()
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
    if verb not in RIGHTS:
        raise BadTransition(f"{verb} has no undo", verb=verb)
    return RIGHTS[verb]


def root_verb(event: JournalEvent) -> str:
    """The verb that an undo, or an undo of an undo, is about in the end."""
    while event.verb == "undo" and event.undoes is not None:
        event = event.undoes
    return event.verb


def _undo(events: list[JournalEvent], *, actor: Actor, reason: str, batch: uuid.UUID | None) -> list[JournalEvent]:
    changes = {event.pk: list(JournalChange.objects.filter(event=event).order_by("-id")) for event in events}
    _lock([change for group in changes.values() for change in group])
    return [_undo_one(event, changes[event.pk], actor, reason, batch) for event in events]


def _lock(changes: list[JournalChange]) -> None:
    """Every slot that a claim or a conflict stands on or comes back to, then the claims' rows."""
    disputed = Dispute.objects.filter(pk__in=[c.row for c in changes if c.noun == "dispute"])
    approved = Approval.objects.filter(pk__in=[c.row for c in changes if c.noun == "approval"])
    ids = {c.row for c in changes if c.noun == "claim"}
    ids |= {pk for rows in (disputed, approved) for pk in rows.values_list("claim_id", flat=True)}
    conflicts = Conflict.objects.filter(pk__in=[c.row for c in changes if c.noun == "conflict"])
    places = {slot_lock_of(conflict.scope_id, conflict.slot) for conflict in conflicts}
    scopes = {c.before["scope_id"] for c in changes if c.noun == "claim" and c.before and "scope_id" in c.before}
    rows = list(Claim.objects.filter(pk__in=ids))
    lock_proposals(scopes | {row.scope_id for row in rows})
    locked: set[str] = set()
    while missing := (places | _places(rows, changes)) - locked:
        lock_names(missing)
        locked |= missing
        # Somebody may have moved a claim to another slot before its lock was ours.
        rows = list(Claim.objects.filter(pk__in=ids))
    list(Claim.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))


def _places(rows: list[Claim], changes: list[JournalChange]) -> set[str]:
    names = {slot_lock_name(row) for row in rows}
    by_id = {row.pk: row for row in rows}
    for change in changes:
        if change.noun == "claim" and change.before and change.row in by_id:
            row = by_id[change.row]
            before = {name: getattr(row, name) for name in ("scope_id", "key", "slot", "kind_id")} | change.before
            names.add(slot_lock_name(Claim(**{n: before[n] for n in ("scope_id", "key", "slot", "kind_id")})))
    return names


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
                _put_back(step, event, change, slots, actor)
            if (verb := root_verb(event)) in ("dispute", "recheck"):
                _flag(step, {c.row for c in changes if c.noun == "claim"} | _disputed(changes), verb)
            for scope_id, names in slots.items():
                settle(step, scope_id, names)
            waiting = Claim.objects.filter(pk__in=[c.row for c in changes if c.noun == "claim"], status="pending")
            for row in waiting.exclude(slot=""):
                mark_contested(row.scope_id, {row.slot})
            return step.write()
    except IntegrityError as error:
        if "undoes_id" in str(error):
            raise BadTransition(f"event {event.pk} is undone already", verb=event.verb) from None
        if "claim_waits_once" in str(error) or "claim_holds_once" in str(error):
            raise InTheWay(f"{event.ref}: another claim says the same by now", event=None) from None
        raise


def _put_back(step: Step, event: JournalEvent, change: JournalChange, slots: dict[int, set[str]], actor: Actor) -> None:
    model = MODELS[change.noun]
    row = model._default_manager.get(pk=change.row)
    if isinstance(row, Conflict):
        slots.setdefault(row.scope_id, set()).add(row.slot)
        if change.implicit:
            # Conflicts follow the live claims; settling afterwards closes or reopens them.
            return
    now, after = snapshot(row), dict(change.after or {})
    before: dict[str, Any] = {"status": VOID[model]} if change.before is None else dict(change.before)
    if isinstance(row, Claim):
        actor.require(right_to_undo(event), row.scope)
        if root_verb(event) == "dispute":
            # Its flags follow from the disputes that stay open; `_flag` sets them afterwards.
            before, after = ({k: v for k, v in side.items() if k not in FLAGS} for side in (before, after))
        elif root_verb(event) == "edit":
            # Another edit may have changed its share of what slot and duplicate key are made of: both are made anew.
            before, after = ({k: v for k, v in side.items() if k not in DERIVED} for side in (before, after))
    moved = [name for name, value in after.items() if now.get(name) != value]
    if isinstance(row, Conflict) and now["status"] in SETTLED and after.get("status") in SETTLED:
        moved = [name for name in moved if name != "status"]
    if isinstance(row, Claim) and root_verb(event) == "edit" and row.status not in IN_QUEUE:
        # What was countersigned is not rewritten behind the signature: its promotion is undone first.
        decided = _event_that_set("claim", row.pk, row.status)
        raise InTheWay(f"event {decided} has since decided about {row.ref}", event=decided)
    if moved:
        raise _in_the_way(event, change, moved)
    if isinstance(row, Approval):
        _refuse_approval(row, before["status"], change, actor)
    if isinstance(row, Claim):
        if root_verb(event) == "edit":
            before |= _derived(row, before)
        _refuse_twin(row, before)
        _refuse_circle(row, before)
        if before.get("status") == "active" and row.status in IN_QUEUE:
            require_second(row, actor=actor)
        elif row.status in IN_QUEUE and before.get("status", row.status) not in IN_QUEUE:
            _refuse_other_words(event, row, now)
        if "active" in (row.status, before.get("status")):
            slots.setdefault(row.scope_id, set()).add(row.slot)
    if isinstance(row, Conflict) and before.get("status") == "open":
        _refuse_second_conflict(row)
    step.change(row, implicit=change.implicit, **{name: _typed(model, name, value) for name, value in before.items()})


def _derived(row: Claim, before: dict[str, Any]) -> dict[str, Any]:
    """Slot and duplicate key of the claim with these columns put back. Raises `InTheWay` where its kind would rest on
    nobody's words any more (law 8)."""
    names = (
        "scope_id", "layer", "kind_id", "key", "topic", "value", "statement", "anchors_to_choose", "assignee",
        "valid_from", "valid_to",
    )  # fmt: skip
    then = {name: getattr(row, name) for name in names} | {
        name: _typed(Claim, name, value) for name, value in before.items()
    }
    kind = Kind.objects.get(pk=then["kind_id"])
    if "kind_id" in before and not then["anchors_to_choose"] and not anchored_by(kind.anchors, row.evidence.all()):
        changes = JournalChange.objects.filter(noun="claim", row=row.pk, after__has_key="anchors_to_choose")
        chosen = changes.order_by("-id").values_list("event_id", flat=True).first()
        raise InTheWay(f"event {chosen} chose words that anchor no {kind.name}", event=chosen)
    slot = slot_of(kind.name, many=kind.many, key=then["key"], topic=then["topic"])
    dedup = dedup_of(
        layer=then["layer"], kind=kind.name, slot=slot, key=then["key"], value=then["value"],
        statement=then["statement"], assignee=then["assignee"],
    )  # fmt: skip
    near = near_keys(
        scope_id=then["scope_id"], layer=then["layer"], kind=kind.name, slot=slot,
        **{name: then[name] for name in ("key", "value", "statement", "assignee", "valid_from", "valid_to")},
    )  # fmt: skip
    return {"slot": slot, "dedup": dedup, "near": near}


def _refuse_other_words(event: JournalEvent, row: Claim, now: dict[str, Any]) -> None:
    """What was decided about some words is not put back over others: out of the queue a claim could come to hold again, or be
    remembered as a no, by a decision that nobody made about what it says now."""
    first: dict[str, tuple[Any, int]] = {}
    later = JournalChange.objects.filter(noun="claim", row=row.pk, event__gt=event.pk, before__isnull=False)
    for change in later.order_by("id"):
        for name, value in (change.before or {}).items():
            if name in SAID:
                first.setdefault(name, (value, change.event_id))
    moved = {name: at for name, (value, at) in first.items() if now.get(name) != value}
    if moved:
        at = max(moved.values())
        raise InTheWay(f"event {at} has since changed {', '.join(moved)} of {row.ref}", event=at)


def _refuse_approval(row: Approval, status: str, change: JournalChange, actor: Actor) -> None:
    """What rests on an approval is undone before it, and nobody approves in another's name."""
    if status == "void" and row.claim.status not in IN_QUEUE and not change.implicit:
        decided = _event_that_set("claim", row.claim_id, row.claim.status)
        raise InTheWay(f"event {decided} has since decided about {row.claim.ref}", event=decided)
    if status == "standing" and not change.implicit and row.user_id != actor.user_id:
        raise SecondPersonNeeded(
            f"only {row.by} can approve {row.claim.ref} again in their own name", ref=row.claim.ref
        )


def _refuse_twin(row: Claim, before: dict[str, Any]) -> None:
    """Another claim may have come to say the same while this one was away."""
    status = before.get("status", row.status)
    rivals: tuple[str, ...] = IN_QUEUE if status in IN_QUEUE else ("active",) if status == "active" else ()
    twin = (
        Claim.objects.filter(
            scope=before.get("scope_id", row.scope_id), dedup=before.get("dedup", row.dedup), status__in=rivals
        )
        .exclude(pk=row.pk)
        .first()
    )
    if rivals and twin:
        raise InTheWay(f"{twin.ref} says the same by now", event=_event_that_set("claim", twin.pk, twin.status))


def _refuse_circle(row: Claim, before: dict[str, Any]) -> None:
    """What this claim once gave way to may have given way to it meanwhile: then neither would hold."""
    heir = before.get("successor_id")
    passed: set[int] = set()
    while heir is not None and heir not in passed:
        passed.add(heir)
        if heir == row.pk:
            event = JournalChange.objects.filter(noun="claim", after__successor_id=row.pk).order_by("-id").first()
            raise InTheWay(f"what {row.ref} gave way to has since given way to it", event=event and event.event_id)
        heir = Claim.objects.filter(pk=heir).values_list("successor_id", flat=True).first()


def _refuse_second_conflict(row: Conflict) -> None:
    other = Conflict.objects.filter(scope=row.scope_id, slot=row.slot, status="open").exclude(pk=row.pk).first()
    if other:
        event = _event_that_set("conflict", other.pk, "open")
        raise InTheWay(f"conflict {other.pk} is open on this slot by now", event=event)


def _event_that_set(noun: str, row: int, status: str) -> int | None:
    changes = JournalChange.objects.filter(noun=noun, row=row, after__status=status)
    return changes.order_by("-id").values_list("event_id", flat=True).first()


def _disputed(changes: list[JournalChange]) -> set[int]:
    rows = [change.row for change in changes if change.noun == "dispute"]
    return set(Dispute.objects.filter(pk__in=rows).values_list("claim_id", flat=True))


def _flag(step: Step, claims: set[int], verb: str) -> None:
    """After an undo about a dispute the flags are those that the open disputes raise; about a recheck, at least those."""
    for claim in Claim.objects.select_related("scope").filter(pk__in=claims).order_by("pk"):
        flags = flags_of(claim, claim.disputes.filter(status="open"))
        step.change(claim, implicit=True, **{name: up for name, up in flags.items() if up or verb == "dispute"})


def _in_the_way(event: JournalEvent, change: JournalChange, moved: list[str]) -> InTheWay:
    later = _later_event(event, change, moved)
    return InTheWay(f"event {later} has since changed {', '.join(moved)} of {change.noun} {change.row}", event=later)


def _later_event(event: JournalEvent, change: JournalChange, moved: list[str]) -> int | None:
    """The event to undo first: the latest that still holds, passing over those that undos have cancelled out."""
    rows = JournalChange.objects.filter(noun=change.noun, row=change.row, event__gt=event.pk).select_related("event")
    later = [row.event for row in rows.order_by("-id") if any(name in (row.after or {}) for name in moved)]
    undone = set(JournalEvent.objects.filter(undoes__in=later).values_list("undoes_id", flat=True))
    standing = [other for other in later if other.pk not in undone and other.verb != "undo"]
    return next((other.pk for other in [*standing, *later]), None)


def _typed(model: type[models.Model], name: str, value: Any) -> Any:
    """A JSON value of the journal as its column holds it."""
    field = model._meta.get_field(name.removesuffix("_id") if name.endswith("_id") else name)
    if isinstance(field, models.DateTimeField) and isinstance(value, str):
        return dt.datetime.fromisoformat(value)
    return value
