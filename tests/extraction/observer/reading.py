"""A family's threads, watched without a database."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

from extraction.chat.commitments import SHIPPED_ATTRIBUTION, ThreadReader, WeeklyRoutine, roster
from extraction.chat.messages import ChatMessage
from extraction.chat.tripwire import Tripwire
from extraction.evaluation.household import WatchedReader
from extraction.observer import KnownCalendar, RedlineSettings, ThreadWatcher, notice_text
from extraction.observer.settings import settings_of
from extraction.observer.wording import language_of
from ledger.packs import SHIPPED
from ledger.rules.calendar import entry_of
from tests.extraction.observer.families import ObservedFamily, ObservedThread

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True)
class SaidInThread:
    """A notice after the message at `after` (from 0)."""

    after: int
    rule: str
    text: str


@cache
def household_pack() -> tuple[Tripwire, RedlineSettings]:
    pack = tomllib.loads((SHIPPED / "household.toml").read_text(encoding="utf-8"))
    tripwire = Tripwire.from_packs([pack])
    assert tripwire is not None
    return tripwire, settings_of([pack])


def said_in(family: ObservedFamily, thread: ObservedThread) -> list[SaidInThread]:
    tripwire, settings = household_pack()
    people = roster([*family.people, *((name, (), "resource") for name in family.resources)])
    entries = [entry_of(f"EVT-{at}", "event", value, family.zone) for at, value in enumerate(family.events)]
    calendar = KnownCalendar(filter(None, entries), people.members, family.zone)
    routines = list(_routines(family.events))
    reader = ThreadReader(people, family.zone, SHIPPED_ATTRIBUTION, routines, tripwire)
    watched = WatchedReader(reader, people, tripwire)
    watcher = ThreadWatcher(calendar, settings)
    for row in thread.messages:
        watcher.read(watched.read(ChatMessage(row["sender"], row["text"], row["sent_at"], row["id"])))
    watcher.wait_until(datetime.max.replace(tzinfo=UTC))
    language = language_of(row["text"] for row in thread.messages)
    return [
        SaidInThread(
            one.after,
            one.finding.rule,
            notice_text(one.finding, language=language, zone=calendar.zone, settings=settings),
        )
        for one in watcher.spoken
    ]


def _routines(events: Sequence[dict[str, Any]]) -> Iterator[WeeklyRoutine]:
    for value in events:
        if "rrule" in value and not value.get("background"):
            days = value["rrule"].partition("BYDAY=")[2].split(",")
            yield WeeklyRoutine(
                tuple(value["people"]), value["title"], value["place"], frozenset(map(_DAYS.index, days))
            )


@dataclass
class Outcome:
    """How the notices of some threads stand to what was due."""

    right: int = 0
    wrong_rule: int = 0
    missed: int = 0
    false: int = 0
    checkpoints: int = 0

    @property
    def due(self) -> int:
        return self.right + self.wrong_rule + self.missed

    def count(self, thread: ObservedThread, said: Sequence[SaidInThread]) -> None:
        open_ = list(thread.due)
        for one in said:
            due = next((row for row in open_ if row.first <= one.after <= row.last), None)
            if due is None:
                self.false += 1
                continue
            open_.remove(due)
            good = one.rule in due.rules
            self.right += good
            self.wrong_rule += not good
        self.missed += len(open_)
        self.checkpoints += len(thread.silent) + len(thread.due)
