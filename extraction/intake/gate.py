"""Put the tripwire before what comes in: messages, in scopes whose packs have one, each judged in its thread (O1, O3)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from django.utils import timezone

from extraction.chat.tripwire import Member, Message, Tripwire, TripwireError, score
from ledger.actions.ingest import Incoming, TripwireCheck
from ledger.errors import Invalid
from ledger.models import Scope, SourceKind
from ledger.packs import PackSet
from ledger.reads.packs import packs_of
from ledger.reads.scopes import people_of
from ledger.reads.thread import ThreadMessage, last_messages, linked_messages

# More than the window of the thread, so that an open question is still found behind small talk.
LOOKED_AT = 8


def watched(items: Sequence[Incoming], scope: Scope) -> list[Incoming]:
    """The same items in their order; messages carry what the tripwire said of them. Four queries at most, however many
    items, and none that matters in a scope without a tripwire. Earlier items of the same conversation are context."""
    if not any(item.kind == SourceKind.MESSAGE for item in items):
        return list(items)
    tripwire = tripwire_of(packs_of(scope))
    if tripwire is None:
        return list(items)
    people = tuple(Member((person.name, *person.aliases), person.role) for person in people_of(scope))
    messages = [item for item in items if item.kind == SourceKind.MESSAGE]
    names = {item.conversation for item in messages if item.conversation}
    said = last_messages(scope, names, LOOKED_AT)
    links = linked_messages(scope, {item.reply_to for item in messages if item.reply_to and item.conversation})
    now = timezone.now()
    answer = []
    for item in items:
        if item.kind != SourceKind.MESSAGE:
            answer.append(item)
            continue
        mine = ThreadMessage(item.external_id, item.sender, item.text, item.sent_at or now)
        thread = said.setdefault(item.conversation, []) if item.conversation else []
        # What is sent again stands in its own thread already.
        recent = thread[-LOOKED_AT - 1 :]
        before = [one for one in recent if not item.external_id or one.external_id != item.external_id]
        linked = links.get((item.conversation, item.reply_to))
        context = [_message(one, reply=True) for one in [linked] if one]
        context += [_message(one) for one in before[-LOOKED_AT:] if one is not linked]
        verdict = score(tripwire, _message(mine), context, people)
        told = TripwireCheck(verdict.score, verdict.threshold, verdict.passed, verdict.patterns)
        answer.append(replace(item, tripwire=told))
        thread.append(mine)
        if item.external_id:
            links[item.conversation, item.external_id] = mine
    return answer


def _message(one: ThreadMessage, *, reply: bool = False) -> Message:
    sent: datetime = one.sent_at
    return Message(one.text, one.sender, sent, reply)


def tripwire_of(packs: PackSet) -> Tripwire | None:
    """Compiled once a process and pack set. Raises `Invalid` where a pack's table can't be used."""
    return _compiled(_Hashed(packs))


@lru_cache(maxsize=32)
def _compiled(packs: "_Hashed") -> Tripwire | None:
    try:
        return Tripwire.from_packs(packs.packs.contents)
    except (TripwireError, KeyError, TypeError, ValueError) as error:
        raise Invalid(f"the tripwire of {', '.join(packs.packs.names)}: {error}", field="packs") from None


class _Hashed:
    """A pack set that is equal to another by its digest."""

    def __init__(self, packs: PackSet) -> None:
        self.packs = packs

    def __hash__(self) -> int:
        return hash(self.packs.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashed) and other.packs.digest == self.packs.digest
