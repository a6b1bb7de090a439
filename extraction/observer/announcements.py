"""What a message says takes place: when, and whom it keeps. Of a longer message the clause with the hour counts."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from extraction.chat.commitments.bare_clocks import SPELLED_HOUR
from extraction.chat.commitments.mentions import NameMention
from extraction.chat.decision_tables import first_outcome, sign_rules, signs_among
from extraction.observer import lexicon
from extraction.observer.known import KnownCalendar, activities_in, occasions_in
from extraction.observer.plans import Plan, taking_part
from extraction.observer.settings import RedlineSettings
from extraction.observer.signs import phrases_in
from ledger.rules.calendar import Occurrence

_CLAUSE = re.compile(
    r"[,;!?\n]+|\.(?!\d)|\s(?:and|but|so|then|because|cause|since|who|can|y|pero|porque|quien|hay que|und|aber|dann|weil|wer)\s"
)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_FEW_WORDS = 3
# `we'll be there for three`: where that is stands in the clause before it.
_THERE = re.compile(r"\b(?:there|dort|alli|ahi|y (?:sera|seront|serai|serons|va))\b")
_SAME = timedelta(minutes=5)
_SOMETHING_ELSE = ("here_occasion", "here_new_occasion", "here_booked")
# What begins with `here_` is shown by the clause of the hour, the rest by the whole message.
_NEWS = sign_rules("""
    !clocks                                        ->
    thanks|laughs|by_bot|over|declined|ack|delivery ->
    silent question                                ->
    silent !days                                   ->
    silent !here_named                             ->
    known gives_way                                ->
    question reminds                               ->
    here_ends_then !told_end                       ->
    booked !known                                  -> news
    yes upto_8 !here_new_occasion !here_occasion !here_named ->
    guess !here_new_occasion !here_occasion !here_named ->
    here_from_it                                   ->
    here_new_occasion|here_other                   -> news
    here_drives towards place|here_destination !known -> news
    here_drives                                    ->
    here_named                                     -> news
    here_together here_of_self !known              -> news
    here_happens !here_of_self                     -> news
    duty|towards|away                              ->
    open here_asks_you_there|here_asks_who_there|here_last ->
                                                   -> news
    still_to_come !question !here_ends_then !here_until !here_beside !wants_thing !conditional -> news
""")


@dataclass(frozen=True, slots=True)
class Announcement:
    """From `start` to `end` it keeps `people`. `sorts` are the activities that it may be; `is_new` where the clause of its hour
    says what else takes place, and names nothing known."""

    start: datetime
    end: datetime
    people: frozenset[str]
    sorts: frozenset[str]
    is_new: bool

    def is_same(self, one: Occurrence, plan: Plan) -> bool:
        """That very thing, as it is known, or known to whoever says it: nothing that it clashes with."""
        then = abs(one.start - self.start) <= _SAME
        if one.entry not in plan.named:
            return then and plan.shows("must_be_there")
        goes_on = plan.shows("about_it", "upto_6", "change", "says_moved") and not self.is_new
        by_sort = (bool(self.sorts) or goes_on) and not self.sorts - activities_in(one.entry.title)
        return ((then or plan.shows("named_here")) and not self.is_new) or by_sort


@dataclass(frozen=True, slots=True)
class HourClause:
    """The part of a message around its hour, and the people who are named there."""

    folded: str
    mentions: tuple[NameMention, ...]
    signs: frozenset[str]


def announced(plan: Plan, calendar: KnownCalendar, settings: RedlineSettings) -> Announcement | None:
    """None for what is no news, names no hour, is over, or only says who drives whom."""
    clause = clause_of_hour(plan)
    if not first_outcome(_NEWS, plan.signs | clause.signs) or _is_known(plan, calendar, settings):
        return None
    is_new = not clause.signs.isdisjoint(_SOMETHING_ELSE) and not calendar.named_in(clause.folded)
    return Announcement(
        plan.starts[0], plan.end_after(settings.length), _kept(plan, clause, calendar), plan.activities, is_new
    )


def clause_of_hour(plan: Plan) -> HourClause:
    start, end = _hour_at(plan)
    before = [0, *(one.end() for one in _CLAUSE.finditer(plan.folded, 0, start))]
    after = _CLAUSE.search(plan.folded, end)
    end = after.start() if after else len(plan.folded)
    # `…, 15:30 in Deutz`: an hour with hardly a word beside it belongs to what stands before it.
    clause = plan.folded[before[-1] : end]
    bare = len(_WORDS.findall(clause)) <= _FEW_WORDS or _THERE.search(clause)
    start = before[-2:][0] if bare else before[-1]
    folded = plan.folded[start:end]
    mentions = tuple(one for one in plan.own.mentions if start <= one.start < end)
    known = {sort for entry in plan.named for sort in occasions_in(entry.title)}
    phrases = phrases_in(folded)
    at = plan.own.duty_at
    facts = {
        "here_named": mentions,
        "here_destination": _destinations(plan.folded[start:], plan),
        "here_other": "occasion" in phrases and not plan.named,
        "here_new_occasion": occasions_in(folded) - known,
        "here_drives": (at and start <= at[0] < end) or plan.things or not phrases.isdisjoint(("to_it", "home")),
        "here_last": end == len(plan.folded),
    }
    return HourClause(folded, mentions, signs_among(facts) | {f"here_{one}" for one in phrases})


def duty_hours(plan: Plan) -> tuple[datetime, ...]:
    """Its hours, but for one at which somebody is free (`I knock off at 5`)."""
    here = clause_of_hour(plan)
    own_end = "here_ends_then" in here.signs and here.signs.isdisjoint(("here_from_it", "here_to_it", "here_named"))
    return () if own_end else plan.starts


def _destinations(folded: str, plan: Plan) -> set[str]:
    """Where somebody is brought, but for home, what they have every day, and people."""
    names = {word for one in plan.own.mentions for word in re.split(r"\W+", plan.folded[one.start : one.end])}
    return {one["place"] for one in lexicon.DESTINATION.finditer(folded)} - lexicon.NO_DESTINATION - names


def _hour_at(plan: Plan) -> tuple[int, int]:
    """Where the message names its hour, in figures if it can be."""
    spans = plan.own.times.spans
    in_figures = (one for one in spans if re.search(r"\d", plan.folded[slice(*one)]))
    spelled = (one for one in spans if SPELLED_HOUR.search(plan.folded[slice(*one)]))
    return next(chain(in_figures, spelled, spans), (0, 0))


def _is_known(plan: Plan, calendar: KnownCalendar, settings: RedlineSettings) -> bool:
    """It says what is in the calendar already."""
    known = (one for one in calendar.on(plan.day, plan.named) if abs(one.start - plan.starts[0]) <= settings.apart)
    return any(plan.activities <= activities_in(one.entry.title) for one in known)


def _kept(plan: Plan, clause: HourClause, calendar: KnownCalendar) -> frozenset[str]:
    """Whom it keeps: all who are meant, whom the clause names, whose thing it is, else the grown-up who goes or is asked to."""
    if plan.shows("everybody", "both_parents"):
        return calendar.everybody if plan.shows("everybody") else calendar.guardians
    grown = _spoken_to(plan)
    if here := taking_part(clause.mentions, plan.act):
        return here
    anybody = taking_part(plan.own.mentions, plan.act)
    if plan.act.sender.is_grown and "here_of_self" in clause.signs:
        return grown | {plan.sender} | (anybody if _comes_along(plan) else frozenset())
    return anybody or (not grown and plan.people) or grown | {plan.sender}


def _comes_along(plan: Plan) -> bool:
    """Whoever else is named goes with whoever says it: together, or taken to what is new."""
    brings = plan.shows("assignees_take_it", "sender_takes_it") and plan.shows("booked") and plan.shows("towards")
    return plan.shows("together") or (brings and not plan.named)


def _spoken_to(plan: Plan) -> frozenset[str]:
    """Grown-ups who are asked, or said to go."""
    if plan.shows("did_you"):
        return frozenset()
    people = filter(None, (plan.act.addressee, plan.own.subject, *plan.own.adults))
    return frozenset(one.name for one in people)
