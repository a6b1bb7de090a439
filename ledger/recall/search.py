"""Search over what holds: claims, trusted values and on request the sources (contract §2, design §7)."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ledger.errors import Invalid
from ledger.models import Claim, TrustedState
from ledger.reads.claims import (
    MAX_CITED,
    Citation,
    claim_rows,
    claims_in_open_conflict,
    evidence_of,
    evidence_of_trusted,
    flags_of,
)
from ledger.reads.conflicts import trusted_in_open_conflict
from ledger.reads.page import check_limit
from ledger.recall.filters import ANY_WORDS, NOW, TRUSTED, Clocks, WordsFilter, claim_kinds
from ledger.recall.find import find_claims, find_trusted, read_question
from ledger.recall.gather import claims_then, scope_chain, trusted_then
from ledger.recall.snippets import passages, raw_flags, refused_in, snippet
from ledger.recall.turns import find_sources
from ledger.rules.permissions import Access
from ledger.rules.ranking import fuse
from ledger.rules.states import Status

# Of two at the same place the more trusted stands first.
TYPES = ("trusted", "claim", "source")


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One answer. `type` is claim, trusted or source; a source's ref is `source:ID`. `snippet` is the part of the
    statement or text that holds the words asked for; `score` orders and says nothing of truth. A source has no status."""

    type: str
    ref: str
    layer: str
    kind: str
    scope: str
    key: str
    statement: str
    value: Any
    flags: tuple[str, ...]
    snippet: str
    citations: tuple[Citation, ...]
    # Whose words it rests on, and when they were said; of a trusted value the person who set it, and when.
    speaker: str
    at: dt.datetime
    status: str = ""
    score: float = 0.0


def search(
    q: str,
    *,
    scope: str,
    access: Access,
    kinds: Sequence[str] = (),
    sources: bool = False,
    limit: int = 20,
    clocks: Clocks = NOW,
    status: Sequence[str] = (),
    words: WordsFilter = ANY_WORDS,
) -> list[SearchHit]:
    """What of the scope, of those above it and of those below it answers `q`, best first.

    `q` is read as web search engines do (quotes, `or`, `-word`); mistyped words are looked for by their letters. Disputed
    rows and rows that need a recheck are shown with that flag. Claims of another `status` than active are found where their scope
    itself may be read, trusted values only among what is active. The number of queries does not grow with what is found. Raises
    `Invalid` for a kind nobody defined, and by parameter.
    """
    check_limit(limit)
    statuses = _statuses(status, clocks)
    wanted = claim_kinds(kinds)
    where = scope_chain(scope, access, descend=True)
    question = read_question(q)
    found: dict[str, list[int]] = {}
    if wanted or not kinds:
        places = where.ids if statuses == clocks.statuses else where.own
        found["claim"] = find_claims(question, places, kinds=wanted, statuses=statuses, words=words).order
    if (TRUSTED in kinds or not kinds) and "active" in statuses:
        found["trusted"] = find_trusted(question, where.ids, ever=clocks.turned_back, words=words).order
    if sources:
        spoken = replace(words, as_of=clocks.as_of, believed_at=clocks.believed_at)
        found["source"] = find_sources(question, where.own, words=spoken).order
    then = _held_then(found, where.ids, clocks)
    found |= {name: [pk for pk in found[name] if pk in rows] for name, rows in then.items()}
    scores = _best(found, limit)
    hits = _hits(scores, question.sought, words, then)
    return [replace(hits[item], score=round(score, 6)) for item, score in scores.items() if item in hits]


def _best(found: Mapping[str, Sequence[int]], limit: int) -> dict[tuple[str, int], float]:
    """The best of all lists, each in its own order, with their scores."""
    scores = fuse([[(name, pk) for pk in found.get(name, ())[:limit]] for name in TYPES])
    chosen = sorted(scores, key=lambda item: (-scores[item], TYPES.index(item[0]), -item[1]))[:limit]
    return {item: scores[item] for item in chosen}


def _hits(
    chosen: Iterable[tuple[str, int]], words: list[str], wanted: WordsFilter, then: Mapping[str, Mapping[int, Any]]
) -> dict[tuple[str, int], SearchHit]:
    """The rows that were chosen, by type and id; those of another time as they then stood."""
    readers: dict[str, Callable[..., dict[int, SearchHit]]] = {
        "trusted": _trusted,
        "claim": _claims,
        "source": _sources,
    }
    ids: dict[str, list[int]] = defaultdict(list)
    for name, pk in chosen:
        ids[name].append(pk)
    hits: dict[tuple[str, int], SearchHit] = {}
    for name, rows in ids.items():
        known = [then[name][pk] for pk in rows] if name in then else None
        hits |= {(name, pk): hit for pk, hit in readers[name](rows, words, wanted, known).items()}
    return hits


def _held_then(
    found: Mapping[str, Sequence[int]], scope_ids: Sequence[int], clocks: Clocks
) -> dict[str, dict[int, Any]]:
    """The claims and trusted values that held at another time, as they stood."""
    if not clocks.turned_back:
        return {}
    held: dict[str, Callable[..., Sequence[Any]]] = {"claim": claims_then, "trusted": trusted_then}
    return {name: {row.pk: row for row in then(clocks, scope_ids)} for name, then in held.items() if name in found}


def _statuses(status: Sequence[str], clocks: Clocks) -> tuple[str, ...]:
    """In which claims are looked for. Raises `Invalid` for what is no status, and with a clock: what held then was active then."""
    if unknown := set(status) - set(Status):
        raise Invalid(f"no status {min(unknown)[:60]!r}; it is one of {', '.join(Status)}", field="status")
    if clocks.turned_back and set(status) - {"active"}:
        raise Invalid(
            "as_of and believed_at tell what held then; another status cannot be asked of them", field="status"
        )
    return tuple(status) if status and not clocks.turned_back else clocks.statuses


def _claims(
    ids: list[int], words: list[str], wanted: WordsFilter, rows: Sequence[Claim] | None
) -> dict[int, SearchHit]:
    cited, disputed = evidence_of(ids), claims_in_open_conflict(ids)
    hits = {}
    for row in claim_rows().filter(pk__in=ids) if rows is None else rows:
        first = wanted.first_of(cited[row.pk])
        hits[row.pk] = SearchHit(
            "claim", row.ref, row.layer, row.kind_id, row.scope.path, row.key, row.statement, row.value,
            flags_of(row, row.pk in disputed), snippet(row.statement, words), tuple(cited[row.pk][:MAX_CITED]),
            first.speaker if first else "", first.said_at if first else row.created_at, row.status,
        )  # fmt: skip
    return hits


def _trusted(
    ids: list[int], words: list[str], _: WordsFilter, rows: Sequence[TrustedState] | None
) -> dict[int, SearchHit]:
    rows = list(TrustedState.objects.filter(pk__in=ids).select_related("scope")) if rows is None else rows
    cited, disputed = evidence_of_trusted(rows), trusted_in_open_conflict(ids)
    return {
        row.pk: SearchHit(
            TRUSTED, row.ref, TRUSTED, TRUSTED, row.scope.path, row.key, row.statement, row.value,
            ("disputed",) if row.pk in disputed else (), snippet(row.statement, words), tuple(cited[row.pk]),
            "user", row.at, row.status,
        )
        for row in rows
    }  # fmt: skip


def _sources(ids: list[int], words: list[str], wanted: WordsFilter, _: None) -> dict[int, SearchHit]:
    found = passages(ids, words, speaker=wanted.speaker)
    refused = refused_in(found)
    return {
        one.source.pk: SearchHit(
            "source", f"source:{one.source.pk}", "source", one.source.kind, one.source.scope.path, "",
            one.source.title or one.quote[:120], None, raw_flags(one, refused[one.source.pk]), one.quote, (one.cited,),
            one.cited.speaker, one.cited.said_at,
        )
        for one in found
    }  # fmt: skip
