"""Admit what a pass held back: a person or an agent says that it should be a candidate after all (P3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from ledger.actions.anchoring import Quote, find_quotes, quote_at
from ledger.actions.locking import lock_proposals
from ledger.actions.propose import Draft, Proposal, propose_all
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.journal import Step
from ledger.models import Run, RunHit, Scope, Source
from ledger.reads.scopes import below
from ledger.verbs import Verb

# Fates of a proposal that leave the hit where it is.
REFUSED = ("rejected", "echo", "over_budget", "unanchored", "note")
# Columns of a hit that its report keeps only where they say something.
SAID = (
    "kind", "statement", "key", "topic", "value_type", "assignee", "rule", "confidence_word", "summary", "confidence",
    "needs_review",
)  # fmt: skip
LISTS = ("tags", "downstream")
TIMES = ("valid_from", "valid_to", "expires_at")


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

    def as_json(self) -> dict[str, Any]:
        return {"admitted": self.admitted, "refused": self.refused}


def admit(run: Run, hits: Sequence[int | HitToAdmit], *, actor: Actor, reason: str = "") -> AdmitResult:
    """One event for these hits of `run`. Law 8 holds here too: words that cannot anchor a kind anchor none because somebody
    asks. Raises `Invalid` for a number that the report does not have."""
    result = AdmitResult()
    asked = [HitToAdmit(hit) if isinstance(hit, int) else hit for hit in hits]
    with transaction.atomic(savepoint=False):
        actor.require(Verb.ADMIT.row.right, run.scope)
        rows = _rows(run, asked)
        texts = _texts(run, rows.values())
        drafts: list[tuple[RunHit, Draft]] = []
        for number, wanted in {one.number: one for one in asked}.items():
            try:
                drafts.append((rows[number], _draft(rows[number], wanted, run, texts)))
            except Invalid as error:
                result.refused.append({"number": number, "why": error.message})
        proposals = _proposals(drafts, run, actor, reason)
        with Step(Verb.ADMIT, actor=actor, scope=run.scope, ref=f"run-{run.pk}", reason=reason) as step:
            for (row, _), answer in zip(drafts, proposals, strict=True):
                claim = answer.claim
                if claim is None or answer.fate in REFUSED:
                    result.refused.append({"number": row.number, "why": answer.why})
                    continue
                step.change(row, admitted_id=claim.pk)
                result.admitted.append({"number": row.number, "id": claim.pk, "ref": claim.ref, "fate": answer.fate})
    return result


def _rows(run: Run, asked: Sequence[HitToAdmit]) -> dict[int, RunHit]:
    found = RunHit.objects.select_for_update(of=("self",)).select_related("claim").defer("claim__search")
    numbers = [one.number for one in asked if 0 < one.number < 2**31]
    rows = {row.number: row for row in found.filter(run=run, number__in=numbers)}
    for at, one in enumerate(asked):
        if one.number not in rows:
            raise Invalid(f"the report of run {run.pk} has no hit {one.number}", field=f"hits.{at}")
    return rows


def _proposals(drafts: list[tuple[RunHit, Draft]], run: Run, actor: Actor, reason: str) -> list[Proposal]:
    """All of a scope at once; where one of them cannot stand in a claim, one after the other, so that it alone is refused."""
    groups: dict[int, dict[int, Draft]] = {}
    for at, (row, draft) in enumerate(drafts):
        groups.setdefault((row.hit or {}).get("scope_id") or run.scope_id, {})[at] = draft
    # A hit may speak of an item of the run's scope.
    places = Scope.objects.filter(below(run.scope.path)).in_bulk(groups)
    lock_proposals(sorted(groups))

    def propose_some(scope: Scope, some: dict[int, Draft]) -> dict[int, Proposal]:
        with transaction.atomic():
            answers = propose_all(list(some.values()), scope=scope, actor=actor, run=run, reason=reason)
        return dict(zip(some, answers, strict=True))

    proposals: dict[int, Proposal] = {}
    for pk, group in sorted(groups.items()):
        try:
            proposals |= propose_some(places[pk], group)
        except Invalid:
            for at, draft in group.items():
                try:
                    proposals |= propose_some(places[pk], {at: draft})
                except Invalid as error:
                    proposals[at] = Proposal("unanchored", None, error.message)
    return [proposals[at] for at in range(len(drafts))]


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
    if not isinstance(hit.get("kind"), str) or not isinstance(hit.get("statement"), str):
        raise Invalid("it says no kind and statement")
    quotes, places = _evidence(hit, wanted, source, texts)
    columns: dict[str, Any] = {name: hit[name] for name in SAID if hit.get(name)}
    columns |= {name: tuple(hit[name]) for name in LISTS if hit.get(name)}
    columns |= {name: datetime.fromisoformat(hit[name]) for name in TIMES if hit.get(name)}
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
    if "spans" in hit:
        return [_quote(texts, **span) for span in hit["spans"]], places
    if places:
        return [], places
    start, end = hit.get("start"), hit.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        raise Invalid("it has no quote in its source")
    return [_quote(texts, source=source.pk, start=start, end=end)], []


def _quote(
    texts: Mapping[int, Source], *, source: int, start: int, end: int, stance: str = "supports", anchor: str = "exact"
) -> Quote:
    row = texts.get(source)
    if row is None or row.purged_at is not None:
        raise Invalid("a message that it cites was purged")
    return quote_at(row, list(row.sections.all()), start, end, stance=stance, anchor=anchor)
