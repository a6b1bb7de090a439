"""Admit what a pass held back: a person or an agent says that it should be a candidate after all (P3)."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction

from ledger.actions.anchoring import find_quotes, quote_at
from ledger.actions.locking import lock_proposals
from ledger.actions.propose import Draft, Proposal, propose_all
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.journal import Step
from ledger.models import Run, RunHit, Scope, Source
from ledger.reads.scopes import below
from ledger.rules.drafts import Quote
from ledger.verbs import Verb

# What a draft takes from the hit of a report, where that says something.
COLUMNS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("kind", "statement", "key", "topic", "subject", "value_type", "assignee", "rule", "summary"), str),
    "confidence_word": str,
    "confidence": float,
    "needs_review": bool,
    **dict.fromkeys(("tags", "downstream"), tuple),
    **dict.fromkeys(("valid_from", "valid_to", "expires_at"), datetime.fromisoformat),
}


@dataclass(frozen=True, slots=True)
class HitToAdmit:
    """A hit of a run's report by its number. `quote` gives a note the words that it lacks: those of the run's source, found
    by the program, at `start` and `end` where it stands in several places."""

    number: int
    quote: str = ""
    start: int | None = None
    end: int | None = None


@dataclass(slots=True)
class AdmitResult:
    """`admitted` maps a hit's number to its candidate, `refused` to the reason why it stays where it is."""

    admitted: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def refuse(self, number: int, why: str) -> None:
        self.refused.append({"number": number, "why": why})

    def as_json(self) -> dict[str, Any]:
        return {"admitted": self.admitted, "refused": self.refused}


def admit(run: Run, hits: Sequence[HitToAdmit], *, actor: Actor, reason: str = "") -> AdmitResult:
    """One event for these hits of `run`. Law 8 holds here too: words that cannot anchor a kind anchor none because somebody
    asks. Raises `Invalid` for a number that the report does not have."""
    result = AdmitResult()
    with transaction.atomic(savepoint=False):
        actor.require(Verb.ADMIT.row.right, run.scope)
        rows = _rows(run, hits)
        texts = _texts(run, rows.values())
        drafts: dict[int, Draft] = {}
        for number, wanted in {one.number: one for one in hits}.items():
            try:
                drafts[number] = _draft(rows[number], wanted, run, texts)
            except Invalid as error:
                result.refuse(number, error.message)
        proposals = _proposals(drafts, rows, run, actor, reason)
        with Step(Verb.ADMIT, actor=actor, scope=run.scope, ref=f"run-{run.pk}", reason=reason) as step:
            for number, answer in proposals.items():
                claim = answer.stands_in
                if claim is None:
                    result.refuse(number, answer.why)
                    continue
                step.change(rows[number], admitted_id=claim.pk)
                result.admitted.append({"number": number, "id": claim.pk, "ref": claim.ref, "fate": answer.fate})
    return result


def _rows(run: Run, hits: Sequence[HitToAdmit]) -> dict[int, RunHit]:
    found = RunHit.objects.select_for_update(of=("self",)).select_related("claim").defer("claim__search")
    numbers = [hit.number for hit in hits if 0 < hit.number < 2**31]
    rows = {row.number: row for row in found.filter(run=run, number__in=numbers)}
    for at, hit in enumerate(hits):
        if hit.number not in rows:
            raise Invalid(f"the report of run {run.pk} has no hit {hit.number}", field=f"hits.{at}")
    return rows


def _proposals(
    drafts: Mapping[int, Draft], rows: Mapping[int, RunHit], run: Run, actor: Actor, reason: str
) -> dict[int, Proposal]:
    """By number, in the order of the drafts. All of a scope at once; where one of them cannot stand in a claim, one after the
    other, so that it alone is refused."""
    numbers: dict[int, list[int]] = defaultdict(list)
    for number in drafts:
        # A hit may speak of an item of the run's scope.
        numbers[(rows[number].hit or {}).get("scope_id") or run.scope_id].append(number)
    scopes = Scope.objects.filter(below(run.scope.path)).in_bulk(numbers)
    lock_proposals(sorted(numbers))
    proposals: dict[int, Proposal] = {}
    for pk, group in sorted(numbers.items()):
        propose_some = partial(
            _propose_some, drafts, scope=scopes[pk], actor=actor, run=run, reason=reason, in_pass=True
        )
        try:
            proposals |= propose_some(group)
        except Invalid:
            for number in group:
                try:
                    proposals |= propose_some([number])
                except Invalid as error:
                    proposals[number] = Proposal("unanchored", None, error.message)
    return {number: proposals[number] for number in drafts}


def _propose_some(drafts: Mapping[int, Draft], numbers: Sequence[int], **told: Any) -> dict[int, Proposal]:
    with transaction.atomic():
        answers = propose_all([drafts[number] for number in numbers], **told)
    return dict(zip(numbers, answers, strict=True))


def _texts(run: Run, rows: Any) -> dict[int, Source]:
    """The run's source and what of its thread the hits cite, of the run's own scope."""
    ids = {run.source_id}
    for row in rows:
        hit = row.hit or {}
        ids |= {place["source"] for place in [*hit.get("spans", ()), *hit.get("places", ())]}
    return Source.objects.filter(scope=run.scope_id).prefetch_related("sections").in_bulk(ids)


def _draft(row: RunHit, wanted: HitToAdmit, run: Run, texts: Mapping[int, Source]) -> Draft:
    """Raises `Invalid` with the reason why it stays where it is."""
    source, hit = texts[run.source_id], row.hit
    if row.admitted_id is not None:
        raise Invalid("it was admitted before")
    if row.fate in ("duplicate", "merged"):
        raise Invalid(f"it joined {row.claim.ref if row.claim else 'a claim'} already")
    if source.purged_at is not None or hit is None:
        raise Invalid("its source was purged")
    if not (hit.get("kind") and hit.get("statement")):
        raise Invalid("it says no kind and statement")
    quotes, places = _evidence(hit, wanted, source, texts)
    columns = {name: read(hit[name]) for name, read in COLUMNS.items() if hit.get(name)}
    return Draft(
        quotes=tuple(quotes),
        anchors_to_choose=tuple(places),
        value=hit.get("value"),
        names_replaced=tuple(hit.get("supersedes") or ()),
        extractor=run.extractor,
        extractor_version=run.extractor_version,
        **columns,
    )


def _evidence(
    hit: Mapping[str, Any], wanted: HitToAdmit, source: Source, texts: Mapping[int, Source]
) -> tuple[list[Quote], list[dict[str, int]]]:
    """The words that carry the hit, or the places among which somebody has to choose."""
    if wanted.quote:
        quote, places = find_quotes(source, wanted.quote, start=wanted.start, end=wanted.end)
        return [quote] if quote else [], places
    places = [dict(place) for place in hit.get("places", ())]
    spans = hit.get("spans", ())
    if not spans and not places:
        if not all(isinstance(hit.get(name), int) for name in ("start", "end")):
            raise Invalid("it has no quote in its source")
        spans = [{"source": source.pk, "start": hit["start"], "end": hit["end"]}]
    return [_quote(texts, **span) for span in spans], places


def _quote(
    texts: Mapping[int, Source], *, source: int, start: int, end: int, stance: str = "supports", anchor: str = "exact"
) -> Quote:
    row = texts.get(source)
    if row is None or row.purged_at is not None:
        raise Invalid("a message that it cites was purged")
    return quote_at(row, list(row.sections.all()), start, end, stance=stance, anchor=anchor)
