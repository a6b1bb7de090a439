"""What single signs amount to: whether a message asks, rests on another, helps, and how well two of them fit."""

from extraction.coordination.frames import OPEN, Frame, Status, Type, may_take
from extraction.coordination.own import Own
from extraction.coordination.people import BOT, CHILD

_SHORT = 9
_LONG = 14


def asking(own: Own) -> Status:
    """Asked of anybody, requested of somebody, a question for leave or facts; empty for what asks nothing."""
    about = own.duty or own.activity or own.children or own.times or own.change
    if own.sender.role.casefold() == BOT:
        return ""
    child = own.sender.role.casefold() == CHILD
    if own.offers and not child and not own.no and not (own.asks_you and own.asks_first):
        return "offered"
    if own.first and own.conditional and not own.question:
        return ""
    if own.who_on and (own.question or child) and own.length > 2:
        return "asked"
    if own.you_must and not child and not own.yes:
        return "requested"
    if own.who and (own.duty or (own.question and about) or ((own.needs or own.who_on) and about)):
        return "asked"
    if own.needs and own.no and own.times.days and not own.first and not child:
        return "asked"
    if own.needs and (own.duty or own.children or own.activity) and not own.first:
        return "requested" if own.asks_you and own.addressed else "asked"
    if own.somebody_must and not own.first and (not child or about) and own.length > 2:
        return "asked"
    if not child and own.addressed and (own.asks_you or own.asks_leave) and not (own.did_you or own.yes):
        return "requested"
    if not child and own.you_and_me and not (own.did_you or own.yes or own.no) and (about or own.length <= 8):
        return "requested"
    if child and (own.calls_home or (own.asks_leave and own.duty)):
        return "asked"
    if own.asks_leave and child and about and not own.duty:
        return "query"
    if own.asks_you and about and child and not own.question and not own.duty:
        return "query"
    if (
        own.asks_you
        and about
        and (
            own.question
            or own.addressed
            or (own.asks_first and not own.yes and not own.you_do)
            or not (own.yes or own.first)
        )
    ):
        return "requested"
    if own.asks_leave and about:
        return "query"
    if own.question and own.first and own.duty and not own.yes and not own.no and not child:
        return "offered"
    if own.question and own.change and not child and own.length >= 3 and not (own.yes or own.no):
        return "requested"
    if own.question and about:
        if own.addressed and own.addressed.role.casefold() != CHILD:
            return "requested"
        if (own.duty or own.activity) and own.length <= 8 and not own.yes and not own.first:
            return "asked" if own.duty else "query"
        if not own.yes and not own.first and not own.no:
            return "query"
    return ""


def type_of(frame: Frame, about: Frame | None) -> Type:
    own = frame.own
    if own.duty and not (own.change and frame.status == "inform"):
        return (
            "care_coverage"
            if own.duty == "care_coverage" and not (about and about.type == "transport")
            else "transport"
        )
    if own.change:
        return "schedule_change"
    if about is not None and about.type:
        return about.type
    return "transport" if frame.status == "asked" else "activity_confirm"


def guessed(own: Own, to: Frame) -> Frame:
    """What nobody's words tell: a line that neither refuses nor asks, soon after somebody wanted something, is most likely a
    yes. Only a guess: it is told, and passes no gate."""
    if to.status not in (*OPEN, "query", "inform", "offered") or to.own.sender == own.sender:
        return Frame(own)
    if own.question or own.asks_back or own.no or own.busy or own.thanks or own.laughs or own.conditional:
        return Frame(own)
    if not 0 < own.length <= _LONG:
        return Frame(own)
    if to.status == "offered":
        return Frame(own, "committed", assignees=to.assignees, guess=True)
    if not may_take(own.sender, to) or (to.status == "inform" and not to.children):
        return Frame(own)
    return Frame(own, "committed", assignees=(own.sender,), guess=True)


def takes_alone(own: Own) -> bool:
    """A first person of a grown-up that neither asks, refuses nor jokes."""
    speaks = own.first or own.bare_me
    grown = own.sender.role.casefold() not in (CHILD, BOT)
    return speaks and grown and not (own.question or own.no or own.thanks or own.laughs or own.conditional or own.busy)


def says_all(own: Own) -> bool:
    """A duty with its child or activity: understood without any other message."""
    return bool(own.duty and (own.children or own.activity))


def rests_on(frame: Frame, to: Frame | None) -> bool:
    """Whether a taking rests on what it seems to answer, or says all by itself."""
    if to is None:
        return False
    whole = says_all(frame.own)
    about = to.status == "inform" and fits(frame.own, to) > 0
    return not whole or about or to.status in (*OPEN, "query", "declined") or frame.own.yes or frame.own.you_do


def accepts(own: Own, to: Frame) -> bool:
    """A yes to an offer, or any short kind word after it that neither refuses nor asks (`you saved my day`)."""
    if own.sender in to.assignees or own.first:
        return False
    if own.yes or own.on_condition:
        return True
    return 0 < own.length <= _SHORT and not (own.no or own.question or own.asks_back or own.busy or own.laughs)


def helps(own: Own, to: Frame) -> bool:
    """A short line of somebody who may take it, right after an open call for help, that neither refuses nor asks and speaks of
    being near, on the way or ready (`already in the car`, `5 Minuten`). A weak sign, so it is never a clear one."""
    return (
        to.status in OPEN
        and not to.answered
        and to.addressee in (None, own.sender)
        and to.own.sender != own.sender
        and may_take(own.sender, to)
        and 0 < own.length <= _SHORT
        and own.sets_out
        and not (own.question or own.asks_back or own.no or own.busy or own.thanks or own.laughs or own.conditional)
    )


def fits(own: Own, frame: Frame) -> float:
    """The seed's criteria: the same child, activity and days speak for an answer, others against it (O4)."""
    score = 0.0
    if own.children and frame.children:
        score += 1.0 if set(own.children) & set(frame.children) else -2.0
    if own.activity and frame.activity:
        score += 1.0 if own.activity == frame.activity else -1.0
    if own.times.days and frame.days and not frame.implied_day:
        score += 0.7 if set(own.times.days) & set(frame.days) else -0.5
    if own.same_time:
        score += 1.0 if frame.own.times.clocks else -1.0
    return score


def alike(said: str, known: str) -> bool:
    known = known.replace("_", " ").casefold()
    return said in known or known in said or said.split()[0] == known.split()[0]
