"""What is noted beside the journal, each in a log of its own: what was shown and what came of it (C4, C10), patterns of a
thread (D2), and what was measured against labelled texts."""

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction

from ledger.actions.credit import credit
from ledger.actor import Actor
from ledger.errors import Forbidden, Invalid
from ledger.journal import next_refs
from ledger.models import (
    Channel,
    Claim,
    Evaluation,
    Exposure,
    Outcome,
    OutcomeType,
    Pattern,
    Run,
    Scope,
    Source,
)
from ledger.rules.columns import check_text
from ledger.rules.permissions import Right

PATTERN_PREFIX = "PAT"
# The figures of a measure that are kept.
FIGURES: Final = (
    "rows", "gold", "hits", "gold_found", "hits_right", "exact", "owners", "owners_right", "values", "values_right", "unlabelled",
    "alarmed", "false_on_unlabelled", "false_on_open", "precision", "recall", "f1", "exact_share", "seconds", "texts_per_s",
    "us_per_char", "by_kind", "by_rule",
)  # fmt: skip


def expose(scope: Scope, refs: Sequence[str], *, channel: str, actor: Actor, conversation: str = "") -> Exposure:
    """One answer that showed `refs`."""
    if channel not in Channel.values:
        raise Invalid(f"channel is one of {', '.join(Channel.values)}", field="channel")
    check_text("conversation", conversation, most=300)
    return Exposure.objects.create(
        scope=scope, refs=list(refs), channel=channel, shown_to=actor.name, conversation=conversation
    )


def report_outcome(
    scope: Scope, *, conversation: str, type: str, actor: Actor, evidence: tuple[Source, int, int] | None = None
) -> Outcome:
    """What happened in a conversation. Evidence is (source, start, end), words of whom the type speaks of: a user's outcome rests
    on a user's, a tool's on a tool's; only outcomes with evidence earn credit. Raises `Invalid` by field."""
    actor.require(Right.OBSERVE, scope)
    if type not in OutcomeType.values:
        raise Invalid(f"type is one of {', '.join(OutcomeType.values)}", field="type")
    check_text("conversation", conversation, most=300)
    outcome = Outcome(scope=scope, conversation=conversation, type=type, reported_by=actor.name)
    if evidence is None:
        outcome.save()
        return outcome
    outcome.source, outcome.start, outcome.end = evidence
    _require_speaker(type.partition("_")[0], *evidence)
    with transaction.atomic():
        credit(outcome)
    return outcome


def _require_speaker(speaker: str, source: Source, start: int, end: int) -> None:
    """Whether the range is of one speaker's words."""
    if not 0 <= start < end <= len(source.text):
        raise Invalid(f"source {source.pk} has no range {start} to {end}", field="evidence.start")
    spoken = set(source.sections.filter(start__lt=end, end__gt=start).values_list("speaker", flat=True))
    if spoken != {speaker}:
        said = ", ".join(sorted(spoken)) or "nobody"
        raise Invalid(f"a {speaker}'s outcome rests on a {speaker}'s words, these are of {said}", field="evidence")


@dataclass(frozen=True, slots=True)
class PatternFound:
    """A pattern before it is a row. `sources` are the ids of its messages in their order. `hit` is the place, among the hits
    of the same pass, of the one that the pattern led to; None where it led to none."""

    type: str
    sources: tuple[int, ...]
    description: str
    hit: int | None = None

    @property
    def dedup(self) -> str:
        """Two passes that see the same pattern in the same messages see one."""
        return hashlib.sha256("|".join([self.type, *map(str, self.sources)]).encode()).hexdigest()


def note_patterns(
    found: Sequence[PatternFound],
    *,
    scope: Scope,
    actor: Actor,
    run: Run | None = None,
    claims: Sequence[Claim | None] = (),
) -> list[Pattern]:
    """New rows for what was not noted before; `claims` stand beside `found` where a pattern led to a claim. Logs of their own,
    like gates, and not journalled. In the transaction of the pass that found them."""
    beside = claims or [None] * len(found)
    with transaction.atomic(savepoint=False):
        actor.require(Right.PROPOSE, scope)
        fresh = {one.dedup: (one, claim) for one, claim in zip(found, beside, strict=True)}
        for known in Pattern.objects.filter(scope=scope, dedup__in=fresh).values_list("dedup", flat=True):
            fresh.pop(known)
        if not fresh:
            return []
        rows = Pattern.objects.bulk_create(
            Pattern(ref=ref, scope=scope, type=one.type, claim=claim, description=one.description, dedup=dedup, run=run)
            for ref, (dedup, (one, claim)) in zip(next_refs([PATTERN_PREFIX] * len(fresh)), fresh.items(), strict=True)
        )
        through = Pattern.sources.through
        through.objects.bulk_create(
            through(pattern_id=row.pk, source_id=source)
            for row in rows
            for source in dict.fromkeys(fresh[row.dedup][0].sources)
        )
        return rows


def keep_evaluation(lines: Sequence[Mapping[str, Any]], *, version: str, actor: Actor) -> list[Evaluation]:
    """One row for each measure of each file; all of one call share a batch. Lists of worst cases hold words of the texts and are
    left out. Only the command line may: raises `Forbidden` for any other door."""
    if actor.door != "command":
        raise Forbidden("evaluations are kept at the command line")
    for line in lines:
        check_text("file", line["file"], most=200)
        check_text("measure", line["measure"], most=40)
    batch = uuid.uuid4()
    with transaction.atomic():
        return Evaluation.objects.bulk_create(
            Evaluation(
                gold=line["file"],
                measure=line["measure"],
                version=version[:80],
                batch=batch,
                by=actor.name,
                figures={name: line[name] for name in FIGURES if name in line},
            )
            for line in lines
        )
