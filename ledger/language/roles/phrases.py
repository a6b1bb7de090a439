"""A statement as phrases: each word that carries a subject, with what leads to it, and what its verbs tell of the rest."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from ledger.language.aligned.lexicon import base_of, entry, same_meaning
from ledger.language.aligned.times import is_time, times_in
from ledger.language.fold import LEADING_LABEL, fold, strip_markup
from ledger.language.meaning.reading import PARTICLE, STATES
from ledger.language.meaning.vocabulary import language, stem

MAX_READ: Final = 200
_HERE: Final = Path(__file__).parent
_LABEL: Final = re.compile(LEADING_LABEL, re.I)
_TOKEN: Final = re.compile(r"[^\W_]+(?:[-.&/][^\W_]+)*[+#]*|[:=,;]")
_ELIDED: Final = re.compile(r"\b(?:[ldsnjmt]|qu)['’](?=\w)", re.I)
NUMBERS: Final = {
    word: str(at)
    for at, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
VERBS: Final = ("do", "where", "way")
_NUMBER: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Part:
    """A word that carries a subject. `lead` is the word that leads to its phrase (a preposition, or `is`), `article` the one before
    it, `begins` where its phrase does, `place` its number among all words; `verbs` what it tells where it is a verb."""

    said: str
    key: str
    meanings: frozenset[str]
    lead: str
    article: str
    begins: bool
    place: int
    verbs: frozenset[str]
    named: bool

    @property
    def is_number(self) -> bool:
        return self.said.isdigit() or self.said.lower() in NUMBERS


@dataclass(frozen=True, slots=True)
class Phrases:
    """`words` are all that it says, folded; `times` and `numbers` what it names of the calendar and counts; `links` whether some
    form of `is` or a colon joins it."""

    code: str
    parts: tuple[Part, ...]
    words: frozenset[str]
    times: frozenset[tuple[str, str | int]]
    numbers: frozenset[str]
    links: bool


_ROOTED: Final = (*VERBS, "is", "who", "nouns", "seats", "state", "send", "using", "pick", "adds")


@cache
def groups(code: str) -> Mapping[str, frozenset[str]]:
    lines = (_HERE / "words.txt").read_text(encoding="utf-8").splitlines()
    told = (line.partition(":") for line in lines if line.startswith(f"{code} "))
    found = {head.partition(" ")[2]: frozenset(words.split()) for head, _, words in told}
    rooted = {name: frozenset(_root(word, code) for word in found.get(name, ())) for name in _ROOTED}
    return {**found, **rooted}


@lru_cache(maxsize=4096)
def phrases_of(statement: str, code: str) -> Phrases | None:
    """None for what is too long to be told by one place."""
    if len(statement) > MAX_READ:
        return None
    text = _BESIDE.sub(" ", strip_markup(_LABEL.sub("", statement))).strip().replace("'s", "")
    text = _ELIDED.sub(lambda elided: f"{elided[0][:-1]} ", text) if code == "fr" else text
    text = PARTICLE.sub(_state, text) if code == "de" else _SWITCH.sub(_switched, text)
    text = text.replace(" going to be ", " be ")
    text = _TAKES_PLACE.sub(lambda found: str(_HELD[code]), text)
    tokens = _TOKEN.findall(text)
    reader = _PhraseReader(code, groups(code), tokens, [fold(token) for token in tokens])
    parts = tuple(reader.parts())
    return Phrases(
        code=code,
        parts=parts,
        words=frozenset(reader.lows),
        times=frozenset(
            times_in(text) if code == "en" else (_calendar(code)[low] for low in reader.lows if _is_time(low, code))
        ),
        numbers=frozenset(low for low in reader.lows if _NUMBER.search(low) or low in _numbers(code)),
        links=not reader.told["links"].isdisjoint(reader.lows),
    )


# What a sentence adds: a reason, an aside, that there is no other.
_BESIDE: Final = re.compile(
    r"\([^()]*\)|;.*|[,;]?\s*\b(?:because|so that|in order to|due to|given that|thanks to|so (?:bring|please)"
    r"|since (?=\w+ (?:is|are|was|has|have|can|need)\b)"
    r"|weil|damit|denn|obwohl|da (?=\w+ \w+)|porque|para que|ya que|aunque|puesto que|parce que|puisque|afin de|pour que"
    r"|bien que)\b.*"
    r"|, (?:car|pues|as|so|sonst) .*|,? (?:and )?(?:nowhere|nobody|nothing|no one) else\b"
    r"|,? (?:und )?sonst (?:niemand|nirgends|nirgendwo|nichts)\b|,? y (?:nadie|nada) más\b|,? et (?:personne|rien) d'autre\b",
    re.I,
)
_TAKES_PLACE: Final = re.compile(
    r"\b(?:tak(?:es?|ing) place|(?:tiene|tienen|tendrá|tendrán) lugar|(?:a|ont|aura|auront) lieu)\b", re.I
)
_SWITCH: Final = re.compile(r"\b(?:turn|switch)(?:e?s|ed)?\b(?P<what>(?:\s[\w-]+){0,3}?)\s(?P<way>on|off)\b", re.I)


def _switched(found: re.Match[str]) -> str:
    return {"on": "enable", "off": "disable"}[found["way"].lower()] + found["what"]


def _state(found: re.Match[str]) -> str:
    return f"{found['rest']} {STATES[found['state']]}"


_HELD: Final = {"en": "held", "de": "gehalten", "es": "celebrado", "fr": "tenu"}


def _calendar(code: str) -> Mapping[str, tuple[str, int]]:
    return {} if code == "en" else language(code).calendar


def _numbers(code: str) -> Mapping[str, str]:
    return {} if code == "en" else language(code).numbers


def _is_time(low: str, code: str) -> bool:
    return is_time(low) if code == "en" else low in _calendar(code) and low not in ("este", "esta", "cette", "dieses")


@dataclass(slots=True)
class _PhraseReader:
    """Walks through the words of a sentence, and keeps what leads to the next of them."""

    code: str
    told: Mapping[str, frozenset[str]]
    tokens: list[str]
    lows: list[str]
    lead: str = ""
    article: str = ""
    begins: bool = True
    title: bool = False
    last: Part | None = None

    def parts(self) -> Iterator[Part]:
        leads = self.told["by"] | self.told["in"] | self.told["with"] | self.told["of"]
        for at, low in enumerate(self.lows):
            if low in self.told["title"]:
                self.title = self.begins = True
            elif low in self.told["article"] and not self._is_clitic(at, low):
                self.article, self.begins = low, True
            elif low in leads:
                self._begin(low)
            elif low in self.told["links"]:
                self._begin("is")
            elif low in ",;" or _is_time(low, self.code):
                self._begin("")
            elif low in self.told["light"] or low in self.told["article"]:
                self.article, self.begins = "", True
            else:
                yield self._part(at, low)

    def _begin(self, lead: str) -> None:
        self.lead, self.article, self.begins = lead, "", True

    def _is_clitic(self, at: int, low: str) -> bool:
        """`Las vacaciones las aprueba Ana`: an article behind a noun stands for it."""
        last = self.last
        return (
            low in _CLITICS and last is not None and last.place == at - 1 and not last.verbs and at + 1 < len(self.lows)
        )

    def _part(self, at: int, low: str) -> Part:
        token, root = self.tokens[at], _root(low, self.code)
        verbs = frozenset(name for name in VERBS if root in self.told[name])
        if verbs and self._is_noun(at, low, root):
            verbs = frozenset()
        meanings = () if self.code == "en" else language(self.code).meanings.get(root, ())
        capital = token[0].isupper() and not self.article and (at > 0 or not _known(low, self.code))
        part = Part(
            token, root, frozenset(one.name for one in meanings if not one.opposite), self.lead,
            self.article if self.begins else "", self.begins, at, verbs, self.title or capital,
        )  # fmt: skip
        self.title, self.begins, self.last = False, bool(verbs), part
        if verbs:
            self.lead, self.article = "", ""
        return part

    def _is_noun(self, at: int, low: str, root: str) -> bool:
        """Whether what looks like a verb is none: behind an article, or by its place in a phrase."""
        if self.begins and self.article:
            return True
        if self.code != "en":
            return self.code == "de" and self.tokens[at][0].isupper() and at > 0
        if self.begins:
            return self.lead not in ("", "to", "is") or (at == 0 and low.endswith("s"))
        return bool(self.lead or self.article) and (low.endswith("ing") or self._closes(at, low, root))

    def _closes(self, at: int, low: str, root: str) -> bool:
        """Whether a bare form ends its phrase: `for the team lead`."""
        ends = at + 1 == len(self.lows) or self.lows[at + 1] in self.told["in"] | self.told["links"]
        return low == root and ends and not self.lows[at - 1].endswith("s")


_CLITICS: Final = frozenset("la los las le les".split())


def _known(low: str, code: str) -> bool:
    """Whether a word at the beginning of a sentence is one of a language's own. German nouns have capitals everywhere."""
    return code == "en" and bool(entry(base_of(low)).sorts)


@lru_cache(maxsize=20_000)
def _root(low: str, code: str) -> str:
    return base_of(low) if code == "en" else stem(low, code)


def same_part(one: Part, other: Part, code: str) -> bool:
    """Whether both are one word, or mean the same."""
    if one.key == other.key:
        return not _name_beside_word(one, other) and not _name_beside_word(other, one)
    return _same_in_english(one, other) if code == "en" else _same_abroad(one, other)


def _same_in_english(one: Part, other: Part) -> bool:
    names = one.named and other.named
    return not names and "for" not in (one.lead, other.lead) and same_meaning(one.key, other.key)


def _same_abroad(one: Part, other: Part) -> bool:
    """By a meaning, as a part of a compound, or by so long a beginning."""
    if one.meanings & other.meanings:
        return True
    short, long = sorted((one.key, other.key), key=len)
    if len(short) >= 5 and (long.startswith(short) or long.endswith(short)):
        return True
    return len(short) >= 6 and short[:6] == long[:6] and not (one.named and other.named)


def _name_beside_word(one: Part, other: Part) -> bool:
    """`Teams` is not the team."""
    return (
        one.named
        and one.place > 0
        and not other.named
        and other.place > 0
        and one.said[0].isupper()
        and other.said.islower()
    )


def does(part: Part, code: str) -> bool:
    """Whether it is what somebody does, as far as form and dictionary tell."""
    return bool(part.verbs) or (
        code == "en" and not part.named and not part.article and entry(part.key).sorts[:1] == "v"
    )
