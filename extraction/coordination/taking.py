"""Who takes something on, and in answer to which line: one softmax over both, learnt from chats of our own (O4)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from extraction.coordination.own import Own
from extraction.coordination.shares import Share
from extraction.coordination.thread import Thread
from extraction.coordination.weighing import NOTHING, Features, Who, options
from extraction.links.linking import softmax

_WEIGHTS = Path(__file__).with_name("taking.json")
# So much likelier must it be that nothing is taken on before nothing is told: a missed "I'll go" costs more than a guess, which
# passes no gate. Of what the tripwire let pass more is told, and less is a guess.
_MISSED, _MISSED_OF_PASSED = 10.0, 25.0
_SURE, _GUESSED, _GUESSED_OF_PASSED = 0.6, 0.35, 0.28


@dataclass(frozen=True, slots=True)
class Taken:
    """`who` takes it on in answer to the line at `at`, with the probability of both; `nothing` is that of neither. `line`: what
    would be answered by whoever speaks, if anything."""

    who: Who
    at: int
    chance: float
    nothing: float
    line: int | None
    passed: bool = False

    @property
    def told(self) -> bool:
        return self.chance * (_MISSED_OF_PASSED if self.passed else _MISSED) > self.nothing

    @property
    def likely(self) -> bool:
        """Told even where the words seem to refuse."""
        return self.chance * _MISSED > self.nothing

    @property
    def sure(self) -> bool:
        return self.chance >= _SURE

    @property
    def guessed(self) -> bool:
        return self.chance < (_GUESSED_OF_PASSED if self.passed else _GUESSED)


def taken(
    own: Own, shares: Sequence[Share], thread: Thread, chances: Sequence[float], only: int | None, sure: bool
) -> Taken:
    """The most probable person over all lines, then the most probable line for that person. Nobody: the likeliest of all."""
    found = list(options(own, shares, thread, chances, only, sure))
    parts = softmax([score(features) for _, features in found])
    persons: dict[Who, float] = {}
    for (option, _), chance in zip(found, parts, strict=True):
        persons[option.who] = persons.get(option.who, 0.0) + chance
    nothing = persons.pop(NOTHING.who)
    if not persons:
        return Taken(frozenset(), -1, 0.0, nothing, None)
    who = max(persons, key=lambda one: persons[one])
    lines: dict[int, float] = {}
    for (option, _), chance in zip(found, parts, strict=True):
        if option.who == who:
            lines[option.at] = chance
    mine = {o.at: chance for (o, _), chance in zip(found, parts, strict=True) if o.who == {own.sender}}
    line = max(mine, key=lambda at: mine[at]) if mine else None
    return Taken(who, max(lines, key=lambda at: lines[at]), persons[who], nothing, line, sure)


def score(features: Features) -> float:
    known = weights()
    return sum(known.get(name, 0.0) * amount for name, amount in features)


@cache
def weights() -> dict[str, float]:
    found: dict[str, float] = json.loads(_WEIGHTS.read_text(encoding="utf-8"))
    return found
