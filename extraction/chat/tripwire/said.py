"""A message by itself: the groups that it meets, its length and form, whom it names. The people of a scope."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from extraction.chat.tripwire.compiled import Member, Tripwire
from extraction.chat.tripwire.learned import NUMBER, features_of
from extraction.chat.tripwire.seeing import ENDS, LENGTHS, LONG, STARTS
from extraction.chat.tripwire.words import LONGEST, Token, tokens_of
from ledger.language.fold import fold

CHILD = frozenset({"child", "kid", "son", "daughter", "teen"})
GUARDIAN = frozenset({"guardian", "parent", "mother", "father"})
SHORT = 3
MANY_STRANGE = 3
# From here on signs are pictures: arrows, boxes, emoji.
PICTURES = 0x2500
NAME = "{who}"


@dataclass(frozen=True, slots=True)
class Said:
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


class People:
    """Who belongs to a scope, looked up by any of their names."""

    def __init__(self, members: Iterable[Member]) -> None:
        self.roles: dict[str, tuple[str, str]] = {}
        self.initials: set[str] = set()
        for member in members:
            role, known = fold(member.role), fold(member.names[0])
            for name in member.names:
                for part in {fold(name).strip(), *fold(name).split()}:
                    if len(part) > 1:
                        self.roles.setdefault(part, (known, role))
            if role in CHILD:
                self.initials.add(member.names[0][:1].upper())
        self.initials -= {"I", "A", "Y", "O", "E", "U"}
        self.children = any(role in CHILD for _, role in self.roles.values())

    def named_by(self, token: Token) -> tuple[str, str] | None:
        """First name and role of whom a word names: by a name, one with an s behind it, or a child's initial."""
        for form in (*token.forms, token.forms[0].removesuffix("s")):
            if form in self.roles:
                return self.roles[form]
        return ("", "child") if token.raw in self.initials else None

    def who(self, name: str) -> tuple[str, str]:
        """First name and role; of a stranger the name itself."""
        folded = fold(name).strip()
        return self.roles.get(folded) or self.roles.get(folded.split(" ")[0], (folded, ""))


@lru_cache(maxsize=512)
def people_of(members: tuple[Member, ...]) -> People:
    return People(members)


@lru_cache(maxsize=1024)
def said_of(tripwire: Tripwire, text: str, people: People) -> Said:
    tokens = tokens_of(text)
    words = sum(token.is_word for token in tokens)
    names = {at: hit for at, token in enumerate(tokens) if token.is_word and (hit := people.named_by(token))}
    if not people.children:
        names |= {
            at: ("", "child") for at, token in enumerate(tokens) if at not in names and _may_be_name(token, tripwire)
        }
    met, strange = tripwire.groups_in(tokens, fold(text[:LONGEST]), names)
    for at, (_, role) in names.items():
        met.setdefault("child" if role in CHILD else "person", tokens[at].raw)
    if any(token.raw == "?" for token in tokens):
        met["question"] = "?"
    groups = frozenset(name for name in met if not name.startswith((STARTS, ENDS)))
    met |= dict.fromkeys(_form(text, words, strange), "")
    if groups <= tripwire.noise:
        met["bare"] = ""
    spoken = [_word(token) if at not in names else NAME for at, token in enumerate(tokens)]
    vocabulary = frozenset(word for word, token in zip(spoken, tokens, strict=True) if token.is_word)
    named = frozenset(name for name, _ in names.values())
    features = frozenset[str]()
    heads: tuple[float, ...] = ()
    if tripwire.learned is not None:
        features = frozenset(features_of(met.keys() - tripwire.noise, spoken))
        heads = tripwire.learned.heads(features)
    pictures = sum(ord(c) > PICTURES for c in text[:LONGEST])
    return Said(met, words, pictures, named, vocabulary, groups, features, heads)


def _form(text: str, words: int, strange: int) -> Iterable[str]:
    yield next((name for most, name in LENGTHS if words <= most), LONG)
    if words <= SHORT:
        yield "short"
    beginning = text[:LONGEST]
    if any(c.isdigit() for c in beginning):
        yield "number"
    if "!" in beginning:
        yield "bang"
    if not beginning.isascii() and any(ord(c) > PICTURES for c in beginning):
        yield "emoji"
    yield "familiar" if words and not strange else "stranger" if strange >= MANY_STRANGE else "strange"


def _word(token: Token) -> str:
    return NUMBER if token.raw[0].isdigit() else token.forms[0]


def _may_be_name(token: Token, tripwire: Tripwire) -> bool:
    """A capitalised word that is no word of the packs: a child nobody has told us of."""
    raw = token.raw
    if not token.is_word or len(raw) < 3 or not raw[0].isupper() or not raw[1:].islower():
        return False
    return not any(form in tripwire.spelling.plain or tripwire.spelling.nearest(form) for form in token.forms)
