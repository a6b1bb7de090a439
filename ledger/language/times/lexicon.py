"""The words of time of three languages, as one table: each word, or chain of words, has a class and a value.

Classes are what the grammar is written in: `weekday 4`, `month 5`, `unit week`, `to`, `every`. Words that are something else
too (*may*, *march*, *sat*, *sun*) have classes of their own, and the grammar asks for more around them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from ledger.language.fold import fold
from ledger.language.times import english, german, spanish

# What the tokens bring (numbers, signs), what words bring, and what the grammar makes of them. One character stands for each.
CLASSES: Final = (
    "num year digits word_num ordinal clock dotted decimal iso date slash weak_date year_month hundred thousand glued_h "
    "dash slash_sign comma stop colon open close equals "
    "weekday weekday_weak weekdays month month_weak day_word day_beside tonight now day_end part part_phrase noon unit "
    "clock_unit this next coming_after last the of at in on from between to and or before after about every other past half "
    "quarter later a some all phase often times ampm oclock season measure then pronoun modal ago_first minus holiday "
    "week_number yearly_half calendar_kind starting decade_word zone aged "
    "T_CLOCK T_DAY T_DURATION T_SET T_PERIOD T_CLOCKS T_MOMENT T_SPAN T_PART T_NONE"
).split()
OTHER: Final = "~"
CHAR: Final[dict[str, str]] = {name: chr(0x100 + at) for at, name in enumerate(CLASSES)} | {"any": OTHER}


@dataclass(frozen=True, slots=True)
class Word:
    """A class and a value; `value` is an int where the lexicon's line has a number."""

    cls: str
    value: int | str


@dataclass(slots=True)
class Lexicon:
    """Single words, and chains by their first word, longest first. Keys are folded."""

    words: dict[str, Word] = field(default_factory=dict)
    chains: dict[str, list[tuple[tuple[str, ...], Word]]] = field(default_factory=dict)

    def add(self, spelling: str, word: Word) -> None:
        """One spelling; an underscore joins the words of a chain."""
        for key in {fold(spelling), fold(_ascii_german(spelling))}:
            first, *rest = key.split("_")
            if rest:
                self.chains.setdefault(first, []).append((tuple(rest), word))
            else:
                self.words[key] = word

    def sorted(self) -> "Lexicon":
        """Itself, with the longest chains first."""
        for some in self.chains.values():
            some.sort(key=lambda chain: -len(chain[0]))
        return self


def _ascii_german(word: str) -> str:
    return word.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")


def _lines(text: str) -> Iterator[tuple[str, int | str, list[str]]]:
    for line in text.strip().splitlines():
        left, _, right = line.partition(" | ")
        name, _, value = left.partition(" ")
        yield name, int(value) if value.lstrip("-").isdigit() else value, right.split()


_PARTS: Final = {"en": english, "es": spanish, "de": german}
# Where two languages claim a word, the later in this order keeps it; English first, since chats mix it in everywhere.
_ORDER: Final = ("de", "es", "en")


@cache
def lexicon(languages: frozenset[str], hinted: frozenset[str]) -> Lexicon:
    """The table for these languages; the short forms of `hinted` ones (*mar*, *di*) are read too."""
    table = Lexicon()
    for name in _ORDER:
        if name not in languages:
            continue
        part = _PARTS[name]
        for spelling, (cls, number) in part.numbers().items():
            table.add(spelling, Word(cls, number))
        for cls, value, spellings in _lines(part.WORDS):
            for spelling in spellings:
                table.add(spelling, Word(cls, value))
        for line in part.HOLIDAYS.strip().splitlines():
            rule, _, spellings_text = line.partition(" | ")
            for spelling in spellings_text.split():
                table.add(spelling, Word("holiday", rule))
    for name in hinted & languages:
        for cls, value, spellings in _lines(getattr(_PARTS[name], "HINTED", "")):
            for spelling in spellings:
                table.add(spelling, Word(cls, value))
        if name == "es":
            table.add("once", Word("word_num", 11))
    return table.sorted()


_HINTS: Final = {name: part.HINTS for name, part in _PARTS.items() if hasattr(part, "HINTS")}


def hinted_in(words: frozenset[str]) -> frozenset[str]:
    """Spanish or German, where at least two of its small words stand in the text and more than English has."""
    return frozenset(
        name
        for name, hints in _HINTS.items()
        if len(words & hints) >= 2 and not len(words & _ENGLISH) > len(words & hints)
    )


_ENGLISH: Final = frozenset("the to and of is it we you i at on for that this be not do are was can will my me".split())
