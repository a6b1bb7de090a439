"""Short hand: which two words are one, and how the words of a list are shortened, cut by a dot, without vowels, two in one."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice, takewhile
from os.path import commonprefix
from typing import Final

from ledger.language.fold import fold
from ledger.rules.catalogue.words import LINKS, VOCABULARY, consonants, one_letter_apart

_WORD: Final = re.compile(r"(?<![\w-])[^\W\d_]{3,40}(?![\w-])(?P<dot>\.)?")
_SHORTEST: Final = 4
# `brezel` is what a `laugenbrezel` is.
_LEAST_BEGINNING: Final = 5
_SHORTEST_HEAD: Final = 5
_PLURAL: Final = re.compile(r"(?:ies|en|es|[yens])$")


class ListWords:
    """The words of a list's names, for reading what somebody shortened."""

    def __init__(self, names: Iterable[str]) -> None:
        self._words = sorted({hit[0].rstrip(".") for name in names for hit in _WORD.finditer(fold(name))})
        self._known = frozenset(self._words)

    def written_out(self, name: str) -> str:
        """The name with each word that shortens just one word of the list, or is put together of two, in full. What is known as it
        stands stays."""
        text = fold(name)
        full = _WORD.sub(lambda hit: self._in_full(hit[0].rstrip("."), cut=bool(hit["dot"])) or hit[0], text)
        return name if full == text else full

    def _in_full(self, word: str, *, cut: bool) -> str:
        if word in self._known or word in VOCABULARY:
            return ""
        longer = self._beginning_with(word) if cut else self._of_consonants(word)
        return longer[0] if len(longer) == 1 else "" if longer else self._parts(word)

    def _beginning_with(self, word: str) -> Sequence[str]:
        first = bisect_left(self._words, word)
        return list(takewhile(lambda one: one.startswith(word), islice(self._words, first, None)))

    def _of_consonants(self, word: str) -> Sequence[str]:
        if word != consonants(word):
            return ()
        return [one for one in self._beginning_with(word[0]) if consonants(one).startswith(word)]

    def _parts(self, word: str) -> str:
        """Two words of the list, with what German and Dutch put between them."""
        for end in range(len(word) - _SHORTEST, _SHORTEST - 1, -1):
            for link in LINKS:
                head = word[:end].removesuffix(link)
                if word[:end].endswith(link) and head in self._known and word[end:] in self._known:
                    return f"{head} {word[end:]}"
        return ""


def alike(one: str, other: str) -> bool:
    """The same word, another form of it, an abbreviation, or a slip of one letter in a long one; never with and without it."""
    if one.startswith("not ") != other.startswith("not "):
        return False
    short, long = sorted((one.rstrip("."), other.rstrip(".")), key=len)
    cut = "." in (one[-1:], other[-1:])
    if one == other or _begins(short, long, cut=cut) or (_is_skeleton(short) and consonants(long).startswith(short)):
        return True
    heads = len(short) >= _SHORTEST_HEAD and _bare(long).endswith(_bare(short))
    return heads or (len(short) >= 6 and one_letter_apart(one, other))


def _begins(short: str, long: str, *, cut: bool) -> bool:
    """Of four letters always, of three for an ending of two, of two where a dot says that it is cut."""
    enough = 2 if cut else 3 if len(long) - len(short) <= 2 else 4
    return len(short) >= enough and long.startswith(short)


def _is_skeleton(word: str) -> bool:
    return len(word) >= 3 and word == consonants(word)


def akin_words(one: str, other: str) -> bool:
    """Two long words that begin alike: `regentonne` and `regenfass` may be one thing."""
    same = 0 if "not " in (one[:4], other[:4]) else len(commonprefix([one, other]))
    return same >= _LEAST_BEGINNING and 2 * same >= min(len(one), len(other))


def _bare(word: str) -> str:
    return _PLURAL.sub("", word)
