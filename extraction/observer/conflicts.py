"""Two things that cannot both be: at once for one person, or on one shared thing, or one duty taken on by two (O8)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta

from extraction.chat.commitments.dialogue_acts import agreement
from extraction.chat.commitments.utterances import CARE, TRANSPORT
from extraction.observer.announcements import announced, clause_of_hour, duty_hours
from extraction.observer.findings import Finding
from extraction.observer.known import KnownCalendar, activities_in
from extraction.observer.lexicon import ONE_WEEK
from extraction.observer.plans import Plan, nearest
from extraction.observer.settings import CLARIFICATION, RESOURCE, TEMPORAL, RedlineSettings
from ledger.rules.calendar import CalendarEntry, Occurrence

Interval = tuple[datetime, datetime]
# Two who name the same duty at times so far apart speak of two duties.
_ONE_DUTY = timedelta(minutes=45)
# Whoever brings somebody is on their way before it begins.
_ON_THE_WAY = timedelta(minutes=20)
# What is had from an hour on, with no word of its end.
_REST_OF_DAY = timedelta(hours=8)
# The only hour that is told is that at which it is back.
_UNTIL_THEN = re.compile(
    r"(?<!\w)(?:'?till?|until|hasta(?: las?)?|bis|jusqu'a|back (?:by|at|around|for)|done by|zuruck (?:um|bis)) \S+\W*$"
)
_TWO_DUTIES = ({"there", "back"}, {CARE, TRANSPORT})


class Conflicts:
    """Compares each plan with the calendar and with what was planned before it in the thread."""

    def __init__(self, calendar: KnownCalendar, settings: RedlineSettings) -> None:
        self.calendar, self.settings = calendar, settings

    def found(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """The most serious first."""
        rules = (
            (TEMPORAL, self.temporal),
            (TEMPORAL, self.undertaken),
            (RESOURCE, self.things),
            (RESOURCE, self.duties),
            (CLARIFICATION, self.unusual),
        )
        for name, rule in rules:
            if name in self.settings.rules:
                yield from rule(plan, before)

    def temporal(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """Something new at its time, while something known keeps the same person."""
        new = announced(plan, self.calendar, self.settings)
        if new is None:
            return
        free = _freed(before)
        for person in sorted(new.people):
            kept = self.calendar.keeping(person, new.start, new.end)
            clashes = (one for one in kept if not new.is_same(one, plan) and (one.entry, plan.day) not in free)
            if clash := next(clashes, None):
                yield _clash_with(clash, plan, person, new.start)

    def undertaken(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """A duty taken on for an hour at which something of one's own is known."""
        yield from self._booked(plan, plan.takers, before)
        if plan.shows("wants_thing") and plan.shows("told_end") and plan.shows("of_self"):
            yield from self._away_with(plan, before)

    def requested(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """Somebody is asked to do something for others at an hour at which something of their own is known."""
        if TEMPORAL in self.settings.rules and plan.shows("requested"):
            yield from self._booked(plan, frozenset(one.name for one in plan.act.assignees if one.is_grown), before)

    def _away_with(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """Whoever has a shared thing from one hour to another is away with it."""
        free = _freed(before)
        kept = self.calendar.keeping(plan.sender, plan.starts[0], plan.end_after(self.settings.length))
        clashes = (one for one in kept if one.entry not in plan.named and (one.entry, plan.day) not in free)
        if clash := next(clashes, None):
            yield _clash_with(clash, plan, plan.sender, plan.starts[0])

    def _booked(self, plan: Plan, people: frozenset[str], before: Sequence[Plan]) -> Iterator[Finding]:
        start = self._duty_at(plan, before)
        if start is None or plan.shows("over"):
            return
        free = _freed(before)
        for person in sorted(people):
            way = _ON_THE_WAY if plan.direction == "there" else timedelta()
            kept = self.calendar.keeping(person, start - way, start + _ONE_DUTY - way)
            clashes = (one for one in kept if one.entry not in plan.named and (one.entry, plan.day) not in free)
            if clash := next(clashes, None):
                yield _clash_with(clash, plan, person, start)

    def _duty_at(self, plan: Plan, before: Sequence[Plan]) -> datetime | None:
        """Its hour, that of what it answers, else when the known thing that it speaks of begins or ends."""
        if hours := duty_hours(plan):
            return hours[0]
        source = plan.act.source
        if source is not None and (asked := self._duty_at(before[source], before)):
            return asked
        if not plan.shows("duty", "towards", "away"):
            return None
        one = nearest(plan, list(self.calendar.on(plan.day, plan.named)))
        return None if one is None else one.end if plan.direction == "back" else one.start

    def unusual(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """A known activity at a time that is far from its own (walk-through 1), where nobody says that it was moved."""
        one = nearest(plan, [one for one in self.calendar.on(plan.day, plan.named) if not one.entry.all_day])
        if one is None or not plan.shows("may_be_unusual") or self._fits(plan, one):
            return
        yield Finding(
            CLARIFICATION, plan.place, plan.day, self.calendar.people_of(one.entry), refs=(one.ref,), messages=(plan.place,),
            what=one.entry.title, known_at=one.start, said=said_of(plan), said_at=plan.starts[0],
        )  # fmt: skip

    def _fits(self, plan: Plan, one: Occurrence) -> bool:
        """It speaks of another thing, or one of the hours that are named, in either half of the day, is that of its beginning; or
        of its end, where it is told until when it lasts, or somebody is fetched."""
        meant = [one.start, one.end] if plan.shows("may_name_its_end") else [one.start]
        clause = clause_of_hour(plan).folded
        about_it = (
            plan.shows("about_it")
            or self.calendar.named_in(clause)
            or self.calendar.meant_by(clause, plan.day, plan.people)
        )
        if not about_it and not plan.shows("towards"):
            return True
        near = any(abs(at - hour) <= self.settings.apart for at in meant for hour in plan.readings())
        return near or not plan.activities <= activities_in(one.entry.title)

    def things(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """A shared thing that two people want at once, or that an event has already."""
        for thing in sorted(plan.things if plan.shows("wants_thing") else ()):
            start, end = self._use(plan)
            booked = [one for one in self.calendar.keeping(thing, start, end) if self._keeps_it(one, plan)]
            others = [one for one in before if self._wants_too(one, plan, thing) or self._is_away(one, plan, thing)]
            who = [_user(one) for one in others[-1:]] or [one.entry.title for one in booked[:1]]
            if who:
                yield Finding(
                    RESOURCE, plan.place, plan.day, frozenset([*who, _user(plan)]), refs=tuple(one.ref for one in booked[:1]),
                    messages=(*(one.place for one in others[-1:]), plan.place), who=(*who, _user(plan)), what=thing,
                    thing=thing, said_at=start,
                )  # fmt: skip

    def _keeps_it(self, one: Occurrence, plan: Plan) -> bool:
        """Something else takes the thing; what takes place there keeps it from everybody but whose it is."""
        return one.entry not in plan.named and _user(plan) not in self.calendar.people_of(one.entry)

    def _wants_too(self, one: Plan, plan: Plan, thing: str) -> bool:
        wants = thing in one.things and one.shows("wants_thing") and one.day == plan.day and _user(one) != _user(plan)
        (start, end), (begins, ends) = self._use(one), self._use(plan)
        return wants and start < ends and begins < end

    def _is_away(self, one: Plan, plan: Plan, thing: str) -> bool:
        """It is being mended: until the day that was told, on that day, or today and tomorrow."""
        if thing not in one.things or not one.shows("thing_away"):
            return False
        told = max(one.own.times.days, default=None) if one.shows("back_then", "broken_down") else None
        back = one.own.times.until or told
        until = back or one.day + timedelta(days=1 if one.shows("days") else 2)
        since = one.own.day if back else one.day
        return since <= plan.day < max(until, since + timedelta(days=1))

    def _use(self, plan: Plan) -> Interval:
        """From when to when a thing is away: as it was told, else for the activity, else all day."""
        if plan.starts and not plan.shows("told_end") and _UNTIL_THEN.search(clause_of_hour(plan).folded):
            return min(plan.starts[0] - self.settings.length, plan.own.sent_at), plan.starts[0]
        if plan.starts:
            return plan.starts[0], plan.end_after(_REST_OF_DAY if plan.shows("open_end") else self.settings.length)
        if known := list(self.calendar.on(plan.day, plan.named)):
            return min(one.start for one in known), max(one.end for one in known)
        start = datetime.combine(plan.day, time(), tzinfo=self.calendar.zone)
        return start, start + timedelta(days=1)

    def duties(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """Two people take on the same duty, and the second does not seem to know of the first."""
        if not plan.takers or not plan.shows("says_itself") or plan.shows("yields"):
            return
        others = (one for one in reversed(before) if one.takers and one.takers.isdisjoint(plan.takers))
        same = (one for one in others if _is_same_duty(one, plan) and not _is_given_up(one, before))
        one = next(same, None)
        if one is not None:
            titles = [entry.title for entry in (*plan.named, *one.named)]
            yield Finding(
                RESOURCE, plan.place, plan.day, plan.people | one.people,
                refs=tuple(dict.fromkeys(entry.ref for entry in (*plan.named, *one.named))), messages=(one.place, plan.place),
                who=(*sorted(one.takers), *sorted(plan.takers)), what=next(iter(titles), ""),
            )  # fmt: skip


def said_of(plan: Plan) -> str:
    """The new thing by its own words, else the beginning of the message."""
    return plan.own.activity_words or plan.own.text


def _user(plan: Plan) -> str:
    """Who has a shared thing: who is said to, who is told to take it, else whoever says so."""
    own = plan.own
    told = own.addressed if own.addressed is not None and not plan.shows("of_self", "question", "first") else None
    return (own.subject or told or own.sender).name


def _freed(before: Iterable[Plan]) -> frozenset[tuple[CalendarEntry, date]]:
    """What was said to be off, or at another hour."""
    freeing = [one for one in before if one.shows("frees")]
    return frozenset((entry, day) for one in freeing for day in _days_of(one) for entry in one.named)


def _days_of(plan: Plan) -> list[date]:
    """Its day; all of the week that it speaks of."""
    if not ONE_WEEK.search(plan.folded):
        return [plan.day]
    monday = plan.day - timedelta(days=plan.day.weekday())
    return [monday + timedelta(days=ahead) for ahead in range(7)]


def _clash_with(known: Occurrence, plan: Plan, person: str, start: datetime) -> Finding:
    return Finding(
        TEMPORAL, plan.place, plan.day, frozenset({person}), refs=(known.ref,), messages=(plan.place,),
        what=known.entry.title, known_at=known.start, said=said_of(plan), said_at=start,
    )  # fmt: skip


def _is_same_duty(one: Plan, plan: Plan) -> bool:
    """The same day, and nothing in which they differ."""
    if (
        one.day != plan.day
        or {one.direction, plan.direction} in _TWO_DUTIES
        or {one.own.duty, plan.own.duty} in _TWO_DUTIES
    ):
        return False
    same_question = one.act.source is not None and one.act.source == plan.act.source
    known = same_question or (one.shows("says_which") and plan.shows("says_which"))
    agree = agreement(one.people, plan.people) >= 0 and agreement(one.named, plan.named) >= 0
    return known and agree and _are_near(duty_hours(one), duty_hours(plan))


def _are_near(one: Sequence[datetime], other: Sequence[datetime]) -> bool:
    return all(abs(first - second) <= _ONE_DUTY for first, second in zip(one[:1], other[:1], strict=False))


def _is_given_up(one: Plan, before: Sequence[Plan]) -> bool:
    """Whoever had it said since that they cannot, or passed it on."""
    later = (two for two in before[one.place + 1 :] if two.sender == one.sender)
    return any(two.shows("declined", "asked", "requested", "needs") for two in later)
