"""What a sentence says of which words, and whether it says so or denies it. English; other "
"scripts yield words without sign."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from ledger.language.fold import fold
from ledger.language.measures import Measure, measures
from ledger.language.normalise import normalise_statement, strip_markup

_STOP: Final = frozenset(
    "a an the this that these those there here i me my we us our ours you your he him his she her "
    "it its they them their and or "
    "of to in on at by for from with as into onto about than then so too very just also only even "
    "still already is am are was were be "
    "been being will would shall should must may might can could do does did done doing has have "
    "had having all any each every some "
    "both such own same who whom whose which what when where why how if unless until while because "
    "since though although but not no "
    "nor never none let lets let's please always yes ok okay per via up out over under again now before after".split()
)
# Words that carry a plan and no subject: they agree with everything and are left out of what is compared.
_LIGHT: Final = frozenset(
    "use make get go set need want take keep put have allow permit accept fine welcome choose pick "
    "select adopt prefer favour favor decide "
    "agree plan try run start like think believe know mean say tell maximum minimum max min limit "
    "value exceed most least more less "
    "thing way case currently instead rather longer decision constraint requirement rule note".split()
) - {"keep", "start", "accept"}
_ACTING: Final = re.compile(
    r"\b(?:us(?:e|es|ed|ing)|add(?:s|ed|ing)?|choos\w+|adopt\w*|pick\w*|includ\w+|with|will|shall|"
    r"should|must|may|can|let'?s|going to|"
    r"plan\w*|switch\w*|allow\w*|permit\w*|requir\w+|need\w*|put\w*|install\w*|deploy\w*|ship\w*|enabl\w+|build\w*)\b",
    re.I,
)
_FLIPS: Final[dict[str, str]] = {
    "disable": "enable", "exclude": "include", "reject": "accept", "decline": "accept", "private": "public",
    "closed": "open", "close": "open", "false": "true", "remove": "keep", "drop": "keep", "delete": "keep", "discard": "keep",
    "stop": "start",
    "asynchronous": "synchronous", "async": "sync", "insecure": "secure", "unsafe": "safe", "invalid": "valid",
    "impossible": "possible", "unable": "able", "fail": "pass", "offline": "online", "manual": "automatic",
    "optional": "required", "voluntary": "required", "mandatory": "required", "obligatory": "required",
    "compulsory": "required",
    "decrease": "increase", "reduce": "increase", "lower": "higher", "slower": "faster", "smaller": "larger",
    "external": "internal", "unencrypted": "encrypted", "incompatible": "compatible",
    "unsupported": "support", "unavailable": "available", "inactive": "active", "incorrect": "correct", "wrong": "correct",
    "opt-out": "opt-in", "unnecessary": "necessary", "unlimited": "limited", "immutable": "mutable",
    "unacceptable": "acceptable",
}  # fmt: skip
_SYNONYMS: Final = {"mandatory", "obligatory", "compulsory"}
_FORBIDS: Final = re.compile(
    r"\b(?:avoid(?:s|ed|ing)?|forbid(?:s|den|ding)?|prohibit(?:s|ed|ing)?|bann?(?:s|ed|ing)?|"
    r"disallow(?:s|ed)?|prevent(?:s|ed)?|"
    r"refus(?:e|es|ed|ing)|rul(?:e|ed) out|off[- ]limits|out of the question|no[- ]go|refrain(?:s|"
    r"ed)? from|abandon(?:s|ed)?|"
    r"unacceptable|lacks?|lacking)\b",
    re.I,
)
# A denied verb denies its clause; a denied noun only what follows it.
_DENIED_VERB: Final = re.compile(
    r"\b(?:do|does|did|is|are|was|were|be|been|am|must|should|shall|may|might|can|could|will|would|has|have|had|need)"
    r"(?:n't|\s+(?:\w+\s+)?not\b)(?!\s+(?:only|just|merely|necessarily)\b)|\bain't\b|\bcannot\b|"
    r"\bcan't\b|\bwon't\b|\bnever\b|"
    r"\bno longer\b|\bnot\s+to\b|\bdon't\b|\bnot\s+(?:be\s+)?(?:allowed|permitted|ok|acceptable|"
    r"used|supported)\b|\bnobody\b|\bno one\b|"
    r"\bno\s*$",
    re.I,
)
_DENIED_NOUN: Final = re.compile(
    r"\b(?:not(?!\s+(?:only|just|merely|necessarily)\b)|no|without|instead of|rather than|neither|"
    r"nor|none of|nothing|except|"
    r"in place of|as opposed to|replac(?:e|es|ed|ing)|migrat\w+ (?:away )?from|mov\w+ (?:away )?from|"
    r"switch\w* (?:away )?from)\b",
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
_LABEL: Final = re.compile(
    r"^\W*(?:decision|decided|constraint|requirement|resolution|resolved|fact|note|agreed|commitment)\s*:\s*", re.I
)
_ORDER: Final = re.compile(r"\b(?:before|after)\b", re.I)
_OFF: Final = re.compile(r"\b(?:(?:turn|switch)(?:ed)? (?P<a>off|on)|(?:is|are|be|:|=) (?P<b>off|on)(?=\W*$))", re.I)
_WORD: Final = re.compile(r"[^\W_]+(?:[-.'][^\W_]+)*")
_SUFFIXES: Final = (
    "ations",
    "ation",
    "ingly",
    "ments",
    "ment",
    "ings",
    "ing",
    "edly",
    "ied",
    "ies",
    "ed",
    "es",
    "ly",
    "s",
)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A rough English stem, enough that `ships`, `shipped` and `shipping` meet. Short words and other scripts stay."""
    word = word.lower().removesuffix("'s").strip("'.-")
    if not word.isascii() or len(word) < 4 or any(c.isdigit() for c in word):
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(suffix) + ("y" if suffix in ("ies", "ied") else "")
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


_FLIP_STEMS: Final = {stem(word): (stem(base), word not in _SYNONYMS) for word, base in _FLIPS.items()}
_LIGHT_STEMS: Final = frozenset(stem(word) for word in _LIGHT)


@dataclass(slots=True)
class Said:
    """A sentence taken apart. `terms` maps what it speaks of to True (said) or False (denied); `conditions` are the terms
    of its if-clauses; `denied` what a bare `no`, `not`, `without` … excludes; `words` the plain sentence, `normal` the
    form in which it equals another, `roots` all its words."""

    words: str
    terms: dict[str, bool] = field(default_factory=dict)
    conditions: set[str] = field(default_factory=set)
    denied: list[set[str]] = field(default_factory=list)
    amounts: list[Measure] = field(default_factory=list)
    light: set[str] = field(default_factory=set)
    # What comes later: `before assembly` → {assemb: True}, `after assembly` → False.
    order: dict[str, bool] = field(default_factory=dict)
    asks: bool = False
    acts: bool = False
    normal: str = ""
    roots: frozenset[str] = frozenset()


def read(sentence: str) -> Said:
    """Take one sentence apart. Never fails; at most its first 600 characters count."""
    words = fold(sentence[:600], keep_accents=True, keep_case=True)
    words = _LABEL.sub("", strip_markup(words)).strip()
    said = Said(
        words,
        asks=words.rstrip("\"' )").endswith("?") and bool(_QUESTION.match(words)),
        acts=bool(_ACTING.search(words)),
    )
    said.normal = normalise_statement(words)
    said.roots = frozenset(stem(word) for word in _WORD.findall(words))
    said.amounts = measures(words)
    text = words
    for amount in reversed(said.amounts):
        text = text[: amount.start] + " " * (amount.end - amount.start) + text[amount.end :]
    text = _OFF.sub(lambda m: " disabled" if (m["a"] or m["b"]).lower() == "off" else " enabled", _REASON.sub("", text))
    for clause in _CLAUSE.split(text):
        if clause and clause.strip():
            _read_clause(clause, said)
    # An amount is said or denied like the sentence as a whole.
    sign = sum(said.terms.values()) * 2 >= len(said.terms) if said.terms else not _DENIED_VERB.search(words)
    for amount in said.amounts:
        said.terms.setdefault(amount.term, sign)
    return said


def _read_clause(clause: str, said: Said) -> None:
    condition = _CONDITION.search(clause)
    main, conditional = (clause[: condition.start()], clause[condition.end() :]) if condition else (clause, "")
    if condition and condition[0].lower() == "unless":
        main = main + " not" if not main.strip() else main
    for part, is_condition in ((main, False), (conditional, True)):
        sign = len(_DENIED_VERB.findall(part)) + len(_FORBIDS.findall(part))
        rest = _FORBIDS.sub(" ", _DENIED_VERB.sub(" ", part))
        ranges = _denied_ranges(rest)
        if sign and len(ranges) == 1:  # never … without: said after all
            sign, ranges = sign + 1, []
        found: list[tuple[str, int]] = []
        for match in _WORD.finditer(rest):
            root = stem(match[0])
            if match[0].lower() in _STOP and match[0].lower() not in _FLIPS and not match[0].isupper():
                continue
            if root in _LIGHT_STEMS:
                said.light.add(root)
                continue
            base, flips = _FLIP_STEMS.get(root, (root, False))
            sign += flips
            found.append((base, match.start()))
        order = {found_after: way for way in _ORDER.finditer(rest) for found_after in _next(found, way.end())}
        for base, way in order.items():
            said.order[base] = way[0].lower() == "before"
        for low, high in ranges:
            if inside := {base for base, at in found if low <= at < high}:
                said.denied.append(inside)
        for base, at in found:
            inside_denial = any(low <= at < high for low, high in ranges)
            said.terms[base] = (sign % 2 == 0) != inside_denial
            if is_condition:
                said.conditions.add(base)
    if not said.denied and said.terms and all(not value for value in said.terms.values()) and len(said.terms) == 1:
        said.denied.append(set(said.terms))


def _next(found: list[tuple[str, int]], at: int) -> list[str]:
    return [base for base, start in found if start >= at][:1]


def _denied_ranges(text: str) -> list[tuple[int, int]]:
    found = []
    for match in _DENIED_NOUN.finditer(text):
        end = _ENDS_DENIAL.search(text, match.end() + 1)
        found.append((match.end(), end.start() if end else len(text)))
    if prefers := _PREFERS.search(text):
        found.append((prefers.end(), len(text)))
    return found


_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])[\"')\]]*\s+(?=\S)|\n+|;\s+")


def sentences(text: str, *, most: int = 200) -> list[str]:
    """The first `most` different sentences and lines of `text` that hold a word."""
    parts = dict.fromkeys(part.strip() for part in _SENTENCE.split(text) if part and _WORD.search(part))
    return list(parts)[:most]
