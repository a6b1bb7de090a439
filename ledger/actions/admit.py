"""Admit what a pass held back: a person or an agent says that it should be a candidate after all (P3)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from ledger.actions.anchoring import quote_at
from ledger.actions.propose import Draft, propose_all
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.journal import Step
from ledger.models import Run, RunHit, Source
from ledger.rules.permissions import Right


@dataclass(slots=True)
class Admitted:
    """`admitted` maps a hit's number to its candidate, `refused` to the reason why it stays where it is."""

    admitted: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {"admitted": self.admitted, "refused": self.refused}


def admit(run: Run, numbers: Sequence[int], *, actor: Actor, reason: str = "") -> Admitted:
    """One event for the hits of `run` with these numbers. Law 8 holds here too: words that cannot anchor a kind anchor
    none because somebody asks. Raises `Invalid` for a number that the report does not have."""
    answer = Admitted()
    with transaction.atomic(savepoint=False):
        actor.require(Right.PROPOSE, run.scope)
        wanted = list(dict.fromkeys(numbers))
        rows = {
            row.number: row
            for row in RunHit.objects.select_for_update(of=("self",)).filter(
                run=run, number__in=[n for n in wanted if 0 < n < 2**31]
            )
        }
        for at, number in enumerate(numbers):
            if number not in rows:
                raise Invalid(f"the report of run {run.pk} has no hit {number}", field=f"hits.{at}")
        source = Source.objects.prefetch_related("sections").get(pk=run.source_id)
        drafts: list[tuple[RunHit, Draft]] = []
        for number in wanted:
            row = rows[number]
            why = _refusal(row, source)
            if why:
                answer.refused.append({"number": number, "why": why})
            else:
                drafts.append((row, _draft(row, source, run)))
        made = propose_all([draft for _, draft in drafts], scope=run.scope, actor=actor, run=run, reason=reason)
        with Step("admit", actor=actor, scope=run.scope, ref=f"run-{run.pk}", reason=reason) as step:
            for (row, _), proposal in zip(drafts, made, strict=True):
                claim = proposal.claim
                if claim is None or proposal.fate == "rejected":
                    answer.refused.append({"number": row.number, "why": proposal.why})
                    continue
                step.change(row, admitted_id=claim.pk)
                answer.admitted.append({"number": row.number, "id": claim.pk, "ref": claim.ref, "fate": proposal.fate})
    return answer


def _refusal(row: RunHit, source: Source) -> str:
    if row.admitted_id is not None:
        return "it was admitted before"
    if source.purged_at is not None or row.hit is None:
        return "its source was purged"
    start, end = row.hit.get("start"), row.hit.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        return "it has no quote in its source"
    return ""


def _draft(row: RunHit, source: Source, run: Run) -> Draft:
    hit = row.hit or {}
    quote = quote_at(
        source, list(source.sections.all()), hit["start"], hit["end"], stance="supports", anchor="exact"
    )  # fmt: skip
    return Draft(
        kind=hit["kind"],
        statement=hit["statement"],
        quotes=(quote,),
        key=hit.get("key", ""),
        topic=hit.get("topic", ""),
        tags=tuple(hit.get("tags", ())),
        value_type=hit.get("value_type", ""),
        value=hit.get("value"),
        assignee=hit.get("assignee", ""),
        confidence=hit.get("confidence", 0.0),
        rule=hit.get("rule", ""),
        extractor=run.extractor,
        extractor_version=run.extractor_version,
        names_replaced=tuple(hit.get("supersedes", ())),
    )
