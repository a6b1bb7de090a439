"""What promoting a candidate would do to what already holds (design §4). Pure: the preview and the verb share it."""

from collections import defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from ledger.language.contradiction import Statement, contradicts
from ledger.language.fold import normalise_statement
from ledger.language.subjects import names_another
from ledger.rules.slots import same_content

# Of these kinds another name in the place of a name is another choice; two facts may name two things.
CHOICES = frozenset({"decision", "constraint", "requirement", "commitment", "preference"})


class PromotionOutcome(StrEnum):
    NEW = "new"
    SAME = "same"
    SUPERSEDES = "supersedes"
    CONFLICT = "conflict"


_NEW, _SAME, _SUPERSEDES, _CONFLICT = PromotionOutcome


@dataclass(frozen=True, slots=True)
class ComparedClaim:
    """A live claim or trusted value as reconciling sees it. `comparable`: of a kind of which not any number holds at once.
    `speaker` and `said_at` come from its latest evidence."""

    ref: str
    statement: str
    value: Any
    slot: str
    dedup: str = ""
    kind: str = ""
    key: str = ""
    topic: str = ""
    subject: str = ""
    comparable: bool = False
    trusted: bool = False
    speaker: str = ""
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PromotionPreview:
    outcome: PromotionOutcome
    against: tuple[str, ...] = ()

    @property
    def is_clear(self) -> bool:
        """Whether promoting needs no choice: nothing else speaks of it, or exactly one claim says the same."""
        return self.outcome is _NEW or (self.outcome is _SAME and len(self.against) == 1)


def reconcile(
    candidate: ComparedClaim, held: Iterable[ComparedClaim], *, names_replaced: Iterable[str] = ()
) -> PromotionPreview:
    """The outcome and the refs it stands against.

    Same wins over supersedes wins over conflict: what is already said needs no decision, and what the text or the
    same speaker replaces is no contradiction. A trusted value is never superseded by a claim, only contradicted.
    """
    named = {name.casefold() for name in names_replaced}
    refs: defaultdict[PromotionOutcome, list[str]] = defaultdict(list)
    for other in held:
        if other.ref != candidate.ref:
            refs[_outcome(candidate, other, named)].append(other.ref)
    same, differing, replaced = refs[_SAME], refs[_CONFLICT], refs[_SUPERSEDES]
    if same:
        return PromotionPreview(_SAME, tuple(same))
    if differing:
        return PromotionPreview(_CONFLICT, tuple(differing + replaced))
    return PromotionPreview(_SUPERSEDES, tuple(replaced)) if replaced else PromotionPreview(_NEW)


def _outcome(candidate: ComparedClaim, other: ComparedClaim, named: Set[str]) -> PromotionOutcome:
    """Beside one other alone."""
    if other.ref.casefold() in named and not other.trusted:
        return _SUPERSEDES
    on_slot = other.trusted or other.slot == candidate.slot != ""
    # The duplicate key sees through more than values do (`foo.` and `foo`), and the values through more than it
    # does (`48 cm` and `480 mm`): either is the same.
    if candidate.dedup == other.dedup != "" or (
        on_slot and same_content(candidate.value, candidate.statement, other.value, other.statement)
    ):
        return _NEW if other.trusted else _SAME
    if not on_slot and not cannot_both_hold(candidate, other):
        return _NEW
    return _SUPERSEDES if not other.trusted and _same_speaker_later(candidate, other) else _CONFLICT


def cannot_both_hold(one: ComparedClaim, other: ComparedClaim) -> bool:
    """Whether the words of two claims on no common slot contradict each other, as `check` compares them (D12). Keys tell by
    themselves what may hold one value only, and what is said of two topics or subjects never contradicts."""
    if not (one.comparable and other.comparable) or (one.key and other.key):
        return False
    if not (_may_be_one(one.topic, other.topic) and _may_be_one(one.subject, other.subject)):
        return False
    # What two say of each other is kept: few pairs get to being asked whether they are about two things.
    return bool(contradicts(_statement(one), _statement(other))) and not _are_apart(one, other)


def _are_apart(one: ComparedClaim, other: ComparedClaim) -> bool:
    return names_another(one.statement, other.subject, other.statement) or names_another(
        other.statement, one.subject, one.statement
    )


def _may_be_one(topic: str, other: str) -> bool:
    return "" in (topic, other) or normalise_statement(topic) == normalise_statement(other)


def _statement(row: ComparedClaim) -> Statement:
    return Statement(row.ref, row.statement, row.key, row.value, names_choice=row.kind in CHOICES)


def _same_speaker_later(candidate: ComparedClaim, other: ComparedClaim) -> bool:
    if candidate.said_at is None or other.said_at is None:
        return False
    return candidate.speaker == other.speaker != "" and candidate.said_at > other.said_at
