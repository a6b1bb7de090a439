"""Tells a contradiction from a paraphrase (D12): the same words denied, another value, another unit, another choice.

Pure. What shares no words with a statement is never said to contradict it. English statements in other words are aligned by
`ledger.language.aligned`, German, Spanish and French ones are compared by `ledger.language.meaning`.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain, combinations, islice, product
from typing import Any, Final

from ledger.language.aligned.clashes import clash, speak_past_each_other
from ledger.language.choices import other_choice
from ledger.language.denied import denial, flipped
from ledger.language.fold import normalise_statement
from ledger.language.meaning.opposition import opposed
from ledger.language.meaning.vocabulary import language_of_both
from ledger.language.measures import DATED, Measure, agree
from ledger.language.polarity import Assertion, assertion_of
from ledger.language.replaced import replaced, tied_elsewhere
from ledger.language.roles.rivals import rival
from ledger.language.same_thing import of_others, of_two_things, same_subject, subjects_of
from ledger.language.sentences import sentences
from ledger.language.words import stem


@dataclass(frozen=True, slots=True)
class Statement:
    """What holds: a claim or a trusted value. `names_choice`: another name in its place would be another choice."""

    ref: str
    statement: str
    key: str = ""
    # Lists and mappings are compared, and have no hash.
    value: Any = field(default=None, hash=False)
    names_choice: bool = True


# A statement that speaks of more is found by its longest words: they are the rarest.
MAX_SUBJECTS: Final = 8
# So few words may each be all that a statement has in common with one that contradicts it.
FEW_SUBJECTS: Final = 3


def subject_keys(scope_id: int, statement: str) -> list[int]:
    """Hashes (signed 64 bit) under which what may contradict a statement is found: two that share one are worth comparing. One
    for each pair of words it speaks of, one for each word where these are few. Every key names the scope."""
    keys = chain.from_iterable(_keys_of(reading) for reading in _readings_of_text(statement))
    return list(dict.fromkeys(_hash(scope_id, words) for words in keys))


def _keys_of(reading: Assertion) -> Iterator[tuple[str, ...]]:
    subjects = sorted(sorted(reading.subjects, key=len)[-MAX_SUBJECTS:])
    yield from combinations(subjects, 2)
    if len(subjects) <= FEW_SUBJECTS:
        yield from ((subject,) for subject in subjects)


def _hash(scope_id: int, words: Iterable[str]) -> int:
    named = "\x1f".join([str(scope_id), *words]).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(named, digest_size=8).digest(), "big", signed=True)


@lru_cache(maxsize=4096)
def contradicts(one: Statement, other: Statement) -> str:
    """Why two statements cannot both hold, or the empty string. The order does not matter. Kept: the cards of a queue meet the same
    claims each time it is shown."""
    pairs = product(readings_of(one), readings_of(other))
    whys = (against(a, b, other) or against(b, a, one, back=bool(a.terms)) for a, b in pairs)
    return next(filter(None, whys), "")


_Difference = Callable[[Assertion, Assertion, Statement], str]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`why` names what differs; `sentence` is the text's own."""

    ref: str
    why: str
    sentence: str


def contradictions(text: str, held: Sequence[Statement]) -> list[Contradiction]:
    """What of `held` the sentences of `text` contradict, each at most once, in the order of `held`."""
    heard = [assertion_of(sentence) for sentence in sentences(text)]
    return compare(heard, [(statement, readings_of(statement)) for statement in held])


def compare(heard: Sequence[Assertion], held: Iterable[tuple[Statement, Sequence[Assertion]]]) -> list[Contradiction]:
    """`contradictions` of what is already read. Only sentences that share a word with a statement are compared with it."""
    by_root: dict[str, set[int]] = defaultdict(set)
    for at, said in enumerate(heard):
        for root in said.roots | said.terms:
            by_root[root].add(at)
    found: list[Contradiction] = []
    for statement, readings in held:
        roots = _stems(key_words(statement.key)).union(*(reading.roots | reading.terms for reading in readings))
        near = set[int]().union(*(by_root[root] for root in roots & by_root.keys()))
        found += islice(_contradicting([heard[at] for at in sorted(near)], readings, statement), 1)
    return found


def _contradicting(
    heard: Iterable[Assertion], readings: Sequence[Assertion], statement: Statement
) -> Iterator[Contradiction]:
    for said, reading in product(heard, readings):
        if why := against(said, reading, statement):
            yield Contradiction(statement.ref, why, said.words)


def says_the_same(said: Assertion, held: Assertion) -> bool:
    """Whether a sentence says all that a statement says, in the same sense: what it adds is its own. One word in common is no
    statement."""
    if said.words.endswith("?"):
        return False
    held_too = held.affirmed <= said.affirmed and held.denied <= said.denied and said.conditions <= held.conditions
    return said.normal == held.normal or (len(held.terms) > 1 and held_too)


def readings_of(statement: Statement) -> list[Assertion]:
    """The statement's sentences, and its key and value said as one."""
    found = list(_readings_of_text(statement.statement))
    if statement.key and statement.value is not None:
        found.append(assertion_of(f"{' '.join(key_words(statement.key))} is {value_words(statement.value)}"))
    return found


@lru_cache(maxsize=2048)
def _readings_of_text(statement: str) -> tuple[Assertion, ...]:
    return tuple(map(assertion_of, sentences(statement, most=8)))


def key_words(key: str) -> list[str]:
    return re.findall(r"[^\s._/-]+", key)


def value_words(value: Any) -> str:
    """A value as people write it: `{"number": 4.8, "unit": "kg"}` → `4.8 kg`."""
    match value:
        case bool():
            return "enabled" if value else "disabled"
        case {"number": number, "unit": unit, **more} if not more:
            return f"{number} {unit}"
        case dict():
            return ", ".join(f"{name}: {value_words(item)}" for name, item in value.items())
        case list():
            return ", ".join(map(value_words, value))
        case _:
            return str(value)


def against(said: Assertion, held: Assertion, statement: Statement, *, back: bool = False) -> str:
    """Why `said` contradicts `held`, or the empty string. `back` where it was asked the other way round before: what does not
    depend on the order is not asked again."""
    if said.asks or held.asks or not said.terms or said.normal == held.normal or of_others(said.words, held.words):
        return ""
    differences = _differences_between(said, held)
    if back:
        differences = [differs for differs in differences if differs not in _EITHER_WAY]
    return next(filter(None, (differs(said, held, statement) for differs in differences)), "")


def _clash(said: Assertion, held: Assertion, _: Statement) -> str:
    return clash(said.words, held.words) if said.subjects & held.subjects else ""


def _unless_past_each_other(differs: _Difference) -> _Difference:
    """What is told of two times, or by two people, contradicts nothing."""

    def found(said: Assertion, held: Assertion, statement: Statement) -> str:
        why = differs(said, held, statement)
        return "" if why and speak_past_each_other(said.words, held.words) else why

    return found


def _differences_between(said: Assertion, held: Assertion) -> Sequence[_Difference]:
    """Denials and choices are read in English here; German, Spanish and French have a comparator of their own."""
    two_things = of_two_things(said, held)
    if language_of_both(said.words, held.words):
        exact = two_things or _DECIMAL_COMMA.search(f"{said.words} {held.words}")
        return (_assigned, _opposed, _rival) if exact else (_other_amount, _assigned, _opposed, _rival)
    of_one_thing = () if two_things else (_plain_denial, _plain_amount)
    return (_assigned, *of_one_thing, _plain_choice, _plainly_replaced, _rival, _clash)


# Amounts are read here as English writes them.
_DECIMAL_COMMA: Final = re.compile(r"\d,\d")


def touches(said: Assertion, held: Assertion, key: str = "") -> bool:
    """Whether a sentence speaks of what a statement speaks of: its key, or enough of its words."""
    shared = len(said.terms & held.terms)
    return _key_said(said, key) or shared >= 2 or 0 < len(held.terms) <= shared * 2


def _other_amount(said: Assertion, held: Assertion, statement: Statement) -> str:
    """Another value or another unit of the same thing."""
    if not said.amounts or not held.amounts or flipped(said, held) & said.subjects:
        return ""
    mine, theirs = subjects_of(said), subjects_of(held)
    if not _key_said(said, statement.key) and not same_subject(mine, theirs):
        return ""
    shared = mine & theirs
    # What is not on Friday may be on Monday.
    ignored = DATED if frozenset() < shared <= held.denied else frozenset()
    for amount in said.amounts:
        rivals = list(filter(partial(_comparable, amount), held.amounts))
        if rivals and amount.what not in ignored and not any(map(partial(agree, amount), rivals)):
            return f"says {_bounded(amount)} where it is {_bounded(rivals[0])}"
    return _other_unit(*said.amounts, *held.amounts) if len(said.amounts) == len(held.amounts) == 1 else ""


def _other_unit(one: Measure, other: Measure) -> str:
    if not one.unit or not other.unit or one.what == other.what or one.low != other.low:
        return ""
    return f"another unit: {one.said} where it is {other.said}"


def _comparable(a: Measure, b: Measure) -> bool:
    """Of one quantity; bare numbers beside the same word."""
    return a.what == b.what and (a.what != "number" or _same_word(a.after, b.after) or _same_word(a.before, b.before))


def _same_word(one: str, other: str) -> bool:
    return "" != stem(one) == stem(other)


def _bounded(amount: Measure) -> str:
    return {"most": "at most ", "least": "at least ", "about": "about "}.get(amount.bound, "") + amount.said


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stem, words))


def _key_said(said: Assertion, key: str) -> bool:
    return frozenset() < _stems(key_words(key)) <= said.terms | said.light | said.roots


_IS: Final = re.compile(
    r"\s*(?:=|:|\b(?:is|are|will be|should be|must be|becomes?|(?:is )?set to|(?:is )?changed to)\b)\s*", re.I
)


def _assigned(said: Assertion, _: Assertion, statement: Statement) -> str:
    """`Colour: blue` where the key's value is red: only for short words, and only where the key itself is named."""
    if not isinstance(statement.value, str) or not _key_said(said, statement.key):
        return ""
    subject, *words = _IS.split(said.words, maxsplit=1)
    new, old = normalise_statement("".join(words)), normalise_statement(statement.value)
    named = _stems(key_words(statement.key)) <= _stems(subject.split()) and len(subject.split()) <= 6
    if (
        not named
        or not 1 <= len(new.split()) <= 4
        or new.startswith("not ")
        or _stems(new.split()) & _stems(old.split())
    ):
        return ""
    return f"says {words[0].strip(' .')} where it is {statement.value}"


def _denial(said: Assertion, held: Assertion, _: Statement) -> str:
    return denial(said, held)


def _choice(said: Assertion, held: Assertion, statement: Statement) -> str:
    return other_choice(said, held) if statement.names_choice else ""


def _replaced(said: Assertion, held: Assertion, _: Statement) -> str:
    return replaced(said.words, held.words) or tied_elsewhere(said.words, held.words)


def _rival(said: Assertion, held: Assertion, _: Statement) -> str:
    return rival(said.words, held.words)


def _opposed(said: Assertion, held: Assertion, _: Statement) -> str:
    return opposed(said.words, held.words)


_plain_denial, _plain_amount, _plain_choice, _plainly_replaced = map(
    _unless_past_each_other, (_denial, _other_amount, _choice, _replaced)
)
_EITHER_WAY: Final = (_plainly_replaced, _rival)
