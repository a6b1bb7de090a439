"""What goes into a context pack: shelves in a fixed order, never top-k, and a token budget that holds (C11, C12, P17).

Pure: cards in, the pack out. The same cards in any order give the same pack.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from ledger.language.shorten import shortened

ENTITY_SHARE: Final = 0.15
# Trusted values that the question does not touch may not crowd out the answer to it.
UNASKED_SHARE: Final = 0.25
PER_TOPIC: Final = 2
MAX_OMITTED: Final = 100
MAX_STATEMENT: Final = 600


@dataclass(frozen=True, slots=True)
class Shelf:
    """`always`: its cards come along although the question does not touch them. `share`: at most this part of the
    budget, and as much is kept free for it while earlier shelves without `always` are filled."""

    name: str
    title: str
    most: int
    always: bool = False
    share: float | None = None


TRUSTED: Final = Shelf("trusted", "Trusted state", 200, always=True)
CONSTRAINTS: Final = Shelf("constraints", "Constraints and commitments", 200, always=True)
NEGATIVE: Final = Shelf("negative_results", "What did not work", 5)
TACTICS: Final = Shelf("tactics", "What has worked", 4)
FACTS: Final = Shelf("facts", "Facts", 20)
MEMORY: Final = Shelf("memory", "Preferences and memories", 10)
ENTITIES: Final = Shelf("entities", "Decisions and other entities", 20, share=ENTITY_SHARE)
RAW: Final = Shelf("sources", "Raw text", 5)
PENDING: Final = Shelf("pending", "Waiting for a person's decision", 10)

# Trusted over entity over memory; entities stand between preferences and raw text, raw text last.
_GENERAL: Final = (TRUSTED, CONSTRAINTS, NEGATIVE, TACTICS, FACTS, MEMORY, ENTITIES, PENDING, RAW)
SHELF_NAMES: Final = tuple(shelf.name for shelf in _GENERAL)
# What is chosen by relevance; of these a pack may say how many there are at most.
CHOSEN: Final = tuple(shelf.name for shelf in _GENERAL if not shelf.always)
# The three heuristics of C13: what an intent names comes first of what is chosen by relevance.
_BY_INTENT: Final = {
    "trouble": (TRUSTED, CONSTRAINTS, NEGATIVE, FACTS, TACTICS, MEMORY, ENTITIES, PENDING, RAW),
    "how_to": (TRUSTED, CONSTRAINTS, TACTICS, NEGATIVE, FACTS, MEMORY, ENTITIES, PENDING, RAW),
    "last_time": (TRUSTED, CONSTRAINTS, FACTS, MEMORY, ENTITIES, NEGATIVE, TACTICS, PENDING, RAW),
}
# "What did I do last time" is an explicit question: the pack's own caps step aside, the budget does not.
UNCAPPED: Final = 200
_NO_NUMBERS: Final[Mapping[str, int]] = MappingProxyType({})


def shelves_for(
    intent: str, *, most: Mapping[str, int] = _NO_NUMBERS, entities_share: float = ENTITY_SHARE
) -> tuple[Shelf, ...]:
    """The shelves in the order that the intent asks for. `most` and `entities_share` are a pack's own numbers."""
    caps = dict(most)
    if intent == "last_time":
        caps |= dict.fromkeys((FACTS.name, MEMORY.name, ENTITIES.name), UNCAPPED)
    shares = {ENTITIES.name: entities_share}
    return tuple(
        replace(shelf, most=caps.get(shelf.name, shelf.most), share=shares.get(shelf.name))
        for shelf in _BY_INTENT.get(intent, _GENERAL)
    )


@dataclass(frozen=True, slots=True)
class Card:
    """One thing that could be shown. `cites` is the words of its citation without brackets, `score` orders its shelf,
    `asked` says that the question touches it; a nearer or more trusted card takes its `slot` from it, a trusted one its `key`."""

    ref: str
    shelf: str
    statement: str
    cites: str
    score: float = 0.0
    asked: bool = True
    topic: str = ""
    slot: str = ""
    key: str = ""
    flags: tuple[str, ...] = ()
    # Nearest scope first: 0 is the scope asked for. Trust: 0 trusted, 1 entity, 2 memory, 3 pending, 4 raw text.
    distance: int = 0
    trust: int = 1
    # Whose words it rests on and when they were said: `Ann, 2026-03-02`.
    said: str = ""

    @property
    def order(self) -> tuple[bool, float, str]:
        return (not self.asked, -self.score, self.ref)


@dataclass(frozen=True, slots=True)
class Packed:
    """`chosen` in the order of the page; `omitted` as (ref, why). `tokens` is the estimate of `markdown`."""

    chosen: tuple[Card, ...] = ()
    omitted: tuple[tuple[str, str], ...] = ()
    markdown: str = ""
    tokens: int = 0


def estimate_tokens(text: str) -> int:
    """A quarter of the UTF-8 bytes, rounded up: four characters of English, fewer of other scripts, as tokenisers count.

    Never below `ceil(len(text) / 4)`.
    """
    return -(-len(text.encode("utf-8", "replace")) // 4)


def pack(
    cards: Iterable[Card], *, budget_tokens: int, shelves: Sequence[Shelf] = _GENERAL, per_topic: int = PER_TOPIC
) -> Packed:
    """Fill the shelves in their order until the budget is spent.

    The page with its headings and citations never costs more than `budget_tokens`. What is left out is listed with
    why: `shadowed by REF`, `topic`, `shelf is full`, `budget`.
    """
    live, omitted = _nearest(cards)
    filling = _Filling(budget_tokens, per_topic, omitted=omitted)
    reserved = {shelf.name: int(budget_tokens * shelf.share) for shelf in shelves if shelf.share is not None}
    for shelf in shelves:
        own = reserved.pop(shelf.name, budget_tokens)
        kept_free = 0 if shelf.always else sum(reserved.values())
        filling.fill(shelf, live, limit=min(budget_tokens - kept_free, filling.spent + own))
    markdown = markdown_of(filling.chosen, shelves)
    return Packed(tuple(filling.chosen), tuple(omitted[:MAX_OMITTED]), markdown, estimate_tokens(markdown))


@dataclass(slots=True)
class _Filling:
    """What stands on the page so far. `unasked` is spent on trusted values that the question does not touch."""

    budget: int
    per_topic: int
    omitted: list[tuple[str, str]]
    chosen: list[Card] = field(default_factory=list)
    spent: int = 0
    unasked: int = 0
    topics: Counter[str] = field(default_factory=Counter)

    def fill(self, shelf: Shelf, cards: Iterable[Card], *, limit: int) -> None:
        before = len(self.chosen)
        for card in sorted((card for card in cards if card.shelf == shelf.name), key=lambda card: card.order):
            taken = len(self.chosen) - before
            # Joined lines are cheaper than their sum (each is rounded up), so the sum holds the budget.
            cost = estimate_tokens(line_of(card) + "\n") + (0 if taken else _heading_cost(shelf, first=not before))
            topic = "" if shelf.always else card.topic.casefold()
            if why := self._no_room(card, shelf, topic, taken, cost, limit):
                self.omitted.append((card.ref, why))
                continue
            self.chosen.append(card)
            self.spent += cost
            self.unasked += 0 if card.asked else cost
            self.topics[topic] += 1

    def _no_room(self, card: Card, shelf: Shelf, topic: str, taken: int, cost: int, limit: int) -> str:
        if topic and self.topics[topic] >= self.per_topic:
            return "topic"
        if taken >= shelf.most:
            return "shelf is full"
        over_share = not card.asked and self.unasked + cost > self.budget * UNASKED_SHARE
        return "budget" if self.spent + cost > limit or (over_share and shelf.name == TRUSTED.name) else ""


def _nearest(cards: Iterable[Card]) -> tuple[list[Card], list[tuple[str, str]]]:
    """On a slot what is as near and as trusted, and more of one, stands for the rest; equals stand beside each other.

    So a nearer scope wins, and a trusted value over claims with its key; a near claim never hides a trusted value above it.
    """
    ordered = sorted({card.ref: card for card in sorted(cards, key=_nearness, reverse=True)}.values(), key=_nearness)
    on_slot: defaultdict[str, list[Card]] = defaultdict(list)
    for card in ordered:
        for name in _slots_held(card):
            on_slot[name].append(card)
    live, omitted = [], []
    for card in ordered:
        over = next((other for other in _beside(card, on_slot) if _stands_for(other, card)), None)
        if over is None:
            live.append(card)
        else:
            omitted.append((card.ref, f"shadowed by {over.ref}"))
    return live, omitted


def _beside(card: Card, on_slot: Mapping[str, list[Card]]) -> list[Card]:
    """What holds its slot or, as a trusted value, its key: nearest first. What waits for a decision stands beside all."""
    if "pending" in card.flags:
        return []
    found = [*on_slot[card.slot], *(on_slot[_trusted_slot(card)] if card.key else ())]
    return sorted(found, key=_nearness)


def _nearness(card: Card) -> tuple[int, int, str, str]:
    return (card.distance, card.trust, card.ref, card.shelf)


def _trusted_slot(card: Card) -> str:
    return f"trusted|{card.key}"


def _slots_held(card: Card) -> list[str]:
    if "pending" in card.flags:
        return []
    return [name for name in (card.slot, _trusted_slot(card) if card.trust == 0 and card.key else "") if name]


def _stands_for(other: Card, card: Card) -> bool:
    closer = other.distance <= card.distance and other.trust <= card.trust
    return closer and (other.distance, other.trust) != (card.distance, card.trust)


def _heading_cost(shelf: Shelf, *, first: bool) -> int:
    return estimate_tokens(_heading(shelf) if first else "\n" + _heading(shelf))


def _heading(shelf: Shelf) -> str:
    return f"## {shelf.title}\n"


_BREAKS: Final = re.compile(r"\s+")
# What in a sender's name could pass for a part of the line.
_UNSAFE: Final = re.compile(r"[\s\[\]()]+")


def line_of(card: Card) -> str:
    """`- words — Ann, 2026-03-02 (flags) [REF source 3:10-42]`: one line whatever the words hold, its citation at its end."""
    words = shortened(_BREAKS.sub(" ", card.statement).strip(), MAX_STATEMENT)
    said = f" — {_UNSAFE.sub(' ', card.said).strip()}" if card.said else ""
    flags = f" ({', '.join(card.flags)})" if card.flags else ""
    return f"- {words}{said}{flags} [{card.cites or card.ref}]"


def markdown_of(cards: Sequence[Card], shelves: Sequence[Shelf]) -> str:
    """One heading a shelf, one line a card; the empty string for no cards."""
    parts = []
    for shelf in shelves:
        lines = [line_of(card) + "\n" for card in cards if card.shelf == shelf.name]
        if lines:
            parts.append(_heading(shelf) + "".join(lines))
    return "\n".join(parts)
