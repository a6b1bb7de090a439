"""What the observer would have said in a thread."""

from typing import TypedDict

from django.http import HttpResponse
from ninja import Router
from ninja.responses import Response

from extraction.observer.replay import NoticeFound, replay
from ledger.actor import ActorRequest
from ledger.errors import NotFound
from ledger.models import Conversation
from ledger.reads.scopes import scope_at

router = Router(tags=["observer"])


class ReplayedNoticeShape(TypedDict):
    """`after` is the id that the sender gave the message (ours where it has none); `claims` are the refs that were compared, and
    `messages` the ids of the messages."""

    after: str
    rule: str
    text: str
    claims: list[str]
    messages: list[str]
    at: str


class ReplayShape(TypedDict):
    items: list[ReplayedNoticeShape]


def replayed_notice_shape(found: NoticeFound) -> ReplayedNoticeShape:
    return {
        "after": found.after.external_id or str(found.after.pk),
        "rule": found.rule,
        "text": found.text,
        "claims": list(found.refs),
        "messages": [one.external_id or str(one.pk) for one in found.messages],
        "at": found.at.isoformat(),
    }


@router.get("/observer/replay", response=ReplayShape)
def get_replay(request: ActorRequest, scope: str, conversation: str) -> HttpResponse:
    """What would have been said in a thread (its last 200 messages), each message read with nothing later in sight. What nobody
    answered in time is said after the last message before that moment."""
    row = scope_at(scope, request.actor.access)
    thread = Conversation.objects.filter(scope=row, external_id=conversation).first()
    if thread is None:
        raise NotFound(f"no conversation {conversation[:100]!r} in {row.path}")
    shape: ReplayShape = {"items": [replayed_notice_shape(one) for one in replay(row, thread).notices]}
    return Response(shape)
