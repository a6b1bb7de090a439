"""The `[tripwire]` tables of a scope's packs, compiled once: one trie of words, one set of patterns, weights."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import re2

from extraction.chat.tripwire.learned import Learned, learned
from extraction.chat.tripwire.seeing import ENDS, SEEN, STARTS
from extraction.chat.tripwire.spelling import Spelling
from extraction.chat.tripwire.words import Token, tokens_of
from ledger.errors import Invalid
from ledger.language.fold import fold
from ledger.packs import PackSet

THRESHOLD = 0.7
# In a pack's phrases it stands for anybody: a name of the scope, or a word of a group of people.
SOMEBODY = "{who}"


class TripwireError(ValueError):
    """A `[tripwire]` table that can't be used; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody of the scope: their names, and the role that they have there."""

    names: tuple[str, ...]
    role: str = ""


@dataclass(slots=True)
class Node:
    next: dict[str, "Node"] = field(default_factory=dict)
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """How far the thread reaches (O3): the last `messages` within `seconds`; an open question `question_seconds` (O4); what
    was arranged within `topic_seconds` may still be meant."""

    messages: int = 3
    seconds: int = 300
    boost: float = 0.15
    short_boost: float = 0.20
    short_words: int = 5
    topic_seconds: int = 3600
    question_seconds: int = 900


@dataclass(frozen=True, eq=False)
class Tripwire:
    """Build with `from_packs`; equal packs give equal tripwires. `base` and the weights are log-odds: of a group, of two
    things that are seen together (by the first, then the other), of single words; `learned` adds its own."""

    base: float
    threshold: float
    weights: Mapping[str, float]
    pairs: Mapping[str, Mapping[str, float]]
    vocabulary: Mapping[str, float]
    learned: Learned | None
    noise: frozenset[str]
    takes: frozenset[str]
    opens: frozenset[str]
    people: frozenset[str]
    context: Context
    root: Node
    spelling: Spelling
    patterns: Any
    pattern_groups: tuple[str, ...]

    @classmethod
    def from_packs(cls, contents: Iterable[Mapping[str, Any]]) -> "Tripwire | None":
        """Merged from pack data (TOML as dicts), later packs adding words and overriding weights; nothing where no pack
        has a `[tripwire]`. Raises TripwireError."""
        contents = list(contents)
        tables = [one["tripwire"] for one in contents if "tripwire" in one]
        if not tables:
            return None
        threshold, open_for = THRESHOLD, Context().question_seconds
        for content in contents:
            threshold = float(content.get("gates", {}).get("tripwire", threshold))
            open_for = int(content.get("attribution", {}).get("question_window_s", open_for))
        return _Merge(tables).build(threshold, open_for)

    def groups_in(self, tokens: Sequence[Token], text: str, names: Collection[int] = ()) -> tuple[dict[str, str], int]:
        """Each group that is met, with the first words that met it, and how many words met none; `names` are the places of
        tokens that name somebody. Where the text begins or ends with a group, that is met too (`starts_…`, `ends_…`).
        One walk over the words, one scan of the text."""
        met: dict[str, str] = {}
        forms = [self._forms(token, at in names) for at, token in enumerate(tokens)]
        strange, known_to = 0, 0
        for at in range(len(tokens)):
            longest = at
            for groups, end in self._phrases(forms, at):
                longest = end
                for group in groups:
                    words = met.get(group)
                    if words is None:
                        words = met[group] = " ".join(token.raw for token in tokens[at:end])
                    if at == 0:
                        met[STARTS + group] = words
                    if end == len(tokens):
                        met[ENDS + group] = words
            known_to = max(known_to, longest)
            strange += known_to <= at and tokens[at].is_word and at not in names
        if self.patterns is not None:
            for number in self.patterns.Match(text) or ():
                met.setdefault(self.pattern_groups[number], "pattern")
        return met, strange

    def _forms(self, token: Token, is_name: bool) -> tuple[str, ...]:
        if not token.is_word:
            return token.forms
        known = [node for form in token.forms if (node := self.root.next.get(form))]
        if is_name or any(not self.people.isdisjoint(node.groups) for node in known):
            return (*token.forms, SOMEBODY)
        meant = "" if known else self.spelling.nearest(token.forms[0])
        return (*token.forms, meant) if meant else token.forms

    def _phrases(self, forms: Sequence[tuple[str, ...]], at: int) -> Iterable[tuple[tuple[str, ...], int]]:
        """The groups of every phrase that begins at this word, short ones first, each with its end."""
        walk = [self.root]
        for here in range(at, len(forms)):
            walk = [node.next[form] for node in walk for form in forms[here] if form in node.next]
            if not walk:
                return
            for node in walk:
                if node.groups:
                    yield node.groups, here + 1


class _Merge:
    def __init__(self, tables: Sequence[Mapping[str, Any]]) -> None:
        self.base = 0.0
        self.weights: dict[str, float] = {}
        self.pairs: dict[tuple[str, str], float] = {}
        self.vocabulary: dict[str, float] = {}
        self.learned = ""
        self.flags: dict[str, set[str]] = {name: set() for name in ("noise", "takes", "opens", "people")}
        self.context: dict[str, Any] = {}
        self.words: dict[str, dict[str, None]] = {}
        self.fuzzy: set[str] = set()
        self.plain: set[str] = set()
        self.patterns: list[tuple[str, str]] = []
        for table in tables:
            self.add(table)

    def add(self, table: Mapping[str, Any]) -> None:
        self.base = float(table.get("base", self.base))
        self.context |= table.get("context", {})
        self.learned = table.get("learned", self.learned)
        self.vocabulary |= {fold(word): float(weight) for word, weight in table.get("vocabulary", {}).items()}
        self.plain.update(fold(word) for word in table.get("plain", ()))
        for group in table.get("groups", ()):
            name = group["name"]
            self.weights[name] = float(group.get("weight", self.weights.get(name, 0.0)))
            for flag, names in self.flags.items():
                if group.get(flag):
                    names.add(name)
            for words in group.get("words", ()):
                self.words.setdefault(fold(words), {})[name] = None
            if group.get("fuzzy"):
                self.fuzzy.update(fold(words) for words in group.get("words", ()))
            self.patterns += [(name, pattern) for pattern in group.get("patterns", ())]
        for pair in table.get("pairs", ()):
            one, other = pair["of"]
            self.pairs[one, other] = float(pair["weight"])

    def build(self, threshold: float, open_for: int) -> Tripwire:
        self._check_names()
        root = Node()
        for words, groups in self.words.items():
            node = root
            for part in words.split():
                for form in [part] if part == SOMEBODY else [token.forms[0] for token in tokens_of(part)]:
                    node = node.next.setdefault(form, Node())
            node.groups = tuple(groups)
        self.plain.update(root.next)
        noise = frozenset(self.flags["noise"])
        return Tripwire(
            base=self.base,
            threshold=threshold,
            weights=self.weights,
            pairs=_by_first(self.pairs),
            vocabulary=self.vocabulary,
            learned=self._learned(),
            noise=noise | {before + name for name in noise for before in (STARTS, ENDS)},
            takes=frozenset(self.flags["takes"]),
            opens=frozenset(self.flags["opens"]),
            people=frozenset(self.flags["people"]),
            context=Context(**self.context, question_seconds=open_for),
            root=root,
            spelling=Spelling((words for words in self.fuzzy if words.isalpha()), self.plain),
            patterns=_set_of([pattern for _, pattern in self.patterns]),
            pattern_groups=tuple(name for name, _ in self.patterns),
        )

    def _learned(self) -> Learned | None:
        try:
            return learned(self.learned) if self.learned else None
        except LookupError as error:
            raise TripwireError(f"tripwire.learned: {error}") from None

    def _check_names(self) -> None:
        known = set(self.weights) | SEEN
        known |= {before + name for name in self.weights for before in (STARTS, ENDS)}
        for one, other in self.pairs:
            if unknown := {one, other} - known:
                raise TripwireError(f"tripwire.pairs: there is no group {sorted(unknown)[0]!r}")


def _by_first(pairs: Mapping[tuple[str, str], float]) -> dict[str, dict[str, float]]:
    """By the first name, then by the other; without those that weigh nothing."""
    firsts: dict[str, dict[str, float]] = {}
    for (one, other), weight in pairs.items():
        if weight:
            firsts.setdefault(one, {})[other] = weight
    return firsts


def _set_of(patterns: Sequence[str]) -> Any:
    """All patterns as one automaton, which finds in one pass those that match. None without patterns."""
    if not patterns:
        return None
    options = re2.Options()
    options.log_errors = False
    together = re2.Set.SearchSet(options)
    for pattern in patterns:
        try:
            together.Add(pattern)
        except re2.error as error:
            raise TripwireError(f"tripwire: pattern {pattern!r}: {error}") from None
    together.Compile()
    return together


@lru_cache(maxsize=32)
def tripwire_of(packs: PackSet) -> Tripwire | None:
    """Compiled once a process and pack set. Raises `Invalid` where a pack's table can't be used."""
    try:
        return Tripwire.from_packs(packs.contents)
    except (TripwireError, KeyError, TypeError, ValueError) as error:
        raise Invalid(f"the tripwire of {', '.join(packs.names)}: {error}", field="packs") from None
