"""What each message of a thread does with the household's duties: it asks, offers, takes on, refuses, agrees, tells."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, cast

from extraction.chat.commitments.task_split import TaskShare
from extraction.chat.commitments.utterances import CARE, TRANSPORT, ChatUtterance
from extraction.chat.decision_tables import first_outcome, sign_rules, signs_among
from extraction.chat.people import BOT, HouseholdMember

Status = Literal["", "asked", "requested", "query", "offered", "committed", "declined", "inform", "ack"]
TaskType = Literal["", "transport", "care_coverage", "schedule_change", "activity_confirm"]

# Whoever says yes to one of these takes something on.
OPEN = frozenset({"asked", "requested"})
# These close what was open, or leave it closed.
SETTLED = frozenset({"committed", "declined", "ack"})


@dataclass(frozen=True)
class WeeklyRoutine:
    """What a household does every week, as it is known: it says which child an activity is of."""

    people: tuple[str, ...]
    activity: str = ""
    place: str = ""
    weekdays: frozenset[int] = frozenset()


@dataclass(slots=True, kw_only=True)
class TaskSlots:
    """What a message is about. `implied_day`: nobody named a day, so it is that of the message."""

    type: TaskType = ""
    children: tuple[HouseholdMember, ...] = ()
    activity: str = ""
    activity_words: str = ""
    place: str = ""
    days: tuple[date, ...] = ()
    clocks: tuple[str, ...] = ()
    implied_day: bool = False


@dataclass(slots=True)
class DialogueAct(TaskSlots):
    """One message, understood. `source` is the place of the message it answers, `late` where that lies beyond the window;
    `about` that of the message its matter is taken from.

    `guess`: no words say so, only where the message stands. `faint`: no words say what it tells, but it tells something.
    `shares`: who takes which part, where one message gives several people theirs. `answered` is set when somebody has taken
    it on since.
    """

    utterance: ChatUtterance
    status: Status = ""
    source: int | None = None
    about: int | None = None
    late: bool = False
    assignees: tuple[HouseholdMember, ...] = ()
    addressee: HouseholdMember | None = None
    answered: bool = False
    clear: bool = False
    guess: bool = False
    faint: bool = False
    shares: tuple[TaskShare, ...] = ()

    @property
    def sender(self) -> HouseholdMember:
        return self.utterance.sender

    @property
    def coordinates(self) -> bool:
        return bool(self.status)

    @property
    def is_open(self) -> bool:
        return self.status in OPEN

    @property
    def unassigned(self) -> bool:
        return self.is_open and not self.assignees


# Whether a message asks: of anybody, of somebody, for leave or facts, or by offering. The first line that holds tells it.
_ASKING = sign_rules("""
    by_bot                                                            ->
    offers !by_child !no !asks_you                                    -> offered
    offers !by_child !no !asks_first                                  -> offered
    first conditional !question                                       ->
    who_on question|by_child !upto_2                                  -> asked
    you_must !by_child !yes                                           -> requested
    who duty                                                          -> asked
    who question|needs|who_on !empty                                  -> asked
    needs no days !first !by_child                                    -> asked
    needs duty|children|activity asks_you addressed !first            -> requested
    needs duty|children|activity !first                               -> asked
    somebody_must !first !by_child !upto_2                            -> asked
    somebody_must !first !empty !upto_2                               -> asked
    addressed asks_you|asks_leave !by_child !did_you !yes             -> requested
    you_and_me !empty !by_child !did_you !yes !no                     -> requested
    you_and_me upto_8 !by_child !did_you !yes !no                     -> requested
    by_child calls_home                                               -> asked
    by_child asks_leave duty                                          -> asked
    by_child asks_leave !duty !empty                                  -> query
    by_child asks_you !empty !question !duty                          -> query
    asks_you question|addressed !empty                                -> requested
    asks_you asks_first !empty !yes !you_do                           -> requested
    asks_you !empty !yes !first                                       -> requested
    asks_leave !empty                                                 -> query
    question first duty !yes !no !by_child                            -> offered
    question change !by_child !upto_2 !yes !no                        -> requested
    question addressed_grown !empty                                   -> requested
    question duty upto_8 !yes !first                                  -> asked
    question activity upto_8 !yes !first                              -> query
    question !empty !yes !first !no                                   -> query
""")


def asking(own: ChatUtterance) -> Status:
    """Empty for what asks nothing."""
    return cast(Status, first_outcome(_ASKING, own.signs))


# What a message does that asks nothing and takes nothing on in answer to another, who then does it, and how clearly.
_ANSWERING = sign_rules("""
    to_question on_condition !nods_by_sign              -> offered sender unclear
    shares                                              -> committed sharers clear
    subject duty !question                              -> committed subject clear
    to_request busy !first !yes                         -> declined nobody unclear
    to_question|to_news no !yes !thanks !first          -> declined nobody unclear
    to_question|to_news no !yes !thanks conditional|clocks -> offered sender unclear
    answers yes|takes_by_sign|nods_by_sign              -> ack same unclear
    !first                                              ->
    no                                                  ->
    by_child !duty                                      ->
    children conditional|can                            -> offered sender whole
    children                                            -> committed sender whole
    duty activity|pronoun|times conditional|can         -> offered sender whole
    duty activity|pronoun|times                         -> committed sender whole
    conditional|days !by_child !upto_3                  -> offered sender unclear
""")


def answered(own: ChatUtterance, to: DialogueAct | None, shares: Sequence[TaskShare]) -> DialogueAct:
    """`to` is the line that it seems to follow. Without a status where it does none of these."""
    before = to.status if to is not None else ""
    situation = {
        "answers": before,
        "to_request": before in OPEN,
        "to_question": before in OPEN or before == "query",
        "to_news": before == "inform",
        "shares": shares,
    }
    outcome = first_outcome(_ANSWERING, own.signs | signs_among(situation))
    if not outcome:
        return DialogueAct(own)
    status, whose, clearness = outcome.split()
    assignees = {
        "sender": (own.sender,),
        "subject": tuple(filter(None, [own.subject])),
        "sharers": tuple(dict.fromkeys(one.member for one in shares)),
        "same": to.assignees if to is not None and before in SETTLED else (),
    }
    clear = {"clear": True, "whole": says_all(own)}.get(clearness, False)
    act = DialogueAct(own, cast(Status, status), assignees=assignees.get(whose, ()), clear=clear)
    act.shares = tuple(shares) if whose == "sharers" else ()
    return act


def type_of(act: DialogueAct, about: TaskSlots) -> TaskType:
    own = act.utterance
    changes = own.shows("change")
    if own.duty and not (changes and act.status == "inform"):
        return CARE if own.duty == CARE and about.type != TRANSPORT else TRANSPORT
    if changes:
        return "schedule_change"
    return about.type or (TRANSPORT if act.status == "asked" else "activity_confirm")


def says_all(own: ChatUtterance) -> bool:
    """A duty with its child or activity: understood without any other message."""
    return bool(own.duty) and own.shows("children", "activity")


def agreement(one: Collection[object], other: Collection[object]) -> int:
    """1 where both name the same, -1 where they name different things, 0 where one of them names nothing."""
    if not one or not other:
        return 0
    return -1 if set(one).isdisjoint(other) else 1


def same_children(own: ChatUtterance, act: TaskSlots) -> int:
    return agreement(own.children, act.children)


def same_activity(own: ChatUtterance, act: TaskSlots) -> int:
    return agreement({own.activity} - {""}, {act.activity} - {""})


def fits(own: ChatUtterance, act: DialogueAct) -> float:
    """The seed's criteria: the same child, activity and days speak for an answer, others against it (O4)."""
    days = () if act.implied_day else act.days
    score = (0.0, 1.0, -2.0)[same_children(own, act)]
    score += (0.0, 1.0, -1.0)[same_activity(own, act)]
    score += (0.0, 0.7, -0.5)[agreement(own.times.days, days)]
    if own.shows("same_time"):
        score += 1.0 if act.utterance.times.clocks else -1.0
    return score


def may_take(member: HouseholdMember, own: ChatUtterance, asked: DialogueAct) -> bool:
    """A bot takes nothing on. A child does where it says so, and in more words than "me", or has to do with what was asked."""
    if not member.is_child or member in (asked.sender, asked.addressee, *asked.assignees):
        return not member.has_role(BOT)
    return member == own.sender and (own.shows("first") or not own.shows("bare_me"))
