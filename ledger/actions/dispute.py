"""Objections: a weighted dispute with evidence, and a person's word that a claim was looked at again (C8, C9)."""

import uuid

from django.db import transaction
from django.db.models import Max, QuerySet

from ledger.actions.anchoring import find_quotes, write_evidence
from ledger.actions.locking import begin
from ledger.actor import Actor
from ledger.errors import DecisionNeeded, Duplicate
from ledger.journal import Step
from ledger.models import Claim, Dispute, Evidence, JournalChange, JournalEvent, Source, Tier
from ledger.reads.packs import packs_of
from ledger.rules.bundles.episode import exit_code_of
from ledger.rules.credit import OBJECTION_WEIGHTS
from ledger.verbs import Verb

# Narrow scopes ask for a recheck sooner (C9).
RECHECK_AT = {Tier.ITEM: 0.5, Tier.PROJECT: 0.6, Tier.DOMAIN: 1.0, Tier.GLOBAL: 1.5}


def dispute(
    claim: Claim,
    *,
    source: Source,
    quote: str,
    actor: Actor,
    start: int | None = None,
    end: int | None = None,
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """The claim shows as disputed where somebody stands behind the words; when the open disputes weigh enough for its tier it
    also needs a recheck.

    Raises `Invalid` where the source does not say `quote`, `DecisionNeeded` where it says it in several places,
    `Duplicate` where the same words object already: said twice they weigh no more.
    """
    with transaction.atomic(savepoint=False):
        claim, _ = begin(Verb.DISPUTE, claim, actor=actor, expected_version=expected_version)
        words, places = find_quotes(source, quote, start=start, end=end, stance="opposes")
        if words is None:
            raise DecisionNeeded("the quote stands in several places; give its start", choices=list(places))
        write_evidence([(claim, words)])
        row = Evidence.objects.get(claim=claim, source=source, start=words.start, end=words.end, stance="opposes")
        if claim.disputes.filter(evidence=row, status="open").exists():
            raise Duplicate(f"{claim.ref} is disputed with these words already", ref=claim.ref)
        with Step(Verb.DISPUTE, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            objection = Dispute.objects.create(claim=claim, evidence=row, weight=_weight(row, actor))
            step.created(objection)
            flags = flags_of(claim, claim.disputes.filter(status="open"))
            step.change(claim, **{name: up or getattr(claim, name) for name, up in flags.items()})
        return step.event


def _weight(words: Evidence, actor: Actor) -> float:
    """What an objection weighs: by who speaks, and nothing where only the agent that objects vouches for it."""
    if _is_own_word(words, actor):
        return 0.0
    scope = words.claim.scope
    return float(packs_of(scope).setting("disputes.weights", words.speaker, OBJECTION_WEIGHTS[words.speaker]))


def _is_own_word(words: Evidence, actor: Actor) -> bool:
    """Whether an agent objects with words that it brought in itself, under whatever name. How a program ended is the
    program's word: a tool's section of an episode, with its exit code, sent by an agent that may speak for tools."""
    if actor.kind != "agent" or (words.speaker == "tool" and exit_code_of(words.section.heading_path) is not None):
        return False
    brought = JournalChange.objects.filter(noun="source", row=words.source_id, event__actor_kind=actor.kind)
    return brought.filter(event__actor_name=actor.name).exists()


def flags_of(claim: Claim, disputes: QuerySet[Dispute]) -> dict[str, bool]:
    """The flags that these disputes alone raise. One text counts once, however often it is quoted or sent."""
    by_text = disputes.order_by().values_list("evidence__source__sha256").annotate(Max("weight"))
    mass = round(sum(weight for _, weight in by_text), 6)
    tier = Tier(claim.scope.tier)
    enough = packs_of(claim.scope).setting("disputes.thresholds", tier.value, RECHECK_AT[tier]) if mass else 0
    return {"disputed": mass > 0, "needs_recheck": 0 < mass >= enough}


def recheck(
    claim: Claim,
    *,
    actor: Actor,
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """A person looked again and it still holds: the flags are cleared, the open disputes void."""
    with transaction.atomic(savepoint=False):
        claim, _ = begin(Verb.RECHECK, claim, actor=actor, expected_version=expected_version)
        with Step(Verb.RECHECK, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            step.change(claim, disputed=False, needs_recheck=False)
            for objection in claim.disputes.filter(status="open"):
                step.change(objection, status="void", implicit=True)
        return step.event
