"""A text as symbols of known classes: what is not about time is one blank between them."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from ledger.language.fold import fold
from ledger.language.times.grammar import Symbol
from ledger.language.times.lexicon import OTHER, Lexicon, char_of, chars_of

# In this order: what must never be taken apart first (addresses, money, phone numbers, versions), then figures, words, signs.
_TOKEN: Final = re.compile(
    r"""
    (?P<never>https?://\S+|www\.\S+|<[^<>\s][^<>]{0,2000}>|[\w.+-]{1,64}@[\w-]{1,64}\.\w[\w.]{0,60}|[$€£]\s?\d[\d.,]*|[$#][^\W\d_]\w*
        |\+\d[\d\s().-]{5,20}\d|\(\d{3}\)\s?\d{3}-\d{4}|[#§v]\d[\d.]*|(?:\d{1,3}\.){3}\d{1,5}|\d{1,3}(?:,\d{3})+(?:\.\d+)?
        |\d[\d.,]*\s?%|\d+(?:-\d+){3,}|\d{3,4}-\d{3,4}(?:-\d{2,4})+|\d{2}-\d{4}-\d{2,4}|24/7|\d{3,}d(?!\w))
  | (?P<iso>\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?(?!\w))
  | (?P<year_first>(?<![\w.-])\d{4}(?P<s1>[-/. ])\d{1,2}(?P=s1)\d{1,2}(?![\w/]|[-.]\d))
  | (?P<year_last>(?:(?<![\w.-])|(?<=\d{4}-)|(?<=\d/\d-))\d{1,2}(?P<s2>[-/.])\d{1,2}(?P=s2)(?:\d{4}|\d\d)(?![\w/]|\.\d))
  | (?P<year_month>(?<![\w./-])(?:1[89]|2[01])\d\d[-/]\d{1,2}(?![\w/]|-\d))
  | (?P<portion>(?<![\w/.])(?:1/2|1/3|2/3|1/4|3/4|9/10|20/20|50/50)(?![\w/]))
  | (?P<slash>(?<![\w/.])\d{1,2}/\d{1,2}(?![\w/]))
  | (?P<weak_date>(?:(?<=\bam[ ])|(?<=\bvom[ ])|(?<=\bzum[ ])|(?<=\bden[ ])|(?<=\bab[ ])|(?<=\bbis[ ]))\d{1,2}\.\d{1,2}\.(?![\d]))
  | (?P<colon_clock>(?<![\w:])\d{1,2}:\d\d(?::\d\d)?(?P<colon_clock_end>[^\W\d_]{1,4})?(?![\w:]))
  | (?P<ratio>\d+(?::\d+)+)
  | (?P<dotted>(?<![\w.])\d{1,2}\.\d\d?(?P<dotted_end>[^\W\d_]{1,7})?(?!\w|\.\d))
  | (?P<decimal>\d+[.,]\d[\d.,]*(?P<decimal_end>[^\W\d_]{1,7})?)
  | (?P<weak>(?<![\w.-])\d{1,2}-\d{1,2}(?![\w-]))
  | (?P<ordinal>\d{1,2}(?:st|nd|rd|th|[eè]me)\b|1er\b|\d{1,2}[ºª])
  | (?P<figures>(?<!\w)\d+(?![\w½]))
  | (?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*(?![\w]))
  | (?P<year_part>(?<!\w)(?:q[1-4]|h[12])(?!\w))
  | (?P<year_kind>(?<!\w)(?:cy|fy|sy)(?:\d{4}|\d\d)(?!\w))
  | (?P<h_clock>(?<!\w)\d{1,2}h\d\d(?!\w))
  | (?P<decade>(?<!\w)(?:\d{1,2}|(?:1[5-9]|2[01])\d\d)s(?!\w))
  | (?P<number_and_word>(?<!\w)(?P<n>\d+)[^\W\d_]+(?!\w))
  | (?P<word_and_number>(?<!\w)[^\W\d_]+(?:\d{1,2}|\d{4})(?!\w))
  | (?P<mixed>\w+)
  | (?P<break>[ \t]*[\r\n]\s*)
  | (?P<glued_dash>(?<=\d)[-–—~](?=\d))
  | (?P<sign>[-–—~/,.:()=@>?!…&])
  | (?P<other>[^\s\w])
    """,
    re.X | re.I,
)
_SIGNS: Final = {
    "-": "dash", "–": "dash", "—": "dash", "~": "dash", "/": "slash_sign", ",": "comma", ".": "stop", ":": "colon",
    "?": "stop:question", "!": "stop", "…": "stop", "&": "and", "(": "open", ")": "close", "=": "equals", ">": "equals",
    "@": "at",
}  # fmt: skip
# What figures without a sign between them can be.
_FIGURES: Final = re.compile(
    r"(?P<num>\d{1,2})|(?P<year_first>(?:19\d\d|20\d\d|2100)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))"
    r"|(?P<year>(?:1[5-9]|2[01])\d\d)|(?P<digits>\d[0-5]\d|(?:[01]\d|2[0-4])[0-5]\d)"
)
# German `um 4 am Montag` and `am` before a name of a day or an ordinal is no half of the day.
_AMPM: Final = re.compile(
    r"(?!\s(?-i:am)\ (?:Mo|Di|Mi|Do|Fr|Sa|So|\d{1,2}\.|nächst|kommend|letzt|(?:vor|nach)?mittag|morgen|abend))"
    r"\s?(?P<half>[ap])(?:\.\s?m\.?|\s?m(?!\w))",
    re.I,
)
# What may be glued to a number, or to a clock.
_SUFFIXES: Final[dict[str, tuple[str, str]]] = {
    "am": ("ampm:am", "am"), "a": ("ampm:am", "am"), "ampm": ("ampm:am", "am"), "pm": ("ampm:pm", "pm"), "p": ("ampm:pm", "pm"),
    "h": ("glued_h", "hour"), "hs": ("oclock", ""), "uhr": ("oclock", ""), "ish": ("about:ish", ""), "w": ("unit:week", "week"),
    "d": ("unit:day", "day"),
}  # fmt: skip
_CLOCK_SUFFIXES: Final = {name: of for name, of in _SUFFIXES.items() if name not in ("w", "d")} | {"h": ("oclock", "")}
_SPELLED: Final = chars_of("word_num")
_LENGTHS: Final = chars_of("unit") + chars_of("clock_unit")
_AFTER_NUMBERS: Final = _LENGTHS + chars_of("month") + chars_of("oclock")
_BEFORE_NUMBERS: Final = chars_of("month") + chars_of("week_number")
_YEAR_KINDS: Final = {"cy": "calendar", "fy": "fiscal", "sy": "school"}


def symbols_of(text: str, lexicon: Lexicon) -> list[Symbol]:
    """The tokens in order, runs of unknown ones as one blank."""
    symbols: list[Symbol] = []
    at = 0
    for found in _TOKEN.finditer(text):
        start, end = found.span()
        if start < at:
            continue
        made = _READERS.get(found.lastgroup or "", _nothing)(found, lexicon)
        if made:
            symbols += made
            at = made[-1].end
        elif symbols and symbols[-1].char == OTHER:
            symbols[-1].end = end
        else:
            symbols.append(Symbol(OTHER, start, end))
    return symbols


def _symbol(name: str, start: int, end: int, value: Any = None) -> Symbol:
    return Symbol(char_of(name, value), start, end, value)


def _nothing(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    return []


def _whole(found: re.Match[str], lexicon: Lexicon, *, name: str) -> list[Symbol]:
    return [_symbol(name, *found.span(), found.group())]


def _sign(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    return _whole(found, lexicon, name=_SIGNS[found.group()])


def _word(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    """A word or chain of words; of `today's` the span ends before the apostrophe."""
    (start, end), key = found.span(), fold(found.group())
    if chain := lexicon.chain_at(key, found.string, end):
        stop, word = chain
        return [Symbol(word.char, start, stop, word.value)]
    known = lexicon.word(found.group())
    if known is None and key.endswith("'s"):
        known, end = lexicon.words.get(key[:-2]), end - 2
    if known is None:
        return []
    return [Symbol(known.char, start, end, known.value), *(_ampm(found.string, end) if known.char in _SPELLED else ())]


def _figures(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    number = _number(found.group(), found.start())
    return number and [*number, *_ampm(found.string, found.end())]


def _number(figures: str, start: int) -> list[Symbol]:
    found = _FIGURES.fullmatch(figures)
    if found is None:
        return []
    name, read = _FIGURE_CLASSES[str(found.lastgroup)]
    return [_symbol(name, start, start + len(figures), read(figures))]


_FIGURE_CLASSES: Final[dict[str, tuple[str, Callable[[str], int | str]]]] = {
    "num": ("num", int),
    "year": ("year", int),
    "digits": ("digits", str),
    "year_first": ("date:year_first", lambda figures: f"{figures[:4]}-{figures[4:6]}-{figures[6:]}"),
}


def _ampm(text: str, at: int) -> list[Symbol]:
    found = _AMPM.match(text, at)
    if found is None:
        return []
    half = f"{found['half'].lower()}m"
    return [_symbol(f"ampm:{half}", found.start("half"), found.end(), half)]


def _number_and_ending(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    """`16:30Uhr`, `2.5h`."""
    kind = str(found.lastgroup)
    text, (start, end), ending = found.string, found.span(), found[f"{kind}_end"] or ""
    stop = end - len(ending)
    number = _symbol(kind, start, stop, text[start:stop])
    if not ending:
        return [number, *_ampm(text, stop)]
    tail = _ending(text, stop, end, _CLOCK_SUFFIXES, lexicon, "" if kind == "colon_clock" else _LENGTHS)
    return [number, *tail] if tail or kind == "colon_clock" else []


def _number_and_word(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    """`3pm`, `20min`, `5may`; and `2moro`, which is one word."""
    start, end = found.span()
    if word := lexicon.words.get(fold(found.group())):
        return [Symbol(word.char, start, end, word.value)]
    number = _number(found["n"], start)
    tail = number and _ending(found.string, found.end("n"), end, _SUFFIXES, lexicon, _AFTER_NUMBERS)
    return tail and [*number, *tail]


def _ending(
    text: str, start: int, end: int, suffixes: dict[str, tuple[str, str]], lexicon: Lexicon, classes: str
) -> list[Symbol]:
    """What is glued to a number: one of the suffixes, or a word of these classes."""
    ending = text[start:end].lower()
    if ending in suffixes:
        name, value = suffixes[ending]
        ampm = _AMPM.match(text, start)
        return [_symbol(name, start, ampm.end() if ampm else end, value)]
    word = lexicon.words.get(fold(ending))
    return [Symbol(word.char, start, end, word.value)] if word and word.char in classes else []


def _word_and_number(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    """`may5`, `kw12`."""
    start, head = found.start(), found.group().rstrip("0123456789")
    word = lexicon.words.get(fold(head))
    if word is None or word.char not in _BEFORE_NUMBERS:
        return []
    cut = start + len(head)
    return [Symbol(word.char, start, cut, word.value), *_number(found.group()[len(head) :], cut)]


def _year_kind(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    """`FY2026`, `CY18`."""
    (start, end), (kind, year) = found.span(), (found.group()[:2].lower(), int(found.group()[2:]))
    year += 2000 * (year < 100)
    calendar = _YEAR_KINDS[kind]
    return [_symbol(f"calendar_kind:{calendar}", start, start + 2, calendar), _symbol("year", start + 2, end, year)]


def _year_part(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    """`Q3`, `H1`: as months a part and which part."""
    kind, which = found.group()[0].lower(), found.group()[1:]
    return [_symbol(f"yearly_half:{kind}", *found.span(), ({"q": 3, "h": 6}[kind], int(which)))]


def _h_clock(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    return [_symbol("colon_clock", *found.span(), found.group().lower().replace("h", ":"))]


def _decade(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    return [_symbol("decade_word", *found.span(), int(found.group()[:-1]))]


def _ordinal(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    return [_symbol("ordinal:figures", *found.span(), int("".join(filter(str.isdecimal, found.group()))))]


def _hyphened(found: re.Match[str], lexicon: Lexicon) -> list[Symbol]:
    """`5-6`, which may be two clocks or a day and a month."""
    start, (one, two) = found.start(), found.group().split("-")
    dash = start + len(one)
    return [*_number(one, start), _symbol("dash:glued", dash, dash + 1), *_number(two, dash + 1)]


_READERS: Final[dict[str, Callable[[re.Match[str], Lexicon], list[Symbol]]]] = {
    **{name: partial(_whole, name=name) for name in ("iso", "year_month", "weak_date", "date:year_first")},
    "year_first": partial(_whole, name="date:year_first"),
    "year_last": partial(_whole, name="date:year_last"),
    "portion": partial(_whole, name="slash:portion"),
    "slash": partial(_whole, name="slash:date"),
    "glued_dash": partial(_whole, name="dash:glued"),
    "colon_clock": _number_and_ending,
    "dotted": _number_and_ending,
    "decimal": _number_and_ending,
    "weak": _hyphened,
    "ordinal": _ordinal,
    "figures": _figures,
    "word": _word,
    "mixed": _word,
    "year_part": _year_part,
    "year_kind": _year_kind,
    "h_clock": _h_clock,
    "decade": _decade,
    "number_and_word": _number_and_word,
    "word_and_number": _word_and_number,
    "sign": _sign,
}
