"""Change what a candidate says before anybody countersigns it; what was first proposed stays on the row."""

import uuid
from typing import Any

from django.db import transaction

from ledger.actions.anchoring import anchored_by, quote_at, write_evidence
from ledger.actions.approve import void_approvals
from ledger.actions.locking import hold, lock_proposals, slot_lock_name
from ledger.actions.ordering import mark_contested
from ledger.actions.transition import reach
from ledger.actor import Actor
from ledger.errors import Duplicate, Invalid
from ledger.journal import Step
from ledger.language.nearness import near_keys
from ledger.models import Anchor, Claim, JournalEvent, Kind, Scope, Source
from ledger.reads.packs import packs_of
from ledger.rules.columns import check_columns, check_text
from ledger.rules.permissions import Right
from ledger.rules.registry import Misfit, register
from ledger.rules.slots import dedup_of, slot_of
from ledger.rules.states import IN_QUEUE

EDITABLE = (
    "statement", "value", "value_type", "key", "topic", "tags", "kind", "scope", "valid_from", "valid_to", "anchor",
    "assignee", "confidence_word", "downstream",
)  # fmt: skip


def edit(
    claim: Claim,
    *,
    actor: Actor,
    changes: dict[str, Any],
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """Write `changes` (names of `EDITABLE`; `scope` a path, `anchor` an index into `anchors_to_choose`).

    Raises `Invalid` naming the field, `Duplicate` where the edited candidate would say what another already proposes.
    """
    for name in changes:
        if name not in EDITABLE:
            raise Invalid(f"{name} cannot be edited", field=name)
    check_columns(changes)
    with transaction.atomic(savepoint=False):
        goal = _goal(changes, actor)
        changes = _with_key(changes, goal or claim.scope)
        # Proposals into the scope meet here, so that two cannot come to say the same at once.
        lock_proposals({claim.scope_id} | ({goal.pk} if goal else set()))
        # A promotion that follows in the same transaction works on the slot the edit leads to: locked now, before the row.
        claim = hold(claim, expected_version=expected_version, also=[_lock_afterwards(claim, changes, goal)])
        actor.require(Right.REVIEW, claim.scope)
        reach("edit", claim)
        kind, was_risky = _kind(claim, changes), claim.high_risk
        columns = _columns(claim, changes, goal, kind)
        _refuse_duplicate(claim, columns)
        with Step("edit", actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            if "anchor" in changes:
                columns["anchors_to_choose"] = []
                _choose_anchor(claim, changes["anchor"], kind)
            # What somebody took in hand stands on its own, and against nothing until what holds on its slot is looked at.
            step.change(claim, **columns, crowded=False, contested=bool(columns["slot"]) and claim.contested)
            mark_contested(claim.scope_id, {claim.slot})
            if was_risky:
                void_approvals(step, claim, unless_same=True)
        return step.event


def _goal(changes: dict[str, Any], actor: Actor) -> Scope | None:
    """The scope that the candidate is to move to."""
    if "scope" not in changes:
        return None
    check_text("scope", changes["scope"], most=400)
    found = Scope.objects.filter(path=changes["scope"]).first()
    if found is None or not actor.access.sees(found.path):
        raise Invalid(f"no scope {changes['scope']!r}", field="scope")
    actor.require(Right.REVIEW, found)
    return found


def _with_key(changes: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """Another name of a key gives way to the key, so that what is locked is what is written (T5)."""
    if not changes.get("key"):
        return changes
    spec = packs_of(scope).key_named(changes["key"].strip())
    return changes | {"key": spec.key} if spec else changes


def _lock_afterwards(claim: Claim, changes: dict[str, Any], goal: Scope | None) -> str:
    kind = Kind.objects.filter(name=changes["kind"]).first() if isinstance(changes.get("kind"), str) else None
    kind = kind or claim.kind
    key, topic = (str(changes.get(name, getattr(claim, name))).strip() for name in ("key", "topic"))
    slot = slot_of(kind.name, many=kind.many, key=key, topic=topic)
    return slot_lock_name(Claim(scope_id=goal.pk if goal else claim.scope_id, key=key, slot=slot, kind_id=kind.name))


def _kind(claim: Claim, changes: dict[str, Any]) -> Kind:
    if "kind" not in changes:
        return claim.kind
    check_text("kind", changes["kind"], most=40)
    named = Kind.objects.filter(name=changes["kind"]).first()
    if named is None:
        raise Invalid(f"no kind {changes['kind']!r}", field="kind")
    if not anchored_by(named.anchors, claim.evidence.all()) and not claim.anchors_to_choose:
        raise Invalid(f"a {named.name} rests on words of {' or '.join(named.anchors)}", field="kind")
    return named


def _columns(claim: Claim, changes: dict[str, Any], goal: Scope | None, kind: Kind) -> dict[str, Any]:
    columns: dict[str, Any] = {k: v for k, v in changes.items() if k not in ("kind", "scope", "anchor")}
    for name in ("statement", "key", "topic", "assignee"):
        if name in columns:
            columns[name] = columns[name].strip()
    for name in ("tags", "downstream"):
        if name in columns:
            columns[name] = list(columns[name])
    if columns.get("statement") == "":
        raise Invalid("a statement cannot be empty", field="statement")
    begins, ends = (columns.get(name, getattr(claim, name)) for name in ("valid_from", "valid_to"))
    if begins and ends and ends < begins:
        raise Invalid("it cannot cease to hold before it begins", field="valid_to")
    scope = goal or claim.scope
    if goal:
        columns["scope_id"] = goal.pk
    if kind.name != claim.kind_id:
        columns |= {"kind_id": kind.name, "layer": kind.layer}
    key = columns.get("key", claim.key)
    if key:
        columns |= _registered(claim, columns, key, scope)
    topic = columns.get("topic", claim.topic)
    layer = columns.get("layer", claim.layer)
    slot = slot_of(kind.name, many=kind.many, key=key, topic=topic)
    columns["slot"] = slot
    columns["dedup"] = dedup_of(
        layer=layer, kind=kind.name, slot=slot, key=key,
        value=columns.get("value", claim.value), statement=columns.get("statement", claim.statement),
        assignee=columns.get("assignee", claim.assignee),
    )  # fmt: skip
    columns["near"] = near_keys(
        scope_id=scope.pk, layer=layer, kind=kind.name, slot=slot, key=key,
        **{
            name: columns.get(name, getattr(claim, name))
            for name in ("value", "statement", "assignee", "valid_from", "valid_to")
        },
    )  # fmt: skip
    return columns


def _registered(claim: Claim, columns: dict[str, Any], key: str, scope: Scope) -> dict[str, Any]:
    """What the key asks of the value, where one of the two is edited or the claim moves: then both must fit (T5)."""
    asked = ("key", "value", "value_type", "scope_id")
    if all(columns.get(name, getattr(claim, name)) == getattr(claim, name) for name in asked):
        return {}
    value, value_type = (columns.get(name, getattr(claim, name)) for name in ("value", "value_type"))
    try:
        # Whoever edits decides on what was proposed already, at whichever stage.
        entry = register(packs_of(scope), key, value, value_type)
    except Misfit as error:
        raise Invalid(str(error), field=error.field) from None
    written: dict[str, Any] = {"high_risk": entry.high_risk} if entry.high_risk != claim.high_risk else {}
    for name, now, was in (("value", entry.value, value), ("value_type", entry.value_type, value_type)):
        if now != was:
            written[name] = now
    return written


def _refuse_duplicate(claim: Claim, columns: dict[str, Any]) -> None:
    twin = (
        Claim.objects.filter(scope=columns.get("scope_id", claim.scope_id), dedup=columns["dedup"], status__in=IN_QUEUE)
        .exclude(pk=claim.pk)
        .first()
    )
    if twin:
        raise Duplicate(f"{twin.ref} already proposes this", ref=twin.ref)


def _choose_anchor(claim: Claim, index: Any, kind: Kind) -> None:
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(claim.anchors_to_choose):
        raise Invalid("anchor is an index into anchors_to_choose", field="anchor")
    place = claim.anchors_to_choose[index]
    source = Source.objects.get(pk=place["source"])
    quote = quote_at(
        source, list(source.sections.all()), place["start"], place["end"], stance="supports", anchor=Anchor.CHOSEN
    )
    if not anchored_by(kind.anchors, [quote, *claim.evidence.all()]):
        raise Invalid(f"a {kind.name} cannot rest on words of {quote.speaker}", field="anchor")
    write_evidence([(claim, quote)])
