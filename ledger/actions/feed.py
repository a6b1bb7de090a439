"""Calendar feeds: made and ended by owners of a scope, read by whoever has the address."""

import hashlib
import secrets
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from ledger.actions.locking import lock_names
from ledger.actor import Actor
from ledger.errors import BadTransition, Invalid
from ledger.journal import Step
from ledger.models import CalendarFeed, FeedStatus, Scope
from ledger.rules.columns import check_columns, check_text
from ledger.verbs import Verb

# As other tokens begin, so that logs leave it out wherever it stands.
PREFIX: Final = "cs_feed_"
MAX_OF_SCOPE: Final = 50
NOTED_EVERY: Final = timedelta(minutes=10)


def open_feed(scope: Scope, *, actor: Actor, name: str = "") -> tuple[CalendarFeed, str]:
    """The row and the token, which is kept nowhere. Raises `Invalid` by field."""
    name = " ".join(name.split()) or "calendar"
    check_text("name", name, most=100)
    token = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic(savepoint=False):
        actor.require(Verb.OPEN_FEED.row.right, scope)
        lock_names([f"feeds|{scope.pk}"])
        if CalendarFeed.objects.filter(scope=scope, status=FeedStatus.ON).count() >= MAX_OF_SCOPE:
            raise Invalid(f"a scope has at most {MAX_OF_SCOPE} feeds", field="name")
        with Step(Verb.OPEN_FEED, actor=actor, scope=scope) as step:
            row = CalendarFeed.objects.create(
                scope=scope, name=name, sha256=digest_of(token), prefix=token[: len(PREFIX) + 4], made_by=actor.name
            )
            step.created(row)
    return row, token


def end_feed(feed: CalendarFeed, *, actor: Actor, reason: str = "") -> CalendarFeed:
    """From the next request on its address leads nowhere."""
    check_columns({"reason": reason})
    with transaction.atomic(savepoint=False):
        row = CalendarFeed.objects.select_for_update(of=("self",)).select_related("scope").get(pk=feed.pk)
        actor.require(Verb.END_FEED.row.right, row.scope)
        if row.status == FeedStatus.ENDED:
            raise BadTransition(f"feed {row.name!r} is ended already", state=row.status)
        with Step(Verb.END_FEED, actor=actor, scope=row.scope, reason=reason) as step:
            step.change(row, status=FeedStatus.ENDED)
    return row


def feed_read(token: str) -> CalendarFeed | None:
    """The feed that a token opens, found by its hash; when it was read is noted every few minutes."""
    if not token.startswith(PREFIX) or len(token) > 100:
        return None
    row = CalendarFeed.objects.filter(sha256=digest_of(token), status=FeedStatus.ON).select_related("scope").first()
    now = timezone.now()
    if row is not None and (row.last_read_at is None or row.last_read_at < now - NOTED_EVERY):
        CalendarFeed.objects.filter(pk=row.pk).update(last_read_at=now)
    return row


def digest_of(token: str) -> str:
    """It holds 256 random bits, so that a plain hash is as good as a slow one."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
