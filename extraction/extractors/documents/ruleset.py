"""The vocabulary the rules work with: data from packs, merged and compiled once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import re2

RULE_CLASSES: Final = ("heading", "list", "label", "sentence", "value")
INTENTS: Final = ("request", "commitment")
MAX_PATTERN: Final = 4_000
# Law 8: who may anchor a norm by their words alone.
NORMS: Final[dict[str, frozenset[str]]] = {
    "decision": frozenset({"user", "document"}),
    "constraint": frozenset({"user", "document"}),
    "requirement": frozenset({"user", "document"}),
    "preference": frozenset({"user"}),
    "commitment": frozenset({"user"}),
    "identity": frozenset({"user"}),
}


class PatternError(ValueError):
    """A pattern or a rules table in a pack can't be used; the message names where and why."""


@dataclass(frozen=True, slots=True)
class SentenceRule:
    """A pattern that finds a sentence of `kind`, and one that takes it out again. Compiled under RE2, so that no text can
    make it hang."""

    id: str
    kind: str
    pattern: Any
    unless: Any = None


@dataclass(frozen=True, slots=True)
class HeadingWords:
    """Heading titles of one kind: see `ledger/packs/core.toml` for what the three forms mean."""

    lists: frozenset[str] = frozenset()
    sections: frozenset[str] = frozenset()
    items_only: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RuleSet:
    """All rules of a scope's packs. Build with `RuleSet.from_packs`; equal packs give equal rules."""

    priors: Mapping[str, float]
    labels: Mapping[str, str]
    open_labels: frozenset[str]
    qualifiers: frozenset[str]
    # Labels of what is put to the vote, and how many people for it, with nobody against it, carry it.
    votable: frozenset[str]
    least_votes: int
    headings: Mapping[str, HeadingWords]
    heading_beside: frozenset[str]
    sentences: tuple[SentenceRule, ...]
    # What users ask for or promise in plain words → the kind it is proposed as; empty where no pack wants it.
    intents: Mapping[str, str]
    high_hints: tuple[str, ...]
    low_hints: tuple[str, ...]
    high_signal: float = 1.1
    low_signal: float = 0.9
    fresh_days: int = 30
    fresh_bonus: float = 1.05
    anchors: Mapping[str, frozenset[str]] = field(default_factory=lambda: NORMS)

    @classmethod
    def from_packs(cls, packs: Iterable[Mapping[str, Any]]) -> "RuleSet":
        """Merge the `rules` tables of pack data (TOML as dicts), later packs adding to and overriding earlier ones.

        Raises PatternError that names the pack's pattern or table at fault.
        """
        merged = _Merge()
        for pack in packs:
            merged.add_kinds(pack.get("kinds", []))
            rules = pack.get("rules", {})
            if not isinstance(rules, Mapping):
                raise PatternError("rules: must be a table")
            merged.add(rules)
        return merged.build(cls)


class _Merge:
    def __init__(self) -> None:
        self.numbers: dict[str, float] = {}
        self.priors: dict[str, float] = dict.fromkeys(RULE_CLASSES, 0.5)
        self.labels: dict[str, str] = {}
        self.words: dict[str, list[str]] = {
            name: [] for name in ("open", "qualifiers", "voted", "beside", "high", "low")
        }
        self.headings: dict[str, dict[str, set[str]]] = {}
        self.sentences: list[SentenceRule] = []
        self.intents: dict[str, str] = {}
        self.anchors: dict[str, frozenset[str]] = dict(NORMS)

    def add_kinds(self, kinds: Iterable[Mapping[str, Any]]) -> None:
        self.anchors |= {
            kind["name"]: frozenset(kind["anchors"]) for kind in kinds if "anchors" in kind and "name" in kind
        }

    def add(self, rules: Mapping[str, Any]) -> None:
        for name, prior in _table(rules, "priors").items():
            self.priors[name] = _number(f"rules.priors.{name}", prior)
        for name in ("high_signal", "low_signal", "fresh_days", "fresh_bonus"):
            if name in rules:
                self.numbers[name] = _number(f"rules.{name}", rules[name])
        self.words["high"] += _words(rules, "high_hints")
        self.words["low"] += _words(rules, "low_hints")
        for kind, words in _table(rules, "labels").items():
            self.labels |= dict.fromkeys(_words({kind: words}, kind), kind)
        opened = _table(rules, "open_labels")
        self.words["open"] += _words(opened, "words")
        self.words["qualifiers"] += _words(opened, "qualifiers")
        self.words["voted"] += _words(opened, "voted")
        if "least_votes" in opened:
            self.numbers["least_votes"] = _number("rules.open_labels.least_votes", opened["least_votes"])
        for kind, forms in _table(rules, "headings").items():
            ours = self.headings.setdefault(kind, {"lists": set(), "sections": set(), "items_only": set()})
            for form in ours:
                ours[form].update(_words(forms, form))
            self.words["beside"] += _words(forms, "beside")
        for intent, kind in _table(rules, "intents").items():
            if intent not in INTENTS or not isinstance(kind, str):
                raise PatternError(f"rules.intents.{intent}: one of {', '.join(INTENTS)} and the kind it becomes")
            self.intents[intent] = kind
        for at, row in enumerate(rules.get("sentences", [])):
            where = f"rules.sentences[{at}]"
            if not isinstance(row, Mapping) or not all(isinstance(row.get(n), str) for n in ("kind", "pattern")):
                raise PatternError(f"{where}: needs kind and pattern")
            pattern = compile_pattern(row["pattern"], f"{where}.pattern")
            unless = compile_pattern(str(row["unless"]), f"{where}.unless") if "unless" in row else None
            self.sentences.append(SentenceRule(str(row.get("id", "sentence.pattern")), row["kind"], pattern, unless))

    def build(self, cls: type[RuleSet]) -> RuleSet:
        open_labels = frozenset(self.words["open"]) - set(self.labels)
        return cls(
            priors=self.priors,
            labels=self.labels,
            open_labels=open_labels,
            qualifiers=frozenset(self.words["qualifiers"]),
            votable=frozenset(self.words["voted"]),
            least_votes=int(self.numbers.get("least_votes", 3)),
            headings={
                kind: HeadingWords(**{n: frozenset(w) for n, w in f.items()}) for kind, f in self.headings.items()
            },
            heading_beside=frozenset(self.words["beside"]),
            sentences=tuple(self.sentences),
            intents=self.intents,
            high_hints=tuple(dict.fromkeys(self.words["high"])),
            low_hints=tuple(dict.fromkeys(self.words["low"])),
            anchors=self.anchors,
            high_signal=self.numbers.get("high_signal", 1.1),
            low_signal=self.numbers.get("low_signal", 0.9),
            fresh_days=int(self.numbers.get("fresh_days", 30)),
            fresh_bonus=self.numbers.get("fresh_bonus", 1.05),
        )


def compile_pattern(pattern: str, where: str) -> Any:
    """Compile under RE2, which takes linear time on every text. Raises PatternError naming the pattern."""
    if len(pattern) > MAX_PATTERN:
        raise PatternError(f"{where}: pattern is longer than {MAX_PATTERN} characters")
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else error
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
        raise PatternError(f"{where}: pattern {pattern!r} can't be used: {reason}") from None
    if compiled.search("") is not None:
        raise PatternError(f"{where}: pattern {pattern!r} matches the empty text")
    return compiled


def _table(rules: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = rules.get(name, {})
    if not isinstance(table, Mapping):
        raise PatternError(f"rules.{name}: must be a table")
    return table


def _words(table: Mapping[str, Any], name: str) -> list[str]:
    words = table.get(name, []) if isinstance(table, Mapping) else None
    if not isinstance(words, list) or not all(isinstance(word, str) and word.strip() for word in words):
        raise PatternError(f"{name}: must be a list of words")
    return [" ".join(word.casefold().split()) for word in words]


def _number(where: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PatternError(f"{where}: must be a number")
    return float(value)
