"""Tables of rules over signs: a list of cues is read line by line, in place of a condition each.

    who duty                     -> asked
    offers !child question|short -> offered

A line holds where all its signs are there, one of each alternative (`a|b`), and none behind a `!`.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SignRule:
    """`present`: of each set one sign must be there; `absent`: of these none."""

    outcome: str
    present: tuple[frozenset[str], ...]
    absent: frozenset[str]

    def holds(self, signs: Set[str]) -> bool:
        return self.absent.isdisjoint(signs) and not any(map(signs.isdisjoint, self.present))


def sign_rules(table: str) -> tuple[SignRule, ...]:
    """The rules of a table, from top to bottom."""
    return tuple(_rule(*line.split("->")) for line in filter(str.strip, table.splitlines()))


def _rule(condition: str, outcome: str) -> SignRule:
    words = condition.split()
    present = tuple(frozenset(word.split("|")) for word in words if not word.startswith("!"))
    return SignRule(outcome.strip(), present, frozenset(word[1:] for word in words if word.startswith("!")))


def first_outcome(rules: Iterable[SignRule], signs: Set[str]) -> str:
    """That of the first rule that holds; empty where none does."""
    return next((rule.outcome for rule in rules if rule.holds(signs)), "")


def all_outcomes(rules: Iterable[SignRule], signs: Set[str]) -> list[str]:
    """Those of all rules that hold, from top to bottom."""
    return [rule.outcome for rule in rules if rule.holds(signs)]


def with_meanings(rules: Iterable[SignRule], signs: Iterable[str]) -> set[str]:
    """The signs, and the outcomes of the rules that hold; a rule may build on the outcomes of those above it."""
    found = set(signs)
    for rule in rules:
        if rule.holds(found):
            found.add(rule.outcome)
    return found


def signs_among(facts: Mapping[str, object]) -> frozenset[str]:
    """The names of what is true."""
    return frozenset(name for name, holds in facts.items() if holds)
