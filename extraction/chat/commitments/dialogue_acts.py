"""What single signs amount to: whether a message asks, of what type it is, whether it says all, how well two of them fit."""

from extraction.chat.commitments.frames import Frame, Status, Type
from extraction.chat.commitments.message_signs import Own
from extraction.chat.commitments.people import BOT, CHILD


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


def says_all(own: Own) -> bool:
    """A duty with its child or activity: understood without any other message."""
    return bool(own.duty and (own.children or own.activity))


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
