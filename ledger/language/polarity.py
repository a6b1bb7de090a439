"""What a sentence says of which words, and whether it says so or denies it. English; other scripts yield words without sign."""

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from ledger.language.fold import LEADING_LABEL, fold, normalise_statement, strip_markup
from ledger.language.measures import Measure, measures
from ledger.language.words import STOP_WORDS, WORD, stem

_NO_SUBJECT: Final = STOP_WORDS["en"].union(
    "after always before let's never none okay ours out over per under via".split()
)
# Words that carry a plan and no subject: they agree with everything and are left out of what is compared.
_LIGHT: Final = frozenset(
    "use used using make made get go set need want take taken put have allow permit "
    "fine welcome choose pick select adopt prefer favour "
    "favor decide agree plan try run like think believe know mean say tell maximum minimum max min limit value exceed "
    "most least more less thing way case currently instead rather longer decision constraint requirement rule note".split()
)
_ACTING: Final = re.compile(
    r"\b(?:us(?:e|es|ed|ing)|add(?:s|ed|ing)?|choos\w+|adopt\w*|pick\w*|includ\w+|with|will|shall|"
    r"should|must|may|can|let'?s|going to|"
    r"plan\w*|switch\w*|allow\w*|permit\w*|requir\w+|need\w*|put\w*|install\w*|deploy\w*|ship\w*|enabl\w+|build\w*)\b",
    re.I,
)
_FLIPS: Final[dict[str, str]] = {
    "disable": "enable", "exclude": "include", "reject": "accept", "decline": "accept", "private": "public",
    "closed": "open", "close": "open", "false": "true", "remove": "keep", "drop": "keep", "delete": "keep",
    "discard": "keep", "stop": "start", "skip": "run", "omit": "run", "bypass": "run",
    "asynchronous": "synchronous", "async": "sync", "insecure": "secure",
    "unsafe": "safe", "invalid": "valid", "impossible": "possible", "unable": "able", "fail": "pass",
    "offline": "online", "manual": "automatic", "optional": "required", "voluntary": "required",
    "mandatory": "required", "obligatory": "required", "compulsory": "required", "decrease": "increase",
    "reduce": "increase", "lower": "higher", "slower": "faster", "smaller": "larger", "external": "internal",
    "unencrypted": "encrypted", "incompatible": "compatible", "unsupported": "support", "unavailable": "available",
    "inactive": "active", "incorrect": "correct", "wrong": "correct", "opt-out": "opt-in", "unnecessary": "necessary",
    "unlimited": "limited", "immutable": "mutable", "unacceptable": "acceptable",
}  # fmt: skip
_SYNONYMS: Final = {"mandatory", "obligatory", "compulsory"}
_FORBIDS: Final = re.compile(
    r"\b(?:avoid(?:s|ed|ing)?|forbid(?:s|den|ding)?|prohibit(?:s|ed|ing)?|bann?(?:s|ed|ing)?|disallow(?:s|ed)?|"
    r"prevent(?:s|ed)?|refus(?:e|es|ed|ing)|rul(?:e|ed) out|off[- ]limits|out of the question|no[- ]go|"
    r"refrain(?:s|ed)? from|abandon(?:s|ed)?|unacceptable|lacks?|lacking)\b",
    re.I,
)
# A denied verb denies its clause; a denied noun only what follows it.
_DENIED_VERB: Final = re.compile(
    r"\b(?:do|does|did|is|are|was|were|be|been|am|must|should|shall|may|might|can|could|will|would|has|have|had|"
    r"need)(?:n't|\s+(?:\w+\s+)?not\b)(?!\s+(?:only|just|merely|necessarily)\b)|\bain't\b|\bcannot\b|\bcan't\b|"
    r"\bwon't\b|\bnever\b|\bno longer\b|\bnot\s+to\b|\bdon't\b|\bnot\s+(?:be\s+)?(?:allowed|permitted|ok|acceptable|"
    r"used|supported)\b|\bnobody\b|\bno one\b|\bno\s*$",
    re.I,
)
_DENIED_NOUN: Final = re.compile(
    r"\b(?:not(?!\s+(?:only|just|merely|necessarily)\b)|no|without|instead of|rather than|neither|nor|none of|nothing|"
    r"except|in place of|as opposed to|replac(?:e|es|ed|ing)|migrat\w+ (?:away )?from|mov\w+ (?:away )?from|switch\w* "
    r"(?:away )?from)\b",
    re.I,
)
_PREFERS: Final = re.compile(
    r"\b(?:prefer\w*|choos\w+|chose|pick\w*|favou?r\w*|select\w*)\b(?:.{0,80}?\bover\s+|.{2,80}?\bto\s+(?!be\b))", re.I
)
_ENDS_DENIAL: Final = re.compile(r"\b(?:with|by|to|but|in favou?r of)\b", re.I)
_CLAUSE: Final = re.compile(
    r"[,;()]\s*|\s-\s|\b(?:but|however|yet)\b|\band\s+(?=(?:we|i|you|they|it|he|she|use|instead|then|not|never|no|do)\b)",
    re.I,
)
_REASON: Final = re.compile(
    r"\b(?:because|since|so that|in order to|due to|as it|as they|as we|thanks to|given that)\b.*\Z", re.I
)
_CONDITION: Final = re.compile(r"\b(?:if|unless|when|whenever|while|until|in case|as long as)\b", re.I)
_QUESTION: Final = re.compile(
    r"^\W*(?:who|what|when|where|why|which|how|whose|is|are|was|were|does|did|do|has|have)\b", re.I
)
_LABEL: Final = re.compile(LEADING_LABEL, re.I)
_ORDER: Final = re.compile(r"\b(?:before|after)\b", re.I)
_OFF: Final = re.compile(r"\b(?:(?:turn|switch)(?:ed)? (?P<a>off|on)|(?:is|are|be|:|=) (?P<b>off|on)(?=\W*$))", re.I)
_FLIP_STEMS: Final = {stem(word): (stem(base), word not in _SYNONYMS) for word, base in _FLIPS.items()}
_LIGHT_STEMS: Final = frozenset(map(stem, _LIGHT))


@dataclass(frozen=True, slots=True)
class Assertion:
    """A sentence taken apart. `terms` are what it speaks of, amounts among them, each `affirmed` or `denied`; `subjects` those
    that are words; `names` what tells one thing from another of its sort: `Berlin`, the `2` of `panel 2 is white`. `excluded`
    is what each bare `no`, `not`, `without` … excludes, `conditions` the terms of its if-clauses, `follows` whether a word
    comes after something (`before assembly`) or ahead of it. `words` is the plain sentence, `normal` the form in which it
    equals another, `roots` the stems of all its words, `light` those that carry no subject."""

    words: str
    normal: str
    roots: frozenset[str]
    amounts: tuple[Measure, ...]
    asks: bool
    acts: bool
    terms: frozenset[str]
    affirmed: frozenset[str]
    denied: frozenset[str]
    subjects: frozenset[str]
    names: frozenset[str]
    excluded: tuple[frozenset[str], ...]
    conditions: frozenset[str]
    light: frozenset[str]
    follows: dict[str, bool]


def assertion_of(sentence: str) -> Assertion:
    """Take one sentence apart. Never fails; at most its first 600 characters count."""
    words = fold(sentence[:600], keep_accents=True, keep_case=True)
    words = _LABEL.sub("", strip_markup(words)).strip()
    amounts = [amount for amount in measures(words) if not numbers_a_thing(words, amount)]
    notes = _Notes()
    for clause in _CLAUSE.split(_OFF.sub(_switched, _REASON.sub("", _without(amounts, words)))):
        notes.read_clause(clause)
    affirmed = {term for term, said in notes.signs.items() if said}
    counted = {amount.term for amount in amounts}
    # An amount is said or denied like the sentence as a whole.
    mostly = len(affirmed) * 2 >= len(notes.signs) if notes.signs else not _DENIED_VERB.search(words)
    if mostly:
        affirmed |= counted
    terms = notes.signs.keys() | counted
    return Assertion(
        words=words,
        normal=normalise_statement(words),
        roots=frozenset(map(stem, WORD.findall(words))),
        amounts=tuple(amounts),
        asks=words.rstrip("\"' )").endswith("?") and _QUESTION.match(words) is not None,
        acts=_ACTING.search(words) is not None,
        terms=frozenset(terms),
        affirmed=frozenset(affirmed),
        denied=frozenset(terms - affirmed),
        subjects=frozenset(notes.signs),
        names=_names_in(words, amounts),
        excluded=tuple(notes.excluded),
        conditions=frozenset(notes.conditions),
        light=frozenset(notes.light),
        follows=notes.follows,
    )


# Where a number belongs to the name of a thing: behind the noun that begins the sentence, ahead of its verb.
_NUMBERED: Final = re.compile(
    r"(?:(?:the|our|my|each|every)\s+(?:[^\W\d_][\w'-]*\s+){1,2}\d+\s+\w|(?:[^\W\d_][\w'-]*\s+){1,2}\d+\s+"
    r"(?:is|are|was|were|has|have|had|must|may|can|will|shall|should|needs?|does|do|stays?|remains?)\b)|\w+\s+\d+\W*\Z",
    re.I,
)
_CAPITAL: Final = re.compile(r"(?<=\s)[A-Z](?:\w+|(?<!I)(?=[\s,.;]|\Z))")


# Ahead of a number that is part of a name: `#38`, or the beginning of an address.
_IN_A_NAME: Final = re.compile(r"(?:#|(?:https?://|www\.)\S*)\Z", re.I)
_LONGEST_ADDRESS: Final = 200


def numbers_a_thing(words: str, amount: Measure) -> bool:
    """`Panel 2 is white` speaks of one panel among several, `defer #38` of one matter, and an address of one page; `the mast
    weighs 2` says how much. Which version an address leads to is said by it."""
    if amount.what != "version" and _IN_A_NAME.search(words, max(0, amount.start - _LONGEST_ADDRESS), amount.start):
        return True
    numbered = _NUMBERED.match(words) if amount.what == "number" else None
    return bool(numbered and amount.end <= numbered.end() and not _ACTING.match(numbered[0]))


def _names_in(words: str, amounts: list[Measure]) -> frozenset[str]:
    """Capitalised words that do not begin the sentence, and the numbers of numbered things."""
    numbers = (amount.said for amount in measures(words) if numbers_a_thing(words, amount))
    return frozenset(map(stem, chain(_CAPITAL.findall(_without(amounts, words)), numbers)))


def _without(amounts: list[Measure], words: str) -> str:
    """The sentence with blanks where its amounts stand."""
    for amount in amounts:
        words = words[: amount.start] + " " * (amount.end - amount.start) + words[amount.end :]
    return words


def _switched(found: re.Match[str]) -> str:
    """`turned off`, `is on` as the words that other sentences say for it."""
    return " disabled" if found[0].lower().endswith("off") else " enabled"


@dataclass(slots=True)
class _Notes:
    """What the clauses of one sentence have said so far; `signs` are True for what is said, False for what is denied."""

    signs: dict[str, bool] = field(default_factory=dict)
    excluded: list[frozenset[str]] = field(default_factory=list)
    conditions: set[str] = field(default_factory=set)
    light: set[str] = field(default_factory=set)
    follows: dict[str, bool] = field(default_factory=dict)

    def read_clause(self, clause: str) -> None:
        main, *condition = _CONDITION.split(clause, maxsplit=1)
        self._read(main)
        for part in condition:
            self.conditions |= self._read(part)
        if not self.excluded and list(self.signs.values()) == [False]:
            self.excluded.append(frozenset(self.signs))

    def _read(self, part: str) -> set[str]:
        """Note what a part of a clause says, and answer its terms."""
        denials = len(_DENIED_VERB.findall(part)) + len(_FORBIDS.findall(part))
        rest = _FORBIDS.sub(" ", _DENIED_VERB.sub(" ", part))
        excluding = _excluding_ranges(rest)
        if denials and len(excluding) == 1:  # never … without: said after all
            denials, excluding = denials + 1, []
        terms, flips = self._terms_of(rest)
        for way in _ORDER.finditer(rest):
            following = terms[bisect_left(terms, (way.end(), "")) :]
            self.follows.update({term: way[0].lower() == "before" for _, term in following[:1]})
        excluded = set(chain.from_iterable(excluding))
        self.excluded += filter(None, (frozenset(term for at, term in terms if at in places) for places in excluding))
        self.signs.update((term, ((denials + flips) % 2 == 0) != (at in excluded)) for at, term in terms)
        return {term for _, term in terms}

    def _terms_of(self, part: str) -> tuple[list[tuple[int, str]], int]:
        """The terms with where they stand, and how many words turn the part around (`disable` denies `enable`)."""
        terms, turned = [], 0
        for word in WORD.finditer(part):
            root = stem(word[0])
            if word[0].lower() in _NO_SUBJECT and not word[0].isupper():
                continue
            if root in _LIGHT_STEMS:
                self.light.add(root)
                continue
            term, flips = _FLIP_STEMS.get(root, (root, False))
            terms.append((word.start(), term))
            turned += flips
        return terms, turned


def _excluding_ranges(text: str) -> list[range]:
    """The places of what a denied noun, or what something is preferred to, takes out."""
    found = []
    for denied in _DENIED_NOUN.finditer(text):
        end = _ENDS_DENIAL.search(text, denied.end() + 1)
        found.append(range(denied.end(), end.start() if end else len(text)))
    if prefers := _PREFERS.search(text):
        found.append(range(prefers.end(), len(text)))
    return found
