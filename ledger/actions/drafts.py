"""A proposal before it is a row: what is checked of it, on which slot it will stand, and how new it is. Writes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ledger.actions.anchoring import Quote, anchored_by
from ledger.actions.locking import slot_lock_name
from ledger.errors import Invalid
from ledger.models import Claim, Kind, Scope
from ledger.packs import PackSet
from ledger.reads.duplicates import DuplicateContext, duplicate_context
from ledger.reads.packs import kinds, packs_of, stage_of
from ledger.rules.columns import check_columns
from ledger.rules.registry import Misfit, Registered, register
from ledger.rules.slots import dedup_of, slot_of

CHECKED = (
    "statement", "key", "topic", "tags", "value_type", "value", "assignee", "confidence", "confidence_word", "rule",
    "extractor", "extractor_version", "summary", "names_replaced", "valid_from", "valid_to", "expires_at", "downstream",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposal before it is a row. `quotes` are located; `anchors_to_choose` are the places of one that is not."""

    kind: str
    statement: str
    quotes: tuple[Quote, ...]
    key: str = ""
    topic: str = ""
    tags: tuple[str, ...] = ()
    value_type: str = ""
    value: Any = None
    assignee: str = ""
    confidence: float = 0.0
    confidence_word: str = ""
    rule: str = ""
    extractor: str = ""
    extractor_version: str = ""
    hand_authored: bool = False
    needs_review: bool = False
    summary: str = ""
    names_replaced: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    downstream: tuple[str, ...] = ()
    anchors_to_choose: tuple[dict[str, int], ...] = ()
    graduates_id: int | None = None
    layer: str = ""
    # In which it was said, where that is not the stage of the scope (T5).
    stage: str = ""
    # Not labelled by its author: what a budget may hold back.
    inferred: bool = False


@dataclass(slots=True)
class Proposal:
    """What became of a draft: `written`, `duplicate` (claim is the known one, in these words or nearly), `rejected` (a
    remembered no), `unanchored` (law 8), `note` (no entry of the registry, T5; `field` says by what); of a run also `echo`
    (an agent repeats what holds) or `over_budget`."""

    fate: str
    claim: Claim | None = None
    why: str = ""
    field: str = ""


@dataclass(slots=True)
class Prepared:
    draft: Draft
    kind: Kind
    slot: str
    dedup: str
    high_risk: bool = False


type Group = list[tuple[int, Prepared]]


@dataclass(frozen=True, slots=True)
class Novelty:
    """How new a draft is: `twin` says it already, else `share` is 0 to 1 (P3, C5). `first` is the place of the draft of the
    same pass that says the same first; its own where that is itself."""

    first: int
    twin: Claim | None = None
    share: float = 1.0


def novelty_of(drafts: Sequence[Draft], scope: Scope, packs: PackSet) -> list[Novelty]:
    """In the order of the drafts. Without a lock or a write: what ranks a pass, not what decides it."""
    _, fresh = sorted_out(drafts, kinds(), packs, stage_of(scope))
    known = duplicate_context(scope, {d: group[0][1] for d, group in fresh.items()}, packs)
    answer = [Novelty(at) for at in range(len(drafts))]
    for dedup, group in nearly_equal(fresh, known).items():
        for at, _ in group:
            answer[at] = Novelty(group[0][0], known.twins.get(dedup), known.novelty.get(dedup, 1.0))
    return answer


def draft_lock(draft: Draft, scope: Scope) -> str:
    """The lock of the slot that the draft's claim will stand on, for verbs that take it together with another."""
    kind = kinds().get(draft.kind)
    if kind is None:
        raise Invalid(f"no kind {draft.kind!r}", field="kind")
    check_columns({"key": draft.key, "topic": draft.topic})
    spec = packs_of(scope).key_named(draft.key) if draft.key else None
    key = spec.key if spec else draft.key
    slot = slot_of(kind.name, many=kind.many, key=key, topic=draft.topic)
    return slot_lock_name(Claim(scope=scope, key=key, slot=slot, kind=kind))


def _prepare(draft: Draft, known: dict[str, Kind], packs: PackSet, stage: str | None) -> Prepared | Proposal:
    kind = known.get(draft.kind)
    if kind is None:
        raise Invalid(f"no kind {draft.kind!r}", field="kind")
    if not draft.statement.strip():
        raise Invalid("a statement cannot be empty", field="statement")
    check_columns({name: getattr(draft, name) for name in CHECKED})
    at_stage = "" if stage is None else draft.stage or stage
    try:
        entry = register(packs, draft.key, draft.value, draft.value_type, stage=at_stage)
    except Misfit as error:
        # What holds already graduates as it is, whatever the registry has become.
        if draft.graduates_id is None:
            return Proposal("note", None, str(error), error.field)
        spec = packs.key_named(draft.key)
        entry = Registered(draft.key, draft.value, draft.value_type, bool(spec and spec.high_risk))
    draft = replace(draft, key=entry.key, value=entry.value, value_type=entry.value_type)
    if not draft.anchors_to_choose and not anchored_by(kind.anchors, draft.quotes):
        return Proposal("unanchored", None, f"a {kind.name} rests on words of {' or '.join(kind.anchors) or 'anybody'}")
    layer = draft.layer or kind.layer
    slot = slot_of(kind.name, many=kind.many, key=draft.key, topic=draft.topic)
    dedup = dedup_of(
        layer=layer, kind=kind.name, slot=slot, key=draft.key, value=draft.value, statement=draft.statement,
        assignee=draft.assignee,
    )  # fmt: skip
    return Prepared(draft, kind, slot, dedup, high_risk=entry.high_risk)


def sorted_out(
    drafts: Sequence[Draft], known_kinds: dict[str, Kind], packs: PackSet, stage: str | None
) -> tuple[list[Proposal | None], dict[str, Group]]:
    """What can be answered at once, and the rest by duplicate key, each draft with its place."""
    answers: list[Proposal | None] = [None] * len(drafts)
    fresh: dict[str, Group] = {}
    for at, draft in enumerate(drafts):
        prepared = _prepare(draft, known_kinds, packs, stage)
        if isinstance(prepared, Proposal):
            answers[at] = prepared
        else:
            fresh.setdefault(prepared.dedup, []).append((at, prepared))
    return answers, fresh


def nearly_equal(fresh: dict[str, Group], known: DuplicateContext) -> dict[str, Group]:
    """What nobody says yet and two drafts of one pass say in other words is one proposal, in the words of the first."""
    first: dict[int, str] = {}
    groups: dict[str, Group] = {}
    for dedup, group in fresh.items():
        keys = known.keys[dedup]
        alone = not keys or dedup in known.twins or dedup in known.echoes or group[0][1].draft.graduates_id is not None
        groups.setdefault(dedup if alone else first.setdefault(keys[0], dedup), []).extend(group)
    return groups
