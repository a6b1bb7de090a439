"""What waits is posted: in order, each at most once, and no faster than a chat's service takes it."""

import time
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.conf import settings
from django.db.models import Count, Q
from django.utils import timezone

from config.chats.door import ChatDoor, NotPosted
from config.chats.services import DOORS
from config.chats.taking import follow
from config.chats.wording import words_of
from ledger.actions.chat_post import (
    forget_updates,
    give_up_lost_posts,
    note_posted,
    note_refused,
    note_unclear,
    start_post,
)
from ledger.actions.locking import alone
from ledger.models import ChatLinkStatus, ChatPost, ChatPostStatus

log = structlog.get_logger(__name__)

PASS_LOCK: Final = 7
AT_ONCE: Final = 100
LONGEST_S: Final = 30.0


def post_waiting(*, seconds: float = LONGEST_S) -> int:
    """Sends what may be sent now; returns how many arrived. Safe to call at any time, from several processes: one of them does
    the work."""
    with alone(PASS_LOCK) as is_alone:
        if not is_alone:
            return 0
        give_up_lost_posts(timezone.now())
        forget_updates(timezone.now())
        until, arrived = time.monotonic() + seconds, 0
        while (ready := ready_posts(timezone.now())) and time.monotonic() < until:
            arrived += sum(send_one(post) for post in ready)
        return arrived


def ready_posts(now: datetime) -> list[ChatPost]:
    """The oldest of each chat, as many as it takes in this minute."""
    bots = {door.name: door.bot for door in DOORS.values() if door.bot}
    rows = ChatPost.objects.filter(Q(retry_at=None) | Q(retry_at__lte=now), status=ChatPostStatus.WAITING)
    rows = rows.filter(link__status=ChatLinkStatus.ON, link__door__in=bots, link__bot__in=bots.values())
    waiting = list(rows.select_related("link__scope", "notice", "claim__scope", "claim__kind")[:AT_ONCE])
    left = _room({post.link_id for post in waiting}, now)
    ready = []
    for post in waiting:
        if left[post.link_id] > 0:
            left[post.link_id] -= 1
            ready.append(post)
    return ready


def _room(links: Iterable[int], now: datetime) -> dict[int, int]:
    """How many posts each chat still takes in this minute. One query."""
    tried = ChatPost.objects.filter(link__in=links, tried_at__gt=now - timedelta(minutes=1)).values("link")
    counted: Mapping[int, int] = dict(tried.annotate(count=Count("pk")).values_list("link", "count"))
    return {link: settings.COUNTERSIGN_CHAT_POSTS_A_MINUTE - counted.get(link, 0) for link in links}


def send_one(post: ChatPost) -> bool:
    """Whether it arrived. No transaction is open while the service is asked: what it did stands in the row whatever follows."""
    door = DOORS[post.link.door]
    if not start_post(post):
        return False
    try:
        message = door.send(post.link.chat, words_of(post))
    except NotPosted as refused:
        _note_failure(door, post, refused)
        return False
    note_posted(post, message)
    return True


def _note_failure(door: ChatDoor, post: ChatPost, refused: NotPosted) -> None:
    log.info("chat_post_failed", post=post.pk, why=str(refused), unclear=refused.unclear)
    if refused.unclear:
        note_unclear(post, str(refused))
        return
    note_refused(post, str(refused), after_s=refused.after_s, again=refused.again)
    if refused.moved_to:
        follow(door, post.link, refused.moved_to)
