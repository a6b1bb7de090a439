"""The shapes of the outward contract: E, C, N and V as plain dicts, built from rows that were read a page at a time.

Plain dicts, written out by `answer`: a list of two hundred passes no validation on its way out.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from pydantic_core import to_json

from ledger.models import Claim, JournalEvent
from ledger.reads.claims import Citation, evidence_of
from ledger.reads.conflicts import claims_in_open_conflict
from ledger.reads.history import moved_out_of_sight
from ledger.reads.page import Page
from ledger.reads.policies.in_force import ApprovalState, approval_states
from ledger.reads.rivals import previews
from ledger.rules.permissions import Access
from ledger.rules.reconcile import PromotionPreview

type Shape = dict[str, Any]
# The evidence of claims, by their ids.
type Evidences = Mapping[int, Sequence[Citation]]


def answer(body: Any, status: int = 200) -> HttpResponse:
    """JSON; times in ISO 8601 with their offset."""
    return HttpResponse(to_json(body), status=status, content_type="application/json")


def page(found: Page[Any], items: Sequence[Shape]) -> HttpResponse:
    """`{"items", "next"}`, and `total` where it was counted."""
    body: Shape = {"items": items, "next": found.next}
    if found.total is not None:
        body["total"] = found.total
    return answer(body)


def evidence_shape(row: Citation, access: Access) -> Shape:
    """E. The quote is null where the words were purged (`redacted`) or the reader may not see the source (`withheld`)."""
    shape: Shape = {
        "id": row.id,
        "source": row.source_id,
        "section": row.section,
        "speaker": row.speaker,
        "start": row.start,
        "end": row.end,
        "quote": row.quote,
        "stance": row.stance,
        "anchor": row.anchor,
        "brought_by": row.brought_by or None,
    }
    if row.redacted:
        shape |= {"quote": None, "redacted": True}
    if not row.readable(access):
        shape |= {"quote": None, "section": None, "withheld": True}
    return shape


def _common(claim: Claim, words: Iterable[Citation], access: Access) -> Shape:
    return {
        "id": claim.pk,
        "ref": claim.ref,
        "layer": claim.layer,
        "kind": claim.kind_id,
        "scope": claim.scope.path,
        "key": claim.key,
        "topic": claim.topic,
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
    }


def candidate_shape(
    claim: Claim,
    words: Iterable[Citation],
    preview: PromotionPreview | None,
    access: Access,
    eyes: ApprovalState | None = None,
) -> Shape:
    """C. `preview` is null for what no longer waits. `four_eyes` tells whether two people decide, `approvals` who has."""
    return _common(claim, words, access) | {
        "rank": claim.rank,
        "needs_review": claim.needs_review,
        "anchors_to_choose": claim.anchors_to_choose,
        "preview": {"outcome": str(preview.outcome), "against": list(preview.against)} if preview else None,
        "expires_at": claim.expires_at,
        "deferred_until": claim.deferred_until,
        "valid_from": claim.valid_from,
        "valid_to": claim.valid_to,
        "four_eyes": eyes is not None,
        "approvals": [
            {"by": approval.by, "at": approval.at, "id": approval.pk} for approval in (eyes.approvals if eyes else ())
        ],
    }


def candidate_shapes(claims: Sequence[Claim], access: Access, words: Evidences | None = None) -> list[Shape]:
    """C of each: one query for the evidence (`words`, where it is read already), at most three for the previews, two for
    approvals where something is risky, however many claims."""
    words = words or evidence_of([claim.pk for claim in claims])
    met, eyes = previews(claims), approval_states(claims)
    return [candidate_shape(claim, words[claim.pk], met.get(claim.pk), access, eyes.get(claim.pk)) for claim in claims]


def entity_shapes(claims: Sequence[Claim], access: Access, words: Evidences | None = None) -> list[Shape]:
    """N of each: one query for the evidence (`words`, where it is read already), one for the refs around it, one for open
    conflicts (P15)."""
    words = words or evidence_of([claim.pk for claim in claims])
    around = relations(claims)
    contradicted = claims_in_open_conflict([claim.pk for claim in claims])
    return [
        _common(claim, words[claim.pk], access)
        | {
            "disputed": claim.disputed or claim.pk in contradicted,
            "needs_recheck": claim.needs_recheck,
            "valid_from": claim.valid_from,
            "valid_to": claim.valid_to,
            "downstream": claim.downstream,
            "promoted_at": claim.promoted_at,
            "truth": None,
            "utility": None,
        }
        | around[claim.pk]
        for claim in claims
    ]


_SAID: Shape = {
    "statement": "", "value": None, "key": "", "topic": "", "tags": [], "assignee": "", "summary": "", "evidence": [],
    "anchors_to_choose": [], "preview": None, "downstream": [], "approvals": [],
}  # fmt: skip


def withheld(shape: Shape) -> Shape:
    """A claim's row without what it says, for a token that may change it but not read it."""
    return {name: _SAID.get(name, value) for name, value in shape.items()} | {"withheld": True}


def relations(claims: Sequence[Claim]) -> dict[int, Shape]:
    """What each claim replaced, took in, gave way to and grew into, by ref. One query."""
    ids = [claim.pk for claim in claims]
    rows = Claim.objects.filter(successor__in=ids).order_by("pk").values_list("successor", "status", "ref")
    heirs = {claim.successor_id for claim in claims if claim.successor_id}
    rows_of_heirs = Claim.objects.filter(pk__in=heirs).values_list("pk", "ref") if heirs else ()
    refs: Mapping[int, str] = dict(rows_of_heirs)
    found: dict[int, Shape] = {}
    for claim in claims:
        heir = refs.get(claim.successor_id) if claim.successor_id else None
        found[claim.pk] = {
            "supersedes": [],
            "superseded_by": heir if claim.status == "superseded" else None,
            "merged": [],
            "merged_into": heir if claim.status == "merged" else None,
            "graduated_to": heir if claim.status == "graduated" else None,
        }
    for successor, status, ref in rows:
        if successor is None:
            continue
        if status == "superseded":
            found[successor]["supersedes"].append(ref)
        elif status == "merged":
            found[successor]["merged"].append(ref)
    return found


def event_shape(event: JournalEvent, access: Access) -> Shape:
    """V, from an event read with its scope, its changes and `undone_by`. A redacted event keeps who and when. A change that
    moved a row to or from a scope out of sight has neither before nor after."""
    unseen = moved_out_of_sight(event, access)
    undoing = getattr(event, "undone_by", None)
    shape: Shape = {
        "id": event.pk,
        "at": event.at,
        "verb": event.verb,
        "actor": {"kind": event.actor_kind, "name": event.actor_name},
        "door": event.door,
        "scope": event.scope.path,
        "ref": event.ref,
        "reason": event.reason,
        "batch": str(event.batch) if event.batch else None,
        "undoes": event.undoes_id,
        "undone_by": undoing.pk if undoing else None,
        "redacted": event.redacted,
        "changes": [
            {
                "noun": change.noun,
                "row": change.row,
                "before": None if change.pk in unseen else change.before,
                "after": None if change.pk in unseen else change.after,
                "implicit": change.implicit,
            }
            for change in event.changes.all()
        ],
    }
    seal = event._state.fields_cache.get("seal")
    if seal is not None:
        shape["number"] = seal.number
    return shape
