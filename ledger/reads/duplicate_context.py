"""What is known of a proposal before it is written: who says it already, who refused it, and how new it is (C5, C6, P13)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ledger.language.nearness import near_keys
from ledger.models import Claim, Kind, Scope
from ledger.packs import PackSet
from ledger.reads.duplicates import Said, edited_since, like, twins_of
from ledger.reads.scopes import ancestor_paths

ALIKE = 1.0


class Prepared(Protocol):
    """A draft with what its duplicates are found by."""

    @property
    def draft(self) -> Any: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def slot(self) -> str: ...


@dataclass(slots=True)
class Known:
    """By duplicate key: `twins` say the same, those of `near` in other words; `echoes` hold where an agent only repeats them;
    `novelty` is told where it is below 1; `keys` are the hashes by which each will be found."""

    twins: dict[str, Claim] = field(default_factory=dict)
    near: set[str] = field(default_factory=set)
    echoes: dict[str, Claim] = field(default_factory=dict)
    novelty: dict[str, float] = field(default_factory=dict)
    keys: dict[str, list[int]] = field(default_factory=dict)


def known_of(
    scope: Scope, fresh: Mapping[str, Prepared], packs: PackSet, *, nearly: bool = True, echoes: bool = False
) -> Known:
    """A fixed number of statements. `nearly` looks for what says the same in other words. With `echoes` an agent's own
    repetition of what holds here or above is told apart: our context packs come back that way (law 8)."""
    known = Known(twins_of(scope, list(fresh)), keys={d: keys_of(one, scope.pk) for d, one in fresh.items()})
    # A graduating memory repeats its own words on purpose.
    unknown: dict[str, Said] = {
        d: one.draft for d, one in fresh.items() if d not in known.twins and one.draft.graduates_id is None
    }
    known.twins |= edited_since(scope, unknown)
    wanted = {d: (known.keys[d], said.statement) for d, said in unknown.items() if nearly and d not in known.twins}
    same, known.novelty = like(wanted, lambda claim: likeness(packs, claim.kind_id))
    known.twins |= same
    known.near = set(same)
    spoken = {d: one for d, one in fresh.items() if by_agents(one.draft)} if echoes else {}
    if spoken:
        known.echoes = {
            d: known.twins[d] for d in spoken if d in known.twins and known.twins[d].status in ("active", "merged")
        }
        known.echoes |= held_above(scope, {d: one for d, one in spoken.items() if d not in known.twins})
    return known


def keys_of(one: Prepared, scope_id: int) -> list[int]:
    draft = one.draft
    return near_keys(
        scope_id=scope_id, layer=draft.layer or one.kind.layer, kind=one.kind.name, slot=one.slot, key=draft.key,
        value=draft.value, statement=draft.statement, assignee=draft.assignee, valid_from=draft.valid_from,
        valid_to=draft.valid_to,
    )  # fmt: skip


def likeness(packs: PackSet, kind: str) -> float:
    """The overlap from which two statements of a kind say the same; 1 is every word that carries something."""
    return float(packs.setting("novelty.kinds", kind, packs.setting("novelty", "likeness", ALIKE)))


def by_agents(draft: Any) -> bool:
    """Whether nobody but agents says it."""
    return {quote.speaker for quote in draft.quotes if quote.stance == "supports"} == {"agent"}


def held_above(scope: Scope, spoken: Mapping[str, Prepared]) -> dict[str, Claim]:
    """What holds in a scope above, to the letter or nearly."""
    paths = [path for path in ancestor_paths(scope.path) if path != scope.path]
    if not spoken or not paths:
        return {}
    above = list(Scope.objects.filter(path__in=paths).values_list("id", flat=True))
    rows = Claim.objects.filter(scope__in=above, dedup__in=spoken, status="active").defer("search")
    found = {row.dedup: row for row in rows}
    wanted = {
        d: ([key for pk in above for key in keys_of(one, pk)[:1]], one.draft.statement)
        for d, one in spoken.items()
        if d not in found
    }
    near, _ = like(wanted, lambda claim: ALIKE)
    return found | {d: claim for d, claim in near.items() if claim.status == "active"}


def room_of(scope: Scope, kinds: Iterable[str], packs: PackSet) -> dict[str, tuple[int, int]]:
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
