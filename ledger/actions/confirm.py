"""What people say of a claim in its thread: a confirmation marks it high, an objection flags it for a person (D5, D7).

Neither decides anything: the claim's status stays, and both can be undone.
"""

import uuid
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from ledger.actions.anchoring import write_evidence
from ledger.actions.locking import lock_claim, lock_names, slot_lock_name
from ledger.actor import Actor
from ledger.journal import Step
from ledger.models import Claim, ConfidenceWord, JournalEvent
from ledger.rules.drafts import Quote
from ledger.verbs import Verb, hindrance


def confirm(
    claims: Sequence[Claim],
    *,
    words: Quote,
    actor: Actor,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> list[JournalEvent]:
    """Each claim's confidence word becomes `high`, with the confirming words as evidence: context, since what the claim
    says rests on what is confirmed. One event a claim that changes.

    Words that a claim cites already confirm it no second time, so that an undone confirmation stays undone when its
    message is read again.
    """
    return _each(Verb.CONFIRM, claims, words, actor, reason, batch, confidence_word=ConfidenceWord.HIGH)


def flag(
    claims: Sequence[Claim],
    *,
    words: Quote | None = None,
    actor: Actor,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> list[JournalEvent]:
    """Each claim needs a person's review; `words` that speak against it become its evidence, opposing, and take back the
    `high` that a confirmation gave it, unless a person has decided or edited it since. The same reason flags a claim once."""
    return _each(Verb.FLAG, claims, words, actor, reason, batch, needs_review=True)


def _each(
    verb: Verb,
    claims: Sequence[Claim],
    words: Quote | None,
    actor: Actor,
    reason: str,
    batch: uuid.UUID | None,
    **columns: Any,
) -> list[JournalEvent]:
    events = []
    with transaction.atomic(savepoint=False):
        # All slots at once, in the one order; each claim is then locked without waiting.
        lock_names({slot_lock_name(claim) for claim in claims})
        for _, named in sorted({claim.pk: claim for claim in claims}.items()):
            claim = lock_claim(named)
            actor.require(verb.row.right, claim.scope)
            if hindrance(verb, claim) or _said_before(verb, claim, words, reason):
                continue
            changes = columns | (_evidence_of(claim, words) if words else {})
            if any(getattr(claim, name) != value for name, value in changes.items()):
                with Step(verb, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
                    step.change(claim, **changes)
                events.append(step.event)
    return events


def _evidence_of(claim: Claim, words: Quote) -> dict[str, Any]:
    """Cites the words; the columns that they change besides."""
    if not _cites(claim, words):
        write_evidence([(claim, words)])
    if words.stance == "opposes" and _only_confirmed(claim):
        return {"confidence_word": ""}
    return {}


def _said_before(verb: Verb, claim: Claim, words: Quote | None, reason: str) -> bool:
    if words is None:
        return JournalEvent.objects.filter(ref=claim.ref, verb=verb, reason=reason).exists()
    # The words may have come with the proposal itself; then nothing was marked by them yet, unless an objection took it back.
    verbs = (Verb.CONFIRM, Verb.FLAG) if verb == Verb.CONFIRM else (verb,)
    return _cites(claim, words) and JournalEvent.objects.filter(ref=claim.ref, verb__in=verbs).exists()


def _only_confirmed(claim: Claim) -> bool:
    """High since somebody said yes, and nobody who decides has touched it."""
    touched = JournalEvent.objects.filter(ref=claim.ref, actor_kind="human").exists()
    return claim.confidence_word == ConfidenceWord.HIGH and not touched


def _cites(claim: Claim, words: Quote) -> bool:
    return claim.evidence.filter(source=words.source_id, start=words.start, end=words.end).exists()
