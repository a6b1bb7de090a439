"""What one message shows by itself: words, whom it turns to, what sort of line it is; and the last messages of a talk."""

import math
import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType

from extraction.chat.decision_tables import signs_among
from extraction.chat.messages import LinkedLine
from ledger.language.fold import fold

_WORD = re.compile(r"[^\W_][\w'’.+#/-]*[\w+#]|[^\W_]")
_URL = re.compile(r"https?://|www\.")
_COMMAND = re.compile(r"[!/][A-Za-z]")
# What people write around a name: `@ana`, `ana:`, `(ana)`, `ana,`.
_BEFORE, _AFTER = "@(<\"'*", ":,;.!?)>\"'*…"
_CALLS = (":", ",")
_MAX_CHARS = 2000
_MIN_LONG = 12
# A name that is so common a word here is not taken for a name in the middle of a line.
_COMMON = 0.04
_MIN_PREFIX = 3
# `well, …`, `yes, …`: the first word ends with a comma and calls nobody.
_NO_NAMES = frozenset({"yes_no", "greeting", "thanks", "continues"})
NO_ALIASES: Mapping[str, str] = MappingProxyType({})

# English, Spanish, German: what such lines begin with. Closed word classes of the languages, no topic's words.
GREETING = frozenset(
    "hi hello hey hiya yo howdy greetings morning evening night goodnight bye cya hola buenas buenos adios hallo "
    "moin servus tschuss tschus moinsen".split()
)
THANKS = frozenset("thanks thank thx ty tysm thankyou cheers gracias danke merci dankeschon np yw welcome".split())
YES_NO = frozenset(
    "yes yeah yep yup ya sure ok okay k kk right correct exactly no nope nah true indeed si vale claro ja jo nein "
    "genau doch".split()
)
LAUGH = re.compile(
    r"^(?:(?:l+o+l+|lmao|rofl|(?:ha|he|ja|hi){2,}h?|heh|x?d+|[:;=]-?[()dpo/]+|\W+)(?:\s|$))+", re.IGNORECASE
)
CONTINUES = frozenset(
    "and but or so because cause which then also plus with though y pero o porque entonces und aber oder weil dann".split()
)
ASKS = frozenset(
    "who what when where why how which can could does do did is are was were will would should has have anyone anybody "
    "someone quien que cuando donde como puede puedes alguien wer was wann wo warum wie "
    "kann kannst konnte jemand hat ist".split()
)


@dataclass(frozen=True, slots=True)
class MessageTraits:
    """A message with what a pair of messages is compared by. `who` is its sender, folded; empty for the system. `head` is its
    first word, where it may be a name; it shows `called` where the punctuation after that says that it is one."""

    who: str
    at: float | None
    words: frozenset[str]
    tokens: tuple[str, ...]
    head: str
    signs: frozenset[str]
    # The same, as they are told of a line that may be answered: `their_question`, ….
    their_signs: frozenset[str]
    length: int
    external_id: str = field(default="", compare=False)
    reply_to: str = field(default="", compare=False)


def traits_of(message: LinkedLine) -> MessageTraits:
    """The traits of a message; of a long one those of its beginning."""
    return _traits(message.sender, message.text[:_MAX_CHARS], message.sent_at, message.external_id, message.reply_to)


@lru_cache(maxsize=4096)
def _traits(sender: str, text: str, sent_at: datetime | None, external_id: str, reply_to: str) -> MessageTraits:
    folded = fold(text)
    pieces = folded.split()
    first = "".join(pieces[:1])
    words = tuple(_WORD.findall(folded))
    lead = words[:4]
    # A name and its comma stand before what is said.
    start = "".join(words[1:2] if first.endswith(_CALLS) else words[:1])
    facts = {
        "called": first.endswith(_CALLS) or first.startswith("@"),
        "question": "?" in text,
        "asks": start in ASKS,
        "greeting": GREETING.intersection(lead[:2]),
        "thanks": THANKS.intersection(lead),
        "yes_no": start in YES_NO,
        "laugh": LAUGH.match(folded),
        "continues": start in CONTINUES,
        "command": _COMMAND.match(text),
        "url": _URL.search(folded),
        "two_words": len(words) <= 2,
        "few_words": len(words) <= 3,
        "long": len(words) >= _MIN_LONG,
    }
    signs = signs_among(facts)
    return MessageTraits(
        who=fold(sender),
        at=sent_at.timestamp() if sent_at else None,
        words=frozenset(word for word in words if len(word) > 1),
        tokens=tuple(filter(None, (piece.lstrip(_BEFORE).rstrip(_AFTER) for piece in pieces))),
        head=first.lstrip(_BEFORE).rstrip(_AFTER),
        signs=signs,
        their_signs=frozenset(f"their_{name}" for name in signs),
        length=len(words),
        external_id=external_id,
        reply_to=reply_to,
    )


class ChatWindow:
    """At most `most` messages, oldest first, with the names that are known and how rare each word is among them."""

    def __init__(self, most: int, aliases: Mapping[str, str] = NO_ALIASES) -> None:
        self.most = most
        self.aliases = {fold(name): fold(sender) for name, sender in aliases.items()}
        self.messages: deque[MessageTraits] = deque()
        self._senders: Counter[str] = Counter()
        self._words: Counter[str] = Counter()
        self._tokens: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self.messages)

    def __iter__(self) -> Iterator[MessageTraits]:
        return iter(self.messages)

    def add(self, message: MessageTraits) -> None:
        self._count(message, 1)
        self.messages.append(message)
        if len(self.messages) > self.most:
            self._count(self.messages.popleft(), -1)

    def _count(self, message: MessageTraits, step: int) -> None:
        counted = (
            (self._senders, filter(None, [message.who])),
            (self._words, message.words),
            (self._tokens, message.tokens[1:]),
        )
        for counter, keys in counted:
            for key in keys:
                counter[key] += step
                if counter[key] <= 0:
                    del counter[key]

    def sender_named(self, name: str) -> str:
        """Who is called so here; empty where nobody is."""
        return self.aliases.get(name) or (name if name in self._senders else "")

    def addressed(self, message: MessageTraits) -> str:
        """Whom a line turns to with its first word; `?` for somebody who has not spoken here; empty for nobody."""
        named = self.sender_named(message.head)
        if not message.head or named == message.who:
            return ""
        return named or ("called" in message.signs and self._called(message)) or ""

    def _called(self, message: MessageTraits) -> str:
        """Whom the beginning of a name means, where nobody has the whole name."""
        begun = [one for one in self._senders if one.startswith(message.head) and one != message.who]
        if begun and len(message.head) >= _MIN_PREFIX:
            return begun[0]
        is_name = message.length > 1 and not message.head.isdigit() and message.signs.isdisjoint(_NO_NAMES)
        return "?" if is_name else ""

    def mentioned(self, message: MessageTraits) -> frozenset[str]:
        """Who is named later in a line; a name that is a common word here is none."""
        most = max(2.0, _COMMON * len(self.messages))
        rare = [token for token in message.tokens[1:] if len(token) > 2 and self._tokens[token] <= most]
        return frozenset(map(self.sender_named, rare)) - {"", message.who}

    def rareness(self, word: str) -> float:
        """Natural logarithm of messages by messages with the word."""
        return math.log((1 + len(self.messages)) / (1 + self._words[word]))
