"""What was said before a source in its conversation, bounded, so that a message costs the same at any length of the thread."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models.functions import Coalesce

from ledger.models import Scope, Section, Source
from ledger.reads.sql import fetch_rows

# Far enough back for a topic that was left and taken up again; further back a reply link or a question to recall leads.
MAX_MESSAGES = 200


@dataclass(frozen=True)
class ConversationThread:
    """Messages oldest first, each once: of an edited one its newest text that came before. The purged are left out."""

    messages: Sequence[Source]

    def __iter__(self) -> Iterator[Source]:
        return iter(self.messages)

    def __len__(self) -> int:
        return len(self.messages)

    @cached_property
    def _by_id(self) -> dict[int, Source]:
        return {message.pk: message for message in self.messages}

    def with_sections(self, source_id: int) -> tuple[Source, Sequence[Section]]:
        """A message and its sections. Raises KeyError where the thread has no such message."""
        source = self._by_id[source_id]
        return source, list(source.sections.all())


def thread_before(source: Source) -> ConversationThread:
    """The last messages before `source`; two queries."""
    if source.conversation_id is None:
        return ConversationThread(())
    rows = Source.objects.filter(
        conversation_id=source.conversation_id, position__lt=source.position, purged_at=None
    ).prefetch_related("sections")
    newest_first = list(rows.order_by("-position", "-id")[:MAX_MESSAGES])
    replaced = {row.replaces_id for row in newest_first} | {source.replaces_id}
    return ConversationThread([row for row in reversed(newest_first) if row.pk not in replaced])


@dataclass(frozen=True, slots=True)
class ThreadMessage:
    """One message as it is context for the next: no row, so that what has not been written yet can stand beside it."""

    external_id: str
    sender: str
    text: str
    sent_at: datetime


_LAST_MESSAGES = """
SELECT thread.external_id, said.external_id, said.sender, left(said.text, 2000), coalesce(said.sent_at, said.created_at)
FROM ledger_conversation thread
CROSS JOIN LATERAL (
  SELECT id, position, external_id, sender, text, sent_at, created_at, kind, purged_at FROM ledger_source
  WHERE conversation_id = thread.id ORDER BY position DESC, id DESC LIMIT %s
) said
WHERE thread.scope_id = %s AND thread.external_id = ANY(%s) AND said.kind = 'message' AND said.purged_at IS NULL
ORDER BY thread.id, said.position, said.id
"""


def last_messages(scope: Scope, conversations: Collection[str], most: int) -> dict[str, list[ThreadMessage]]:
    """The last `most` messages of each conversation (by its own id), oldest first; one query, at any length of the threads."""
    found: dict[str, list[ThreadMessage]] = defaultdict(list)
    if conversations:
        for name, *message in fetch_rows(_LAST_MESSAGES, [most, scope.pk, sorted(conversations)]):
            found[name].append(ThreadMessage(*message))
    return dict(found)


def linked_messages(scope: Scope, external_ids: Collection[str]) -> dict[tuple[str, str], ThreadMessage]:
    """Messages that others answer by a link, by conversation and external id; of an edited one its newest text."""
    rows = Source.objects.filter(scope=scope, external_id__in=external_ids, kind="message", purged_at=None)
    messages = rows.exclude(conversation=None).order_by("id").annotate(said_at=Coalesce("sent_at", "created_at"))
    found = messages.values_list("conversation__external_id", "external_id", "sender", "text", "said_at")
    return {(thread, name): ThreadMessage(name, *message) for thread, name, *message in found}
