"""Rows as lines of a pack: each with whose words they are, when they were said, and what a reader is warned of (C9, C11, P17)."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.language.contradiction import value_words
from ledger.language.meaning.vocabulary import empty_words
from ledger.language.subjects import with_subject
from ledger.language.words import terms
from ledger.models import Claim, TrustedState
from ledger.reads.claims import MAX_CITED, Citation, claims_in_open_conflict, evidence_of, evidence_of_trusted, flags_of
from ledger.reads.conflicts import trusted_in_open_conflict
from ledger.reads.standing import standing_of
from ledger.recall.gather import ScopeChain
from ledger.recall.matches import ContextMatches
from ledger.recall.snippets import fresh_passages, passages, raw_flags, raw_line, refused_in
from ledger.rules.credit import CREDITED_KIND, Standing
from ledger.rules.packing import Card
from ledger.rules.ranking import relevance

MAX_SOURCES = 5
# Of these come the few that are shown, since claims say some already and senders repeat themselves.
MAX_SOURCES_READ = 30
SHELF_OF_KIND = {
    "constraint": "constraints",
    "commitment": "constraints",
    "negative_result": "negative_results",
    "tactic": "tactics",
    "fact": "facts",
}
TRUST = {"trusted": 0, "entity": 1, "memory": 2, "pending": 3, "source": 4}


@dataclass(frozen=True, slots=True)
class ContextItem:
    """One line of the pack: its card has the shelf, the ref and the flags (disputed, needs_recheck, pending). `statement` is the
    row's own; `scores` order and say nothing of truth."""

    card: Card
    layer: str
    kind: str
    statement: str
    value: Any
    citations: tuple[Citation, ...]
    scores: dict[str, float]
    # Whose words it rests on and when they were said; a trusted value's are a person's. A source has no status.
    speaker: str
    at: dt.datetime
    status: str = ""


def trusted_items(rows: Sequence[TrustedState], where: ScopeChain, matches: ContextMatches) -> Iterable[ContextItem]:
    cited, disputed = evidence_of_trusted(rows), trusted_in_open_conflict([row.pk for row in rows])
    for row in rows:
        citations = tuple(cited[row.pk])
        scores = _scores(matches.trusted.weight.get(row.pk, 0.0), where.distance[row.scope_id])
        card = Card(
            row.ref, "trusted", _trusted_statement(row), _cites(row.ref, citations, where), scores["score"],
            not matches.claims.asked or scores["relevance"] > 0, key=row.key,
            flags=("disputed",) if row.pk in disputed else (), distance=where.distance[row.scope_id], trust=TRUST["trusted"],
            said=f"{row.by}, {row.at:%Y-%m-%d}",
        )  # fmt: skip
        yield ContextItem(
            card, "trusted", "trusted", row.statement, row.value, citations, scores, "user", row.at, row.status
        )


def claim_items(rows: Sequence[Claim], where: ScopeChain, matches: ContextMatches) -> list[ContextItem]:
    ids = sorted(row.pk for row in rows)
    cited, disputed, standing = evidence_of(ids), claims_in_open_conflict(ids), standing_of(rows)
    oldest_first = {pk: at / max(1, len(ids) - 1) for at, pk in enumerate(ids)}
    items = []
    for row in rows:
        citations, flags = tuple(cited[row.pk][:MAX_CITED]), flags_of(row, row.pk in disputed)
        scores = _scores(
            matches.lexical(row), where.distance[row.scope_id], newest=oldest_first[row.pk], standing=standing[row.pk],
            disputed="disputed" in flags, needs_recheck=row.needs_recheck,
        )  # fmt: skip
        shelf = "pending" if "pending" in flags else _shelf(row)
        card = Card(
            row.ref, shelf, _claim_statement(row), _cites(row.ref, citations, where), scores["score"],
            scores["relevance"] > 0 or not matches.anything, _topic(row), row.slot, row.key, flags,
            where.distance[row.scope_id], TRUST["pending" if shelf == "pending" else row.layer], _said(citations, where),
        )  # fmt: skip
        speaker, at = (citations[0].speaker, citations[0].said_at) if citations else ("", row.created_at)
        items.append(
            ContextItem(
                card, row.layer, row.kind_id, row.statement, row.value, citations, scores, speaker, at, row.status
            )
        )
    return items


def source_items(where: ScopeChain, matches: ContextMatches, said: Sequence[Citation]) -> Iterable[ContextItem]:
    """Raw text is for what nobody has made a claim of: not for a passage that a claim, by what is `said`, mostly says, and not for
    what a sender repeats."""
    found = passages(matches.sources.order[:MAX_SOURCES_READ], matches.question.sought)
    fresh = fresh_passages(found, said)[:MAX_SOURCES]
    refused = refused_in(fresh)
    for passage in fresh:
        source, words = passage.source, passage.cited
        scores = _scores(matches.sources.weight.get(source.pk, 0.0), where.distance[source.scope_id])
        cites = f"source {words.source_id}:{words.start}-{words.end}"
        card = Card(
            f"source:{source.pk}", "sources", raw_line(passage), cites, scores["score"],
            flags=raw_flags(passage, refused.get(source.pk, ())), distance=where.distance[source.scope_id],
            trust=TRUST["source"],
        )  # fmt: skip
        yield ContextItem(
            card, "source", source.kind, passage.quote, None, (words,), scores, words.speaker, words.said_at
        )


def _shelf(row: Claim) -> str:
    return SHELF_OF_KIND.get(row.kind_id) or ("memory" if row.layer == "memory" else "entities")


def _topic(row: Claim) -> str:
    """As it was given; of a tactic that has none the first two words that say something: few are shown of one kind (C12)."""
    if row.topic or row.kind_id != CREDITED_KIND:
        return row.topic
    empty = empty_words(row.statement)
    return " ".join([term for term in terms(row.statement) if term not in empty][:2])


def _claim_statement(row: Claim) -> str:
    """The statement below what it is about, with the assignee: as far as it does not name them itself."""
    statement = with_subject(row.statement, row.subject, row.topic)
    return statement if row.assignee.casefold() in row.statement.casefold() else f"{statement} ({row.assignee})"


def _trusted_statement(row: TrustedState) -> str:
    """With its key, and its value in words where it was written as data."""
    if isinstance(row.value, dict) and row.statement == f"{row.key}: {row.value}":
        return f"{row.key}: {value_words(row.value)}"
    return row.statement if row.key.casefold() in row.statement.casefold() else f"{row.key}: {row.statement}"


def _cites(ref: str, words: Sequence[Citation], where: ScopeChain) -> str:
    """`DEC-… source 3:10-42`, or `DEC-… withheld` where the source is out of this reader's sight."""
    if not words:
        return ref
    if not words[0].readable(where.access):
        return f"{ref} withheld"
    return f"{ref} source {words[0].source_id}:{words[0].start}-{words[0].end}"


def _said(words: Sequence[Citation], where: ScopeChain) -> str:
    """Whose words it rests on, and the day; nothing of a source out of sight."""
    if not words or not words[0].readable(where.access):
        return ""
    return f"{words[0].speaker_name}, {words[0].said_at:%Y-%m-%d}"


def _scores(
    lexical: float, distance: int, *, newest: float = 0.0, standing: Standing | None = None, **marks: bool
) -> dict[str, float]:
    """What orders a line, and of what it is made (C11)."""
    score = relevance(lexical, distance=distance, newest=newest, standing=standing.factor if standing else 1.0, **marks)
    figures = {"truth": standing.truth, "utility": standing.utility} if standing else {}
    known = {name: figure for name, figure in figures.items() if figure is not None}
    return {"relevance": round(lexical, 4), "distance": float(distance), **known, "score": score}
