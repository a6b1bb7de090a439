"""What a message does that asks nothing and takes nothing on in answer to another: it offers, refuses, agrees, says all itself."""

from collections.abc import Sequence

from extraction.chat.commitments.frames import OPEN, Frame, Status
from extraction.chat.commitments.message_signs import Own
from extraction.chat.commitments.people import CHILD
from extraction.chat.commitments.task_split import Share


def answered(own: Own, to: Frame | None, shares: Sequence[Share]) -> Frame:
    """`to` is the line that it seems to follow. Without a status where it does none of these."""
    wanted = to is not None and to.status in (*OPEN, "query")
    if wanted and own.on_condition and not own.nods_by_sign:
        return Frame(own, "offered", assignees=(own.sender,))
    if shares:
        takers = tuple(dict.fromkeys(one.member for one in shares))
        return Frame(own, "committed", assignees=takers, shares=tuple(shares), clear=True)
    if own.subject and own.duty and not own.question:
        return Frame(own, "committed", assignees=(own.subject,), clear=True)
    if to is not None and to.status in OPEN and own.busy and not own.first and not own.yes:
        return Frame(own, "declined")
    if own.no and not own.yes and (wanted or (to is not None and to.status == "inform")) and not own.thanks:
        if not own.first:
            return Frame(own, "declined")
        if own.conditional or own.times.clocks:
            return Frame(own, "offered", assignees=(own.sender,))
    if to is not None and (own.yes or own.takes_by_sign or own.nods_by_sign):
        return Frame(own, "ack", assignees=to.assignees if to.status in ("committed", "ack", "declined") else ())
    return _by_itself(own)


def _by_itself(own: Own) -> Frame:
    if not own.first or own.no or own.sender.role.casefold() == CHILD and not own.duty:
        return Frame(own)
    if own.children or (own.duty and (own.activity or own.pronoun or own.times)):
        status: Status = "offered" if own.conditional or own.can else "committed"
        return Frame(own, status, assignees=(own.sender,), clear=bool(own.duty and (own.children or own.activity)))
    if (own.conditional or own.times.days) and own.sender.role.casefold() != CHILD and own.length >= 4:
        return Frame(own, "offered", assignees=(own.sender,))
    return Frame(own)
