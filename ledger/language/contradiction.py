"""Tells a contradiction from a paraphrase (D12): the same words denied, another value, another unit, another choice.

Pure. Words are compared, not meanings: what shares no words with a statement is never said to contradict it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ledger.language.choices import other_choice
from ledger.language.measures import Measure, agree
from ledger.language.normalise import normalise_statement
from ledger.language.polarity import Said, read, sentences, stem

ENOUGH: Final = 0.6
_IMPLIED: Final = frozenset(
    map(stem, "weigh weighs weight cost costs price last lasts take takes measure measures".split())
)
HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class Statement:
    """What holds: a claim or a trusted value. `names_choice`: another name in its place would be another choice."""

    ref: str
    statement: str
    key: str = ""
    value: Any = None
    names_choice: bool = True


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`why` names what differs; `sentence` is the text's own."""

    ref: str
    why: str
    sentence: str


def contradictions(text: str, held: Sequence[Statement]) -> list[Contradiction]:
    """What of `held` the sentences of `text` contradict, each at most once, in the order of `held`."""
    heard = [read(sentence) for sentence in sentences(text)]
    return compare(heard, [(statement, readings_of(statement)) for statement in held])


def compare(heard: Sequence[Said], held: Iterable[tuple[Statement, Sequence[Said]]]) -> list[Contradiction]:
    """`contradictions` of what is already read. Only sentences that share a word with a statement are compared with it."""
    by_root: dict[str, list[int]] = {}
    for at, said in enumerate(heard):
        for root in said.roots | said.terms.keys():
            by_root.setdefault(root, []).append(at)
    found = []
    for statement, readings in held:
        roots = {root for reading in readings for root in reading.roots | reading.terms.keys()}
        near = {
            at for root in roots | {stem(word) for word in key_words(statement.key)} for at in by_root.get(root, ())
        }
        for at in sorted(near):
            why = next((why for reading in readings if (why := against(heard[at], reading, statement))), "")
            if why:
                found.append(Contradiction(statement.ref, why, heard[at].words))
                break
    return found


def readings_of(statement: Statement) -> list[Said]:
    """The statement's sentences, and its key and value said as one."""
    found = [read(sentence) for sentence in sentences(statement.statement, most=8)]
    if statement.key and statement.value is not None:
        found.append(read(f"{' '.join(key_words(statement.key))} is {value_words(statement.value)}"))
    return found


def key_words(key: str) -> list[str]:
    return [word for word in re.split(r"[\s._/-]+", key) if word]


def value_words(value: Any) -> str:
    """A value as people write it: `{"number": 4.8, "unit": "kg"}` → `4.8 kg`."""
    if isinstance(value, bool):
        return "enabled" if value else "disabled"
    if isinstance(value, dict):
        if set(value) == {"number", "unit"}:
            return f"{value['number']} {value['unit']}"
        return ", ".join(f"{name}: {value_words(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(value_words(item) for item in value)
    return str(value)


def against(said: Said, held: Said, statement: Statement) -> str:
    """Why `said` contradicts `held`, or the empty string."""
    if said.asks or held.asks or not said.terms:
        return ""
    if said.normal == held.normal:
        return ""
    return (
        _denial(said, held)
        or _amounts(said, held, statement)
        or _assigned(said, statement)
        or (other_choice(said, held) if statement.names_choice else "")
    )


def touches(said: Said, held: Said, key: str = "") -> bool:
    """Whether a sentence speaks of what a statement speaks of: its key, or enough of its words."""
    shared = said.terms.keys() & held.terms.keys()
    return _key_said(said, key) or len(shared) >= 2 or (bool(shared) and len(shared) * 2 >= len(held.terms))


def _denial(said: Said, held: Said) -> str:
    """The same words, said by one and denied by the other."""
    shared = said.terms.keys() & held.terms.keys()
    if not shared:
        return ""
    conditions = said.conditions | held.conditions
    flipped = {term for term in shared if said.terms[term] != held.terms[term]}
    if flipped & conditions:
        return ""
    # Both exclude the same thing: whatever else they say, they say that together.
    if any(not said.terms[t] and not held.terms[t] for denied in (*said.denied, *held.denied) for t in denied & shared):
        return ""
    main = shared - conditions
    covers = len(shared) / len(held.terms)
    alike = len(shared) / len(said.terms.keys() | held.terms.keys())
    # `in the kitchen` and `in the garden`: each has a word of its own, so they may speak of two things.
    left_over = bool(said.terms.keys() - shared) and bool(held.terms.keys() - shared)
    turned = {term for term in said.order.keys() & held.order.keys() if said.order[term] != held.order[term]}
    if turned and not flipped and covers == 1 and alike >= ENOUGH:
        return f"the other way round: before and after {_listed(turned)}"
    enough = (
        (covers == 1 and (len(shared) >= 2 or alike == 1))
        or (covers >= ENOUGH and alike >= (ENOUGH if left_over else HALF) and len(shared) >= 2)
        or (len(shared) == len(said.terms) >= 2 and covers >= HALF)
    )
    # What a condition narrows is denied only where the condition is shared.
    if held.conditions - shared and held.conditions:
        enough = False
    if enough and flipped and len(flipped) * 2 >= len(main):
        return f"one says it, the other denies it: {_listed(flipped)}"
    for one, other in ((held, said), (said, held)):
        for denied in one.denied:
            if denied <= other.terms.keys() and all(other.terms[t] and not one.terms.get(t, True) for t in denied):
                whole = len(denied) == len(one.terms) or _companions(one, other, denied)
                if whole and (other.acts or one is said):
                    return f"excluded by one, used by the other: {_listed(denied)}"
    return ""


def _companions(one: Said, other: Said, denied: set[str]) -> bool:
    """`PostgreSQL, not SQLite` excludes SQLite everywhere; `ship without tests` only where something is shipped."""
    rest = one.terms.keys() - denied
    return bool(rest & other.terms.keys()) or bool(one.light & other.light) or not rest


def _amounts(said: Said, held: Said, statement: Statement) -> str:
    """Another value or another unit of the same thing."""
    if not said.amounts or not held.amounts:
        return ""
    words_a = {t for t in said.terms if "=" not in t}
    words_b = {t for t in held.terms if "=" not in t}
    shared = words_a & words_b
    if any(said.terms[t] != held.terms[t] for t in shared):
        return ""
    # A weight in kilograms need not say `weighs`.
    words_a, words_b = (words - _IMPLIED or words for words in (words_a, words_b))
    shared = words_a & words_b
    keyed = _key_said(said, statement.key)
    if not keyed and not _same_subject(shared, words_a, words_b):
        return ""
    denied = bool(shared) and not any(held.terms[t] for t in shared)
    for amount in said.amounts:
        rivals = [other for other in held.amounts if _comparable(amount, other)]
        if denied and amount.what in ("weekday", "month", "date", "clock"):
            continue
        if rivals and not any(agree(amount, other) for other in rivals):
            return f"says {_bounded(amount)} where it is {_bounded(rivals[0])}"
    if len(said.amounts) == len(held.amounts) == 1:
        one, other = said.amounts[0], held.amounts[0]
        if one.unit and other.unit and one.what != other.what and one.low == other.low:
            return f"another unit: {one.said} where it is {other.said}"
    return ""


def _same_subject(shared: set[str], words_a: set[str], words_b: set[str]) -> bool:
    if not shared:
        return False
    covers, covered = len(shared) / len(words_b), len(shared) / len(words_a)
    alike = len(shared) / len(words_a | words_b)
    if len(shared) == 1:
        return alike == 1
    return (covers >= ENOUGH and alike >= HALF) or covers == 1 or covered == 1


def _comparable(a: Measure, b: Measure) -> bool:
    if a.what != b.what:
        return False
    if a.what != "number":
        return True
    return (bool(a.after) and stem(a.after) == stem(b.after)) or (bool(a.before) and stem(a.before) == stem(b.before))


def _bounded(amount: Measure) -> str:
    words = {"most": "at most ", "least": "at least ", "about": "about "}.get(amount.bound, "")
    return words + amount.said


def _key_said(said: Said, key: str) -> bool:
    words = {stem(word) for word in key_words(key)}
    return bool(words) and words <= said.terms.keys() | said.light | said.roots


_IS: Final = re.compile(
    r"\s*(?:=|:|\b(?:is|are|will be|should be|must be|becomes?|(?:is )?set to|(?:is )?changed to)\b)\s*", re.I
)


def _assigned(said: Said, statement: Statement) -> str:
    """`Colour: blue` where the key's value is red: only for short words, and only where the key itself is named."""
    if not statement.key or not isinstance(statement.value, str) or not _key_said(said, statement.key):
        return ""
    parts = _IS.split(said.words, maxsplit=1)
    if len(parts) != 2 or not {stem(w) for w in key_words(statement.key)} <= {stem(w) for w in parts[0].split()}:
        return ""
    new, old = normalise_statement(parts[1]), normalise_statement(statement.value)
    new_words, old_words = {stem(w) for w in new.split()}, {stem(w) for w in old.split()}
    if not new or len(new.split()) > 4 or new_words & old_words or new.startswith("not ") or len(parts[0].split()) > 6:
        return ""
    return f"says {parts[1].strip(' .')} where it is {statement.value}"


def _listed(terms: Iterable[str]) -> str:
    return ", ".join(sorted(term.partition("=")[0] if "=" in term else term for term in terms))
