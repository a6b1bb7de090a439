"""Whether a proposal is known already, what was decided about it, and how new it is (C5, C6, P13, design §4)."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from django.db.models import F

from ledger.language.nearness import form_of, near_keys, overlap
from ledger.language.values import in_another_unit
from ledger.models import Claim, Evidence, Scope
from ledger.packs import PackSet
from ledger.reads.scopes import ancestor_paths
from ledger.reads.sql import fetch_rows
from ledger.rules.drafts import Draft

# A live or waiting twin takes the evidence; a rejected one is a remembered no; of the rest a new proposal may be made.
TAKES_EVIDENCE = ("pending", "deferred", "active", "merged")
DECIDES = (*TAKES_EVIDENCE, "rejected")
COUNTERSIGNED = ("active", "merged")


def exact_duplicates(scope: Scope, drafts: Mapping[str, Draft], *, in_any_unit: bool = True) -> dict[str, Claim]:
    """The claim that decides about each duplicate key: what waits before what holds before what was merged before a remembered
    no; of each the one that tells its amount in the draft's own unit first.

    A merged one stands for what it was merged into: it takes evidence while that one waits or holds, is a no once that
    one was rejected, and decides nothing where that one is retired. Unless `in_any_unit`, an amount in another unit than
    that of what was countersigned is no sighting of it: converting is ours, so a person sees once that it is the same.
    """
    rows = Claim.objects.filter(scope=scope, dedup__in=list(drafts), status__in=DECIDES).select_related("successor")
    converted = {row.pk: in_another_unit(row.value, drafts[row.dedup].value) for row in rows}
    deciding = [row for row in rows if in_any_unit or not converted[row.pk] or row.status not in COUNTERSIGNED]
    return _deciding(
        (row.dedup, row)
        for row in sorted(deciding, key=lambda row: (converted[row.pk], DECIDES.index(row.status), -row.pk))
    )


def edited_duplicates(scope: Scope, drafts: Mapping[str, Draft]) -> dict[str, Claim]:
    """By duplicate key, the claim that first said the same on the same words and was edited since.

    Reading a source again must not bring back what a person has corrected, or corrected and then refused.
    """
    places = {(q.source_id, q.start, q.end): d for d, draft in drafts.items() for q in draft.quotes}
    rows = Evidence.objects.filter(
        source__in={source for source, _, _ in places}, claim__scope=scope, claim__status__in=DECIDES, stance="supports"
    ).values_list("source_id", "start", "end", "claim_id", "claim__proposed")
    found: dict[int, str] = {}
    for source, start, end, claim, proposed in rows.order_by(F("claim_id").desc()):
        dedup = places.get((source, start, end))
        if dedup is not None and _first_said(proposed, drafts[dedup]):
            found[claim] = dedup
    edited = Claim.objects.select_related("successor").in_bulk(found)
    return _deciding((found[pk], edited[pk]) for pk in sorted(edited, reverse=True))


def _deciding(rows: Iterable[tuple[str, Claim]]) -> dict[str, Claim]:
    """By duplicate key the first of its claims that decides."""
    best: dict[str, Claim] = {}
    for dedup, row in rows:
        decided = _decided(row)
        if decided is not None:
            best.setdefault(dedup, decided)
    return best


MAX_LIKE = 20
# What is told from a claim by its like: what waits, holds or was refused. Of the retired the same may be said anew.
NEAR = """
    SELECT w.dedup, c.id FROM unnest(%s::text[], %s::bigint[]) AS w(dedup, key)
      JOIN ledger_claim c ON c.near @> ARRAY[w.key] AND c.status = ANY(%s)
     ORDER BY c.id DESC
"""


def nearly_same(
    wanted: Mapping[str, tuple[Collection[int], str]], enough: Callable[[Claim], float]
) -> tuple[dict[str, Claim], dict[str, float]]:
    """By duplicate key of what was asked for as (hashes of `near_keys`, statement): the claim that says the same in other
    words, and the novelty of what nobody says, 1 minus the largest overlap with what waits or holds (C5, C6).

    `enough` is the overlap from which a claim says the same. Two queries, whatever was asked and however much there is.
    """
    found = _near_ids([(dedup, key) for dedup, (keys, _) in wanted.items() for key in keys])
    known = Claim.objects.select_related("successor").defer("search", "successor__search")
    rows = known.in_bulk(set(chain.from_iterable(found.values())))
    same: dict[str, Claim] = {}
    novelty: dict[str, float] = {}
    for dedup, ids in found.items():
        form = form_of(wanted[dedup][1])
        for row in sorted(map(rows.__getitem__, ids), key=lambda row: (DECIDES.index(row.status), row.pk)):
            other = form_of(row.statement)
            shared = overlap(form, other) if form and other else 0.0
            decided = _decided(row)
            if not shared or decided is None:
                continue
            if shared >= enough(row):
                same.setdefault(dedup, decided)
            elif row.status != "rejected":
                novelty[dedup] = min(novelty.get(dedup, 1.0), round(1 - shared, 4))
    return same, novelty


def _near_ids(pairs: list[tuple[str, int]]) -> dict[str, list[int]]:
    """By duplicate key the newest claims that share one of its hashes, each once. No query for no pair."""
    found: dict[str, dict[int, None]] = defaultdict(dict)
    if pairs:
        dedups, keys = map(list, zip(*pairs, strict=True))
        for dedup, pk in fetch_rows(NEAR, [dedups, keys, list(DECIDES)]):
            found[dedup][pk] = None
    return {dedup: list(ids)[:MAX_LIKE] for dedup, ids in found.items()}


def _first_said(proposed: Any, draft: Draft) -> bool:
    return isinstance(proposed, dict) and all(
        proposed.get(name) == getattr(draft, name) for name in ("kind", "key", "topic", "value", "statement")
    )


def _decided(row: Claim) -> Claim | None:
    heir = row
    while heir.status == "merged" and heir.successor is not None:
        heir = heir.successor
    if row.status == "merged" and heir.status == "rejected":
        return heir
    return row if heir.status in DECIDES else None


SAME_WORDS = 1.0


@dataclass(slots=True)
class DuplicateContext:
    """By duplicate key: `twins` say the same, those of `near` in other words; `echoes` hold where an agent only repeats them;
    `novelty` is told where it is below 1; `keys` are the hashes by which each will be found."""

    twins: dict[str, Claim] = field(default_factory=dict)
    near: set[str] = field(default_factory=set)
    echoes: dict[str, Claim] = field(default_factory=dict)
    novelty: dict[str, float] = field(default_factory=dict)
    keys: dict[str, list[int]] = field(default_factory=dict)


def duplicate_context(
    scope: Scope, drafts: Mapping[str, Draft], packs: PackSet, *, nearly: bool = True, echoes: bool = False
) -> DuplicateContext:
    """A fixed number of statements. `nearly` looks for what says the same in other words. With `echoes` an agent's own
    repetition of what holds here or above is told apart: our context packs come back that way (law 8)."""
    known = DuplicateContext(
        exact_duplicates(scope, drafts, in_any_unit=not nearly),
        keys={d: near_keys_of(one, scope.pk) for d, one in drafts.items()},
    )
    # A graduating memory repeats its own words on purpose.
    unknown = {d: one for d, one in drafts.items() if d not in known.twins and one.graduates_id is None}
    known.twins |= edited_duplicates(scope, unknown)
    if nearly:
        wanted = {d: (known.keys[d], one.statement) for d, one in unknown.items() if d not in known.twins}
        same, known.novelty = nearly_same(wanted, lambda claim: likeness_needed(packs, claim.kind_id))
        known.twins |= same
        known.near = set(same)
    if echoes:
        spoken = {d: one for d, one in drafts.items() if by_agents(one)}
        held = {d: known.twins[d] for d in spoken.keys() & known.twins.keys()}
        known.echoes = {d: twin for d, twin in held.items() if twin.status in ("active", "merged")}
        known.echoes |= repeated_from_above(scope, {d: one for d, one in spoken.items() if d not in held})
    return known


def near_keys_of(draft: Draft, scope_id: int) -> list[int]:
    return near_keys(
        scope_id=scope_id, layer=draft.layer, kind=draft.kind, slot=draft.slot, key=draft.key,
        value=draft.value, statement=draft.statement, assignee=draft.assignee, subject=draft.subject, valid_from=draft.valid_from,
        valid_to=draft.valid_to,
    )  # fmt: skip


def likeness_needed(packs: PackSet, kind: str) -> float:
    """The overlap from which two statements of a kind say the same; 1 is every word that carries something."""
    return float(packs.setting("novelty.kinds", kind, packs.setting("novelty", "likeness", SAME_WORDS)))


def by_agents(draft: Draft) -> bool:
    """Whether nobody but agents says it."""
    return {quote.speaker for quote in draft.quotes if quote.stance == "supports"} == {"agent"}


def repeated_from_above(scope: Scope, spoken: Mapping[str, Draft]) -> dict[str, Claim]:
    """What holds in a scope above, to the letter or nearly."""
    if not spoken:
        return {}
    above = list(Scope.objects.filter(path__in=ancestor_paths(scope.path)[:-1]).values_list("id", flat=True))
    rows = Claim.objects.filter(scope__in=above, dedup__in=spoken, status="active").defer("search")
    found = {row.dedup: row for row in rows}
    wanted = {
        d: ([key for pk in above for key in near_keys_of(one, pk)[:1]], one.statement)
        for d, one in spoken.items()
        if d not in found
    }
    near, _ = nearly_same(wanted, lambda claim: SAME_WORDS)
    return found | {d: claim for d, claim in near.items() if claim.status == "active"}


def budget_left(scope: Scope, kinds: Iterable[str], packs: PackSet) -> dict[str, tuple[int, int]]:
    """For each kind with a budget in scopes of this tier (C5): how many more may wait or hold here, and the budget.

    Counts no further than the budget, so that it costs the same however much there is.
    """
    room = {}
    for kind in sorted(set(kinds)):
        budget = packs.setting(f"budgets.{scope.tier}", kind, None)
        if budget is not None:
            there = Claim.objects.filter(scope=scope, kind=kind, status__in=("pending", "deferred", "active"))
            room[kind] = (int(budget) - there.values("id")[: int(budget)].count(), int(budget))
    return room
