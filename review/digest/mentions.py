"""Who is named in a decision's words, or handed a candidate, is told: on a list of their own, and by mail.

What was written stands in the journal, and how far it was looked through in a row: whoever is killed in between loses no mention.
"""

import datetime as dt
import re
from collections.abc import Iterable
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from ledger.models import JournalEvent, Member, Scope
from ledger.reads.journal import last_seal_number, seal
from ledger.reads.scopes import ancestor_paths
from ledger.verbs import Verb, done_word
from review.digest.message import plain
from review.models import Mention, MentionMark

NAMED: Final = re.compile(r"(?<![\w@.])@([\w.+-]{1,150})")
# So many events with words in them one look goes through.
STRETCH: Final = 500
MAX_NOTE: Final = 1000
MAX_MAILS: Final = 200
MAX_TRIES: Final = 8
FIRST_RETRY: Final = dt.timedelta(minutes=2)


def names_in(words: str) -> set[str]:
    """The user names that are mentioned, in lower case; a full stop behind one ends the sentence."""
    return {name.rstrip(".+-").lower() for name in NAMED.findall(words)} - {""}


def note_mentions() -> int:
    """Looks through what was sealed since; returns how many were found. The first time there is nothing to catch up with."""
    seal()
    with transaction.atomic():
        last = last_seal_number()
        mark, is_new = MentionMark.objects.select_for_update().get_or_create(pk=1, defaults={"seal": last})
        if is_new or mark.seal >= last:
            return 0
        said = Q(reason__contains="@") | Q(verb=Verb.HAND_OVER)
        rows = JournalEvent.objects.filter(said, seal__number__gt=mark.seal, seal__number__lte=last)
        events = list(
            rows.select_related("scope", "seal").prefetch_related("changes").order_by("seal__number")[:STRETCH]
        )
        found = [Mention(event=event, user_id=user) for event in events for user in mentioned_in(event)]
        Mention.objects.bulk_create(found, ignore_conflicts=True)
        mark.seal = events[-1].seal.number if len(events) == STRETCH else last
        mark.save(update_fields=["seal"])
        return len(found)


def mentioned_in(event: JournalEvent) -> set[int]:
    """The ids of those named in the event's reason, and of whoever was handed its candidate: of those who may read there, without
    the one who wrote it."""
    readers = readers_of(event.scope)
    named = {pk for name, pk in readers.items() if name in names_in(event.reason)}
    handed = {
        int(change.after["user_id"])
        for change in event.changes.all()
        if change.noun == "handover" and event.verb == Verb.HAND_OVER and change.before is None and change.after
    }
    return {pk for pk in readers.values() if pk in named | handed and pk != event.user_id}


def readers_of(scope: Scope) -> dict[str, int]:
    """By user name in lower case. One query."""
    members = Member.objects.filter(scope__path__in=ancestor_paths(scope.path))
    users = User.objects.filter(pk__in=members.values("user"), is_active=True)
    return {name.lower(): pk for name, pk in users.values_list("username", "pk")}


def mentions_of(user_id: int | None) -> QuerySet[Mention]:
    """The user's own, newest first, without those whose event was taken back."""
    rows = Mention.objects.filter(user=user_id, event__undone_by=None)
    return rows.select_related("event__scope").order_by("-pk")


def mail_mentions(*, now: dt.datetime | None = None) -> int:
    """Sends what was not sent yet to whoever has an address and has not read it meanwhile; returns how many were taken."""
    now = now or timezone.now()
    due = Mention.objects.filter(
        Q(retry_at=None) | Q(retry_at__lte=now), mailed_at=None, read_at=None, tries__lt=MAX_TRIES
    )
    due = due.filter(event__undone_by=None).exclude(user__email="")
    rows = due.select_related("event__scope", "user").order_by("pk")[:MAX_MAILS]
    return sum(_mail(row, now) for row in rows)


def _mail(row: Mention, now: dt.datetime) -> bool:
    """Marked before it is sent: of two who are at it one sends, and who is killed in between sends none twice."""
    mine = Mention.objects.filter(pk=row.pk)
    if not mine.filter(mailed_at=None).update(mailed_at=now):
        return False
    try:
        subject, body = mail_of(row)
        return bool(EmailMessage(subject, body, settings.DEFAULT_FROM_EMAIL, [row.user.email]).send())
    except (OSError, ValueError):
        retry = now + FIRST_RETRY * 2**row.tries
        mine.update(mailed_at=None, tries=row.tries + 1, retry_at=retry)
        return False


def mail_of(row: Mention) -> tuple[str, str]:
    """Subject and plain text. They hold what the colleague wrote, and no words of a source."""
    event = row.event
    who, path = plain(event.actor_name, 200), event.scope.path
    handed = event.verb == Verb.HAND_OVER
    did = f"{who} handed {event.ref} over to you" if handed and not names_in(event.reason) else f"{who} named you"
    lines = [
        f"{who}, {event.at:%d %b %Y %H:%M} UTC: {event.ref or path} {done_word(event.verb)}, in {path}.",
        *([f"    “{plain(event.reason, MAX_NOTE)}”"] if event.reason else []),
        *_link(event.ref),
        "",
        f"You get this because you may read in {path} and were named there, or the candidate was passed on to you.",
    ]
    return f"[Countersign] {did} in {path}", "\n".join(lines) + "\n"


def _link(ref: str) -> Iterable[str]:
    base = settings.COUNTERSIGN_URL.rstrip("/")
    return ["", f"{base}/candidates/{ref}" if ref else f"{base}/mentions"] if base else []
