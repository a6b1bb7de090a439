"""A part's name as it is compared: its measures, thread, codes and pack size, what its words mean, and the words left over.

`M6 bolt 40 mm`, `bolt M6x40` and `Sechskantschraube M6 x 40` read alike; `M8` is another thread and `25 mm` another length.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final

from ledger.language.fold import fold
from ledger.language.quantities import number_of
from ledger.language.units import quantity_of, unit_size
from ledger.rules.catalogue.words import (
    LONGEST_PHRASE,
    PACK_WORDS,
    SOFT,
    UNITS_WRITTEN,
    VOCABULARY,
    Concept,
    Meanings,
    known_ending,
    meanings,
)

LONGEST_FORM: Final = 250
_VULGAR: Final = re.compile(r"(?<=\d)\s?(?=[¼½¾⅐-⅞])")


def _any_of(words: Iterable[str]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + ")"


_UNIT: Final = _any_of(UNITS_WRITTEN) + r"(?![\w²³^])"
_NUMBER: Final = r"\d+(?:[.,]\d+)*(?:\s\d{1,2}/\d{1,2}|/\d{1,2})?"
_MEASURE: Final = re.compile(rf"(?<![\w.,/])(?P<number>{_NUMBER})\s?-?(?P<unit>{_UNIT})")
_BARE: Final = re.compile(rf"(?<![\w.,/])(?P<number>{_NUMBER})(?P<scale>\s?k(?P<rest>\d)?|r)?(?![\w])")
# `4 x 40`, `3G1.5`: numbers in a row, told apart before anything else is read.
_TIMES: Final = re.compile(rf"(?<=\d)\s?(?P<unit>{_UNIT})?\s*(?:[x×*]|by|auf|por)\s*(?=\d)|(?<=\d)g(?=\d)")
_THREAD: Final = re.compile(
    r"(?<![\w.,])(?<!\d )m ?(?P<size>\d{1,2}(?:[.,]5)?)(?![\d.,]*\d)(?![²³])"
    r"(?:\s?[x×*-]\s?(?P<pitch>0[.,]\d{1,2}|1[.,](?:0|25|5|75)0?|[23][.,][05]0?)(?=\s*[x×*,]|\s|$)(?!\s?mm))?(?:\s?[x×*/-](?=\s?\d))?"
)
_INCH_THREAD: Final = re.compile(r"(?<![\w.,/])(?P<size>#\d{1,2}|\d{1,2}/\d{1,2})-(?P<pitch>\d{2})(?!\d)")
_PACK: Final = re.compile(
    rf"(?<!\w){_any_of(PACK_WORDS['before'])}\s?(?:of|mit|zu|a|de|da|van|con|with|=|:)?\s?(?P<after>\d+)(?![\w.,])(?!\s?{_UNIT})"
    rf"|(?<![\w.,/x])(?P<before>\d+)\s?-?{_any_of(PACK_WORDS['after'])}(?!\w)"
    r"|\(\s?(?P<round>\d+)\s?x?\s?\)"
    r"|/\s?(?P<per>\d{2,4})(?=\s*$)"
)
# Letters that may stand apart from the number that they qualify.
_PREFIXES: Final = {
    **{one: one for one in "ral ip din iso en dn pn cat awg ncs pantone class size ph pz".split()},
    **dict.fromkeys(("torx", "tx", "t"), "t"),
    **dict.fromkeys("p grit kornung grano grain korrel grana".split(), "grit"),
    **dict.fromkeys("grosse taille talla".split(), "size"),
    **dict.fromkeys("klasse clase classe".split(), "class"),
}  # fmt: skip
_APART: Final = "|".join(sorted(set(_PREFIXES) - {"p", "t"}, key=len, reverse=True))
_GRIT: Final = re.compile(r"(?<![\w.,])(?P<digits>\d{2,4})\s?-?(?:grit|grain|kornung|grano|korrel)(?!\w)")
# `2,5 x 1,25 m`: both are metres. `3 x 5 m` may be three pieces.
_BOTH_METRES: Final = re.compile(r"(?<![\w.,/])(\d+[.,]\d+)(?=\s?[x×*]\s?\d+(?:[.,]\d+)?\s?m(?![\w²³^]))")
_APART_CODE: Final = re.compile(rf"(?<![\w.])(?P<letters>{_APART})[ -]?(?P<digits>\d[\w./]*)")
_CODE: Final = re.compile(r"(?<![\w.])(?:(?P<letters>[a-z]{1,5})-?(?P<digits>\d[\w./-]*)|(?P<whole>\d+[a-z]+\d[\w-]*))")
# By size the pitch that a metric thread has where none is told.
_COARSE_PITCH: Final = {
    "2": 0.4, "2.5": 0.45, "3": 0.5, "4": 0.7, "5": 0.8, "6": 1.0, "8": 1.25, "10": 1.5, "12": 1.75, "14": 2.0, "16": 2.0,
    "18": 2.5, "20": 2.5, "24": 3.0, "30": 3.5,
}  # fmt: skip
_RAL_COLOURS: Final = dict(zip("12345678", "yellow orange red purple blue green grey brown".split(), strict=True))
_STRENGTHS: Final = frozenset(map(Fraction, "4.6 4.8 5.6 5.8 6.8 8.8 10.9 12.9".split()))
_DRIVES: Final = {"ph": "phillips", "pz": "pozi", "t": "torx"}
# Up to so many kelvin light is called so.
_TONES: Final = ((3300, "warm"), (4500, "neutral"), (10_000, "cold"))
_KELVIN: Final = range(1800, 10_001)
_WORD: Final = re.compile(r"[^\W\d_](?:[\w'/+-]*\w)?(?<![-'/+])")
_WITHOUT: Final = frozenset("without ohne sin sans senza zonder w/o ללא בלי".split())


@dataclass(frozen=True, slots=True)
class Amount:
    """`value` in the base unit of `quantity`; without a unit the number alone. `written` and `unit` are as they stood."""

    value: Fraction
    quantity: str = ""
    written: Fraction = field(default=Fraction(0), compare=False)
    unit: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Code:
    """`RAL 9005` is `ral` and `9005`; a code without letters before its digits has no prefix."""

    prefix: str
    value: str


@dataclass(frozen=True, slots=True)
class ArticleName:
    """`words` are what no vocabulary knows; a `not` before a concept's name says that the thing is without it."""

    amounts: tuple[Amount, ...] = ()
    codes: tuple[Code, ...] = ()
    pack: frozenset[int] = frozenset()
    concepts: tuple[Meanings, ...] = ()
    words: tuple[str, ...] = ()
    form: str = field(default="", compare=False)


@lru_cache(maxsize=20_000)
def read_name(name: str) -> ArticleName:
    """All that is compared of a name. Deterministic; the order of its words makes no difference."""
    text = _plain(name)
    reader = _NameReader(text)
    concepts, words = _words_of(reader.rest())
    concepts += reader.implied
    return ArticleName(
        tuple(sorted(reader.amounts, key=_order)),
        tuple(sorted(set(reader.codes), key=lambda one: (one.prefix, one.value))),
        frozenset(reader.packs),
        tuple(concepts),
        tuple(words),
        _form(text),
    )


def normal_form(name: str) -> str:
    """Equal for two spellings of one name: without case, accents, punctuation, the order of words, and blanks in measures."""
    return read_name(name).form


def _plain(name: str) -> str:
    text = fold(_VULGAR.sub(" ", name)).replace("⁄", "/").replace("״", '"').replace("׳", "'")
    return " ".join(text.replace("ø", " ").replace("⌀", " ").split())


def _form(text: str) -> str:
    """The pieces of a folded text in one order: what stands between numbers and letters is no difference."""
    told = _TIMES.sub(lambda hit: f"{hit['unit'] or ''} x ", text)
    told = re.sub(rf"(?<=\d)\s+(?={_UNIT})", "", told)
    return " ".join(sorted(re.findall(r"\d+(?:[.,/]\d+)*\w*|[^\W\d]+\w*|[\"%°#]", told.replace(",", "."))))[
        :LONGEST_FORM
    ]


def _order(one: Amount) -> tuple[str, Fraction]:
    return one.quantity, one.value


class _NameReader:
    """Reads the numbers of a folded name and takes them out, so that its words remain."""

    def __init__(self, text: str) -> None:
        self.amounts: list[Amount] = []
        self.codes: list[Code] = []
        self.packs: list[int] = []
        self.implied: list[Meanings] = []
        text = _PACK.sub(self._pack, text)
        text = _INCH_THREAD.sub(self._inch_thread, text)
        text = _THREAD.sub(self._thread, text)
        text = _GRIT.sub(self._grit, _BOTH_METRES.sub(r"\1 m", text))
        text = _TIMES.sub(self._times, text)
        text = _APART_CODE.sub(self._code, text)
        text = _MEASURE.sub(self._measure, text)
        text = _CODE.sub(self._any_code, text)
        self._text = _BARE.sub(self._bare, text)

    def rest(self) -> str:
        return self._text

    def _pack(self, hit: re.Match[str]) -> str:
        size = int(next(filter(None, hit.groups()))[:9])
        if size > 1:
            self.packs.append(size)
        return " "

    def _thread(self, hit: re.Match[str]) -> str:
        self.codes.append(Code("m", hit["size"].replace(",", ".")))
        pitch = hit["pitch"] and float(hit["pitch"].replace(",", "."))
        if pitch and _COARSE_PITCH.get(hit["size"]) != pitch:
            self.codes.append(Code("pitch", f"{pitch:g}"))
        return " "

    def _grit(self, hit: re.Match[str]) -> str:
        self.codes.append(Code("grit", hit["digits"]))
        return " "

    def _inch_thread(self, hit: re.Match[str]) -> str:
        self.codes += [Code("m", hit["size"]), Code("pitch", hit["pitch"])]
        return " "

    @staticmethod
    def _times(hit: re.Match[str]) -> str:
        return f"{hit['unit'] or ''} | "

    def _code(self, hit: re.Match[str]) -> str:
        letters = hit["letters"]
        code = Code(_PREFIXES.get(letters, letters), re.sub(r"[^\w]", "", hit["digits"]))
        self.codes.append(code)
        self.implied += _implied(code)
        if known := VOCABULARY.get(hit[0]):
            self.implied.append(known)
        return " "

    def _any_code(self, hit: re.Match[str]) -> str:
        if not hit["whole"]:
            return self._code(hit)
        if _BARE.fullmatch(hit[0]):
            return hit[0]
        self.codes.append(Code("", hit[0].replace("-", "")))
        return " "

    def _measure(self, hit: re.Match[str]) -> str:
        number = _number(hit["number"])
        if number is None:
            return hit[0]
        unit = UNITS_WRITTEN[hit["unit"]]
        self.amounts.append(Amount(number * unit_size(unit), quantity_of(unit), number, unit))
        return " "

    def _bare(self, hit: re.Match[str]) -> str:
        number, scale = _number(hit["number"]), (hit["scale"] or "").strip()
        if number is None:
            return hit[0]
        if scale.startswith("k") and number in _KELVIN:
            self.amounts.append(Amount(number, "K", number, "K"))
            self.implied.append(_tone(number))
        elif scale:
            number = (number + Fraction(hit["rest"] or 0) / 10) * (1000 if scale.startswith("k") else 1)
            self.amounts.append(Amount(number, written=number))
        elif number in _STRENGTHS and any(code.prefix == "m" for code in self.codes):
            self.codes.append(Code("strength", f"{float(number):g}"))
        else:
            self.amounts.append(Amount(number, written=number))
        return " "


def _tone(kelvin: Fraction) -> Meanings:
    name = next(name for most, name in _TONES if kelvin <= most)
    return frozenset({Concept("tone", name), Concept(SOFT, "tone")})


def _implied(code: Code) -> Iterator[Meanings]:
    """A code that names a colour or a drive."""
    if code.prefix == "ral" and code.value[:1] in _RAL_COLOURS:
        yield frozenset({Concept("colour", _RAL_COLOURS[code.value[0]]), Concept(SOFT, "ral")})
    if code.prefix in _DRIVES:
        yield frozenset({Concept("drive", _DRIVES[code.prefix]), Concept(SOFT, "drive")})


def _number(written: str) -> Fraction | None:
    """`1 1/2`, `3/4`, `2,5`; None where it cannot be told."""
    whole, _, over = written.rpartition(" ") if "/" in written else (written, "", "")
    if "/" in over:
        top, _, below = over.partition("/")
        number = number_of(top)
        if number is None or not int(below):
            return None
        return Fraction(str(number)) / int(below) + (Fraction(str(number_of(whole) or 0)) if whole else 0)
    plain = number_of(whole)
    return None if plain is None else Fraction(str(plain))


def _words_of(text: str) -> tuple[list[Meanings], list[str]]:
    """What the words mean, and those that nobody knows. A `without` denies what follows, up to the first thing that is named."""
    concepts: list[Meanings] = []
    unknown: list[str] = []
    without = False
    for rest, found in _pieces([word for hit in _WORD.findall(text) for word in _split(hit)]):
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


def _split(word: str) -> list[str]:
    """A word with hyphens or slashes is one word where it is known as one."""
    return [word] if word in VOCABULARY else [one for one in re.split(r"[-/+]", word) if one]


def _phrase(words: list[str], at: int) -> tuple[int, tuple[Meanings, ...]]:
    """The longest known phrase that begins there, else the one word: how many words, and what they mean."""
    for length in range(min(LONGEST_PHRASE, len(words) - at), 1, -1):
        known = VOCABULARY.get(" ".join(words[at : at + length]))
        if known:
            return length, (known,)
    return 1, meanings(words[at])


def _all_soft(found: tuple[Meanings, ...]) -> bool:
    return bool(found) and all(one.group == SOFT for meant in found for one in meant)


def _negate(meant: Meanings) -> Meanings:
    return frozenset(one if one.group == SOFT else Concept(one.group, f"not {one.name}") for one in meant)
