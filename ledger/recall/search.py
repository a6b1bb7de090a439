"""Search over what holds: claims, trusted values and on request the sources (contract §2, design §7)."""

from collections.abc import Callable, Mapping, Sequence
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
from ledger.reads.packs import kinds as known_kinds
from ledger.reads.page import check_limit
from ledger.recall.find import find_claims, find_trusted, read_question
from ledger.recall.gather import NOW, Clocks, claims_then, known_then, scope_chain, trusted_then
from ledger.recall.snippets import passages, snippet
from ledger.recall.turns import find_sources
from ledger.rules.permissions import Access
from ledger.rules.ranking import fuse

# Of two at the same place the more trusted stands first.
TYPES = ("trusted", "claim", "source")


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One answer. `type` is claim, trusted or source; a source's ref is `source:ID`. `snippet` is the part of the
    statement or text that holds the words asked for; `score` orders and says nothing of truth."""

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
) -> list[SearchHit]:
    """What of the scope, of those above it and of those below it answers `q`, best first.

    `q` is read as web search engines do (quotes, `or`, `-word`); mistyped words are looked for by their letters. Disputed
    rows and rows that need a recheck are shown with that flag. The number of queries does not grow with what is
    found. Raises `Invalid` for a kind nobody defined.
    """
    check_limit(limit)
    where = scope_chain(scope, access, descend=True)
    claim_kinds = _claim_kinds(kinds)
    question = read_question(q)
    found: dict[str, list[int]] = {}
    if claim_kinds or not kinds:
        found["claim"] = find_claims(question, where.ids, kinds=claim_kinds, statuses=clocks.statuses).order
    if "trusted" in kinds or not kinds:
        found["trusted"] = find_trusted(question, where.ids, ever=clocks.turned_back).order
    if sources:
        found["source"] = known_then(find_sources(question, where.own).order, clocks)
    then = _held_then(found, where.ids, clocks)
    found |= {name: [pk for pk in found[name] if pk in rows] for name, rows in then.items()}
    # Each list in its own order.
    scores = fuse([[(name, pk) for pk in found.get(name, ())[:limit]] for name in TYPES])
    chosen = sorted(scores, key=lambda item: (-scores[item], TYPES.index(item[0]), -item[1]))[:limit]
    hits: dict[tuple[str, int], SearchHit] = {}
    readers: dict[str, Callable[..., dict[int, SearchHit]]] = {
        "trusted": _trusted,
        "claim": _claims,
        "source": _sources,
    }
    for name, read in readers.items():
        ids = [pk for kind, pk in chosen if kind == name]
        rows = [then[name][pk] for pk in ids] if name in then else None
        hits |= {(name, pk): hit for pk, hit in read(ids, question.sought, rows).items()} if ids else {}
    return [replace(hits[item], score=round(scores[item], 6)) for item in chosen if item in hits]


def _held_then(
    found: Mapping[str, Sequence[int]], scope_ids: Sequence[int], clocks: Clocks
) -> dict[str, dict[int, Any]]:
    """The claims and trusted values that held at another time, as they stood."""
    if not clocks.turned_back:
        return {}
    held: dict[str, Callable[..., Sequence[Any]]] = {"claim": claims_then, "trusted": trusted_then}
    return {name: {row.pk: row for row in then(clocks, scope_ids)} for name, then in held.items() if name in found}


def _claim_kinds(kinds: Sequence[str]) -> list[str]:
    """Those that claims have; trusted values are asked for by that word. No query where no kind is asked for."""
    claim_kinds = [kind for kind in kinds if kind != "trusted"]
    if kinds and (unknown := set(claim_kinds) - known_kinds().keys()):
        raise Invalid(f"no kind {min(unknown)[:60]!r}", field="kinds")
    return claim_kinds


def _claims(ids: list[int], words: list[str], rows: list[Claim] | None) -> dict[int, SearchHit]:
    cited, disputed = evidence_of(ids), claims_in_open_conflict(ids)
    return {
        row.pk: SearchHit(
            "claim", row.ref, row.layer, row.kind_id, row.scope.path, row.key, row.statement, row.value,
            flags_of(row, row.pk in disputed), snippet(row.statement, words), tuple(cited[row.pk][:MAX_CITED]),
        )
        for row in (claim_rows().filter(pk__in=ids) if rows is None else rows)
    }  # fmt: skip


def _trusted(ids: list[int], words: list[str], rows: list[TrustedState] | None) -> dict[int, SearchHit]:
    rows = list(TrustedState.objects.filter(pk__in=ids).select_related("scope")) if rows is None else rows
    cited, disputed = evidence_of_trusted(rows), trusted_in_open_conflict(ids)
    return {
        row.pk: SearchHit(
            "trusted", row.ref, "trusted", "trusted", row.scope.path, row.key, row.statement, row.value,
            ("disputed",) if row.pk in disputed else (), snippet(row.statement, words), tuple(cited[row.pk]),
        )
        for row in rows
    }  # fmt: skip


def _sources(ids: list[int], words: list[str], rows: None) -> dict[int, SearchHit]:
    return {
        found.source.pk: SearchHit(
            "source", f"source:{found.source.pk}", "source", found.source.kind, found.source.scope.path, "",
            found.source.title or found.quote[:120], None, (), found.quote, (found.cited,),
        )
        for found in passages(ids, words)
    }  # fmt: skip
