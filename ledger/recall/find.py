"""Finding rows by their words inside PostgreSQL: full text, and trigrams for words that full text does not know.

Each word is looked up on its own and at most `MAX_PER_WORD` rows are fetched for it, so that no question, however
common its words, ranks or sorts more than a few thousand ids.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction

from ledger.models.source import SEARCHED_CHARACTERS
from ledger.rules.intent import telling_words
from ledger.rules.ranking import fuse, near, rarity

MAX_WORDS = 16
MAX_PER_WORD = 300
MAX_STRICT = 200
MAX_QUERY = 1_000
# Beyond this many scopes the index is asked for the words alone, and the scope is a filter.
MAX_SCOPES_IN_INDEX = 64
NEAR_ENOUGH = 0.4


@dataclass(slots=True)
class WordMatches:
    """`order` holds ids, best first; `weight` the share of the question's words (0 to 1, rare ones weigh more) that a row
    holds. `asked` is False where no word of the question says anything: only stop words, signs, nothing."""

    order: list[int] = field(default_factory=list)
    weight: dict[int, float] = field(default_factory=dict)
    asked: bool = True


def plain_query(q: str, most: int = MAX_QUERY) -> str:
    """What of a question is looked up: no NUL, no half characters, at most a thousand characters."""
    return q[:most].encode("utf-8", "ignore").decode().replace("\0", " ").strip()


def find_claims(
    q: str,
    scope_ids: Sequence[int],
    *,
    statuses: Sequence[str] = ("active",),
    kinds: Sequence[str] = (),
    most_words: int = MAX_WORDS,
) -> WordMatches:
    """Claims of these scopes by their words: what holds all of them (websearch syntax), then any of them, then words
    mistyped; fused by reciprocal rank. At most three queries."""
    column = "c.scope_id" if len(scope_ids) <= MAX_SCOPES_IN_INDEX else "c.scope_id + 0"
    where = f"{column} = ANY(%s) AND c.status = ANY(%s)"
    params: list[Any] = [list(scope_ids), list(statuses)]
    if kinds:
        where += " AND c.kind = ANY(%s)"
        params.append(list(kinds))
    return _find("ledger_claim c", "c.search", where, params, q, most_words, typos="c.statement")


def find_sources(q: str, scope_ids: Sequence[int], *, most_words: int = MAX_WORDS) -> WordMatches:
    """Sources of these scopes by their words, through the index over their first characters."""
    vector = f"to_tsvector('english'::regconfig, COALESCE(LEFT(c.text, {SEARCHED_CHARACTERS}), ''))"
    # The scope is hidden from the planner: by the scope's index it would parse every text of the scope anew.
    return _find("ledger_source c", vector, "c.scope_id + 0 = ANY(%s)", [list(scope_ids)], q, most_words, typos="")


def find_trusted(q: str, scope_ids: Sequence[int]) -> WordMatches:
    """Trusted values by their words. There are few: they are read through, not indexed."""
    vector = "to_tsvector('english', translate(c.key, '._-/', '    ') || ' ' || c.statement)"
    where = "c.scope_id = ANY(%s) AND c.status = 'current'"
    return _find("ledger_trustedstate c", vector, where, [list(scope_ids)], q, MAX_WORDS, typos="c.statement")


def _find(
    table: str, vector: str, where: str, params: list[Any], q: str, most_words: int, *, typos: str
) -> WordMatches:
    q = plain_query(q, MAX_QUERY if most_words == MAX_WORDS else 20 * MAX_QUERY)
    words = telling_words(q, most=most_words)
    if not words:
        return WordMatches(asked=False)
    exact = _wants_exactly(q)
    strict = _strict(table, vector, where, params, q) if len(q) <= MAX_QUERY else []
    if exact:
        return WordMatches(strict, dict.fromkeys(strict, 1.0))
    by_word, telling = _by_word(table, vector, where, params, words)
    if not telling:
        return WordMatches(strict, dict.fromkeys(strict, 1.0), asked=bool(strict))
    unknown = [words[at] for at in telling if not by_word.get(at)]
    slips = _near(table, where, params, unknown, typos) if typos and unknown else {}
    for at in telling:
        by_word.setdefault(at, slips.get(words[at], []))
    weights = {at: rarity(len(rows), most=MAX_PER_WORD) for at, rows in by_word.items() if rows}
    # A word that nothing holds still counts: what misses it answers less of the question.
    total = sum(weights.values()) + sum(1.0 for at in telling if not by_word.get(at))
    held: dict[int, float] = {}
    for at, rows in by_word.items():
        for pk in rows:
            held[pk] = held.get(pk, 0.0) + weights[at] / total
    loose = sorted(held, key=lambda pk: (-held[pk], -pk))
    fused = fuse([strict, loose[:1_000]])
    order = sorted(fused, key=lambda pk: (-fused[pk], -held.get(pk, 0.0), -pk))
    return WordMatches(order, {pk: round(held.get(pk, 1.0), 4) for pk in order})


def _wants_exactly(q: str) -> bool:
    """A quoted phrase or an excluded word is meant as written: nothing looser is looked for."""
    return q.count('"') >= 2 or any(word.startswith("-") and word[1:2].isalnum() for word in q.split())


def _strict(table: str, vector: str, where: str, params: list[Any], q: str) -> list[int]:
    # A source's vector is not stored: ranking by it would read every text again, so the newest come first.
    stored = vector == "c.search"
    ranked = "ts_rank_cd(m.words, m.query) DESC, " if stored else ""
    columns = f", {vector} AS words, query" if stored else ""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT m.id FROM (SELECT c.id{columns} FROM {table}, websearch_to_tsquery('english', %s) AS query"  # noqa: S608
            f" WHERE {vector} @@ query AND {where} LIMIT {MAX_STRICT}) AS m ORDER BY {ranked}m.id DESC",
            [q, *params],
        )
        return [pk for (pk,) in cursor.fetchall()]


def _by_word(
    table: str, vector: str, where: str, params: list[Any], words: list[str]
) -> tuple[dict[int, list[int]], list[int]]:
    """Rows by word, and which of the words say something at all (no stop words)."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT w.place, m.id FROM (SELECT place, plainto_tsquery('english', word) AS query"  # noqa: S608
            " FROM unnest(%s::text[]) WITH ORDINALITY AS t(word, place)) AS w LEFT JOIN LATERAL"
            f" (SELECT c.id FROM {table} WHERE {vector} @@ w.query AND {where} LIMIT {MAX_PER_WORD}) AS m ON true"
            " WHERE numnode(w.query) > 0",
            [words, *params],
        )
        rows = cursor.fetchall()
    by_word: dict[int, list[int]] = {}
    telling = dict.fromkeys(place - 1 for place, _ in rows)
    for place, pk in rows:
        if pk is not None:
            by_word.setdefault(place - 1, []).append(pk)
    return by_word, list(telling)


def _near(table: str, where: str, params: list[Any], words: list[str], column: str) -> dict[str, list[int]]:
    """Rows that hold a word which could be one of `words` mistyped: trigrams propose, letters decide."""
    tried = [word for word in words if len(word) >= 4][:6]
    if not tried:
        return {}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('pg_trgm.word_similarity_threshold', %s, true)", [str(NEAR_ENOUGH)])
        cursor.execute(
            f"SELECT w.word, m.id, m.words FROM unnest(%s::text[]) AS w(word) CROSS JOIN LATERAL (SELECT c.id, {column} AS words"  # noqa: S608
            f" FROM {table} WHERE {column} %%> w.word AND {where} LIMIT {MAX_PER_WORD}) AS m",
            [tried, *params],
        )
        rows = cursor.fetchall()
    found: dict[str, list[int]] = {}
    for word, pk, text in rows:
        lower = text.lower()
        if word in lower or any(near(word, other) for other in telling_words(lower, most=200)):
            found.setdefault(word, []).append(pk)
    return found
