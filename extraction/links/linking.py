"""Which earlier message a message answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from extraction.links.messages import Said

# How many messages before it are looked at.
WINDOW = 100


@dataclass(frozen=True, slots=True)
class Scored:
    """A message that may be answered: its place in `before` (its length: nobody is answered), and a probability."""

    index: int
    score: float


def answers(message: Said, before: Sequence[Said], *, aliases: Mapping[str, str] | None = None) -> list[Scored]:
    """What `message` may answer, best first. Cost is bounded by `WINDOW`."""
    start = max(0, len(before) - WINDOW)
    if message.reply_to:
        for at in range(len(before) - 1, -1, -1):
            if before[at].external_id == message.reply_to:
                return [Scored(at, 1.0)]
    other = [at for at in range(start, len(before)) if before[at].sender and before[at].sender != message.sender]
    said = message.text.casefold()
    names = {before[at].sender.casefold() for at in other} | set(aliases or ())
    addressed = {(aliases or {}).get(name, name).casefold() for name in names if said.startswith(name)}
    for at in reversed(other):
        if before[at].sender.casefold() in addressed:
            return [Scored(at, 0.6), Scored(len(before), 0.4)]
    best = other[-1] if other else len(before)
    return [Scored(best, 0.5), Scored(len(before), 0.5)] if other else [Scored(best, 1.0)]


def link(messages: Sequence[Said], *, aliases: Mapping[str, str] | None = None) -> list[list[int]]:
    """For each message the indexes of those it answers; its own where it starts something new."""
    return [[answers(one, messages[:at], aliases=aliases)[0].index] for at, one in enumerate(messages)]
