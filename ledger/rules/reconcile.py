"""What promoting a candidate would do to what already holds (design §4). Pure: the preview and the verb share it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from ledger.rules.slots import same_content


class Outcome(StrEnum):
    NEW = "new"
    SAME = "same"
    SUPERSEDES = "supersedes"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Held:
    """A live claim or trusted value as reconciling sees it. `speaker` and `said_at` come from its latest evidence."""

    ref: str
    statement: str
    value: Any
    slot: str
    dedup: str = ""
    trusted: bool = False
    speaker: str = ""
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    outcome: Outcome
    against: tuple[str, ...] = ()


def reconcile(candidate: Held, held: Iterable[Held], *, names_replaced: Iterable[str] = ()) -> Preview:
    """The outcome and the refs it stands against.

    Same wins over supersedes wins over conflict: what is already said needs no decision, and what the text or the
    same speaker replaces is no contradiction. A trusted value is never superseded by a claim, only contradicted.
    """
    named = {name.casefold() for name in names_replaced}
    same, replaced, differing = [], [], []
    for other in held:
        if other.ref == candidate.ref:
            continue
        on_slot = other.trusted or (bool(candidate.slot) and other.slot == candidate.slot)
        # The duplicate key sees through more than values do (`foo.` and `foo`), and the values through more than it
        # does (`48 cm` and `480 mm`): either is the same.
        equal = (bool(candidate.dedup) and candidate.dedup == other.dedup) or (
            on_slot and same_content(candidate.value, candidate.statement, other.value, other.statement)
        )
        if other.ref.casefold() in named and not other.trusted:
            replaced.append(other.ref)
        elif equal:
            if not other.trusted:
                same.append(other.ref)
        elif on_slot:
            if not other.trusted and _same_speaker_later(candidate, other):
                replaced.append(other.ref)
            else:
                differing.append(other.ref)
    if same:
        return Preview(Outcome.SAME, tuple(same))
    if differing:
        return Preview(Outcome.CONFLICT, tuple(differing + replaced))
    if replaced:
        return Preview(Outcome.SUPERSEDES, tuple(replaced))
    return Preview(Outcome.NEW)


def _same_speaker_later(candidate: Held, other: Held) -> bool:
    return bool(
        candidate.speaker
        and candidate.speaker == other.speaker
        and candidate.said_at
        and other.said_at
        and candidate.said_at > other.said_at
    )
