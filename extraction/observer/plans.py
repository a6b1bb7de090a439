"""What a message of the chat plans: who is to be where, when, and which shared thing it takes; read off its dialogue act."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from extraction.chat.commitments.dialogue_acts import DialogueAct
from extraction.chat.commitments.mentions import NameMention
from extraction.chat.commitments.utterances import ChatUtterance
from extraction.chat.people import HouseholdMember
from extraction.observer import lexicon
from extraction.observer.known import KnownCalendar, activities_in
from ledger.language.fold import fold_in_place
from ledger.rules.calendar import CalendarEntry, Occurrence

# Nobody plans for the small hours in figures alone: `at 5` is in the afternoon.
_DAWN = time(6)
_HALF_A_DAY = timedelta(hours=12)
_MORNING = ("am", "a.m", "morgen", "morning", "manana", "madrugada", "fruh", "früh", "mañana", "breakfast")


@dataclass(frozen=True, slots=True)
class Plan:
    """One message, as far as it arranges anything. `clocks` are those it names itself; `told_end` where the second of them ends
    it. `named` are the known entries that it speaks of, `activities` all sorts of activity it names. `towards`: it brings
    somebody there, `away`: fetches them."""

    act: DialogueAct
    place: int
    day: date
    clocks: tuple[time, ...]
    told_end: bool
    people: frozenset[str]
    named: tuple[CalendarEntry, ...]
    activities: frozenset[str]
    things: frozenset[str]
    towards: bool
    away: bool
    # The message names somebody or something itself.
    explicit: bool
    # It names something of the calendar, or its place.
    names_known: bool

    @property
    def own(self) -> ChatUtterance:
        return self.act.utterance

    @property
    def sender(self) -> str:
        return self.act.sender.name

    @property
    def direction(self) -> str:
        """`there`, `back`, or empty where it may be both."""
        if self.towards == self.away:
            return ""
        return "there" if self.towards else "back"

    @property
    def folded(self) -> str:
        return fold_in_place(self.own.text)

    def starts(self, calendar: KnownCalendar) -> list[datetime]:
        return [datetime.combine(self.day, clock, tzinfo=calendar.zone) for clock in self.clocks]

    def readings(self, calendar: KnownCalendar) -> list[datetime]:
        """All that its hours may mean: `8` is either half of the day."""
        return [at for start in self.starts(calendar) for at in (start, start + _HALF_A_DAY, start - _HALF_A_DAY)]


def plan_of(act: DialogueAct, place: int, calendar: KnownCalendar, acts: Sequence[DialogueAct]) -> Plan:
    """`acts` are those before it, and itself."""
    own = act.utterance
    named_here = calendar.named_in(own.text)
    named = named_here or _named_before(act, calendar, acts)
    day = _day_of(act)
    people = people_of(act, named, calendar)
    named_here = named_here or calendar.meant_by(own.text, day, people)
    named = named_here or named
    # Of two things by the same name it is that of whoever is spoken of.
    theirs = tuple(one for one in named if not people or not people.isdisjoint(calendar.people_of(one)))
    clocks = _clocks(act)
    folded = fold_in_place(own.text)
    return Plan(
        act=act,
        place=place,
        day=day,
        clocks=clocks,
        told_end=len(clocks) > 1 and clocks[1] > clocks[0],
        people=people,
        named=theirs or named,
        activities=activities_in(own.text),
        things=calendar.things_in(own.text),
        towards=bool(lexicon.TO_IT.search(folded)) and not lexicon.HOME.search(folded),
        away=bool(lexicon.FROM_IT.search(folded) or lexicon.HOME.search(folded)),
        explicit=bool(named_here or any(_speaks_of(mention, act) for mention in own.mentions)),
        names_known=bool(named_here or (named and not own.activity and calendar.at_place(own.text, day))),
    )


def people_of(act: DialogueAct, named: Sequence[CalendarEntry], calendar: KnownCalendar) -> frozenset[str]:
    """Who is to be there: whom the message names, a child that speaks of itself, else whose activity it is."""
    own = act.utterance
    mentioned = {one.name for mention in own.mentions for one in mention.members if takes_part(one, act)}
    if mentioned:
        return frozenset(mentioned)
    if (
        act.sender.is_child
        and own.shows("speaks_of_self", "asks_leave", "first", "by_child")
        and not own.shows("thanks")
    ):
        return frozenset({act.sender.name})
    if named:
        owners = [calendar.people_of(one) for one in named]
        return owners[0].intersection(*owners) or owners[0].union(*owners)
    return frozenset(one.name for one in act.children)


def takes_part(member: HouseholdMember, act: DialogueAct) -> bool:
    """Children, and grown-ups who are cared for; who is only spoken to, or drives, is not there themselves."""
    if member.has_role("guardian", "helper", "bot", "resource"):
        return False
    return member != act.addressee or member.is_child


def _speaks_of(mention: NameMention, act: DialogueAct) -> bool:
    """Of somebody, and not of what is theirs (`Pax's inhaler`)."""
    named = act.utterance.text[mention.start : mention.end]
    return not named.endswith(("'s", "’s")) and any(takes_part(one, act) for one in mention.members)


def _named_before(act: DialogueAct, calendar: KnownCalendar, acts: Sequence[DialogueAct]) -> tuple[CalendarEntry, ...]:
    """What the message goes on about, where it names no activity of its own."""
    own = act.utterance
    places = [one for one in (act.source, act.about) if one is not None]
    day = _day_of(act)
    if own.activity or not places:
        return calendar.at_place(own.text, day)
    before = next(filter(None, (calendar.named_in(acts[one].utterance.text) for one in places)), ())
    return calendar.at_place(own.text, day) or before


def _day_of(act: DialogueAct) -> date:
    return next(iter(act.days), act.utterance.day)


def _clocks(act: DialogueAct) -> tuple[time, ...]:
    own = act.utterance
    clocks = [time.fromisoformat(one) for one in own.times.clocks]
    in_figures = not any(word in fold_in_place(own.text) for word in _MORNING)
    return tuple(_by_day(one) if in_figures else one for one in clocks)


def _by_day(clock: time) -> time:
    return clock.replace(hour=clock.hour + 12) if clock < _DAWN and clock.hour else clock


def nearest(plan: Plan, occurrences: Sequence[Occurrence]) -> Occurrence | None:
    """The occurrence that a plan without a clock speaks of: the first of its day that is not over."""
    ahead = [one for one in occurrences if one.end > plan.own.sent_at]
    return min(ahead or occurrences, key=lambda one: one.start, default=None)
