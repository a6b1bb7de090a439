"""Turns of a talk that could answer a question: found by their words, read with their neighbours, weighed by what was learnt.

Texts are found through the postings, by BM25 over the scopes asked. Of a word that more than `MAX_PER_WORD` texts of a scope hold
the newest are taken; what holds several such words together is found however old it is. How many hold it is then told by how close
together these lie.
"""

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from ledger.language.words import sender_key, term_key, terms
from ledger.reads.sql import fetch_column, fetch_rows
from ledger.recall import encoder
from ledger.recall.filters import ANY_WORDS, WordsFilter
from ledger.recall.find import Question, WordMatches, needed
from ledger.rules.intent import only_asks
from ledger.rules.signals import (
    MAX_TEXTS,
    READ_CHARACTERS,
    RERANKED,
    SENDER,
    WITH_NEIGHBOURS,
    Signals,
    TalkTurn,
    WeighedQuestion,
    in_order_by_nearness,
)

MAX_WORDS = 16
MAX_PER_WORD = 2_000
# Of words that very many hold, the rarest are looked for together.
MAX_TOGETHER = 4
MAX_OLDER = 40
MAX_JOINED = 4_000
COUNTED = 5_000

_SIZES = """
SELECT s.id, m.held, m.newest, m.oldest, (SELECT min(id) FROM ledger_source WHERE scope_id = s.id)
  FROM unnest(%(scopes)s::bigint[]) AS s(id) CROSS JOIN LATERAL
       (SELECT count(*) AS held, max(id) AS newest, min(id) AS oldest FROM
           (SELECT id FROM ledger_source WHERE scope_id = s.id ORDER BY id DESC LIMIT %(counted)s) AS t) AS m
 WHERE m.held > 0
"""
# k1 = 1.2 and b = 0.4: Robertson's BM25, by the lengths of the texts that hold a word. Numbers are double: `numeric` takes three
# times as long. The words that a text holds are the bits of one number, which is cheaper to gather than an array.
_TEXTS = """
WITH asked AS (SELECT * FROM unnest(%(terms)s::int[], %(places)s::int[]) AS t(term, place)),
scopes AS (SELECT * FROM unnest(%(scopes)s::bigint[], %(oldest)s::bigint[], %(newest)s::bigint[]) AS t(id, oldest, newest)),
held AS MATERIALIZED (
    SELECT a.place, s.id AS scope_id, p.source_id, p.times, p.length
      FROM asked a CROSS JOIN scopes s CROSS JOIN LATERAL
           (SELECT source_id, times, length FROM ledger_posting p WHERE term = a.term AND scope_id = s.id{wanted}
             ORDER BY source_id DESC LIMIT %(most)s) AS p
), words AS MATERIALIZED (
    SELECT place, ln(1 + (greatest(%(size)s::float8 - sum(holders), 0) + 0.5) / (sum(holders) + 0.5)) AS idf, bool_or(cut) AS cut
      FROM (SELECT h.place, h.holders >= %(most)s AS cut,
                   CASE WHEN h.holders < %(most)s THEN h.holders
                        ELSE h.holders * (s.newest - s.oldest + 1.0::float8) / (s.newest - h.oldest + 1) END AS holders
              FROM (SELECT place, scope_id, count(*) AS holders, min(source_id) AS oldest FROM held GROUP BY 1, 2) AS h
              JOIN scopes s ON s.id = h.scope_id) AS m
     GROUP BY place
), mean AS MATERIALIZED (SELECT greatest(avg(length), 1)::float8 AS length FROM held),
scored AS (
    SELECT h.source_id, bit_or(1::bigint << h.place) AS places,
           sum(w.idf * CASE WHEN times = 0 THEN %(sender)s::float8
                            ELSE times * 2.2::float8 / (times + 0.72::float8 + 0.48::float8 * h.length / mean.length) END) AS score
      FROM held h JOIN words w USING (place) CROSS JOIN mean
     GROUP BY h.source_id ORDER BY score DESC, h.source_id DESC LIMIT %(limit)s
)
SELECT NULL, place::bigint, idf, cut FROM words UNION ALL SELECT source_id, places, score, false FROM scored
"""
# Each row is looked up on its own, so that no plan reads a whole table where many are asked for.
_TURNS = f"""
WITH best AS MATERIALIZED (
    SELECT b.*, CASE WHEN t.at <= {WITH_NEIGHBOURS} THEN 2 ELSE 1 END AS beside
      FROM unnest(%(ids)s::bigint[]) WITH ORDINALITY AS t(id, at) CROSS JOIN LATERAL
           (SELECT id, conversation_id, position FROM ledger_source WHERE id = t.id AND purged_at IS NULL LIMIT 1) AS b
), near AS MATERIALIZED (
    SELECT id FROM best UNION
    SELECT n.id FROM best b CROSS JOIN LATERAL
           (SELECT id FROM ledger_source WHERE conversation_id = b.conversation_id AND purged_at IS NULL
               AND position BETWEEN b.position - b.beside AND b.position + b.beside ORDER BY position LIMIT 9) AS n
)
SELECT s.*, true{{wanted}} FROM near CROSS JOIN LATERAL
       (SELECT id, conversation_id, position, left(title || ' ' || text, {READ_CHARACTERS}), sender
          FROM ledger_source WHERE id = near.id LIMIT 1) AS s
 ORDER BY s.conversation_id, s.position, s.id
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class TextsByWord:
    """`scores` maps sources to BM25, best first, and `holds` to the words they hold; `idf` weighs each word that any text
    holds, by its place in the question."""

    scores: dict[int, float] = field(default_factory=dict)
    holds: dict[int, frozenset[int]] = field(default_factory=dict)
    idf: dict[int, float] = field(default_factory=dict)
    rarest: float = 0.0


def find_sources(
    question: Question, scopes: Sequence[int], *, answers: bool = False, words: WordsFilter = ANY_WORDS
) -> WordMatches:
    """Sources of these scopes, the likeliest answer first; each with the part of the question that it and the turns beside it
    hold. With `answers` one shared word out of several is none. Only sources of these `words` are answers; what stands beside them
    is read as well. At most five queries."""
    asked_words = _asked_words(question)
    found = texts_by_word(asked_words, scopes, words)
    if not found.scores:
        return WordMatches(asked=bool(asked_words) or not only_asks(question.text))
    turns, wanted = _turns(found, asked_words, words)
    weights = {word: found.idf.get(at, found.rarest) for at, word in enumerate(asked_words)}
    asked = WeighedQuestion.of(question.text, weights, turns.values())
    signals = Signals(asked, turns, [pk for pk in found.scores if pk in turns])
    order = _reranked(signals, asked, wanted)
    if question.exact:
        order = _as_written(question, order)
    if answers and not question.exact:
        telling = {term for word in question.content for term in terms(word)}.intersection(asked_words)
        order = [pk for pk in order if signals.held_words(pk, telling) >= needed(telling)]
    return WordMatches(order, {pk: signals.share(pk) for pk in order})


def _reranked(signals: Signals, asked: WeighedQuestion, wanted: Container[int]) -> list[int]:
    """The likeliest first. Where an encoder is installed the best are put in order by their meaning as well, if most of them have
    been read by it; those that it has not read yet keep their places."""
    rows = {pk: row for pk, row in signals.candidates().items() if pk in wanted}
    best = dict(islice(rows.items(), RERANKED))
    if not encoder.installed() or not best:
        return list(rows)
    turns = [signals.turns[pk] for pk in best]
    near = {one for turn in turns for one in (turn.pk, turn.before, turn.after)}
    held = "SELECT source_id, vectors, meaning FROM ledger_tokenvectors WHERE source_id = ANY(%s) AND vectors <> ''"
    vectors = {pk: (tokens, meaning) for pk, tokens, meaning in fetch_rows(held, [list(near)])}
    read = {pk: row for pk, row in best.items() if pk in vectors}
    if len(read) * 2 <= len(best):
        return list(rows)
    nearness = encoder.EncodedQuestion.of(asked.text, asked.weights, asked.people).nearest(vectors)
    order = iter(in_order_by_nearness(signals.add_nearness(read, nearness)))
    return [*(next(order) if pk in read else pk for pk in best), *(pk for pk in rows if pk not in best)]


def _asked_words(question: Question) -> list[str]:
    text = " ".join(question.sought) if question.inside else question.text
    return list(dict.fromkeys(terms(text)))[:MAX_WORDS]


def _turns(
    found: TextsByWord, words: Sequence[str], filtered: WordsFilter
) -> tuple[dict[int, TalkTurn], frozenset[int]]:
    """The texts found, and in their threads the two before and after each; and which of all these are wanted."""
    wanted = filtered.on_source("near.id")
    rows = fetch_rows(_TURNS.format(wanted=wanted), {"ids": list(found.scores), **filtered.params})
    texts = map(terms, [row[3] for row in rows])
    turns: dict[int, TalkTurn] = {}
    for (pk, thread, _, text, sender, _), said, before, after in zip(
        rows, texts, [None, *rows[:-1]], [*rows[1:], None], strict=True
    ):
        turns[pk] = TalkTurn(
            pk, thread, text, sender, said, _beside(thread, before), _beside(thread, after),
            holds=frozenset([words[at] for at in found.holds.get(pk, ()) if at < len(words)]),
        )  # fmt: skip
    return turns, frozenset(row[0] for row in rows if row[5])


def _beside(thread: int | None, row: Sequence[Any] | None) -> int:
    """The id of a row of the same thread."""
    return row[0] if row is not None and thread is not None and row[1] == thread else 0


def _as_written(question: Question, order: Iterable[int]) -> list[int]:
    """Of these what holds the quoted words, and not the excluded ones."""
    ids = list(order)
    holding = fetch_column(
        "SELECT id FROM ledger_source WHERE id = ANY(%s) AND to_tsvector('english', left(text, 100000)) @@"
        " websearch_to_tsquery('english', %s)",
        [ids, question.text],
    )
    return [pk for pk in ids if pk in set(holding)]


def texts_by_word(words: Sequence[str], scopes: Sequence[int], filtered: WordsFilter = ANY_WORDS) -> TextsByWord:
    """The best `MAX_TEXTS` by the terms `words`. Two queries, one more where several words are in very many texts."""
    sizes = fetch_rows(_SIZES, {"scopes": list(scopes), "counted": COUNTED})
    if not sizes or not words:
        return TextsByWord()
    ids, newest, oldest = [row[0] for row in sizes], [row[2] for row in sizes], [row[4] for row in sizes]
    size = sum(held * (new - first + 1) / (new - last + 1) for _, held, new, last, first in sizes)
    keys = [*map(term_key, words), *map(sender_key, words)]
    rows = fetch_rows(
        _TEXTS.format(wanted=filtered.on_source("p.source_id")),
        {
            "terms": keys, "places": list(range(len(keys))), "scopes": ids, "oldest": oldest, "newest": newest, "size": size,
            "most": MAX_PER_WORD, "limit": MAX_TEXTS, "sender": SENDER, **filtered.params,
        },
    )  # fmt: skip
    idf = {place: weight for source, place, weight, _ in rows if source is None}
    found = TextsByWord(idf=idf, rarest=math.log(1 + (size + 0.5) / 0.5))
    for source, held, score, _ in rows:
        if source is not None:
            found.scores[source] = score
            found.holds[source] = frozenset(place for place in range(len(keys)) if held >> place & 1)
    cut = [place for source, place, _, is_cut in rows if source is None and is_cut and place < len(words)]
    common = sorted(cut, key=lambda place: -found.idf[place])[:MAX_TOGETHER]
    _add_common(found, common, keys, ids, filtered)
    return found


def _add_common(
    found: TextsByWord, common: Sequence[int], keys: Sequence[int], scopes: Sequence[int], filtered: WordsFilter
) -> None:
    """Texts that hold several words which are too common for each to be looked for in every text: all of these, then the
    two rarest."""
    for together in (common, common[:2]):
        if len(together) > 1:
            weight = sum(found.idf[place] for place in together)
            for source in _holding_all([keys[place] for place in together], scopes, filtered):
                found.scores.setdefault(source, weight)
                found.holds.setdefault(source, frozenset(together))


def _holding_all(terms: Sequence[int], scopes: Sequence[int], filtered: WordsFilter) -> list[int]:
    """The newest texts that hold all of these, of each scope, among the newest `MAX_JOINED` that hold the first."""
    joined = "".join(
        f" JOIN ledger_posting p{at} ON p{at}.source_id = p0.source_id AND p{at}.scope_id = s.id AND p{at}.term = %(term{at})s"
        for at in range(1, len(terms))
    )
    return fetch_column(
        "SELECT m.source_id FROM unnest(%(scopes)s::bigint[]) AS s(id) CROSS JOIN LATERAL"  # noqa: S608
        " (SELECT p0.source_id FROM (SELECT source_id FROM ledger_posting p WHERE scope_id = s.id AND term = %(term0)s"
        f"{filtered.on_source('p.source_id')}"
        f" ORDER BY source_id DESC LIMIT {MAX_JOINED}) AS p0{joined} ORDER BY p0.source_id DESC LIMIT {MAX_OLDER}) AS m",
        {"scopes": list(scopes), **{f"term{at}": term for at, term in enumerate(terms)}, **filtered.params},
    )
