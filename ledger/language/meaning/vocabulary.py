"""The tables that a German, Spanish or French statement is read by: `vocabulary.txt` (words of one meaning) and `languages.txt`
(what the words of a language do to a sentence). A language is told by whose words a text has most of."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import snowballstemmer

from ledger.language.fold import fold

LANGUAGES: Final = {"de": "german", "es": "spanish", "fr": "french"}
MAX_READ: Final = 600
_HERE: Final = Path(__file__).parent
_GROUPS: Final = ("empty", "deny", "together", "alone", "verbish")
_CALENDAR: Final = ("days", "months", "season", "daypart", "relative", "often")
# One letter is a unit, or a name.
_WORD: Final = re.compile(r"[^\W\d_]{2,}(?:['-][^\W\d_]+)*")
# A word that has a meaning in a language is a weaker sign of it than one of those that every sentence has.
_HAS_A_MEANING: Final = 0.6

# Of languages whose statements are not read: Italian, Portuguese, Dutch, Swedish, Polish, Russian.
_FUNCTION_WORDS: Final = (
    "il lo la i gli le un uno una di a da in con su per tra fra del della dei delle al alla nel nella e o ma che chi cosa come "
    "dove quando quale quali perche non si ci e sono era ha ho hanno sul sulla questo questa piu molto anche",
    "o a os as um uma de do da dos das em no na nos nas por para com sem sobre e ou mas que quem como onde quando qual quais nao "
    "se ja foi sao era tem ser esta este isso mais muito tambem ao pelo pela",
    "de het een en van in op te met voor aan bij uit over door naar om dat die dit deze wat wie waar wanneer welke hoe is zijn was "
    "waren heeft hebben niet er ook maar of als dan nog wel geen ik wij we zij ze hij jij je",
    "en ett och i pa av till med for fran om som att det den de detta vad vem var nar hur vilken vilket ar inte har hade kan ska "
    "men eller sa jag vi ni han hon du",
    "i w na z ze do od po za o u nie to jest sa byl byla sie ktory ktora ktore co kto gdzie kiedy jak czy ale lub oraz dla przez "
    "ten ta te ma maja juz tylko",
    "и в во на с со к ко у о об от до по за из не ни что кто где когда как какой какая какие это этот эта же ли а но или для мы вы "
    "он она они я ты был была было есть ещё уже только",
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a word means: the name of its row, which end of it, and whether it is a verb there."""

    name: str
    opposite: bool
    verb: bool


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """`meanings` by stem; `phrases` finds those of several words; `calendar` answers (what, which) by word; `numbers` the digits,
    with an `x` where they count times."""

    code: str
    groups: Mapping[str, frozenset[str]]
    numbers: Mapping[str, str]
    calendar: Mapping[str, tuple[str, int]]
    meanings: Mapping[str, tuple[Meaning, ...]]
    phrases: re.Pattern[str]

    @property
    def denials(self) -> frozenset[str]:
        return self.groups["deny"] | self.groups["together"]

    @property
    def words(self) -> frozenset[str]:
        """Those that carry no subject."""
        return self.groups["known"]


@lru_cache(maxsize=20_000)
def stem(word: str, code: str) -> str:
    """Of a folded word. Snowball (Porter 2001); what it leaves of French feminines goes as well."""
    own = snowballstemmer.stemmer(LANGUAGES[code])  # it keeps the word that it works on: threads share none
    found: str = own.stemWord(word)
    return (found.rstrip("e") or found) if code == "fr" else found


@cache
def language(code: str) -> Language:
    lines = dict(_lines_of(code))
    groups = {name: frozenset(lines.get(name, "").split()) for name in _GROUPS}
    calendar = dict(_calendar(lines))
    numbers = dict(_numbers(lines))
    known = groups["empty"].union(groups["deny"], groups["together"], numbers, calendar)
    words = _words_with_meanings(list(LANGUAGES).index(code))
    meanings: dict[str, tuple[Meaning, ...]] = {}
    for word, meaning in words:
        key = stem(word.replace("_", "~"), code)
        meanings[key] = tuple(dict.fromkeys([*meanings.get(key, ()), meaning]))
    phrases = sorted((re.escape(word.replace("_", " ")) for word, _ in words if "_" in word), key=len, reverse=True)
    return Language(
        code, {**groups, "known": known}, numbers, calendar, meanings, re.compile(rf"\b(?:{'|'.join(phrases)})\b")
    )


def _lines_of(code: str) -> Iterator[tuple[str, str]]:
    for line in (_HERE / "languages.txt").read_text(encoding="utf-8").splitlines():
        head, _, words = line.partition(":")
        if head.startswith(f"{code} "):
            yield head.removeprefix(f"{code} "), fold(words)


def _calendar(lines: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, int]]]:
    for what in _CALENDAR:
        for at, words in enumerate(lines[what].split()):
            for word in words.split("/"):
                yield word, (what, at)
                if what == "days":
                    yield f"{word}s", (what, at)


def _numbers(lines: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from ((word, str(at)) for at, word in enumerate(lines["numbers"].split()) if word != "-")
    for pair in lines["tens"].split():
        word, _, number = pair.partition("=")
        yield word, number


def _words_with_meanings(column: int) -> list[tuple[str, Meaning]]:
    found: list[tuple[str, Meaning]] = []
    for line in (_HERE / "vocabulary.txt").read_text(encoding="utf-8").splitlines()[1:]:
        head, *columns = line.split("|")
        name, _, mark = head.strip().partition(" ")
        meaning = Meaning(name.removeprefix("-"), name.startswith("-"), mark == "v")
        found += [(word, meaning) for word in map(_bare, fold(columns[column]).split())]
    return found


def _bare(word: str) -> str:
    return word.rstrip("_")


@cache
def _english_words() -> frozenset[str]:
    return frozenset(" ".join(words for _, words in _lines_of("en")).split())


@lru_cache(maxsize=8192)
def language_of(*texts: str) -> Language | None:
    """The language that knows most of the words of what is said together, where that is none of English and others."""
    english, *closed = map(sum, zip(*map(_carrying_nothing, texts), strict=True))
    # Where no language has any, nothing is stemmed.
    if not any(closed):
        return None
    meaning = map(sum, zip(*map(_meaning_something, texts), strict=True))
    known = [said + _HAS_A_MEANING * more for said, more in zip(closed, meaning, strict=True)]
    best = known.index(max(known))
    return language([*LANGUAGES][best]) if known[best] > english and closed[best] else None


@lru_cache(maxsize=8192)
def _words_of(text: str) -> tuple[str, ...]:
    return tuple(map(fold, _WORD.findall(text[:MAX_READ])))


@lru_cache(maxsize=8192)
def _carrying_nothing(text: str) -> tuple[int, ...]:
    """How many of its words are English ones, and of each language how many that carry no subject."""
    known = (_english_words(), *(language(code).words for code in LANGUAGES))
    return tuple(sum(word in one for word in _words_of(text)) for one in known)


@lru_cache(maxsize=8192)
def _meaning_something(text: str) -> tuple[int, ...]:
    """Of each language how many of its other words mean something."""
    return tuple(
        sum(word not in one.words and stem(word, one.code) in one.meanings for word in _words_of(text))
        for one in map(language, LANGUAGES)
    )


def language_of_both(one: str, other: str) -> Language | None:
    """A label and its value alone (`Wartezeit: 20 Minuten`) tell no language; what they are compared with does."""
    mine, theirs = language_of(one), language_of(other)
    if mine is not None and theirs is not None:
        return mine if mine.code == theirs.code else language_of(one, other)
    return (mine or theirs) and language_of(one, other)


def empty_words(text: str) -> frozenset[str]:
    """The words that say nothing of their own in the text's language, without accents."""
    found = language_of(text)
    if found is not None:
        return found.groups["empty"] | found.groups["deny"]
    words = set(_words_of(text))
    best = max(_function_words(), key=lambda one: len(words & one))
    return best if len(words & best) > max(1, len(words & _english_empty())) else _english_empty()


@cache
def _english_empty() -> frozenset[str]:
    return frozenset(dict(_lines_of("en"))["empty"].split())


@cache
def _function_words() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(fold(words).split()) for words in _FUNCTION_WORDS)
