"""What is posted to chats elsewhere: rows that wait, each sent at most once (O13).

A row is marked before it is sent. One whose worker was killed in between, or whose service did not say what it did, may have
arrived: it is not sent again. Only what a service refused, or never got, is tried once more.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.module_loading import import_string

from ledger.models import (
    ChatCode,
    ChatLink,
    ChatLinkStatus,
    ChatPost,
    ChatPostKind,
    ChatPostStatus,
    ChatUpdate,
    Claim,
    Notice,
)

RETRY_AFTER_S: Final = (5, 30, 120, 300)
# From then on it is no news any more, and nobody is left to answer.
STILL_TIMELY: Final = dt.timedelta(hours=1)
# No service takes longer over one message.
LONGEST_SENDING: Final = dt.timedelta(minutes=2)
# Services repeat what they sent us for a day.
KEPT_FOR: Final = dt.timedelta(days=3)


def queue_notice(notice: Notice) -> None:
    """Where the thread is a chat elsewhere, the notice is posted there: once, whatever comes in between."""
    link = ChatLink.objects.filter(conversation=notice.conversation_id, status=ChatLinkStatus.ON).first()
    if link is not None:
        queue_post(link, ChatPostKind.NOTICE, notice=notice, answers=notice.after.external_id if notice.after else "")


def queue_post(
    link: ChatLink,
    kind: ChatPostKind,
    *,
    notice: Notice | None = None,
    claim: Claim | None = None,
    answers: str = "",
    edits: str = "",
    by: str = "",
) -> ChatPost:
    """Waits from the commit of the caller's transaction on, which wakes a worker."""
    row = ChatPost.objects.create(
        link=link, kind=kind, notice=notice, claim=claim, answers=answers[:100], edits=edits[:100], by=by[:200]
    )  # fmt: skip
    transaction.on_commit(import_string(settings.COUNTERSIGN_WAKE_POSTS), robust=True)
    return row


def start_post(post: ChatPost) -> bool:
    """Whether it is ours to send: nobody else has begun."""
    return _note(
        post, ChatPostStatus.WAITING, status=ChatPostStatus.SENDING, tried_at=timezone.now(), tries=F("tries") + 1
    )


def note_posted(post: ChatPost, message: str) -> None:
    _note(post, ChatPostStatus.SENDING, status=ChatPostStatus.SENT, message=message[:100], error="")


def note_unclear(post: ChatPost, error: str) -> None:
    _note(post, ChatPostStatus.SENDING, status=ChatPostStatus.UNCLEAR, error=error[:300])


def note_refused(post: ChatPost, error: str, *, after_s: float | None = None, again: bool = True) -> None:
    """It certainly did not arrive. Tried again later and later, or after as many seconds as the service asks for, as long as it
    is news."""
    pause = RETRY_AFTER_S[min(post.tries, len(RETRY_AFTER_S) - 1)] if after_s is None else after_s
    retry_at = timezone.now() + dt.timedelta(seconds=pause)
    timely = again and retry_at < post.created_at + STILL_TIMELY
    columns: Mapping[str, Any] = (
        {"status": ChatPostStatus.WAITING, "retry_at": retry_at} if timely else {"status": ChatPostStatus.REFUSED}
    )
    _note(post, ChatPostStatus.SENDING, error=error[:300], **columns)


def give_up_lost_posts(now: dt.datetime) -> int:
    """Those whose worker died while it sent them, and those that nobody needs any more."""
    lost = ChatPost.objects.filter(status=ChatPostStatus.SENDING, tried_at__lt=now - LONGEST_SENDING)
    late = ChatPost.objects.filter(status=ChatPostStatus.WAITING).filter(
        Q(created_at__lt=now - STILL_TIMELY) | Q(link__status=ChatLinkStatus.ENDED)
    )
    lost_count = lost.update(status=ChatPostStatus.UNCLEAR, error="the worker ended while it sent this")
    return lost_count + late.update(status=ChatPostStatus.REFUSED, error="not sent in time")


def note_update(door: str, bot: str, number: str) -> bool:
    """Whether this update of a service comes for the first time; in the transaction that acts on it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ledger_chatupdate (door, bot, number, at) VALUES (%s, %s, %s, clock_timestamp())"
            " ON CONFLICT DO NOTHING",
            [door, bot, number[:60]],
        )
        return bool(cursor.rowcount == 1)


def forget_updates(now: dt.datetime) -> int:
    """Nothing of what services will not repeat is kept, nor codes that nobody typed."""
    ChatCode.objects.filter(at__lt=now - KEPT_FOR).delete()
    return ChatUpdate.objects.filter(at__lt=now - KEPT_FOR).delete()[0]


def _note(post: ChatPost, was: ChatPostStatus, **columns: Any) -> bool:
    return ChatPost.objects.filter(pk=post.pk, status=was).update(**columns) == 1
