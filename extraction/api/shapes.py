"""S and R of the contract, and what comes in."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from ninja import Schema
from pydantic import AwareDatetime, ConfigDict, Field, model_validator

from ledger.models import Claim, Evidence, Gate, Run, RunHit, Source

type Shape = dict[str, Any]


class SourceIn(Schema):
    """One text as it comes. Text is kept to the byte; offsets are counted in its code points."""

    model_config = ConfigDict(extra="forbid")

    scope: str = Field(max_length=400)
    kind: str = "document"
    text: str
    conversation: str = Field(default="", max_length=300)
    sender: str = Field(default="", max_length=200)
    sender_kind: str = ""
    sent_at: AwareDatetime | None = None
    edited_at: AwareDatetime | None = None
    external_id: str = Field(default="", max_length=500)
    reply_to: str = Field(default="", max_length=500)
    title: str = Field(default="", max_length=500)
    extract: bool = True
    wait: float = Field(default=0, ge=0, le=30)

    @model_validator(mode="before")
    @classmethod
    def null_is_absent(cls, given: Any) -> Any:
        """What a caller has nothing for may be null as well as left out; `scope` and `text` must be there."""
        if not isinstance(given, dict):
            return given
        return {name: value for name, value in given.items() if value is not None or name in ("scope", "text")}


class SourcesIn(Schema):
    """Up to 500 texts. An item that is wrong answers with its own error; the others are kept."""

    sources: list[SourceIn] = Field(max_length=500)
    wait: float = Field(default=0, ge=0, le=30)


class ExtractIn(Schema):
    """Ask for another pass. `force` proposes beside an equal pass; `dry_run` tells what would be proposed."""

    model_config = ConfigDict(extra="forbid")

    wait: float = Field(default=0, ge=0, le=30)
    force: bool = False
    extractors: list[str] | None = Field(default=None, max_length=20)
    dry_run: bool = False


class QuotedHit(Schema):
    """A hit with the words that it lacks: a quote of the run's source, found by the program."""

    model_config = ConfigDict(extra="forbid")

    number: int
    quote: str = Field(min_length=1, max_length=4000)
    start: int | None = Field(default=None, ge=0, lt=2**31)
    end: int | None = Field(default=None, ge=0, lt=2**31)


class AdmitIn(Schema):
    """Hits of a run's report that became no candidate, by number, or with the quote that they lack."""

    model_config = ConfigDict(extra="forbid")

    hits: list[int | QuotedHit] = Field(min_length=1, max_length=200)


def time_of(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def source_shape(source: Source, *, scope: str | None = None) -> Shape:
    """S. Sections and conversation are read from what was prefetched."""
    return {
        "id": source.pk,
        "scope": scope or source.scope.path,
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
        "created_at": time_of(source.created_at),
        "purged_at": time_of(source.purged_at),
    }


def run_shape(run: Run) -> Shape:
    """R. `input` names the source; `tokens` and `model` are those of a model extractor."""
    return {
        "id": run.pk,
        "scope": run.scope.path,
        "input": {"source": run.source_id, "sha256": run.input_hash},
        "extractor": run.extractor,
        "extractor_version": run.extractor_version,
        "forced": run.forced,
        "status": run.status,
        "stats": run.stats,
        "error": run.error or None,
        "model": run.model or None,
        "tokens": run.tokens,
        "attempts": run.attempts,
        "requested_by": run.requested_by,
        "retry_at": time_of(run.retry_at),
        "created_at": time_of(run.created_at),
        "started_at": time_of(run.started_at),
        "finished_at": time_of(run.finished_at),
    }


def hit_shape(row: RunHit) -> Shape:
    return {
        "number": row.number,
        "fate": row.fate,
        "why": row.why,
        "hit": row.hit,
        "claim": row.claim.ref if row.claim else None,
        "admitted": row.admitted.ref if row.admitted else None,
    }


def written_shapes(claims: Iterable[Claim]) -> list[Shape]:
    """What a run wrote, as it now stands."""
    return [
        {
            "id": claim.pk,
            "ref": claim.ref,
            "kind": claim.kind_id,
            "rule": claim.rule,
            "statement": claim.statement,
            "status": claim.status,
            "confidence": claim.confidence,
            "rank": claim.rank,
        }
        for claim in claims
    ]


def gate_shape(gate: Gate) -> Shape:
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
        "at": time_of(gate.at),
    }


def evidence_shapes(rows: Iterable[Evidence]) -> list[Shape]:
    """E of one source the reader may see, each with the ref and state of the claim that cites it."""
    return [
        {
            "id": row.pk,
            "source": row.source_id,
            "section": row.section.name,
            "speaker": row.speaker,
            "start": row.start,
            "end": row.end,
            "quote": None if row.redacted else row.quote,
            "stance": row.stance,
            "anchor": row.anchor,
            "claim": {"id": row.claim_id, "ref": row.claim.ref, "kind": row.claim.kind_id, "status": row.claim.status},
            **({"redacted": True} if row.redacted else {}),
        }
        for row in rows
    ]
