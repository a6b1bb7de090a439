"""What a message of the chat plans: who is to be where, when, and which shared thing it takes; read off its dialogue act."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from extraction.chat.commitments.dialogue_acts import DialogueAct
from extraction.chat.commitments.mentions import NameMention
from extraction.chat.commitments.utterances import ChatUtterance
from extraction.chat.people import HouseholdMember
from extraction.observer import duty_words, lexicon
from extraction.observer.known import KnownCalendar, activities_in
from extraction.observer.signs import signs_of
from ledger.language.fold import fold_in_place
from ledger.rules.calendar import CalendarEntry, Occurrence

# Nobody plans for the small hours in figures alone: `at 5` is in the afternoon.
_SMALL_HOURS, _DAWN, _NOON = time(6), time(8), time(12)
_HALF_A_DAY = timedelta(hours=12)
_NIGHT = re.compile(
    r"\b(?:tn|tonight|tonite|2nite|evening|night|dinner|supper|after work|abends?|nachts?|feierabend|noche|cena\w*|tarde|"
    r"soir|diner)\b"
)
_MORNING = re.compile(
    r"\d ?a\.?m\b|\bmornings?\b|\bbreakfast\b|\bmorgens\b|\bvormittags?\b|\bfr(?:u|ue)h\b|\b(?:am|heute|diesen) morgen\b|"
    r"\b(?:de|por|en) la manana\b|\bmadrugada\b|\bdesayuno\b"
)
# Hours from six on may be in the morning: the way to school, a train, a clock written in full.
_EARLY = re.compile(
    r"\b0\d[:.h]\d\d|\b(?:school|bus|train|flight|schule|zug|flug|uhr|cole|colegio|escuela|tren|vuelo|leave|leaving)\b"
)
_WITH_MINUTES = re.compile(r"\b\d{1,2}[:h]\d\d\b")
_ISLANDS = frozenset({"Europe/London", "Europe/Dublin"})
# An hour that was longer ago is one that is told of.
_JUST_BEGUN = timedelta(minutes=30)
_MY = re.compile(r"\b(?:my|mi|mein\w*|mon|ma|i have|i've(?: got)?|ive|i got|ich hab\w*|tengo|j'ai)\b")
# `a check of ten minutes`.
_LASTS = re.compile(
    r"\b(?:for|takes?|lasts?|only|just|quick|dauert|nur|dura|solo|de|dure|fur|por) (?:about |an? |une? |eine? )?"
    r"(?P<number>\d{1,3}|coupl[ea](?: of)?|ten|fifteen|twenty|thirty|zehn|zwanzig|dreissig|diez|quince|veinte|dix|quinze|"
    r"vingt|trente|half|halbe|media|"
    r"demi)(?: an)?[ -]?(?P<unit>min\w*|h(?:ou)?rs?|h|stunden?|horas?|heures?)\b"
)
_NUMBERS = {
    "couple of": 2, "coupla": 2, "couple": 2,
    "ten": 10, "zehn": 10, "diez": 10, "dix": 10, "fifteen": 15, "quince": 15, "quinze": 15, "twenty": 20, "zwanzig": 20,
    "veinte": 20, "vingt": 20, "thirty": 30, "dreissig": 30, "trente": 30, "half": 0.5, "halbe": 0.5, "media": 0.5, "demi": 0.5,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plan:
    """One message, as far as it arranges anything. `starts` are the hours it names itself; `named` the known entries that it
    speaks of, `activities` all sorts of activity it names. `signs` are what it shows (`extraction.observer.signs`)."""

    act: DialogueAct
    place: int
    day: date
    folded: str
    starts: tuple[datetime, ...]
    people: frozenset[str]
    named: tuple[CalendarEntry, ...]
    activities: frozenset[str]
    things: frozenset[str]
    signs: frozenset[str]

    @property
    def own(self) -> ChatUtterance:
        return self.act.utterance

    @property
    def sender(self) -> str:
        return self.act.sender.name

    @property
    def direction(self) -> str:
        """`there`, `back`, or empty where it may be both."""
        return {(True, False): "there", (False, True): "back"}.get((self.shows("towards"), self.shows("away")), "")

    @property
    def takers(self) -> frozenset[str]:
        """Who takes something on with it, grown up and for sure; nobody with what only asks, or holds on a condition."""
        if self.shows("assignees_take_it"):
            return frozenset(one.name for one in self.act.assignees if one.is_grown)
        return frozenset({self.sender} if self.shows("sender_takes_it") else ())

    def shows(self, *signs: str) -> bool:
        """Whether one of these is there."""
        return not self.signs.isdisjoint(signs)

    def end_after(self, length: timedelta) -> datetime:
        """When it ends: as it was told, else so long after its start."""
        return self.starts[1] if self.shows("told_end") else self.starts[0] + (_told_length(self.folded) or length)

    def readings(self) -> list[datetime]:
        """All that its hours may mean: `8` is either half of the day."""
        return [at for start in self.starts for at in (start, start + _HALF_A_DAY, start - _HALF_A_DAY)]


def plan_of(act: DialogueAct, place: int, calendar: KnownCalendar, acts: Sequence[DialogueAct]) -> Plan:
    """`acts` are those before it, and itself."""
    own = act.utterance
    folded = fold_in_place(own.text)
    day = _day_of(act)
    by_name = calendar.named_in(own.text)
    before = _named_before(act, calendar, acts)
    people = people_of(act, by_name or before, calendar)
    here = by_name or calendar.meant_by(own.text, day, _of_self(act, folded) or people)
    at_place = calendar.at_place(own.text, day)
    # Of two things, by the same name or one by its place, it is that of whoever is spoken of.
    named = calendar.concerning((*here, *at_place) if here and people else here or before, people)
    starts = _starts(act, folded, calendar)
    start = starts[0] if starts else own.sent_at
    facts = {
        "named_here": here,
        "has_own": any(act.sender.name in calendar.people_of(one) for one in here) and act.sender.is_grown,
        "known": named,
        "people": people,
        "speaks_of": any(_speaks_of(mention, act) for mention in own.mentions),
        "takes_child": any(one.of_child and duty_words.BEFORE_WHOM.search(folded[: one.start]) for one in own.mentions),
        "child_cannot": any(_cannot(mention, folded) for mention in own.mentions),
        "at_place": at_place,
        "ahead": start > own.sent_at,
        "began": start < own.sent_at - _JUST_BEGUN,
        "told_end": starts[1:2] > starts[:1],
        "names_thing": (things := calendar.things_in(own.text)),
        "names_child": own.children,
    }
    return Plan(
        act, place, day, folded, starts, people, named, activities_in(own.text), things,
        signs_of(act, folded, facts),
    )  # fmt: skip


def people_of(act: DialogueAct, named: Sequence[CalendarEntry], calendar: KnownCalendar) -> frozenset[str]:
    """Who is to be there: whom the message names, a child that speaks of itself, else whose activity it is."""
    own = act.utterance
    if mentioned := taking_part(own.mentions, act):
        return mentioned
    if act.sender.is_child and not own.shows("thanks"):
        return frozenset({act.sender.name})
    folded = fold_in_place(own.text)
    beside = {one for mention in own.mentions if _is_beside(mention, folded) for one in mention.members}
    owners = [calendar.people_of(one) for one in named] or [
        frozenset(one.name for one in act.children if one not in beside)
    ]
    return owners[0].intersection(*owners) or owners[0].union(*owners)


def taking_part(mentions: Iterable[NameMention], act: DialogueAct) -> frozenset[str]:
    folded = fold_in_place(act.utterance.text)
    named = (mention for mention in mentions if not _is_beside(mention, folded))
    return frozenset(one.name for mention in named for one in mention.members if takes_part(one, act))


def _is_beside(mention: NameMention, folded: str) -> bool:
    """`Leo's teacher`, `la maestra de Leo`, `a word about Leo`: somebody else is there, or Leo is only spoken of."""
    before, after = folded[: mention.start], folded[mention.end :]
    of_theirs = folded[mention.end - 1] == "s" and lexicon.SOMEBODY_OF.match(after)
    return bool(of_theirs or lexicon.SOMEBODY_OF_BEFORE.search(before) or lexicon.SPOKEN_OF.search(before))


def takes_part(member: HouseholdMember, act: DialogueAct) -> bool:
    """Children, and grown-ups who are cared for; who is only spoken to, or drives, is not there themselves."""
    if member.has_role("guardian", "helper", "bot", "resource"):
        return False
    return member != act.addressee or member.is_child


def nearest(plan: Plan, occurrences: Sequence[Occurrence]) -> Occurrence | None:
    """The occurrence that a plan without a clock speaks of: the first of its day that is not over."""
    ahead = [one for one in occurrences if one.end > plan.own.sent_at]
    return min(ahead or occurrences, key=lambda one: one.start, default=None)


def _of_self(act: DialogueAct, folded: str) -> frozenset[str]:
    """`my class` is that of whoever says so."""
    return frozenset({act.sender.name} if _MY.search(folded) else ())


def _told_length(folded: str) -> timedelta | None:
    found = _LASTS.search(folded)
    if found is None:
        return None
    number = _NUMBERS.get(found["number"]) or float(found["number"])
    return timedelta(minutes=number) if found["unit"].startswith("min") else timedelta(hours=number)


def _speaks_of(mention: NameMention, act: DialogueAct) -> bool:
    """Of somebody, and not of what is theirs (`Pax's inhaler`)."""
    named = act.utterance.text[mention.start : mention.end]
    return not named.endswith(("'s", "’s")) and bool(taking_part([mention], act))


def _cannot(mention: NameMention, folded: str) -> bool:
    """`Kit can't do judo today`: nobody is wanted, it is the child that does not go."""
    return mention.of_child and bool(lexicon.OFF.match(folded[mention.end :].lstrip()))


def _named_before(act: DialogueAct, calendar: KnownCalendar, acts: Sequence[DialogueAct]) -> tuple[CalendarEntry, ...]:
    """What the message goes on about, where it names no activity of its own."""
    own = act.utterance
    at_place = calendar.at_place(own.text, _day_of(act))
    if own.activity or at_place:
        return at_place
    before = (acts[place].utterance.text for place in _goes_on_about(act, acts))
    return next(filter(None, map(calendar.named_in, before)), ())


def _goes_on_about(act: DialogueAct, acts: Sequence[DialogueAct]) -> Iterator[int]:
    """The lines that it answers and goes on about; what goes on about `it`, also what those went on about."""
    direct = [place for place in (act.source, act.about) if place is not None]
    yield from direct
    if direct and lexicon.ABOUT_IT.match(fold_in_place(act.utterance.text)):
        yield from _goes_on_about(acts[direct[-1]], acts)


def _day_of(act: DialogueAct) -> date:
    return next(iter(act.days or act.utterance.times.days), act.utterance.day)


def _starts(act: DialogueAct, folded: str, calendar: KnownCalendar) -> tuple[datetime, ...]:
    clocks = map(time.fromisoformat, act.utterance.times.clocks)
    first = _first_hour(act, folded, calendar)
    return tuple(datetime.combine(_day_of(act), _not_before(first, one), tzinfo=calendar.zone) for one in clocks)


def _first_hour(act: DialogueAct, folded: str, calendar: KnownCalendar) -> time:
    """In figures alone no earlier hour is meant: nobody plans for the small hours, nor for what is over."""
    if _MORNING.search(folded):
        return time()
    early = _SMALL_HOURS if _EARLY.search(folded) or _is_literal(folded, calendar) else _DAWN
    sent_at = act.utterance.sent_at.astimezone(calendar.zone)
    before = sent_at - _JUST_BEGUN + timedelta(minutes=1)
    today = before.time() if before.date() == _day_of(act) else early
    return max(early, today, _NOON if _NIGHT.search(folded) else early)


def _is_literal(folded: str, calendar: KnownCalendar) -> bool:
    """Between the islands and Russia a clock with minutes is one of twenty-four hours."""
    return (
        bool(_WITH_MINUTES.search(folded))
        and calendar.zone.key.startswith("Europe/")
        and calendar.zone.key not in _ISLANDS
    )


def _not_before(first: time, clock: time) -> time:
    return clock.replace(hour=clock.hour + 12) if time(1) <= clock < min(first, _NOON) else clock
