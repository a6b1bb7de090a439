"""The `[tripwire]` tables of a scope's packs, compiled once: one trie of words, one set of patterns, weights."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import re2

from extraction.tripwire.spelling import Spelling
from extraction.tripwire.words import Token, fold, tokens_of

THRESHOLD = 0.7
# What the program itself sees in a message; a group of this name gives it its weight.
SEEN = (
    "question", "short", "long", "child", "person", "someone", "from_child", "from_helper", "empty",
    "thread", "lately", "echo", "asked", "asked_now", "asked_me", "before", "own", "to_child", "reply",
)  # fmt: skip


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
    """How far the thread reaches (O3): the last `messages` within `seconds`; an open question `question_seconds` (O4)."""

    messages: int = 3
    seconds: int = 300
    boost: float = 0.15
    short_boost: float = 0.20
    short_words: int = 5
    question_seconds: int = 900


@dataclass(frozen=True, eq=False)
class Tripwire:
    """Build with `from_packs`; equal packs give equal tripwires. `base` and the weights are log-odds."""

    base: float
    threshold: float
    weights: Mapping[str, float]
    pairs: tuple[tuple[str, str, float], ...]
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

    def groups_in(self, tokens: Sequence[Token], text: str, names: Collection[int] = ()) -> dict[str, str]:
        """Each group that is met, with the first words that met it; `names` are the places of tokens that name somebody.
        One walk over the words, one scan of the text."""
        met: dict[str, str] = {}
        forms = [self._forms(token, at in names) for at, token in enumerate(tokens)]
        for at in range(len(tokens)):
            node, end = self._longest(forms, at)
            for group in node.groups if node else ():
                if group not in met:
                    met[group] = " ".join(token.raw for token in tokens[at:end])
        if self.patterns is not None:
            for number in self.patterns.Match(text) or ():
                met.setdefault(self.pattern_groups[number], "pattern")
        return met

    def _forms(self, token: Token, is_name: bool) -> tuple[str, ...]:
        if not token.is_word:
            return token.forms
        known = [node for form in token.forms if (node := self.root.next.get(form))]
        if is_name or any(not self.people.isdisjoint(node.groups) for node in known):
            return (*token.forms, SOMEBODY)
        meant = "" if known else self.spelling.nearest(token.forms[0])
        return (*token.forms, meant) if meant else token.forms

    def _longest(self, forms: Sequence[tuple[str, ...]], at: int) -> tuple[Node | None, int]:
        best: Node | None = None
        end = at
        walk = [self.root]
        for here in range(at, len(forms)):
            walk = [node.next[form] for node in walk for form in forms[here] if form in node.next]
            if not walk:
                break
            for node in walk:
                if node.groups:
                    best, end = node, here + 1
        return best, end


class _Merge:
    def __init__(self, tables: Sequence[Mapping[str, Any]]) -> None:
        self.base = 0.0
        self.weights: dict[str, float] = {}
        self.pairs: dict[tuple[str, str], float] = {}
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
        self.plain.update(fold(word) for word in table.get("plain", ()))
        for group in table.get("groups", ()):
            name = group["name"]
            self.weights[name] = float(group["weight"])
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
        known = set(self.weights) | set(SEEN)
        for one, other in self.pairs:
            if unknown := {one, other} - known:
                raise TripwireError(f"tripwire.pairs: there is no group {sorted(unknown)[0]!r}")
        root = Node()
        for words, groups in self.words.items():
            node = root
            for part in words.split():
                for form in [part] if part == SOMEBODY else [token.forms[0] for token in tokens_of(part)]:
                    node = node.next.setdefault(form, Node())
            node.groups = tuple(groups)
        self.plain.update(root.next)
        return Tripwire(
            base=self.base,
            threshold=threshold,
            weights=self.weights,
            pairs=tuple((one, other, weight) for (one, other), weight in self.pairs.items() if weight),
            noise=frozenset(self.flags["noise"]),
            takes=frozenset(self.flags["takes"]),
            opens=frozenset(self.flags["opens"]),
            people=frozenset(self.flags["people"]),
            context=Context(**self.context, question_seconds=open_for),
            root=root,
            spelling=Spelling((words for words in self.fuzzy if words.isalpha()), self.plain),
            patterns=_set_of([pattern for _, pattern in self.patterns]),
            pattern_groups=tuple(name for name, _ in self.patterns),
        )


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
