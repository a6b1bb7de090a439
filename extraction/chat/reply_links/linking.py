"""Which earlier message a message answers: a softmax over the window, its weights learnt from annotated chat."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from extraction.chat.messages import LinkedLine
from extraction.chat.reply_links.features import Features, candidate_features
from extraction.chat.reply_links.traits import NO_ALIASES, ChatWindow, MessageTraits, traits_of

# How many messages before it are looked at.
WINDOW = 100

_WEIGHTS = Path(__file__).with_name("weights.json")


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """A message that may be answered: its place in `before` (its length: nobody is answered), and a probability."""

    index: int
    score: float


def answers(
    message: LinkedLine, before: Sequence[LinkedLine], *, aliases: Mapping[str, str] = NO_ALIASES
) -> list[ScoredAnswer]:
    """What `message` may answer, best first, among the last `WINDOW` of `before`; an explicit reply wins from anywhere."""
    replied = [at for at, one in enumerate(before) if message.reply_to and one.external_id == message.reply_to]
    if replied:
        return [ScoredAnswer(replied[-1], 1.0)]
    window = ChatWindow(WINDOW, aliases)
    for one in before[-WINDOW:]:
        window.add(traits_of(one))
    start = len(before) - len(window)
    chances = link_chances(traits_of(message), window)
    ordered = sorted(range(len(chances)), key=lambda at: (-chances[at], -at))
    return [ScoredAnswer(start + at, chances[at]) for at in ordered]


def link(messages: Sequence[LinkedLine], *, aliases: Mapping[str, str] = NO_ALIASES) -> list[list[int]]:
    """For each message the indexes of those it answers; its own where it starts something new. Linear in their number."""
    window = ChatWindow(WINDOW, aliases)
    known: dict[str, int] = {}
    found = []
    for at, message in enumerate(messages):
        traits = traits_of(message)
        replied = known.get(message.reply_to)
        found.append([at - len(window) + likeliest(link_chances(traits, window)) if replied is None else replied])
        window.add(traits)
        if message.external_id:
            known[message.external_id] = at
    return found


def link_chances(message: MessageTraits, window: ChatWindow) -> list[float]:
    """One probability for each message of the window, oldest first, and last that of answering nobody."""
    weights = _weights()
    return softmax([score(found, weights) for found in candidate_features(message, window)])


def score(found: Features, weights: Mapping[str, float]) -> float:
    return sum(weights.get(name, 0.0) * amount for name, amount in found)


def softmax(scores: Sequence[float]) -> list[float]:
    most = max(scores)
    parts = [math.exp(one - most) for one in scores]
    total = sum(parts)
    return [one / total for one in parts]


def likeliest(chances: Sequence[float]) -> int:
    """The place of the highest; of equal ones the last."""
    return max(range(len(chances)), key=lambda at: (chances[at], at))


@cache
def _weights() -> dict[str, float]:
    weights: dict[str, float] = json.loads(_WEIGHTS.read_text(encoding="utf-8"))["weights"]
    return weights
