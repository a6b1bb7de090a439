"""The shapes of a scope: its settings, keys and people, all that is known of it, and its figures."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NotRequired, TypedDict

from ledger.choices import RoleWord, TierWord
from ledger.models import Pattern, Person, Scope
from ledger.packs import BlockSpec, KeySpec, PackSet
from ledger.reads.insights.discussions import DiscussionFigures
from ledger.reads.state import ScopeState
from ledger.rules.permissions import Access
from review.api.blocks import BlockTextShape, block_text_shape
from review.api.item_shapes import ItemFieldsShape, items_shape
from review.api.shapes import EntityShape, entity_shapes
from review.api.state_shapes import ConflictShape, TrustedShape, conflict_shapes, trusted_shape


class MembershipShape(TypedDict):
    username: str
    role: RoleWord


class ScopeShape(TypedDict):
    """A scope with its settings; where one is asked for, with what the caller may do there, and to its owners its members."""

    id: int
    scope: str
    name: str
    tier: TierWord
    packs: list[str]
    timezone: str
    stage: str
    retention_days: int | None
    policies: dict[str, Any]
    allowed_endpoints: list[str]
    secrets: str
    second_factor: bool
    version: int
    created_at: datetime
    rights: NotRequired[list[str]]
    members: NotRequired[list[MembershipShape]]


def scope_shape(row: Scope) -> ScopeShape:
    """A scope with its settings."""
    return {
        "id": row.pk,
        "scope": row.path,
        "name": row.name,
        "tier": row.tier,
        "packs": row.packs,
        "timezone": row.timezone,
        "stage": row.stage,
        "retention_days": row.retention_days,
        "policies": row.policies,
        "allowed_endpoints": row.allowed_endpoints,
        "secrets": row.secrets,
        "second_factor": row.second_factor,
        "version": row.version,
        "created_at": row.created_at,
    }


class KeyShape(TypedDict):
    key: str
    title: str
    help: str
    also: Sequence[str]
    value_type: str
    unit: str
    values: Sequence[str]
    default: Any
    high_risk: bool
    stages: Sequence[str]
    allowed: bool
    block: str
    question: str
    required: bool
    pack: str


class BlockShape(TypedDict):
    key: str
    title: str
    scope: str
    prefixes: Sequence[str]
    kinds: Sequence[str]
    entries: str
    closes: Sequence[str]


class KeysShape(TypedDict):
    """`closed`: no others may be proposed. `stage` is the one that the scope is in, of its `stages`."""

    items: list[KeyShape]
    next: str | None
    closed: bool
    stage: str
    stages: Sequence[str]
    blocks: list[BlockShape]


def key_shape(spec: KeySpec, packs: PackSet, stage: str) -> KeyShape:
    """One key of the registry (T5); `allowed`: whether it may be proposed at `stage`."""
    block = packs.block_of(spec.key)
    return {
        "key": spec.key,
        "title": spec.title,
        "help": spec.help,
        "also": spec.also,
        "value_type": spec.value_type,
        "unit": spec.unit,
        "values": spec.values,
        "default": spec.default,
        "high_risk": spec.high_risk,
        "stages": spec.stages,
        "allowed": not stage or not spec.stages or stage in spec.stages,
        "block": block.key if block else "",
        "question": spec.question,
        "required": spec.required,
        "pack": spec.pack,
    }


def block_shape(spec: BlockSpec) -> BlockShape:
    return {
        "key": spec.key,
        "title": spec.title,
        "scope": spec.scope,
        "prefixes": spec.prefixes,
        "kinds": spec.kinds,
        "entries": spec.entries,
        "closes": spec.closes,
    }


class PersonShape(TypedDict):
    """Somebody who speaks or is spoken of; `user` is the account, where there is one."""

    id: int
    scope: str
    name: str
    aliases: list[str]
    role: str
    user: str | None
    telegram_id: int | None


def person_shape(row: Person) -> PersonShape:
    return {
        "id": row.pk,
        "scope": row.scope.path,
        "name": row.name,
        "aliases": row.aliases,
        "role": row.role,
        "user": row.user.get_username() if row.user else None,
        "telegram_id": row.telegram_id,
    }


class PatternShape(TypedDict):
    ref: str
    type: str
    description: str
    claim: str | None
    sources: list[int]
    auto_detected: bool
    detected_at: datetime


class ScopeStateShape(TypedDict):
    """All that is known of a scope. `more` is true where only the newest 500 live claims are shown."""

    trusted: list[TrustedShape]
    decisions: list[EntityShape]
    patterns: list[PatternShape]
    blocks: list[BlockTextShape]
    items: list[ItemFieldsShape]
    events: list[EntityShape]
    open_questions: list[PatternShape]
    conflicts: list[ConflictShape]
    last_extracted: datetime | None
    more: bool


def state_shape(found: ScopeState, access: Access) -> ScopeStateShape:
    decisions = entity_shapes([*found.claims, *found.events], access)
    return {
        "trusted": [trusted_shape(one.row, disputed=one.disputed) for one in found.trusted],
        "decisions": decisions[: len(found.claims)],
        "patterns": [_pattern_shape(row) for row in found.patterns],
        "blocks": [block_text_shape(block) for block in found.blocks],
        "items": items_shape(found.items, access),
        "events": decisions[len(found.claims) :],
        "open_questions": [_pattern_shape(row) for row in found.open_questions],
        "conflicts": conflict_shapes(found.conflicts, access),
        "last_extracted": found.last_extracted,
        "more": found.more,
    }


class RecoveryShape(TypedDict):
    state_words: int
    talk_words: int
    messages: int
    share: float | None


class RepeatedCorrectionsShape(TypedDict):
    repeated: int
    corrections: int
    target: int


class TracedDecisionsShape(TypedDict):
    traced: int
    decisions: int
    share: float | None
    target: float


class FiguresShape(TypedDict):
    """The figures of D13: shares are null where there is nothing to divide by."""

    context_recovery: RecoveryShape
    repeated_corrections: RepeatedCorrectionsShape
    traceability: TracedDecisionsShape
    more: bool


def figures_shape(found: DiscussionFigures) -> FiguresShape:
    return {
        "context_recovery": {
            "state_words": found.state_words,
            "talk_words": found.talk_words,
            "messages": found.messages,
            "share": found.recovery,
        },
        "repeated_corrections": {"repeated": found.repeated, "corrections": found.corrections, "target": 0},
        "traceability": {
            "traced": found.traced,
            "decisions": found.decisions,
            "share": found.traceability,
            "target": 1.0,
        },
        "more": found.more,
    }


def _pattern_shape(row: Pattern) -> PatternShape:
    return {
        "ref": row.ref,
        "type": row.type,
        "description": row.description,
        "claim": row.claim.ref if row.claim else None,
        "sources": [source.pk for source in row.sources.all()],
        "auto_detected": row.auto_detected,
        "detected_at": row.detected_at,
    }
