"""Whether a proposal is known already, what was decided about it, and how new it is (C5, C6, P13, design §4)."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from django.db import connection
from django.db.models import F

from ledger.language.nearness import form_of, near_keys, overlap
from ledger.models import Claim, Evidence, Scope
from ledger.packs import PackSet
from ledger.reads.scopes import ancestor_paths

# A live or waiting twin takes the evidence; a rejected one is a remembered no; of the rest a new proposal may be made.
TAKES_EVIDENCE = ("pending", "deferred", "active", "merged")
DECIDES = (*TAKES_EVIDENCE, "rejected")


class ProposedClaim(Protocol):
    """A draft that knows its slot: what says whether it is the same again."""

    @property
    def layer(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def slot(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def topic(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def statement(self) -> str: ...
    @property
    def assignee(self) -> str: ...
    @property
    def valid_from(self) -> datetime | None: ...
    @property
    def valid_to(self) -> datetime | None: ...
    @property
    def graduates_id(self) -> int | None: ...
    @property
    def quotes(self) -> tuple[Any, ...]: ...


def exact_duplicates(scope: Scope, dedups: list[str]) -> dict[str, Claim]:
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


def edited_duplicates(scope: Scope, drafts: Mapping[str, ProposedClaim]) -> dict[str, Claim]:
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


def nearly_same(
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


def _first_said(proposed: Any, draft: ProposedClaim) -> bool:
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
    scope: Scope, drafts: Mapping[str, ProposedClaim], packs: PackSet, *, nearly: bool = True, echoes: bool = False
) -> DuplicateContext:
    """A fixed number of statements. `nearly` looks for what says the same in other words. With `echoes` an agent's own
    repetition of what holds here or above is told apart: our context packs come back that way (law 8)."""
    known = DuplicateContext(
        exact_duplicates(scope, list(drafts)), keys={d: near_keys_of(one, scope.pk) for d, one in drafts.items()}
    )
    # A graduating memory repeats its own words on purpose.
    unknown = {d: one for d, one in drafts.items() if d not in known.twins and one.graduates_id is None}
    known.twins |= edited_duplicates(scope, unknown)
    wanted = {d: (known.keys[d], one.statement) for d, one in unknown.items() if nearly and d not in known.twins}
    same, known.novelty = nearly_same(wanted, lambda claim: likeness_needed(packs, claim.kind_id))
    known.twins |= same
    known.near = set(same)
    spoken = {d: one for d, one in drafts.items() if by_agents(one)} if echoes else {}
    if spoken:
        known.echoes = {
            d: known.twins[d] for d in spoken if d in known.twins and known.twins[d].status in ("active", "merged")
        }
        known.echoes |= repeated_from_above(scope, {d: one for d, one in spoken.items() if d not in known.twins})
    return known


def near_keys_of(draft: ProposedClaim, scope_id: int) -> list[int]:
    return near_keys(
        scope_id=scope_id, layer=draft.layer, kind=draft.kind, slot=draft.slot, key=draft.key,
        value=draft.value, statement=draft.statement, assignee=draft.assignee, valid_from=draft.valid_from,
        valid_to=draft.valid_to,
    )  # fmt: skip


def likeness_needed(packs: PackSet, kind: str) -> float:
    """The overlap from which two statements of a kind say the same; 1 is every word that carries something."""
    return float(packs.setting("novelty.kinds", kind, packs.setting("novelty", "likeness", SAME_WORDS)))


def by_agents(draft: ProposedClaim) -> bool:
    """Whether nobody but agents says it."""
    return {quote.speaker for quote in draft.quotes if quote.stance == "supports"} == {"agent"}


def repeated_from_above(scope: Scope, spoken: Mapping[str, ProposedClaim]) -> dict[str, Claim]:
    """What holds in a scope above, to the letter or nearly."""
    paths = [path for path in ancestor_paths(scope.path) if path != scope.path]
    if not spoken or not paths:
        return {}
    above = list(Scope.objects.filter(path__in=paths).values_list("id", flat=True))
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
