"""What English words mean, by WordNet 3.0 (its licence stands beside it): the base form of a word, the meanings that it shares
with others, and its opposites. Of each word only the senses that people use often are kept (`extraction/training/wordnet.py`)."""

import gzip
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from ledger.language.replaced import exclude_each_other
from ledger.language.words import stem

_HERE: Final = Path(__file__).parent
# Endings, and what stands in their place in the base form.
_ENDINGS: Final = (
    ("ies", "y"), ("ied", "y"), ("s", ""), ("es", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("er", ""),
)  # fmt: skip
_UN: Final = ("un", "in", "dis", "non")


# What people say of the two ends of one thing, where no dictionary lists them as opposites.
_ENDS: Final = (
    "keep retain store archive preserve save/delete erase destroy discard shred remove purge trash sell"
    "|free gratis complimentary/pay charge cost fee paid"
    "|approve accept grant confirm agree/reject decline refuse deny veto disapprove"
    "|public open/private confidential secret internal"
    "|love like enjoy adore prefer/hate dislike detest loathe"
    "|increase raise grow rise expand widen improve lengthen climb gain double/decrease reduce lower shrink cut fall decline drop"
    " narrow shorten compress slow worsen halve lose"
    "|open/close shut|start begin continue resume/stop end cease abandon quit halt"
    "|show display publish/hide conceal suppress|include add/exclude omit remove|enable activate/disable deactivate"
    "|hire employ/fire dismiss|extend prolong renew/shorten cancel terminate|postpone delay/advance hasten"
    "|mandatory compulsory obligatory required/optional voluntary|inside indoors indoor/outside outdoors outdoor"
    "|manual manually/automatic automatically|online digital electronic remote/offline paper"
    "|fresh/frozen canned|raw/cooked|hot warm/cold cool|wet/dry|full/empty|early/late|always/never|allow permit/ban forbid prohibit"
    "|alive/dead|married/single bachelor unmarried divorced|happy glad/sad unhappy|bright light/dark"
    "|tall/short|rich/poor|safe/dangerous unsafe|win/lose|pass/fail|present/absent|sunny/rainy cloudy|strong/weak"
    "|thick/thin|deep/shallow|heavy/light|loud/quiet|fast quick/slow|expensive/cheap|new/used|plain/encrypted|certain/impossible"
    "|visible/hidden hide invisible|heated/unheated|full-time/part-time|supported maintained/deprecated unsupported"
    " obsolete|covered/uncovered"
    "|temporary/permanent indefinite|locked/unlocked open|ascending/descending|furnished/unfurnished|sweetened/unsweetened"
    "|easy simple/difficult hard complicated|reversible/irreversible|legal/illegal|known/unknown|true/false"
    "|complete/incomplete|valid/invalid"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """`sorts` are noun, verb, adjective and adverb (`n`, `v`, `a`, `r`), the one it mostly is first."""

    sorts: str = ""
    meanings: frozenset[str] = frozenset()
    opposites: frozenset[str] = frozenset()


_UNKNOWN: Final = Entry()


@cache
def _tables() -> tuple[dict[str, str], dict[str, str]]:
    words, _, forms = gzip.decompress((_HERE / "wordnet.txt.gz").read_bytes()).decode("ascii").partition("\n\n")
    lines = (line.partition("\t") for line in words.splitlines())
    return {word: rest for word, _, rest in lines}, dict(_pairs(forms))


def _pairs(forms: str) -> Iterator[tuple[str, str]]:
    for line in forms.splitlines():
        form, _, base = line.partition(" ")
        yield form, base


@lru_cache(maxsize=20_000)
def entry(base: str) -> Entry:
    line = _tables()[0].get(base)
    if line is None:
        return _UNKNOWN
    sorts, meanings, opposites = line.split("\t")
    return Entry(sorts, frozenset(meanings.split()), frozenset(opposites.split()))


@lru_cache(maxsize=20_000)
def base_of(word: str) -> str:
    """The form under which a word stands in the lexicon; a word that it does not know by its stem."""
    known, irregular = _tables()
    if word in irregular:
        return irregular[word]
    bases = [base for base in _bases(word) if base in known]
    verbs = [base for base in bases if "v" in entry(base).sorts] if word.endswith(("ed", "ing")) else []
    if word in known and not verbs and not (word.endswith("s") and word[:-1] in known):
        return word
    return next(iter(verbs or bases), stem(word))


def is_past_form(word: str) -> bool:
    irregular = _tables()[1].get(word, "")
    return (word.endswith("ed") and not word.endswith("eed")) or (
        bool(irregular) and "v" in entry(irregular).sorts and not word.endswith(("n", "ing", "s"))
    )


def _bases(word: str) -> Iterator[str]:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            base = word.removesuffix(ending)
            yield base + instead
            if base[-1] == base[-2] and not instead:
                yield base[:-1]


def same_meaning(one: str, other: str) -> bool:
    return one == other or bool(entry(one).meanings & entry(other).meanings)


@lru_cache(maxsize=20_000)
def opposite(one: str, other: str) -> bool:
    """`lock` and `unlock`, `public` and `confidential`, `approve` and `turn down`."""
    if same_meaning(one, other) or one[:4] == other[:4]:
        return False
    if _opposites(one, other) or _opposites(other, one) or exclude_each_other(one, other):
        return True
    short, long = sorted((one, other), key=len)
    return len(short) > 3 and any(long == prefix + short for prefix in _UN)


def _opposites(one: str, other: str) -> bool:
    rows = _ends_of().get(one, frozenset())
    if any(-row in _ends_of().get(other, frozenset()) for row in rows):
        return True
    return any(same_meaning(opposed, other) for opposed in entry(one).opposites)


@cache
def _ends_of() -> dict[str, frozenset[int]]:
    """For each word of a row of `_ENDS` the row's number, negative at its other end."""
    found: dict[str, set[int]] = defaultdict(set)
    for at, row in enumerate(_ENDS.split("|"), 1):
        for sign, words in zip((at, -at), row.split("/"), strict=True):
            for word in words.split():
                found[word].add(sign)
                found[base_of(word)].add(sign)
    return {word: frozenset(rows) for word, rows in found.items()}
