"""What a message says takes place: when, and whom it keeps. Of a longer message the clause with the hour counts."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from extraction.chat.commitments.lexicon import WHO, YOU_ASK
from extraction.observer import lexicon
from extraction.observer.known import KnownCalendar, activities_in, occasions_in
from extraction.observer.plans import Plan, takes_part
from extraction.observer.settings import RedlineSettings
from ledger.rules.calendar import Occurrence

# Who refuses, agrees or says nothing of the kind brings nothing new.
NO_NEWS = frozenset({"", "declined", "ack"})
_CLAUSE = re.compile(
    r"[,;!?\n]+|\.(?!\d)|\s(?:and|but|so|then|because|cause|since|who|can|y|pero|porque|quien|hay que|und|aber|dann|weil|wer)\s"
)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_FEW_WORDS = 3
_SAME = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Announcement:
    """From `start` to `end` it keeps `people`. `sorts` are the activities that it may be."""

    start: datetime
    end: datetime
    people: frozenset[str]
    sorts: frozenset[str]

    def is_same(self, one: Occurrence, plan: Plan) -> bool:
        """That very thing, at its time: nothing that it clashes with."""
        if one.entry not in plan.named:
            return False
        return not (self.sorts - activities_in(one.entry.title)) or abs(one.start - self.start) <= _SAME


@dataclass(frozen=True, slots=True)
class _Clause:
    """`start:end` of the message, around its hour."""

    start: int
    end: int
    folded: str

    def holds(self, start: int) -> bool:
        return self.start <= start < self.end


def announced(plan: Plan, calendar: KnownCalendar, settings: RedlineSettings) -> Announcement | None:
    """None for what is no news, names no hour, is over, or only says who drives whom."""
    if not plan.clocks or plan.own.shows("thanks", "laughs", "by_bot") or is_over(plan, calendar):
        return None
    clause = _clause_of_hour(plan)
    news = plan.act.status not in NO_NEWS or _is_dated(plan, clause)
    gives_way = plan.named and lexicon.GIVES_WAY.search(plan.folded)
    if not news or gives_way or not _takes_place(plan, clause) or _is_known(plan, calendar, settings):
        return None
    start, *later = plan.starts(calendar)
    if not plan.told_end and lexicon.ENDS_THEN.search(clause.folded):
        return None
    end = later[0] if plan.told_end else start + settings.length
    return Announcement(start, end, _kept(plan, clause), plan.activities)


def is_over(plan: Plan, calendar: KnownCalendar) -> bool:
    """It is told of what was; an hour that is still to come is none of it."""
    starts = plan.starts(calendar)
    if starts and plan.own.times.days and starts[0] > plan.own.sent_at:
        return False
    return bool(lexicon.PAST.search(plan.folded)) or bool(
        starts and starts[0] < plan.own.sent_at - timedelta(minutes=30)
    )


def _clause_of_hour(plan: Plan) -> _Clause:
    folded = plan.folded
    spans = [span for span in plan.own.times.spans if any(map(str.isdigit, folded[slice(*span)]))] or [
        *plan.own.times.spans
    ]
    at = spans[0][0] if spans else 0
    before = [one.end() for one in _CLAUSE.finditer(folded, 0, at)]
    after = _CLAUSE.search(folded, spans[0][1] if spans else 0)
    end = after.start() if after else len(folded)
    start = max(before, default=0)
    # `…, 15:30 in Deutz`: an hour with hardly a word beside it belongs to what stands before it.
    if len(_WORDS.findall(folded[start:end])) <= _FEW_WORDS:
        start = max((one for one in before if one < start), default=0)
    return _Clause(start, end, folded[start:end])


def _is_dated(plan: Plan, clause: _Clause) -> bool:
    """Who, on which day, at what hour: that is news whatever else the message does."""
    own = plan.own
    if plan.act.status or own.shows("question") or not own.times.days:
        return False
    return any(clause.holds(mention.start) for mention in own.mentions)


def _takes_place(plan: Plan, clause: _Clause) -> bool:
    """Something new in the clause of the hour; a duty there tells who drives, unless it leads to another place."""
    own = plan.own
    if lexicon.BOOKED.search(plan.folded) and not plan.named:
        return True
    if lexicon.FROM_IT.search(clause.folded):
        return False
    known = {sort for entry in plan.named for sort in occasions_in(entry.title)}
    if occasions_in(clause.folded) - known:
        return True
    if _drives(plan, clause):
        return plan.towards and not plan.named and bool(own.place)
    named = any(clause.holds(mention.start) for mention in own.mentions)
    return named or not (own.duty or plan.direction or (plan.towards and plan.away) or _asks_there(plan, clause))


def _drives(plan: Plan, clause: _Clause) -> bool:
    """The clause tells of a duty, or of a shared thing."""
    at = plan.own.duty_at
    told = (at is not None and clause.holds(at[0])) or lexicon.TO_IT.search(clause.folded)
    return bool(told or plan.things or lexicon.HOME.search(clause.folded))


def _asks_there(plan: Plan, clause: _Clause) -> bool:
    """Whether it is the clause itself that asks for somebody."""
    asks = YOU_ASK.search(clause.folded) or WHO.search(clause.folded) or clause.end == len(plan.folded)
    return plan.act.is_open and bool(asks)


def _is_known(plan: Plan, calendar: KnownCalendar, settings: RedlineSettings) -> bool:
    """It says what is in the calendar already."""
    start = plan.starts(calendar)[0]
    known = [one for one in calendar.on(plan.day, plan.named) if abs(one.start - start) <= settings.apart]
    return any(not plan.activities - activities_in(one.entry.title) for one in known)


def _kept(plan: Plan, clause: _Clause) -> frozenset[str]:
    """Whom it keeps: whom the clause names, whose thing it is, else the grown-up who goes or is asked to."""
    mentioned = _mentioned(plan, clause)
    adults = _spoken_to(plan)
    speaks_of_self = plan.act.sender.is_grown and bool(lexicon.OWN.search(clause.folded))
    if mentioned:
        return mentioned
    if plan.people and not (adults or speaks_of_self or _mentioned(plan, None)):
        return plan.people
    return adults | {plan.sender}


def _mentioned(plan: Plan, clause: _Clause | None) -> frozenset[str]:
    """Those who take part and are named in the clause; elsewhere in the message, where it is not of its sender's own."""
    act = plan.act
    here = [one for one in plan.own.mentions if clause is None or clause.holds(one.start)]
    named = frozenset(one.name for mention in here for one in mention.members if takes_part(one, act))
    of_sender = clause is None or (act.sender.is_grown and lexicon.OWN.search(clause.folded))
    return named if named or of_sender else _mentioned(plan, None)


def _spoken_to(plan: Plan) -> frozenset[str]:
    """Grown-ups who are asked, or said to go."""
    if plan.own.shows("did_you"):
        return frozenset()
    people = filter(None, (plan.act.addressee, plan.own.subject, *plan.own.adults))
    return frozenset(one.name for one in people)
