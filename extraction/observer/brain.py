"""The brain's answer to an abstract question: `soccer schedule Thursday` (O7). It asks by activity and day, never by person; who it
is about is matched at home, by whoever asked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import groupby

from extraction.chat.people import HouseholdMember
from extraction.observer.known import KnownCalendar, words_of
from ledger.language.times import find_times
from ledger.models import Scope
from ledger.reads.calendar import calendar_entries
from ledger.reads.scopes import people_of
from ledger.rules.calendar import CalendarEntry, Occurrence

AHEAD = timedelta(days=14)
_ASKING = frozenset(
    "when what which who is are does do did the a an at on of in for any usually time times schedule days day have has this that "
    "cuando que cual quien es son el la los las de a en hora horario dias dia tiene "
    "wann was welche wer ist sind der die das um am im uhrzeit zeiten tag tage hat".split()
)
_POSSESSIVE = re.compile(r"'s?$")


@dataclass(frozen=True, slots=True)
class BrainAnswer:
    """`relevance` is which share of what was asked for the entries found speak of, 0 to 1; its own score, mixed with no other."""

    entries: Sequence[CalendarEntry]
    occurrences: Sequence[Occurrence]
    relevance: float
    answer: str

    @property
    def confidence(self) -> str:
        return next(word for least, word in ((0.75, "high"), (0.5, "medium"), (0, "low")) if self.relevance >= least)


def ask_brain(scope: Scope, question: str, *, now: datetime) -> BrainAnswer:
    """What the confirmed calendar knows of an activity, on the day that the question names or in the next two weeks."""
    people = [HouseholdMember(one.name, tuple(one.aliases), one.role) for one in people_of(scope)]
    calendar = KnownCalendar(calendar_entries(scope), people, scope.timezone)
    days = _days_in(question, now, scope.timezone)
    entries = calendar.named_in(question)
    start, end = _window(days, now, calendar)
    found = sorted(
        (one for entry in entries or (calendar.entries if days else ()) for one in calendar.between(entry, start, end)),
        key=lambda one: one.start,
    )
    meant = entries or tuple(dict.fromkeys(one.entry for one in found))
    relevance = _relevance(question, meant, days, found, calendar, now)
    return BrainAnswer(meant, found, relevance, _told(meant, found))


def _days_in(question: str, now: datetime, zone: str) -> list[date]:
    spans = find_times(question, reference=now, zone=zone)
    return [
        one.begins.date() if isinstance(one.begins, datetime) else one.begins for one in spans if one.begins is not None
    ]


def _window(days: Sequence[date], now: datetime, calendar: KnownCalendar) -> tuple[datetime, datetime]:
    if not days:
        return now, now + AHEAD
    start = datetime.combine(days[0], time(), tzinfo=calendar.zone)
    return start, start + timedelta(days=1)


def _relevance(
    question: str,
    entries: Sequence[CalendarEntry],
    days: Sequence[date],
    found: Sequence[Occurrence],
    calendar: KnownCalendar,
    now: datetime,
) -> float:
    """Of the words that ask for something, those that an entry names; a day that was asked for counts as one."""
    asked = [
        word for word in words_of(question) if _POSSESSIVE.sub("", word) not in _ASKING and not calendar.is_person(word)
    ]
    asked = [word for word in asked if not _days_in(word, now, calendar.zone.key)]
    met = sum(bool(set(calendar.named_in(word)) & set(entries)) for word in asked)
    wanted = len(asked) + bool(days)
    return round((met + bool(days and found)) / wanted, 3) if wanted and entries else 0.0


def _told(entries: Sequence[CalendarEntry], found: Sequence[Occurrence]) -> str:
    """One sentence for each: `Soccer: Tuesday, Thursday 16:30, Westside Park.`"""
    lines = []
    for entry in entries:
        theirs = [one for one in found if one.entry == entry]
        times = groupby(sorted(theirs, key=lambda one: f"{one.start:%H:%M}"), key=lambda one: f"{one.start:%H:%M}")
        when = "; ".join(
            f"{', '.join(dict.fromkeys(f'{one.start:%A}' for one in group))} {clock}" for clock, group in times
        )
        lines.append(", ".join(filter(None, [f"{entry.title}: {when or 'not in these days'}", entry.place])) + ".")
    return " ".join(lines) or "Nothing is known of that."
