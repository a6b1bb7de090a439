"""Gold that is a whole talk: chats of households with what each message coordinates, and logs with who answers whom."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from extraction.chat.tripwire import Member, Message, Tripwire, score
from extraction.evaluation.annotated_logs import evaluate_links
from extraction.evaluation.household import evaluate_household
from extraction.evaluation.scores import Score

LOOKED_AT = 8


def is_log_folder(path: Path) -> bool:
    """Whether a folder holds annotated logs (`*.annotation.txt` beside `*.raw.txt`)."""
    return path.is_dir() and any(path.glob("*.annotation.txt"))


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


def link_lines(path: Path) -> list[dict[str, Any]]:
    """One line: which earlier message each message answers."""
    found = evaluate_links(path)
    total = Score(rows=int(str(found["logs"])))
    total.gold, total.hits = int(str(found["marked"])), int(str(found["found"]))
    total.gold_found = total.hits_right = total.exact = int(str(found["right"]))
    return [{"file": path.name, "measure": "links", **total.figures()}]


def household_lines(chats: Path, packs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The tripwire message by message, and the share read as marked of each thing that a message tells. The people stand in
    `households*.json` beside the chats. Raises OSError, ValueError, KeyError."""
    homes = next(iter(sorted(chats.parent.glob("households*.json"))), None)
    if homes is None:
        raise ValueError(f"{chats}: no households*.json beside it tells who is who")
    lines = []
    tripwire = Tripwire.from_packs(packs)
    if tripwire is not None:
        lines.append({"file": chats.name, "measure": "tripwire", **_tripwire(chats, homes, tripwire).figures()})
    for name, shares in evaluate_household(chats, homes, tripwire=tripwire).items():
        total = Score(rows=shares.of)
        total.gold = total.hits = shares.of
        total.gold_found = total.hits_right = total.exact = shares.right
        lines.append({"file": chats.name, "measure": name[:40], **total.figures()})
    return lines


def _tripwire(chats: Path, homes: Path, tripwire: Tripwire) -> Score:
    total = Score()
    people = _people(homes)
    for thread in _threads(chats):
        said: list[tuple[str, Message]] = []
        for one in thread["messages"]:
            sent = datetime.fromisoformat(one["sent_at"])
            linked = [replied(words) for name, words in said if name == one.get("reply_to")]
            before = [*linked, *(words for _, words in said[-LOOKED_AT:])]
            message = Message(one["text"], one["sender"], sent)
            passed = score(tripwire, message, before, people[thread["household"]]).passed
            gold = one["gold"]["coordination"] is not False
            said.append((one["id"], message))
            total.rows += 1
            total.gold += gold
            total.hits += passed
            total.gold_found += gold and passed
            total.hits_right += gold and passed
            total.exact += gold and passed
            total.unlabelled += not gold
            total.alarmed += passed and not gold
    return total


def replied(message: Message) -> Message:
    return Message(message.text, message.sender, message.sent_at, reply=True)


def _threads(chats: Path) -> Iterator[Mapping[str, Any]]:
    for line in chats.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def _people(homes: Path) -> dict[str, tuple[Member, ...]]:
    found = json.loads(homes.read_text(encoding="utf-8"))
    return {
        home["household"]: tuple(
            Member(
                (one["name"], one["id"], *(alias.split(" (")[0] for alias in one.get("also_called", []))),
                one.get("role") or "",
            )
            for one in home["people"]
        )
        for home in (found.get("households", found) if isinstance(found, dict) else found)
    }
