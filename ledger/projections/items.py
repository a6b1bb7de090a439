"""Items as they are read (T10): each field by what a person typed over it, else the newest fact that holds, else the default."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from django.db.models import QuerySet

from ledger.errors import NotFound
from ledger.models import Claim, Scope, Tier
from ledger.packs import KeySpec, PackSet
from ledger.reads.packs import packs_of_each
from ledger.reads.scopes import require_sight, row_id
from ledger.rules.blocks import MANUAL, newest_first, value_shown
from ledger.rules.permissions import Access, Right
from ledger.rules.slots import same_content

type Origin = Literal["override", "fact", "default", "none"]


@dataclass(frozen=True, slots=True)
class ItemField:
    """One field: its key, its value and where that comes from. `claim` says it; `others` hold beside it; `newer` are those of them
    that came after what was typed over the field and say something else."""

    spec: KeySpec
    value: Any
    origin: Origin
    claim: Claim | None = None
    others: Sequence[Claim] = ()

    @property
    def newer(self) -> list[Claim]:
        typed = self.claim
        if self.origin != "override" or typed is None or typed.promoted_at is None:
            return []
        return [
            one
            for one in self.others
            if one.promoted_at and one.promoted_at > typed.promoted_at
            if not same_content(one.value, one.statement, typed.value, typed.statement)
        ]


@dataclass(frozen=True, slots=True)
class Item:
    """A scope of tier item with the fields that its packs give it, in their order, and others of which something holds."""

    scope: Scope
    fields: list[ItemField]

    def field(self, key: str) -> ItemField | None:
        return next((one for one in self.fields if one.spec.key == key), None)

    @property
    def claims(self) -> list[Claim]:
        return [field.claim for field in self.fields if field.claim]


def items_of(scopes: Iterable[Scope], claims: Iterable[Claim] | None = None) -> list[Item]:
    """These scopes as items: three queries for all of them. `claims` are what held there at another time."""
    rows = list(scopes)
    packs = packs_of_each(rows)
    if claims is None:
        claims = _held_by(rows).exclude(key="").defer("search", "proposed", "summary")
    held = _by_scope_and_key(claims, packs)
    return [Item(scope, _fields(packs[scope.pk], held[scope.pk])) for scope in rows]


def items_with(columns: Sequence[KeySpec], scopes: Iterable[Scope]) -> list[Item]:
    """These scopes as items of these fields alone: no more is read than a table shows."""
    rows = list(scopes)
    packs = packs_of_each(rows)
    shown = _held_by(rows).filter(key__in=[spec.key for spec in columns])
    held = _by_scope_and_key(shown.only("ref", "scope", "key", "kind", "value", "statement", "promoted_at"), packs)
    return [Item(scope, [_field(spec, held[scope.pk].get(spec.key, ())) for spec in columns]) for scope in rows]


def _held_by(rows: Sequence[Scope]) -> QuerySet[Claim]:
    return Claim.objects.filter(scope__in=rows, status="active")


def _by_scope_and_key(claims: Iterable[Claim], packs: Mapping[int, PackSet]) -> dict[int, dict[str, list[Claim]]]:
    held: dict[int, dict[str, list[Claim]]] = defaultdict(lambda: defaultdict(list))
    for claim in claims:
        if claim.key and claim.kind_id not in packs[claim.scope_id].question_kinds:
            held[claim.scope_id][claim.key].append(claim)
    return held


def item_at(pk: int | str, access: Access, *, right: Right = Right.READ) -> Scope:
    """The item with this id. Raises `NotFound` where there is none in sight, `Forbidden` in sight without `right`."""
    missing = f"no item {str(pk)[:60]!r}"
    scope = require_sight(Scope.objects.filter(pk=row_id(pk)).first(), access, missing, right=right)
    if scope.tier != Tier.ITEM:
        raise NotFound(missing)
    return scope


@lru_cache(maxsize=256)
def item_keys(packs: PackSet) -> list[KeySpec]:
    """The keys that a block of items shows, in the order of the packs."""
    found = ((spec, packs.block_of(spec.key)) for spec in packs.keys.values())
    return [spec for spec, block in found if block and block.scope == "item"]


def columns_of(packs: PackSet) -> list[KeySpec]:
    """The columns of a table of items: those that a pack names, else the required keys, else the first few."""
    keys = {spec.key: spec for spec in item_keys(packs)}
    named = [keys[key] for key in packs.words("items.columns") if key in keys]
    return named or [spec for spec in keys.values() if spec.required] or list(keys.values())[:8]


def _fields(packs: PackSet, held: Mapping[str, Sequence[Claim]]) -> list[ItemField]:
    own = {spec.key: spec for spec in item_keys(packs)}
    more = {key: packs.keys.get(key, KeySpec(key)) for key in sorted(held.keys() - own.keys())}
    return [_field(spec, held.get(key, ())) for key, spec in (own | more).items()]


def _field(spec: KeySpec, held: Sequence[Claim]) -> ItemField:
    ranked = newest_first(claim for claim in held if value_shown(claim, spec) is not None)
    if not ranked:
        return ItemField(spec, spec.default, "none" if spec.default is None else "default")
    best = ranked[0]
    origin: Origin = "override" if best.kind_id == MANUAL else "fact"
    return ItemField(spec, value_shown(best, spec), origin, best, ranked[1:])
