"""A message in its thread as a row of numbers: what it and the messages before it say by themselves, and what is between them."""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.chat.messages import ChatLine
from extraction.chat.tripwire.compiled import Tripwire
from extraction.chat.tripwire.message_features import CHILD, GUARDIAN, KnownPeople, MessageFeatures, message_features

# So many messages before it are looked at, the nearest first.
LOOKED_BACK = 6
# What is not there, below anything that is.
MISSING = -99.0
MAX_MINUTES = 60.0
# Words that two messages share without being about the same.
FREQUENT = frozenset(
    "{who} 0 i the a to and it is of in you me my u so we he she that for on y de la el que und ich die der das ist".split()
)
# How many numbers beside its heads tell of a message before.
_BETWEEN = 9


@dataclass(frozen=True, slots=True)
class AnalysedMessage:
    """A message, what it says by itself, and who says it."""

    message: ChatLine
    features: MessageFeatures
    who: str
    role: str

    def age_of(self, other: "AnalysedMessage") -> float:
        return age_s(other.message, self.message)


def analysed(tripwire: Tripwire, message: ChatLine, people: KnownPeople) -> AnalysedMessage:
    return AnalysedMessage(message, message_features(tripwire, message.text, people), *people.who(message.sender))


def age_s(one: ChatLine, message: ChatLine) -> float:
    """Seconds from one message to the other; 0 where one has no time."""
    if one.sent_at is None or message.sent_at is None:
        return 0.0
    return (message.sent_at - one.sent_at).total_seconds()


def numbers_of(this: AnalysedMessage, before: Sequence[AnalysedMessage], groups: Sequence[str]) -> list[float]:
    """`before` oldest first; what the message answers by a link stands last. Missing ones are `MISSING`. At the end stands
    which of the `groups` are met, in the message and in the one before it."""
    looked_at = before[: -LOOKED_BACK - 1 : -1]
    heads = this.features.heads
    row = _by_itself(this)
    for one in looked_at:
        row += _between(one, this)
    row += [MISSING] * ((len(heads) + _BETWEEN) * (LOOKED_BACK - len(looked_at)))
    row += _of_all(looked_at, this)
    last = looked_at[0].features.groups if looked_at else frozenset()
    return row + [name in met for met in (this.features.groups, last) for name in groups]


def _by_itself(this: AnalysedMessage) -> list[float]:
    features, text = this.features, this.message.text
    return [
        *features.heads, features.words, len(text), "?" in text, "!" in text, "number" in features.met, features.pictures,
        text.isupper(), this.role in CHILD, this.role in GUARDIAN, "child" in features.groups, "person" in features.groups,
    ]  # fmt: skip


def _between(one: AnalysedMessage, this: AnalysedMessage) -> list[float]:
    """What a message before says, and how this one stands to it."""
    theirs, own = one.features, this.features
    shared = (own.vocabulary - FREQUENT) & theirs.vocabulary
    return [
        *theirs.heads, one.who == this.who, "?" in one.message.text, theirs.words, len(shared),
        min(this.age_of(one) / 60, MAX_MINUTES), one.role in CHILD, one.who in own.named, this.who in theirs.named,
        not own.named.isdisjoint(theirs.named),
    ]  # fmt: skip


def _of_all(looked_at: Sequence[AnalysedMessage], this: AnalysedMessage) -> list[float]:
    """How many messages before were looked at, how they coordinate, the last of this one's sender, and how many people spoke."""
    if not looked_at:
        return [0, MISSING, MISSING, MISSING, 0]
    chances = [one.features.heads[0] for one in looked_at]
    own = next((one.features.heads[0] for one in looked_at if one.who == this.who), MISSING)
    return [len(chances), max(chances), sum(chances) / len(chances), own, len({one.who for one in looked_at})]
