"""The shapes of what agents read before they act, and of what they report."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypedDict

from ledger.reads.claims import Citation
from ledger.recall.check import CheckedRow, Verdict
from ledger.recall.context import ContextPack
from ledger.recall.search import SearchHit
from ledger.rules.permissions import Access
from review.api.shapes import EvidenceShape, evidence_shape


class ContextItemShape(TypedDict):
    """One line, said by `speaker` at `at`; of a source `status` is empty. `scores` order and say nothing of truth; `flags` are
    disputed, needs_recheck, pending; of raw text unreviewed, agent_said and what came of claims from these words."""

    shelf: str
    ref: str
    layer: str
    kind: str
    statement: str
    value: Any
    status: str
    speaker: str
    at: datetime
    flags: Sequence[str]
    citations: list[EvidenceShape]
    scores: dict[str, float]


class OmittedShape(TypedDict):
    ref: str
    why: str


class ContextShape(TypedDict):
    """The pack; `exposure` is the note that it was shown, null where it is empty."""

    scope: str
    intent: str
    items: list[ContextItemShape]
    markdown: str
    tokens: int
    omitted: list[OmittedShape]
    exposure: int | None


def packed(words: Citation) -> Citation:
    """In what an agent is told secrets stay masked, whatever the scope keeps."""
    return replace(words, kept_quote="")


def context_shape(found: ContextPack, access: Access) -> ContextShape:
    return {
        "scope": found.scope,
        "intent": found.intent,
        "items": [
            {
                "shelf": item.card.shelf,
                "ref": item.card.ref,
                "layer": item.layer,
                "kind": item.kind,
                "statement": item.statement,
                "value": item.value,
                "status": item.status,
                "speaker": item.speaker,
                "at": item.at,
                "flags": item.card.flags,
                "citations": [evidence_shape(packed(words), access) for words in item.citations],
                "scores": item.scores,
            }
            for item in found.items
        ],
        "markdown": found.markdown,
        "tokens": found.tokens,
        "omitted": [{"ref": ref, "why": why} for ref, why in found.omitted],
        "exposure": found.exposure,
    }


class SearchHitShape(TypedDict):
    """One answer, said by `speaker` at `at`. `type` is claim, trusted or source, of which the last has an empty `status`; `score`
    orders and says nothing of truth."""

    type: str
    ref: str
    layer: str
    kind: str
    scope: str
    key: str
    statement: str
    value: Any
    status: str
    speaker: str
    at: datetime
    flags: Sequence[str]
    snippet: str
    citations: list[EvidenceShape]
    score: float


class SearchShape(TypedDict):
    items: list[SearchHitShape]
    next: str | None
    exposure: int | None


def hit_shape(hit: SearchHit, access: Access) -> SearchHitShape:
    return {
        "type": hit.type,
        "ref": hit.ref,
        "layer": hit.layer,
        "kind": hit.kind,
        "scope": hit.scope,
        "key": hit.key,
        "statement": hit.statement,
        "value": hit.value,
        "status": hit.status,
        "speaker": hit.speaker,
        "at": hit.at,
        "flags": hit.flags,
        "snippet": hit.snippet,
        "citations": [evidence_shape(packed(words), access) for words in hit.citations],
        "score": hit.score,
    }


class CheckedRowShape(TypedDict):
    ref: str
    layer: str
    kind: str
    scope: str
    statement: str
    flags: Sequence[str]


class ContradictedRowShape(CheckedRowShape):
    """`why` says what differs; `sentence` is the text's own."""

    why: str
    sentence: str


class CheckShape(TypedDict):
    """`touches` holds all that speaks of the same; constraints and negative results are among it."""

    verdict: Verdict
    contradicts: list[ContradictedRowShape]
    allowed_by: list[CheckedRowShape]
    touches: list[CheckedRowShape]
    constraints: list[CheckedRowShape]
    negative_results: list[CheckedRowShape]
    exposure: int | None


def found_shape(row: CheckedRow) -> CheckedRowShape:
    return {
        "ref": row.ref,
        "layer": row.layer,
        "kind": row.kind,
        "scope": row.scope,
        "statement": row.statement,
        "flags": row.flags,
    }
