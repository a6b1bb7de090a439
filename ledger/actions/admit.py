"""Admit what a pass held back: a person or an agent says that it should be a candidate after all (P3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from ledger.rules.permissions import Right

# Fates of a proposal that leave the hit where it is.
REFUSED = ("rejected", "echo", "over_budget", "unanchored", "note")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A hit of a run's report by its number. `quote` gives a note the words that it lacks: those of the run's source, found
    by the program, at `start` and `end` where it stands in several places."""

    number: int
    quote: str = ""
    start: int | None = None
    end: int | None = None


@dataclass(slots=True)
class Admitted:
    """`admitted` maps a hit's number to its candidate, `refused` to the reason why it stays where it is."""

    admitted: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {"admitted": self.admitted, "refused": self.refused}


def admit(run: Run, hits: Sequence[int | Wanted], *, actor: Actor, reason: str = "") -> Admitted:
    """One event for these hits of `run`. Law 8 holds here too: words that cannot anchor a kind anchor none because somebody
    asks. Raises `Invalid` for a number that the report does not have."""
    answer = Admitted()
    asked = [hit if isinstance(hit, Wanted) else Wanted(hit) for hit in hits]
    with transaction.atomic(savepoint=False):
        actor.require(Right.PROPOSE, run.scope)
        wanted = {one.number: one for one in asked}
        found = RunHit.objects.select_for_update(of=("self",)).select_related("claim").defer("claim__search")
        rows = {row.number: row for row in found.filter(run=run, number__in=[n for n in wanted if 0 < n < 2**31])}
        for at, one in enumerate(asked):
            if one.number not in rows:
                raise Invalid(f"the report of run {run.pk} has no hit {one.number}", field=f"hits.{at}")
        texts = _texts(run, rows.values())
        drafts: list[tuple[RunHit, Draft]] = []
        for number, one in wanted.items():
            try:
                drafts.append((rows[number], _draft(rows[number], one, run, texts)))
            except Invalid as error:
                answer.refused.append({"number": number, "why": error.message})
        made = _proposed(drafts, run, actor, reason)
        with Step("admit", actor=actor, scope=run.scope, ref=f"run-{run.pk}", reason=reason) as step:
            for (row, _), proposal in zip(drafts, made, strict=True):
                claim = proposal.claim
                if claim is None or proposal.fate in REFUSED:
                    answer.refused.append({"number": row.number, "why": proposal.why})
                    continue
                step.change(row, admitted_id=claim.pk)
                answer.admitted.append({"number": row.number, "id": claim.pk, "ref": claim.ref, "fate": proposal.fate})
    return answer


def _proposed(drafts: list[tuple[RunHit, Draft]], run: Run, actor: Actor, reason: str) -> list[Proposal]:
    """All of a scope at once; where one of them cannot stand in a claim, one after the other, so that it alone is refused."""
    made: dict[int, Proposal] = {}
    groups: dict[int, list[tuple[int, Draft]]] = {}
    for at, (row, draft) in enumerate(drafts):
        groups.setdefault((row.hit or {}).get("scope_id") or run.scope_id, []).append((at, draft))
    # A hit may speak of an item of the run's scope.
    places = Scope.objects.filter(below(run.scope.path)).in_bulk(groups)
    lock_proposals(sorted(groups))
    for pk, group in sorted(groups.items()):
        for some in (group, *([one] for one in group if len(group) > 1)):
            if all(at in made for at, _ in some):
                continue
            try:
                with transaction.atomic():
                    answers = propose_all(
                        [draft for _, draft in some], scope=places[pk], actor=actor, run=run, reason=reason
                    )  # fmt: skip
                made |= {at: answer for (at, _), answer in zip(some, answers, strict=True)}
            except Invalid as error:
                if len(some) == 1:
                    made[some[0][0]] = Proposal("unanchored", None, error.message)
    return [made[at] for at in range(len(drafts))]


def _texts(run: Run, rows: Any) -> dict[int, Source]:
    """The run's source and what of its thread the hits cite, of the run's own scope."""
    ids = {run.source_id}
    for row in rows:
        for place in [*(row.hit or {}).get("spans", ()), *(row.hit or {}).get("places", ())]:
            ids.add(place["source"])
    return Source.objects.filter(scope=run.scope_id).prefetch_related("sections").in_bulk(ids)


def _draft(row: RunHit, one: Wanted, run: Run, texts: Mapping[int, Source]) -> Draft:
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
    quotes: list[Quote] = []
    places = [dict(place) for place in hit.get("places", ())]
    if one.quote:
        quote, places = find_quotes(source, one.quote, start=one.start, end=one.end)
        quotes = [quote] if quote else []
    elif "spans" in hit:
        quotes = [_quote(texts, **span) for span in hit["spans"]]
    elif not places:
        start, end = hit.get("start"), hit.get("end")
        if not isinstance(start, int) or not isinstance(end, int):
            raise Invalid("it has no quote in its source")
        quotes = [_quote(texts, source=source.pk, start=start, end=end)]
    draft = Draft(
        kind=hit["kind"],
        statement=hit["statement"],
        quotes=tuple(quotes),
        anchors_to_choose=tuple(places),
        confidence=hit.get("confidence") or 0.0,
        value=hit.get("value"),
        needs_review=bool(hit.get("needs_review")),
        extractor=run.extractor,
        extractor_version=run.extractor_version,
        names_replaced=tuple(hit.get("supersedes") or ()),
        tags=tuple(hit.get("tags") or ()),
        downstream=tuple(hit.get("downstream") or ()),
    )
    more: dict[str, Any] = {
        name: hit[name]
        for name in ("key", "topic", "value_type", "assignee", "rule", "confidence_word", "summary")
        if hit.get(name)
    }
    more |= {
        name: datetime.fromisoformat(hit[name]) for name in ("valid_from", "valid_to", "expires_at") if hit.get(name)
    }  # fmt: skip
    return replace(draft, **more)


def _quote(
    texts: Mapping[int, Source], *, source: int, start: int, end: int, stance: str = "supports", anchor: str = "exact"
) -> Quote:
    row = texts.get(source)
    if row is None or row.purged_at is not None:
        raise Invalid("a message that it cites was purged")
    return quote_at(row, list(row.sections.all()), start, end, stance=stance, anchor=anchor)
