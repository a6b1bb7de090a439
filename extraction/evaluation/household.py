"""Labelled chats of households: what would be read message by message, beside what people marked.

Chats are JSONL, one thread a line: `{"thread", "household", "timezone", "messages": [{"id", "sender", "sent_at", "reply_to",
"text", "gold"}]}`. Households are JSON: `{"households": [{"household", "people": [{"id", "name", "role", "also_called"?}],
"recurring"?: [{"person", "activity"?, "place"?, "weekdays"?}]}]}`.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from extraction.chat.commitments import (
    SHIPPED_ATTRIBUTION,
    DialogueAct,
    Roster,
    ThreadReader,
    WeeklyRoutine,
)
from extraction.chat.messages import ChatMessage
from extraction.chat.people import HouseholdMember
from extraction.chat.tripwire import Tripwire, score
from extraction.evaluation.rows import text_in
from extraction.evaluation.scores import Score

# The statuses that answer an earlier message; details of a talk name no source.
ANSWERS = frozenset({"committed", "offered", "declined", "ack"})
UNTAKEN = frozenset({"asked", "requested", "declined"})
LOOKED_AT = 8
_DAYS = {name: at for at, name in enumerate("mon tue wed thu fri sat sun".split())}
_MAX_AGES_S = (300, 600)


@dataclass(frozen=True)
class Household:
    """The people of one household; `ids` tells by which id the labels call each of them."""

    people: Roster
    ids: Mapping[str, str]
    routines: Sequence[WeeklyRoutine]


class WatchedReader:
    """Reads messages one after the other, with the household's tripwire before the reader where one stands there, as in a
    scope. `passed` is what that said of the last message."""

    def __init__(self, reader: ThreadReader, people: Roster, tripwire: Tripwire | None) -> None:
        self.reader, self.people, self.tripwire = reader, people, tripwire
        self.before: list[ChatMessage] = []
        self.passed = True

    def read(self, message: ChatMessage) -> DialogueAct:
        if self.tripwire is not None:
            self.passed = score(self.tripwire, message, self.before, self.people.members).passed
        self.before.append(message)
        return self.reader.read(message, passed=self.passed, sure=self.tripwire is not None)


def is_household(path: Path) -> bool:
    """Whether a JSONL file holds threads of households. Raises OSError."""
    if path.suffix != ".jsonl":
        return False
    with path.open(encoding="utf-8") as lines:
        first = lines.readline()
    try:
        row = json.loads(first)
    except ValueError:
        return False
    return isinstance(row, dict) and "household" in row and isinstance(row.get("messages"), list)


def is_roster(path: Path) -> bool:
    """`households.json` tells who is who in the chats beside it, and is read with them."""
    return path.suffix == ".json" and path.name.startswith("households")


def household_lines(chats: Path, packs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The tripwire message by message, and the share read as marked of each thing that a message tells. The people stand in
    `households*.json` beside the chats. Raises OSError, ValueError, KeyError."""
    homes = next(iter(sorted(chats.parent.glob("households*.json"))), None)
    if homes is None:
        raise ValueError(f"{chats}: no households*.json beside it tells who is who")
    tripwire = Tripwire.from_packs(packs)
    scores = {} if tripwire is None else {"tripwire": tripwire_score(chats, homes, tripwire)}
    for name, marked in evaluate_household(chats, homes, tripwire=tripwire).items():
        scores[name[:40]] = Score.counted(len(marked), gold=len(marked), hits=len(marked), right=sum(marked))
    return [{"file": chats.name, "measure": name, **one.figures()} for name, one in scores.items()]


def tripwire_score(chats: Path, homes: Path, tripwire: Tripwire) -> Score:
    total = Score()
    households = read_households(homes)
    for thread in threads_in(chats):
        people = households[thread["household"]].people.members
        before: dict[str, ChatMessage] = {}
        for row in thread["messages"]:
            message = _message(row)
            answered = before.get(message.reply_to)
            passed = score(tripwire, message, list(before.values())[-LOOKED_AT:], people, answered).passed
            before[row["id"]] = message
            total.count_whole(labelled=row["gold"]["coordination"] is not False, hit=passed)
    return total


def threads_in(chats: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in chats.read_text(encoding="utf-8").splitlines() if line.strip()]


def _message(row: Mapping[str, Any]) -> ChatMessage:
    return ChatMessage(row["sender"], row["text"], _sent_at(row), row["id"], text_in(row, "reply_to"))


def _sent_at(row: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(row["sent_at"])


def read_households(path: Path) -> dict[str, Household]:
    """The households of one file by their name. Raises OSError, ValueError or KeyError for what has another shape."""
    found = json.loads(path.read_text(encoding="utf-8"))
    homes = found.get("households", found) if isinstance(found, dict) else found
    return {home["household"]: _household(home) for home in homes}


def _household(home: Mapping[str, Any]) -> Household:
    names = {one["id"]: one["name"] for one in home["people"]}
    members = tuple(
        HouseholdMember(one["name"], (one["id"], *_also_called(one)), text_in(one, "role")) for one in home["people"]
    )
    routines = [_routine(one, names) for one in home.get("recurring", []) if not one.get("background")]
    return Household(Roster(members), {name: who for who, name in names.items()}, routines)


def _also_called(person: Mapping[str, Any]) -> list[str]:
    return [alias.split(" (")[0] for alias in person.get("also_called", [])]


def _routine(weekly: Mapping[str, Any], names: Mapping[str, str]) -> WeeklyRoutine:
    people = tuple(names.get(who, who) for who in weekly["person"])
    days = frozenset(_DAYS[day[:3]] for day in weekly.get("weekdays", []))
    return WeeklyRoutine(people, text_in(weekly, "activity"), text_in(weekly, "place"), days)


def predictions(
    thread: Mapping[str, Any], home: Household, *, usual: bool = False, tripwire: Tripwire | None = None
) -> Iterator[dict[str, Any]]:
    """One prediction a message, made from it and what came before. `usual` lets the household's weekly plan be known; a
    `tripwire` stands before the reader, as it does in a scope."""
    routines = home.routines if usual else ()
    reader = ThreadReader(home.people, thread["timezone"], SHIPPED_ATTRIBUTION, routines, tripwire)
    watched = WatchedReader(reader, home.people, tripwire)
    ids = [message["id"] for message in thread["messages"]]
    for row in thread["messages"]:
        yield _prediction(row["id"], watched.read(_message(row)), ids, home)


def _prediction(name: str, act: DialogueAct, ids: Sequence[str], home: Household) -> dict[str, Any]:
    assignees = [home.ids.get(one.name, one.name) for one in act.assignees]
    return {
        "id": name,
        "queue": act.coordinates,
        "status": act.status,
        "type": act.type or None,
        "assignee": assignees or ["unspecified"] * (act.status in UNTAKEN),
        "assigned_from": ids[act.source] if act.source is not None and act.status in ANSWERS else None,
        "dates": [day.isoformat() for day in act.days],
        "times": list(act.clocks),
        "child": [home.ids.get(one.name, one.name) for one in act.children],
    }


def evaluate_household(
    chats: Path, homes: Path, *, usual: bool = False, tripwire: Tripwire | None = None
) -> dict[str, list[bool]]:
    """How the messages marked as coordination are read, each right or wrong: who takes on what somebody asked for and which
    message that was (all, within 5 and 10 minutes, beyond), type, dates, times and children. Raises OSError, ValueError and
    KeyError."""
    households = read_households(homes)
    found: dict[str, list[bool]] = defaultdict(list)
    for thread in threads_in(chats):
        messages = {message["id"]: message for message in thread["messages"]}
        for one in predictions(thread, households[thread["household"]], usual=usual, tripwire=tripwire):
            for name, right in _compared(one, messages):
                found[name].append(right)
    return dict(sorted(found.items()))


def _compared(found: Mapping[str, Any], messages: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    message = messages[found["id"]]
    gold = message["gold"]
    if gold["coordination"] is False:
        return
    yield "type", found["type"] == gold["type"]
    for name in ("dates", "times", "child"):
        # Gold may allow two readings of a date.
        yield name, set(found[name]) in (set(gold[name]), set(gold.get(f"{name}_alt") or gold[name]))
    if gold["status"] != "committed" or not gold["assigned_from"]:
        return
    age_s = (_sent_at(message) - _sent_at(messages[gold["assigned_from"]])).total_seconds()
    for part in ("", *_ages(age_s)):
        yield f"assignee{part}", set(found["assignee"]) == set(gold["assignee"])
        yield f"source{part}", found["assigned_from"] == gold["assigned_from"]


def _ages(age_s: float) -> list[str]:
    within = [f" within {most} s" for most in _MAX_AGES_S if age_s <= most]
    return within or [f" beyond {_MAX_AGES_S[-1]} s"]
