"""S and R of the contract: each answer's shape is declared once, and beside it stands the function that fills it from rows.

A shape is a `TypedDict`: mypy checks what the function returns, the OpenAPI pages show it (`response=`), and no list is validated
on its way out (endpoints answer with `Response`).
"""

from datetime import datetime
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import Field

from ledger.choices import RunStatusWord, SourceKindWord, SpeakerWord, StatusWord
from ledger.models import Claim, Evidence, Gate, Run, RunHit, Source
from ledger.reads.outcomes_by_rule import outcomes_of_run

MAX_HITS = 1000
ACCEPTED = {"responses": {202: {"description": "Accepted; the runs are not finished"}}}

NULL_BY_DEFAULT = Field(json_schema_extra={"default": None})


def time_of(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


class SectionShape(TypedDict):
    """A labelled range of a source, in code points, half-open."""

    name: str
    speaker: SpeakerWord
    heading_path: list[str]
    start: int
    end: int


class SourceShape(TypedDict):
    """S: one text, never changed. `sha256` is that of its UTF-8 bytes."""

    id: int
    scope: str
    conversation: str | None
    conversation_id: int | None
    kind: SourceKindWord
    sender: str
    sender_kind: SpeakerWord
    sent_at: str | None
    edited_at: str | None
    position: int
    title: str
    text: str
    sha256: str
    sections: list[SectionShape]
    external_id: str
    reply_to: str
    replaces: int | None
    created_at: str
    purged_at: str | None


def source_shape(source: Source) -> SourceShape:
    """Sections and conversation are read from what was prefetched."""
    return {
        "id": source.pk,
        "scope": source.scope.path,
        "conversation": source.conversation.external_id if source.conversation else None,
        "conversation_id": source.conversation_id,
        "kind": source.kind,
        "sender": source.sender,
        "sender_kind": source.sender_kind,
        "sent_at": time_of(source.sent_at),
        "edited_at": time_of(source.edited_at),
        "position": source.position,
        "title": source.title,
        "text": source.text,
        "sha256": source.sha256,
        "sections": [
            {
                "name": section.name,
                "speaker": section.speaker,
                "heading_path": section.heading_path,
                "start": section.start,
                "end": section.end,
            }
            for section in source.sections.all()
        ],
        "external_id": source.external_id,
        "reply_to": source.reply_to,
        "replaces": source.replaces_id,
        "created_at": source.created_at.isoformat(),
        "purged_at": time_of(source.purged_at),
    }


class RunShape(TypedDict):
    """R: one pass of one extractor over one source. `stats` counts proposed, written, duplicates (seen before and still
    waiting), merged (new evidence for what holds), notes, held_back and dropped."""

    id: int
    scope: str
    input: dict[str, Any]
    extractor: str
    extractor_version: str
    forced: bool
    status: RunStatusWord
    stats: dict[str, int]
    error: str | None
    model: str | None
    tokens: int
    attempts: int
    requested_by: str
    retry_at: str | None
    created_at: str
    started_at: str | None
    finished_at: str | None


def run_shape(run: Run, *, may_read: bool = True) -> RunShape:
    """`input` names the source; `tokens` and `model` are those of a model extractor. Who may not read the scope is not told
    what went wrong, which may quote a text."""
    return {
        "id": run.pk,
        "scope": run.scope.path,
        "input": {"source": run.source_id, "sha256": run.input_hash},
        "extractor": run.extractor,
        "extractor_version": run.extractor_version,
        "forced": run.forced,
        "status": run.status,
        "stats": run.stats,
        "error": (run.error or None) if may_read else None,
        "model": run.model or None,
        "tokens": run.tokens,
        "attempts": run.attempts,
        "requested_by": run.requested_by,
        "retry_at": time_of(run.retry_at),
        "created_at": run.created_at.isoformat(),
        "started_at": time_of(run.started_at),
        "finished_at": time_of(run.finished_at),
    }


class TripwireShape(TypedDict):
    """What the tripwire said of a message: `patterns` is why, the weightiest first. It can pass below the threshold where it
    answers an open question."""

    score: float
    threshold: float
    passed: bool
    patterns: list[str]


class SentShape(TypedDict):
    """One source as it was taken, with a run of each extractor that reads it; `run` is the first of them. `tripwire` is null
    where the scope's packs have none."""

    source: SourceShape
    duplicate: bool
    tripwire: TripwireShape | None
    run: RunShape | None
    runs: list[RunShape]


class FailedShape(TypedDict):
    """One item of a batch that could not be taken."""

    error: dict[str, Any]


class BatchShape(TypedDict):
    """The answers of a batch, in the order of its items."""

    results: list[SentShape | FailedShape]


class RunsShape(TypedDict):
    """The runs that were asked for."""

    runs: list[RunShape]


class DryRunShape(TypedDict):
    """What a pass would propose now; nothing was written."""

    dry_run: Literal[True]
    proposals: list[dict[str, Any]]
    sources: NotRequired[int]
    sources_left_off: NotRequired[int]


# Another pass: its runs, or what it would propose.
PASS: dict[int, Any] = {200: RunsShape | DryRunShape, 202: RunsShape}


class RunPage(TypedDict):
    """A page of runs."""

    items: list[RunShape]
    next: str | None
    total: NotRequired[Annotated[int | None, NULL_BY_DEFAULT]]


class HitShape(TypedDict):
    """A hit that is no candidate of its own: `fate` held_back, dropped, note, duplicate or merged, and why. `claim` is what
    it joined, or what was refused for saying it; `admitted` what was made of it afterwards."""

    number: int
    fate: str
    why: str
    hit: dict[str, Any] | None
    claim: str | None
    admitted: str | None


class WrittenShape(TypedDict):
    """A candidate that a run wrote, as it now stands."""

    id: int
    ref: str
    kind: str
    rule: str
    statement: str
    status: StatusWord
    confidence: float
    rank: float


class RunReport(RunShape):
    """R with the fate of every hit. `ledger` has proposed, admitted, merged, superseded, archived, held_back, dropped and
    notes, the same `by_rule`, and `reasons`. `raw_answer` is what a model said, to the byte."""

    raw_answer: NotRequired[Annotated[str | None, NULL_BY_DEFAULT]]
    hits: NotRequired[list[HitShape]]
    written: NotRequired[list[WrittenShape]]
    ledger: dict[str, Any]


def report_shape(run: Run) -> RunReport:
    hits = run.hits.select_related("admitted", "claim").defer("admitted__search", "claim__search")
    return {
        **run_shape(run),
        "raw_answer": run.raw_answer or None,
        "hits": [hit_shape(row) for row in hits[:MAX_HITS]],
        "written": [written_shape(claim) for claim in run.claims.order_by("id")[:MAX_HITS]],
        "ledger": outcomes_of_run(run.pk).as_json(),
    }


def hit_shape(row: RunHit) -> HitShape:
    return {
        "number": row.number,
        "fate": row.fate,
        "why": row.why,
        "hit": row.hit,
        "claim": row.claim.ref if row.claim else None,
        "admitted": row.admitted.ref if row.admitted else None,
    }


def written_shape(claim: Claim) -> WrittenShape:
    return {
        "id": claim.pk,
        "ref": claim.ref,
        "kind": claim.kind_id,
        "rule": claim.rule,
        "statement": claim.statement,
        "status": claim.status,
        "confidence": claim.confidence,
        "rank": claim.rank,
    }


class GateShape(TypedDict):
    """One confidence check, with its own score and threshold."""

    id: int
    source: int
    run: int | None
    stage: str
    type: str
    score: float
    threshold: float
    passed: bool
    decision: str
    patterns: list[str]
    at: str


class GatePage(TypedDict):
    items: list[GateShape]
    next: str | None


def gate_shape(gate: Gate) -> GateShape:
    return {
        "id": gate.pk,
        "source": gate.source_id,
        "run": gate.run_id,
        "stage": gate.stage,
        "type": gate.type,
        "score": gate.score,
        "threshold": gate.threshold,
        "passed": gate.passed,
        "decision": gate.decision,
        "patterns": gate.patterns,
        "at": gate.at.isoformat(),
    }


class CitingClaim(TypedDict):
    id: int
    ref: str
    kind: str
    status: StatusWord


class QuoteShape(TypedDict):
    """E of one source that the reader may see, with the claim that cites it."""

    id: int
    source: int
    section: str
    speaker: SpeakerWord
    start: int
    end: int
    quote: str | None
    stance: str
    anchor: str
    claim: CitingClaim
    redacted: NotRequired[bool]


class QuotePage(TypedDict):
    items: list[QuoteShape]
    next: str | None


def quote_shape(row: Evidence) -> QuoteShape:
    shape: QuoteShape = {
        "id": row.pk,
        "source": row.source_id,
        "section": row.section.name,
        "speaker": row.speaker,
        "start": row.start,
        "end": row.end,
        "quote": row.quote,
        "stance": row.stance,
        "anchor": row.anchor,
        "claim": {"id": row.claim_id, "ref": row.claim.ref, "kind": row.claim.kind_id, "status": row.claim.status},
    }
    return {**shape, "quote": None, "redacted": True} if row.redacted else shape
