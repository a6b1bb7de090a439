"""Search over what holds: claims, trusted values and on request the sources (contract §2, design §7)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ledger.errors import Invalid
from ledger.models import Claim, TrustedState
from ledger.reads.claims import Citation, claim_rows, evidence_of
from ledger.reads.packs import kinds as known_kinds
from ledger.reads.page import check_limit
from ledger.reads.state import disputed_trusted
from ledger.recall.citations import MAX_CITED, in_open_conflict, words_behind
from ledger.recall.find import find_claims, find_sources, find_trusted, plain_query
from ledger.recall.gather import scope_chain
from ledger.recall.snippets import best_window, passages
from ledger.rules.intent import telling_words
from ledger.rules.permissions import Access
from ledger.rules.ranking import fuse


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
    score: float


def search(
    q: str, *, scope: str, access: Access, kinds: Sequence[str] = (), sources: bool = False, limit: int = 20
) -> list[SearchHit]:
    """What of the scope, of those above it and of those below it answers `q`, best first.

    `q` is read as web search engines do (quotes, `or`, `-word`); mistyped words are looked for by their letters. Disputed
    rows and rows that need a recheck are shown with that flag. The number of queries does not grow with what is
    found. Raises `Invalid` for a kind nobody defined.
    """
    check_limit(limit)
    where = scope_chain(scope, access, descend=True)
    if unknown := set(kinds) - {"trusted"} - (known_kinds().keys() if kinds else set()):
        raise Invalid(f"no kind {sorted(unknown)[0][:60]!r}", field="kinds")
    words = telling_words(plain_query(q), most=16)
    claim_kinds = [kind for kind in kinds if kind != "trusted"]
    claims = find_claims(q, where.ids, kinds=claim_kinds).order[:limit] if claim_kinds or not kinds else []
    trusted = find_trusted(q, where.ids).order[:limit] if not kinds or "trusted" in kinds else []
    texts = find_sources(q, where.own).order[:limit] if sources else []
    # Three lists, each in its own order; of two at the same place the more trusted stands first.
    order = fuse(
        [[("trusted", pk) for pk in trusted], [("claim", pk) for pk in claims], [("source", pk) for pk in texts]]
    )
    rank = {"trusted": 0, "claim": 1, "source": 2}
    chosen = sorted(order, key=lambda item: (-order[item], rank[item[0]], -item[1]))[:limit]
    hits = {
        **_trusted([pk for kind, pk in chosen if kind == "trusted"], words),
        **_claims([pk for kind, pk in chosen if kind == "claim"], words),
        **_sources([pk for kind, pk in chosen if kind == "source"], words),
    }
    return [_scored(hits[item], order[item]) for item in chosen if item in hits]


def _scored(hit: SearchHit, score: float) -> SearchHit:
    return replace(hit, score=round(score, 6))


def flags_of(claim: Claim, disputed: bool = False) -> tuple[str, ...]:
    """`disputed` (an objection, or an open conflict), `needs_recheck`, `pending`."""
    flags: tuple[str, ...] = ("disputed",) if claim.disputed or disputed else ()
    flags += ("needs_recheck",) if claim.needs_recheck else ()
    return flags + (("pending",) if claim.status in ("pending", "deferred") else ())


def _claims(ids: list[int], words: list[str]) -> dict[tuple[str, int], SearchHit]:
    if not ids:
        return {}
    rows = list(claim_rows().filter(pk__in=ids))
    cited = evidence_of(ids)
    disputed = in_open_conflict(ids)
    return {
        ("claim", row.pk): SearchHit(
            "claim", row.ref, row.layer, row.kind_id, row.scope.path, row.key, row.statement, row.value,
            flags_of(row, row.pk in disputed), _snippet(row.statement, words), tuple(cited[row.pk][:MAX_CITED]), 0.0,
        )
        for row in rows
    }  # fmt: skip


def _trusted(ids: list[int], words: list[str]) -> dict[tuple[str, int], SearchHit]:
    if not ids:
        return {}
    rows = list(TrustedState.objects.filter(pk__in=ids).select_related("scope"))
    cited = words_behind(rows)
    disputed = disputed_trusted(rows)
    return {
        ("trusted", row.pk): SearchHit(
            "trusted", row.ref, "trusted", "trusted", row.scope.path, row.key, row.statement, row.value,
            ("disputed",) if row.pk in disputed else (), _snippet(row.statement, words), tuple(cited[row.pk]), 0.0,
        )
        for row in rows
    }  # fmt: skip


def _sources(ids: list[int], words: list[str]) -> dict[tuple[str, int], SearchHit]:
    return {
        ("source", found.source.pk): SearchHit(
            "source", f"source:{found.source.pk}", "source", found.source.kind, found.source.scope.path, "",
            found.source.title or found.quote[:120], None, (), found.quote, (found.cited,), 0.0,
        )
        for found in passages(ids, words)
    }  # fmt: skip


def _snippet(statement: str, words: list[str]) -> str:
    start, end = best_window(statement, words)
    return statement[start:end]
