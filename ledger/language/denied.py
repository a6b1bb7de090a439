"""The same words, said by one statement and denied or excluded by the other, in English."""

from collections.abc import Iterable, Set
from typing import Final

from ledger.language.measures import DATED
from ledger.language.polarity import Assertion

ENOUGH: Final = 0.6
HALF: Final = 0.5


def denial(said: Assertion, held: Assertion) -> str:
    """The same words, said by one and denied by the other."""
    shared = said.terms & held.terms
    turned_over = flipped(said, held)
    conditions = said.conditions | held.conditions
    # Both exclude the same thing: whatever else they say, they say that together.
    together = said.denied & held.denied & frozenset().union(*said.excluded, *held.excluded)
    if not shared or together or turned_over & conditions or _other_days(said, held):
        return ""
    if not turned_over:
        if turned := _turned(said, held):
            return f"the other way round: before and after {_listed(turned)}"
    elif len(turned_over) * 2 >= len(shared - conditions) and _much_alike(said, held):
        return f"one says it, the other denies it: {_listed(turned_over)}"
    if used := (said.acts and _excluded_by(held, said)) or _excluded_by(said, held):
        return f"excluded by one, used by the other: {_listed(used)}"
    return ""


def _other_days(said: Assertion, held: Assertion) -> bool:
    """What holds on one day says nothing of another."""
    mine, theirs = ({amount.term for amount in one.amounts if amount.what in DATED} for one in (said, held))
    return bool(mine and theirs) and not mine & theirs


def flipped(said: Assertion, held: Assertion) -> frozenset[str]:
    """The terms that one affirms and the other denies."""
    return (said.affirmed & held.denied) | (said.denied & held.affirmed)


def _likeness(said: Assertion, held: Assertion) -> float:
    """The share of all their terms that both have."""
    return len(said.terms & held.terms) / len(said.terms | held.terms)


def _turned(said: Assertion, held: Assertion) -> Set[str]:
    """What comes before something in one and after it in the other, where all that is held is said."""
    if not held.terms <= said.terms or _likeness(said, held) < ENOUGH:
        return frozenset()
    agreed = dict(said.follows.items() & held.follows.items())
    return (said.follows.keys() & held.follows.keys()) - agreed.keys()


def _much_alike(said: Assertion, held: Assertion) -> bool:
    """Whether the two say enough of the same. `in the kitchen` and `in the garden`: each has a word of its own, so they may
    speak of two things."""
    if held.conditions - said.terms:  # what a condition narrows is denied only where the condition is shared
        return False
    if len(said.terms & held.terms) < 2:
        return said.terms == held.terms
    return held.terms <= said.terms or _likeness(said, held) >= (HALF if said.terms <= held.terms else ENOUGH)


def _excluded_by(one: Assertion, other: Assertion) -> frozenset[str]:
    """What one excludes and the other uses. `PostgreSQL, not SQLite` excludes SQLite everywhere; `ship without tests` only
    where something is shipped."""
    for excluded in one.excluded:
        rest = one.terms - excluded
        used = excluded <= one.denied & other.affirmed
        if used and (not rest or rest & other.terms or one.light & other.light):
            return excluded
    return frozenset()


def _listed(terms: Iterable[str]) -> str:
    """An amount by its quantity alone."""
    return ", ".join(sorted(term.partition("=")[0] for term in terms))
