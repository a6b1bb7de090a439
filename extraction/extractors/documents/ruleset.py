"""The vocabulary the rules work with: data from packs, merged and compiled once."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from itertools import chain
from operator import attrgetter
from typing import Annotated, Any, Final, Literal

import re2
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

RULE_CLASSES: Final = ("heading", "list", "label", "commitment", "sentence", "value")
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
    """Heading titles of one kind: see `ledger/packs/core.toml` for what the forms mean."""

    lists: frozenset[str]
    sections: frozenset[str]
    items_only: frozenset[str]
    mixed: frozenset[str]
    tasks: frozenset[str]
    open_boxes: frozenset[str]
    accepted: frozenset[str]

    @classmethod
    def of(cls, forms: "Iterable[HeadingForms]") -> "HeadingWords":
        """What several packs say of one kind, together."""
        rows = [tuple(getattr(form, name.name) for name in fields(cls)) for form in forms]
        return cls(*(frozenset(chain.from_iterable(words)) for words in zip(*rows, strict=True)))


def _folded(word: str) -> str:
    if not word.strip():
        raise ValueError("must not be empty")
    # As `normalise_label` reads the words of a text; written here, since a vocabulary has hundreds.
    return " ".join(word.casefold().split())


Words = list[Annotated[str, AfterValidator(_folded)]]


class _Table(BaseModel):
    model_config = ConfigDict(strict=True)


class OpenLabels(_Table):
    """`rules.open_labels`: labels that propose or ask."""

    words: Words = []
    qualifiers: Words = []
    voted: Words = []
    least_votes: int | None = None


class HeadingForms(_Table):
    """`rules.headings.KIND`: titles of sections of that kind."""

    lists: Words = []
    sections: Words = []
    items_only: Words = []
    mixed: Words = []
    tasks: Words = []
    open_boxes: Words = []
    accepted: Words = []
    beside: Words = []


class SentencePattern(_Table):
    """`[[rules.sentences]]`."""

    id: str = "sentence.pattern"
    kind: str
    pattern: str
    unless: str | None = None


class RulesTable(_Table):
    """`[rules]` of one pack."""

    priors: dict[str, float] = {}
    labels: dict[str, Words] = {}
    open_labels: OpenLabels = OpenLabels()
    headings: dict[str, HeadingForms] = {}
    sentences: list[SentencePattern] = []
    intents: dict[Literal["request", "commitment", "instruction", "preference"], str] = {}
    unlabelled: list[str] = []
    high_hints: Words = []
    low_hints: Words = []
    high_signal: float = 1.1
    low_signal: float = 0.9
    fresh_days: int = 30
    fresh_bonus: float = 1.05

    @property
    def numbers(self) -> dict[str, Any]:
        """The numbers that this pack names."""
        votes = self.open_labels.least_votes
        named = self.model_dump(include={"high_signal", "low_signal", "fresh_days", "fresh_bonus"}, exclude_unset=True)
        return named | ({} if votes is None else {"least_votes": votes})

    def compiled_sentences(self) -> Iterator[SentenceRule]:
        """Its sentence patterns under RE2. Raises PatternError."""
        for at, row in enumerate(self.sentences):
            where = f"rules.sentences[{at}]"
            unless = None if row.unless is None else compile_pattern(row.unless, f"{where}.unless")
            yield SentenceRule(row.id, row.kind, compile_pattern(row.pattern, f"{where}.pattern"), unless)


def _table_of(rules: object) -> RulesTable:
    try:
        return RulesTable.model_validate(rules)
    except ValidationError as error:
        fault = error.errors()[0]
        raise PatternError(f"{'.'.join(map(str, ('rules', *fault['loc'])))}: {fault['msg']}") from None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """All rules of a scope's packs. Build with `RuleSet.from_packs`; equal packs give equal rules."""

    priors: Mapping[str, float]
    labels: Mapping[str, str]
    open_labels: frozenset[str]
    qualifiers: frozenset[str]
    # Labels of what is put to the vote, and how many people for it, with nobody against it, carry it.
    votable: frozenset[str]
    headings: Mapping[str, HeadingWords]
    heading_beside: frozenset[str]
    # Titles and labels of what was to be done by now: of a list below only what has a box that is still open.
    open_boxes: frozenset[str]
    sentences: tuple[SentenceRule, ...]
    # What users ask for or promise in plain words → the kind it is proposed as; empty where no pack wants it.
    intents: Mapping[str, str]
    # Kinds that are looked for in sentences that no rule reads.
    unlabelled: frozenset[str]
    high_hints: tuple[str, ...]
    low_hints: tuple[str, ...]
    least_votes: int = 3
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
        packs = list(packs)
        anchors = [row for pack in packs for row in pack.get("kinds", []) if row.keys() >= {"anchors", "name"}]
        tables = [_table_of(pack.get("rules", {})) for pack in packs]
        labels = {word: kind for table in tables for kind, words in table.labels.items() for word in words}
        forms = _heading_forms(tables)
        return cls(
            priors=dict.fromkeys(RULE_CLASSES, 0.5) | _merged(tables, "priors"),
            labels=labels,
            open_labels=frozenset(_joined(tables, "open_labels.words")) - set(labels),
            qualifiers=frozenset(_joined(tables, "open_labels.qualifiers")),
            votable=frozenset(_joined(tables, "open_labels.voted")),
            headings={kind: HeadingWords.of(rows) for kind, rows in forms.items()},
            heading_beside=frozenset(_joined(chain.from_iterable(forms.values()), "beside")),
            open_boxes=frozenset(_joined(chain.from_iterable(forms.values()), "open_boxes")),
            sentences=tuple(chain.from_iterable(table.compiled_sentences() for table in tables)),
            intents=_merged(tables, "intents"),
            unlabelled=frozenset(_joined(tables, "unlabelled")),
            high_hints=tuple(dict.fromkeys(_joined(tables, "high_hints"))),
            low_hints=tuple(dict.fromkeys(_joined(tables, "low_hints"))),
            anchors=NORMS | {row["name"]: frozenset(row["anchors"]) for row in anchors},
            **_merged(tables, "numbers"),
        )


def _heading_forms(tables: Iterable[RulesTable]) -> dict[str, list[HeadingForms]]:
    """What all tables say of each kind's titles."""
    forms: dict[str, list[HeadingForms]] = defaultdict(list)
    for kind, form in chain.from_iterable(table.headings.items() for table in tables):
        forms[kind].append(form)
    return forms


def _joined(tables: Iterable[BaseModel], path: str) -> Iterator[str]:
    """The words of all tables at one path."""
    return chain.from_iterable(map(attrgetter(path), tables))


def _merged(tables: Iterable[BaseModel], path: str) -> dict[str, Any]:
    """The mappings of all tables at one path as one; the last one's values count."""
    return dict(chain.from_iterable(mapping.items() for mapping in map(attrgetter(path), tables)))


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
