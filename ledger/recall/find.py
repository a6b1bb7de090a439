"""Finding rows by their words inside PostgreSQL: full text, and trigrams for words that full text does not know.

Each word is looked up on its own and at most `MAX_PER_WORD` rows are fetched for it, so that no question, however
common its words, ranks or sorts more than a few thousand ids.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction

from ledger.language.scripts import INSIDE, holds_runs, pieces, spaced_words
from ledger.models.claim import CLAIM_WORDS
from ledger.rules.intent import only_asks, telling_words
from ledger.rules.ranking import near, weighed

MAX_WORDS = 16
MAX_PER_WORD = 300
MAX_STRICT = 200
MAX_QUERY = 1_000
# Beyond this many scopes the index is asked for the words alone, and the scope is a filter.
MAX_SCOPES_IN_INDEX = 64
MAX_TYPOS = 6
NEAR_ENOUGH = 0.4


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked up. `text` is read as web search engines do; `words` are those that say something; an `exact` one, with a
    quoted phrase or an excluded word, is meant as written: nothing looser is looked for. `inside` are pieces of words in
    scripts that a blank does not cut."""

    text: str
    words: list[str]
    exact: bool
    inside: list[str]

    @property
    def sought(self) -> list[str]:
        return [*self.words, *self.inside]


def read_question(q: str, *, most_words: int = MAX_WORDS, most: int = MAX_QUERY) -> Question:
    """Without NUL and half characters, cut where it is longer than `most` characters."""
    text = q[:most].encode("utf-8", "ignore").decode().replace("\0", " ").strip()
    exact = text.count('"') >= 2 or any(word.startswith("-") and word[1:2].isalnum() for word in text.split())
    words = telling_words(text, most=most_words)
    if not any(map(holds_runs, words)):
        return Question(text, words, exact, [])
    spaced = [part for word in words for part in (spaced_words(word) if holds_runs(word) else [word])]
    return Question(text, spaced, False, pieces(text)[:most_words])


@dataclass(frozen=True, slots=True)
class WordMatches:
    """`order` holds ids, best first; `weight` the share of the question's words (0 to 1, rare ones weigh more) that a row
    holds. `asked` is False where the question names nothing: no words, only stop words and words of asking."""

    order: list[int] = field(default_factory=list)
    weight: dict[int, float] = field(default_factory=dict)
    asked: bool = True


@dataclass(frozen=True, slots=True)
class _Searched:
    """A table `c` with its `vector` of words, the condition on its rows, and the column in which mistyped words are looked
    for."""

    table: str
    vector: str
    words: str
    where: str
    typos: str = ""
    # A vector that is not stored is made of the text again: nothing is ranked by it, the newest come first.
    stored: bool = False


# Trusted values are few: they are read through, not indexed.
_TRUSTED = _Searched(
    "ledger_trustedstate c",
    "to_tsvector('english', translate(c.key, '._-/', '    ') || ' ' || c.statement)",
    "c.key || ' ' || c.statement",
    "c.scope_id = ANY(%s) AND c.status = 'current'",
    typos="c.statement",
)


def find_claims(
    question: Question, scope_ids: Sequence[int], *, statuses: Sequence[str] = ("active",), kinds: Sequence[str] = ()
) -> WordMatches:
    """Claims of these scopes by their words: what holds all of them (websearch syntax), then any of them, then words
    mistyped; fused by reciprocal rank. At most three queries."""
    column = "c.scope_id" if len(scope_ids) <= MAX_SCOPES_IN_INDEX else "c.scope_id + 0"
    where, params = f"{column} = ANY(%s) AND c.status = ANY(%s)", [list(scope_ids), list(statuses)]
    if kinds:
        where += " AND c.kind = ANY(%s)"
        params.append(list(kinds))
    return _find(
        _Searched("ledger_claim c", "c.search", CLAIM_WORDS, where, typos="c.statement", stored=True), params, question
    )


def find_trusted(question: Question, scope_ids: Sequence[int]) -> WordMatches:
    return _find(_TRUSTED, [list(scope_ids)], question)


def _find(searched: _Searched, params: list[Any], question: Question) -> WordMatches:
    if not question.sought:
        return WordMatches(asked=not only_asks(question.text))
    strict = _strict(searched, params, question) if len(question.text) <= MAX_QUERY else []
    by_word = {} if question.exact else _by_word(searched, params, question)
    if not by_word:
        return WordMatches(strict, dict.fromkeys(strict, 1.0), asked=question.exact or bool(strict))
    found = {word: rows for word, rows in by_word.items() if rows}
    unknown = [word for word in by_word if word not in found]
    slips = _mistyped(searched, params, [word for word in unknown if word not in question.inside])
    # A word that nothing holds still counts: what misses it answers less of the question.
    weight = weighed(strict, found | slips, unheld=len(unknown) - len(slips), most=MAX_PER_WORD)
    return WordMatches(list(weight), weight)


def _strict(searched: _Searched, params: list[Any], question: Question) -> list[int]:
    ranked = "ts_rank_cd(m.words, m.query) DESC, " if searched.stored else ""
    columns = f", {searched.vector} AS words, query" if searched.stored else ""
    rows = _rows(
        f"SELECT m.id FROM (SELECT c.id{columns} FROM {searched.table}, websearch_to_tsquery('english', %s) AS query"  # noqa: S608
        f" WHERE {searched.vector} @@ query AND {searched.where} LIMIT {MAX_STRICT}) AS m ORDER BY {ranked}m.id DESC",
        [question.text, *params],
    )
    return [pk for (pk,) in rows]


def _by_word(searched: _Searched, params: list[Any], question: Question) -> dict[str, list[int]]:
    """Rows by word, of the words that say something at all (no stop words)."""
    found = _holders(
        searched, f"{searched.vector} @@ w.query", params, "plainto_tsquery('english', word)", question.words
    )
    if question.inside:
        inside = f"ledger_words_inside({searched.words}) @@ w.query AND ({searched.words}) ~ '{INSIDE}'"
        found |= _holders(searched, inside, params, "ledger_query_inside(word)", question.inside)
    return found


def _holders(searched: _Searched, holds: str, params: list[Any], query: str, words: list[str]) -> dict[str, list[int]]:
    rows = _rows(
        f"SELECT w.word, m.id FROM (SELECT word, place, {query} AS query"  # noqa: S608
        " FROM unnest(%s::text[]) WITH ORDINALITY AS t(word, place)) AS w LEFT JOIN LATERAL"
        f" (SELECT c.id FROM {searched.table} WHERE {holds} AND {searched.where} LIMIT {MAX_PER_WORD}) AS m"
        " ON true WHERE numnode(w.query) > 0",
        [words, *params],
    )
    found: dict[str, list[int]] = defaultdict(list)
    for word, pk in rows:
        found[word] += [pk] if pk is not None else []
    return found


def _mistyped(searched: _Searched, params: list[Any], words: list[str]) -> dict[str, list[int]]:
    """Rows that hold a word which could be one of `words` mistyped: trigrams propose, letters decide."""
    tried = [word for word in words if len(word) >= 4][:MAX_TYPOS]
    if not tried or not searched.typos:
        return {}
    with transaction.atomic():
        _rows("SELECT set_config('pg_trgm.word_similarity_threshold', %s, true)", [str(NEAR_ENOUGH)])
        rows = _rows(
            f"SELECT w.word, m.id, m.words FROM unnest(%s::text[]) AS w(word) CROSS JOIN LATERAL (SELECT c.id, {searched.typos}"  # noqa: S608
            f" AS words FROM {searched.table} WHERE {searched.typos} %%> w.word AND {searched.where} LIMIT {MAX_PER_WORD}) AS m",
            [tried, *params],
        )
    found: dict[str, list[int]] = defaultdict(list)
    for word, pk, text in rows:
        lower = text.lower()
        if word in lower or any(near(word, other) for other in telling_words(lower, most=200)):
            found[word].append(pk)
    return found


def _rows(sql: str, params: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())
