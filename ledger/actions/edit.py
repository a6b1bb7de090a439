"""Change what a candidate says before anybody countersigns it; what was first proposed stays on the row."""

import uuid
from typing import Any

from django.db import transaction

from ledger.actions.anchoring import anchored_by, quote_at, write_evidence
from ledger.actions.approve import void_approvals
from ledger.actions.locking import begin, lock_proposals, refuse_twin, slot_lock
from ledger.actions.reconcile_conflicts import mark_contested
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.journal import Step
from ledger.language.contradiction import subject_keys
from ledger.language.nearness import near_keys
from ledger.models import Anchor, Claim, JournalEvent, Kind, Scope, Source
from ledger.reads.packs import packs_of
from ledger.rules.blocks import MANUAL
from ledger.rules.columns import check_columns, check_text
from ledger.rules.registry import Misfit, register
from ledger.rules.secrets import is_masked, masked_in
from ledger.rules.slots import dedup_of, slot_of
from ledger.rules.states import IN_QUEUE
from ledger.verbs import Verb

EDITABLE = {
    "statement", "value", "value_type", "key", "topic", "tags", "kind", "scope", "valid_from", "valid_to", "anchor",
    "assignee", "confidence_word", "downstream",
}  # fmt: skip
STRIPPED = {"statement", "key", "topic", "assignee"}
LISTS = {"tags", "downstream"}
# What the registry says of a key.
REGISTERED = ("value", "value_type", "high_risk")
# By what a claim is known again.
IDENTIFYING = (
    "scope_id", "layer", "key", "topic", "subject", "value", "statement", "assignee", "valid_from", "valid_to",
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
    if unknown := sorted(changes.keys() - EDITABLE):
        raise Invalid(f"{unknown[0]} cannot be edited", field=unknown[0])
    check_columns(changes)
    changes = masked_in(changes)
    with transaction.atomic(savepoint=False):
        goal = _goal(changes, actor)
        scope = goal or claim.scope
        changes = _with_key(changes, scope)
        # Proposals into the scope meet here, so that two cannot come to say the same at once.
        lock_proposals({claim.scope_id, scope.pk})
        # A promotion that follows in the same transaction works on the slot the edit leads to: locked now, before the row.
        also = [_lock_afterwards(claim, changes, scope)]
        claim, _ = begin(Verb.EDIT, claim, actor=actor, expected_version=expected_version, also=also)
        kind, was_risky = _kind(claim, changes), claim.high_risk
        columns = _columns(claim, changes, goal or claim.scope, kind)
        if is_masked(f"{columns.get('statement', claim.statement)} {columns.get('value', claim.value)}"):
            columns["high_risk"] = True
        refuse_twin(claim, IN_QUEUE, "{} already proposes this", columns)
        with Step(Verb.EDIT, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
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
    actor.require(Verb.EDIT.row.right, found)
    return found


def _with_key(changes: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """Another name of a key gives way to the key, so that what is locked is what is written (T5)."""
    if not changes.get("key"):
        return changes
    return changes | {"key": packs_of(scope).own_name(changes["key"].strip())}


def _lock_afterwards(claim: Claim, changes: dict[str, Any], scope: Scope) -> str:
    kind = Kind.objects.filter(name=changes["kind"]).first() if isinstance(changes.get("kind"), str) else None
    kind = kind or claim.kind
    key, topic = (str(changes.get(name, getattr(claim, name))).strip() for name in ("key", "topic"))
    slot = slot_of(kind.name, many=kind.many, key=key, topic=topic, subject=claim.subject)
    return slot_lock(scope.pk, key, slot, kind.name)


def _kind(claim: Claim, changes: dict[str, Any]) -> Kind:
    if "kind" not in changes:
        return claim.kind
    check_text("kind", changes["kind"], most=40)
    named = Kind.objects.filter(name=changes["kind"]).first()
    if named is None:
        raise Invalid(f"no kind {changes['kind']!r}", field="kind")
    if named.name == MANUAL:
        raise Invalid("what a person types over a field is no proposal: write the field of its item", field="kind")
    if not anchored_by(named.anchors, claim.evidence.all()) and not claim.anchors_to_choose:
        raise Invalid(f"a {named.name} rests on words of {' or '.join(named.anchors)}", field="kind")
    return named


def _columns(claim: Claim, changes: dict[str, Any], scope: Scope, kind: Kind) -> dict[str, Any]:
    """The edited columns, and those that follow from them. Raises `Invalid` by field."""
    columns: dict[str, Any] = {k: v for k, v in changes.items() if k not in ("kind", "scope", "anchor")}
    columns |= {name: columns[name].strip() for name in STRIPPED & columns.keys()}
    columns |= {name: list(columns[name]) for name in LISTS & columns.keys()}
    if columns.get("statement") == "":
        raise Invalid("a statement cannot be empty", field="statement")
    begins, ends = (columns.get(name, getattr(claim, name)) for name in ("valid_from", "valid_to"))
    if begins and ends and ends < begins:
        raise Invalid("it cannot cease to hold before it begins", field="valid_to")
    columns["scope_id"] = scope.pk
    if kind.name != claim.kind_id:
        columns |= {"kind_id": kind.name, "layer": kind.layer}
    columns |= _registered(claim, columns, scope)
    return columns | derived_columns(claim, kind, columns)


def derived_columns(claim: Claim, kind: Kind, columns: dict[str, Any]) -> dict[str, Any]:
    """Slot, duplicate key and the hashes by which it is found, of the claim once it is of `kind` and `columns` are written."""
    now = {name: columns.get(name, getattr(claim, name)) for name in IDENTIFYING}
    slot = slot_of(kind.name, many=kind.many, key=now["key"], topic=now.pop("topic"), subject=now["subject"])
    near = near_keys(kind=kind.name, slot=slot, **now)
    same = {name: now[name] for name in ("layer", "key", "value", "statement", "assignee", "subject")}
    subjects = [] if kind.many else subject_keys(now["scope_id"], now["statement"])
    return {"slot": slot, "dedup": dedup_of(kind=kind.name, slot=slot, **same), "near": near, "subjects": subjects}


def _registered(claim: Claim, columns: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """What the key asks of the value, where one of the two is edited or the claim moves: then both must fit (T5)."""
    now = {name: columns.get(name, getattr(claim, name)) for name in ("key", "value", "value_type", "scope_id")}
    if not now["key"] or all(getattr(claim, name) == value for name, value in now.items()):
        return {}
    try:
        # Whoever edits decides on what was proposed already, at whichever stage.
        entry = register(packs_of(scope), now["key"], now["value"], now["value_type"])
    except Misfit as error:
        raise Invalid(str(error), field=error.field) from None
    now["high_risk"] = claim.high_risk
    return {name: getattr(entry, name) for name in REGISTERED if getattr(entry, name) != now[name]}


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
