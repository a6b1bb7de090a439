"""The `[tripwire]` tables of a scope's packs, compiled once: one trie of words, one set of patterns, weights."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import re2

from extraction.chat.tripwire.model import NOTHING_LEARNT, TripwireModel, shipped_model
from extraction.chat.tripwire.words import Spelling, Token, tokens_of
from ledger.errors import Invalid
from ledger.language.fold import fold
from ledger.packs import PackSet

THRESHOLD = 0.7
# In a pack's phrases it stands for anybody: a name of the scope, or a word of a group of people.
SOMEBODY = "{who}"
# Before the name of a group: the message begins, ends with it.
STARTS, ENDS = "starts_", "ends_"
# What the program itself sees in a message, beside the groups of a pack; a pack's pairs may name it. Lengths by their most words.
LENGTHS = ((0, "empty"), (1, "one_word"), (3, "few_words"), (6, "some_words"), (10, "words_10"), (16, "words_16"))
LONG = "long"
SEEN = frozenset(
    {"question", "child", "person", "number", "bang", "emoji", "familiar", "strange", "stranger", "bare", "short", LONG}
) | {name for _, name in LENGTHS}


class TripwireError(ValueError):
    """A `[tripwire]` table that can't be used; the message says where and why."""


@dataclass(slots=True)
class PhraseTrie:
    """Phrases word by word; `groups` are those of the phrase that ends here."""

    next: dict[str, "PhraseTrie"] = field(default_factory=dict)
    groups: tuple[str, ...] = ()

    def add(self, phrase: str, groups: Iterable[str]) -> None:
        node = self
        for part in phrase.split():
            for word in [part] if part == SOMEBODY else [token.forms[0] for token in tokens_of(part)]:
                node = node.next.setdefault(word, PhraseTrie())
        node.groups = tuple(groups)

    def phrases_in(self, words: Sequence[Collection[str]]) -> Iterator[tuple[str, int, int]]:
        """Group, start and end of every phrase, by their beginnings, short ones first; a word has several forms."""
        for at in range(len(words)):
            yield from self._phrases_at(words, at)

    def _phrases_at(self, words: Sequence[Collection[str]], at: int) -> Iterator[tuple[str, int, int]]:
        walk = [self]
        for end in range(at + 1, len(words) + 1):
            walk = [node.next[form] for node in walk for form in words[end - 1] if form in node.next]
            if not walk:
                return
            yield from ((group, at, end) for node in walk for group in node.groups)


@dataclass(frozen=True, slots=True)
class ThreadReach:
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
    learned: TripwireModel
    noise: frozenset[str]
    takes: frozenset[str]
    opens: frozenset[str]
    context: ThreadReach
    trie: PhraseTrie
    # The words of groups of people, each of which may stand where a phrase speaks of somebody.
    somebody: frozenset[str]
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
        gates = _merged(one.get("gates", {}) for one in contents)
        windows = _merged(one.get("attribution", {}) for one in contents)
        reach = _merged(table.get("context", {}) for table in tables)
        if "question_window_s" in windows:
            reach["question_seconds"] = int(windows["question_window_s"])
        return _compiled(tables, float(gates.get("tripwire", THRESHOLD)), ThreadReach(**reach))

    def groups_in(self, tokens: Sequence[Token], text: str, names: Collection[int] = ()) -> tuple[dict[str, str], int]:
        """Each group that is met, with the first words that met it, and how many words met none; `names` are the places of
        tokens that name somebody. Where the text begins or ends with a group, that is met too (`starts_…`, `ends_…`).
        One walk over the words, one scan of the text."""
        met: dict[str, str] = {}
        forms = [self._forms(token, at in names) for at, token in enumerate(tokens)]
        known = set(names)
        for group, start, end in self.trie.phrases_in(forms):
            known.update(range(start, end))
            words = met.setdefault(group, " ".join(token.raw for token in tokens[start:end]))
            if start == 0:
                met[STARTS + group] = words
            if end == len(tokens):
                met[ENDS + group] = words
        for number in self.patterns.Match(text) or ():
            met.setdefault(self.pattern_groups[number], "pattern")
        return met, sum(token.is_word and at not in known for at, token in enumerate(tokens))

    def _forms(self, token: Token, is_name: bool) -> tuple[str, ...]:
        """All that a word may be taken for in a phrase."""
        if not token.is_word:
            return token.forms
        if is_name or not self.somebody.isdisjoint(token.forms):
            return (*token.forms, SOMEBODY)
        if not self.trie.next.keys().isdisjoint(token.forms):
            return token.forms
        return (*token.forms, self.spelling.nearest(token.forms[0]))


@lru_cache(maxsize=32)
def tripwire_of(packs: PackSet) -> Tripwire | None:
    """Compiled once a process and pack set. Raises `Invalid` where a pack's table can't be used."""
    try:
        return Tripwire.from_packs(packs.contents)
    except (TripwireError, KeyError, TypeError, ValueError) as error:
        raise Invalid(f"the tripwire of {', '.join(packs.names)}: {error}", field="packs") from None


def _merged(tables: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Later tables override earlier ones, name by name."""
    return {name: value for table in tables for name, value in table.items()}


def _compiled(tables: Sequence[Mapping[str, Any]], threshold: float, context: ThreadReach) -> Tripwire:
    groups = _listed(tables, "groups")
    weights = _weights(groups)
    trie = _trie_of(groups)
    patterns = list(_named_in(groups, "patterns"))
    named = _merged(tables)
    noise, people = _flagged(groups, "noise"), _flagged(groups, "people")
    vocabulary = _merged(table.get("vocabulary", {}) for table in tables)
    return Tripwire(
        base=float(named.get("base", 0.0)),
        threshold=threshold,
        weights=weights,
        pairs=_pairs(_listed(tables, "pairs"), SEEN.union(weights, _placed(weights))),
        vocabulary={fold(word): float(weight) for word, weight in vocabulary.items()},
        learned=_model(named.get("learned", "")),
        noise=noise | _placed(noise),
        takes=_flagged(groups, "takes"),
        opens=_flagged(groups, "opens"),
        context=context,
        trie=trie,
        somebody=frozenset(word for word, node in trie.next.items() if not people.isdisjoint(node.groups)),
        spelling=_spelling_of(tables, groups, trie),
        patterns=_set_of(pattern for _, pattern in patterns),
        pattern_groups=tuple(name for name, _ in patterns),
    )


def _listed(tables: Iterable[Mapping[str, Any]], name: str) -> list[Any]:
    """What the lists of this name hold, table after table."""
    return [one for table in tables for one in table.get(name, ())]


def _named_in(groups: Iterable[Mapping[str, Any]], name: str) -> Iterator[tuple[str, str]]:
    """The same of groups, each thing with the name of its group."""
    return ((group["name"], one) for group in groups for one in group.get(name, ()))


def _trie_of(groups: Iterable[Mapping[str, Any]]) -> PhraseTrie:
    phrases: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for group, words in _named_in(groups, "words"):
        phrases[fold(words)][group] = None
    trie = PhraseTrie()
    for phrase, names in phrases.items():
        trie.add(phrase, names)
    return trie


def _spelling_of(
    tables: Iterable[Mapping[str, Any]], groups: Iterable[Mapping[str, Any]], trie: PhraseTrie
) -> Spelling:
    """Of the words of groups marked `fuzzy`; what begins a phrase is no error."""
    fuzzy = map(fold, _listed((group for group in groups if group.get("fuzzy")), "words"))
    return Spelling(filter(str.isalpha, fuzzy), trie.next.keys() | map(fold, _listed(tables, "plain")))


def _weights(groups: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """A group that is told again without a weight keeps the one that it had."""
    weights: dict[str, float] = {}
    for group in groups:
        weights[group["name"]] = float(group.get("weight", weights.get(group["name"], 0.0)))
    return weights


def _flagged(groups: Iterable[Mapping[str, Any]], flag: str) -> frozenset[str]:
    return frozenset(group["name"] for group in groups if group.get(flag))


def _placed(names: Iterable[str]) -> frozenset[str]:
    """The same groups where a message begins or ends with them."""
    return frozenset(before + name for name in names for before in (STARTS, ENDS))


def _pairs(pairs: Iterable[Mapping[str, Any]], known: Set[str]) -> dict[str, dict[str, float]]:
    """By the first name, then by the other; without those that weigh nothing."""
    firsts: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for (one, other), weight in {tuple(pair["of"]): float(pair["weight"]) for pair in pairs}.items():
        if unknown := sorted({one, other} - known):
            raise TripwireError(f"tripwire.pairs: there is no group {unknown[0]!r}")
        if weight:
            firsts[one][other] = weight
    return dict(firsts)


def _model(name: str) -> TripwireModel:
    try:
        return shipped_model(name) if name else NOTHING_LEARNT
    except LookupError as error:
        raise TripwireError(f"tripwire.learned: {error}") from None


def _set_of(patterns: Iterable[str]) -> Any:
    """All patterns as one automaton, which finds in one pass those that match."""
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
