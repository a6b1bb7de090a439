"""What came before a message: whether something is being arranged, and whether a question stands open (O3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from extraction.chat.tripwire.compiled import Tripwire
from extraction.chat.tripwire.said import Said


@dataclass(frozen=True, slots=True)
class Message:
    """`sent_at` orders and dates it; `reply` marks the message that the one to be scored answers by its link."""

    text: str
    sender: str = ""
    sent_at: datetime | None = None
    reply: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A message, what it says by itself, and who says it."""

    message: Message
    said: Said
    who: str
    role: str


def near(tripwire: Tripwire, message: Message, told: Sequence[Told]) -> list[Told]:
    """Those that make a thread of coordination where one of them coordinates: the last few, and the one that is answered."""
    context = tripwire.context
    plain = [one for one in told if not one.message.reply and age(one.message, message) <= context.seconds]
    linked = [one for one in told if one.message.reply]
    return plain[-context.messages :] + linked if context.messages else linked


def asked_just_now(tripwire: Tripwire, this: Told, before: Sequence[Told]) -> bool:
    """Whether the message before it is somebody else's question, still open."""
    last = before[-1] if before else None
    return (
        last is not None
        and last.who != this.who
        and asks(tripwire, last.said)
        and age(last.message, this.message) <= tripwire.context.question_seconds
    )


def asks(tripwire: Tripwire, said: Said) -> bool:
    return "question" in said.groups or not tripwire.opens.isdisjoint(said.groups)


def age(one: Message, message: Message) -> float:
    """Seconds from one message to the other; 0 where one has no time."""
    if one.sent_at is None or message.sent_at is None:
        return 0.0
    return (message.sent_at - one.sent_at).total_seconds()
