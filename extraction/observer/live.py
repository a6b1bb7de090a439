"""What is said while people talk: threads that something came into lately are read again, and what is due is kept (O8)."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils import timezone

from extraction.observer.replay import replay
from ledger.actions.notify import notify
from ledger.actor import system
from ledger.models import Conversation, Notice, Scope
from ledger.reads.packs import packs_of_each

# What is older is history that was brought in late: nobody is spoken to about it.
STILL_TIMELY = timedelta(hours=1)
# How long a thread is kept an eye on after its last message: what was asked in it may stand open.
WATCHED = timedelta(hours=6)
MAX_THREADS = 100


def observe(conversation: Conversation, *, now: datetime | None = None) -> list[Notice]:
    """The new notices of a thread."""
    now = now or timezone.now()
    found = replay(conversation.scope, conversation, until=now).notices
    kept = [
        notify(
            conversation, actor=system(name="observer"), rule=one.rule, text=one.text, matter=one.matter, after=one.after,
            refs=one.refs, sources=[message.pk for message in one.messages], due_at=one.at,
        )
        for one in found if now - STILL_TIMELY <= one.at <= now
    ]  # fmt: skip
    return [row for row, new in kept if new]


def observe_recent(*, since: timedelta = WATCHED, now: datetime | None = None) -> list[Notice]:
    """The new notices of all threads with a message of late, in scopes whose packs have an observer."""
    now = now or timezone.now()
    rows = Conversation.objects.filter(
        sources__kind="message", sources__created_at__gte=now - since, sources__purged_at=None
    ).select_related("scope").distinct().order_by("-id")  # fmt: skip
    threads = list(rows[:MAX_THREADS])
    watched = _with_observer({thread.scope for thread in threads})
    return [notice for thread in threads if thread.scope_id in watched for notice in observe(thread, now=now)]


def _with_observer(scopes: Iterable[Scope]) -> set[int]:
    return {pk for pk, packs in packs_of_each(scopes).items() if any(one.get("redline") for one in packs.contents)}
