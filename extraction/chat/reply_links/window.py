"""The last messages of a conversation, and how each of them stands to the one that is read."""

import math
from collections import Counter, deque
from collections.abc import Iterator, Mapping

from extraction.chat.reply_links.traits import Traits
from ledger.language.fold import fold

# A name that is so common a word here is not taken for a name in the middle of a line.
_COMMON = 0.04
_SHORTEST_PREFIX = 3


class Window:
    """At most `most` messages, oldest first, with the names that are known and how rare each word is among them."""

    def __init__(self, most: int, aliases: Mapping[str, str] | None = None) -> None:
        self.most = most
        self.aliases = {fold(name): fold(sender) for name, sender in (aliases or {}).items()}
        self.messages: deque[Traits] = deque()
        self._senders: Counter[str] = Counter()
        self._words: Counter[str] = Counter()
        self._tokens: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self.messages)

    def __iter__(self) -> Iterator[Traits]:
        return iter(self.messages)

    def add(self, message: Traits) -> None:
        self._count(message, 1)
        self.messages.append(message)
        if len(self.messages) > self.most:
            self._count(self.messages.popleft(), -1)

    def _count(self, message: Traits, step: int) -> None:
        for counter, keys in (
            (self._senders, (message.who,) if message.who else ()),
            (self._words, message.words),
            (self._tokens, message.tokens[1:]),
        ):
            for key in keys:
                counter[key] += step
                if counter[key] <= 0:
                    del counter[key]

    def sender_named(self, name: str) -> str:
        """Who is called so here; empty where nobody is."""
        return self.aliases.get(name) or (name if name in self._senders else "")

    def addressed(self, message: Traits) -> str:
        """Whom a line turns to with its first word; `?` for somebody who has not spoken here; empty for nobody."""
        if not message.head:
            return ""
        named = self.sender_named(message.head)
        if named:
            return named if named != message.who else ""
        if not message.called:
            return ""
        if len(message.head) >= _SHORTEST_PREFIX:
            for sender in self._senders:
                if sender.startswith(message.head) and sender != message.who:
                    return sender
        return "?" if message.called and message.tokens and message.length > 1 and not _is_word(message) else ""

    def mentioned(self, message: Traits) -> frozenset[str]:
        """Who is named later in a line; a name that is a common word here is none."""
        most = max(2.0, _COMMON * len(self.messages))
        found = set()
        for token in message.tokens[1:]:
            named = self.sender_named(token)
            if named and named != message.who and self._tokens[token] <= most and len(token) > 2:
                found.add(named)
        return frozenset(found)

    def rareness(self, word: str) -> float:
        """Natural logarithm of messages by messages with the word."""
        return math.log((1 + len(self.messages)) / (1 + self._words[word]))


def _is_word(message: Traits) -> bool:
    """`well, …`, `yes, …`: the first word ends with a comma and calls nobody."""
    return message.yes_no or message.greeting or message.thanks or message.continues or message.head.isdigit()
