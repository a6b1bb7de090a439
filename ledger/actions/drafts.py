"""A proposal before it is a row: what is checked of it, on which slot it will stand, and how new it is. Writes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ledger.actions.anchoring import anchored_by
from ledger.actions.locking import slot_lock
from ledger.errors import Invalid
from ledger.models import Claim, Kind, Scope
from ledger.packs import PackSet
from ledger.reads.duplicates import DuplicateContext, duplicate_context
from ledger.reads.packs import kinds, packs_of, stage_of
from ledger.rules.columns import check_columns
from ledger.rules.drafts import Draft
from ledger.rules.registry import Misfit, Registered, register
from ledger.rules.slots import dedup_of, slot_of

CHECKED = (
    "statement", "key", "topic", "subject", "tags", "value_type", "value", "assignee", "confidence", "confidence_word", "rule",
    "extractor", "extractor_version", "summary", "names_replaced", "valid_from", "valid_to", "expires_at", "downstream",
)  # fmt: skip


@dataclass(slots=True)
class Proposal:
    """What became of a draft: `written`, `duplicate` (claim is the known one, in these words or nearly), `rejected` (a
    remembered no), `unanchored` (law 8), `note` (no entry of the registry, T5; `field` says by what); of a run also `echo`
    (an agent repeats what holds) or `over_budget`."""

    fate: str
    claim: Claim | None = None
    why: str = ""
    field: str = ""

    @property
    def stands_in(self) -> Claim | None:
        """The claim that the draft became, or whose evidence it joined; None where it was held back."""
        return self.claim if self.fate in ("written", "duplicate") else None

    @property
    def known_as(self) -> str:
        """The ref of the claim that the answer is about, where there is one."""
        return self.claim.ref if self.claim else ""


@dataclass(slots=True)
class SameDrafts:
    """Drafts that say the same, the first for all of them, and their places among all that were proposed."""

    first: Draft
    drafts: list[Draft] = field(default_factory=list)
    places: list[int] = field(default_factory=list)


# By the duplicate key of the first.
type Groups = dict[str, SameDrafts]


@dataclass(frozen=True, slots=True)
class Novelty:
    """How new a draft is: `twin` says it already, else `share` is 0 to 1 (P3, C5). `first` is the place of the draft of the
    same pass that says the same first; its own where that is itself."""

    first: int
    twin: Claim | None = None
    share: float = 1.0


def novelty_of(drafts: Sequence[Draft], scope: Scope, packs: PackSet) -> list[Novelty]:
    """In the order of the drafts. Without a lock or a write: what ranks a pass, not what decides it."""
    _, groups = prepare(drafts, kinds(), packs, stage_of(scope))
    known = duplicate_context(scope, firsts(groups), packs)
    novelties = {at: Novelty(at) for at in range(len(drafts))}
    for dedup, group in nearly_equal(groups, known).items():
        novelty = Novelty(group.places[0], known.twins.get(dedup), known.novelty.get(dedup, 1.0))
        novelties |= dict.fromkeys(group.places, novelty)
    return list(novelties.values())


def draft_lock(draft: Draft, scope: Scope) -> str:
    """The lock of the slot that the draft's claim will stand on, for verbs that take it together with another."""
    kind = kind_named(draft.kind, kinds())
    check_columns({"key": draft.key, "topic": draft.topic})
    key = packs_of(scope).own_name(draft.key) if draft.key else ""
    return slot_lock(
        scope.pk, key, slot_of(kind.name, many=kind.many, key=key, topic=draft.topic, subject=draft.subject), kind.name
    )


def kind_named(name: str, known: Mapping[str, Kind]) -> Kind:
    if name not in known:
        raise Invalid(f"no kind {name!r}", field="kind")
    return known[name]


def prepare(
    drafts: Sequence[Draft], known: Mapping[str, Kind], packs: PackSet, stage: str
) -> tuple[dict[int, Proposal], Groups]:
    """By their places what can be answered at once, and the rest prepared and grouped by duplicate key. `stage` is that of the
    scope; nothing where keys may be of any stage. Raises `Invalid` for what no column can hold."""
    kinds_named = [kind_named(draft.kind, known) for draft in drafts]
    for draft in drafts:
        if not draft.statement.strip():
            raise Invalid("a statement cannot be empty", field="statement")
        check_columns({name: getattr(draft, name) for name in CHECKED})
    registered, answers = with_registered_keys(drafts, packs, stage)
    for at, draft in registered.items():
        anchors = kinds_named[at].anchors
        if not draft.anchors_to_choose and not anchored_by(anchors, draft.quotes):
            why = f"a {draft.kind} rests on words of {' or '.join(anchors) or 'anybody'}"
            answers[at] = Proposal("unanchored", None, why, "evidence")
    return answers, with_slots({at: draft for at, draft in registered.items() if at not in answers}, kinds_named)


def with_registered_keys(
    drafts: Sequence[Draft], packs: PackSet, stage: str
) -> tuple[dict[int, Draft], dict[int, Proposal]]:
    """By their places the drafts with keys and values as the registry has them, and what it has no entry for."""
    registered: dict[int, Draft] = {}
    notes: dict[int, Proposal] = {}
    for at, draft in enumerate(drafts):
        try:
            entry = register(packs, draft.key, draft.value, draft.value_type, stage=draft.stage or stage)
        except Misfit as error:
            if draft.graduates_id is None:
                notes[at] = Proposal("note", None, str(error), error.field)
                continue
            # What holds already graduates as it is, whatever the registry has become.
            entry = Registered(draft.key, draft.value, draft.value_type, packs.is_risky(draft.key))
        registered[at] = replace(
            draft, key=entry.key, value=entry.value, value_type=entry.value_type,
            high_risk=entry.high_risk or draft.high_risk,
        )  # fmt: skip
    return registered, notes


def with_slots(drafts: Mapping[int, Draft], kinds_named: Sequence[Kind]) -> Groups:
    """Where each will stand, and by what it is known again."""
    groups: Groups = {}
    for at, draft in drafts.items():
        kind = kinds_named[at]
        layer = draft.layer or kind.layer
        slot = slot_of(kind.name, many=kind.many, key=draft.key, topic=draft.topic, subject=draft.subject)
        dedup = dedup_of(
            layer=layer, kind=kind.name, slot=slot, key=draft.key, value=draft.value, statement=draft.statement,
            assignee=draft.assignee, subject=draft.subject,
        )  # fmt: skip
        prepared = replace(draft, layer=layer, slot=slot, dedup=dedup)
        group = groups.setdefault(dedup, SameDrafts(prepared))
        group.drafts.append(prepared)
        group.places.append(at)
    return groups


def firsts(groups: Groups) -> dict[str, Draft]:
    """The draft that speaks for each group."""
    return {dedup: group.first for dedup, group in groups.items()}


def nearly_equal(groups: Groups, known: DuplicateContext) -> Groups:
    """What nobody says yet and two drafts of one pass say in other words is one proposal, in the words of the first."""
    first: dict[int, str] = {}
    joined: Groups = {}
    answered = known.twins.keys() | known.echoes.keys()
    for dedup, group in groups.items():
        keys = known.keys[dedup]
        alone = not keys or dedup in answered or group.first.graduates_id is not None
        same = joined.setdefault(dedup if alone else first.setdefault(keys[0], dedup), SameDrafts(group.first))
        same.drafts += group.drafts
        same.places += group.places
    return joined
