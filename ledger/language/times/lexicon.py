"""The words of time of four languages, as one table: each word, or chain of words, has a class and a value.

Classes are what rules are written in: `weekday 4`, `month 5`, `unit week`, `to`, `every`. A class has variants where rules
tell its words apart: those of a word as value (`unit week` is a `unit:week`), those a line names (*may* is a `month:weak`,
since it is a verb too, and rules ask for more around it), and for numbers those of their size.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple

from ledger.language.fold import fold
from ledger.language.times import english, french, german, spanish

# Where two languages claim a word, the later in this order keeps it; English is last, since chats mix it in everywhere.
_TABLES: Final = {"fr": french, "de": german, "es": spanish, "en": english}
# What no table brings: figures, signs, and what rules make of words.
_OTHER_CLASSES: Final = (
    "any digits colon_clock dotted decimal iso date:year_first date:year_last slash:date slash:portion weak_date year_month "
    "glued_h ordinal:figures ordinal:spelled decade_word yearly_half:q yearly_half:h about:ish "
    "dash dash:glued slash_sign comma stop stop:question colon open close equals "
    "Clock ClockRange:closed ClockRange:since ClockRange:until Day DayPart DayRange:days DayRange:years Instant "
    "InstantRange Duration:days "
    "Duration:time Recurrence NoSuchDay"
).split()
# The greatest number of each band that rules tell apart.
_COUNTS: Final = (0, 1, 9, 12, 23, 31, 59, 99)
_BANDS: Final = {"num": _COUNTS, "word_num": _COUNTS, "year": (1799, 2199)}
# Several classes under one name, for shapes and for parameters of interpretations.
_TOGETHER: Final = {
    "number": "num word_num",
    "numeral": "word_num hundred thousand",
    "figure": "num word_num digits dotted Clock",
    "day_number": "ordinal num word_num",
    "counted": "unit clock_unit measure",
    "countable": "unit clock_unit measure slash_sign phase part month decimal some next",
    "length_unit": "unit clock_unit quarter:quarter glued_h part:night weekdays:weekend",
    "often_unit": "unit:day unit:week unit:month unit:year unit:night",
    "calendar_unit": "unit quarter:quarter",
    "which": "this next last past:past coming_after",
    "weak_weekday": "weekday:sat weekday:sun",
    "recurring_day": "weekday weekdays",
    "part_name": "part part_phrase",
    "bound": "Day DayRange",
    "edge": "Day DayRange year now",
    "limit": "Day DayRange Clock Instant InstantRange year",
    "daytime": "part:morning part:noon part:afternoon part:evening part:night part:nacht",
}


class Word(NamedTuple):
    """What a spelling stands for: the character of its class, and an int where the table's line has a number."""

    char: str
    value: int | str


def _entries(lines: str) -> Iterator[tuple[str, int | str, list[str]]]:
    for line in lines.strip().splitlines():
        left, _, spellings = line.partition(" | ")
        name, _, value = left.partition(" ")
        variant = f"{name}:{value}" if value.isalpha() else name
        yield variant, int(value) if value.lstrip("-").isdigit() else value, spellings.split()


# One character stands for each variant, so that a shape can be a regular expression over characters.
_NAMES: Final = sorted(
    {name for table in _TABLES.values() for name, *_ in _entries(table.WORDS + table.HINTED)} - set(_BANDS)
    | {f"{name}:{greatest}" for name, bands in _BANDS.items() for greatest in bands}
    | set(_OTHER_CLASSES)
)
_CHARS: Final = {name: chr(0x100 + at) for at, name in enumerate(_NAMES)}
OTHER: Final = _CHARS["any"]


def char_of(name: str, value: Any = None) -> str:
    """The character of a class, or of its variant for a number of this size."""
    bands = _BANDS.get(name)
    return _CHARS[f"{name}:{bands[bisect_left(bands, value)]}" if bands else name]


@cache
def chars_of(name: str, numbers: range | None = None) -> str:
    """All characters of a class with its variants, of one variant, or of classes that have a name together. `numbers` are
    those in question; its ends must be ends of bands. Empty for a name that no class has."""
    if name in _TOGETHER:
        return "".join(chars_of(one, numbers) for one in _TOGETHER[name].split())
    found = {known: char for known, char in _CHARS.items() if known == name or known.startswith(f"{name}:")}
    return "".join(char for known, char in found.items() if numbers is None or int(known.partition(":")[2]) in numbers)


@dataclass(slots=True)
class Lexicon:
    """Single words, and chains by their first word, longest first. Keys are folded."""

    words: dict[str, Word] = field(default_factory=dict)
    chains: dict[str, list[tuple[tuple[str, ...], Word]]] = field(default_factory=dict)

    def add(self, name: str, value: int | str, spellings: Iterable[str]) -> None:
        """Spellings of a word of that class; an underscore joins the words of a chain, and behind `=` accents count."""
        word = Word(char_of(name, value), value)
        for spelling in spellings:
            self._add(spelling, word)

    def word(self, written: str) -> Word | None:
        """What a word stands for, as it is written or else folded."""
        return self.words.get(f"={written.lower()}") or self.words.get(fold(written))

    def _add(self, spelling: str, word: Word) -> None:
        if spelling.startswith("="):
            self.words[spelling] = word
            return
        for key in {fold(spelling), fold(spelling.translate(_ASCII_UMLAUTS))}:
            first, *rest = key.split("_")
            if not rest:
                self.words[key] = word
                continue
            chains = self.chains.setdefault(first, [])
            chains.append((tuple(rest), word))
            chains.sort(key=lambda chain: -len(chain[0]))

    def chain_at(self, first: str, text: str, at: int) -> tuple[int, Word] | None:
        """The longest chain that `first`, which ends at `at`, begins: where it ends, and what it stands for."""
        for rest, word in self.chains.get(first, ()):
            stop = _end_of_chain(rest, text, at)
            if stop and not text[stop : stop + 1].isalnum():
                return stop, word
        return None


def _end_of_chain(rest: tuple[str, ...], text: str, at: int) -> int | None:
    for word in rest:
        stop = at + 1 + len(word)
        if text[at : at + 1] not in (" ", "-") or fold(text[at + 1 : stop]) != word:
            return None
        at = stop
    return at


_ASCII_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


@cache
def lexicon(languages: frozenset[str], hinted: frozenset[str]) -> Lexicon:
    """The table for these languages; the short forms of `hinted` ones (*mar*, *di*) are read too."""
    lexicon = Lexicon()
    for table in (table for name, table in _TABLES.items() if name in languages):
        for spelling, number in table.NUMBERS.items():
            lexicon.add("word_num", number, [spelling])
        for spelling, number in table.ORDINALS.items():
            lexicon.add("ordinal:spelled", number, [spelling])
        for entry in _entries(table.WORDS):
            lexicon.add(*entry)
    for table in (table for name, table in _TABLES.items() if name in hinted & languages):
        for entry in _entries(table.HINTED):
            lexicon.add(*entry)
    return lexicon


_ENGLISH: Final = frozenset("the to and of is it we you i at on for that this be not do are was can will my me".split())


def hinted_in(words: frozenset[str]) -> frozenset[str]:
    """The languages of which at least two small words stand in the text, and not fewer than English or any other has."""
    count = {name: len(words & table.HINTS) for name, table in _TABLES.items()}
    most = max(2, len(words & _ENGLISH), *count.values())
    return frozenset(name for name, number in count.items() if number == most)
