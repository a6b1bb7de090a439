"""Whether a proposal is known already, and what was decided about it (P13, design §4)."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from django.db import connection
from django.db.models import F

from ledger.language.nearness import form_of, overlap
from ledger.models import Claim, Evidence, Scope

# A live or waiting twin takes the evidence; a rejected one is a remembered no; of the rest a new proposal may be made.
TAKES_EVIDENCE = ("pending", "deferred", "active", "merged")
DECIDES = (*TAKES_EVIDENCE, "rejected")


class Said(Protocol):
    """The part of a draft that says whether it is the same again."""

    @property
    def kind(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def topic(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def statement(self) -> str: ...
    @property
    def quotes(self) -> tuple[Any, ...]: ...


def twins_of(scope: Scope, dedups: list[str]) -> dict[str, Claim]:
    """The claim that decides about each duplicate key: live before waiting before merged before a remembered no.

    A merged one stands for what it was merged into: it takes evidence while that one waits or holds, is a no once that
    one was rejected, and decides nothing where that one is retired.
    """
    order = {status: at for at, status in enumerate(DECIDES)}
    best: dict[str, Claim] = {}
    rows = Claim.objects.filter(scope=scope, dedup__in=dedups, status__in=DECIDES).select_related("successor")
    for row in sorted(rows, key=lambda r: (order[r.status], -r.pk)):
        decided = _decided(row)
        if decided is not None:
            best.setdefault(row.dedup, decided)
    return best


def edited_since(scope: Scope, drafts: dict[str, Said]) -> dict[str, Claim]:
    """By duplicate key, the claim that first said the same on the same words and was edited since.

    Reading a source again must not bring back what a person has corrected, or corrected and then refused.
    """
    places = {(q.source_id, q.start, q.end): d for d, draft in drafts.items() for q in draft.quotes}
    if not places:
        return {}
    rows = Evidence.objects.filter(
        source__in={source for source, _, _ in places}, claim__scope=scope, claim__status__in=DECIDES, stance="supports"
    ).values_list("source_id", "start", "end", "claim_id", "claim__proposed")
    found: dict[int, str] = {}
    for source, start, end, claim, proposed in rows.order_by(F("claim_id").desc()):
        dedup = places.get((source, start, end))
        if dedup is not None and _first_said(proposed, drafts[dedup]):
            found[claim] = dedup
    answer: dict[str, Claim] = {}
    for row in Claim.objects.filter(pk__in=found).select_related("successor").order_by("-id") if found else ():
        decided = _decided(row)
        if decided is not None:
            answer.setdefault(found[row.pk], decided)
    return answer


MAX_LIKE = 20
# What is told from a claim by its like: what waits, holds or was refused. Of the retired the same may be said anew.
NEAR = """
    SELECT w.dedup, c.id FROM unnest(%s::text[], %s::bigint[]) AS w(dedup, key)
      JOIN ledger_claim c ON c.near @> ARRAY[w.key] AND c.status = ANY(%s)
     ORDER BY c.id DESC
"""


def like(
    wanted: Mapping[str, tuple[Collection[int], str]], enough: Callable[[Claim], float]
) -> tuple[dict[str, Claim], dict[str, float]]:
    """By duplicate key of what was asked for as (hashes of `near_keys`, statement): the claim that says the same in other
    words, and the novelty of what nobody says, 1 minus the largest overlap with what waits or holds (C5, C6).

    `enough` is the overlap from which a claim says the same. Two queries, whatever was asked and however much there is.
    """
    pairs = [(dedup, key) for dedup, (keys, _) in wanted.items() for key in keys]
    if not pairs:
        return {}, {}
    with connection.cursor() as cursor:
        cursor.execute(NEAR, [[dedup for dedup, _ in pairs], [key for _, key in pairs], list(DECIDES)])
        found: dict[str, dict[int, None]] = {}
        for dedup, pk in cursor.fetchall():
            some = found.setdefault(dedup, {})
            if len(some) < MAX_LIKE:
                some[pk] = None
    ids = {pk for some in found.values() for pk in some}
    rows = Claim.objects.select_related("successor").defer("search", "successor__search").in_bulk(ids) if ids else {}
    order = {status: at for at, status in enumerate(DECIDES)}
    same: dict[str, Claim] = {}
    novelty: dict[str, float] = {}
    for dedup, some in found.items():
        form = form_of(wanted[dedup][1])
        for row in sorted((rows[pk] for pk in some), key=lambda r: (order[r.status], r.pk)):
            other = form_of(row.statement)
            shared = overlap(form, other) if form and other else 0.0
            decided = _decided(row) if shared else None
            if decided is None:
                continue
            if shared >= enough(row):
                same.setdefault(dedup, decided)
            elif row.status != "rejected":
                novelty[dedup] = min(novelty.get(dedup, 1.0), round(1 - shared, 4))
    return same, novelty


def _first_said(proposed: Any, draft: Said) -> bool:
    return isinstance(proposed, dict) and all(
        proposed.get(name) == getattr(draft, name) for name in ("kind", "key", "topic", "value", "statement")
    )


def _decided(row: Claim) -> Claim | None:
    heir = _heir(row)
    if row.status == "merged" and heir.status == "rejected":
        return heir
    return row if heir.status in DECIDES else None


def _heir(claim: Claim) -> Claim:
    """What a merged claim is by now; the claim itself where it is not merged."""
    seen = set()
    while claim.status == "merged" and claim.successor is not None and claim.pk not in seen:
        seen.add(claim.pk)
        claim = claim.successor
    return claim
