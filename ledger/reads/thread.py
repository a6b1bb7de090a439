"""What was said before a source in its conversation, bounded, so that a message costs the same at any length of the thread."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ledger.models import Section, Source

# Far enough back for a topic that was left and taken up again; further back a reply link or a question to recall leads.
LONGEST = 200


@dataclass(frozen=True)
class Thread:
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


def thread_before(source: Source, most: int = LONGEST) -> Thread:
    """At most `most` messages before `source`; two queries."""
    if source.conversation_id is None:
        return Thread(())
    rows = Source.objects.filter(
        conversation_id=source.conversation_id, position__lt=source.position, purged_at=None
    ).prefetch_related("sections")
    newest_first = list(rows.order_by("-position", "-id")[:most])
    replaced = {row.replaces_id for row in newest_first} | {source.replaces_id}
    return Thread([row for row in reversed(newest_first) if row.pk not in replaced])
