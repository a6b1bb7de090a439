"""What speaks for a text as the answer to a question, in plain numbers: its words, its neighbours, its sender, its form.

Pure: turns of a talk and what was asked in, a row of numbers for each candidate out. They are weighed by trees, learnt from threads
and questions about them.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final, Self

from ledger.language.words import terms
from ledger.rules.trees import SmallForest, read_learnt

LEARNT: Final = Path(__file__).with_name("ranker.json.gz")
K1: Final = 1.2
B: Final = 0.4
USUAL_LENGTH: Final = 12
MAX_OWN: Final = 1.5
READ_CHARACTERS: Final = 2_000
# So many texts are candidates by their words, and of the first of them the turns beside them.
MAX_TEXTS: Final = 120
WITH_NEIGHBOURS: Final = 60
# What it weighs that the sender bears a name, beside a text that says it.
SENDER: Final = 0.5

SIGNALS: Final = (
    "words", "share", "rarest", "before", "after", "window", "sender_named", "other_named", "names_person", "asks", "answers",
    "length", "first_person", "time", "number", "place", "reason", "name", "thread", "pair", "rank", "asked_words", "held_words",
)  # fmt: skip

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
# What a question asks for, and what in a text looks like it.
_SOUGHT: Final = tuple(
    (re.compile(asked, re.I), re.compile(looks_like))
    for asked, looks_like in (
        (
            r"\bwhen\b|\bwhat (?:year|date|day|month|time)\b|\bhow long\b",
            r"(?i)\b(?:today|yesterday|tomorrow|tonight|ago|last|next|weekend|recently|since|(?:week|month|year|day)s?|"
            rf"(?:mon|tues|wednes|thurs|fri|satur|sun)day|{_MONTHS}|summer|winter|spring|fall|\d{{4}}|\d{{1,2}}(?:am|pm|:\d\d))\b",
        ),
        (
            r"\bhow (?:many|much|often|long|old)\b",
            r"(?i)\b(?:\d{1,9}|one|two|three|four|five|six|seven|eight|nine|ten|once|twice|couple|several|few|dozen|half)\b",
        ),
        (
            r"\bwhere\b|\b(?:what|which) (?:country|city|place|state)\b",
            r"\b(?:in|at|from|to|near|around|by) (?:(?:the|a|my|our) )?[A-Z]",
        ),
        (
            r"\bwhy\b|\bwhat (?:made|motivat|inspir|caus|reason)",
            r"(?i)\b(?:because|since|so that|cause|due to|reason|want(?:ed)?)\b",
        ),
        (
            r"\b(?:who|whose|which|name)\b|\bwhat (?:kind|type|book|game|movie|film|song|band)\b",
            r"(?<=[a-z,;] )[A-Z][a-z]|[\"“][^\"”]{2,60}[\"”]",
        ),
    )
)  # fmt: skip
_FIRST_PERSON: Final = re.compile(r"\b(?:I|my|My|we|We|our|Our|me)\b")
_ASKS: Final = re.compile(r"\?(?:\s|$)")


@dataclass(frozen=True)
class TalkTurn:
    """One text of a talk: `before` and `after` are the turns beside it, 0 where there is none. `text` may be cut to
    `READ_CHARACTERS`, and `words` are its terms; `holds` are terms that stand somewhere in the whole."""

    pk: int
    thread: int | None
    text: str
    sender: str
    words: Sequence[str]
    before: int = 0
    after: int = 0
    holds: frozenset[str] = frozenset()

    @cached_property
    def times(self) -> dict[str, int]:
        return dict.fromkeys(self.holds, 1) | Counter(self.words)

    @cached_property
    def sender_words(self) -> frozenset[str]:
        return _name_words(self.sender)

    @cached_property
    def asks(self) -> bool:
        return _ASKS.search(self.text) is not None


@lru_cache(maxsize=10_000)
def _name_words(name: str) -> frozenset[str]:
    return frozenset(terms(name))


@dataclass(frozen=True)
class WeighedQuestion:
    """A question: the weight of each of its terms, in its order. What is the name of somebody who speaks is a person."""

    text: str
    weights: Mapping[str, float]
    people: frozenset[str]

    @classmethod
    def of(cls, text: str, weights: Mapping[str, float], turns: Iterable[TalkTurn]) -> Self:
        """People are told by the senders of these turns."""
        senders = {turn.sender for turn in turns}
        return cls(text, weights, frozenset(weights).intersection(frozenset().union(*map(_name_words, senders))))

    @cached_property
    def content(self) -> dict[str, float]:
        return {word: weight for word, weight in self.weights.items() if word not in self.people}

    @cached_property
    def total(self) -> float:
        return sum(self.content.values()) or 1.0

    @cached_property
    def sought(self) -> list[re.Pattern[str] | None]:
        return [looks_like if asked.search(self.text) else None for asked, looks_like in _SOUGHT]


@dataclass
class Signals:
    """The numbers of each candidate of one question; `ranked` are candidates by their words, best first."""

    asked: WeighedQuestion
    turns: Mapping[int, TalkTurn]
    ranked: Sequence[int]
    _words: dict[int, float] = field(default_factory=dict)
    _holding: dict[int, frozenset[str]] = field(default_factory=dict)

    def order(self) -> list[int]:
        """Those ranked and the turns beside the first of them, the likeliest answer first."""
        first = (self.turns[pk] for pk in self.ranked[:WITH_NEIGHBOURS])
        beside = (near for turn in first for near in (turn.before, turn.after) if near in self.turns)
        rows = self.rows(dict.fromkeys((*self.ranked, *beside)))
        scores = dict(zip(rows, map(odds, rows.values()), strict=True))
        return sorted(scores, key=lambda pk: (-scores[pk], -pk))

    def rows(self, candidates: Iterable[int]) -> dict[int, tuple[float, ...]]:
        best = self._best_of_threads()
        place = {pk: at for at, pk in enumerate(self.ranked)}
        pairs = set(pairwise(self.asked.weights))
        return {pk: self._row(self.turns[pk], best, place.get(pk), pairs) for pk in candidates}

    def share(self, pk: int) -> float:
        """The part of the question that a turn and those beside it hold."""
        turn = self.turns[pk]
        return self._share(self._held(pk) | self._held(turn.before) | self._held(turn.after))

    def held_words(self, pk: int) -> int:
        """How many of the question's words, its people among them, a turn and those beside it hold."""
        turn = self.turns[pk]
        near = [self.turns[one] for one in (pk, turn.before, turn.after) if one in self.turns]
        return sum(any(word in one.times or word in one.sender_words for one in near) for word in self.asked.weights)

    def _row(
        self, turn: TalkTurn, best: Mapping[int | None, float], place: int | None, pairs: set[tuple[str, str]]
    ) -> tuple[float, ...]:
        asked, own = self.asked, self._own(turn.pk)
        held = self._held(turn.pk)
        before = self.turns.get(turn.before)
        speaks = bool(asked.people & turn.sender_words)
        return (
            own,
            self._share(held),
            max((asked.content[word] for word in held), default=0.0) / max(asked.content.values(), default=1.0),
            self._own(turn.before),
            self._own(turn.after),
            self.share(turn.pk),
            float(speaks),
            float(bool(asked.people) and not speaks),
            float(any(word in turn.times for word in asked.people)),
            float(turn.asks),
            self._own(before.pk) if before and before.asks else 0.0,
            math.log(1 + len(turn.words)),
            float(_FIRST_PERSON.search(turn.text) is not None),
            *(float(looks is not None and looks.search(turn.text) is not None) for looks in asked.sought),
            best.get(turn.thread, 0.0),
            float(not pairs.isdisjoint(pairwise(turn.words))),
            0.0 if place is None else 1 / (1 + place / 10),
            float(len(asked.content)),
            len(held) / (len(asked.content) or 1),
        )

    def _best_of_threads(self) -> dict[int | None, float]:
        best: defaultdict[int | None, float] = defaultdict(float)
        for pk in self.ranked:
            thread = self.turns[pk].thread
            best[thread] = max(best[thread], self._own(pk))
        return best

    def _held(self, pk: int) -> frozenset[str]:
        if pk not in self._holding:
            turn = self.turns.get(pk)
            words = (
                [word for word in self.asked.content if word in turn.times or word in turn.sender_words] if turn else ()
            )
            self._holding[pk] = frozenset(words)
        return self._holding[pk]

    def _share(self, words: Set[str]) -> float:
        return sum([weight for word, weight in self.asked.content.items() if word in words]) / self.asked.total

    def _own(self, pk: int) -> float:
        """BM25 of the question's words as a part of what it weighs."""
        if pk not in self.turns:
            return 0.0
        if pk not in self._words:
            turn = self.turns[pk]
            flat = K1 * (1 - B + B * len(turn.words) / USUAL_LENGTH)
            found = ((weight, turn.times[word]) for word, weight in self.asked.content.items() if word in turn.times)
            score = sum(weight * times * (K1 + 1) / (times + flat) for weight, times in found)
            self._words[pk] = min(MAX_OWN, score / self.asked.total)
        return self._words[pk]


def odds(row: Sequence[float]) -> float:
    """Higher is likelier; only good for putting the candidates of one question in order."""
    return _forest().odds(row)


@cache
def _forest() -> SmallForest:
    """Raises `ValueError` where what was learnt is of other signals."""
    learnt = read_learnt(LEARNT)
    if tuple(learnt["signals"]) != SIGNALS:
        raise ValueError(f"{LEARNT.name} was learnt from other signals; learn it anew")
    return SmallForest(learnt["trees"])
