"""Words: how a text is cut into them, their rough stems, and those that carry no subject, in three languages."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

WORD: Final = re.compile(r"[^\W_]+(?:[-.'][^\W_]+)*")

# They turn, bound, place or join what a sentence says: no subject, but no sentence means the same without them.
BINDING: Final = frozenset(
    "a about again all although am an and any are as at be because been being both but by can could did do does even every "
    "for from had has have he her him his i if in into is it its just may me might must my no nor not now of on only onto or "
    "same shall she should since some than that their them then these they this those to unless until up us was we were when "
    "which while who whom whose will with would you your".split()
)
_FILLING: Final = frozenset(
    "already also doing done each having here how let lets ok our own please so still such the there though too very what "
    "where why yes".split()
)
STOP_WORDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "en": BINDING | _FILLING,
        "de": frozenset(
            "der die das den dem ein eine ist sind war wie was wo wer wann warum ich du wir ihr sie es und oder nicht".split()
        ),
        "es": frozenset("el la los las un una es son que como donde cuando quien por yo tu nosotros y o de en".split()),
    }
)

# Only words of at least four ASCII characters without a digit have a stem of their own.
_STEMMED: Final = re.compile(r"[ -/:-~]{4,}")
_ENDING: Final = re.compile(
    r"(?P<base>.{3,}?)(?P<ending>ations?|ingly|ments?|ings?|edly|ied|ies|ed|es|ly|s)(?<!ss)\Z",
)
_DOUBLED: Final = re.compile(r"(?<=..)([^aeiousl])\1\Z")
_LAST_E: Final = re.compile(r"(?<=...)e\Z")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A rough English stem, enough that `ships`, `shipped` and `shipping` meet. Short words and other scripts stay."""
    word = word.lower().removesuffix("'s").strip("'.-")
    if not _STEMMED.fullmatch(word):
        return word
    if cut := _ENDING.match(word):
        word = cut["base"] + ("y" if cut["ending"] in ("ied", "ies") else "")
    return _LAST_E.sub("", _DOUBLED.sub(r"\1", word))


def stems(words: Iterable[str]) -> set[str]:
    return set(map(stem, words))


def edit_distance(one: str, other: str, *, most: int) -> int:
    """Letters added, left out, changed, or two neighbours swapped (Damerau and Levenshtein, by optimal string alignment);
    `most + 1` where that is certain to be more than `most`."""
    before: list[int] = []
    above, row = before, list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, above, row = above, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if i > 1 and j > 1 and (a, b) == (other[j - 2], one[i - 2]):
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
