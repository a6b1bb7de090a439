"""The shapes of the outward contract: E, C and N (V stands in `event_shapes`). Each is declared once, a `TypedDict`, and beside
it stands the function that fills it from rows which were read a page at a time: the OpenAPI page shows it, mypy checks it.

Plain dicts, written out by `answer`: a list of two hundred passes no validation on its way out.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict, cast

from django.http import HttpRequest, HttpResponse
from pydantic import Field
from pydantic_core import to_json

from ledger.choices import LayerWord, SpeakerWord, StatusWord
from ledger.models import Claim
from ledger.reads.claims import Citation, claims_in_open_conflict, evidence_of
from ledger.reads.page import Page
from ledger.reads.policies.in_force import ApprovalState, approval_states
from ledger.reads.rivals import previews
from ledger.reads.standing import standing_of
from ledger.reads.teamwork import Holder, holders_of
from ledger.rules.permissions import Access, Right
from ledger.rules.reconcile import PromotionPreview
from ledger.rules.secrets import is_masked
from ledger.rules.states import IN_QUEUE

# What no schema describes yet.
type Shape = dict[str, Any]
# The evidence of claims, by their ids.
type Evidences = Mapping[int, Sequence[Citation]]

TRUTH = "0 to 1: what speaks for it as a share of all that is said about it; null for a tactic."
UTILITY = "0 to 1: the share of conversations with a tactic that went well; null for all else, and where nothing came of it yet."
FALSE_BY_DEFAULT = Field(json_schema_extra={"default": False})


def answer(body: Any, status: int = 200) -> HttpResponse:
    """JSON; times in ISO 8601 with their offset."""
    return HttpResponse(to_json(body), status=status, content_type="application/json")


def tagged(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """With its ETag; 304 where the caller has just that."""
    tag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    if request.headers.get("If-None-Match") == tag:
        response = HttpResponse(status=304)
    response["ETag"] = tag
    return response


def shape_of[T](shape: type[T], row: object) -> T:
    """What a shape declares, from a row that has all of it under the same names."""
    return cast(T, {name: getattr(row, name) for name in shape.__annotations__})


class PageShape[T](TypedDict):
    items: list[T]
    next: str | None
    total: NotRequired[int | None]


def page(found: Page[Any], items: Sequence[Any]) -> HttpResponse:
    """`{"items", "next"}`, and `total` where it was counted."""
    return answer(found.as_json(items))


class EvidenceShape(TypedDict):
    """E. `source.text[start:end] == quote`, in code points; `quote` is null where `withheld` or `redacted`. Said by `sender` at
    `said_at`: where nobody told when, the time at which it came in; both null where `withheld`.
    `masked`: it holds a password, a key or a card's number, each character shown as `█` here and in the text."""

    id: int
    source: int
    section: str | None
    speaker: SpeakerWord
    sender: str | None
    said_at: datetime | None
    start: int
    end: int
    quote: str | None
    stance: str
    anchor: str
    brought_by: str | None
    masked: NotRequired[Annotated[bool, FALSE_BY_DEFAULT]]
    withheld: NotRequired[Annotated[bool, FALSE_BY_DEFAULT]]
    redacted: NotRequired[Annotated[bool, FALSE_BY_DEFAULT]]


def evidence_shape(row: Citation, access: Access) -> EvidenceShape:
    """E. The quote is null where the words were purged (`redacted`) or the reader may not see the source (`withheld`)."""
    quote = row.kept_quote or row.quote
    shape: EvidenceShape = {
        "id": row.id,
        "source": row.source_id,
        "section": row.section,
        "speaker": row.speaker,
        "sender": row.sender,
        "said_at": row.said_at,
        "start": row.start,
        "end": row.end,
        "quote": quote,
        "stance": row.stance,
        "anchor": row.anchor,
        "brought_by": row.brought_by or None,
    }
    if is_masked(quote):
        shape = {**shape, "masked": True}
    if row.redacted:
        shape = {**shape, "quote": None, "redacted": True}
    if not access.may(Right.READ, row.source_scope):
        shape = {**shape, "quote": None, "section": None, "sender": None, "said_at": None, "withheld": True}
    return shape


class ClaimShape(TypedDict):
    """What candidates and entities have in common."""

    id: int
    ref: str
    layer: LayerWord
    kind: str
    scope: str
    key: str
    topic: str
    subject: str
    tags: list[str]
    value_type: str
    value: Any
    statement: str
    status: StatusWord
    confidence: float
    confidence_word: str
    rule: str
    extractor: str
    extractor_version: str
    run: int | None
    hand_authored: bool
    high_risk: bool
    assignee: str
    seen_count: int
    evidence: list[EvidenceShape]
    summary: str
    version: int
    created_at: datetime
    last_seen_at: datetime
    withheld: NotRequired[Annotated[bool, FALSE_BY_DEFAULT]]
    valid_from: datetime | None
    valid_to: datetime | None


def claim_shape(claim: Claim, words: Iterable[Citation], access: Access) -> ClaimShape:
    return {
        "id": claim.pk,
        "ref": claim.ref,
        "layer": claim.layer,
        "kind": claim.kind_id,
        "scope": claim.scope.path,
        "key": claim.key,
        "topic": claim.topic,
        "subject": claim.subject,
        "tags": claim.tags,
        "value_type": claim.value_type,
        "value": claim.value,
        "statement": claim.statement,
        "status": claim.status,
        "confidence": claim.confidence,
        "confidence_word": claim.confidence_word,
        "rule": claim.rule,
        "extractor": claim.extractor,
        "extractor_version": claim.extractor_version,
        "run": claim.run_id,
        "hand_authored": claim.hand_authored,
        "high_risk": claim.high_risk,
        "assignee": claim.assignee,
        "seen_count": claim.seen_count,
        "evidence": [evidence_shape(row, access) for row in words],
        "summary": claim.summary,
        "version": claim.version,
        "created_at": claim.created_at,
        "last_seen_at": claim.last_seen_at,
        "valid_from": claim.valid_from,
        "valid_to": claim.valid_to,
    }


class PreviewShape(TypedDict):
    outcome: str
    against: list[str]


class ApprovalShape(TypedDict):
    """Somebody's word for a risky candidate, which another person's promotion completes."""

    id: int
    by: str
    at: datetime


class HolderShape(TypedDict):
    """Whose turn it is, who passed it on, and with which note."""

    to: str
    by: str
    at: datetime
    note: str


class CandidateShape(ClaimShape):
    """C. `preview` is null for what no longer waits. `four_eyes`: two people decide; `approvals`: who has, of these words;
    `handed_to`: whose turn it is, where somebody passed it on."""

    rank: float
    needs_review: bool
    anchors_to_choose: list[dict[str, int]]
    preview: PreviewShape | None
    expires_at: datetime | None
    deferred_until: datetime | None
    four_eyes: bool
    approvals: list[ApprovalShape]
    handed_to: HolderShape | None


def candidate_shape(
    claim: Claim,
    words: Iterable[Citation],
    preview: PromotionPreview | None,
    access: Access,
    eyes: ApprovalState | None = None,
    holder: Holder | None = None,
) -> CandidateShape:
    approvals = eyes.approvals if eyes else ()
    return {
        **claim_shape(claim, words, access),
        "rank": claim.rank,
        "needs_review": claim.needs_review,
        "anchors_to_choose": claim.anchors_to_choose,
        "preview": {"outcome": str(preview.outcome), "against": list(preview.against)} if preview else None,
        "expires_at": claim.expires_at,
        "deferred_until": claim.deferred_until,
        "four_eyes": eyes is not None,
        "approvals": [{"id": approval.pk, "by": approval.by, "at": approval.at} for approval in approvals],
        "handed_to": {"to": holder.to, "by": holder.by, "at": holder.at, "note": holder.note} if holder else None,
    }


def candidate_shapes(claims: Sequence[Claim], access: Access, words: Evidences | None = None) -> list[CandidateShape]:
    """C of each: one query for the evidence (`words`, where it is read already), at most three for the previews, two for
    approvals where something is risky, one for whose turn it is, however many claims."""
    words = words or evidence_of([claim.pk for claim in claims])
    waiting = [claim for claim in claims if claim.status in IN_QUEUE]
    met, eyes = (previews(waiting), approval_states(waiting)) if waiting else ({}, {})
    held = holders_of([claim.pk for claim in waiting])
    return [
        candidate_shape(claim, words[claim.pk], met.get(claim.pk), access, eyes.get(claim.pk), held.get(claim.pk))
        for claim in claims
    ]


class RelationsShape(TypedDict):
    """The refs around an entity."""

    supersedes: list[str]
    superseded_by: str | None
    merged: list[str]
    merged_into: str | None
    graduated_to: str | None


def relation_shapes(claims: Sequence[Claim]) -> dict[int, RelationsShape]:
    """What each claim replaced, took in, gave way to and grew into, by ref. Two queries at most."""
    joined: dict[tuple[int | None, str], list[str]] = defaultdict(list)
    rows = Claim.objects.filter(successor__in=[claim.pk for claim in claims]).order_by("pk")
    for successor, status, ref in rows.values_list("successor", "status", "ref"):
        joined[successor, status].append(ref)
    heirs = {claim.successor_id for claim in claims if claim.successor_id}
    refs = dict(Claim.objects.filter(pk__in=heirs).values_list("pk", "ref"))
    shapes: dict[int, RelationsShape] = {}
    for claim in claims:
        became = {claim.status: refs.get(claim.successor_id or 0)}
        shapes[claim.pk] = {
            "supersedes": joined[claim.pk, "superseded"],
            "superseded_by": became.get("superseded"),
            "merged": joined[claim.pk, "merged"],
            "merged_into": became.get("merged"),
            "graduated_to": became.get("graduated"),
        }
    return shapes


class EntityShape(ClaimShape, RelationsShape):
    """N. The refs around it: what it replaced and took in, gave way to and grew into."""

    disputed: bool
    needs_recheck: bool
    downstream: list[str]
    promoted_at: datetime | None
    truth: Annotated[float | None, Field(description=TRUTH)]
    utility: Annotated[float | None, Field(description=UTILITY)]


def entity_shapes(claims: Sequence[Claim], access: Access, words: Evidences | None = None) -> list[EntityShape]:
    """N of each: one query for the evidence (`words`, where it is read already), two for the refs around it, one for open
    conflicts (P15), one for what they rest on and what came of them."""
    words = words or evidence_of([claim.pk for claim in claims])
    around = relation_shapes(claims)
    contradicted = claims_in_open_conflict([claim.pk for claim in claims])
    standing = standing_of(claims)
    return [
        {
            **claim_shape(claim, words[claim.pk], access),
            **around[claim.pk],
            "disputed": claim.disputed or claim.pk in contradicted,
            "needs_recheck": claim.needs_recheck,
            "downstream": claim.downstream,
            "promoted_at": claim.promoted_at,
            "truth": standing[claim.pk].truth,
            "utility": standing[claim.pk].utility,
        }
        for claim in claims
    ]


_SAID: Shape = {
    "statement": "", "value": None, "key": "", "topic": "", "subject": "", "tags": [], "assignee": "", "summary": "",
    "evidence": [], "anchors_to_choose": [], "preview": None, "downstream": [], "approvals": [],
    "handed_to": None,
}  # fmt: skip


def withheld[S: ClaimShape](shape: S) -> S:
    """A claim's row without what it says, for a token that may change it but not read it."""
    blank = {name: value for name, value in _SAID.items() if name in shape}
    return cast(S, {**shape, **blank, "withheld": True})
