"""Score one message in its thread: what it says, what was said before it, who says it (O1, O3)."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from math import exp

from extraction.chat.messages import ChatLine
from extraction.chat.people import HouseholdMember
from extraction.chat.tripwire.compiled import Tripwire
from extraction.chat.tripwire.message_features import KnownPeople, MessageFeatures, people_known
from extraction.chat.tripwire.model import zero_at
from extraction.chat.tripwire.thread_features import AnalysedMessage, age_s, analysed, numbers_of

# As many messages before it are read with it.
WINDOW = 8
MAX_REASONS = 20
MAX_ODDS = 30.0
# What weighs less than this is no reason.
_MIN_WEIGHT = 0.005
Part = tuple[float, str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`score` 0 to 1; `patterns` is why, in words. `passed` although the score is below: the answer to an open question."""

    score: float
    threshold: float
    passed: bool
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgedWindow:
    """A message and those before it that are read with it, oldest first; the one that it answers by a link stands last, as if it
    had been said just before."""

    this: AnalysedMessage
    before: Sequence[AnalysedMessage]
    linked: bool = False


def score(
    tripwire: Tripwire,
    message: ChatLine,
    before: Sequence[ChatLine] = (),
    people: Sequence[HouseholdMember] = (),
    answered: ChatLine | None = None,
) -> Verdict:
    """`before` is what was said before in the same conversation, oldest first; more than the window needs does no harm.
    `answered` is the message that it answers by a link."""
    window = window_of(tripwire, message, before, people_known(tuple(people)), answered)
    features = window.this.features
    thread = any(_says_it(tripwire, one.features) for one in _near(tripwire, window))
    parts = _parts(tripwire, window, thread)
    boosts = _boosts(tripwire, features, thread)
    points = round(min(1.0, _chance(sum(weight for weight, _ in parts)) + sum(boosts.values())), 4)
    passes = points >= tripwire.threshold
    opened = not passes and _answers_open_question(tripwire, window)
    reasons = [f"{name} +{boost:.2f}" for name, boost in boosts.items()]
    reasons += ["answers an open question"] * opened
    reasons += _reasons([*parts, *_learnt_parts(tripwire, features)])
    return Verdict(points, tripwire.threshold, passes or opened, tuple(reasons))


def window_of(
    tripwire: Tripwire,
    message: ChatLine,
    before: Sequence[ChatLine],
    people: KnownPeople,
    answered: ChatLine | None = None,
) -> JudgedWindow:
    reach = tripwire.context.topic_seconds
    window = [one for one in before if 0 <= age_s(one, message) <= reach][-WINDOW:]
    linked = [answered] if answered is not None else []
    this, *others = (analysed(tripwire, one, people) for one in (message, *window, *linked))
    return JudgedWindow(this, others, bool(linked))


def _near(tripwire: Tripwire, window: JudgedWindow) -> Sequence[AnalysedMessage]:
    """Those that make a thread of coordination where one of them coordinates: the last few, and the one that is answered."""
    context = tripwire.context
    end = len(window.before) - window.linked
    recent = [one for one in window.before[:end] if window.this.age_of(one) <= context.seconds]
    return [*recent[max(0, len(recent) - context.messages) :], *window.before[end:]]


def _answers_open_question(tripwire: Tripwire, window: JudgedWindow) -> bool:
    """An open question of somebody else just before, and somebody takes it on or refuses: read whatever it scores (O3)."""
    this = window.this
    if not window.before or tripwire.takes.isdisjoint(this.features.groups):
        return False
    last = window.before[-1]
    asks = not (tripwire.opens | {"question"}).isdisjoint(last.features.groups)
    in_time = this.age_of(last) <= tripwire.context.question_seconds
    return asks and in_time and last.who != this.who and _says_it(tripwire, last.features)


def _says_it(tripwire: Tripwire, features: MessageFeatures) -> bool:
    """Whether an earlier message would pass by its own words, whatever stood before it."""
    odds = sum(weight for weight, _ in _pack_parts(tripwire, features, features.met.keys()))
    learnt = features.heads[0] + zero_at(False, False) if features.heads else 0.0
    return _chance(odds + learnt) >= tripwire.threshold


def _pack_parts(tripwire: Tripwire, features: MessageFeatures, seen: Set[str]) -> list[Part]:
    """What the pack's own weights add, each with its name."""
    weights, pairs, vocabulary = tripwire.weights, tripwire.pairs, tripwire.vocabulary
    parts = [(tripwire.base, "")]
    for name in seen:
        if weight := weights.get(name):
            parts.append((weight, _named(features.met, name)))
        others = pairs.get(name, {})
        parts += [(others[other], f"{name} with {other}") for other in others.keys() & seen]
    return parts + [(vocabulary[word], f"“{word[:40]}”") for word in features.vocabulary & vocabulary.keys()]


def _parts(tripwire: Tripwire, window: JudgedWindow, thread: bool) -> list[Part]:
    """What adds up to the odds, each with its name. Thanks and laughter lower it only where nothing is being arranged (O1)."""
    features, model = window.this.features, tripwire.learned
    seen = features.met.keys() - tripwire.noise if thread else features.met.keys()
    parts = _pack_parts(tripwire, features, seen)
    if not model:
        return parts
    odds = model.odds(numbers_of(window.this, window.before, model.groups))
    alone = features.heads[0]
    short = features.words <= tripwire.context.short_words
    return [*parts, (alone, "by itself"), (odds - alone, "in its thread"), (zero_at(thread, short), "")]


def _boosts(tripwire: Tripwire, features: MessageFeatures, thread: bool) -> dict[str, float]:
    context = tripwire.context
    if not thread:
        return {}
    short = {"short in the thread": context.short_boost} if features.words <= context.short_words else {}
    return {"coordination thread": context.boost} | short


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-max(-MAX_ODDS, min(MAX_ODDS, odds))))


def _learnt_parts(tripwire: Tripwire, features: MessageFeatures) -> list[Part]:
    """The words and groups that make up what the message says by itself."""
    words = tripwire.learned.words
    known = [(feature.partition(":"), words[feature][0] / 100) for feature in features.features & words.keys()]
    return [
        (weight, _named(features.met, name) if kind == "g" else f"“{name[:40]}”") for (kind, _, name), weight in known
    ]


def _reasons(parts: Iterable[Part]) -> list[str]:
    """The parts with a name, the heaviest first."""
    named = sorted((part for part in parts if part[1]), key=lambda part: (-abs(part[0]), part[1]))
    return [f"{name} {weight:+.2f}" for weight, name in named[:MAX_REASONS] if abs(weight) >= _MIN_WEIGHT]


def _named(met: Mapping[str, str], name: str) -> str:
    return f"{name}: {met[name]}"[:60] if met.get(name) else name
