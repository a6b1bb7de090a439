"""Proposals: what a run found or somebody said becomes a candidate, a sighting of a known one, or nothing, with its reason."""

import math
import uuid
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from ledger.actions.anchoring import write_evidence
from ledger.actions.drafts import (
    Groups,
    Novelty,
    Proposal,
    SameDrafts,
    draft_lock,
    firsts,
    nearly_equal,
    novelty_of,
    prepare,
)
from ledger.actions.locking import lock_at_once, lock_names, lock_proposals, slot_lock_name
from ledger.actions.reconcile_conflicts import mark_contested
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.journal import Step, next_refs, plain, write_events
from ledger.language.contradiction import subject_keys
from ledger.models import Claim, Kind, Run, Scope, Speaker, Stance
from ledger.packs import PackSet
from ledger.reads.claims import agents_that_brought
from ledger.reads.duplicates import DuplicateContext, budget_left, duplicate_context
from ledger.reads.packs import kinds, packs_of, stage_of
from ledger.rules.blocks import MANUAL
from ledger.rules.drafts import Draft
from ledger.rules.permissions import Right
from ledger.rules.ranking import crowded, rank
from ledger.rules.secrets import masked_in
from ledger.verbs import Verb

__all__ = ["Draft", "Novelty", "Proposal", "draft_lock", "novelty_of", "propose", "propose_all"]

MAX_PLACES = 50
# In place of a source, for words that anchor nothing whoever sent them.
NOT_SENT = 0
# Where a secret could stand in what is proposed.
SAID = ("statement", "value", "key", "topic", "subject", "assignee")
# What was first said of a claim stays beside it as it was (design §3).
FIRST_SAID = ("kind", "key", "topic", "value_type", "value", "statement", "assignee", "confidence")


def propose(
    draft: Draft,
    *,
    scope: Scope,
    actor: Actor,
    reason: str = "",
    batch: uuid.UUID | None = None,
    right: Right = Right.PROPOSE,
    slots_held: bool = False,
) -> Proposal:
    """One proposal by a person or an agent. Raises `Invalid` naming the field for what a run would merely hold back.

    A decision that makes a proposal of its own (supersede, graduate) names its own `right`.
    """
    [answer] = propose_all(
        [draft], scope=scope, actor=actor, reason=reason, batch=batch, right=right, slots_held=slots_held
    )
    if answer.fate in ("unanchored", "note"):
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
    in_pass: bool = False,
    slots_held: bool = False,
) -> list[Proposal]:
    """All drafts in one transaction and a fixed number of statements; answers in the order of the drafts. `in_pass` is
    whether an extractor found them, told apart from `run` for a pass that is only tried. `slots_held` is whether the caller's verb
    holds slots: others that come up are not waited for then."""
    if not drafts:
        return []
    # A decision on what is there already goes by no stage, and what a person types while deciding is meant as it stands,
    # however near it is to what there is.
    deciding = right is not Right.PROPOSE
    if not deciding and any(draft.kind == MANUAL for draft in drafts):
        raise Invalid("what a person types over a field is no proposal: write the field of its item", field="kind")
    with transaction.atomic(savepoint=False):
        actor.require(right, scope)
        lock_proposals([scope.pk])
        known_kinds, packs = kinds(), packs_of(scope)
        drafts = [without_secrets(draft) for draft in (drafts if deciding else marked_by_bringer(drafts))]
        answers, prepared = prepare(drafts, known_kinds, packs, "" if deciding else stage_of(scope))
        known = duplicate_context(scope, firsts(prepared), packs, nearly=not deciding, echoes=in_pass)
        new, seen = told_apart(nearly_equal(prepared, known), answers, known)
        if in_pass:
            new = within_budget(new, answers, scope, packs, known)
        written = _write([_row(group.first, known_kinds[group.first.kind], scope, run, known) for group in new], scope)
        for group, claim in zip(new, written, strict=True):
            answers |= _answers_to(group, claim)
            seen += [(claim, draft) for draft in group.drafts[1:]]
        _cite(new, written, seen, slots_held=slots_held)
        told = partial(Step, actor=actor, scope=scope, reason=reason, batch=batch)
        steps = [told(Verb.PROPOSE, ref=claim.ref).created(claim) for claim in written]
        again = dict.fromkeys([claim.ref for claim, _ in seen])
        write_events(steps + [told(Verb.SEE_AGAIN, ref=ref) for ref in again])
        return [answer for _, answer in sorted(answers.items())]


def _answers_to(group: SameDrafts, claim: Claim) -> dict[int, Proposal]:
    """The first of them became the claim, the others say the same."""
    answers = [_duplicate(claim, nearly=draft.dedup != claim.dedup) for draft in group.drafts[1:]]
    return dict(zip(group.places, [Proposal("written", claim), *answers], strict=True))


def marked_by_bringer(drafts: Sequence[Draft]) -> list[Draft]:
    """What rests on nothing but a document or a user's words that an agent sent says so and needs a person's eye (law 8)."""
    sources = [_anchors_of(draft) for draft in drafts]
    brought = agents_that_brought(set().union(*sources) - {NOT_SENT})
    return [_marked(draft, anchors, brought) for draft, anchors in zip(drafts, sources, strict=True)]


def _anchors_of(draft: Draft) -> list[int]:
    """The sources whose words support it, in their order; `NOT_SENT` for an agent's or a tool's own."""
    words = (quote for quote in draft.quotes if quote.stance == Stance.SUPPORTS)
    return [quote.source_id if quote.speaker in (Speaker.DOCUMENT, Speaker.USER) else NOT_SENT for quote in words]


def _marked(draft: Draft, sources: Sequence[int], brought: Mapping[int, str]) -> Draft:
    if not sources or not brought.keys() >= set(sources):
        return draft
    told = f"brought by agent {brought[sources[0]]}"
    return replace(draft, needs_review=True, summary="; ".join(filter(None, (draft.summary.rstrip("."), told))))


def without_secrets(draft: Draft) -> Draft:
    """A claim never holds a password, a key or a card's number; what rests on one says so, is risky and needs a person's eye."""
    said = {name: getattr(draft, name) for name in SAID}
    clean = masked_in(said)
    if clean == said and not any(quote.secrets for quote in draft.quotes):
        return draft
    kinds = sorted({one.kind for quote in draft.quotes for one in quote.secrets})
    told = f"holds a secret, masked ({', '.join(kinds)})" if kinds else "holds a secret, masked"
    summary = "; ".join(filter(None, (draft.summary.rstrip("."), told)))
    return replace(draft, **clean, summary=summary, needs_review=True, high_risk=True)


type Sighting = tuple[Claim, Draft]


def told_apart(
    groups: Groups, answers: dict[int, Proposal], known: DuplicateContext
) -> tuple[list[SameDrafts], list[Sighting]]:
    """What is new, and what is said of a known claim again; what is known is answered."""
    new: list[SameDrafts] = []
    seen: list[Sighting] = []
    for dedup, group in groups.items():
        answer = answer_from(dedup, known)
        if answer is None:
            new.append(group)
            continue
        answers |= dict.fromkeys(group.places, answer)
        if answer.fate == "duplicate" and answer.claim is not None:
            seen += [(answer.claim, draft) for draft in group.drafts]
    return new, seen


def answer_from(dedup: str, known: DuplicateContext) -> Proposal | None:
    """What is known of a proposal answers it, unless it is new."""
    echo, twin = known.echoes.get(dedup), known.twins.get(dedup)
    nearly = dedup in known.near
    if echo is not None:
        return Proposal("echo", echo, f"an agent's own repetition of {echo.ref} adds nothing")
    if twin is None:
        return None
    if twin.status == "rejected":
        also = ", which says nearly this," if nearly else ""
        return Proposal("rejected", twin, f"{twin.ref}{also} was rejected; a no is remembered")
    return _duplicate(twin, nearly=nearly)


def _duplicate(claim: Claim, *, nearly: bool) -> Proposal:
    return Proposal("duplicate", claim, f"{claim.ref} says{' nearly' if nearly else ''} this already")


def within_budget(
    groups: list[SameDrafts], answers: dict[int, Proposal], scope: Scope, packs: PackSet, known: DuplicateContext
) -> list[SameDrafts]:
    """Of what was inferred only so much is written as the scope's budget for its kind has room for, the best by rank first;
    what an author labelled takes its place without asking (C5, P3). Under the scope's lock, so that it holds."""
    inferred = [group for group in groups if group.first.inferred]
    room = budget_left(scope, {group.first.kind for group in inferred}, packs)
    left: dict[str, float] = defaultdict(lambda: math.inf, {kind: free for kind, (free, _) in room.items()})
    for group in groups:
        if not group.first.inferred:
            left[group.first.kind] -= 1
    for group in sorted(inferred, key=lambda one: -_rank(one.first, known)):
        kind = group.first.kind
        left[kind] -= 1
        if left[kind] < 0:
            why = f"the budget of {room[kind][1]} {kind} claims for a {scope.tier} is full"
            answers |= dict.fromkeys(group.places, Proposal("over_budget", None, why))
    return [group for group in groups if group.places[0] not in answers]


def _rank(draft: Draft, known: DuplicateContext) -> float:
    novelty = known.novelty.get(draft.dedup, 1.0)
    return rank(confidence=draft.confidence, words=len(draft.statement.split()), novelty=novelty)


def _write(rows: list[Claim], scope: Scope) -> list[Claim]:
    if not rows:
        return []
    for row, ref in zip(rows, next_refs([row.kind.prefix for row in rows]), strict=True):
        row.ref = ref
    for at in crowded([(row.first_source, "" if row.high_risk else row.rule, row.rank) for row in rows]):
        rows[at].crowded = True
    written = Claim.objects.bulk_create(rows)
    mark_contested(scope.pk, {claim.slot for claim in written}, only=[claim.pk for claim in written])
    return written


def _first_source(draft: Draft) -> int:
    """The source it was first found in, 0 where it has none."""
    sources = [quote.source_id for quote in draft.quotes] + [place["source"] for place in draft.anchors_to_choose]
    return next(iter(sources), 0)


def _row(draft: Draft, kind: Kind, scope: Scope, run: Run | None, known: DuplicateContext) -> Claim:
    return Claim(
        scope=scope,
        layer=draft.layer,
        kind=kind,
        key=draft.key,
        topic=draft.topic,
        subject=draft.subject,
        tags=list(draft.tags),
        value_type=draft.value_type or kind.value_type,
        value=draft.value,
        statement=draft.statement,
        assignee=draft.assignee,
        downstream=list(draft.downstream),
        confidence_word=draft.confidence_word,
        valid_from=draft.valid_from,
        valid_to=draft.valid_to,
        graduates_id=draft.graduates_id,
        names_replaced=list(draft.names_replaced),
        expires_at=draft.expires_at,
        needs_review=draft.needs_review,
        high_risk=draft.high_risk,
        anchors_to_choose=list(draft.anchors_to_choose),
        slot=draft.slot,
        dedup=draft.dedup,
        near=known.keys[draft.dedup],
        subjects=[] if kind.many else subject_keys(scope.pk, draft.statement),
        run=run,
        rule=draft.rule,
        extractor=draft.extractor,
        extractor_version=draft.extractor_version,
        hand_authored=draft.hand_authored,
        proposed={name: getattr(draft, name) for name in FIRST_SAID}
        | {"tags": list(draft.tags), "valid_from": plain(draft.valid_from), "valid_to": plain(draft.valid_to)},
        summary=draft.summary,
        confidence=draft.confidence,
        rank=_rank(draft, known),
        first_source=_first_source(draft),
    )


def _cite(new: list[SameDrafts], written: list[Claim], seen: list[Sighting], *, slots_held: bool) -> None:
    """The evidence of what is new, and the new evidence of what is known. A text that says one thing a thousand times is cited
    for it a few times."""
    pairs = [(claim, quote) for claim, group in zip(written, new, strict=True) for quote in group.first.quotes]
    cited: Counter[int] = Counter()
    for claim, draft in seen:
        cited[claim.pk] += 1
        if cited[claim.pk] <= MAX_PLACES:
            pairs += [(claim, quote) for quote in draft.quotes]
    if slots_held:
        lock_at_once(claim for claim, _ in seen)
    elif seen:
        lock_names({slot_lock_name(claim) for claim, _ in seen})
    write_evidence(pairs)
    again = Claim.objects.filter(pk__in=sorted(cited))
    again.update(seen_count=F("seen_count") + 1, last_seen_at=timezone.now())
