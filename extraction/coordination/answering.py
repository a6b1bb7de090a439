"""What a message does that asks nothing: it takes, offers, refuses, agrees or gives several people their parts (O3)."""

from extraction.coordination.frames import OPEN, Frame, Status, may_take
from extraction.coordination.judging import accepts, helps
from extraction.coordination.own import Own
from extraction.coordination.people import CHILD
from extraction.coordination.shares import shares_of
from extraction.coordination.thread import Thread


def answered(own: Own, to: Frame | None, thread: Thread) -> Frame:
    """What a message does that asks nothing: take, offer, refuse, agree. Without a status where it does none of these."""
    taking = own.first or (to is not None and (own.bare_me or own.takes_by_sign))
    if own.on_condition and not own.nods_by_sign and to is not None and to.status in (*OPEN, "query"):
        return Frame(own, "offered", assignees=(own.sender,))
    shared = shares_of(own, thread.spoken_to(own, to))
    if shared:
        takers = tuple(dict.fromkeys(one.member for one in shared))
        return Frame(own, "committed", assignees=takers, shares=shared, clear=True)
    if (
        own.subject
        and not own.question
        and (own.duty or (to is not None and (to.status in (*OPEN, "query") or to.own.sender.role.casefold() == CHILD)))
    ):
        return Frame(own, "committed", assignees=(own.subject,), clear=bool(own.duty))
    both = own.first and to is not None and to.status in OPEN
    if own.you_do and not both and not own.question and (to is not None or own.addressed):
        return Frame(own, "committed", assignees=thread.other_than(own.sender, own.addressed, to), clear=True)
    if to is not None and to.status in OPEN and own.busy and not own.first and not own.yes:
        return Frame(own, "declined")
    if (
        own.no
        and not own.yes
        and to is not None
        and to.status in (*OPEN, "query", "inform")
        and not own.thanks
        and not own.nods_by_sign
    ):
        if not own.first:
            return Frame(own, "declined")
        if own.conditional or own.times.clocks:
            return Frame(own, "offered", assignees=(own.sender,))
    if to is not None and to.status == "offered" and accepts(own, to):
        return Frame(own, "committed", assignees=to.assignees)
    if to is not None and (own.yes or own.takes_by_sign) and own.sender in to.assignees and to.own.sender != own.sender:
        return Frame(own, "committed", assignees=(own.sender,), clear=True)
    if to is not None and (taking or own.yes):
        if own.nods_by_sign and not (to.status in OPEN and may_take(own.sender, to) and to.own.sender != own.sender):
            return Frame(own, "ack")
        # Whoever speaks of a part or a time of their own takes that on beside whoever took the rest.
        part = own.first and (own.duty or own.children or (own.times and own.sender not in to.assignees))
        if to.status in ("committed", "ack", "declined") and not part:
            return Frame(own, "ack", assignees=to.assignees) if own.yes or own.takes_by_sign else Frame(own)
        asked_by_child = to.own.sender.role.casefold() == CHILD
        if to.status == "query" and not own.first and not to.own.asks_you and asked_by_child:
            return Frame(own, "ack")
        if not may_take(own.sender, to) and not (own.first and own.duty):
            return Frame(own, "ack")
        if own.first and own.conditional and own.duty and to.status not in OPEN:
            return Frame(own, "offered", assignees=(own.sender,), clear=True)
        return Frame(own, "committed", assignees=(own.sender,), clear=True)
    told_to = to is not None and to.status == "committed" and own.sender in to.assignees and to.own.sender != own.sender
    if told_to and own.sets_out and not (own.question or own.no or own.thanks or own.laughs or own.asks_back):
        return Frame(own, "committed", assignees=(own.sender,))
    if to is not None and thread.next_to(to) and helps(own, to):
        return Frame(own, "committed", assignees=(own.sender,))
    if own.first and not own.no and (own.children or (own.duty and (own.activity or own.pronoun or own.times))):
        if own.sender.role.casefold() == CHILD and not own.duty:
            return Frame(own)
        status: Status = "offered" if own.conditional else "committed"
        return Frame(own, status, assignees=(own.sender,), clear=bool(own.duty and (own.children or own.activity)))
    if (
        own.first
        and (own.conditional or own.times.days)
        and not own.no
        and own.sender.role.casefold() != CHILD
        and own.length >= 4
    ):
        return Frame(own, "offered", assignees=(own.sender,))
    return Frame(own)
