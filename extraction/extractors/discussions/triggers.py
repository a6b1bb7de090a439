"""The triggers of a pack, compiled once under RE2 and matched against a sentence in one pass (D4, D7)."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2

from extraction.extractors.discussions.plain import Sentence
from extraction.extractors.documents.ruleset import compile_pattern
from ledger.packs import SHIPPED


@dataclass(frozen=True, slots=True)
class Trigger:
    """One pattern in force. `confidence` is its own score; `says` how what it names reads as a statement; `strength` of a
    confirmation: approval, answer or courtesy."""

    id: str
    sense: str
    pattern: Any
    unless: Any = None
    confidence: float = 0.7
    says: str = ""
    asks: bool = False
    agent: bool = False
    strength: str = "answer"


@dataclass(frozen=True, slots=True)
class TriggerMatch:
    """A trigger that matched: `start:end` in the sentence's plain form, `rule` the range of what it names or None."""

    trigger: Trigger
    start: int
    end: int
    rule: tuple[int, int] | None

    def is_guarded(self, guards: Iterable["TriggerMatch"], plain: str) -> bool:
        """Whether its first word stands in the range of a guard: the sentence then only speaks of it."""
        words = plain[self.start :]
        first = self.start + len(words) - len(words.lstrip(" ,;:.-"))
        return any(guard.start < first < guard.end or guard.start == 0 == first for guard in guards)


@dataclass(frozen=True, slots=True)
class Triggers:
    """All triggers of a scope's packs, and the numbers beside them. Build with `from_packs`."""

    triggers: tuple[Trigger, ...]
    at_once: Any
    # Plain word → what it stands for: the packs' own, and slips of the pen.
    spelling: Mapping[str, str]
    extract_above: float = 20.0
    flag_above: float = 10.0
    question_likeness: float = 0.6

    @classmethod
    def from_packs(cls, packs: Iterable[Mapping[str, Any]]) -> "Triggers":
        """Merge the `discussion` tables of pack data, later ones adding to and overriding earlier ones by id.

        Raises PatternError naming the trigger at fault.
        """
        parts: dict[str, str] = {}
        spelling: dict[str, str] = {}
        numbers: dict[str, float] = {}
        rows: dict[str, Mapping[str, Any]] = {}
        for pack in packs:
            table = pack.get("discussion", {})
            parts |= table.get("parts", {})
            spelling |= table.get("spelling", {})
            numbers |= {
                name: float(table[name])
                for name in ("extract_above", "flag_above", "question_likeness")
                if name in table
            }
            rows |= {row["id"]: row for row in table.get("triggers", [])}
        triggers = tuple(_trigger(row, parts) for row in rows.values())
        return cls(triggers, _all_at_once(triggers), vocabulary_of(triggers) | spelling, **numbers)

    def pull(self, sentence: Sentence, plain: str | None = None) -> list[TriggerMatch]:
        """Every trigger that the sentence sets off, in the order of the packs."""
        words = sentence.plain if plain is None else plain
        if not self.triggers:
            return []
        found = []
        for at in sorted(self.at_once.Match(words) or ()):
            trigger = self.triggers[at]
            match = trigger.pattern.search(words)
            if match is None or (trigger.unless is not None and trigger.unless.search(words) is not None):
                continue
            found.append(TriggerMatch(trigger, match.start(), match.end(), _rule_of(match)))
        return found


def senses(pulled: Iterable[TriggerMatch]) -> frozenset[str]:
    """What the triggers that matched are for: confirm, deny, correction, …"""
    return frozenset(match.trigger.sense for match in pulled)


def _rule_of(match: Any) -> tuple[int, int] | None:
    for name, group in match.re.groupindex.items():
        if name.startswith(("rule", "rest")):
            start, end = match.span(group)
            if 0 <= start < end:
                return start, end
    return None


def _trigger(row: Mapping[str, Any], parts: Mapping[str, str]) -> Trigger:
    where = f"discussion.triggers {row['id']!r}"
    return Trigger(
        id=row["id"],
        sense=row["sense"],
        pattern=compile_pattern(_filled(row["pattern"], parts), f"{where}.pattern"),
        unless=compile_pattern(_filled(row["unless"], parts), f"{where}.unless") if "unless" in row else None,
        confidence=float(row.get("confidence", 0.7)),
        says=row.get("says", ""),
        asks=bool(row.get("asks", False)),
        agent=bool(row.get("agent", False)),
        strength=row.get("strength", "answer"),
    )


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    for name, part in parts.items():
        if f"<{name}>" in pattern:
            # A part's own groups are not captured, and `?P<name>` is no part.
            pattern = pattern.replace(f"?P<{name}>", f"?P\0{name}>").replace(f"<{name}>", f"(?:{part})")
            pattern = pattern.replace(f"?P\0{name}>", f"?P<{name}>")
    return pattern


def _all_at_once(triggers: tuple[Trigger, ...]) -> Any:
    together = re2.Set.SearchSet()
    for trigger in triggers:
        together.Add(trigger.pattern.pattern)
    if triggers:
        together.Compile()
    return together


_SHORTEST = 5


def vocabulary_of(triggers: Iterable[Trigger]) -> dict[str, str]:
    """Slips of the pen for the longer words of the triggers: two letters changed places, or one left out, inside the
    word. A slip that could be of two words is of none."""
    words = set()
    for trigger in triggers:
        if trigger.sense in ("correction", "confirm", "deny", "conclusion"):
            words |= {word for word in _literals(trigger.pattern.pattern) if len(word) >= _SHORTEST}
    slips: dict[str, str] = {}
    double: set[str] = set()
    for word in sorted(words):
        for at in range(1, len(word) - 1):
            swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
            for slip in {swapped, word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]} - words:
                if slips.setdefault(slip, word) != word:
                    double.add(slip)
    return {slip: word for slip, word in slips.items() if slip not in double and len(slip) >= _SHORTEST}


def _literals(pattern: str) -> set[str]:
    found, word = set(), ""
    escaped = False
    for char in pattern + " ":
        if escaped:
            escaped = False
            char = " "
        elif char == "\\":
            escaped = True
        if char.isascii() and char.islower():
            word += char
            continue
        # The letter before a quantifier may be missing.
        if char not in "?*+{":
            found.add(word)
        word = ""
    return {word for word in found if word}


@lru_cache(maxsize=1)
def shipped() -> Triggers:
    """The triggers of the pack `discussion` as it is shipped."""
    return Triggers.from_packs([tomllib.loads((SHIPPED / "discussion.toml").read_text(encoding="utf-8"))])
