"""What a model understood of a message, in the seed's output shape, and where it is surer than the rules (O5, O6). Nothing of it is
believed: names must be of people here, days and clocks must be some, and its quote must stand in the message."""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from typing import Any, Final, cast

from extraction.chat.commitments.bare_clocks import hours_said
from extraction.chat.commitments.dialogue_acts import OPEN, DialogueAct, Status, TaskType
from extraction.chat.commitments.mentions import Roster
from extraction.chat.commitments.observer_shape import UNSPECIFIED, extraction_confidence
from extraction.chat.people import HouseholdMember
from ledger.language.fold import fold

TYPES: Final = ("transport", "care_coverage", "schedule_change", "activity_confirm")
BOTH: Final = "both"
MAX_LISTED: Final = 7
# What a chat arranges is not further away.
FARTHEST: Final = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class ChatReading:
    """The seed's shape as plain values; `fault` tells why it is none. `is_open`: somebody is wanted, and nobody was named."""

    is_coordination: bool = False
    type: TaskType = ""
    days: tuple[date, ...] = ()
    clocks: tuple[str, ...] = ()
    assignees: tuple[HouseholdMember, ...] = ()
    children: tuple[HouseholdMember, ...] = ()
    is_open: bool = False
    confidence: float = 0.0
    fault: str = ""


def schema_of(people: Roster) -> dict[str, Any]:
    """As strict structured output wants it: every field required, and only people of the household can be named."""
    text, number = {"type": "string"}, {"type": "number"}
    grown = [one.name for one in people.members if not one.is_child]
    children = [one.name for one in people.children]
    fields: dict[str, Any] = {
        "is_coordination": {"type": "boolean"},
        "coordination_type": {"type": ["string", "null"], "enum": [*TYPES, None]},
        "dates": {"type": "array", "items": text},
        "times": {"type": "array", "items": text},
        "assigned_to": {"type": "array", "items": text | {"enum": [*grown, *children, UNSPECIFIED]}},
        "child": {"type": "array", "items": text | {"enum": [*children, BOTH]}},
        "quote": text,
        "extraction_confidence": number,
    }
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def reading_of(value: Any, text: str, people: Roster, said_on: date, around: str = "") -> ChatReading:
    """What of an answer holds; what names nobody or no day is left out of it, and hours that neither the message says nor what
    was said `around` it: a model that is sure of all it answers gives the hour at which a message was sent."""
    given: Mapping[str, Any] = value if isinstance(value, dict) else {}
    if not isinstance(given.get("is_coordination"), bool):
        return ChatReading(fault="the answer does not say whether anything is coordinated")
    if not given["is_coordination"]:
        return ChatReading(confidence=_share(given))
    if not _stands_in(given.get("quote"), text):
        return ChatReading(fault="its quote does not stand in the message")
    named, said_hours = _words(given.get("assigned_to")), hours_said(f"{text} {around}")
    kind = given.get("coordination_type")
    return ChatReading(
        is_coordination=True,
        type=cast(TaskType, kind if kind in TYPES else ""),
        days=tuple(day for word in _words(given.get("dates")) for day in _day(word, said_on)),
        clocks=tuple(clock for word in _words(given.get("times")) for clock in _clock(word, said_hours)),
        assignees=_members(named, people.members),
        children=people.children if BOTH in _words(given.get("child")) else _members(_words(given.get("child")), people.children),
        is_open=UNSPECIFIED in named,
        confidence=_share(given),
    )  # fmt: skip


def surer(act: DialogueAct, found: ChatReading) -> DialogueAct | None:
    """The act as the model reads it, where that says more than the rules and with more certainty; None where it does not."""
    if not found.is_coordination or found.confidence <= extraction_confidence(act):
        return None
    told: dict[str, Any] = {"type": found.type, "children": found.children, "days": found.days, "clocks": found.clocks}
    read = replace(act, **{name: value for name, value in told.items() if value}, **_who(act, found))
    read.implied_day = act.implied_day and not found.days
    return read if _matter(read) != _matter(act) else None


def _who(act: DialogueAct, found: ChatReading) -> dict[str, Any]:
    if found.assignees:
        return {"assignees": found.assignees, "status": "committed", "shares": (), "guess": False}
    if found.is_open and act.status not in OPEN:
        return {"assignees": (), "status": "asked", "shares": (), "guess": False}
    return {"status": cast(Status, act.status or "inform")}


def _matter(act: DialogueAct) -> tuple[Any, ...]:
    return act.status, act.type, act.assignees, act.children, act.days, act.clocks


def _words(value: Any) -> Sequence[str]:
    listed = value if isinstance(value, list) else [value]
    return [one.strip() for one in listed[:MAX_LISTED] if isinstance(one, str)]


def _members(names: Collection[str], among: Sequence[HouseholdMember]) -> tuple[HouseholdMember, ...]:
    wanted = {fold(name) for name in names}
    return tuple(one for one in among if not wanted.isdisjoint(map(fold, one.names)))


def _day(word: str, said_on: date) -> list[date]:
    try:
        day = date.fromisoformat(word)
    except ValueError:
        return []
    return [day] if abs(day - said_on) <= FARTHEST else []


def _clock(word: str, said_hours: Set[int]) -> list[str]:
    try:
        clock = time.fromisoformat(word)
    except ValueError:
        return []
    # `quarter to five` names the hour after.
    return [f"{clock:%H:%M}"] if {clock.hour % 12, (clock.hour + 1) % 12} & said_hours else []


def _share(given: Mapping[str, Any]) -> float:
    value = given.get("extraction_confidence")
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else 0.0


def _stands_in(quote: Any, text: str) -> bool:
    words = " ".join(fold(quote).split()) if isinstance(quote, str) else ""
    return bool(words) and words in " ".join(fold(text).split())
