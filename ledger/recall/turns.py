"""Turns of a talk that could answer a question: found by their words, read with their neighbours, weighed by what was learnt."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ledger.language.terms import terms
from ledger.reads.sql import fetch_column, fetch_rows
from ledger.recall.find import Question, WordMatches
from ledger.recall.words import TextsByWord, texts_by_word
from ledger.rules.intent import only_asks
from ledger.rules.ranker import odds
from ledger.rules.signals import READ_CHARACTERS, WITH_NEIGHBOURS, Asked, Signals, Turn

MAX_WORDS = 16
# A question of so many words is not answered by one of them.
SEVERAL_WORDS = 3

_TURNS = f"""
WITH best AS (SELECT id, conversation_id, position FROM ledger_source WHERE id = ANY(%s) AND purged_at IS NULL),
near AS (
    SELECT id FROM best UNION
    SELECT n.id FROM best b JOIN ledger_source n ON n.conversation_id = b.conversation_id
       AND n.position BETWEEN b.position - 2 AND b.position + 2 WHERE n.purged_at IS NULL
)
SELECT s.id, s.conversation_id, s.position, left(s.title || ' ' || s.text, {READ_CHARACTERS}), s.sender
  FROM ledger_source s JOIN near USING (id) ORDER BY s.conversation_id, s.position, s.id
"""  # noqa: S608


def find_sources(question: Question, scopes: Sequence[int], *, answers: bool = False) -> WordMatches:
    """Sources of these scopes, the likeliest answer first; each with the part of the question that it and the turns beside it
    hold. With `answers` one shared word out of many is none. At most five queries."""
    asked_words = _asked_words(question)
    found = texts_by_word(asked_words, scopes)
    if not found.scores:
        return WordMatches(asked=bool(asked_words) or not only_asks(question.text))
    turns = _turns(found, asked_words)
    ranked = [pk for pk in found.scores if pk in turns]
    weights = {word: found.idf.get(at, found.rarest) for at, word in enumerate(asked_words)}
    people = frozenset(asked_words).intersection(*[frozenset().union(*(turn.sender_words for turn in turns.values()))])
    signals = Signals(Asked(question.text, weights, people), turns, ranked)
    beside = (near for pk in ranked[:WITH_NEIGHBOURS] for near in (turns[pk].before, turns[pk].after) if near in turns)
    rows = signals.rows(dict.fromkeys((*ranked, *beside)))
    order = sorted(rows, key=lambda pk: (-odds(rows[pk]), -pk))
    if question.exact:
        order = _as_written(question, order)
    if answers and len(asked_words) >= SEVERAL_WORDS:
        order = [pk for pk in order if signals.held_words(pk) > 1]
    return WordMatches(order, {pk: round(signals.share(pk), 4) for pk in order})


def _asked_words(question: Question) -> list[str]:
    text = " ".join(question.sought) if question.inside else question.text
    return list(dict.fromkeys(terms(text)))[:MAX_WORDS]


def _turns(found: TextsByWord, words: Sequence[str]) -> dict[int, Turn]:
    """The texts found, and in their threads the two before and after each."""
    turns: dict[int, Turn] = {}
    last: Turn | None = None
    for pk, thread, _, text, sender in fetch_rows(_TURNS, [list(found.scores)]):
        holds = frozenset(words[at] for at in found.holds.get(pk, ()) if at < len(words))
        turn = Turn(pk, thread, text, sender, holds=holds)
        if last is not None and thread is not None and last.thread == thread:
            turns[last.pk] = replace(turns[last.pk], after=pk)
            turn = replace(turn, before=last.pk)
        turns[pk] = last = turn
    return turns


def _as_written(question: Question, order: Iterable[int]) -> list[int]:
    """Of these what holds the quoted words, and not the excluded ones."""
    ids = list(order)
    holding = fetch_column(
        "SELECT id FROM ledger_source WHERE id = ANY(%s) AND to_tsvector('english', left(text, 100000)) @@"
        " websearch_to_tsquery('english', %s)",
        [ids, question.text],
    )
    return [pk for pk in ids if pk in set(holding)]
