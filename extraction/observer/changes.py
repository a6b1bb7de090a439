"""What a message says of one occurrence of something known: that it is off (`No piano this Tuesday`), or takes place at another
time (`Piano is at 5 this week`). Each becomes an event in place of that occurrence; the series stays as it is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from extraction.chat.commitments.dialogue_acts import DialogueAct
from extraction.extractors.documents.hits import Hit, Span
from extraction.observer.known import KnownCalendar
from extraction.observer.lexicon import ONE_WEEK
from ledger.language.fold import fold_in_place
from ledger.rules.calendar import CalendarEntry, Occurrence, entry_of
from ledger.rules.calendar_words import shortened, told

SURE: Final = 0.85
UNSURE: Final = 0.7
MAX_CHANGES: Final = 7
_DAY: Final = timedelta(days=1)
# Of what nobody dated the next time is meant, if it is soon.
_SOON: Final = timedelta(days=2)
# `no piano`, `kein Klavier`, with at most one word between, before the name of the thing.
_NO_SUCH: Final = re.compile(r"(?:^|[\s,;.!(])(?:no hay|no|kein(?:e|en)?)\s{1,3}(?:[^\W\d_]{1,20}(?:'s)?\s{1,3})?$")
_TAKES_PLACE: Final = re.compile(
    r"(?:\b(?:is|are|starts?|begins?|will be|es|empieza|sera|ist|sind|beginnt|startet)|'s)\s"
    r"(?:(?:now|only|today|not until|this week|on \w{3,9}|jetzt|heute|erst|diese woche|am \w{3,12}|ahora|hoy|el \w{3,12})\s){0,2}"
    r"(?:at|from|a las?|um|ab|de)\s"
)
# Not for once, not for sure, or the other way round.
_FOR_GOOD: Final = re.compile(
    r"\b(?:from now on|every|always|weekly|ab (?:jetzt|sofort)|immer|jede\w?|siempre|cada|todos los)\b"
)
_HEDGED: Final = re.compile(
    r"\b(?:if|might|may be|maybe|probably|could|unless|hope|wish|should we|what if|vielleicht|falls|wenn|eventuell|quizas?"
    r"|tal vez|si)\b"
)
_DENIED: Final = re.compile(
    r"(?:\bnot|n't|\bnicht|\bno (?:se|esta|fue)) (?:been )?(?:cancel|called off|off\b|abgesagt|suspend)"
)
# Which of two days is the old one is for a person to say.
_TWO_DAYS: Final = re.compile(
    r"\bfrom (?:mon|tue|wed|thu|fri|sat|sun)\w* to\b|\bvon \w{3,10}tag auf\b|\bdel? (?:lunes|martes|miercoles|jueves"
    r"|viernes|sabado|domingo) al\b"
)
_FOR_ONE: Final = re.compile(r"\bfor (?:me|us)\b|\bfur mich\b|\bpara mi\b")

_SAYS_LESS: Final = (_FOR_GOOD, _HEDGED, _DENIED, _TWO_DAYS, _FOR_ONE)


@dataclass(frozen=True, slots=True)
class _Meant:
    """The occurrences that a message speaks of; `target` is another day that they are moved to."""

    occurrences: Sequence[Occurrence]
    target: date | None = None
    sure: bool = True


def may_change_something(act: DialogueAct) -> bool:
    """Whether it is worth looking into the calendar."""
    own = act.utterance
    if own.shows("question", "by_bot") or own.times.rrule:
        return False
    folded = fold_in_place(own.text)
    if any(pattern.search(folded) for pattern in _SAYS_LESS):
        return False
    return own.shows("called_off", "no", "change") or "kein" in folded or bool(own.times.clocks)


def occurrence_changes(
    act: DialogueAct, calendar: KnownCalendar, *, max_chars: int, expires_after: timedelta
) -> list[Hit]:
    """Nothing where the message speaks of nothing that is confirmed, or only says what is known."""
    if not may_change_something(act):
        return []
    entries = _entries(act, calendar)
    off = _is_off(act, entries)
    clock = None if off else _new_clock(act)
    if not entries or not (off or clock):
        return []
    meant = _meant(act, calendar, entries, off=off)
    changed = [(one, _value(one, meant.target, clock)) for one in meant.occurrences[:MAX_CHANGES]]
    return [
        _hit(act, one, value, meant, max_chars=max_chars, expires_after=expires_after)
        for one, value in changed
        if off or value["start"] != one.start.replace(tzinfo=None).isoformat()
    ]


def _entries(act: DialogueAct, calendar: KnownCalendar) -> tuple[CalendarEntry, ...]:
    """What it names; of two things by one name that of whoever is spoken of."""
    named = calendar.named_in(act.utterance.text)
    people = {one.name for one in act.utterance.children}
    theirs = tuple(one for one in named if not people.isdisjoint(calendar.people_of(one)))
    return theirs if people else named


def _is_off(act: DialogueAct, entries: Sequence[CalendarEntry]) -> bool:
    own = act.utterance
    folded = fold_in_place(own.text)
    places = [own.activity_at[0]] if own.activity_at else []
    for entry in entries:
        places += [folded.find(word) for word in fold_in_place(entry.title).split() if len(word) > 2]
    return own.shows("called_off") or any(at > 0 and _NO_SUCH.search(folded[:at]) for at in places)


def _new_clock(act: DialogueAct) -> time | None:
    """When it takes place instead, where the message says so of the thing itself, not of who drives."""
    own = act.utterance
    if not own.times.clocks or own.duty or own.shows("first"):
        return None
    says_when = own.shows("change") or _TAKES_PLACE.search(fold_in_place(own.text))
    return time.fromisoformat(own.times.clocks[0]) if says_when else None


def _meant(act: DialogueAct, calendar: KnownCalendar, entries: Sequence[CalendarEntry], *, off: bool) -> _Meant:
    own = act.utterance
    today, sent_at = own.day, own.sent_at
    days = own.times.days
    week = days[0] if days else today
    if ONE_WEEK.search(fold_in_place(own.text)):
        return _Meant(list(_between(calendar, entries, max(today, _monday(week)), _monday(week) + 7 * _DAY, sent_at)))
    on_days = [one for day in days for one in _between(calendar, entries, day, day + _DAY, sent_at)]
    if on_days:
        return _Meant(on_days, sure=len({one.entry for one in on_days}) == 1)
    if days and not off:
        that_week = _between(calendar, entries, max(today, _monday(days[0])), _monday(days[0]) + 7 * _DAY, sent_at)
        return _Meant(list(that_week)[:1], target=days[0], sure=False)
    soon = [] if days or not off else _between(calendar, entries, today, today + _SOON, sent_at)
    return _Meant(list(soon)[:1], sure=False)


def _between(
    calendar: KnownCalendar, entries: Sequence[CalendarEntry], first: date, end: date, sent_at: datetime
) -> Iterator[Occurrence]:
    """The occurrences that begin on these days and are not over, in their order."""
    start, stop = (datetime.combine(day, time(), tzinfo=calendar.zone) for day in (first, end))
    found = [one for entry in entries for one in calendar.between(entry, start, stop)]
    return iter(sorted((one for one in found if one.start >= start and one.end > sent_at), key=lambda one: one.start))


def _monday(day: date) -> date:
    return day - day.weekday() * _DAY


def _value(one: Occurrence, target: date | None, clock: time | None) -> dict[str, Any]:
    """What stands in place of the occurrence; of one that was changed before, in place of the same."""
    entry = one.entry
    changes = entry.changes.isoformat() if entry.changes is not None else one.start.isoformat()
    value: dict[str, Any] = {
        "title": entry.title, "people": list(entry.people), "timezone": entry.zone_name,
        "series": entry.series if entry.changes is not None else entry.ref, "recurrence_id": changes,
    }  # fmt: skip
    if entry.place:
        value["place"] = entry.place
    if clock is None:
        return value | {"start": one.start.replace(tzinfo=None).isoformat(), "cancelled": True}
    start = datetime.combine(target or one.start.date(), clock)
    return (
        value | {"start": start.isoformat()} | ({"end": (start + entry.length).isoformat()} if entry.end_known else {})
    )


def _hit(
    act: DialogueAct, one: Occurrence, value: dict[str, Any], meant: _Meant, *, max_chars: int, expires_after: timedelta
) -> Hit:
    entry = entry_of(one.ref, "event", value, one.entry.zone_name)
    words = shortened(told(entry), max_chars) if entry is not None else one.entry.title
    text = act.utterance.text
    start = len(text) - len(text.lstrip())
    return Hit(
        rule=f"coordination.{'cancelled' if value.get('cancelled') else 'moved'}",
        rule_class="coordination",
        explicit=False,
        kind="event",
        statement=words,
        spans=(Span(start, max(start, len(text.rstrip())), 0),),
        confidence=SURE if meant.sure else UNSURE,
        anchored=True,
        topic=f"{one.entry.title} {one.start:%Y-%m-%d}"[:200],
        tags=("schedule_change",),
        value_type="event",
        value=value,
        summary=words,
        needs_review=not meant.sure,
        valid_from=one.start,
        expires_at=max(act.utterance.sent_at + expires_after, one.end),
    )
