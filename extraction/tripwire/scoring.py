"""Score one message in its thread: what it says, what was said before it, who says it (O1, O3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from extraction.tripwire.compiled import Member, Tripwire
from extraction.tripwire.said import CHILD, GUARDIAN, People, Said, people_of, said_of
from extraction.tripwire.threads import Message, Told, age, seen_in_thread

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
    known = people_of(tuple(people))
    reach = tripwire.context.topic_seconds
    window = [one for one in before if one.reply or 0 <= age(one, message) <= reach]
    window = [one for one in window if one.reply][:1] + [one for one in window if not one.reply][-WINDOW:]
    told: list[Told] = []
    for one in window:
        told.append(read(tripwire, one, told, known)[0])
    this, seen = read(tripwire, message, told, known)
    return _verdict(tripwire, this.said, seen)


def read(tripwire: Tripwire, message: Message, told: Sequence[Told], people: People) -> tuple[Told, dict[str, str]]:
    """The message as it is told to those behind it, and all that is seen in it, each with the words for it, if any."""
    said = said_of(tripwire, message.text, people)
    who, role = people.who(message.sender)
    seen = dict(said.met)
    if role in CHILD:
        seen["from_child"] = ""
    elif role and role not in GUARDIAN:
        seen["from_helper"] = ""
    seen |= dict.fromkeys(seen_in_thread(tripwire, message, said, who, told, people), "")
    odds = odds_of(tripwire, said, seen)
    passed = _points(tripwire, said, seen, odds) >= tripwire.threshold or answers(tripwire, seen)
    chance = _chance(odds - bar_of(tripwire, said, seen))
    return Told(message, said, who, role, max(chance, 0.5) if passed else min(chance, 0.4999)), seen


def odds_of(tripwire: Tripwire, said: Said, seen: Mapping[str, str]) -> float:
    """The sum of all weights. Thanks and laughter lower it only where nothing is being arranged (O1)."""
    return tripwire.base + sum(weight for weight, _, _ in _weighed(tripwire, said, seen))


def bar_of(tripwire: Tripwire, said: Said, seen: Mapping[str, str]) -> float:
    """The odds from which on a message passes: the threshold, less what the thread adds."""
    bar = max(0.01, min(0.99, tripwire.threshold - sum(_boosts(tripwire, said, seen))))
    return log(bar / (1 - bar))


def answers(tripwire: Tripwire, seen: Mapping[str, str]) -> bool:
    """An open question just before, and somebody takes it on or refuses: that is read whatever it scores (O3)."""
    return "asked_now" in seen and not tripwire.takes.isdisjoint(seen)


def _weighed(tripwire: Tripwire, said: Said, seen: Mapping[str, str]) -> list[tuple[float, str, str]]:
    weights, pairs, noise = tripwire.weights, tripwire.pairs, tripwire.noise
    heard = seen.keys() - noise if "thread" in seen else seen.keys()
    found: list[tuple[float, str, str]] = []
    for name in heard:
        if weight := weights.get(name):
            found.append((weight, name, ""))
        if others := pairs.get(name):
            found += [(others[other], name, other) for other in others.keys() & heard]
    vocabulary = tripwire.vocabulary
    if vocabulary:
        for word in said.vocabulary & vocabulary.keys():
            found.append((vocabulary[word], word, word))
    return found


def _boosts(tripwire: Tripwire, said: Said, seen: Mapping[str, str]) -> list[float]:
    context = tripwire.context
    if "thread" not in seen:
        return []
    return [context.boost, context.short_boost] if said.words <= context.short_words else [context.boost]


def _points(tripwire: Tripwire, said: Said, seen: Mapping[str, str], odds: float) -> float:
    return round(min(1.0, _chance(odds) + sum(_boosts(tripwire, said, seen))), 4)


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-max(-STEEPEST, min(STEEPEST, odds))))


def _verdict(tripwire: Tripwire, said: Said, seen: Mapping[str, str]) -> Verdict:
    found = _weighed(tripwire, said, seen)
    points = _points(tripwire, said, seen, tripwire.base + sum(weight for weight, _, _ in found))
    names = ("coordination thread", "short in the thread")
    why = [f"{name} +{boost:.2f}" for name, boost in zip(names, _boosts(tripwire, said, seen), strict=False)]
    passed = points >= tripwire.threshold
    if not passed and answers(tripwire, seen):
        passed = True
        why.append("answers an open question")
    found.sort(key=lambda one: (-abs(one[0]), one[1:]))
    why += [f"{_told(seen, name, other)} {weight:+.2f}" for weight, name, other in found[:TOLD] if abs(weight) >= 0.005]
    return Verdict(points, tripwire.threshold, passed, tuple(why))


def _told(seen: Mapping[str, str], name: str, other: str) -> str:
    if name == other:
        return f"“{name[:40]}”"
    words = seen[name]
    return (f"{name} with {other}" if other else f"{name}: {words}" if words else name)[:60]
