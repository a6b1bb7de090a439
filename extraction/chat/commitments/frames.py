"""What each message of a thread does with the household's duties: asks, offers, takes, refuses, tells."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from extraction.chat.commitments.message_signs import Own
from extraction.chat.commitments.people import BOT, CHILD, Member
from extraction.chat.commitments.task_split import Share

Status = Literal["", "asked", "requested", "query", "offered", "committed", "declined", "inform", "ack"]
Type = Literal["", "transport", "care_coverage", "schedule_change", "activity_confirm"]

# Whoever says yes to one of these takes something on.
OPEN = frozenset({"asked", "requested"})


@dataclass(frozen=True)
class Usual:
    """What a household does every week, as it is known: it says which child an activity is of."""

    people: tuple[str, ...]
    activity: str = ""
    place: str = ""
    weekdays: frozenset[int] = frozenset()


@dataclass(slots=True)
class Frame:
    """One message, understood. `source` is the place of the message it answers, `late` where that lies beyond the window.

    `about`: the place of the message that its matter is taken from.

    `guess`: no words say so, only where the message stands. `faint`: no words say what it tells, but it tells something.
    `shares`: who takes which part, where one message gives several people theirs.
    `answered` is set when somebody has taken it on since. `implied_day`: nobody named a day, so it is that of the message.
    """

    own: Own
    status: Status = ""
    type: Type = ""
    source: int | None = None
    about: int | None = None
    late: bool = False
    assignees: tuple[Member, ...] = ()
    addressee: Member | None = None
    children: tuple[Member, ...] = ()
    activity: str = ""
    activity_words: str = ""
    place: str = ""
    days: tuple[date, ...] = ()
    clocks: tuple[str, ...] = ()
    implied_day: bool = False
    answered: bool = False
    clear: bool = False
    guess: bool = False
    faint: bool = False
    shares: tuple[Share, ...] = ()

    @property
    def coordinates(self) -> bool:
        return bool(self.status)

    @property
    def unassigned(self) -> bool:
        return self.status in OPEN and not self.assignees


def may_take(member: Member, own: Own, asked: Frame) -> bool:
    """A bot takes nothing on. A child does where it says so, and in more words than "me", or has to do with what was asked."""
    role = member.role.casefold()
    if role == BOT:
        return False
    if role != CHILD or member in (asked.own.sender, asked.addressee, *asked.assignees):
        return True
    return member == own.sender and (own.first or not own.bare_me)
