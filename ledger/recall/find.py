"""Finding rows by their words inside PostgreSQL: full text, and trigrams for words that full text does not know.

Each word is looked up on its own and at most `MAX_PER_WORD` rows are fetched for it, so that no question, however
common its words, ranks or sorts more than a few thousand ids. An index gives such rows in no order: the newest claims are therefore
looked through as well, and what holds several common words together is asked for at once.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from typing import Any

from django.db import connection, transaction

from ledger.language.fold import fold
from ledger.language.meaning.vocabulary import empty_words
from ledger.language.scripts import INSIDE, holds_runs, pieces, spaced_words
from ledger.models.claim import CLAIM_WORDS
from ledger.recall import encoder
from ledger.recall.filters import ANY_WORDS, WordsFilter
from ledger.rules.intent import only_asks, telling_words
from ledger.rules.ranking import near, weighed

MAX_WORDS = 16
# A question of so many words is not answered by one of them.
SEVERAL_WORDS = 3
MAX_PER_WORD = 300
MAX_STRICT = 200
# So many of the newest claims are looked through, of all scopes and statuses together.
MAX_NEWEST = 2_000
MIN_NEWEST = 20
# From so near in meaning on a statement is found whatever its words, and is an answer by itself.
ALIKE = 0.3
SAYS_IT = 0.42
# Of words that very many rows hold, the rarest are looked for together.
MAX_TOGETHER = 4
MAX_QUERY = 1_000
# Beyond this many scopes the index is asked for the words alone, and the scope is a filter.
MAX_SCOPES_IN_INDEX = 64
MAX_TYPOS = 6
# A quotation among more words than these is a title or a saying that somebody asks about.
MAX_BESIDE_QUOTE = 2
_QUOTED = re.compile(r'"[^"]*"')
NEAR_ENOUGH = 0.4


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked up. `text` is read as web search engines do; `words` are those that say something; an `exact` one, with a
    quoted phrase or an excluded word, is meant as written: nothing looser is looked for. `inside` are pieces of words in
    scripts that a blank does not cut. A quotation in a longer sentence is one of its words."""

    text: str
    words: list[str]
    exact: bool
    inside: list[str]

    @property
    def sought(self) -> list[str]:
        return [*self.words, *self.inside]

    @property
    def asks_for_something(self) -> bool:
        return bool(self.sought) or not only_asks(self.text)

    @property
    def content(self) -> frozenset[str]:
        """Of what is sought the words that say something of their own, in the language that the question is in."""
        return _content(self.text, *self.sought)


def needed(words: Collection[str]) -> int:
    """So many of the words that say something an answer holds."""
    return 2 if len(words) >= SEVERAL_WORDS else 1


@lru_cache(maxsize=512)
def _content(text: str, *words: str) -> frozenset[str]:
    empty, plain = empty_words(text), list(map(fold, words))
    return frozenset(word for word, folded in zip(words, plain, strict=True) if folded not in empty)


def read_question(q: str, *, most_words: int = MAX_WORDS, most: int = MAX_QUERY) -> Question:
    """Without NUL and half characters, cut where it is longer than `most` characters."""
    text = q[:most].encode("utf-8", "ignore").decode().replace("\0", " ").strip()
    excludes = any(word.startswith("-") and word[1:2].isalnum() for word in text.split())
    exact = excludes or (
        text.count('"') >= 2 and len(telling_words(_QUOTED.sub(" ", text), most=most_words)) <= MAX_BESIDE_QUOTE
    )
    words = telling_words(text, most=most_words)
    if not any(map(holds_runs, words)):
        return Question(text, words, exact, [])
    spaced = [part for word in words for part in (spaced_words(word) if holds_runs(word) else [word])]
    return Question(text, spaced, False, pieces(text)[:most_words])


@dataclass(frozen=True, slots=True)
class WordMatches:
    """`order` holds ids, best first; `weight` the share of the question's words (0 to 1, rare ones weigh more) that a row
    holds; `content` counts the words with a meaning of their own that a row holds, as far as that was counted. `asked` is False
    where the question names nothing: no words, only stop words and words of asking."""

    order: list[int] = field(default_factory=list)
    weight: dict[int, float] = field(default_factory=dict)
    asked: bool = True
    content: Counter[int] = field(default_factory=Counter)

    def answer(self, question: Question) -> bool:
        """Whether any row shares enough words with the question to be an answer, and not one out of several."""
        return bool(self.order) if question.exact else max(self.content.values(), default=0) >= needed(question.content)


@dataclass(frozen=True, slots=True)
class _Searched:
    """A table `c` with its `vector` of words, the condition on its rows, and the column in which mistyped words are looked
    for; `params` are those of the condition. `newest` gives rows to look through, their vector as `words`."""

    table: str
    vector: str
    words: str
    where: str
    params: dict[str, Any]
    typos: str
    newest: str = ""
    # A vector that is not stored is made of the text again: nothing is ranked by it, the newest come first.
    order: str = ""


_NEWEST_CLAIMS = """
SELECT c.id, c.ref, c.search AS words
  FROM unnest(%(scopes)s::bigint[]) AS s(id) CROSS JOIN unnest(%(statuses)s::text[]) AS t(status) CROSS JOIN LATERAL
       (SELECT c.id, c.ref, c.search FROM ledger_claim c WHERE c.scope_id = s.id AND c.status = t.status{said}
                      ORDER BY c.id DESC LIMIT %(newest)s) AS c
"""
_NEWEST_OF_KINDS = """
SELECT c.id, c.ref, c.search AS words
  FROM unnest(%(scopes)s::bigint[]) AS s(id) CROSS JOIN unnest(%(kinds)s::text[]) AS k(name) CROSS JOIN LATERAL
       (SELECT c.id, c.ref, c.search FROM ledger_claim c
                      WHERE c.scope_id = s.id AND c.kind = k.name AND c.status = ANY(%(statuses)s){said}
                      ORDER BY c.id DESC LIMIT %(newest)s) AS c
"""


def find_claims(
    question: Question,
    scope_ids: Sequence[int],
    *,
    statuses: Sequence[str] = ("active",),
    kinds: Sequence[str] = (),
    words: WordsFilter = ANY_WORDS,
) -> WordMatches:
    """Claims of these scopes by their words: what holds all of them (websearch syntax), then any of them, then words
    mistyped; fused by reciprocal rank. At most four queries."""
    column = "c.scope_id" if len(scope_ids) <= MAX_SCOPES_IN_INDEX else "c.scope_id + 0"
    lists = len(scope_ids) * (len(kinds) or len(statuses))
    params = {
        "scopes": list(scope_ids), "statuses": list(statuses), "kinds": list(kinds),
        "newest": max(MIN_NEWEST, MAX_NEWEST // max(1, lists)), **words.params,
    }  # fmt: skip
    of_kinds = " AND c.kind = ANY(%(kinds)s)" if kinds else ""
    searched = _Searched(
        "ledger_claim c", "c.search", CLAIM_WORDS, 
        f"{column} = ANY(%(scopes)s) AND c.status = ANY(%(statuses)s){of_kinds}{words.on_claim}", params, typos="c.statement",
        newest=(_NEWEST_OF_KINDS if kinds else _NEWEST_CLAIMS).format(said=words.on_claim),
    )  # fmt: skip
    return _find(searched, question)


def find_trusted(
    question: Question, scope_ids: Sequence[int], *, ever: bool = False, words: WordsFilter = ANY_WORDS
) -> WordMatches:
    """Trusted values are few: they are read through, the newest first; with `ever` those that no longer stand as well."""
    current = "" if ever else " AND c.status = 'current'"
    searched = _Searched(
        "ledger_trustedstate c", "to_tsvector('english', translate(c.key, '._-/', '    ') || ' ' || c.statement)",
        "c.key || ' ' || c.statement", f"c.scope_id = ANY(%(scopes)s){current}{words.on_trusted}",
        {"scopes": list(scope_ids), **words.params}, typos="c.statement", order="ORDER BY c.id DESC",
    )  # fmt: skip
    return _find(searched, question)


def _find(searched: _Searched, question: Question) -> WordMatches:
    if not question.sought:
        return WordMatches(asked=question.asks_for_something)
    found = _find_words(searched, question)
    return found if question.exact or not encoder.installed() else _with_meant(searched, question, found)


def _with_meant(searched: _Searched, question: Question, found: WordMatches) -> WordMatches:
    """The same with what says it in other words, as far as it stands among the newest; the words and the meaning order all."""
    everything = f"SELECT c.id, c.ref FROM {searched.table} WHERE {searched.where} {searched.order}"  # noqa: S608
    rows = _rows(
        f"WITH newest AS ({searched.newest or everything} LIMIT {MAX_NEWEST}) SELECT n.id, v.meaning FROM"  # noqa: S608
        f" (SELECT id, ref FROM newest UNION SELECT c.id, c.ref FROM {searched.table} WHERE c.id = ANY(%(found)s)) AS n"
        " JOIN ledger_statementvector v USING (ref) WHERE v.meaning <> ''",
        searched.params | {"found": found.order[:MAX_STRICT]},
    )
    alike = {pk: how for pk, how in encoder.alike(question.text, dict(rows)).items() if how >= ALIKE}
    if not alike:
        return found
    weight = {pk: max(found.weight.get(pk, 0.0), alike.get(pk, 0.0)) for pk in (*found.order, *alike)}
    place = {pk: at for at, pk in enumerate(found.order)}
    order = sorted(
        weight, key=lambda pk: (-found.weight.get(pk, 0.0) - alike.get(pk, 0.0), place.get(pk, MAX_NEWEST), -pk)
    )
    answers = dict.fromkeys((pk for pk, how in alike.items() if how >= SAYS_IT), len(question.content))
    return WordMatches(order, weight, content=Counter(found.content | Counter(answers)))


def _find_words(searched: _Searched, question: Question) -> WordMatches:
    strict = _strict(searched, question) if len(question.text) <= MAX_QUERY else []
    by_word = {} if question.exact else _by_word(searched, question)
    if not by_word:
        return WordMatches(strict, dict.fromkeys(strict, 1.0), asked=question.exact or bool(strict))
    found = {word: rows for word, rows in by_word.items() if rows}
    unknown = [word for word in by_word if word not in found]
    slips = _mistyped(searched, [word for word in unknown if word not in question.inside])
    # A word that nothing holds still counts: what misses it answers less of the question.
    weight = weighed(strict, found | slips, unheld=len(unknown) - len(slips), most=MAX_PER_WORD)
    held = found | slips
    content = Counter(chain.from_iterable(set(held[word]) for word in held.keys() & question.content))
    content.update(dict.fromkeys(strict, len(question.content)))
    return WordMatches(list(weight), weight, content=content)


def _strict(searched: _Searched, question: Question) -> list[int]:
    ranked = "ts_rank_cd(m.words, m.query) DESC, " if searched.newest else ""
    columns = f", {searched.vector} AS words, query" if searched.newest else ""
    rows = _rows(
        f"SELECT m.id FROM (SELECT c.id{columns} FROM {searched.table}, websearch_to_tsquery('english', %(text)s) AS query"  # noqa: S608
        f" WHERE {searched.vector} @@ query AND {searched.where} {searched.order} LIMIT {MAX_STRICT}) AS m"
        f" ORDER BY {ranked}m.id DESC",
        searched.params | {"text": question.text},
    )
    return [pk for (pk,) in rows]


def _by_word(searched: _Searched, question: Question) -> dict[str, list[int]]:
    """Rows by word, of the words that say something at all (no stop words)."""
    found = _holders(searched, f"{searched.vector} @@ w.query", "plainto_tsquery('english', word)", question.words)
    if searched.newest:
        _add_together(searched, found)
    if question.inside:
        inside = f"ledger_words_inside({searched.words}) @@ w.query AND ({searched.words}) ~ '{INSIDE}'"
        # Nothing stored holds pieces of words to look through.
        found |= _holders(replace(searched, newest=""), inside, "ledger_query_inside(word)", question.inside)
    return found


def _holders(searched: _Searched, holds: str, query: str, words: list[str]) -> dict[str, list[int]]:
    newest = f", newest AS MATERIALIZED ({searched.newest})" if searched.newest else ""
    or_newest = " UNION SELECT n.id FROM newest n WHERE n.words @@ w.query" if searched.newest else ""
    rows = _rows(
        f"WITH asked AS MATERIALIZED (SELECT word, {query} AS query FROM unnest(%(words)s::text[]) AS t(word)){newest}"  # noqa: S608
        " SELECT w.word, m.id FROM asked w LEFT JOIN LATERAL"
        f" ((SELECT c.id FROM {searched.table} WHERE {holds} AND {searched.where} {searched.order} LIMIT {MAX_PER_WORD})"
        f"{or_newest}) AS m ON true WHERE numnode(w.query) > 0",
        searched.params | {"words": words},
    )
    found: dict[str, list[int]] = defaultdict(list)
    for word, pk in rows:
        found[word] += [pk] if pk is not None else []
    return found


def _add_together(searched: _Searched, found: dict[str, list[int]]) -> None:
    """What holds several words that each very many rows hold, whether it is new or not: the rarest of them, and two of these."""
    common = sorted(
        (word for word, rows in found.items() if len(rows) >= MAX_PER_WORD), key=lambda word: len(found[word])
    )
    for words in {tuple(common[:MAX_TOGETHER]), tuple(common[:2])}:
        rows = _rows(
            f"SELECT c.id FROM {searched.table} WHERE {searched.vector} @@ plainto_tsquery('english', %(text)s)"  # noqa: S608
            f" AND {searched.where} LIMIT {MAX_PER_WORD}",
            searched.params | {"text": " ".join(words)},
        ) if len(words) > 1 else []  # fmt: skip
        for word in words:
            found[word] = list(dict.fromkeys([*found[word], *(pk for (pk,) in rows)]))


def _mistyped(searched: _Searched, words: list[str]) -> dict[str, list[int]]:
    """Rows that hold a word which could be one of `words` mistyped: trigrams propose, letters decide."""
    tried = [word for word in words if len(word) >= 4][:MAX_TYPOS]
    if not tried:
        return {}
    with transaction.atomic():
        _rows("SELECT set_config('pg_trgm.word_similarity_threshold', %(near)s, true)", {"near": str(NEAR_ENOUGH)})
        rows = _rows(
            f"SELECT w.word, m.id, m.words FROM unnest(%(tried)s::text[]) AS w(word) CROSS JOIN LATERAL"  # noqa: S608
            f" (SELECT c.id, {searched.typos} AS words FROM {searched.table} WHERE {searched.typos} %%> w.word"
            f" AND {searched.where} {searched.order} LIMIT {MAX_PER_WORD}) AS m",
            searched.params | {"tried": tried},
        )
    found: dict[str, list[int]] = defaultdict(list)
    for word, pk, text in rows:
        lower = text.lower()
        if word in lower or any(near(word, other) for other in telling_words(lower, most=200)):
            found[word].append(pk)
    return found


def _rows(sql: str, params: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())
