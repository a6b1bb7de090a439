"""Propose the entity that an active memory has grown into; the memory itself waits for that promotion (P16)."""

import uuid

from django.db import transaction

from ledger.actions.locking import begin, lock_proposals
from ledger.actions.propose import Draft, draft_lock, propose
from ledger.actor import Actor
from ledger.errors import Duplicate
from ledger.journal import Step
from ledger.models import Claim, JournalEvent
from ledger.rules.drafts import Quote
from ledger.verbs import Verb


def graduate(
    claim: Claim,
    *,
    actor: Actor,
    kind: str | None = None,
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """Make an entity candidate of `kind` (default: the memory's own) with the memory's evidence. The event's changes
    name the new candidate. Raises `Invalid` for a kind that is none. The memory stays active until that candidate is promoted."""
    with transaction.atomic(savepoint=False):
        lock_proposals([claim.scope_id])
        also = [draft_lock(_repeated(claim, kind), claim.scope)]
        claim, _ = begin(Verb.GRADUATE, claim, actor=actor, expected_version=expected_version, also=also)
        repeated = _repeated(claim, kind, quotes_behind(claim))
        answer = propose(
            repeated, scope=claim.scope, actor=actor, reason=reason, right=Verb.GRADUATE.row.right, slots_held=True
        )
        if answer.fate != "written" or answer.claim is None:
            raise Duplicate(answer.why, ref=answer.known_as)
        with Step(Verb.GRADUATE, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            step.created(answer.claim)
        return step.event


def quotes_behind(claim: Claim) -> tuple[Quote, ...]:
    """Its own words that were not purged, without what objects to it."""
    return tuple(
        Quote(e.source_id, e.section_id, e.speaker, e.start, e.end, e.raw_words, e.stance, e.anchor, tuple(e.secrets))
        for e in claim.evidence.filter(redacted=False).exclude(stance="opposes")
    )


def _repeated(claim: Claim, kind: str | None, quotes: tuple[Quote, ...] = ()) -> Draft:
    """What the memory says, as an entity."""
    return Draft(
        kind=kind or claim.kind_id, statement=claim.statement, quotes=quotes, key=claim.key, topic=claim.topic,
        subject=claim.subject, tags=tuple(claim.tags), value_type=claim.value_type, value=claim.value,
        confidence=claim.confidence, rule=claim.rule, extractor=claim.extractor, extractor_version=claim.extractor_version,
        hand_authored=claim.hand_authored, graduates_id=claim.pk, layer="entity", summary=claim.summary,
    )  # fmt: skip
