"""What the words of part names mean: concepts by class, from `vocabulary*.txt`, in any of its languages, whole or in a compound."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import Final, NamedTuple

from ledger.language.fold import fold


class Concept(NamedTuple):
    """`group` is the class within which two different ones exclude each other (`colour`), `name` the one meant (`red`)."""

    group: str
    name: str


SOFT: Final = "soft"
# What a word can mean.
type Meanings = frozenset[Concept]

_FILES: Final = ("vocabulary.txt", "vocabulary_trades.txt")
_LINE: Final = re.compile(r"(?P<group>\w+) (?P<name>\S+) \|(?P<words>.*)")
# These lines name no concept: they are read by what stands beside a number.
_BESIDE_NUMBERS: Final = ("unit", "pack", "as")
_FOLDED_UMLAUTS: Final = (("ae", "a"), ("oe", "o"), ("ue", "u"))
# Longest first, so that a plural is not taken for a shorter one.
_ENDINGS: Final = ("nen", "ern", "es", "en", "er", "s", "n", "e")
# What German and Dutch put between the parts of a compound.
LINKS: Final = ("", "n", "en", "s", "es", "er", "e")
_SHORTEST_PART: Final = 3
_SHORT_ENDINGS: Final = frozenset({"ol"})
_SHORTEST_MISSPELT: Final = 6
_SHORTEST_BEGINNING: Final = 5
_LONGEST_SHORT: Final = 9
_LONGEST_CUT: Final = 20
_VOWELS: Final = re.compile(r"[aeiou]|(?<=(.))\1")
_SHORTEST_COMPOUND: Final = 8
LONGEST_PHRASE: Final = 4


def _lines() -> list[tuple[Concept, list[str]]]:
    texts = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in _FILES)
    rows = filter(None, map(_LINE.fullmatch, chain.from_iterable(map(str.splitlines, texts))))
    return [
        (
            Concept(row["group"], row["name"]),
            [word.replace("_", " ") for word in row["words"].replace("|", " ").split()],
        )
        for row in rows
    ]


def _load() -> Mapping[str, Meanings]:
    found: dict[str, set[Concept]] = defaultdict(set)
    for concept, words in _lines():
        for word in words if concept.group not in _BESIDE_NUMBERS else ():
            found[fold(word)].add(concept)
    return {word: frozenset(meant) for word, meant in found.items()}


def _beside(group: str) -> dict[str, list[str]]:
    return {concept.name: words for concept, words in _lines() if concept.group == group}


VOCABULARY: Final = _load()
# The unit that is meant by how it is written, folded; and what stands before and after the number of pieces in a pack.
UNITS_WRITTEN: Final = {word: unit for unit, words in _beside("unit").items() for word in words}
PACK_WORDS: Final = _beside("pack")
# What is read as other words, so that each of them means its own.
READ_AS: Final = {word.replace("_", " "): " ".join(words) for word, words in _beside("as").items()}


def consonants(word: str) -> str:
    """A word's first letter and its consonants, doubled ones once."""
    return word[0] + _VOWELS.sub("", word[1:]).replace("ck", "k")


_WORDS: Final = sorted(word for word in VOCABULARY if " " not in word)
_BY_LETTERS: Final[Mapping[tuple[str, int], list[str]]] = defaultdict(list)
for _word in VOCABULARY:
    if len(_word) >= _SHORTEST_MISSPELT and " " not in _word:
        _BY_LETTERS[_word[0], len(_word)].append(_word)

_BY_CONSONANTS: Final[Mapping[str, list[str]]] = defaultdict(list)
for _word in _WORDS:
    for _length in {len(consonants(_word)), _SHORTEST_PART}:
        _BY_CONSONANTS[consonants(_word)[:_length]].append(_word)


@lru_cache(maxsize=50_000)
def meanings(word: str) -> tuple[Meanings, ...]:
    """What a folded word means: one set for each part of a compound, none for a word that is unknown or cut short by a dot."""
    if word.endswith("."):
        known = VOCABULARY.get(word[:-1])
        return (known,) if known else _parts(word[:-1])
    if known := _known(word):
        return (known,)
    if parts := _parts(word):
        return parts
    misspelt = _misspelt(word)
    return (VOCABULARY[misspelt],) if misspelt else ()


def known_phrase(words: Sequence[str]) -> Meanings | None:
    """What several words mean together, also where the last one is a plural."""
    phrase = " ".join(words)
    return VOCABULARY.get(phrase) or VOCABULARY.get(phrase.removesuffix("s"))


def known_ending(word: str) -> tuple[str, tuple[Meanings, ...]]:
    """A long word that ends in a known one, as compounds do: what is before it, and what the ending means."""
    if word.endswith("."):
        return known_ending(word[:-1]) if word[-5:-1] in VOCABULARY else (word, ())
    last = len(word) - _SHORTEST_PART if len(word) >= _SHORTEST_COMPOUND else 0
    at = next((at for at in range(_SHORTEST_PART, last) if word[at:] in VOCABULARY), 0)
    return (word[:at], (VOCABULARY[word[at:]],)) if at else _known_beginning(word)


def _known_beginning(word: str) -> tuple[str, tuple[Meanings, ...]]:
    """A long word that begins with a known one: what is left of it, and what the beginning means."""
    last = len(word) - _SHORTEST_PART if len(word) >= _SHORTEST_COMPOUND else 0
    at = next((at for at in range(last, _SHORTEST_BEGINNING - 1, -1) if word[:at] in VOCABULARY), 0)
    return (word[at:], (VOCABULARY[word[:at]],)) if at else (word, ())


@lru_cache(maxsize=50_000)
def may_mean(word: str) -> Meanings:
    """What a short unknown word can stand for: what begins so (`chop`), or has its consonants (`grtd`)."""
    short, cut = word.rstrip("."), word.endswith(".")
    if not (_SHORTEST_PART <= len(short) <= (_LONGEST_CUT if cut else _LONGEST_SHORT)) or not short.isalpha():
        return frozenset()
    first = bisect_left(_WORDS, short)
    longer = takewhile(lambda known: known.startswith(short), islice(_WORDS, first, None))
    return frozenset().union(*(VOCABULARY[known] for known in (*longer, *_BY_CONSONANTS.get(consonants(short), ()))))


def _known(word: str) -> Meanings | None:
    """As it stands, without an ending, or with its umlauts written as two letters."""
    if word in VOCABULARY:
        return VOCABULARY[word]
    stems = (
        word.removesuffix(end) for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= _SHORTEST_PART
    )
    found = next((VOCABULARY[stem] for stem in stems if stem in VOCABULARY), None)
    if found:
        return found
    plain = word
    for two, one in _FOLDED_UMLAUTS:
        plain = plain.replace(two, one)
    return VOCABULARY.get(plain)


def _parts(word: str) -> tuple[Meanings, ...]:
    """A compound cut into known words, the longest first ones first; empty where something is left over."""
    for end in range(len(word) - 2, _SHORTEST_PART - 1, -1):
        head, rest = word[:end], word[end:]
        if head not in VOCABULARY:
            continue
        for link in LINKS:
            if not rest.startswith(link):
                continue
            tail = rest[len(link) :]
            known = _known(tail) if len(tail) >= _SHORTEST_PART or tail in _SHORT_ENDINGS else None
            more = (known,) if known else _parts(tail)
            if more:
                return (VOCABULARY[head], *more)
    return ()


def _misspelt(word: str) -> str | None:
    """The one known word that is a letter away; short words are never guessed."""
    if len(word) < _SHORTEST_MISSPELT or not word.isalpha():
        return None
    near = (one for size in (-1, 0, 1) for one in _BY_LETTERS.get((word[0], len(word) + size), ()))
    return next((one for one in near if one_letter_apart(word, one)), None)


def one_letter_apart(left: str, right: str) -> bool:
    """Whether one letter is another, missing, too many, or changed places with its neighbour."""
    short, long = sorted((left, right), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    swapped = short[:same] + short[same + 1 : same + 2] + short[same : same + 1] + short[same + 2 :]
    return short[same + (len(short) == len(long)) :] == long[same + 1 :] or swapped == long
