"""What speaks for a text as the answer to a question, in plain numbers: its words, its neighbours, its sender, its form.

Pure: turns of a talk and what was asked in, a row of numbers for each candidate out. They are weighed by trees, learnt from threads
and questions about them.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final, Protocol, Self

from ledger.language.words import terms
from ledger.rules.trees import SmallForest, read_learnt

LEARNT: Final = Path(__file__).with_name("ranker.json.gz")
K1: Final = 1.2
B: Final = 0.4
USUAL_LENGTH: Final = 12
MAX_OWN: Final = 1.5
READ_CHARACTERS: Final = 2_000
# So many texts are candidates by their words, and of the first of them the turns beside them; of all these the best are put in
# order anew where an encoder tells how near they are in meaning.
MAX_TEXTS: Final = 200
WITH_NEIGHBOURS: Final = 60
RERANKED: Final = 100
# What it weighs that the sender bears a name, beside a text that says it.
SENDER: Final = 0.5

SIGNALS: Final = (
    "words", "share", "rarest", "before", "after", "window", "sender_named", "other_named", "names_person", "asks", "answers",
    "length", "first_person", "time", "number", "place", "reason", "name", "thread", "pair", "rank", "asked_words", "held_words",
)  # fmt: skip

# What an encoder adds: how near a turn is to the question, those beside it, it with them; its place among the others by that, and
# how far behind the nearest it is. The same by all of a turn at once, not token by token.
NEARNESS: Final = (
    "near", "near_before", "near_after", "near_window", "near_place", "near_behind",
    "alike", "alike_before", "alike_after", "alike_place", "alike_behind",
)  # fmt: skip
# What speaks for an answer never speaks against it, whatever the talks say that the trees are learnt from.
RISING: Final = frozenset({
    "words", "share", "rarest", "window", "sender_named", "rank", "pair", "answers", "near", "near_window", "near_place",
    "near_behind", "alike", "alike_place", "alike_behind",
})  # fmt: skip
FALLING: Final = frozenset({"other_named", "asks"})

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
    def words(self) -> dict[str, int]:
        """The bit of each term."""
        return {word: 1 << at for at, word in enumerate(self.weights)}

    @cached_property
    def names(self) -> int:
        """The bits of the people."""
        return self.bits(self.people)

    @cached_property
    def total(self) -> float:
        return sum(self.weights_of(~self.names)) or 1.0

    @cached_property
    def sought(self) -> list[re.Pattern[str] | None]:
        return [looks_like if asked.search(self.text) else None for asked, looks_like in _SOUGHT]

    def bits(self, words: Iterable[str]) -> int:
        return sum({self.words[word] for word in words if word in self.words})

    def weights_of(self, bits: int) -> list[float]:
        return [weight for word, weight in self.weights.items() if self.words[word] & bits]


@dataclass(frozen=True, slots=True)
class HeldWords:
    """Which words of the question a turn says, and which its sender bears, as bits; `own` is BM25 of those that name nobody, as a
    part of what the question weighs."""

    said: int = 0
    borne: int = 0
    own: float = 0.0

    @property
    def all(self) -> int:
        return self.said | self.borne


NOTHING_HELD: Final = HeldWords()


@dataclass
class Signals:
    """The numbers of each candidate of one question; `ranked` are candidates by their words, best first."""

    asked: WeighedQuestion
    turns: Mapping[int, TalkTurn]
    ranked: Sequence[int]
    _held: dict[int, HeldWords] = field(default_factory=lambda: {0: NOTHING_HELD})
    _borne: dict[str, int] = field(default_factory=dict)
    _shares: dict[int, float] = field(default_factory=dict)

    def candidates(self) -> dict[int, tuple[float, ...]]:
        """The rows of those ranked and of the turns beside the first of them, the likeliest answer first."""
        first = (self.turns[pk] for pk in self.ranked[:WITH_NEIGHBOURS])
        beside = (near for turn in first for near in (turn.before, turn.after) if near in self.turns)
        return in_order(self.rows(dict.fromkeys((*self.ranked, *beside))), _forests()[0])

    def add_nearness(
        self, rows: Mapping[int, tuple[float, ...]], nearness: "NearnessOfTexts"
    ) -> dict[int, tuple[float, ...]]:
        """The same rows with what an encoder tells of them."""
        near, alike = ({pk: how(pk) for pk in rows} for how in (nearness.of, nearness.whole))
        places, wholes = map(_places, (near, alike))
        nearest, likest = (max(known.values(), default=0.0) for known in (near, alike))
        return {
            pk: (
                *row, near[pk], nearness.of(turn.before), nearness.of(turn.after),
                nearness.with_beside(pk, turn.before, turn.after), places[pk], near[pk] - nearest,
                alike[pk], nearness.whole(turn.before), nearness.whole(turn.after), wholes[pk], alike[pk] - likest,
            )
            for pk, row in rows.items() for turn in (self.turns[pk],)
        }  # fmt: skip

    def rows(self, candidates: Iterable[int]) -> dict[int, tuple[float, ...]]:
        best = self._best_of_threads()
        place = {pk: 1 / (1 + at / 10) for at, pk in enumerate(self.ranked)}
        pairs = set(pairwise(self.asked.weights))
        return {pk: self._row(self.turns[pk], best, place.get(pk, 0.0), pairs) for pk in candidates}

    def share(self, pk: int) -> float:
        """The part of the question that a turn and those beside it hold."""
        return self._share(self._window(self.turns[pk]))

    def held_words(self, pk: int, words: Iterable[str]) -> int:
        """How many of these words of the question, its people among them, a turn and those beside it hold."""
        return (self._window(self.turns[pk]) & self.asked.bits(words)).bit_count()

    def _row(
        self, turn: TalkTurn, best: Mapping[int | None, float], place: float, pairs: set[tuple[str, str]]
    ) -> tuple[float, ...]:
        asked, held, before = self.asked, self._held_by(turn.pk), self._held_by(turn.before)
        content = held.all & ~asked.names
        speaks = bool(held.borne & asked.names)
        answers = before.own > 0 and self.turns[turn.before].asks
        words = len(asked.weights) - asked.names.bit_count()
        return (
            held.own,
            self._share(content),
            max(asked.weights_of(content), default=0.0) / self._heaviest,
            before.own,
            self._held_by(turn.after).own,
            self._share(self._window(turn)),
            float(speaks),
            float(bool(asked.names) and not speaks),
            float(bool(held.said & asked.names)),
            float(turn.asks),
            before.own if answers else 0.0,
            math.log(1 + len(turn.words)),
            float(_FIRST_PERSON.search(turn.text) is not None),
            *[float(looks is not None and looks.search(turn.text) is not None) for looks in asked.sought],
            best.get(turn.thread, 0.0),
            float(not pairs.isdisjoint(pairwise(turn.words))),
            place,
            float(words),
            content.bit_count() / (words or 1),
        )

    @cached_property
    def _heaviest(self) -> float:
        return max(self.asked.weights_of(~self.asked.names), default=1.0)

    def _best_of_threads(self) -> dict[int | None, float]:
        best: defaultdict[int | None, float] = defaultdict(float)
        for pk in self.ranked:
            thread = self.turns[pk].thread
            best[thread] = max(best[thread], self._held_by(pk).own)
        return best

    def _window(self, turn: TalkTurn) -> int:
        return self._held_by(turn.pk).all | self._held_by(turn.before).all | self._held_by(turn.after).all

    def _share(self, bits: int) -> float:
        """By the words that name nobody."""
        bits &= ~self.asked.names
        if bits not in self._shares:
            self._shares[bits] = sum(self.asked.weights_of(bits)) / self.asked.total
        return self._shares[bits]

    def _held_by(self, pk: int) -> HeldWords:
        """Of a turn; of one that was not read, nothing."""
        if pk not in self._held:
            self._held[pk] = self._read(self.turns[pk]) if pk in self.turns else NOTHING_HELD
        return self._held[pk]

    def _read(self, turn: TalkTurn) -> HeldWords:
        words, weights = self.asked.words, self.asked.weights
        if turn.sender not in self._borne:
            self._borne[turn.sender] = self.asked.bits(turn.sender_words)
        times = Counter([word for word in turn.words if word in words])
        for word in turn.holds - times.keys():
            times[word] = 1
        if not times:
            return HeldWords(borne=self._borne[turn.sender])
        flat = K1 * (1 - B + B * len(turn.words) / USUAL_LENGTH)
        content = [(weights[word], said) for word, said in times.items() if word not in self.asked.people]
        score = sum(weight * said * (K1 + 1) / (said + flat) for weight, said in content)
        own = min(MAX_OWN, score / self.asked.total)
        return HeldWords(self.asked.bits(times), self._borne[turn.sender], own)


def _places(known: Mapping[int, float]) -> dict[int, float]:
    """From 1 for the first down."""
    return {pk: 1 / (1 + at / 10) for at, pk in enumerate(sorted(known, key=lambda pk: -known[pk]))}


class NearnessOfTexts(Protocol):
    """How near texts are to a question in meaning, by their ids: token by token, and as a whole."""

    def of(self, pk: int) -> float: ...
    def whole(self, pk: int) -> float: ...
    def with_beside(self, pk: int, *beside: int) -> float: ...


def in_order[Row: tuple[float, ...]](rows: Mapping[int, Row], forest: SmallForest) -> dict[int, Row]:
    """The likeliest first. What trees say is only good for putting the candidates of one question in order."""
    odds = {pk: forest.odds(row) for pk, row in rows.items()}
    return {pk: rows[pk] for pk in sorted(odds, key=lambda pk: (-odds[pk], -pk))}


def in_order_by_nearness(rows: Mapping[int, tuple[float, ...]]) -> dict[int, tuple[float, ...]]:
    """Of rows that tell of nearness too."""
    return in_order(rows, _forests()[1])


@cache
def _forests() -> tuple[SmallForest, SmallForest]:
    """By words alone, and with nearness. Raises `ValueError` where what was learnt is of other signals."""
    learnt = read_learnt(LEARNT)
    if tuple(learnt["signals"]) != (*SIGNALS, *NEARNESS):
        raise ValueError(f"{LEARNT.name} was learnt from other signals; learn it anew")
    return SmallForest(learnt["trees"]), SmallForest(learnt["trees_with_nearness"])
