"""Who takes something on, and in answer to which line: regression trees learnt from chats of our own (O4).

Three questions, one after the other: does the message take something on, which line does it answer, and who is it that does.
`assignee_model.json.gz` holds the trees of each, over the rows of `assignee_features.py`. Fitted by
`extraction/training/assignees.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path

from extraction.chat.commitments.assignee_features import (
    Assignees,
    MessageInThread,
    assignee_row,
    candidates,
    line_rows,
    message_row,
    possible_assignees,
)
from extraction.chat.commitments.dialogue_acts import may_take
from extraction.chat.commitments.task_split import TaskShare
from ledger.rules.trees import Forest, read_learnt

_TREES = Path(__file__).with_name("assignee_model.json.gz")
# From here on it is told, is no mere guess, is told even where the tripwire stopped it, and is sure. A missed "I'll go" costs more
# than a guess, which passes no gate.
_TOLD, _NO_GUESS, _CERTAIN, _SURE = 0.07, 0.35, 0.4, 0.6


@dataclass(frozen=True, slots=True)
class AssigneePrediction:
    """`who` takes it on in answer to the line at `at`, if anybody does; `chance` is the probability that somebody does."""

    who: Assignees = frozenset()
    at: int = -1
    chance: float = 0.0

    @property
    def told(self) -> bool:
        return bool(self.who) and self.chance >= _TOLD

    @property
    def guessed(self) -> bool:
        return self.chance < _NO_GUESS

    @property
    def convincing(self) -> bool:
        return self.told and not self.guessed

    @property
    def certain(self) -> bool:
        return bool(self.who) and self.chance >= _CERTAIN

    @property
    def sure(self) -> bool:
        return bool(self.who) and self.chance >= _SURE


def predict_assignees(
    message: MessageInThread, shares: Sequence[TaskShare], only: int | None = None
) -> AssigneePrediction:
    """`only`: the one line that it may answer."""
    own = message.own
    lines = candidates(message) if only is None else [only]
    says_nothing = own.length == 0 and not own.shows("takes_by_sign", "nods_by_sign")
    if not lines or says_nothing or (own.length == 1 and own.shows("laughs")):
        return AssigneePrediction()
    trees = learnt_trees()
    chance = 1 / (1 + exp(-trees["takes"].odds(message_row(message))))
    if chance < _TOLD:
        return AssigneePrediction(chance=chance)
    scores = map(trees["line"].odds, line_rows(message, lines))
    _, at = max(zip(scores, lines, strict=True))
    # Where a message gives several people their parts, it says itself who.
    who = frozenset(share.member for share in shares) or max(
        possible_assignees(message, shares, at),
        key=lambda one: trees["who"].odds(assignee_row(message, one, shares, at)),
    )
    able = all(may_take(one, own, message.thread.acts[at]) for one in who)
    return AssigneePrediction(who if able else frozenset(), at, chance)


@cache
def learnt_trees() -> Mapping[str, Forest]:
    """The trees of each question."""
    return {question: Forest(trees) for question, trees in read_learnt(_TREES).items()}
