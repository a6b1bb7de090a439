"""Proposals: what a run found or somebody said becomes a candidate, a sighting of a known one, or nothing, with its reason."""

import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from ledger.actions.anchoring import Quote, anchored_by, write_evidence
from ledger.actions.locking import lock_names, lock_proposals, slot_lock_name
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.journal import Step, plain, write_events
from ledger.models import Claim, Kind, Run, Scope
from ledger.packs import PackSet
from ledger.reads.packs import kinds, packs_of
from ledger.reads.twins import edited_since, twins_of
from ledger.rules.columns import check_columns
from ledger.rules.permissions import Right
from ledger.rules.rank import rank
from ledger.rules.slots import dedup_of, slot_of

MOST_PLACES = 50
CHECKED = (
    "statement", "key", "topic", "tags", "value_type", "value", "assignee", "confidence", "confidence_word", "rule",
    "extractor", "extractor_version", "summary", "names_replaced", "valid_from", "valid_to", "expires_at", "downstream",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposal before it is a row. `quotes` are located; `anchors_to_choose` are the places of one that is not."""

    kind: str
    statement: str
    quotes: tuple[Quote, ...]
    key: str = ""
    topic: str = ""
    tags: tuple[str, ...] = ()
    value_type: str = ""
    value: Any = None
    assignee: str = ""
    confidence: float = 0.0
    confidence_word: str = ""
    rule: str = ""
    extractor: str = ""
    extractor_version: str = ""
    hand_authored: bool = False
    needs_review: bool = False
    summary: str = ""
    names_replaced: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    downstream: tuple[str, ...] = ()
    anchors_to_choose: tuple[dict[str, int], ...] = ()
    graduates_id: int | None = None
    layer: str = ""


@dataclass(slots=True)
class Proposal:
    """What became of a draft: `written`, `duplicate` (claim is the known one), `rejected` (a remembered no),
    `unanchored` (law 8), or `unknown_key`."""

    fate: str
    claim: Claim | None = None
    why: str = ""


@dataclass(slots=True)
class _Prepared:
    draft: Draft
    kind: Kind
    slot: str
    dedup: str
    high_risk: bool = False


def propose(
    draft: Draft,
    *,
    scope: Scope,
    actor: Actor,
    reason: str = "",
    batch: uuid.UUID | None = None,
    right: Right = Right.PROPOSE,
) -> Proposal:
    """One proposal by a person or an agent. Raises `Invalid` naming the field for what a run would merely hold back.

    A decision that makes a proposal of its own (supersede, graduate) names its own `right`.
    """
    answer = propose_all([draft], scope=scope, actor=actor, reason=reason, batch=batch, right=right)[0]
    if answer.fate == "unanchored":
        raise Invalid(answer.why, field="evidence")
    if answer.fate == "unknown_key":
        raise Invalid(answer.why, field="key")
    return answer


def propose_all(
    drafts: Sequence[Draft],
    *,
    scope: Scope,
    actor: Actor,
    run: Run | None = None,
    batch: uuid.UUID | None = None,
    reason: str = "",
    right: Right = Right.PROPOSE,
) -> list[Proposal]:
    """All drafts in one transaction and a fixed number of statements; answers in the order of the drafts."""
    if not drafts:
        return []
    with transaction.atomic(savepoint=False):
        actor.require(right, scope)
        lock_proposals([scope.pk])
        known_kinds, packs = kinds(), packs_of(scope)
        answers: list[Proposal | None] = [None] * len(drafts)
        fresh: dict[str, list[tuple[int, _Prepared]]] = {}
        for at, draft in enumerate(drafts):
            prepared = _prepare(draft, known_kinds, packs)
            if isinstance(prepared, Proposal):
                answers[at] = prepared
            else:
                fresh.setdefault(prepared.dedup, []).append((at, prepared))
        twins = twins_of(scope, list(fresh))
        # A graduating memory repeats its own words on purpose.
        unknown = {d: group[0][1].draft for d, group in fresh.items() if d not in twins}
        twins |= edited_since(scope, {d: draft for d, draft in unknown.items() if draft.graduates_id is None})
        seen: list[tuple[Claim, Draft]] = []
        to_write: list[tuple[int, _Prepared]] = []
        for dedup, group in fresh.items():
            twin = twins.get(dedup)
            if twin is not None and twin.status == "rejected":
                for at, _ in group:
                    answers[at] = Proposal("rejected", twin, f"{twin.ref} was rejected; a no is remembered")
                continue
            if twin is not None:
                for at, prepared in group:
                    seen.append((twin, prepared.draft))
                    answers[at] = Proposal("duplicate", twin, f"{twin.ref} says this already")
                continue
            to_write.append(group[0])
        written = _write([prepared for _, prepared in to_write], scope, actor, run)
        for (at, prepared), claim in zip(to_write, written, strict=True):
            answers[at] = Proposal("written", claim)
            for other_at, other in fresh[prepared.dedup][1:]:
                seen.append((claim, other.draft))
                answers[other_at] = Proposal("duplicate", claim, f"{claim.ref} says this already")
        if seen:
            lock_names({slot_lock_name(claim) for claim, _ in seen})
        pairs = [(claim, quote) for claim, p in zip(written, to_write, strict=True) for quote in p[1].draft.quotes]
        pairs += list(_places(seen))
        write_evidence(pairs)
        _note_sightings(seen)
        steps = []
        for claim in written:
            step = Step("propose", actor=actor, scope=scope, ref=claim.ref, reason=reason, batch=batch)
            step.created(claim)
            steps.append(step)
        for ref in dict.fromkeys(claim.ref for claim, _ in seen):
            steps.append(Step("see_again", actor=actor, scope=scope, ref=ref, reason=reason, batch=batch))
        write_events(steps)
        return [answer for answer in answers if answer is not None]


def draft_lock(draft: Draft, scope: Scope) -> str:
    """The lock of the slot that the draft's claim will stand on, for verbs that take it together with another."""
    kind = kinds().get(draft.kind)
    if kind is None:
        raise Invalid(f"no kind {draft.kind!r}", field="kind")
    check_columns({"key": draft.key, "topic": draft.topic})
    slot = slot_of(kind.name, many=kind.many, key=draft.key, topic=draft.topic)
    return slot_lock_name(Claim(scope=scope, key=draft.key, slot=slot, kind=kind))


def _prepare(draft: Draft, known: dict[str, Kind], packs: PackSet) -> _Prepared | Proposal:
    kind = known.get(draft.kind)
    if kind is None:
        raise Invalid(f"no kind {draft.kind!r}", field="kind")
    if not draft.statement.strip():
        raise Invalid("a statement cannot be empty", field="statement")
    check_columns({name: getattr(draft, name) for name in CHECKED})
    if draft.key and packs.keys_closed and draft.key not in packs.keys:
        return Proposal("unknown_key", None, f"key {draft.key!r} is not in force here")
    if not draft.anchors_to_choose and not anchored_by(kind.anchors, draft.quotes):
        return Proposal("unanchored", None, f"a {kind.name} rests on words of {' or '.join(kind.anchors) or 'anybody'}")
    layer = draft.layer or kind.layer
    slot = slot_of(kind.name, many=kind.many, key=draft.key, topic=draft.topic)
    dedup = dedup_of(
        layer=layer, kind=kind.name, slot=slot, key=draft.key, value=draft.value, statement=draft.statement
    )
    spec = packs.keys.get(draft.key)
    return _Prepared(draft, kind, slot, dedup, high_risk=bool(spec and spec.high_risk))


def _write(prepared: list[_Prepared], scope: Scope, actor: Actor, run: Run | None) -> list[Claim]:
    if not prepared:
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_next_refs(%s)", [[p.kind.prefix for p in prepared]])
        refs = [row[0] for row in cursor.fetchall()]
    return Claim.objects.bulk_create([_claim(p, ref, scope, run) for p, ref in zip(prepared, refs, strict=True)])


def _claim(p: _Prepared, ref: str, scope: Scope, run: Run | None) -> Claim:
    d = p.draft
    return Claim(
        ref=ref,
        scope=scope,
        layer=d.layer or p.kind.layer,
        kind=p.kind,
        key=d.key,
        topic=d.topic,
        tags=list(d.tags),
        value_type=d.value_type or p.kind.value_type,
        value=d.value,
        statement=d.statement,
        assignee=d.assignee,
        downstream=list(d.downstream),
        confidence_word=d.confidence_word,
        valid_from=d.valid_from,
        valid_to=d.valid_to,
        graduates_id=d.graduates_id,
        names_replaced=list(d.names_replaced),
        expires_at=d.expires_at,
        needs_review=d.needs_review,
        high_risk=p.high_risk,
        anchors_to_choose=list(d.anchors_to_choose),
        slot=p.slot,
        dedup=p.dedup,
        run=run,
        rule=d.rule,
        extractor=d.extractor,
        extractor_version=d.extractor_version,
        hand_authored=d.hand_authored,
        proposed={
            "kind": d.kind, "key": d.key, "topic": d.topic, "tags": list(d.tags), "value_type": d.value_type,
            "value": d.value, "statement": d.statement, "assignee": d.assignee, "confidence": d.confidence,
            "valid_from": plain(d.valid_from), "valid_to": plain(d.valid_to),
        },
        summary=d.summary,
        confidence=d.confidence,
        rank=rank(confidence=d.confidence, words=len(d.statement.split())),
    )  # fmt: skip


def _places(seen: list[tuple[Claim, Draft]]) -> Iterator[tuple[Claim, Quote]]:
    """The new evidence of what is known. A text that says one thing a thousand times is cited for it a few times."""
    cited: Counter[int] = Counter()
    for claim, draft in seen:
        cited[claim.pk] += 1
        if cited[claim.pk] <= MOST_PLACES:
            yield from ((claim, quote) for quote in draft.quotes)


def _note_sightings(seen: list[tuple[Claim, Draft]]) -> None:
    if seen:
        ids = sorted({claim.pk for claim, _ in seen})
        Claim.objects.filter(pk__in=ids).update(seen_count=F("seen_count") + 1, last_seen_at=timezone.now())
