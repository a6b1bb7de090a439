"""Who takes something on, and in answer to which line: regression trees learnt from chats of our own (O4).

Three questions, one after the other: does the message take something on, which line does it answer, and who is it that does.
`taking.json.gz` holds the trees of each, over the rows of `weighing.py`. Fitted by `extraction/training/assignees.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path

from extraction.chat.commitments.frames import may_take
from extraction.chat.commitments.task_split import Share
from extraction.chat.commitments.weighing import Heard, Who, candidates, of_lines, of_message, of_person, persons
from extraction.chat.trees import Forest, read_learnt

QUESTIONS = ("takes", "line", "who")
_TREES = Path(__file__).with_name("taking.json.gz")
# From here on it is told, is no mere guess, is told even where the tripwire stopped it, and is sure. A missed "I'll go" costs more
# than a guess, which passes no gate.
_TOLD, _NO_GUESS, _CERTAIN, _SURE = 0.07, 0.35, 0.4, 0.6


@dataclass(frozen=True, slots=True)
class Taken:
    """`who` takes it on in answer to the line at `at`, if anybody does; `chance` is the probability that somebody does."""

    who: Who
    at: int
    chance: float

    @property
    def told(self) -> bool:
        return bool(self.who) and self.chance >= _TOLD

    @property
    def guessed(self) -> bool:
        return self.chance < _NO_GUESS

    @property
    def certain(self) -> bool:
        return bool(self.who) and self.chance >= _CERTAIN

    @property
    def sure(self) -> bool:
        return bool(self.who) and self.chance >= _SURE


def taken(heard: Heard, shares: Sequence[Share], only: int | None = None) -> Taken:
    """`only`: the one line that it may answer."""
    own = heard.own
    lines = candidates(heard.thread) if only is None else [only]
    if not lines or not (own.length or own.takes_by_sign or own.nods_by_sign) or (own.laughs and own.length == 1):
        return Taken(frozenset(), -1, 0.0)
    trees = learnt()
    chance = 1 / (1 + exp(-trees["takes"].odds(of_message(heard))))
    if chance < _TOLD:
        return Taken(frozenset(), -1, chance)
    scores = [trees["line"].odds(row) for row in of_lines(heard, lines)]
    at = max(zip(scores, lines, strict=True))[1]
    # Where a message gives several people their parts, it says itself who.
    who = frozenset(share.member for share in shares) or max(
        persons(heard, shares, at), key=lambda one: trees["who"].odds(of_person(heard, one, shares, at))
    )
    asked = heard.thread.frames[at]
    return Taken(who if all(may_take(one, own, asked) for one in who) else frozenset(), at, chance)


@cache
def learnt() -> Mapping[str, Forest]:
    """The trees of each question."""
    return {name: Forest(trees) for name, trees in read_learnt(_TREES).items()}
