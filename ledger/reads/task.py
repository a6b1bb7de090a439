"""A task is a conversation: what was extracted from it first, then the discussion, which speaks of decisions by reference (D11)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.db.models.functions import Left

from ledger.errors import NotFound
from ledger.models import Claim, Conversation, Evidence, Pattern, Scope, Source
from ledger.reads.claims import claim_rows
from ledger.reads.page import Page, check_limit, decode_cursor, page_of
from ledger.reads.scopes import visible
from ledger.rules.permissions import Access
from ledger.rules.secrets import masked

LIVE = ("active", "pending", "deferred")
MAX_EXTRACTED = 200
# A message longer than this is cut: who wants all of it reads the source.
MAX_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class TaskMessage:
    """One message, its `text` cut to `MAX_CHARACTERS`, and the refs of the claims that rest on it."""

    source: Source
    text: str
    refs: Sequence[str]


@dataclass(frozen=True, slots=True)
class Task:
    """`claims` are what holds and what waits, the newest last; `patterns` are refs."""

    thread: Conversation
    claims: Sequence[Claim]
    patterns: Sequence[str]
    discussion: Page[TaskMessage]


def task_at(conversation: str, scope: Scope, access: Access, *, limit: int = 50, cursor: str | None = None) -> Task:
    """The discussion oldest first, by pages; the state with each of them. Six queries. Raises `NotFound`."""
    check_limit(limit)
    thread = Conversation.objects.filter(scope=scope, external_id=conversation).first()
    if thread is None:
        raise NotFound(f"no conversation {conversation[:60]!r} in {scope.path}")
    of_thread = Evidence.objects.filter(source__conversation=thread)
    rows = claim_rows().filter(pk__in=of_thread.values("claim"), scope__in=visible(access), status__in=LIVE)
    claims = list(rows.order_by("-pk")[:MAX_EXTRACTED])[::-1]
    patterns = Pattern.objects.filter(scope=scope, sources__conversation=thread).distinct().order_by("pk")
    found = _messages(thread, limit, cursor)
    refs = _refs({claim.pk: claim.ref for claim in claims}, found.items)
    messages = [TaskMessage(row, masked(row.head, row.secrets), refs[row.pk]) for row in found.items]
    return Task(
        thread, claims, list(patterns.values_list("ref", flat=True)[:MAX_EXTRACTED]), Page(messages, found.next)
    )


def _messages(thread: Conversation, limit: int, cursor: str | None) -> Page[Any]:
    rows = Source.objects.filter(conversation=thread, purged_at=None)
    rows = rows.annotate(head=Left("text", MAX_CHARACTERS)).defer("text")
    if cursor is not None:
        position, last = decode_cursor(cursor, (int, int))
        rows = rows.filter(Q(position__gt=position) | Q(position=position, pk__gt=last))
    found = list(rows.order_by("position", "pk")[: limit + 1])
    return page_of(found, limit, lambda row: (row.position, row.pk))


def _refs(claims: dict[int, str], messages: Sequence[Source]) -> dict[int, list[str]]:
    """By source the refs of these claims that it supports."""
    cited = Evidence.objects.filter(claim__in=claims, source__in=[row.pk for row in messages]).exclude(stance="context")
    found: dict[int, list[str]] = defaultdict(list)
    for source, claim in cited.order_by("claim_id").values_list("source_id", "claim_id").distinct():
        found[source].append(claims[claim])
    return found
