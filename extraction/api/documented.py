"""The shapes of sources and runs for the API's own pages. Answers are plain dicts: no page of them is validated twice."""

from typing import Any

from pydantic import BaseModel, Field

type Json = dict[str, Any]

EXAMPLE = {
    "scope": "studio/backdrop",
    "kind": "document",
    "title": "Weekly",
    "text": "## Decision: Keep the blue door\n",
    "external_id": "minutes/2026-01-30.md",
    "wait": 10,
}


class SectionShape(BaseModel):
    """A labelled range of a source, in code points, half-open."""

    name: str
    speaker: str
    heading_path: list[str]
    start: int
    end: int


class SourceShape(BaseModel):
    """S: one text, never changed. `sha256` is that of its UTF-8 bytes."""

    id: int
    scope: str
    conversation: str | None
    conversation_id: int | None
    kind: str
    sender: str
    sender_kind: str
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


class RunShape(BaseModel):
    """R: one pass of one extractor over one source. `stats` counts proposed, written, duplicates (seen before and still
    waiting), merged (new evidence for what holds), notes, held_back and dropped."""

    id: int
    scope: str
    input: dict[str, Any]
    extractor: str
    extractor_version: str
    forced: bool
    status: str
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


class TripwireShape(BaseModel):
    """What the tripwire said of a message: `patterns` is why, the weightiest first. It can pass below the threshold where it
    answers an open question."""

    score: float
    threshold: float
    passed: bool
    patterns: list[str]


class SentShape(BaseModel):
    """One source as it was taken. `tripwire` is null where the scope's packs have none."""

    source: SourceShape
    duplicate: bool
    tripwire: TripwireShape | None
    run: RunShape | None


class FailedShape(BaseModel):
    """One item of a batch that could not be taken."""

    error: dict[str, Any]


class BatchShape(BaseModel):
    """The answers of a batch, in the order of its items."""

    results: list[SentShape | FailedShape]


class RunsShape(BaseModel):
    """The runs that were asked for."""

    runs: list[RunShape]


class HitShape(BaseModel):
    """A hit that is no candidate of its own: `fate` held_back, dropped, note, duplicate or merged, and why. `claim` is what
    it joined, or what was refused for saying it; `admitted` what was made of it afterwards."""

    number: int
    fate: str
    why: str
    hit: dict[str, Any] | None
    claim: str | None
    admitted: str | None


class WrittenShape(BaseModel):
    """A candidate that a run wrote, as it now stands."""

    id: int
    ref: str
    kind: str
    rule: str
    statement: str
    status: str
    confidence: float
    rank: float


class RunReport(RunShape):
    """R with the fate of every hit. `ledger` has proposed, admitted, merged, superseded, archived, held_back, dropped and
    notes, the same `by_rule`, and `reasons`. `raw_answer` is what a model said, to the byte."""

    raw_answer: str | None = None
    hits: list[HitShape] = Field(default_factory=list)
    written: list[WrittenShape] = Field(default_factory=list)
    ledger: dict[str, Any]


class RunPage(BaseModel):
    """A page of runs."""

    items: list[RunShape]
    next: str | None
    total: int | None = None


def documented(*shapes: type[BaseModel], statuses: tuple[int, ...] = (200,), body: Json | None = None) -> Json:
    """What an operation adds to the OpenAPI document: one of `shapes` at each status, and the body where it is read by
    hand."""
    schemas = [schema_of(shape) for shape in shapes]
    answer = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    told: Json = {
        "responses": {
            status: {"description": WORDS[status], "content": {"application/json": {"schema": answer}}}
            for status in statuses
        }
    }
    if body is not None:
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": body, "example": EXAMPLE}}}
    return told


WORDS = {200: "OK", 201: "Created", 202: "Accepted; the runs are not finished"}


def schema_of(shape: type[BaseModel]) -> Json:
    """The JSON schema without references, so that it can stand anywhere in the document."""
    schema = shape.model_json_schema()
    parts = schema.pop("$defs", {})
    resolved: Json = _resolved(schema, parts)
    return resolved


def _resolved(node: Any, parts: Json) -> Any:
    if isinstance(node, dict):
        if "$ref" in node:
            return _resolved(parts[node["$ref"].rpartition("/")[2]], parts)
        return {name: _resolved(value, parts) for name, value in node.items()}
    if isinstance(node, list):
        return [_resolved(item, parts) for item in node]
    return node
