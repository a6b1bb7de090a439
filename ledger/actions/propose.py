"""Proposals: what a run found or somebody said becomes a candidate, a sighting of a known one, or nothing, with its reason."""

import uuid
from collections import Counter
from collections.abc import Iterator, Sequence

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from ledger.actions.anchoring import Quote, write_evidence
from ledger.actions.drafts import (
    Draft,
    Group,
    Novelty,
    Prepared,
    Proposal,
    draft_lock,
    nearly_equal,
    novelty_of,
    sorted_out,
)
from ledger.actions.locking import lock_names, lock_proposals, slot_lock_name
from ledger.actions.ordering import mark_contested
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.journal import Step, plain, write_events
from ledger.models import Claim, Run, Scope
from ledger.packs import PackSet
from ledger.reads.duplicates import DuplicateContext, budget_left, duplicate_context
from ledger.reads.packs import kinds, packs_of, stage_of
from ledger.rules.permissions import Right
from ledger.rules.rank import crowded, rank

__all__ = ["Draft", "Novelty", "Proposal", "draft_lock", "novelty_of", "propose", "propose_all"]

MAX_PLACES = 50


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
        answers, fresh = sorted_out(drafts, known_kinds, packs, stage)
        # What a person types while deciding is meant as it stands, however near it is to what there is.
        nearly_too = right is Right.PROPOSE
        found = run is not None if in_pass is None else in_pass
        known = duplicate_context(
            scope, {d: g[0][1] for d, g in fresh.items()}, packs, nearly=nearly_too, echoes=found
        )  # fmt: skip
        seen: list[tuple[Claim, Draft]] = []
        to_write: list[Group] = []
        for dedup, group in nearly_equal(fresh, known).items():
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


def _within_budget(
    groups: list[Group], answers: list[Proposal | None], scope: Scope, packs: PackSet, known: DuplicateContext
) -> list[Group]:
    """Of what was inferred only so much is written as the scope's budget for its kind has room for, the best by rank first;
    what an author labelled takes its place without asking (C5, P3). Under the scope's lock, so that it holds."""
    inferred = [group for group in groups if group[0][1].draft.inferred]
    room = budget_left(scope, (group[0][1].kind.name for group in inferred), packs) if inferred else {}
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


def _rank(p: Prepared, known: DuplicateContext) -> float:
    novelty = known.novelty.get(p.dedup, 1.0)
    return rank(confidence=p.draft.confidence, words=len(p.draft.statement.split()), novelty=novelty)


def _write(prepared: list[Prepared], scope: Scope, known: DuplicateContext, run: Run | None) -> list[Claim]:
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


def _claim(p: Prepared, ref: str, scope: Scope, run: Run | None, known: DuplicateContext) -> Claim:
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
        if cited[claim.pk] <= MAX_PLACES:
            yield from ((claim, quote) for quote in draft.quotes)


def _note_sightings(seen: list[tuple[Claim, Draft]]) -> None:
    if seen:
        ids = sorted({claim.pk for claim, _ in seen})
        Claim.objects.filter(pk__in=ids).update(seen_count=F("seen_count") + 1, last_seen_at=timezone.now())
