"""Two things that cannot both be: at once for one person, or on one shared thing, or one duty taken on by two (O8)."""

from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta

from extraction.chat.commitments.utterances import CARE, TRANSPORT
from extraction.observer import lexicon
from extraction.observer.announcements import NO_NEWS, announced, is_over
from extraction.observer.findings import Finding
from extraction.observer.known import KnownCalendar, activities_in
from extraction.observer.plans import Plan, nearest
from extraction.observer.settings import CLARIFICATION, RESOURCE, TEMPORAL, RedlineSettings
from extraction.observer.undertakings import on_the_spot, says_itself, takers
from ledger.rules.calendar import Occurrence

Interval = tuple[datetime, datetime]
# Two who name the same duty at times so far apart speak of two duties.
_ONE_DUTY = timedelta(minutes=45)


class Conflicts:
    """Compares each plan with the calendar and with what was planned before it in the thread."""

    def __init__(self, calendar: KnownCalendar, settings: RedlineSettings) -> None:
        self.calendar, self.settings = calendar, settings

    def found(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """The most serious first."""
        rules = (
            (TEMPORAL, self.temporal),
            (RESOURCE, self.things),
            (RESOURCE, self.duties),
            (CLARIFICATION, self.unusual),
        )
        for name, rule in rules:
            if name in self.settings.rules:
                yield from rule(plan, before)

    # ── at two places at once ────────────────────────────────────────────────────────────────────────────────────────
    def temporal(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """Something new at its time, while something known keeps the same person."""
        new = announced(plan, self.calendar, self.settings)
        if new is None:
            return
        for person in sorted(new.people):
            kept = self.calendar.keeping(person, new.start, new.end)
            clash = next((one for one in kept if not new.is_same(one, plan)), None)
            if clash is not None:
                yield Finding(
                    TEMPORAL, plan.place, plan.day, frozenset({person}), refs=(clash.ref,), messages=(plan.place,),
                    what=clash.entry.title, known_at=clash.start, said=said_of(plan), said_at=new.start,
                )  # fmt: skip

    # ── not at its usual hour ────────────────────────────────────────────────────────────────────────────────────────
    def unusual(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """A known activity at a time that is far from its own (walk-through 1), where nobody says that it was moved."""
        own = plan.own
        if not plan.clocks or own.shows("change") or plan.act.status in NO_NEWS or is_over(plan, self.calendar):
            return
        known = [
            one for one in self.calendar.on(plan.day, plan.named) if not one.entry.background and not one.entry.all_day
        ]
        one = nearest(plan, known)
        if (
            one is None
            or not plan.names_known
            or plan.activities - activities_in(one.entry.title)
            or self._near(plan, one)
        ):
            return
        yield Finding(
            CLARIFICATION, plan.place, plan.day, self.calendar.people_of(one.entry), refs=(one.ref,), messages=(plan.place,),
            what=one.entry.title, known_at=one.start, said=said_of(plan), said_at=plan.starts(self.calendar)[0],
        )  # fmt: skip

    def _near(self, plan: Plan, one: Occurrence) -> bool:
        """One of the hours that are named, in either half of the day, is that of its beginning; or of its end, where it is
        told until when it lasts, or somebody is fetched."""
        meant = [one.start]
        if plan.away or plan.own.duty or lexicon.UNTIL.search(plan.folded) or plan.told_end:
            meant.append(one.end)
        return any(abs(at - hour) <= self.settings.apart for at in meant for hour in plan.readings(self.calendar))

    # ── one thing for two ────────────────────────────────────────────────────────────────────────────────────────────
    def things(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """A shared thing that two people want at once, or that an event has already."""
        if not plan.things or not self._wants(plan):
            return
        interval = self._use(plan)
        for thing in sorted(plan.things):
            booked = [one for one in self.calendar.keeping(thing, *interval) if one.entry not in plan.named]
            others = [one for one in before if self._wants_too(one, plan, thing, interval)]
            if not booked and not others:
                continue
            who = (self._user(others[-1]), self._user(plan)) if others else (booked[0].entry.title, self._user(plan))
            yield Finding(
                RESOURCE, plan.place, plan.day, frozenset(who), refs=tuple(one.ref for one in booked[:1]),
                messages=(*(one.place for one in others[-1:]), plan.place), who=who, what=thing, thing=thing, said_at=interval[0],
            )  # fmt: skip

    def _wants(self, plan: Plan) -> bool:
        timed = plan.clocks or plan.named or plan.own.times.days
        over = is_over(plan, self.calendar) or lexicon.ABOUT_THING.search(plan.folded)
        return bool(timed and not over and lexicon.USES.search(plan.folded))

    def _wants_too(self, one: Plan, plan: Plan, thing: str, interval: Interval) -> bool:
        if (
            thing not in one.things
            or self._user(one) == self._user(plan)
            or one.day != plan.day
            or not self._wants(one)
        ):
            return False
        start, end = self._use(one)
        return start < interval[1] and interval[0] < end

    def _use(self, plan: Plan) -> Interval:
        """From when to when a thing is away: as it was told, else for the activity, else all day."""
        if plan.clocks:
            start, *later = plan.starts(self.calendar)
            return start, later[0] if plan.told_end else start + self.settings.length
        if known := list(self.calendar.on(plan.day, plan.named)):
            return min(one.start for one in known), max(one.end for one in known)
        start = datetime.combine(plan.day, time(), tzinfo=self.calendar.zone)
        return start, start + timedelta(days=1)

    def _user(self, plan: Plan) -> str:
        return plan.own.subject.name if plan.own.subject is not None else plan.sender

    # ── one duty for two ─────────────────────────────────────────────────────────────────────────────────────────────
    def duties(self, plan: Plan, before: Sequence[Plan]) -> Iterator[Finding]:
        """Two people take on the same duty, and the second does not seem to know of the first."""
        who = takers(plan)
        if not who or not says_itself(plan) or lexicon.YIELDS.search(plan.folded):
            return
        for one in reversed(before):
            others = takers(one)
            if others and others.isdisjoint(who) and self._same_duty(one, plan) and not self._given_up(one, before):
                names = (*sorted(others), *sorted(who))
                yield Finding(
                    RESOURCE, plan.place, plan.day, plan.people | one.people, refs=self._refs(plan, one),
                    messages=(one.place, plan.place), who=names, what=self._duty(plan, one), known_at=None,
                )  # fmt: skip
                return

    def _same_duty(self, one: Plan, plan: Plan) -> bool:
        if one.day != plan.day or {one.direction, plan.direction} == {"there", "back"}:
            return False
        if {one.own.duty, plan.own.duty} == {CARE, TRANSPORT}:
            return False
        if one.people and plan.people and one.people.isdisjoint(plan.people):
            return False
        if one.named and plan.named and set(one.named).isdisjoint(plan.named):
            return False
        if not all(
            two.people or two.named or lexicon.DUTY_NOUN.search(two.folded) or on_the_spot(two) for two in (one, plan)
        ):
            return False
        clocks = [datetime.combine(plan.day, two.clocks[0]) for two in (one, plan) if two.clocks]
        return len(clocks) < 2 or abs(clocks[0] - clocks[1]) <= _ONE_DUTY

    def _given_up(self, one: Plan, before: Sequence[Plan]) -> bool:
        """Whoever had it said since that they cannot, or passed it on."""
        later = [two for two in before if two.place > one.place and two.sender == one.sender]
        return any(two.act.status in ("declined", "asked", "requested") or two.own.shows("needs") for two in later)

    def _refs(self, *plans: Plan) -> tuple[str, ...]:
        return tuple(dict.fromkeys(entry.ref for plan in plans for entry in plan.named))

    def _duty(self, plan: Plan, one: Plan) -> str:
        titles = [entry.title for entry in (*plan.named, *one.named)]
        return next(iter(titles), "")


def said_of(plan: Plan) -> str:
    """The new thing by its own words, else the beginning of the message."""
    return plan.own.activity_words or plan.own.text
