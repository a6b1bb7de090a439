"""What one message shows by itself: words, whom it turns to, what sort of line it is."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from extraction.chat.reply_links.messages import Said
from ledger.language.fold import fold

_WORD = re.compile(r"[^\W_][\w'’.+#/-]*[\w+#]|[^\W_]")
_URL = re.compile(r"https?://|www\.")
_COMMAND = re.compile(r"[!/][A-Za-z]")
# What people write around a name: `@ana`, `ana:`, `(ana)`, `ana,`.
_BEFORE, _AFTER = "@(<\"'*", ":,;.!?)>\"'*…"
_LONGEST = 2000

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
class Traits:
    """A message with what a pair of messages is compared by. `who` is its sender, folded; empty for the system."""

    who: str
    at: float | None
    words: frozenset[str]
    tokens: tuple[str, ...]
    # The first word where it may be a name; `called` where the punctuation after it says that it is one.
    head: str
    called: bool
    question: bool
    asks: bool
    greeting: bool
    thanks: bool
    yes_no: bool
    laugh: bool
    continues: bool
    command: bool
    url: bool
    length: int
    external_id: str = field(default="", compare=False)
    reply_to: str = field(default="", compare=False)


def traits(message: Said) -> Traits:
    """The traits of a message; of a long one those of its beginning."""
    return _traits(message.sender, message.text[:_LONGEST], message.sent_at, message.external_id, message.reply_to)


@lru_cache(maxsize=4096)
def _traits(sender: str, text: str, sent_at: datetime | None, external_id: str, reply_to: str) -> Traits:
    folded = fold(text)
    pieces = folded.split()
    tokens = tuple(bare for piece in pieces if (bare := piece.lstrip(_BEFORE).rstrip(_AFTER)))
    first = pieces[0] if pieces else ""
    words = tuple(_WORD.findall(folded))
    lead = words[:4]
    after = lead[1:2] if first.endswith((":", ",")) else lead[:1]
    start = after[0] if after else ""
    return Traits(
        who=fold(sender),
        at=sent_at.timestamp() if sent_at else None,
        words=frozenset(word for word in words if len(word) > 1),
        tokens=tokens,
        head=first.lstrip(_BEFORE).rstrip(_AFTER),
        called=first.endswith((":", ",")) or first.startswith("@"),
        question="?" in text,
        asks=start in ASKS,
        greeting=bool(GREETING.intersection(lead[:2])),
        thanks=bool(THANKS.intersection(lead)),
        yes_no=start in YES_NO,
        laugh=bool(LAUGH.match(folded)),
        continues=start in CONTINUES,
        command=bool(_COMMAND.match(text)),
        url=bool(_URL.search(folded)),
        length=len(words),
        external_id=external_id,
        reply_to=reply_to,
    )
