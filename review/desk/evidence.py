"""What was said right before and after a message, so that a short one can be understood."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Q
from django.db.models.functions import Left

from ledger.models import Source

BEFORE: Final = 2
AFTER: Final = 1
MAX_WORDS_SHOWN: Final = 280


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A message beside the quoted one, cut to a few lines."""

    source: int
    sender: str
    speaker: str
    words: str
    cut: bool
    sent_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Neighbours:
    before: tuple[Neighbour, ...] = ()
    after: tuple[Neighbour, ...] = ()


def neighbours_of(sources: Iterable[Source]) -> dict[int, Neighbours]:
    """By source id what stands around each message of a conversation. One query for all; none where nothing is a message."""
    wanted = [source for source in sources if source.conversation_id is not None and source.kind == "message"]
    if not wanted:
        return {}
    places = Q()
    for source in wanted:
        low, high = source.position - BEFORE, source.position + AFTER
        places |= Q(conversation_id=source.conversation_id, position__gte=low, position__lte=high)
    rows = (
        Source.objects.filter(places, purged_at=None)
        .annotate(words=Left("text", MAX_WORDS_SHOWN + 1))
        .order_by("conversation_id", "position", "id")
        .values_list("conversation_id", "position", "id", "sender", "sender_kind", "words", "sent_at")
    )
    found: dict[int, list[tuple[int, Neighbour]]] = {}
    for thread, position, pk, sender, speaker, words, sent_at in rows:
        one = Neighbour(pk, sender, speaker, words[:MAX_WORDS_SHOWN], len(words) > MAX_WORDS_SHOWN, sent_at)
        found.setdefault(thread, []).append((position, one))
    return {source.pk: _around(source, found.get(source.conversation_id or 0, [])) for source in wanted}


def _around(source: Source, line: list[tuple[int, Neighbour]]) -> Neighbours:
    at = source.position
    return Neighbours(
        tuple(one for position, one in line if at - BEFORE <= position < at),
        tuple(one for position, one in line if at < position <= at + AFTER),
    )
