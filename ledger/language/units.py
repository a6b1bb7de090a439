"""Units: how people write them, what each measures, and how much it is, exactly (T5). One amount told in two units is one amount.

A table of our own: `docs/benchmarks.md` says what well-kept libraries cost and what they would add. A row of `_TABLE` is a
quantity, named by its base unit, and what one of each unit is in that. Money is in none: a rate is no constant.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Context, Decimal
from fractions import Fraction
from typing import Final, NamedTuple

# Wide enough for every number that is reckoned with, so that nothing is rounded.
EXACT: Final = Context(prec=2000)

_PREFIXES: Final = {"n": -9, "µ": -6, "m": -3, "c": -2, "d": -1, "": 0, "k": 3, "M": 6, "G": 9, "T": 12}
# base unit of a quantity → unit → how much of the base one is, and the SI prefixes that people write before it.
_TABLE: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "m": {"m": ("1", "n µ m c d k"), "in": ("0.0254", ""), "ft": ("0.3048", ""), "yd": ("0.9144", ""), "mi": ("1609.344", "")},
    "g": {"g": ("1", "µ m k"), "lb": ("453.59237", ""), "oz": ("28.349523125", ""), "t": ("1e6", "")},
    "s": {"s": ("1", "n µ m"), "min": ("60", ""), "h": ("3600", ""), "d": ("86400", ""), "wk": ("604800", "")},
    "m²": {"m²": ("1", ""), "mm²": ("1e-6", ""), "cm²": ("1e-4", ""), "km²": ("1e6", "")},
    "m³": {"m³": ("1", ""), "cm³": ("1e-6", ""), "L": ("1e-3", "µ m c d")},
    "m/s": {"m/s": ("1", ""), "km/h": ("1/3.6", ""), "mph": ("0.44704", "")},
    "m/s²": {"m/s²": ("1", "")},
    "kg/m³": {"kg/m³": ("1", "")},
    "Hz": {"Hz": ("1", "k M G T"), "rpm": ("1/60", "")},
    "N": {"N": ("1", "m k M")},
    "N·m": {"N·m": ("1", "")},
    "N/m": {"N/m": ("1", "")},
    "Pa": {"Pa": ("1", "k M G"), "hPa": ("100", ""), "bar": ("1e5", "m"), "psi": ("4.4482216152605/0.00064516", "")},
    "J": {"J": ("1", "m k M G"), "Wh": ("3600", "k M G"), "kcal": ("4184", "")},
    "W": {"W": ("1", "m k M G")},
    "V": {"V": ("1", "µ m k")},
    "A": {"A": ("1", "µ m k")},
    "Ω": {"Ω": ("1", "m k M")},
    "F": {"F": ("1", "n µ m")},
    "Ah": {"Ah": ("1", "m")},
    "mol": {"mol": ("1", "m")},
    "lm": {"lm": ("1", "k")},
    "cd": {"cd": ("1", "m")},
    "B": {
        "B": ("1", "k M G T"), "bit": ("1/8", "k M G T"),
        "KiB": ("1024", ""), "MiB": ("1048576", ""), "GiB": ("1073741824", ""), "TiB": ("1099511627776", ""),
    },
    "B/s": {"B/s": ("1", "k M G T"), "bit/s": ("1/8", "k M G T")},
    # In °C, not in K: `about 20 °C` is no nearer to 45 °C because both are far from absolute zero.
    "°C": {"°C": ("1", ""), "K": ("1", ""), "°F": ("1/1.8", "")},
    **{unit: {unit: ("1", "")} for unit in "% ppm ° px em rem dpi fps dB".split()},
}  # fmt: skip
# Where the zero of a scale lies: so much is to be added before its degrees are counted from the base's own.
_ZEROES: Final = {"K": Fraction("-273.15"), "°F": Fraction(-32)}


class Unit(NamedTuple):
    """`quantity` is the base unit of what it measures; `size` how much of that one is; `symbol` without its SI prefix."""

    quantity: str
    size: Fraction
    symbol: str


def _ratio(written: str) -> Fraction:
    over, _, under = written.partition("/")
    return Fraction(over) / Fraction(under or 1)


def _units() -> Iterator[tuple[str, Unit]]:
    for quantity, units in _TABLE.items():
        for symbol, (size, prefixes) in units.items():
            for prefix in ["", *prefixes.split()]:
                yield prefix + symbol, Unit(quantity, _ratio(size) * Fraction(10) ** _PREFIXES[prefix], symbol)


# By symbol.
UNITS: Final = dict(_units())
_SPELLED: Final = {
    "μm": "µm", "um": "µm", "us": "µs", "μs": "µs", "usec": "µs", "l": "L", "ml": "mL", "dl": "dL", "cl": "cL", "KG": "kg",
    "Kg": "kg", "KB": "kB", "kb": "kB", "Mb": "Mbit", "Gb": "Gbit", "Mbps": "Mbit/s", "Gbps": "Gbit/s", "kbps": "kbit/s",
    "bps": "bit/s", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "minute": "min", "minutes": "min",
    "mins": "min", "hour": "h", "hours": "h", "hr": "h", "hrs": "h", "day": "d", "days": "d", "week": "wk", "weeks": "wk",
    "millisecond": "ms", "milliseconds": "ms", "msec": "ms", "microsecond": "µs", "microseconds": "µs",
    "nanosecond": "ns", "nanoseconds": "ns", "metre": "m", "metres": "m", "meter": "m", "meters": "m",
    "kilometre": "km", "kilometres": "km", "kilometer": "km", "kilometers": "km", "centimetre": "cm", "centimetres": "cm",
    "centimeter": "cm", "centimeters": "cm", "millimetre": "mm", "millimetres": "mm", "millimeter": "mm",
    "millimeters": "mm", "gram": "g", "grams": "g", "kilogram": "kg", "kilograms": "kg", "kilo": "kg", "kilos": "kg",
    "litre": "L", "litres": "L", "liter": "L", "liters": "L", "inch": "in", "inches": "in", "foot": "ft", "feet": "ft",
    "yard": "yd", "yards": "yd", "mile": "mi", "miles": "mi", "lbs": "lb", "pound": "lb", "pounds": "lb", "ounce": "oz",
    "ounces": "oz", "tonne": "t", "tonnes": "t", "Tonne": "t", "Tonnen": "t", "tonelada": "t", "toneladas": "t",
    "percent": "%", "per cent": "%", "degrees": "°", "watt": "W", "watts": "W", "volt": "V",
    "volts": "V", "amp": "A", "amps": "A", "byte": "B", "bytes": "B", "bits": "bit", "kph": "km/h", "kmh": "km/h",
    "m2": "m²", "m3": "m³", "m^2": "m²", "m^3": "m³", "cm2": "cm²", "cm3": "cm³", "Nm": "N·m", "℃": "°C", "℉": "°F",
    "ohm": "Ω", "ohms": "Ω", "pixels": "px", "Ω": "Ω",
}  # fmt: skip
# How other languages write the same out.
_ABROAD: Final = {
    "s": "Sekunde Sekunden Sek segundo segundos seconde secondes secondi secondo seconden",
    "min": "Minute Minuten Min minuto minutos minuti minuten",
    "h": "Stunde Stunden Std hora horas heure heures ora ore uur",
    "d": "Tage Tagen día días dia dias jour jours giorno giorni dag dagen",
    "wk": "Woche Wochen semana semanas semaine semaines settimana settimane weken",
    "m": "Meter Metern metro metros mètre mètres metri",
    "km": "Kilometer kilómetro kilómetros quilómetros kilomètres chilometri",
    "cm": "Zentimeter centímetro centímetros centimètre centimètres centimetri",
    "mm": "Millimeter milímetros millimètres millimetri",
    "g": "Gramm gramo gramos grama gramas gramme grammes grammi", "L": "Liter litro litros litri",
    "kg": "Kilogramm Kilo kilogramo kilogramos kilogrammes quilo quilos chilogrammi chili", "%": "Prozent",
}  # fmt: skip
_SPELLED_ABROAD: Final = {word: unit for unit, words in _ABROAD.items() for word in words.split()}


def _one_of(words: Iterable[str]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + r")(?![\w²³^])"


UNIT_PATTERN: Final = _one_of({*UNITS, *_SPELLED})
# With the words of other languages, for amounts that stand behind the name of what they measure.
ANY_UNIT_PATTERN: Final = _one_of({*UNITS, *_SPELLED, *_SPELLED_ABROAD})


def canonical_unit(unit: str) -> str:
    """The symbol for a unit as people write it (`kilos` → `kg`); the unit itself where it is unknown."""
    if unit in UNITS:
        return unit
    return _SPELLED.get(unit) or _SPELLED.get(unit.casefold()) or _SPELLED_ABROAD.get(unit, unit)


def unit_named(unit: str) -> Unit:
    """What a unit as people write it is; one that is unknown measures itself alone."""
    symbol = canonical_unit(unit)
    return UNITS.get(symbol) or Unit(symbol, Fraction(1), symbol)


def quantity_of(unit: str) -> str:
    """What a unit measures, as the base unit of its quantity: equal for two units that can be told in each other (ft, cm)."""
    return unit_named(unit).quantity


def unit_size(unit: str) -> Fraction:
    """How much one of a unit is in the base unit of its quantity."""
    return unit_named(unit).size


def in_base_unit(number: Decimal, unit: str) -> Fraction:
    """An amount in the base unit of its quantity: 36 km/h is 10 (m/s), 68 °F is 20 (°C)."""
    _, size, symbol = unit_named(unit)
    return (Fraction(number) + _ZEROES.get(symbol, 0)) * size


def exact_digits(number: Fraction) -> str:
    """Plain digits with an exponent, or a ratio where no digits tell the number whole: equal for equal numbers."""
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest > 1:
        return str(number)
    return plain_exponent(EXACT.divide(Decimal(number.numerator), Decimal(number.denominator)))


def plain_exponent(number: Decimal) -> str:
    """Plain digits and an exponent; `normalize` without the rounding of the usual context."""
    return "0" if number == 0 else str(EXACT.normalize(number))
