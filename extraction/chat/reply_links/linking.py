"""Which earlier message a message answers: a softmax over the window, its weights learnt from annotated chat."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from extraction.chat.reply_links.features import Features, candidates
from extraction.chat.reply_links.messages import Said
from extraction.chat.reply_links.traits import Traits, traits
from extraction.chat.reply_links.window import Window

# How many messages before it are looked at.
WINDOW = 100

_WEIGHTS = Path(__file__).with_name("weights.json")


@dataclass(frozen=True, slots=True)
class Scored:
    """A message that may be answered: its place in `before` (its length: nobody is answered), and a probability."""

    index: int
    score: float


def answers(message: Said, before: Sequence[Said], *, aliases: Mapping[str, str] | None = None) -> list[Scored]:
    """What `message` may answer, best first, among the last `WINDOW` of `before`; an explicit reply wins from anywhere."""
    window = Window(WINDOW, aliases)
    for one in before[-WINDOW:]:
        window.add(traits(one))
    return _answers(message, before, window)


def link(messages: Sequence[Said], *, aliases: Mapping[str, str] | None = None) -> list[list[int]]:
    """For each message the indexes of those it answers; its own where it starts something new. Linear in their number."""
    window = Window(WINDOW, aliases)
    known: dict[str, int] = {}
    found = []
    for at, message in enumerate(messages):
        one = traits(message)
        if message.reply_to and message.reply_to in known:
            found.append([known[message.reply_to]])
        else:
            found.append([at - len(window) + best(scores_of(one, window))])
        window.add(one)
        if message.external_id:
            known[message.external_id] = at
    return found


def _answers(message: Said, before: Sequence[Said], window: Window) -> list[Scored]:
    if message.reply_to:
        for at in range(len(before) - 1, -1, -1):
            if before[at].external_id == message.reply_to:
                return [Scored(at, 1.0)]
    start = len(before) - len(window)
    chances = scores_of(traits(message), window)
    ordered = sorted(range(len(chances)), key=lambda at: (-chances[at], -at))
    return [Scored(start + at, chances[at]) for at in ordered]


def scores_of(message: Traits, window: Window) -> list[float]:
    """One probability for each message of the window, oldest first, and last that of answering nobody."""
    return softmax([score(found) for found in candidates(message, window)])


def score(found: Features) -> float:
    weights = _weights()
    return sum(weights.get(name, 0.0) * amount for name, amount in found)


def softmax(scores: Sequence[float]) -> list[float]:
    most = max(scores)
    parts = [math.exp(one - most) for one in scores]
    total = sum(parts)
    return [one / total for one in parts]


def best(chances: Sequence[float]) -> int:
    return max(range(len(chances)), key=lambda at: (chances[at], at))


@cache
def _weights() -> dict[str, float]:
    weights: dict[str, float] = json.loads(_WEIGHTS.read_text(encoding="utf-8"))["weights"]
    return weights
