"""What comes in, as the API reads it and tells it on its pages."""

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import BeforeValidator, ConfigDict, Field, StrictBool

from extraction.intake.take import SentAt, SourceIn

QUICK_ANSWERS = {"dont know": "IDK", "i dont know": "IDK", "y": "YES", "n": "NO", "none": "", "(none)": ""}


class StrictSchema(Schema):
    """What it does not know is refused."""

    model_config = ConfigDict(extra="forbid")


class SourcesIn(Schema):
    """Up to 500 texts. An item that is wrong answers with its own error; the others are kept."""

    sources: list[SourceIn] = Field(max_length=500)
    wait: float = Field(default=0, ge=0, le=30)


class ExtractIn(StrictSchema):
    """Ask for another pass. `force` proposes beside an equal pass; `dry_run` tells what would be proposed."""

    wait: float = Field(default=0, ge=0, le=30)
    force: StrictBool = False
    extractors: list[str] | None = Field(default=None, max_length=20)
    dry_run: StrictBool = False


class QuotedHit(StrictSchema):
    """A hit with the words that it lacks: a quote of the run's source, found by the program."""

    number: int
    quote: str = Field(min_length=1, max_length=4000)
    start: int | None = Field(default=None, ge=0, lt=2**31)
    end: int | None = Field(default=None, ge=0, lt=2**31)


class AdmitIn(StrictSchema):
    """Hits of a run's report that became no candidate, by number, or with the quote that they lack."""

    hits: list[int | QuotedHit] = Field(min_length=1, max_length=200)


def _quick_answer(given: Any) -> Any:
    """As people and screens write it: `yes`, `Don't know`, `IDK`; null for none."""
    if not isinstance(given, str):
        return given if given is not None else ""
    word = " ".join(given.replace("'", "").replace("’", "").replace("_", " ").casefold().split())
    return QUICK_ANSWERS.get(word, word.upper())


# Text that may be null as well as left out.
Words = Annotated[str, BeforeValidator(lambda given: "" if given is None else given)]


class ItemIn(StrictSchema):
    """A part of the project, named by the caller's own id."""

    id: str = Field(min_length=1, max_length=200)
    name: str = Field(min_length=1, max_length=200)


class QuestionIn(StrictSchema):
    id: str = Field(min_length=1, max_length=200)
    text: str = Field(max_length=20_000)


class AnswerIn(StrictSchema):
    """`quick` is yes, no, don't know (IDK) or irrelevant; `text` is free."""

    question: str = Field(min_length=1, max_length=200)
    quick: Annotated[Literal["YES", "NO", "IDK", "IRRELEVANT", ""], BeforeValidator(_quick_answer)] = ""
    text: Words = ""


class TurnIn(StrictSchema):
    """One turn. `id` is the bundle's id, made where none is given; sent again with the same id and words it is the same turn."""

    scope: str = Field(max_length=400)
    id: Words = Field(default="", max_length=200)
    stage: Words = Field(default="", max_length=60)
    items: list[ItemIn] = Field(default=[], max_length=500)
    selected: list[str] = Field(default=[], max_length=500)
    questions: list[QuestionIn] = Field(default=[], max_length=500)
    answers: list[AnswerIn] = Field(default=[], max_length=500)
    free_chat: Words = ""
    agent_output: Words = ""
    conversation: Words = Field(default="", max_length=300)
    sender: Words = Field(default="", max_length=200)
    sent_at: SentAt | None = None
    extract: StrictBool = True
    wait: float = Field(default=0, ge=0, le=30)


class EventIn(StrictSchema):
    type: Literal["user", "model", "tool"]
    text: str = Field(min_length=1)
    tool: Words = Field(default="", max_length=200)
    exit_code: int | None = Field(default=None, ge=-(2**31), lt=2**31)


class EpisodeIn(StrictSchema):
    """What a user said, a model answered and tools returned, in order."""

    scope: str = Field(max_length=400)
    conversation: Words = Field(default="", max_length=300)
    id: Words = Field(default="", max_length=200)
    events: list[EventIn] = Field(min_length=1, max_length=2000)
    sender: Words = Field(default="", max_length=200)
    sent_at: SentAt | None = None
    title: Words = Field(default="", max_length=500)
    extract: StrictBool = True
    wait: float = Field(default=0, ge=0, le=30)


def inline_schema(shape: type[Schema]) -> dict[str, Any]:
    """The JSON schema without references, so that it can stand anywhere in the OpenAPI document."""
    schema = shape.model_json_schema()
    parts = schema.pop("$defs", {})
    resolved: dict[str, Any] = _resolved(schema, parts)
    return resolved


def _resolved(node: Any, parts: dict[str, Any]) -> Any:
    if isinstance(node, dict):
        if "$ref" in node:
            return _resolved(parts[node["$ref"].rpartition("/")[2]], parts)
        return {name: _resolved(value, parts) for name, value in node.items()}
    if isinstance(node, list):
        return [_resolved(item, parts) for item in node]
    return node


SOURCE_EXAMPLE = {
    "scope": "studio/backdrop",
    "kind": "document",
    "title": "Weekly",
    "text": "## Decision: Keep the blue door\n",
    "external_id": "minutes/2026-01-30.md",
    "wait": 10,
}
WAVE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["scope", "label", "sources"],
    "properties": {
        "scope": {"type": "string"},
        "label": {"type": "string", "maxLength": 200},
        "sources": {"type": "array", "maxItems": 500, "items": {"anyOf": [{"type": "integer"}, {"type": "object"}]}},
        "extract": {"type": "boolean", "default": True},
        "create_scope": {"type": "boolean", "default": False},
        "wait": {"type": "number", "minimum": 0, "maximum": 30},
    },
}


def body_of(schema: dict[str, Any]) -> dict[str, Any]:
    """What an operation that reads its body by hand adds to the OpenAPI document."""
    content = {"application/json": {"schema": schema, "example": SOURCE_EXAMPLE}}
    return {"requestBody": {"required": True, "content": content}}


SOURCES_BODY = body_of({"anyOf": [inline_schema(SourceIn), inline_schema(SourcesIn)]})
WAVE_BODY = body_of(WAVE_SCHEMA)
