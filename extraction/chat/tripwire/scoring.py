"""Score one message in its thread: what it says, what was said before it, who says it (O1, O3)."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from math import exp

from extraction.chat.tripwire.compiled import Member, Tripwire
from extraction.chat.tripwire.learned import zero_at
from extraction.chat.tripwire.numbers import numbers_of
from extraction.chat.tripwire.said import People, Said, people_of, said_of
from extraction.chat.tripwire.threads import Message, Told, age, asked_just_now, near

# As many messages before it are read with it.
WINDOW = 8
TOLD = 20
STEEPEST = 30.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """`score` 0 to 1; `patterns` is why, in words. `passed` although the score is below: the answer to an open question."""

    score: float
    threshold: float
    passed: bool
    patterns: tuple[str, ...]


def score(
    tripwire: Tripwire, message: Message, before: Sequence[Message] = (), people: Sequence[Member] = ()
) -> Verdict:
    """`before` is what was said before in the same conversation, oldest first; more than the window needs does no harm."""
    this, told = window_of(tripwire, message, before, people_of(tuple(people)))
    thread = any(_says_it(tripwire, one.said) for one in near(tripwire, message, told))
    parts = _parts(tripwire, this, told, thread)
    boosts = _boosts(tripwire, this.said, thread)
    points = round(min(1.0, _chance(sum(weight for weight, _ in parts)) + sum(boosts)), 4)
    names = ("coordination thread", "short in the thread")
    why = [f"{name} +{boost:.2f}" for name, boost in zip(names, boosts, strict=False)]
    passes = points >= tripwire.threshold
    # An open question just before, and somebody takes it on or refuses: that is read whatever it scores (O3).
    if not passes and not tripwire.takes.isdisjoint(this.said.groups) and asked_just_now(tripwire, this, told):
        passes = _says_it(tripwire, told[-1].said)
        if passes:
            why.append("answers an open question")
    why += _told(tripwire, this.said, parts)
    return Verdict(points, tripwire.threshold, passes, tuple(why))


def window_of(
    tripwire: Tripwire, message: Message, before: Sequence[Message], people: People
) -> tuple[Told, list[Told]]:
    """The message, and those before it that are read with it, oldest first; the one that it answers by a link stands last,
    as if it had been said just before."""
    reach = tripwire.context.topic_seconds
    window = [one for one in before if not one.reply and 0 <= age(one, message) <= reach][-WINDOW:]
    window += [one for one in before if one.reply][:1]
    this, *told = (told_of(tripwire, one, people) for one in (message, *window))
    return this, told


def told_of(tripwire: Tripwire, message: Message, people: People) -> Told:
    who, role = people.who(message.sender)
    return Told(message, said_of(tripwire, message.text, people), who, role)


def _says_it(tripwire: Tripwire, said: Said) -> bool:
    """Whether an earlier message would pass by its own words, whatever stood before it."""
    odds = sum(weight for weight, _ in _words(tripwire, said, said.met.keys()))
    return _chance(odds + (said.heads[0] + zero_at(False, False) if said.heads else 0.0)) >= tripwire.threshold


def _words(tripwire: Tripwire, said: Said, heard: Set[str]) -> list[tuple[float, str]]:
    """What the pack's own weights add, each with its name."""
    weights, pairs, vocabulary = tripwire.weights, tripwire.pairs, tripwire.vocabulary
    parts = [(tripwire.base, "")]
    for name in heard:
        if weight := weights.get(name):
            parts.append((weight, _named(said.met, name)))
        if others := pairs.get(name):
            parts += [(others[other], f"{name} with {other}") for other in others.keys() & heard]
    return parts + [(vocabulary[word], f"“{word[:40]}”") for word in said.vocabulary & vocabulary.keys()]


def _parts(tripwire: Tripwire, this: Told, before: Sequence[Told], thread: bool) -> list[tuple[float, str]]:
    """What adds up to the odds, each with its name. Thanks and laughter lower it only where nothing is being arranged (O1)."""
    said, learned = this.said, tripwire.learned
    parts = _words(tripwire, said, said.met.keys() - tripwire.noise if thread else said.met.keys())
    if learned is not None:
        odds = learned.odds(numbers_of(this, before, learned.groups))
        short = said.words <= tripwire.context.short_words
        parts.append((said.heads[0], "by itself"))
        parts.append((odds - said.heads[0], "in its thread"))
        parts.append((zero_at(thread, short), ""))
    return parts


def _boosts(tripwire: Tripwire, said: Said, thread: bool) -> list[float]:
    context = tripwire.context
    if not thread:
        return []
    return [context.boost, context.short_boost] if said.words <= context.short_words else [context.boost]


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-max(-STEEPEST, min(STEEPEST, odds))))


def _told(tripwire: Tripwire, said: Said, parts: Sequence[tuple[float, str]]) -> list[str]:
    """The parts, the heaviest first, and the words that make up what the message says by itself."""
    found = [(weight, name) for weight, name in parts if name]
    if tripwire.learned is not None:
        words = tripwire.learned.words
        for feature in said.features & words.keys():
            kind, _, name = feature.partition(":")
            found.append((words[feature][0] / 100, _named(said.met, name) if kind == "g" else f"“{name[:40]}”"))
    found.sort(key=lambda one: (-abs(one[0]), one[1]))
    return [f"{name} {weight:+.2f}" for weight, name in found[:TOLD] if abs(weight) >= 0.005]


def _named(met: Mapping[str, str], name: str) -> str:
    return f"{name}: {met[name]}"[:60] if met.get(name) else name
