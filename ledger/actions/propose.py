"""Proposals: what a run found or somebody said becomes a candidate, a sighting of a known one, or nothing, with its reason."""

import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from ledger.actions.anchoring import Quote, anchored_by, write_evidence
from ledger.actions.locking import lock_names, lock_proposals, slot_lock_name
from ledger.actions.ordering import mark_contested
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.journal import Step, plain, write_events
from ledger.models import Claim, Kind, Run, Scope
from ledger.packs import PackSet
from ledger.reads.known import Known, known_of, room_of
from ledger.reads.packs import kinds, packs_of, stage_of
from ledger.rules.columns import check_columns
from ledger.rules.permissions import Right
from ledger.rules.rank import crowded, rank
from ledger.rules.registry import Misfit, Registered, register
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
    # In which it was said, where that is not the stage of the scope (T5).
    stage: str = ""
    # Not labelled by its author: what a budget may hold back.
    inferred: bool = False


@dataclass(slots=True)
class Proposal:
    """What became of a draft: `written`, `duplicate` (claim is the known one, in these words or nearly), `rejected` (a
    remembered no), `unanchored` (law 8), `note` (no entry of the registry, T5; `field` says by what); of a run also `echo`
    (an agent repeats what holds) or `over_budget`."""

    fate: str
    claim: Claim | None = None
    why: str = ""
    field: str = ""


@dataclass(slots=True)
class _Prepared:
    draft: Draft
    kind: Kind
    slot: str
    dedup: str
    high_risk: bool = False


type _Group = list[tuple[int, _Prepared]]


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
    if answer.fate == "note":
        raise Invalid(answer.why, field=answer.field)
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
    in_pass: bool | None = None,
) -> list[Proposal]:
    """All drafts in one transaction and a fixed number of statements; answers in the order of the drafts. `in_pass` is
    whether an extractor found them, told apart from `run` for a pass that is only tried."""
    if not drafts:
        return []
    with transaction.atomic(savepoint=False):
        actor.require(right, scope)
        lock_proposals([scope.pk])
        known_kinds, packs = kinds(), packs_of(scope)
        # A decision on what is there already goes by no stage.
        stage = stage_of(scope) if right is Right.PROPOSE else None
        answers, fresh = _sorted(drafts, known_kinds, packs, stage)
        # What a person types while deciding is meant as it stands, however near it is to what there is.
        nearly_too = right is Right.PROPOSE
        found = run is not None if in_pass is None else in_pass
        known = known_of(
            scope, {d: g[0][1] for d, g in fresh.items()}, packs, nearly=nearly_too, echoes=found
        )  # fmt: skip
        seen: list[tuple[Claim, Draft]] = []
        to_write: list[_Group] = []
        for dedup, group in _nearly_equal(fresh, known).items():
            echo, twin = known.echoes.get(dedup), known.twins.get(dedup)
            nearly = " nearly" if dedup in known.near else ""
            for at, prepared in group:
                if echo is not None:
                    answers[at] = Proposal("echo", echo, f"an agent's own repetition of {echo.ref} adds nothing")
                elif twin is not None and twin.status == "rejected":
                    why = f"{twin.ref}{', which says nearly this,' if nearly else ''} was rejected; a no is remembered"
                    answers[at] = Proposal("rejected", twin, why)
                elif twin is not None:
                    seen.append((twin, prepared.draft))
                    answers[at] = Proposal("duplicate", twin, f"{twin.ref} says{nearly} this already")
            if echo is None and twin is None:
                to_write.append(group)
        if found:
            to_write = _within_budget(to_write, answers, scope, packs, known)
        written = _write([group[0][1] for group in to_write], scope, known, run)
        mark_contested(scope.pk, {claim.slot for claim in written}, only=[claim.pk for claim in written])
        for group, claim in zip(to_write, written, strict=True):
            answers[group[0][0]] = Proposal("written", claim)
            for at, prepared in group[1:]:
                seen.append((claim, prepared.draft))
                nearly = " nearly" if prepared.dedup != claim.dedup else ""
                answers[at] = Proposal("duplicate", claim, f"{claim.ref} says{nearly} this already")
        if seen:
            lock_names({slot_lock_name(claim) for claim, _ in seen})
        pairs = [(claim, quote) for claim, g in zip(written, to_write, strict=True) for quote in g[0][1].draft.quotes]
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


@dataclass(frozen=True, slots=True)
class Novelty:
    """How new a draft is: `twin` says it already, else `share` is 0 to 1 (P3, C5). `first` is the place of the draft of the
    same pass that says the same first; its own where that is itself."""

    first: int
    twin: Claim | None = None
    share: float = 1.0


def novelty_of(drafts: Sequence[Draft], scope: Scope, packs: PackSet) -> list[Novelty]:
    """In the order of the drafts. Without a lock or a write: what ranks a pass, not what decides it."""
    _, fresh = _sorted(drafts, kinds(), packs, stage_of(scope))
    known = known_of(scope, {d: group[0][1] for d, group in fresh.items()}, packs)
    answer = [Novelty(at) for at in range(len(drafts))]
    for dedup, group in _nearly_equal(fresh, known).items():
        for at, _ in group:
            answer[at] = Novelty(group[0][0], known.twins.get(dedup), known.novelty.get(dedup, 1.0))
    return answer


def draft_lock(draft: Draft, scope: Scope) -> str:
    """The lock of the slot that the draft's claim will stand on, for verbs that take it together with another."""
    kind = kinds().get(draft.kind)
    if kind is None:
        raise Invalid(f"no kind {draft.kind!r}", field="kind")
    check_columns({"key": draft.key, "topic": draft.topic})
    spec = packs_of(scope).key_named(draft.key) if draft.key else None
    key = spec.key if spec else draft.key
    slot = slot_of(kind.name, many=kind.many, key=key, topic=draft.topic)
    return slot_lock_name(Claim(scope=scope, key=key, slot=slot, kind=kind))


def _prepare(draft: Draft, known: dict[str, Kind], packs: PackSet, stage: str | None) -> _Prepared | Proposal:
    kind = known.get(draft.kind)
    if kind is None:
        raise Invalid(f"no kind {draft.kind!r}", field="kind")
    if not draft.statement.strip():
        raise Invalid("a statement cannot be empty", field="statement")
    check_columns({name: getattr(draft, name) for name in CHECKED})
    at_stage = "" if stage is None else draft.stage or stage
    try:
        entry = register(packs, draft.key, draft.value, draft.value_type, stage=at_stage)
    except Misfit as error:
        # What holds already graduates as it is, whatever the registry has become.
        if draft.graduates_id is None:
            return Proposal("note", None, str(error), error.field)
        spec = packs.key_named(draft.key)
        entry = Registered(draft.key, draft.value, draft.value_type, bool(spec and spec.high_risk))
    draft = replace(draft, key=entry.key, value=entry.value, value_type=entry.value_type)
    if not draft.anchors_to_choose and not anchored_by(kind.anchors, draft.quotes):
        return Proposal("unanchored", None, f"a {kind.name} rests on words of {' or '.join(kind.anchors) or 'anybody'}")
    layer = draft.layer or kind.layer
    slot = slot_of(kind.name, many=kind.many, key=draft.key, topic=draft.topic)
    dedup = dedup_of(
        layer=layer, kind=kind.name, slot=slot, key=draft.key, value=draft.value, statement=draft.statement,
        assignee=draft.assignee,
    )  # fmt: skip
    return _Prepared(draft, kind, slot, dedup, high_risk=entry.high_risk)


def _sorted(
    drafts: Sequence[Draft], known_kinds: dict[str, Kind], packs: PackSet, stage: str | None
) -> tuple[list[Proposal | None], dict[str, _Group]]:
    """What can be answered at once, and the rest by duplicate key, each draft with its place."""
    answers: list[Proposal | None] = [None] * len(drafts)
    fresh: dict[str, _Group] = {}
    for at, draft in enumerate(drafts):
        prepared = _prepare(draft, known_kinds, packs, stage)
        if isinstance(prepared, Proposal):
            answers[at] = prepared
        else:
            fresh.setdefault(prepared.dedup, []).append((at, prepared))
    return answers, fresh


def _nearly_equal(fresh: dict[str, _Group], known: Known) -> dict[str, _Group]:
    """What nobody says yet and two drafts of one pass say in other words is one proposal, in the words of the first."""
    first: dict[int, str] = {}
    groups: dict[str, _Group] = {}
    for dedup, group in fresh.items():
        keys = known.keys[dedup]
        alone = not keys or dedup in known.twins or dedup in known.echoes or group[0][1].draft.graduates_id is not None
        groups.setdefault(dedup if alone else first.setdefault(keys[0], dedup), []).extend(group)
    return groups


def _within_budget(
    groups: list[_Group], answers: list[Proposal | None], scope: Scope, packs: PackSet, known: Known
) -> list[_Group]:
    """Of what was inferred only so much is written as the scope's budget for its kind has room for, the best by rank first;
    what an author labelled takes its place without asking (C5, P3). Under the scope's lock, so that it holds."""
    inferred = [group for group in groups if group[0][1].draft.inferred]
    room = room_of(scope, (group[0][1].kind.name for group in inferred), packs) if inferred else {}
    if not room:
        return groups
    left = {kind: free for kind, (free, _) in room.items()}
    for group in groups:
        prepared = group[0][1]
        if not prepared.draft.inferred and prepared.kind.name in left:
            left[prepared.kind.name] -= 1
    beyond: set[int] = set()
    for group in sorted(inferred, key=lambda g: -_rank(g[0][1], known)):
        kind = group[0][1].kind.name
        if kind in left and left[kind] <= 0:
            beyond.add(id(group))
            why = f"the budget of {room[kind][1]} {kind} claims for a {scope.tier} is full"
            for at, _ in group:
                answers[at] = Proposal("over_budget", None, why)
        elif kind in left:
            left[kind] -= 1
    return [group for group in groups if id(group) not in beyond]


def _rank(p: _Prepared, known: Known) -> float:
    novelty = known.novelty.get(p.dedup, 1.0)
    return rank(confidence=p.draft.confidence, words=len(p.draft.statement.split()), novelty=novelty)


def _write(prepared: list[_Prepared], scope: Scope, known: Known, run: Run | None) -> list[Claim]:
    if not prepared:
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_next_refs(%s)", [[p.kind.prefix for p in prepared]])
        refs = [row[0] for row in cursor.fetchall()]
    rows = [_claim(p, ref, scope, run, known) for p, ref in zip(prepared, refs, strict=True)]
    for at in crowded([(row.first_source, "" if row.high_risk else row.rule, row.rank) for row in rows]):
        rows[at].crowded = True
    return Claim.objects.bulk_create(rows)


def _first_source(draft: Draft) -> int:
    """The source it was first found in, 0 where it has none."""
    if draft.quotes:
        return draft.quotes[0].source_id
    return draft.anchors_to_choose[0]["source"] if draft.anchors_to_choose else 0


def _claim(p: _Prepared, ref: str, scope: Scope, run: Run | None, known: Known) -> Claim:
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
        near=known.keys[p.dedup],
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
        rank=_rank(p, known),
        first_source=_first_source(d),
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
