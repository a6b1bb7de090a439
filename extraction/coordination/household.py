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

from extraction.coordination.frames import Frame, Usual
from extraction.coordination.people import Roster, roster
from extraction.coordination.reading import ThreadReader
from extraction.coordination.settings import Attribution
from extraction.links import Message

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
    thread: Mapping[str, Any], home: Household, *, settings: Attribution | None = None, usual: bool = False
) -> Iterator[dict[str, Any]]:
    """One prediction a message, made from it and what came before. `usual` lets the household's weekly plan be known."""
    reader = ThreadReader(home.people, thread["timezone"], settings, home.usual if usual else ())
    ids = [message["id"] for message in thread["messages"]]
    for message in thread["messages"]:
        said = Message(
            message["sender"], message["text"], datetime.fromisoformat(message["sent_at"]), message["id"],
            message.get("reply_to") or "",
        )  # fmt: skip
        yield _prediction(message["id"], reader.read(said), ids, home)


def _prediction(name: str, frame: Frame, ids: Sequence[str], home: Household) -> dict[str, Any]:
    assignees = [home.ids.get(one.name, one.name) for one in frame.assignees]
    return {
        "id": name,
        "queue": frame.coordinates,
        "status": frame.status,
        "type": frame.type or None,
        "assignee": assignees or (["unspecified"] if frame.status in ("asked", "requested", "declined") else []),
        "assigned_from": ids[frame.source] if frame.source is not None and frame.status == "committed" else None,
        "dates": [day.isoformat() for day in frame.days],
        "times": list(frame.clocks),
        "child": [home.ids.get(one.name, one.name) for one in frame.children],
    }
