"""The shapes around trusted state: conflicts, why and why not."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict

from ledger.models import Conflict, TrustedState
from ledger.reads.claims import Citation, evidence_of
from ledger.reads.conflicts import ConflictSide, conflict_sides
from ledger.reads.why import WhyChain, WhyStep
from ledger.reads.why_not import WhyNotReason
from ledger.rules.permissions import Access
from review.api.event_shapes import EventShape, event_shape
from review.api.shapes import FALSE_BY_DEFAULT, EvidenceShape, evidence_shape


class TrustedShape(TypedDict):
    ref: str
    scope: str
    key: str
    value: Any
    statement: str
    cites: list[str]
    by: str
    at: datetime
    disputed: bool
    status: str
    version: int


def trusted_shape(row: TrustedState, *, disputed: bool) -> TrustedShape:
    """One line of trusted state; `by` and `at` tell whose hand set it, and when."""
    return {
        "ref": row.ref,
        "scope": row.scope.path,
        "key": row.key,
        "value": row.value,
        "statement": row.statement,
        "cites": row.cites,
        "by": row.by,
        "at": row.at,
        "disputed": disputed,
        "status": row.status,
        "version": row.version,
    }


class MemberShape(TypedDict):
    ref: str
    statement: str
    value: Any
    layer: str
    status: str
    evidence: list[EvidenceShape]


class ConflictShape(TypedDict):
    id: int
    scope: str
    slot: str
    status: str
    members: list[MemberShape]
    opened_at: datetime
    version: int


def conflict_shapes(rows: Sequence[Conflict], access: Access) -> list[ConflictShape]:
    """Each conflict with its members: one query for those, one for their evidence."""
    members = conflict_sides(rows)
    words = evidence_of(side.claim.pk for group in members.values() for side in group if side.claim)
    return [
        {
            "id": row.pk,
            "scope": row.scope.path,
            "slot": row.slot,
            "status": row.status,
            "members": [_side_shape(side, words, access) for side in members[row.pk]],
            "opened_at": row.opened_at,
            "version": row.version,
        }
        for row in rows
    ]


def _side_shape(side: ConflictSide, words: dict[int, list[Citation]], access: Access) -> MemberShape:
    row = side.row
    return {
        "ref": row.ref,
        "statement": row.statement,
        "value": row.value,
        "layer": side.claim.layer if side.claim else "trusted",
        "status": row.status,
        "evidence": [evidence_shape(one, access) for one in words[side.claim.pk]] if side.claim else [],
    }


class LinkShape(TypedDict):
    layer: str
    id: int
    ref: NotRequired[str | None]
    statement: NotRequired[str | None]
    quote: NotRequired[str | None]
    source: NotRequired[int | None]
    start: NotRequired[int | None]
    end: NotRequired[int | None]
    stance: NotRequired[str | None]
    brought_by: NotRequired[str | None]
    withheld: NotRequired[Annotated[bool, FALSE_BY_DEFAULT]]
    redacted: NotRequired[Annotated[bool, FALSE_BY_DEFAULT]]
    event: EventShape | None
    verified: bool


class WhyShape(TypedDict):
    """The chain from the value down to the sources, each step checked while it was read."""

    ref: str
    statement: str
    value: Any
    verified: bool
    chain: list[LinkShape]


def why_shape(found: WhyChain, access: Access) -> WhyShape:
    return {
        "ref": found.ref,
        "statement": found.statement,
        "value": found.value,
        "verified": found.verified,
        "chain": [_link_shape(link, access) for link in found.chain],
    }


def _link_shape(link: WhyStep, access: Access) -> LinkShape:
    shape: LinkShape = {
        "layer": link.layer,
        "id": link.id,
        "event": event_shape(link.event, access) if link.event else None,
        "verified": link.verified,
    }
    if link.layer == "evidence":
        shape |= {
            "quote": link.words,
            "source": link.source,
            "start": link.start,
            "end": link.end,
            "stance": link.stance,
        }
    else:
        shape["statement"] = link.words
    if link.ref:
        shape["ref"] = link.ref
    if link.brought_by:
        shape["brought_by"] = link.brought_by
    if link.withheld:
        shape["withheld"] = True
    if link.redacted:
        shape["redacted"] = True
    return shape


class ReasonShape(TypedDict):
    ref: NotRequired[str | None]
    statement: str
    reason: str
    event: NotRequired[EventShape | None]


def reason_shape(found: WhyNotReason, access: Access) -> ReasonShape:
    """One answer of why-not."""
    shape: ReasonShape = {"statement": found.statement, "reason": found.reason}
    if found.ref:
        shape["ref"] = found.ref
    if found.event is not None:
        shape["event"] = event_shape(found.event, access)
    return shape
