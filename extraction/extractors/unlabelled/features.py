"""What a sentence shows to the weights: its words and their classes, alone and in pairs, how it begins and ends, what stands
around it, and whether its text gives orders. All have a name, so that a hit can say which of them spoke for it."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from extraction.extractors.documents.pieces import Piece, pieces_of
from extraction.extractors.unlabelled.cues import CLASS_OF
from ledger.language.outline import headings

_TOKEN: Final = re.compile(
    r"(?P<link>https?://[^\s)>\]]+)|(?P<code>`[^`\n]{1,200}`)|(?P<handle>@[\w-]+)|(?P<number>#?\d[\w.,:/-]*)"
    r"|[^\W\d_]+n['’]t\b|[^\W\d_]+|['’](?:ll|re|ve|m)\b|\+1|[?!:;,(→>+=]"
)
# How many words at the beginning are known by their place.
_OPENING: Final = 4
# A slot, and what stands in it.
type Feature = tuple[str, ...]
_LENGTHS: Final = (3, 6, 10, 16, 24, 40)


def tokens_of(text: str) -> list[str]:
    """The words of a sentence as written; a link, code, a number and a handle by their kind."""
    return [f"<{mark.lastgroup}>" if mark.lastgroup else mark[0].replace("’", "'") for mark in _TOKEN.finditer(text)]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with what stands around it: its own words and its last character, whether a colon ends the sentence before,
    the share of the text above it, and how many sentences of the text begin as orders do, in tenths."""

    piece: Piece
    tokens: Sequence[str]
    last: str
    introduced: bool
    share: float
    orders: str


def sentences_of(shadow: str) -> list[Sentence]:
    """The sentences of a text from `mask_code`, in order."""
    pieces = list(pieces_of(shadow, headings(shadow)))
    words = [tokens_of(shadow[piece.start : piece.end]) for piece in pieces]
    orders = sum(CLASS_OF.get(tokens[0].lower()) in _ORDERS for tokens in words if tokens)
    tenths = str(min(4, orders * 10 // max(1, len(pieces))))
    found: list[Sentence] = []
    introduced = False
    for piece, tokens in zip(pieces, words, strict=True):
        last = shadow[piece.end - 1]
        found.append(Sentence(piece, tokens, last, introduced, piece.start / len(shadow), tenths))
        introduced = shadow.endswith((":", ":**", ":*"), piece.start, piece.end)
    return found


_ORDERS: Final = frozenset({"VERB", "ALWAYS", "NOT"})


def known(tokens: Sequence[str], words: Set[str]) -> list[str]:
    """Each word in lower case where it is among `words`, else its shape; a name of several words is one."""
    found: list[str] = []
    for token in tokens:
        lower = token.lower()
        if lower in words or not token[0].isalpha():
            found.append(lower)
        elif not (token[0].isupper() and found and found[-1] == "Xx"):
            found.append("Xx" if token[0].isupper() else "xx")
    return found


def classes(seen: Sequence[str]) -> list[str]:
    """The class of each word; a small word is its own, any other is one `x`."""
    return [CLASS_OF.get(word) or (word if word in _KEPT or not word[0].isalpha() else "x") for word in seen]


# Words that are a class of their own.
_KEPT: Final = frozenset("Xx to and by with for of the a in on at as from about up out off into".split())


def features_of(sentence: Sentence, words: Set[str]) -> list[Feature]:
    """Everything that a sentence shows, each once. `words` are those that count by themselves."""
    piece = sentence.piece
    seen = known(sentence.tokens, words)
    kinds = classes(seen)
    shown: set[Feature] = {("w", word) for word in seen}
    shown.update([("b", *pair) for pair in pairwise(("^", *seen, "$"))])
    shown.update([("c", kind) for kind in kinds])
    shown.update([("cb", *pair) for pair in pairwise(("^", *kinds, "$"))])
    shown.update([("ct", *three) for three in zip(kinds, kinds[1:], kinds[2:], strict=False)])
    shown.update(enumerate_places(kinds[:_OPENING]))
    shown.update([("f", *kinds[:2]), ("f", *kinds[:3])])
    if sentence.introduced:
        shown.add(("introduced",))
    last = "word" if sentence.last.isalnum() else sentence.last
    shown.update([("box", piece.ticked), ("item", str(piece.item), str(piece.first)), ("ends", last)])
    shown.update([("length", str(bisect_left(_LENGTHS, len(seen)))), ("share", str(int(sentence.share * 5)))])
    shown.add(("x", sentence.orders, kinds[0] if kinds else ""))
    return list(shown)


def enumerate_places(kinds: Sequence[str]) -> Iterator[Feature]:
    """The classes of the first words by their place."""
    return zip(_PLACES, kinds, strict=False)


_PLACES: Final = ("0", "1", "2", "3")
