"""The digest: one message a day at most, by mail and by webhook, where something has waited longer than a scope allows."""

import datetime as dt
import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage, mailers
from django.db.models import Q
from django.utils import timezone

from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.models import Member, Role, Scope
from ledger.reads.queue.backlog import MAX_COUNTED, Overdue, overdue
from ledger.reads.scopes import ancestor_paths
from ledger.rules.permissions import Right
from review.digest.webhook import NotDelivered, checked_address, post, secret_of
from review.models import Digest

# Less than a day, so that a message of each morning stays one of each morning.
MIN_INTERVAL: Final = dt.timedelta(hours=20)
FIRST_RETRY: Final = dt.timedelta(minutes=5)
LAST_RETRY: Final = dt.timedelta(hours=6)
MAX_ADDRESSES: Final = 200
MAX_QUOTE: Final = 160
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


def send_all(*, dry_run: bool = False, now: dt.datetime | None = None) -> list[DigestOutcome]:
    """Every digest that is due; a dry run sends nothing and tells all that it would. Safe to call at any time, by anyone."""
    now = now or timezone.now()
    rows = Digest.objects.select_related("scope").filter(Q(retry_at=None) | Q(retry_at__lte=now))
    return [sent for row in rows if (sent := _send(row, now, dry_run=dry_run)) is not None]


def _send(row: Digest, now: dt.datetime, *, dry_run: bool) -> DigestOutcome | None:
    ways: dict[str, tuple[str, Callable[[Overdue], None]]] = {}
    to = addresses_of(row.scope) if row.mail else []
    if to and _due(row.mailed_at, now):
        ways["mail"] = ("mailed_at", lambda found: _mail(row, found, to, now))
    if row.webhook and _due(row.posted_at, now):
        ways["webhook"] = ("posted_at", lambda found: _post(row, found, now))
    if not ways:
        return None
    found = overdue(row.scope)
    if not found.oldest or found.oldest[0].since > now - dt.timedelta(hours=row.after_hours):
        return None
    sent = DigestOutcome(row.scope.path, to=to if "mail" in ways else [], text=text_of(row, found, now))
    if dry_run:
        sent.done = list(ways)
        return sent
    for way, (column, deliver) in ways.items():
        before = getattr(row, column)
        # Marked before it is sent: of two who are at it one goes on, and who is killed in between sends none twice.
        if not Digest.objects.filter(pk=row.pk, **{column: before}).update(**{column: now}):
            continue
        try:
            deliver(found)
            sent.done.append(way)
        except (OSError, NotDelivered, Invalid) as error:
            Digest.objects.filter(pk=row.pk, **{column: now}).update(**{column: before})
            sent.failed[way] = str(error) or type(error).__name__
    _note(row, sent, now)
    return sent if sent.done or sent.failed else None


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


def plain(text: str, most: int) -> str:
    """Words of a source in one line: no control or direction characters, so that they neither break a line nor hide one."""
    kept = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text[: most * 4])
    line = " ".join(kept.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def subject_of(row: Digest, found: Overdue) -> str:
    """Numbers and the scope's path, never words of a source."""
    return f"[Countersign] {count_of(found.pending)} waiting in {plain(row.scope.path, 200)}"


def count_of(count: int) -> str:
    return str(count) if count <= MAX_COUNTED else f"more than {MAX_COUNTED}"


def link_of(row: Digest) -> str:
    base = settings.COUNTERSIGN_URL.rstrip("/")
    return f"{base}/?scope={row.scope.path}&order=age" if base else ""


def text_of(row: Digest, found: Overdue, now: dt.datetime) -> str:
    """The mail: plain text, a line for each of the oldest."""
    first = found.oldest[0]
    lines = [
        f"{count_of(found.pending)} candidates wait in {row.scope.path}; the oldest for {hours_of(now - first.since)}.",
        f"Of them {count_of(found.urgent)} are contradicted or of high risk. Open conflicts: {count_of(found.conflicts)}.",
        "",
    ]
    for one in found.oldest:
        told = f"  {one.ref}, {plain(one.kind.replace('_', ' '), 40)}, {hours_of(now - one.since)}" + (
            ", high risk" if one.high_risk else ""
        )
        lines += [told, *([f"    “{plain(one.statement, MAX_QUOTE)}”"] if row.words else [])]
    if link := link_of(row):
        lines += ["", link]
    lines += [
        "",
        f"You get this because you may decide in {row.scope.path}. An owner changes or ends it under Digests.",
    ]
    return "\n".join(lines) + "\n"


def message_of(row: Digest, found: Overdue, now: dt.datetime) -> dict[str, Any]:
    """The webhook's message."""
    return {
        "type": "queue.overdue",
        "at": now.isoformat(),
        "scope": row.scope.path,
        "limit_hours": row.after_hours,
        "pending": min(found.pending, MAX_COUNTED),
        "pending_is_at_least": found.pending > MAX_COUNTED,
        "urgent": min(found.urgent, MAX_COUNTED),
        "open_conflicts": min(found.conflicts, MAX_COUNTED),
        "oldest_seconds": int((now - found.oldest[0].since).total_seconds()),
        "oldest": [
            {
                "ref": one.ref,
                "kind": one.kind,
                "scope": one.scope,
                "since": one.since.isoformat(),
                "high_risk": one.high_risk,
            }
            | ({"statement": plain(one.statement, MAX_QUOTE)} if row.words else {})
            for one in found.oldest
        ],
        "url": link_of(row),
    }


def hours_of(wait: dt.timedelta) -> str:
    hours = int(wait.total_seconds() // 3600)
    return f"{hours // 24} days" if hours >= 48 else f"{hours} hours"


def _mail(row: Digest, found: Overdue, to: list[str], now: dt.datetime) -> None:
    """One message to each, so that nobody learns another's address. An address that is refused keeps it from nobody else;
    it failed where it reached none, for then it is sent to all again."""
    subject, body = subject_of(row, found), text_of(row, found, now)
    reached, last = 0, None
    with mailers["default"] as connection:
        for one in to:
            try:
                message = EmailMessage(subject, body, settings.DEFAULT_FROM_EMAIL, [one])
                reached += connection.send_messages([message]) or 0
            except (OSError, ValueError) as error:
                # The reason may quote an address or a server's words; what is kept is its kind.
                last = type(error).__name__
    if not reached:
        raise NotDelivered(f"no mail was taken ({last or 'nobody to send it to'})")


def _post(row: Digest, found: Overdue, now: dt.datetime) -> None:
    post(row.webhook, message_of(row, found, now), secret=secret_of(row.scope_id, row.key))
