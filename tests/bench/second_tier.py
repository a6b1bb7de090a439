"""What a second reader, a model, adds to the rules on labelled chats of households: rules alone beside both, thing by thing.

    OPENAI_BASE_URL=… uv run python -m tests.bench.second_tier CHATS.jsonl HOUSEHOLDS.json [--limit N] [--answers FILE]

It is asked about what the tripwire let pass and the rules are not sure of, as in a scope. `--answers` keeps what it answered, so
that another reading of it costs no second call.
"""

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from extraction.chat.commitments import SHIPPED_ATTRIBUTION, DialogueAct, ThreadReader  # noqa: E402
from extraction.chat.commitments.observer_shape import extraction_confidence  # noqa: E402
from extraction.chat.messages import ChatMessage  # noqa: E402
from extraction.chat.second_tier import reading_of, surer  # noqa: E402
from extraction.evaluation.household import (  # noqa: E402
    Household,
    WatchedReader,
    read_households,
    threads_in,
)
from extraction.extractors.chat_model import MAX_ANSWER_TOKENS, MAX_BEFORE, SURE, question_of, seed_answer  # noqa: E402
from extraction.extractors.model import wire  # noqa: E402
from extraction.extractors.model.server import configured  # noqa: E402
from extraction.training.readings import household_tripwire  # noqa: E402

THINGS = ("type", "assignee", "dates", "times", "child")


@dataclass(frozen=True)
class Asked:
    """A labelled message that the rules are not sure of, with what they make of it."""

    gold: Mapping[str, Any]
    act: DialogueAct
    message: ChatMessage
    before: Sequence[ChatMessage]
    home: Household
    zone: str


def unsure(chats: Path, homes: Mapping[str, Household]) -> Iterator[Asked]:
    tripwire = household_tripwire()
    for thread in threads_in(chats):
        home, zone = homes[thread["household"]], thread["timezone"]
        reader = ThreadReader(home.people, zone, SHIPPED_ATTRIBUTION, home.routines, tripwire)
        watched, before = WatchedReader(reader, home.people, tripwire), list[ChatMessage]()
        for row in thread["messages"]:
            message = ChatMessage(
                row["sender"], row["text"], datetime.fromisoformat(row["sent_at"]), row["id"], row.get("reply_to") or ""
            )
            act = watched.read(message)
            if watched.passed and extraction_confidence(act) < SURE:
                yield Asked(row["gold"], act, message, list(before), home, zone)
            before.append(message)


def answered(asked: Asked, kept: dict[str, str]) -> str:
    name = asked.message.external_id
    if name not in kept:
        server = configured()
        if server is None:
            raise SystemExit("OPENAI_BASE_URL names no model")
        question = question_of(asked.message, asked.before, asked.home.people, asked.zone)
        reply = wire.call(server, question.system, question.user, question.schema, most_answer=MAX_ANSWER_TOKENS)
        kept[name] = reply.content
    return kept[name]


def told(act: DialogueAct, home: Household) -> dict[str, set[str] | str]:
    """In the labels' words."""
    assignees = {home.ids.get(one.name, one.name) for one in act.assignees}
    return {
        "type": act.type or "",
        "assignee": assignees or ({"unspecified"} if act.status in ("asked", "requested", "declined") else set()),
        "dates": {day.isoformat() for day in act.days},
        "times": set(act.clocks),
        "child": {home.ids.get(one.name, one.name) for one in act.children},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chats", type=Path)
    parser.add_argument("households", type=Path)
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--answers", type=Path)
    given = parser.parse_args()
    kept = json.loads(given.answers.read_text()) if given.answers and given.answers.exists() else {}
    right, seconds, faults, changed = Counter[tuple[str, str]](), 0.0, 0, 0
    rows = [one for one in unsure(given.chats, read_households(given.households)) if one.gold["coordination"]]
    rows = rows[: given.limit]
    for row in rows:
        begun = time.perf_counter()
        raw = answered(row, kept)
        seconds += time.perf_counter() - begun
        if given.answers:
            given.answers.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
        around = " ".join(one.text for one in row.before[-MAX_BEFORE:])
        value = seed_answer(raw).value
        found = reading_of(value, row.message.text, row.home.people, row.act.utterance.day, around)
        better = surer(row.act, found)
        faults, changed = faults + bool(found.fault), changed + (better is not None)
        for who, act in (("rules", row.act), ("both", better or row.act)):
            said = told(act, row.home)
            right.update((who, thing) for thing in THINGS if _same(said[thing], row.gold[thing]))
    print(f"{len(rows)} messages asked about, {faults} answers of no use, {changed} read otherwise and surer")
    for thing in THINGS:
        shares = [f"{who} {right[who, thing] / max(1, len(rows)):.2f}" for who in ("rules", "both")]
        print(f"{thing:10}", *shares)
    print(f"{seconds / max(1, len(rows)):.1f} s an answer")


def _same(said: set[str] | str, gold: Any) -> bool:
    return said == (gold or "") if isinstance(said, str) else said == set(gold or ())


if __name__ == "__main__":
    main()
