"""A task as an agent reads it: the state extracted from a conversation, then the conversation (D11)."""

from datetime import datetime
from typing import TypedDict

from django.http import HttpResponse
from ninja import Router

from ledger.actor import ActorRequest
from ledger.choices import SpeakerWord, StatusWord
from ledger.reads.scopes import scope_at
from ledger.reads.task import MAX_CHARACTERS, TaskMessage, task_at
from review.api.shapes import answer

router = Router(tags=["recall"])


class ExtractedShape(TypedDict):
    ref: str
    kind: str
    status: StatusWord
    statement: str


class ExtractedStateShape(TypedDict):
    claims: list[ExtractedShape]
    patterns: list[str]


class TaskMessageShape(TypedDict):
    source: int
    id: str
    sender: str
    speaker: SpeakerWord
    at: datetime
    text: str
    cut: bool
    refs: list[str]


class TaskShape(TypedDict):
    scope: str
    conversation: str
    title: str
    extracted_state: ExtractedStateShape
    discussion: list[TaskMessageShape]
    next: str | None


@router.get("/tasks/{path:conversation}", response=TaskShape)
def get_task(
    request: ActorRequest, conversation: str, scope: str, limit: int = 50, cursor: str | None = None
) -> HttpResponse:
    """What was extracted from a conversation first, what holds and what waits; then the discussion, the oldest first, each message
    with the refs of the claims that rest on it. `next` turns the discussion's page."""
    access = request.actor.access
    place = scope_at(scope, access)
    found = task_at(conversation, place, access, limit=limit, cursor=cursor)
    claims: list[ExtractedShape] = [
        {"ref": row.ref, "kind": row.kind_id, "status": row.status, "statement": row.statement} for row in found.claims
    ]
    shape: TaskShape = {
        "scope": place.path,
        "conversation": found.thread.external_id,
        "title": found.thread.title,
        "extracted_state": {"claims": claims, "patterns": list(found.patterns)},
        "discussion": list(map(_message, found.discussion.items)),
        "next": found.discussion.next,
    }
    return answer(shape)


def _message(message: TaskMessage) -> TaskMessageShape:
    source = message.source
    return {
        "source": source.pk,
        "id": source.external_id,
        "sender": source.sender,
        "speaker": source.sender_kind,
        "at": source.sent_at or source.created_at,
        "text": message.text,
        "cut": len(message.text) == MAX_CHARACTERS,
        "refs": list(message.refs),
    }
