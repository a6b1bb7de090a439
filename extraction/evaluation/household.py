"""Labelled chats of households: what would be read message by message, beside what people marked.

Chats are JSONL, one thread a line: `{"thread", "household", "timezone", "messages": [{"id", "sender", "sent_at", "reply_to",
"text", "gold"}]}`. Households are JSON: `{"households": [{"household", "people": [{"id", "name", "role", "also_called"?}],
"recurring"?: [{"person", "activity"?, "place"?, "weekdays"?}]}]}`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from extraction.chat.commitments.frames import Frame, Usual
from extraction.chat.commitments.people import Roster, roster
from extraction.chat.commitments.reading import ThreadReader
from extraction.chat.commitments.settings import Attribution
from extraction.chat.reply_links import Message
from extraction.chat.tripwire import Member, Tripwire, score
from extraction.chat.tripwire import Message as Heard

# The statuses that answer an earlier message; details of a talk name no source.
ANSWERS = frozenset({"committed", "offered", "declined", "ack"})
_DAYS = {name: at for at, name in enumerate("mon tue wed thu fri sat sun".split())}


@dataclass(frozen=True)
class Household:
    """The people of one household; `ids` tells by which id the labels call each of them."""

    people: Roster
    ids: Mapping[str, str]
    usual: Sequence[Usual]


def read_households(path: Path) -> dict[str, Household]:
    """The households of one file by their name. Raises OSError, ValueError or KeyError for what has another shape."""
    found = json.loads(path.read_text(encoding="utf-8"))
    homes = found.get("households", found) if isinstance(found, dict) else found
    return {home["household"]: _household(home) for home in homes}


def _household(home: Mapping[str, Any]) -> Household:
    people = [
        (
            one["name"],
            [one["id"], *(alias.split(" (")[0] for alias in one.get("also_called", []))],
            one.get("role") or "",
        )
        for one in home["people"]
    ]
    names = {one["id"]: one["name"] for one in home["people"]}
    usual = [
        Usual(
            tuple(names.get(who, who) for who in one["person"]),
            str(one.get("activity") or ""),
            str(one.get("place") or ""),
            frozenset(_DAYS[day[:3]] for day in one.get("weekdays", [])),
        )
        for one in home.get("recurring", [])
        if not one.get("background")
    ]
    return Household(roster(people), {name: who for who, name in names.items()}, usual)


def predictions(
    thread: Mapping[str, Any],
    home: Household,
    *,
    settings: Attribution | None = None,
    usual: bool = False,
    tripwire: Tripwire | None = None,
) -> Iterator[dict[str, Any]]:
    """One prediction a message, made from it and what came before. `usual` lets the household's weekly plan be known; a
    `tripwire` stands before the reader, as it does in a scope."""
    reader = ThreadReader(home.people, thread["timezone"], settings, home.usual if usual else (), tripwire)
    ids = [message["id"] for message in thread["messages"]]
    members = tuple(Member((one.name, *one.aliases), one.role) for one in home.people.members)
    heard: list[Heard] = []
    for message in thread["messages"]:
        said = Message(
            message["sender"], message["text"], datetime.fromisoformat(message["sent_at"]), message["id"],
            message.get("reply_to") or "",
        )  # fmt: skip
        heard.append(Heard(said.text, said.sender, datetime.fromisoformat(message["sent_at"])))
        passed = tripwire is None or score(tripwire, heard[-1], heard[:-1], members).passed
        yield _prediction(message["id"], reader.read(said, passed=passed, sure=tripwire is not None), ids, home)


def _prediction(name: str, frame: Frame, ids: Sequence[str], home: Household) -> dict[str, Any]:
    assignees = [home.ids.get(one.name, one.name) for one in frame.assignees]
    return {
        "id": name,
        "queue": frame.coordinates,
        "status": frame.status,
        "type": frame.type or None,
        "assignee": assignees or (["unspecified"] if frame.status in ("asked", "requested", "declined") else []),
        "assigned_from": ids[frame.source] if frame.source is not None and frame.status in ANSWERS else None,
        "dates": [day.isoformat() for day in frame.days],
        "times": list(frame.clocks),
        "child": [home.ids.get(one.name, one.name) for one in frame.children],
    }


@dataclass(frozen=True, slots=True)
class Shares:
    """`of` counts the marked messages, `right` those that were read as marked."""

    right: int
    of: int

    @property
    def share(self) -> float:
        return round(self.right / self.of, 3) if self.of else 1.0


def evaluate_household(
    chats: Path, homes: Path, *, usual: bool = False, tripwire: Tripwire | None = None
) -> dict[str, Shares]:
    """How well the messages marked as coordination are read: who takes on what somebody asked for and which message that was
    (all, within 5 and 10 minutes, beyond), type, dates, times and children. Raises OSError, ValueError and KeyError."""
    households = read_households(homes)
    counts: dict[str, list[bool]] = {}
    for line in chats.read_text(encoding="utf-8").splitlines():
        thread = json.loads(line)
        messages = {message["id"]: message for message in thread["messages"]}
        for found in predictions(thread, households[thread["household"]], usual=usual, tripwire=tripwire):
            for name, right in _compared(found, messages):
                counts.setdefault(name, []).append(right)
    return {name: Shares(sum(some), len(some)) for name, some in sorted(counts.items())}


def _compared(found: Mapping[str, Any], messages: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    message = messages[found["id"]]
    gold = message["gold"]
    if gold["coordination"] is False:
        return
    yield "type", found["type"] == gold["type"]
    for name in ("dates", "times", "child"):
        either = [gold[name], gold["dates_alt"]] if name == "dates" and gold.get("dates_alt") else [gold[name]]
        yield name, set(found[name]) in [set(one) for one in either]
    if gold["status"] != "committed" or not gold["assigned_from"]:
        return
    said, asked = (datetime.fromisoformat(one["sent_at"]) for one in (message, messages[gold["assigned_from"]]))
    age = (said - asked).total_seconds()
    for part, within in (
        ("", True),
        (" within 300 s", age <= 300),
        (" within 600 s", age <= 600),
        (" beyond 600 s", age > 600),
    ):
        if within:
            yield f"assignee{part}", set(found["assignee"]) == set(gold["assignee"])
            yield f"source{part}", found["assigned_from"] == gold["assigned_from"]
