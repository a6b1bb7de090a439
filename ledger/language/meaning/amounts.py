"""Amounts of a German, Spanish or French statement: counts, units, times of day, dates, how often; each with its bound."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from ledger.language.meaning.vocabulary import Language

_NUMBER: Final = r"\d{1,12}(?:[.,' ]\d{3}(?!\d)){0,3}(?:[.,]\d{1,6})?"
# Unit words by what they measure and how much of it one is. Months and days do not convert.
_UNITS: Final[Mapping[str, tuple[str, float]]] = {
    form: (what, size)
    for what, size, forms in (
        ("time", 0.001, "ms millisekunde millisekunden milisegundo milisegundos milliseconde millisecondes"),
        ("time", 1, "s sekunde sekunden segundo segundos seconde secondes"),
        ("time", 60, "min minute minuten minuto minutos minutes"),
        ("time", 900, "viertelstunde"),
        ("time", 1800, "demi-heure"),
        ("time", 3600, "h stunde stunden hora horas heure heures"),
        ("time", 86400, "tag tage tagen dia dias jour jours"),
        ("time", 604800, "woche wochen semana semanas semaine semaines"),
        ("months", 1, "monat monate monaten mes meses mois"),
        ("months", 12, "jahr jahre jahren ano anos an ans annee annees"),
        ("g", 0.001, "mg"),
        ("g", 1, "g gramm gramo gramos gramme grammes"),
        ("g", 500, "pfund libra libras livre livres"),
        ("g", 1000, "kg kilo kilos kilogramm kilogramo kilogramos kilogramme kilogrammes"),
        ("g", 1e6, "t tonne tonnen tonelada toneladas tonnes"),
        ("m", 0.001, "mm millimeter milimetro milimetros millimetre millimetres"),
        ("m", 0.01, "cm zentimeter zentimetern centimetro centimetros centimetre centimetres"),
        ("m", 0.0254, "zoll pulgada pulgadas pouce pouces"),
        ("m", 1, "m meter metern metro metros metre metres"),
        ("m", 1000, "km kilometer kilometern kilometro kilometros kilometre kilometres"),
        ("l", 0.001, "ml milliliter mililitro mililitros millilitre millilitres"),
        ("l", 0.01, "cl"),
        ("l", 1, "l liter litern litro litros litre litres"),
        ("degree", 1, "° °c grad grado grados degre degres celsius"),
        ("%", 1, "% prozent"),
        ("EUR", 1, "€ eur euro euros"),
        ("USD", 1, "$ usd dollar dolares dolar dollars"),
        ("CHF", 1, "chf franken francs"),
        ("B", 1e3, "kb"),
        ("B", 1e6, "mb megabyte megabytes"),
        ("B", 1e9, "gb gigabyte gigabytes"),
        ("B", 1e12, "tb terabyte terabytes"),
        ("times", 1, "mal vez veces fois x"),
    )
    for form in forms.split()
}  # fmt: skip
_LINKS: Final = r"(?: (?:de|les|los|las|la|el|le|die|der|den|von|um))*\s*:?\s*\Z"
_AT_MOST: Final = re.compile(
    r"(?:hochstens|maximal|maximum|bis zu|(?<!nicht )(?:weniger|leichter|kleiner|kurzer|niedriger|billiger|schmaler"
    r"|kalter) als|unter|(?:nicht|nie|keine?) (?:\w+ )?"
    r"(?:mehr|langer|grosser|hoher|schwerer|spater|teurer) als"
    r"|como maximo|como mucho|maximo|menos de|(?:menor|inferior|menores|inferiores)(?: de| a| que)?|hasta|por debajo"
    r" de|(?:no|nunca) (?:\w+ ){0,3}"
    r"(?:pasar de|superar|exceder|exceda|supere|sobrepasar|mas de)"
    r"|au plus|au maximum|(?<!pas )moins de|(?:inferieure?s?|plus petite?s?|plus courte?s?|plus legere?s?) (?:a|que)"
    r"|limite a|plafonne a|jusqu'a|(?:pas|jamais|ne) (?:\w+ ){0,5}plus de"
    r"|(?:pas|jamais|ne) (?:\w+ ){0,2}(?:depasser|exceder|excedera|depasse|excede)(?: pas)?)" + _LINKS
)
_AT_LEAST: Final = re.compile(
    r"(?:mindestens|wenigstens|minimum|(?:mehr|schwerer|grosser|langer|hoher|teurer|breiter|warmer) als|uber|erst(?:"
    r" um| am| ab)?|nicht (?:\w+ )?(?:weniger|kurzer|unter|vor)(?: als)?"
    r"|como minimo|al menos|por lo menos|minimo|mas de|(?:mayor|superior|mayores|superiores)(?: de| a| que)?|por"
    r" encima de|no (?:\w+ ){0,3}(?:menos de|bajar de|hasta|antes de)"
    r"|au moins|au minimum|plus de|(?:superieure?s?|plus grande?s?|plus longue?s?|plus lourde?s?) (?:a|que)|au-dessus"
    r" de|pas (?:\w+ ){0,2}(?:moins de|avant))" + _LINKS
)
# `nach 17 Uhr`, `avant 20 heures`.
_WHEN: Final = frozenset({"clock", "date"})
_EDGE: Final = re.compile(
    r"\b(?:(?P<before>vor|antes de(?: las?| el|l)?|avant(?: le)?)|nach|despues de(?: las?| el|l)?|apres(?: le)?)\s+\Z"
)
_OR_LESS: Final = re.compile(r"\s*(?:\S+ )?(?:oder weniger|o menos|ou moins|como maximo|au plus|au maximum)")
_OR_MORE: Final = re.compile(r"\s*(?:\S+ )?(?:oder mehr|o mas|ou plus|como minimo|au moins|au minimum)")
_ABOUT: Final = re.compile(
    r"\b(?:circa|ca|etwa|ungefahr|rund|unos|unas|alrededor de|aproximadamente|environ|a peu pres)\s*\Z"
)
# So far back and ahead words are looked for that bound an amount.
_BEFORE, _AFTER = 60, 30
# People round when they convert.
_CONVERTED_WITHIN: Final = 0.006
_HALF_A_DAY: Final = 720


@dataclass(frozen=True, slots=True)
class Amount:
    """`what` it measures; between `low` and `high`, of which one is infinite where the other bounds it; where it stands.
    `half_day` where a time may be before or after noon."""

    what: str
    low: float
    high: float
    start: int
    end: int
    half_day: bool = False

    @property
    def bound(self) -> str:
        return "most" if self.low == -inf else "least" if self.high == inf else ""

    def fits(self, other: "Amount") -> bool:
        """Whether both can be told of one thing. Bounds on one side are two rules where they differ."""
        if self.half_day or other.half_day:
            return (self.low - other.low) % _HALF_A_DAY == 0
        if self.bound == other.bound != "":
            return (self.low, self.high) == (other.low, other.high)
        ends = (self.low, self.high, other.low, other.high)
        slack = _CONVERTED_WITHIN * max(abs(end) for end in ends if abs(end) != inf)
        return self.low <= other.high + slack and other.low <= self.high + slack


def amounts_in(text: str, language: Language) -> list[Amount]:
    """Of folded text, in order; none overlaps another."""
    readers = (_clocks, _noons, _spoken_times, _dates, _how_often, _counts, _single_units)
    amounts = (amount for read in readers for amount in read(text, language))
    found: list[Amount] = []
    for amount in sorted(amounts, key=lambda one: (one.start, -one.end)):
        end = found[-1].end if found else 0
        if amount.start >= end:
            found.append(_bounded(text, end, amount))
    return found


def _bounded(text: str, since: int, amount: Amount) -> Amount:
    if amount.low != amount.high:
        return amount
    from_ = max(since, amount.start - _BEFORE)
    before, after = text[from_ : amount.start], text[amount.end : amount.end + _AFTER]
    if amount.what in _WHEN and (edge := _EDGE.search(before)):
        low, high = (-inf, amount.high) if edge["before"] else (amount.low, inf)
        return replace(amount, low=low, high=high, start=from_ + edge.start(), half_day=False)
    if most := _AT_MOST.search(before):
        if amount.what == "date" and most[0].startswith(("jusqu", "hasta", "bis")):  # it ends then
            return amount
        return replace(amount, low=-inf, start=from_ + most.start(), half_day=False)
    if least := _AT_LEAST.search(before):
        return replace(amount, high=inf, start=from_ + least.start(), half_day=False)
    if most := _OR_LESS.match(after):
        return replace(amount, low=-inf, end=amount.end + most.end(), half_day=False)
    if least := _OR_MORE.match(after):
        return replace(amount, high=inf, end=amount.end + least.end(), half_day=False)
    if about := _ABOUT.search(before):
        return replace(
            amount, low=amount.low * 0.9, high=amount.high * 1.1, start=from_ + about.start(), half_day=False
        )
    return amount


_CLOCK: Final = re.compile(
    r"\b(?P<h>\d{1,2})(?::|\s?h\s?)(?P<m>\d{2})\b|\b(?P<h1>\d{1,2})\.(?P<m1>\d{2})\s?uhr\b"
    r"|\b(?P<h2>\d{1,2})\s?uhr\b(?:\s(?P<m2>\d{2})\b)?"
    r"|(?:(?<=\ba\s)|(?<=\bdes\s)|(?<=\bavant\s))(?P<h3>\d{1,2})\s?(?:h|heures?)\b|(?:(?<=\ba\slas\s)"
    r"|(?<=\bde\slas\s))(?P<h4>\d{1,2})\b(?!\s?[:%€])"
)
_LATE: Final = re.compile(r"\b(?:de la (?:tarde|noche)|de l'apres-midi|du soir|abends|nachmittags)\b")
_NOON: Final = re.compile(r"\b(?:(?P<noon>mediodia|12 uhr mittags)|mitternacht|medianoche)\b")


def _clocks(text: str, _: Language) -> Iterator[Amount]:
    late = _LATE.search(text) is not None
    for match in _CLOCK.finditer(text):
        hour, minute = (next((int(match[name]) for name in names if match[name]), 0) for names in _CLOCK_PARTS)
        if hour <= 24 and minute < 60:
            yield _time(hour, minute, match.span(), late=late)


_CLOCK_PARTS: Final = (("h", "h1", "h2", "h3", "h4"), ("m", "m1", "m2"))


def _time(hour: int, minute: int, span: tuple[int, int], *, late: bool) -> Amount:
    at = float((hour + 12 * (late and hour < 12)) * 60 + minute)
    return Amount("clock", at, at, *span, half_day=not late and 1 <= hour <= 12)


def _noons(text: str, _: Language) -> Iterator[Amount]:
    for match in _NOON.finditer(text):
        at = 720.0 if match["noon"] else 0.0
        yield Amount("clock", at, at, *match.span())


_SPOKEN: Final = {
    "de": r"\b(?P<part>halb|viertel nach|viertel vor|dreiviertel) (?P<n>{n}|\d{{1,2}}|eins)\b|(?<=\bum )(?P<n2>{n}|\d{{1,2}})\b",
    "es": r"\b(?P<n>{n}|\d{{1,2}}) (?P<part>y media|y cuarto|menos cuarto)\b|(?<=\ba las )(?P<n2>{n})\b",
    "fr": r"\b(?P<n>{n}|\d{{1,2}}) (?:h|heures?) (?P<part>et demie|et quart|moins le quart)\b|(?<=\ba )(?P<n2>{n}) heures?\b",
}
_PARTS: Final = {
    "halb": -30, "viertel nach": 15, "viertel vor": -15, "dreiviertel": -15, "y media": 30, "y cuarto": 15, "menos cuarto": -15,
    "et demie": 30, "et quart": 15, "moins le quart": -15,
}  # fmt: skip


def _spoken_times(text: str, language: Language) -> Iterator[Amount]:
    late = _LATE.search(text) is not None
    for match in re.finditer(_SPOKEN[language.code].format(n=_number_words(language)), text):
        word = match["n"] or match["n2"]
        hour, past = (
            int(language.numbers.get(word, word).replace("eins", "1").rstrip("x")),
            _PARTS.get(match["part"], 0),
        )
        if hour <= 24:
            yield _time(*divmod(hour * 60 + past, 60), match.span(), late=late)


def _number_words(language: Language) -> str:
    return "|".join(sorted(map(re.escape, language.numbers), key=len, reverse=True))


def _dates(text: str, language: Language) -> Iterator[Amount]:
    months = {word: at for word, (what, at) in language.calendar.items() if what == "months"}
    for match in re.finditer(rf"\b(?P<day>\d{{1,2}})(?:er|\.)?\s(?:de\s)?(?P<month>{'|'.join(months)})\b", text):
        at = months[match["month"]] * 100.0 + int(match["day"])
        yield Amount("date", at, at, *match.span())


def _how_often(text: str, language: Language) -> Iterator[Amount]:
    for word in re.finditer(r"[^\W\d_]+(?:-[^\W\d_]+)*", text):
        what, at = language.calendar.get(word[0], ("", 0))
        if what == "often":
            yield Amount("often", at, at, *word.span())
    for found in _EACH.finditer(text):
        at = next(at for at, period in enumerate(_PERIODS) if re.match(period, found["period"]))
        yield Amount("often", at, at, *found.span())


# In the order of the words in `languages.txt`: hourly, daily, weekly, …
_PERIODS: Final = (
    r"stunde|hora|heure",
    r"tag|dia|jour",
    r"woche|semana|semaine",
    "zwei wochen",
    r"monat|mes|mois",
    r"quartal|trimestr",
    r"jahr|ano|an",
)
_EACH: Final = re.compile(
    rf"\b(?:jede[nrms]?|cada|todos los|todas las|chaque|tous les|toutes les) (?P<period>(?:{'|'.join(_PERIODS)})\w{{0,3}})\b"
)


_COUNT_START: Final = rf"(?P<sign>[€$]\s?)?(?<![\w.-])(?P<n>{_NUMBER}"
_COUNT_END: Final = (
    rf")(?:\s?(?:-|bis|a)\s?(?P<n2>{_NUMBER}))?(?:[ -]?(?P<times>tausend|mil|mille|million(?:en|es|s)?)\b)?"
    r"(?:[ -]?(?P<unit>[^\W\d_]+|[°%€$]c?))?"
)
_TIMES: Final = {"tausend": 1e3, "mil": 1e3, "mille": 1e3, "": 1.0}


def _counts(text: str, language: Language) -> Iterator[Amount]:
    for match in re.finditer(rf"{_COUNT_START}|(?:{_number_words(language)})\b{_COUNT_END}", text):
        said = language.numbers.get(match["n"], match["n"])
        low = _value(said.rstrip("x")) * _TIMES.get(match["times"] or "", 1e6)
        high = max(low, _value(match["n2"] or "0"))
        unit = (match["sign"] or match["unit"] or "").strip()
        what, size = _UNITS.get(unit, ("times" if said.endswith("x") else "count", 1.0))
        last = "unit" if match["unit"] in _UNITS else "times" if match["times"] else "n2" if match["n2"] else "n"
        yield Amount(what, low * size, high * size, match.start(), match.end(last))


_SINGLE: Final = re.compile(
    r"\b(?:(?:eine?[nrm]?|una?|une)"
    r" (?P<unit>sekunde|minute|stunde|tag|woche|monat|jahr|kilo|tonne|meter|liter|segundo|minuto"
    r"|hora|dia|semana|mes|ano|tonelada|metro|litro|seconde|heure|jour|semaine|mois|an|annee|metre|litre|viertelstunde)\b"
    r"(?P<half> y media| et demie)?|(?:(?P<before>halbe[rns]?|medi[ao]|demi-?) ?(?P<halved>[^\W\d_]+))"
    r"|(?:eine?[nr]? einzige[nr]?|un solo|una sola|solo una?|une? seule?)\b)"
)


def _single_units(text: str, _: Language) -> Iterator[Amount]:
    for match in _SINGLE.finditer(text):
        what, size = _UNITS.get(match["unit"] or match["halved"] or "", ("count", 1.0))
        at = size * (1.5 if match["half"] else 0.5 if match["halved"] else 1.0)
        if what != "count" or not match["halved"]:
            yield Amount(what, at, at, *match.span())


def _value(written: str) -> float:
    """`2,000` and `2.000` are thousands, `2,5` and `2.5` are not."""
    return float(re.sub(r"[.,' ](?=\d{3}(?!\d))", "", written).replace(",", "."))
