"""What a sentence shows to the weights: its words and their classes, alone and in pairs, how it begins and ends, what stands
around it and over it, and whether its text gives orders or labels what it settles. All have a name, so that a hit can say which
of them spoke for it."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from extraction.extractors.documents.pieces import Piece, pieces_of
from extraction.extractors.unlabelled.cues import CLASS_OF
from ledger.language.outline import headings

_TOKEN: Final = re.compile(
    r"(?P<link>https?://[^\s)>\]]+)|(?P<code>`[^`\n]{1,200}`)|(?P<handle>@[\w-]+)|(?P<number>#?\d[\w.,:/-]*)"
    r"|[^\W\d_]+n['’]t\b|[^\W\d_]+|['’](?:ll|re|ve|m)\b|\+1|[?!:;,(→>+=]"
)
# How many words at the beginning are known by their place.
_PLACES: Final = ("0", "1", "2", "3")
# A slot, and what stands in it.
type Feature = tuple[str, ...]
_LENGTHS: Final = (3, 6, 10, 16, 24, 40)
KINDS: Final = ("decision", "action", "constraint")
# So many words of a title count.
MAX_TITLE: Final = 10


def tokens_of(text: str) -> list[str]:
    """The words of a sentence as written; a link, code, a number and a handle by their kind."""
    return [f"<{mark.lastgroup}>" if mark.lastgroup else mark[0].replace("’", "'") for mark in _TOKEN.finditer(text)]


@dataclass(frozen=True, slots=True)
class _Text:
    """A text's sentences with their classes and last characters; and what is true of all of it: how many of its sentences are
    items, end in a full stop and begin as orders do, each in a few steps, how long they are, and which kinds labels mark."""

    size: int
    pieces: Sequence[Piece]
    kinds: Sequence[Sequence[str]]
    last: str
    ends_in_colon: Sequence[bool]
    items: str
    stops: str
    orders: str
    length: str
    labelled: Sequence[Feature]

    @classmethod
    def of(
        cls, shadow: str, pieces: Sequence[Piece], kinds: Sequence[Sequence[str]], labelled: Mapping[str, int]
    ) -> "_Text":
        count = max(1, len(pieces))
        last = "".join(shadow[piece.end - 1] for piece in pieces)
        orders = sum(one[0] in _ORDERS for one in kinds if one)
        return cls(
            len(shadow), pieces, kinds, last,
            [shadow.endswith((":", ":**", ":*"), piece.start, piece.end) for piece in pieces],
            str(4 * sum(piece.item for piece in pieces) // count),
            str(4 * last.count(".") // count),
            str(min(4, orders * 10 // count)),
            str(min(3, sum(map(len, kinds)) // (7 * count))),
            [("lab", kind, str(min(2, labelled.get(kind, 0)))) for kind in KINDS],
        )  # fmt: skip

    def shown_around(self, at: int) -> Iterator[Feature]:
        """What the text and its neighbours show of the sentence `at`."""
        piece, kinds = self.pieces[at], self.kinds[at]
        yield from self.labelled
        yield "x", self.orders, kinds[0] if kinds else ""
        yield "items", self.items, str(piece.item)
        yield "stops", self.stops, str(self.last[at] == ".")
        yield "mean", self.length
        yield "share", str(int(piece.start / self.size * 5))
        if at and self.ends_in_colon[at - 1]:
            yield ("introduced",)
        yield from self._beside("p", at - 1, piece)
        yield from self._beside("n", at + 1, piece)

    def _beside(self, tag: str, other: int, piece: Piece) -> Iterator[Feature]:
        """What the sentence `other` shows to its neighbour under the same title."""
        if not 0 <= other < len(self.pieces) or self.pieces[other].heading != piece.heading:
            yield tag, "edge"
            return
        kinds, depth = self.kinds[other], self.pieces[other].depth
        yield tag, "begins", *kinds[:2]
        if self.last[other] == "?":
            yield tag, "asks"
        for kind in {kind for kind in kinds if kind.isupper()}:
            yield tag, "has", kind
        yield tag, "deep", str((depth > piece.depth) - (depth < piece.depth))


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its own words, their classes, its last character, and its place in its text."""

    piece: Piece
    tokens: Sequence[str]
    kinds: Sequence[str]
    last: str
    at: int
    text: _Text


_ORDERS: Final = frozenset({"VERB", "ALWAYS", "NOT"})


def sentences_of(shadow: str, labelled: Mapping[str, int] = MappingProxyType({})) -> list[Sentence]:
    """The sentences of a text from `mask_code`, in order. `labelled` counts by kind what labels and titles mark in the text."""
    pieces = list(pieces_of(shadow, headings(shadow)))
    words = [tokens_of(shadow[piece.start : piece.end]) for piece in pieces]
    kinds = [classes(tokens) for tokens in words]
    text = _Text.of(shadow, pieces, kinds, labelled)
    rows = zip(pieces, words, kinds, text.last, strict=True)
    return [Sentence(piece, tokens, kind, last, at, text) for at, (piece, tokens, kind, last) in enumerate(rows)]


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


def classes(tokens: Sequence[str]) -> list[str]:
    """The class of each word; a small word is its own, a name one `Xx`, any other word `x`."""
    found: list[str] = []
    for token in tokens:
        lower = token.lower()
        kind = CLASS_OF.get(lower) or (lower if lower in _KEPT or not token[0].isalpha() else "")
        if kind or not token[0].isupper():
            found.append(kind or "x")
        elif not found or found[-1] != "Xx":
            found.append("Xx")
    return found


# Words that are a class of their own.
_KEPT: Final = frozenset("to and by with for of the a in on at as from about up out off into".split())


def features_of(sentence: Sentence, words: Set[str]) -> list[Feature]:
    """Everything that a sentence shows, each once. `words` are those that count by themselves."""
    piece, kinds = sentence.piece, sentence.kinds
    seen = known(sentence.tokens, words)
    shown: set[Feature] = {("w", word) for word in seen}
    shown.update([("b", *pair) for pair in pairwise(("^", *seen, "$"))])
    shown.update([("c", kind) for kind in kinds])
    shown.update([("cb", *pair) for pair in pairwise(("^", *kinds, "$"))])
    shown.update([("ct", *three) for three in zip(kinds, kinds[1:], kinds[2:], strict=False)])
    shown.update(zip(_PLACES, kinds, strict=False))
    shown.update([("f", *kinds[:2]), ("f", *kinds[:3])])
    last = "word" if sentence.last.isalnum() else sentence.last
    shown.update([("box", piece.ticked), ("item", str(piece.item), str(piece.first)), ("ends", last)])
    shown.update(
        [("length", str(bisect_left(_LENGTHS, len(seen)))), ("depth", str(min(4, piece.depth // 2)), str(piece.item))]
    )
    shown.update(sentence.text.shown_around(sentence.at))
    shown.update(title_features(piece.heading, frozenset(words)))
    return list(shown)


@lru_cache(maxsize=2_048)
def title_features(title: str, words: frozenset[str]) -> Sequence[Feature]:
    """What the title over a sentence shows."""
    tokens = tokens_of(title)
    seen, kinds = known(tokens, words)[:MAX_TITLE], classes(tokens)[:MAX_TITLE]
    shown: list[Feature] = [("h", word) for word in seen if word[0].isalpha()]
    shown += [("hc", kind) for kind in kinds if kind.isupper()]
    return [*shown, ("hq", str("?" in title))]
