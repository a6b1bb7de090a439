"""A message in its thread as a row of numbers: what it and the messages before it say by themselves, and what is between them."""

from collections.abc import Sequence

from extraction.chat.tripwire.said import CHILD, GUARDIAN
from extraction.chat.tripwire.threads import Told, age

# So many messages before it are looked at, the nearest first.
LOOKED_BACK = 6
# What is not there, below anything that is.
NONE = -99.0
MAX_MINUTES = 60.0
# Words that two messages share without being about the same.
FREQUENT = frozenset(
    "{who} 0 i the a to and it is of in you me my u so we he she that for on y de la el que und ich die der das ist".split()
)


def numbers_of(this: Told, before: Sequence[Told], groups: Sequence[str]) -> list[float]:
    """`before` oldest first; what the message answers by a link stands last. Missing ones are `NONE`. At the end stands which
    of the `groups` are met, in the message and in the one before it."""
    said = this.said
    text = this.message.text
    row = [
        *said.heads, said.words, len(text), "?" in text, "!" in text, "number" in said.met, said.pictures, text.isupper(),
        this.role in CHILD, this.role in GUARDIAN, "child" in said.groups, "person" in said.groups,
    ]  # fmt: skip
    looked = before[: -LOOKED_BACK - 1 : -1]
    words = said.vocabulary - FREQUENT
    own = NONE
    for one in looked:
        same = one.who == this.who
        row += one.said.heads
        row += [
            same, "?" in one.message.text, one.said.words, len(words & one.said.vocabulary),
            min(age(one.message, this.message) / 60, MAX_MINUTES), one.role in CHILD, one.who in said.named,
            this.who in one.said.named, not said.named.isdisjoint(one.said.named),
        ]  # fmt: skip
        if same and own == NONE:
            own = one.said.heads[0]
    row += [NONE] * ((len(said.heads) + 9) * (LOOKED_BACK - len(looked)))
    chances = [one.said.heads[0] for one in looked]
    if chances:
        row += [len(looked), max(chances), sum(chances) / len(chances), own, len({one.who for one in looked})]
    else:
        row += [0, NONE, NONE, NONE, 0]
    last = looked[0].said.groups if looked else frozenset[str]()
    row += [name in said.groups for name in groups]
    row += [name in last for name in groups]
    return row
