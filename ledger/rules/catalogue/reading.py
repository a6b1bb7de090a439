"""A part's name as it is compared: its measures, thread, codes and pack size, what its words mean, and the words left over.

`M6 bolt 40 mm`, `bolt M6x40` and `Sechskantschraube M6 x 40` read alike; `M8` is another thread and `25 mm` another length.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from ledger.language.fold import fold
from ledger.rules.catalogue.numbers import TIMES, UNIT, Amount, Code, NumberReader, any_of
from ledger.rules.catalogue.words import (
    LONGEST_PHRASE,
    READ_AS,
    SOFT,
    VOCABULARY,
    Concept,
    Meanings,
    known_ending,
    known_phrase,
    meanings,
)

LONGEST_FORM: Final = 250
_VULGAR: Final = re.compile(r"(?<=\d)\s?(?=[¼½¾⅐-⅞])")
_READ_AS: Final = re.compile(rf"(?<![\w-]){any_of(READ_AS)}(?!\w)")
_WORD: Final = re.compile(r"[^\W\d_](?:[\w'/+-]*\w)?(?<![-'/+])")
# `d16`, `d = 16`: sixteen across.
_DIAMETER: Final = re.compile(r"(?<!\w)d\s?=?\s?(?=\d{1,3}(?:[.,]\d)?(?![\w-]))")
_TOKEN: Final = re.compile(r"(?<!\w)[a-z0-9](?:[a-z0-9]|[-/.](?=[a-z0-9]))*(?!\w)")
_SHORTEST_DESIGNATION: Final = 5
_DESIGNATION: Final = re.compile(r"(?=(?:[a-z]*\d){2})(?:[a-z]+\d|\d+[a-z]+\d)[a-z0-9]*")
_MEASURE_LIKE: Final = re.compile(r"m\d.*|\d+x\d+\w*|[a-z]{1,3}\d+")
_WITHOUT: Final = frozenset("without ohne sin sans senza zonder w/o ללא בלי".split())


@dataclass(frozen=True, slots=True)
class ArticleName:
    """`words` are what no vocabulary knows; a `not` before a concept's name says that the thing is without it."""

    amounts: tuple[Amount, ...] = ()
    codes: tuple[Code, ...] = ()
    pack: frozenset[int] = frozenset()
    concepts: tuple[Meanings, ...] = ()
    words: tuple[str, ...] = ()
    form: str = field(default="", compare=False)
    designations: frozenset[str] = field(default=frozenset(), compare=False)
    # Every word as it stands, whatever it was read with.
    written: frozenset[str] = field(default=frozenset(), compare=False)


@lru_cache(maxsize=20_000)
def read_name(name: str) -> ArticleName:
    """All that is compared of a name. Deterministic; the order of its words makes no difference."""
    text = _plain(name)
    reader = NumberReader(text)
    concepts, words = _words_of(reader.rest())
    concepts += reader.implied
    return ArticleName(
        tuple(sorted(reader.amounts, key=_order)),
        tuple(sorted(set(reader.codes), key=lambda one: (one.prefix, one.value))),
        frozenset(reader.packs),
        tuple(concepts),
        tuple(words),
        _form(text),
        frozenset(_designations(text)),
        frozenset(_WORD.findall(text)),
    )


def normal_form(name: str) -> str:
    """Equal for two spellings of one name: without case, accents, punctuation, the order of words, and blanks in measures."""
    return read_name(name).form


def _plain(name: str) -> str:
    text = fold(_VULGAR.sub(" ", name)).replace("⁄", "/").replace("״", '"').replace("׳", "'")
    text = _DIAMETER.sub(" ", text)
    plain = " ".join(text.replace("ø", " ").replace("⌀", " ").split())
    return _READ_AS.sub(lambda hit: READ_AS[hit[0]], plain)


def _designations(text: str) -> Iterator[str]:
    """The numbers that makers give their things, without what stands between their parts. Threads and measures are none."""
    for hit in _TOKEN.finditer(text):
        joined = re.sub(r"[^a-z0-9]", "", hit[0])
        if (
            len(joined) >= _SHORTEST_DESIGNATION
            and _DESIGNATION.fullmatch(joined)
            and not _MEASURE_LIKE.fullmatch(joined)
        ):
            yield joined


# Rows keep their form: a unit that was learnt when there were rows stays apart from its number in it.
_LEARNT: Final = any_of(
    ("pulg", "pound", "pounds", "libra", "libras", "sq mm", "sq.mm", "square mm", "quadratmillimeter")
)
_JOINED: Final = re.compile(rf"(?<=\d)\s+(?!{_LEARNT}(?!\w))(?={UNIT})")


def _form(text: str) -> str:
    """The pieces of a folded text in one order: what stands between numbers and letters is no difference."""
    told = TIMES.sub(lambda hit: f"{hit['unit'] or ''} x ", text)
    told = _JOINED.sub("", told)
    return " ".join(sorted(re.findall(r"\d+(?:[.,/]\d+)*\w*|[^\W\d]+\w*|[\"%°#]", told.replace(",", "."))))[
        :LONGEST_FORM
    ]


def _order(one: Amount) -> tuple[str, Fraction]:
    return one.quantity, one.value


def _words_of(text: str) -> tuple[list[Meanings], list[str]]:
    """What the words mean, and those that nobody knows. A `without` denies what follows, up to the first thing that is named."""
    concepts: list[Meanings] = []
    unknown: list[str] = []
    without = False
    for rest, found in _pieces([word for hit in _WORD.finditer(text) for word in _split(hit[0], text[hit.end() :])]):
        if rest in _WITHOUT and not found:
            without = True
            continue
        concepts += map(_negate, found) if without else found
        unknown += filter(None, [f"not {rest}" if rest and without else rest])
        without = without and _all_soft(found)
    return concepts, unknown


def _pieces(words: list[str]) -> Iterator[tuple[str, tuple[Meanings, ...]]]:
    """Phrases and words in their order: what is left of each that nobody knows, and what it means."""
    at = 0
    while at < len(words):
        length, found = _phrase(words, at)
        if length == 1 and words[at] in _WITHOUT:
            yield words[at], ()
        else:
            yield ("", found) if found else known_ending(words[at])
        at += length


def _split(word: str, after: str) -> list[str]:
    """A word with hyphens or slashes is one word where it is known as one. What is cut short keeps its dot."""
    parts = [word] if word in VOCABULARY else [one for one in re.split(r"[-/+]", _FOR.sub(_in_full, word)) if one]
    if parts and after.startswith("."):
        parts[-1] = _SHORT_FORMS.get(parts[-1], f"{parts[-1]}.")
    return parts


# `c/mango`, `p/madera`.
_FOR: Final = re.compile(r"^(?:c|p)(?=/[^\W\d_]{3})")


def _in_full(hit: re.Match[str]) -> str:
    return {"c": "con", "p": "para"}[hit[0]]


_SHORT_FORMS: Final = {"m": "mit", "o": "ohne", "u": "und", "f": "fur", "z": "zu", "w": "with"}


def _phrase(words: list[str], at: int) -> tuple[int, tuple[Meanings, ...]]:
    """The longest known phrase that begins there, else the one word: how many words, and what they mean."""
    for length in range(min(LONGEST_PHRASE, len(words) - at), 1, -1):
        known = known_phrase(words[at : at + length])
        if known:
            return length, (known,)
    return 1, meanings(words[at])


def _all_soft(found: tuple[Meanings, ...]) -> bool:
    return bool(found) and all(one.group == SOFT for meant in found for one in meant)


def _negate(meant: Meanings) -> Meanings:
    return frozenset(one if one.group == SOFT else Concept(one.group, f"not {one.name}") for one in meant)


# Numbers that people also say bare.
_NAMED: Final = ("type", "gsm", "poles", "ways", "grit", "size", "class")


def without(name: ArticleName, designations: frozenset[str]) -> ArticleName:
    """The name but for what is a piece of a maker's own number."""

    def inside(piece: str) -> bool:
        return any(re.sub(r"\W", "", piece) in one for one in designations)

    return replace(
        name,
        codes=tuple(one for one in name.codes if not inside(one.prefix + one.value)),
        words=tuple(word for word in name.words if not inside(word)),
    )


def with_numbers_of(name: ArticleName, other: ArticleName) -> ArticleName:
    """A bare number that the other name says with what it counts is read alike: `flour 405` beside `T 405`, `220 g` a cloth
    beside `220 g/m²`, `1000` beside `1000 pcs`."""
    name = _with_pack_of(name, other)
    codes = {code.value: code for code in other.codes if code.prefix in _NAMED or code.prefix in name.words}
    named = {one: codes.get(f"{float(one.written):g}") for one in name.amounts if one.quantity in ("", "g")}
    told = {one: code for one, code in named.items() if code and code not in name.codes}
    if not told:
        return name
    said = {code.prefix for code in told.values()}
    return replace(
        name,
        amounts=tuple(one for one in name.amounts if one not in told),
        codes=(*name.codes, *told.values()),
        words=tuple(word for word in name.words if word not in said),
    )


def _with_pack_of(name: ArticleName, other: ArticleName) -> ArticleName:
    packed = [one for one in name.amounts if not one.quantity and one.value in other.pack and not name.pack]
    rest = tuple(one for one in name.amounts if one not in packed)
    return replace(name, amounts=rest, pack=other.pack) if packed else name
