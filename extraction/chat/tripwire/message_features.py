"""A message by itself: the groups that it meets, its length and form, whom it names. The people of a scope."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from extraction.chat.decision_tables import signs_among
from extraction.chat.people import HouseholdMember
from extraction.chat.tripwire.compiled import ENDS, LENGTHS, LONG, SOMEBODY, STARTS, Tripwire
from extraction.chat.tripwire.model import NUMBER, features_of
from extraction.chat.tripwire.words import MAX_CHARS, Token, tokens_of
from ledger.language.fold import fold

CHILD = frozenset({"child", "kid", "son", "daughter", "teen"})
GUARDIAN = frozenset({"guardian", "parent", "mother", "father"})
# Capitals that are a word or a vowel of it stand for nobody.
_NO_INITIALS = frozenset("IAYOEU")
_MAX_SHORT = 3
_MIN_NAME = 3
# By how many words no phrase knows, three of them for more.
_STRANGENESS = ("familiar", "strange", "strange", "stranger")
# From here on signs are pictures: arrows, boxes, emoji.
_PICTURES = 0x2500
_SOME_CHILD = ("", "child")


@dataclass(frozen=True, slots=True)
class MessageFeatures:
    """`met` is all that is seen in the message by itself, each with the words for it; `words` and `pictures` how many it
    has; `heads` what it says by itself as it was learnt, empty where nothing was."""

    met: Mapping[str, str]
    words: int
    pictures: int
    named: frozenset[str]
    # Each word once, a name as {who}, a number as 0.
    vocabulary: frozenset[str]
    # The groups alone, without where they stand.
    groups: frozenset[str]
    # What the pack's learned weights are of.
    features: frozenset[str]
    heads: tuple[float, ...]


class KnownPeople:
    """Who belongs to a scope, looked up by any of their names."""

    def __init__(self, members: Iterable[HouseholdMember]) -> None:
        members = list(members)
        # Of two with one name the first has it.
        self.roles = {
            part: (fold(one.name), fold(one.role)) for one in reversed(members) for part in _parts_of_names(one)
        }
        self.initials = {one.name[:1].upper() for one in members if fold(one.role) in CHILD} - _NO_INITIALS
        self.has_children = any(role in CHILD for _, role in self.roles.values())

    def named_by(self, token: Token) -> tuple[str, str] | None:
        """First name and role of whom a word names: by a name, one with an s behind it, or a child's initial."""
        forms = (*token.forms, token.forms[0].removesuffix("s"))
        initial = _SOME_CHILD if token.raw in self.initials else None
        return next((self.roles[form] for form in forms if form in self.roles), initial)

    def who(self, name: str) -> tuple[str, str]:
        """First name and role; of a stranger the name itself."""
        folded = fold(name).strip()
        return self.roles.get(folded) or self.roles.get(folded.split(" ")[0], (folded, ""))


def _parts_of_names(member: HouseholdMember) -> set[str]:
    folded = [fold(name) for name in member.names]
    return {part for name in folded for part in (name.strip(), *name.split()) if len(part) > 1}


@lru_cache(maxsize=512)
def people_known(members: tuple[HouseholdMember, ...]) -> KnownPeople:
    return KnownPeople(members)


@lru_cache(maxsize=1024)
def message_features(tripwire: Tripwire, text: str, people: KnownPeople) -> MessageFeatures:
    tokens = tokens_of(text)
    words = [at for at, token in enumerate(tokens) if token.is_word]
    names = _names(tripwire, tokens, people)
    beginning = text[:MAX_CHARS]
    met, strange = tripwire.groups_in(tokens, fold(beginning), names)
    for at, (_, role) in names.items():
        met.setdefault("child" if role in CHILD else "person", tokens[at].raw)
    if "?" in beginning:
        met["question"] = "?"
    groups = frozenset(name for name in met if not name.startswith((STARTS, ENDS)))
    pictures = sum(ord(char) > _PICTURES for char in beginning)
    met |= dict.fromkeys(_forms(beginning, len(words), strange, pictures), "")
    if groups <= tripwire.noise:
        met["bare"] = ""
    spoken = [SOMEBODY if at in names else _word(token) for at, token in enumerate(tokens)]
    features = frozenset(features_of(met.keys() - tripwire.noise, spoken))
    return MessageFeatures(
        met=met,
        words=len(words),
        pictures=pictures,
        named=frozenset(name for name, _ in names.values()),
        vocabulary=frozenset(spoken[at] for at in words),
        groups=groups,
        features=features,
        heads=tripwire.learned.heads(features),
    )


def _names(tripwire: Tripwire, tokens: list[Token], people: KnownPeople) -> dict[int, tuple[str, str]]:
    """The places of words that name somebody, with first name and role."""
    words = [(at, token) for at, token in enumerate(tokens) if token.is_word]
    names = {at: known for at, token in words if (known := people.named_by(token))}
    if people.has_children:
        return names
    return names | {at: _SOME_CHILD for at, token in words if at not in names and _may_be_name(token, tripwire)}


def _forms(text: str, words: int, strange: int, pictures: int) -> Iterable[str]:
    """The length of a message and what else is seen of its form."""
    yield [*(name for _, name in LENGTHS), LONG][bisect_left(LENGTHS, (words,))]
    digits = any(map(str.isdigit, text))
    yield from signs_among({"short": words <= _MAX_SHORT, "number": digits, "bang": "!" in text, "emoji": pictures})
    yield _STRANGENESS[min(strange, len(_STRANGENESS) - 1)] if words else "strange"


def _word(token: Token) -> str:
    return NUMBER if token.raw[0].isdigit() else token.forms[0]


def _may_be_name(token: Token, tripwire: Tripwire) -> bool:
    """A capitalised word that is no word of the packs: a child nobody has told us of."""
    raw = token.raw
    if len(raw) < _MIN_NAME or not raw[0].isupper() or not raw[1:].islower():
        return False
    return not any(form in tripwire.spelling.plain or tripwire.spelling.nearest(form) for form in token.forms)
