"""What a sentence shows to the weights: its words and their classes, alone and in pairs, how it begins and ends, what stands
around it and over it, who says it, and whether its text is minutes, gives orders or labels what it settles. All have a name, so
that a hit can say which of them spoke for it."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from extraction.extractors.documents.pieces import MIN_SAID, Piece, pieces_of, said_share
from extraction.extractors.documents.reported import SPEAKER, reads_as_minutes
from extraction.extractors.unlabelled.cues import CLASS_OF
from ledger.language.outline import Heading, headings

# No groups, so that a form whose first sign does not stand there is passed by in C.
_TOKEN: Final = re.compile(
    r"https?://[^\s)>\]]+|`[^`\n]{1,200}`|@[\w-]+|#?\d[\w.,:/-]*"
    r"|[^\W\d_]+(?:(?<=[^\W\d_]n)['’]t\b)?|['’](?:ll|re|ve|m)\b|\+1|[?!:;,(→>+=]"
)
# How many words at the beginning are known by their place.
_PLACES: Final = ("0", "1", "2", "3")
# A slot, and what stands in it.
type Feature = tuple[str, ...]
# Of the slots of which a sentence shows much, what stands in each: a word alone, several together; and behind "" whole features.
type Shown = tuple[str, Collection[str | tuple[str, ...]]]
FULL: Final = frozenset({"w", "b", "c", "cb", "ct", "h", "hc", "pc", "nc"})
_LENGTHS: Final = (3, 6, 10, 16, 24, 40)
KINDS: Final = ("decision", "action", "constraint")
# So many words of a title count.
MAX_TITLE: Final = 10
# From which share of lines on a text counts as one in which people speak.
_SAID: Final = (0.02, 0.08, 0.2)


def tokens_of(text: str) -> list[str]:
    """The words of a sentence as written; a link, code, a number and a handle by their kind."""
    return list(map(_token, _TOKEN.findall(text)))


@lru_cache(maxsize=50_000)
def _token(found: str) -> str:
    first = found[0]
    if first.isalpha():
        return "<link>" if "://" in found else found.replace("’", "'")
    if first.isdecimal() or first == "#":
        return "<number>"
    return {"`": "<code>", "@": "<handle>"}.get(first) or found.replace("’", "'")


@dataclass(frozen=True, slots=True)
class Manner:
    """How a whole text is written: whether it reads as minutes, the share of its lines in which somebody speaks, and how many hits
    labels and titles mark in it, by kind."""

    minutes: bool
    said: float
    labelled: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, shadow: str, heads: Sequence[Heading], labelled: Mapping[str, int] = MappingProxyType({})) -> "Manner":
        return cls(reads_as_minutes(shadow, heads), said_share(shadow), labelled)

    @property
    def is_transcript(self) -> bool:
        return self.said >= MIN_SAID


@dataclass(frozen=True, slots=True)
class _Text:
    """A text's sentences with their classes, last characters and whether somebody speaks them; and what is true of all of it: how
    many of its sentences are items, end in a full stop and begin as orders do, each in a few steps, and its manner."""

    size: int
    pieces: Sequence[Piece]
    kinds: Sequence[Sequence[str]]
    classes: Sequence[Set[str]]
    last: str
    ends_in_colon: Sequence[bool]
    spoken: Sequence[bool]
    items: str
    stops: str
    orders: str
    minutes: str
    said: str
    manner: Manner
    same: Sequence[Feature]

    @classmethod
    def of(cls, shadow: str, pieces: Sequence[Piece], kinds: Sequence[Sequence[str]], manner: Manner) -> "_Text":
        count = max(1, len(pieces))
        last = "".join(shadow[piece.end - 1] for piece in pieces)
        orders = sum(one[0] in _ORDERS for one in kinds if one)
        minutes, said = str(manner.minutes), str(bisect_left(_SAID, manner.said))
        return cls(
            len(shadow), pieces, kinds, [frozenset(filter(str.isupper, one)) for one in kinds], last,
            [shadow.endswith((":", ":**", ":*"), piece.start, piece.end) for piece in pieces],
            list(_spoken(shadow, pieces)),
            str(4 * sum(piece.item for piece in pieces) // count),
            str(4 * last.count(".") // count),
            str(min(4, orders * 10 // count)),
            minutes, said, manner,
            [
                *(("lab", kind, str(min(2, manner.labelled.get(kind, 0)))) for kind in KINDS),
                ("mean", str(min(3, sum(map(len, kinds)) // (7 * count)))), ("min", minutes), ("said", said),
            ],
        )  # fmt: skip

    def shown_around(self, at: int) -> list[Feature]:
        """What the text and its neighbours show of the sentence `at`."""
        piece, kinds = self.pieces[at], self.kinds[at]
        first, item, spoken = kinds[0] if kinds else "", str(piece.item), str(self.spoken[at])
        shown: list[Feature] = [
            *self.same, ("min1", self.minutes, first), ("min1", self.minutes, item), ("said1", self.said, first),
            ("spoken", spoken), ("spoken", spoken, first), ("x", self.orders, first), ("items", self.items, item),
            ("stops", self.stops, str(self.last[at] == ".")), ("share", str(int(piece.start / self.size * 5))),
        ]  # fmt: skip
        if at and self.ends_in_colon[at - 1]:
            shown.append(("introduced",))
        return shown

    def shown_beside(self, tag: str, at: int, piece: Piece) -> tuple[list[Feature], Set[str]]:
        """What the sentence `at` shows to its neighbour under the same title, and its classes."""
        if not 0 <= at < len(self.pieces) or self.pieces[at].heading != piece.heading:
            return [(tag, "edge")], frozenset()
        depth = self.pieces[at].depth
        shown = [(f"{tag}f", *self.kinds[at][:2]), (f"{tag}d", str((depth > piece.depth) - (depth < piece.depth)))]
        return [*shown, (tag, "asks")] if self.last[at] == "?" else shown, self.classes[at]


def _spoken(shadow: str, pieces: Sequence[Piece]) -> Iterator[bool]:
    """Whether a name stands before the words of the line that each stands in."""
    spoken = False
    for piece in pieces:
        spoken = SPEAKER.match(shadow, piece.start) is not None if piece.first else spoken
        yield spoken


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


def sentences_of(shadow: str, manner: Manner | None = None) -> list[Sentence]:
    """The sentences of a text from `mask_code`, in order."""
    heads = headings(shadow)
    pieces = list(pieces_of(shadow, heads))
    words = [tokens_of(shadow[piece.start : piece.end]) for piece in pieces]
    kinds = [classes(tokens) for tokens in words]
    text = _Text.of(shadow, pieces, kinds, manner or Manner.of(shadow, heads))
    rows = zip(pieces, words, kinds, text.last, strict=True)
    return [Sentence(piece, tokens, kind, last, at, text) for at, (piece, tokens, kind, last) in enumerate(rows)]


def known(tokens: Sequence[str], words: Set[str]) -> list[str]:
    """Each word in lower case where it is among `words`, else its shape; a name of several words is one."""
    found: list[str] = []
    for lower, shape, _ in map(_read, tokens):
        if lower in words or not shape:
            found.append(lower)
        elif not (shape == "Xx" and found and found[-1] == "Xx"):
            found.append(shape)
    return found


def classes(tokens: Sequence[str]) -> list[str]:
    """The class of each word; a small word is its own, a name one `Xx`, any other word `x`."""
    found: list[str] = []
    for _, _, kind in map(_read, tokens):
        if not (kind == "Xx" and found and found[-1] == "Xx"):
            found.append(kind)
    return found


@lru_cache(maxsize=50_000)
def _read(token: str) -> tuple[str, str, str]:
    """A word in lower case, the shape of one that is not known, none for what is no word, and its class."""
    lower = token.lower()
    shape = ("Xx" if token[0].isupper() else "xx") if token[0].isalpha() else ""
    kind = CLASS_OF.get(lower) or (lower if lower in _KEPT or not shape else "")
    return lower, shape, kind or ("Xx" if shape == "Xx" else "x")


# Words that are a class of their own.
_KEPT: Final = frozenset("to and by with for of the a in on at as from about up out off into".split())


def shown_by(sentence: Sentence, words: Set[str]) -> list[Shown]:
    """Everything that a sentence shows, each once. `words` are those that count by themselves."""
    piece, kinds, text, at = sentence.piece, sentence.kinds, sentence.text, sentence.at
    seen, item = known(sentence.tokens, words), str(piece.item)
    before, classes_before = text.shown_beside("p", at - 1, piece)
    behind, classes_behind = text.shown_beside("n", at + 1, piece)
    return [
        ("w", set(seen)), ("b", set(pairwise(("^", *seen, "$")))),
        ("c", set(kinds)), ("cb", set(pairwise(("^", *kinds, "$")))),
        ("ct", set(zip(kinds, kinds[1:], kinds[2:], strict=False))),
        ("pc", classes_before), ("nc", classes_behind), *shown_by_title(piece.heading, frozenset(words)),
        ("", [
            *zip(_PLACES, kinds, strict=False), *{("f", *kinds[:2]), ("f", *kinds[:3])},
            ("box", piece.ticked), ("item", item, str(piece.first)), ("depth", str(min(4, piece.depth // 2)), item),
            ("ends", "word" if sentence.last.isalnum() else sentence.last),
            ("length", str(bisect_left(_LENGTHS, len(seen)))), *text.shown_around(at), *before, *behind,
        ]),
    ]  # fmt: skip


def features_of(sentence: Sentence, words: Set[str]) -> list[Feature]:
    """The same, each with the name of its slot."""
    found: list[Feature] = []
    for slot, shown in shown_by(sentence, words):
        found += [(slot, one) if isinstance(one, str) else (slot, *one) if slot else one for one in shown]
    return found


@lru_cache(maxsize=2_048)
def shown_by_title(title: str, words: frozenset[str]) -> Sequence[Shown]:
    """What the title over a sentence shows."""
    tokens = tokens_of(title)
    seen, kinds = known(tokens, words)[:MAX_TITLE], classes(tokens)[:MAX_TITLE]
    return [
        ("h", {word for word in seen if word[0].isalpha()}),
        ("hc", {kind for kind in kinds if kind.isupper()}),
        ("", [("hq", str("?" in title))]),
    ]
