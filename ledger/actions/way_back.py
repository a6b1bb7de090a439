"""What each noun needs on its way back: one function a noun, which answers the columns to write again or says what is in the
way. `ledger.actions.undo` walks over an event's changes and asks them; a noun that is not named here needs nothing."""

from collections import defaultdict
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Model, Q

from ledger.actions.anchoring import anchored_by
from ledger.actions.approve import require_second
from ledger.actions.dispute import flags_of
from ledger.actions.edit import derived_columns
from ledger.actions.locking import twin_of
from ledger.actions.reconcile_conflicts import mark_contested, reconcile_around
from ledger.actor import Actor
from ledger.errors import InTheWay, SecondPersonNeeded
from ledger.journal import NOUNS, Step, snapshot, typed
from ledger.models import Approval, Claim, Conflict, JournalChange, JournalEvent, Kind
from ledger.rules.permissions import Right
from ledger.rules.states import IN_QUEUE, Status
from ledger.verbs import Verb

# What a decision about a claim was made about.
DECIDED_ON = (
    "statement", "value", "value_type", "kind_id", "layer", "key", "topic", "scope_id", "assignee", "tags", "downstream",
    "valid_from", "valid_to", "high_risk", "anchors_to_choose",
)  # fmt: skip
# Where another claim that says the same would stand beside it.
BESIDE = {Status.PENDING: IN_QUEUE, Status.DEFERRED: IN_QUEUE, Status.ACTIVE: (Status.ACTIVE,)}


@dataclass(slots=True)
class WayBack:
    """One undo at work: its step, the event that it reverses, the verb that this is about in the end, and the right that it
    takes. `live` gathers the claims that hold or held, `reopened` scope and slot of conflicts, `waiting` the slots on which
    something waits otherwise than before."""

    step: Step
    event: JournalEvent
    verb: str
    right: Right
    actor: Actor
    live: list[Claim] = field(default_factory=list)
    reopened: set[tuple[int, str]] = field(default_factory=set)
    waiting: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))

    def put_back(self, change: JournalChange) -> None:
        """Raises `InTheWay` naming the later event whose work would be overwritten."""
        model = NOUNS[change.noun].model
        row = model._default_manager.get(pk=change.row)
        columns = NOUN_BACK.get(change.noun, WayBack.columns_before)(self, row, change)
        self.step.change(row, implicit=change.implicit, **columns)

    def columns_before(self, row: Any, change: JournalChange) -> dict[str, Any]:
        """The columns as the event found them. Raises `InTheWay` where one does not stand as the event left it."""
        noun, now = NOUNS[change.noun], snapshot(row)
        moved = [
            name
            for name, left in (change.after or {}).items()
            if not noun.left_alone(self.verb, name, left, now.get(name))
        ]
        if moved:
            later = _event_to_undo_first(self.event, change, moved)
            raise InTheWay(
                f"event {later} has since changed {', '.join(moved)} of {change.noun} {change.row}", event=later
            )
        before = {"status": noun.void} if change.before is None else change.before
        anew = noun.made_anew.get(self.verb, ())
        return {name: typed(noun.model, name, value) for name, value in before.items() if name not in anew}

    def finish(self) -> None:
        """What follows from the rows as they stand now, once all are put back."""
        if self.verb in (Verb.DISPUTE, Verb.RECHECK):
            self._raise_flags()
        reconcile_around(self.step, self.live, slots=self.reopened)
        for scope_id, slots in self.waiting.items():
            mark_contested(scope_id, slots)

    def _raise_flags(self) -> None:
        """About a dispute the flags are those that the open disputes raise; about a recheck, at least those."""
        claims, disputes = (self.event.changes.filter(noun=noun).values("row") for noun in ("claim", "dispute"))
        about = Claim.objects.filter(Q(pk__in=claims) | Q(disputes__in=disputes)).distinct()
        for claim in about.select_related("scope").order_by("pk"):
            flags = flags_of(claim, claim.disputes.filter(status="open"))
            raised = {name: up for name, up in flags.items() if up or self.verb == Verb.DISPUTE}
            self.step.change(claim, implicit=True, **raised)


def _claim_back(way: WayBack, claim: Claim, change: JournalChange) -> dict[str, Any]:
    if claim.scope_id != way.event.scope_id:
        way.actor.require(way.right, claim.scope)
    columns = _edited_columns_back(way, claim, change) if way.verb == Verb.EDIT else way.columns_before(claim, change)
    status = columns.get("status", claim.status)
    _refuse_twin(claim, columns, status)
    _refuse_circle(claim, columns.get("successor_id"))
    if claim.status in IN_QUEUE or claim.promoted_at is None:
        _check_way_out_of_queue(way, claim, status)
    if Status.ACTIVE in (claim.status, status):
        way.live.append(claim)
    if status == Status.PENDING:
        way.waiting[columns.get("scope_id", claim.scope_id)].add(columns.get("slot", claim.slot))
    return columns


def _edited_columns_back(way: WayBack, claim: Claim, change: JournalChange) -> dict[str, Any]:
    """What was countersigned is not rewritten behind the signature: its promotion is undone first. Nor may its kind come to
    rest on nobody's words (law 8)."""
    if claim.status not in IN_QUEUE:
        raise _decided_since(claim)
    columns = way.columns_before(claim, change)
    kind = Kind.objects.get(pk=columns.get("kind_id", claim.kind_id))
    choices = columns.get("anchors_to_choose", claim.anchors_to_choose)
    if "kind_id" in columns and not choices and not anchored_by(kind.anchors, claim.evidence.all()):
        chosen = _last_event(noun="claim", row=claim.pk, after__has_key="anchors_to_choose")
        raise InTheWay(f"event {chosen} chose words that anchor no {kind.name}", event=chosen)
    return columns | derived_columns(claim, kind, columns)


def _check_way_out_of_queue(way: WayBack, claim: Claim, status: str) -> None:
    if status == Status.ACTIVE:
        require_second(claim, actor=way.actor)
    elif status not in IN_QUEUE:
        _refuse_other_words(way.event, claim)


def _conflict_back(way: WayBack, conflict: Conflict, change: JournalChange) -> dict[str, Any]:
    way.reopened.add((conflict.scope_id, conflict.slot))
    if change.implicit:
        # Conflicts follow the live claims; reconciling them afterwards closes or reopens it.
        return {}
    columns = way.columns_before(conflict, change)
    other = Conflict.objects.filter(scope=conflict.scope_id, slot=conflict.slot, status="open").exclude(pk=conflict.pk)
    if columns.get("status") == "open" and (second := other.first()):
        event = _last_event(noun="conflict", row=second.pk, after__status="open")
        raise InTheWay(f"conflict {second.pk} is open on this slot by now", event=event)
    return columns


def _approval_back(way: WayBack, approval: Approval, change: JournalChange) -> dict[str, Any]:
    """What rests on an approval is undone before it, and nobody approves in another's name."""
    columns = way.columns_before(approval, change)
    if change.implicit:
        return columns
    if columns["status"] == "void" and approval.claim.status not in IN_QUEUE:
        raise _decided_since(approval.claim)
    if columns["status"] == "standing" and approval.user_id != way.actor.user_id:
        ref = approval.claim.ref
        raise SecondPersonNeeded(f"only {approval.by} can approve {ref} again in their own name", ref=ref)
    return columns


def _unless_replaced(way: WayBack, row: Model, change: JournalChange) -> dict[str, Any]:
    """What has since been named, linked or noted in its place stays."""
    columns = way.columns_before(row, change)
    after = copy(row)
    for name, value in columns.items():
        setattr(after, name, value)
    try:
        after.validate_constraints()
    except ValidationError:
        raise InTheWay(f"another {change.noun} stands in the place of {row} by now", event=None) from None
    return columns


NOUN_BACK: dict[str, Callable[[WayBack, Any, JournalChange], dict[str, Any]]] = {
    "claim": _claim_back,
    "conflict": _conflict_back,
    "approval": _approval_back,
    **dict.fromkeys(
        ("catalogue item", "synonym", "price", "catalogue link", "handover", "kept apart"), _unless_replaced
    ),
}


def _refuse_other_words(event: JournalEvent, claim: Claim) -> None:
    """What was decided about some words is not put back over others: out of the queue a claim could come to hold again, or be
    remembered as a no, by a decision that nobody made about what it says now."""
    now = snapshot(claim)
    first: dict[str, tuple[Any, int]] = {}
    later = JournalChange.objects.filter(noun="claim", row=claim.pk, event__gt=event.pk, before__isnull=False)
    for before, at in later.order_by("-id").values_list("before", "event_id"):
        first |= {name: (value, at) for name, value in (before or {}).items()}
    moved = {name: at for name, (value, at) in first.items() if name in DECIDED_ON and now[name] != value}
    if moved:
        at = max(moved.values())
        raise InTheWay(f"event {at} has since changed {', '.join(moved)} of {claim.ref}", event=at)


def _refuse_twin(claim: Claim, columns: dict[str, Any], status: str) -> None:
    """Another claim may have come to say the same while this one was away."""
    if twin := twin_of(claim, BESIDE.get(Status(status), ()), columns):
        raise InTheWay(
            f"{twin.ref} says the same by now", event=_last_event(noun="claim", row=twin.pk, after__status=twin.status)
        )


def _refuse_circle(claim: Claim, heir: int | None) -> None:
    """What this claim once gave way to may have given way to it meanwhile: then neither would hold."""
    passed: set[int] = set()
    while heir is not None and heir not in passed:
        passed.add(heir)
        if heir == claim.pk:
            event = _last_event(noun="claim", after__successor_id=claim.pk)
            raise InTheWay(f"what {claim.ref} gave way to has since given way to it", event=event)
        heir = Claim.objects.filter(pk=heir).values_list("successor_id", flat=True).first()


def _decided_since(claim: Claim) -> InTheWay:
    decided = _last_event(noun="claim", row=claim.pk, after__status=claim.status)
    return InTheWay(f"event {decided} has since decided about {claim.ref}", event=decided)


def _last_event(**change: Any) -> int | None:
    """The latest event with such a change."""
    changes = JournalChange.objects.filter(**change).order_by("-id")
    return changes.values_list("event_id", flat=True).first()


def _event_to_undo_first(event: JournalEvent, change: JournalChange, moved: list[str]) -> int | None:
    """The latest later event that still holds, passing over those that undos have cancelled out."""
    changed: dict[str, Any] = {
        "noun": change.noun,
        "row": change.row,
        "after__has_any_keys": moved,
        "event__gt": event.pk,
    }
    standing = ~Q(event__verb=Verb.UNDO) & Q(event__undone_by=None)
    later = JournalChange.objects.filter(**changed).order_by("-id").values_list("event_id", flat=True)
    return later.filter(standing).first() or later.first()
