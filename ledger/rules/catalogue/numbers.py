"""The numbers of a part's name: measures, threads, codes, pack sizes, and what they imply. Takes them out, so that words remain."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Final

from ledger.language.quantities import number_of
from ledger.language.units import quantity_of, unit_size
from ledger.rules.catalogue.words import PACK_WORDS, SOFT, UNITS_WRITTEN, VOCABULARY, Concept, Meanings


def any_of(words: Iterable[str]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + ")"


UNIT: Final = any_of(UNITS_WRITTEN) + r"(?![\w²³^])"
_NUMBER: Final = r"\d+(?:[.,]\d+)*(?:\s\d{1,2}/\d{1,2}|/\d{1,2})?"
_MEASURE: Final = re.compile(rf"(?<![\w.,])(?<!\d/)(?P<number>{_NUMBER})\s?-?(?P<unit>{UNIT})")
_BARE: Final = re.compile(rf"(?<![\w.,/])(?P<number>{_NUMBER})(?P<scale>\s?k(?P<rest>\d)?|r)?(?![\w])")
# `4 x 40`, `3G1.5`: numbers in a row, told apart before anything else is read.
TIMES: Final = re.compile(rf"(?<=\d)\s?(?P<unit>{UNIT})?\s*(?:[x×*]|by|auf|por)\s*(?=\d)|(?<=\d)g(?=\d)")
# The same with nothing between, `12MMX10M`, and of long ones `600/1200`: no part of the normal form, which rows keep.
_TIMES_GLUED: Final = re.compile(rf"(?<=\d)(?P<unit>{any_of(UNITS_WRITTEN)})[x×*](?=\d)|(?<=\d{{3}})/(?=\d{{3}})")
# A unit that nobody knows, right behind its number: `2hp` is `2 hp`.
_GLUED: Final = re.compile(r"(?<![\w.,/])\d{1,5}(?:[.,]\d{1,3})?(?=[^\W\d_]{2,}(?!\w))")
_THREAD: Final = re.compile(
    r"(?<![\w.,])(?<!\d )m ?(?P<size>\d{1,2}(?:[.,]5)?)(?![\d.,]*\d)(?![²³])"
    r"(?:\s?[x×*-]\s?(?P<pitch>0[.,]\d{1,2}|1[.,](?:0|25|5|75)0?|[23][.,][05]0?)(?=\s*[x×*,]|\s|$)(?!\s?mm))?(?:\s?[x×*/-](?=\s?\d))?"
)
_INCH_THREAD: Final = re.compile(r"(?<![\w.,/])(?P<size>#\d{1,2}|\d{1,2}/\d{1,2})-(?P<pitch>\d{2})(?!\d)")
_PACK: Final = re.compile(
    rf"(?<!\w){any_of(PACK_WORDS['before'])}\s?(?:of|mit|zu|a|de|da|van|con|with|=|:)?\s?(?P<after>\d+)(?![\w.,])(?!\s?{UNIT}|\s?[x×*])"
    rf"|(?<![\w.,/x])(?P<before>\d+)\s?-?{any_of(PACK_WORDS['after'])}(?!\w|\s?(?:of|mit|zu|a|de|da|van|con|with|=|:)\s?\d)"
    r"|\(\s?(?P<round>\d+)\s?x?\s?\)"
    r"|(?<!\d{3})/\s?(?P<per>\d{2,4})(?=\s*$)"
)
# Letters that may stand apart from the number that they qualify.
_PREFIXES: Final = {
    **{one: one for one in "ral ip din iso en dn pn cat ncs pantone class size ph pz".split()},
    **dict.fromkeys(("torx", "tx", "t"), "t"),
    **dict.fromkeys(("type", "typ"), "type"),
    **dict.fromkeys("p grit kornung grano grain korrel grana".split(), "grit"),
    **dict.fromkeys("grosse taille talla taglia maat".split(), "size"),
    **dict.fromkeys("klasse clase classe".split(), "class"),
}  # fmt: skip
_APART: Final = "|".join(sorted(set(_PREFIXES) - {"p", "t"}, key=len, reverse=True))
_GRIT: Final = re.compile(r"(?<![\w.,])(?P<digits>\d{2,4})\s?-?(?:grit|grain|kornung|grano|korrel)(?!\w)")
# `2,5 x 1,25 m`: both are metres. `3 x 5 m` may be three pieces.
_BOTH_METRES: Final = re.compile(r"(?<![\w.,/])(\d+[.,]\d+)(?=\s?[x×*]\s?\d+(?:[.,]\d+)?\s?m(?![\w²³^]))")
# `100 x 200 cm`: both are.
_SAME_UNIT: Final = re.compile(
    r"(?<![\w.,/])(?P<number>\d+(?:[.,]\d+)?)(?=(?:\s?[x×*]\s?\d+(?:[.,]\d+)?){1,2}\s?(?P<unit>mm|cm)(?![\w²³^]))"
)
_APART_CODE: Final = re.compile(rf"(?<![\w.])(?P<letters>{_APART})(?:\. ?|[ -])?(?P<digits>\d[\w./]*+)(?!\s*\|)")
_CODE: Final = re.compile(
    r"(?<![\w.])(?:(?P<letters>[a-z]{1,5})-?(?P<digits>\d(?:[\w./-]|,(?=\d))*)|(?P<whole>\d+[a-z]+\d[\w-]*))"
)
# By size the pitch that a metric thread has where none is told.
_COARSE_PITCH: Final = {
    "2": 0.4, "2.5": 0.45, "3": 0.5, "4": 0.7, "5": 0.8, "6": 1.0, "8": 1.25, "10": 1.5, "12": 1.75, "14": 2.0, "16": 2.0,
    "18": 2.5, "20": 2.5, "24": 3.0, "30": 3.5,
}  # fmt: skip
_RAL_COLOURS: Final = dict(zip("12345678", "yellow orange red purple blue green grey brown".split(), strict=True))
_STRENGTHS: Final = frozenset(map(Fraction, "4.6 4.8 5.6 5.8 6.8 8.8 10.9 12.9".split()))
# Codes that are a word for what they mean, and no more.
_FIRE_CLASSES: Final = ("b1", "m1")
_DRIVES: Final = {"ph": "phillips", "pz": "pozi", "t": "torx"}
# Up to so many kelvin light is called so.
_TONES: Final = ((3300, "warm"), (4500, "neutral"), (10_000, "cold"))
_KELVIN: Final = range(1800, 10_001)
_COUNTS: Final = {
    "ein": "1", "single": "1", "zwei": "2", "double": "2", "drei": "3", "triple": "3", "vier": "4", "funf": "5",
}  # fmt: skip
# A number that says how many of what there are, or how heavy a square metre is, by how it is written.
_COUNTED: Final = tuple(
    (what, re.compile(rf"(?<![\w.,])(?P<count>{pattern})(?!\w)\.?"))
    for what, pattern in (
        ("poles", rf"(?:\d|{'|'.join(_COUNTS)}))[ -]?(?:polig\w*|poles?|pol|pins?|leiter|adrig\w*|conductors?|cores?"),
        ("poles", r"\d)(?:p"),
        ("ways", r"\d{1,2})(?:[ -]?(?:fach|ways?|gangs?)|f"),
        ("gsm", r"\d{2,4})\s?(?:gsm|gr?/(?:m2|m²|qm|sqm)"),
    )
)
_ARTICLE: Final = re.compile(
    r"(?<!\w)(?:art(?:ikel|icle)?|best(?:ell)?|item|sku|ref)(?:[. -]{0,2}(?:nr|no)?[.:# ]{1,3})(?P<number>\d[\w./-]*)"
)
_FLOUR: Final = re.compile(r"(?<!\w)t\.?\s(?=\d{3,4}(?!\w))")
_LETTERED: Final = re.compile(
    r"(?<!\w)(?P<what>type|typ|klasse|class|kat|grosse|gr|size|talla|taille|taglia|maat|t(?=[.-]))(?:[.-]\s?|\s)(?P<letter>[a-f]|x{1,3}[ls]|[sml])(?![\w.])"
)
_KINDS: Final = ("type", "typ", "klasse", "class", "kat")


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


class NumberReader:
    """Reads the numbers of a folded name and takes them out, so that its words remain."""

    def __init__(self, text: str) -> None:
        self.amounts: list[Amount] = []
        self.codes: list[Code] = []
        self.packs: list[int] = []
        self.implied: list[Meanings] = []
        text = _ARTICLE.sub(self._article, _FLOUR.sub("type ", text))
        for what, pattern in _COUNTED:
            text = pattern.sub(partial(self._counted, what), text)
        text = _LETTERED.sub(self._lettered, text)
        text = _PACK.sub(self._pack, text)
        text = _INCH_THREAD.sub(self._inch_thread, text)
        text = _THREAD.sub(self._thread, text)
        text = _SAME_UNIT.sub(r"\g<number> \g<unit> ", _BOTH_METRES.sub(r"\1 m", text))
        text = _GRIT.sub(self._grit, text)
        text = TIMES.sub(self._times, _TIMES_GLUED.sub(self._times, text))
        text = _APART_CODE.sub(self._code, text)
        text = _MEASURE.sub(self._measure, text)
        text = _CODE.sub(self._any_code, text)
        self._text = _BARE.sub(self._bare, _GLUED.sub(r"\g<0> ", text))

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

    def _counted(self, what: str, hit: re.Match[str]) -> str:
        self.codes.append(Code(what, _COUNTS.get(hit["count"], hit["count"])))
        return " "

    def _article(self, hit: re.Match[str]) -> str:
        self.codes.append(Code("article", hit["number"]))
        return " "

    def _lettered(self, hit: re.Match[str]) -> str:
        if hit["what"] in _KINDS:
            self.codes.append(Code("type", hit["letter"]))
        else:
            self.implied.append(frozenset({Concept("size", hit["letter"])}))
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
        digits = re.sub(r"[^\w]", "", hit["digits"])
        # Of three digits it is no drive: flour, film, tubes.
        code = Code("type" if letters == "t" and len(digits) > 2 else _PREFIXES.get(letters, letters), digits)
        known = VOCABULARY.get(hit[0])
        if known:
            self.implied.append(known)
        if hit[0] not in _FIRE_CLASSES:
            self.codes.append(code)
        self.implied += _implied(code)
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
