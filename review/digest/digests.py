"""The digest: one message a day at most, by mail and by webhook, where something has waited longer than a scope allows."""

import datetime as dt
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage, mailers
from django.db.models import Q
from django.utils import timezone

from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.models import Member, Role, Scope
from ledger.reads.queue.backlog import Overdue, overdue
from ledger.reads.scopes import ancestor_paths
from ledger.rules.outward import checked_address
from ledger.rules.permissions import Right
from review.digest.message import DigestText, plain
from review.models import Digest
from review.webhooks.post import NotDelivered, post
from review.webhooks.signing import digest_headers, digest_secret

# Less than a day, so that a message of each morning stays one of each morning.
MIN_INTERVAL: Final = dt.timedelta(hours=20)
FIRST_RETRY: Final = dt.timedelta(minutes=5)
LAST_RETRY: Final = dt.timedelta(hours=6)
MAX_ADDRESSES: Final = 200
MAX_WAIT_H: Final = 8760
DECIDES: Final = (Role.REVIEWER, Role.CURATOR, Role.OWNER)


@dataclass(slots=True)
class DigestOutcome:
    """What became of one scope's digest: `done` names the ways it went, `failed` those it did not, with the reason."""

    scope: str
    to: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    text: str = ""


def set_digest(
    scope: Scope,
    *,
    actor: Actor,
    after_hours: int,
    mail: bool,
    webhook: str = "",
    words: bool = False,
    new_key: bool = False,
) -> Digest:
    """What an owner wants to be told, from now on. Raises `Invalid` naming the field, `Forbidden`, `NotFound`."""
    actor.require(Right.ADMINISTER, scope)
    if not 1 <= after_hours <= MAX_WAIT_H:
        raise Invalid(f"after_hours is 1 to {MAX_WAIT_H}", field="after_hours")
    webhook = webhook.strip()
    if webhook:
        checked_address(webhook)
    row = Digest.objects.filter(scope=scope).first() or Digest(scope=scope, key="")
    row.after_hours, row.mail, row.webhook, row.words = after_hours, mail, webhook, words
    if new_key or not row.key:
        row.key = secrets.token_hex(16)
    row.tries, row.retry_at, row.error = 0, None, ""
    row.save()
    return row


def no_digest(scope: Scope, *, actor: Actor) -> None:
    actor.require(Right.ADMINISTER, scope)
    Digest.objects.filter(scope=scope).delete()


def addresses_of(scope: Scope) -> list[str]:
    """The mail addresses of those who may decide in the scope, themselves or from above, each once, sorted."""
    members = Member.objects.filter(scope__path__in=ancestor_paths(scope.path), role__in=DECIDES)
    users = User.objects.filter(~Q(email=""), pk__in=members.values("user"), is_active=True)
    return sorted(set(users.values_list("email", flat=True)))[:MAX_ADDRESSES]


@dataclass(frozen=True, slots=True)
class _Way:
    """How a digest goes, and the column that remembers when it last went. `deliver` is given the digest, the time and the
    mail addresses."""

    name: str
    column: str
    deliver: Callable[[DigestText, list[str]], None]


def send_all(*, dry_run: bool = False, now: dt.datetime | None = None) -> list[DigestOutcome]:
    """Every digest that is due; a dry run sends nothing and tells all that it would. Safe to call at any time, by anyone."""
    now = now or timezone.now()
    rows = Digest.objects.select_related("scope").filter(Q(retry_at=None) | Q(retry_at__lte=now))
    return [outcome for row in rows if (outcome := _send(row, now, dry_run=dry_run))]


def _send(row: Digest, now: dt.datetime, *, dry_run: bool) -> DigestOutcome | None:
    to = addresses_of(row.scope) if row.mail else []
    ways = _ways_due(row, to, now)
    found = _overdue(row, now) if ways else None
    if found is None:
        return None
    text = DigestText(row, found, now)
    names = [way.name for way in ways]
    outcome = DigestOutcome(row.scope.path, to=to if "mail" in names else [], text=text.body())
    if dry_run:
        outcome.done = names
        return outcome
    for way in ways:
        _deliver(way, text, to, outcome)
    _note(row, outcome, now)
    return outcome if outcome.done or outcome.failed else None


def _ways_due(row: Digest, to: list[str], now: dt.datetime) -> list[_Way]:
    wanted = {"mail": to, "webhook": row.webhook}
    return [way for way in WAYS if wanted[way.name] and _due(getattr(row, way.column), now)]


def _overdue(row: Digest, now: dt.datetime) -> Overdue | None:
    """What waits in the scope, where the oldest has waited longer than it allows."""
    found = overdue(row.scope)
    limit = now - dt.timedelta(hours=row.after_hours)
    return found if found.oldest and found.oldest[0].since <= limit else None


def _deliver(way: _Way, text: DigestText, to: list[str], outcome: DigestOutcome) -> None:
    """Marked before it is sent: of two who are at it one goes on, and who is killed in between sends none twice."""
    before = getattr(text.row, way.column)
    rows = Digest.objects.filter(pk=text.row.pk)
    if not rows.filter(**{way.column: before}).update(**{way.column: text.now}):
        return
    try:
        way.deliver(text, to)
        outcome.done.append(way.name)
    except (OSError, NotDelivered, Invalid) as error:
        rows.filter(**{way.column: text.now}).update(**{way.column: before})
        outcome.failed[way.name] = str(error) or type(error).__name__


def _due(last: dt.datetime | None, now: dt.datetime) -> bool:
    return last is None or last <= now - MIN_INTERVAL


def _note(row: Digest, sent: DigestOutcome, now: dt.datetime) -> None:
    """After a failure the next try comes later each time; after a success there is none to come."""
    if not sent.failed:
        if row.tries:
            Digest.objects.filter(pk=row.pk).update(tries=0, retry_at=None, error="")
        return
    pause = min(FIRST_RETRY * 2 ** min(row.tries, 10), LAST_RETRY)
    why = "; ".join(f"{way}: {reason}" for way, reason in sent.failed.items())
    Digest.objects.filter(pk=row.pk).update(tries=row.tries + 1, retry_at=now + pause, error=plain(why, 300))


def _mail(text: DigestText, to: list[str]) -> None:
    """One message to each, so that nobody learns another's address. An address that is refused keeps it from nobody else;
    it failed where it reached none, for then it is sent to all again."""
    subject, body = text.subject(), text.body()
    reached, last = 0, "nobody to send it to"
    with mailers["default"] as connection:
        for one in to:
            try:
                message = EmailMessage(subject, body, settings.DEFAULT_FROM_EMAIL, [one])
                reached += connection.send_messages([message]) or 0
            except (OSError, ValueError) as error:
                # The reason may quote an address or a server's words; what is kept is its kind.
                last = type(error).__name__
    if not reached:
        raise NotDelivered(f"no mail was taken ({last})")


def _post(text: DigestText, to: list[str]) -> None:
    row, body = text.row, json.dumps(text.message(), separators=(",", ":")).encode()
    post(row.webhook, body, digest_headers(digest_secret(row), body, at=int(time.time())))


WAYS: Final = (_Way("mail", "mailed_at", _mail), _Way("webhook", "posted_at", _post))
