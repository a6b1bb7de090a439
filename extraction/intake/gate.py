"""Put the tripwire before what comes in: messages, in scopes whose packs have one, each judged in its thread (O1, O3)."""

from collections.abc import Sequence

from django.utils import timezone

from extraction.chat.people import HouseholdMember
from extraction.chat.tripwire import Verdict, score, tripwire_of
from ledger.actions.ingest import Incoming
from ledger.models import Scope, SourceKind
from ledger.reads.packs import packs_of
from ledger.reads.scopes import people_of
from ledger.reads.thread import ThreadMessage, last_messages, linked_messages

# More than the window of the thread, so that an open question is still found behind small talk.
MAX_CONTEXT = 8


def tripwire_checks(texts: Sequence[Incoming], scope: Scope) -> dict[int, Verdict]:
    """What the tripwire says of the messages among the texts, by their places; nothing in a scope without a tripwire. Four
    queries at most, however many texts. Earlier texts of the same conversation are context."""
    tripwire = tripwire_of(packs_of(scope))
    if tripwire is None:
        return {}
    people = tuple(HouseholdMember(person.name, tuple(person.aliases), person.role) for person in people_of(scope))
    messages = {at: text for at, text in enumerate(texts) if text.kind == SourceKind.MESSAGE}
    threads = RecentMessages(scope, list(messages.values()))
    checks = {}
    for at, text in messages.items():
        message, before, answered = threads.placed(text)
        checks[at] = score(tripwire, message, before, people, answered)
    return checks


class RecentMessages:
    """The end of each conversation, growing by what comes in."""

    def __init__(self, scope: Scope, messages: Sequence[Incoming]) -> None:
        self._now = timezone.now()
        self._last = last_messages(scope, {one.conversation for one in messages} - {""}, MAX_CONTEXT)
        links = {one.reply_to for one in messages if one.conversation} - {""}
        self._by_id: dict[tuple[str, str], ThreadMessage] = dict(linked_messages(scope, links))

    def placed(self, text: Incoming) -> tuple[ThreadMessage, list[ThreadMessage], ThreadMessage | None]:
        """The message, what was said last, and what it answers by a link. From now on it is said itself."""
        own = ThreadMessage(text.external_id, text.sender, text.text, text.sent_at or self._now)
        thread = self._last.setdefault(text.conversation, []) if text.conversation else []
        # What is sent again stands in its own thread already.
        own_id = own.external_id or None
        before = [one for one in thread[-MAX_CONTEXT - 1 :] if one.external_id != own_id]
        linked = self._by_id.get((text.conversation, text.reply_to))
        context = [one for one in before[-MAX_CONTEXT:] if one is not linked]
        thread.append(own)
        if own_id:
            self._by_id[text.conversation, own_id] = own
        return own, context, linked
