"""Telegram Desktop: `result.json` of one chat, or of all chats."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from extraction.importers.clock import epoch, iso
from extraction.importers.fields import Sections, elements, fields_of, first, listed, name_of, spoken, strings
from extraction.importers.files import File
from extraction.importers.found import WORDLESS, Found, Ids, Into, Skipped, named, short
from ledger.actions.ingest import Incoming
from ledger.rules.sections import SectionSpan

CHATS = ("chats", "left_chats")
WHO = {"message": ("from", "from_id"), "service": ("actor", "actor_id")}
WANTED = [
    *[(key,) for key in ("name", "id", "type")], ("messages", "*"),
    *[(chats, "list", "*", key) for chats in CHATS for key in ("name", "id", "type")],
    *[(chats, "list", "*", "messages", "*") for chats in CHATS],
]  # fmt: skip


@dataclass(slots=True)
class Chat:
    name: str = ""
    id: str = ""
    type: str = ""
    ids: Ids = field(default_factory=Ids)


def read(file: File, into: Into) -> Iterator[Found]:
    """Messages chat by chat. Times are those of `date_unixtime`; older exports have only `date`, a wall clock of the scope."""
    chats: defaultdict[tuple[str | int, ...], Chat] = defaultdict(Chat)
    for one in file.records(WANTED):
        if isinstance(one, Skipped):
            yield one
        elif one.path[-1] in ("name", "id", "type"):
            setattr(chats[one.path[:-1]], str(one.path[-1]), name_of(one.value))
        elif isinstance(one.value, dict):
            yield _message(one.value, file, one.place, chats[one.path[:-2]], into)
        else:
            yield file.skipped("no message", one.place)


def _message(row: dict[str, Any], file: File, place: str, chat: Chat, into: Into) -> Found:
    if row.get("type") not in ("message", "service"):
        return file.skipped(f"neither a message nor a service line: {row.get('type')!r}", place)
    sent = epoch(row.get("date_unixtime")) or iso(row.get("date"), into.zone)
    if sent is None:
        return file.skipped("no time", place)
    sender = named(first(*map(row.get, WHO[row["type"]])))
    text, sections = _words(row, sender)
    own = name_of(row.get("id"))
    return file.kept(place, Incoming(
        text=text, sections=sections, kind="message", sender=sender, sender_kind=_sender_kind(row, chat),
        sent_at=sent, edited_at=epoch(row.get("edited_unixtime")) or iso(row.get("edited"), into.zone),
        conversation=short(f"telegram:{chat.id or chat.name or file.path.stem}", 300),
        external_id=own[:500] or chat.ids.of(sent.isoformat(), sender, text),
        reply_to=name_of(row.get("reply_to_message_id"))[:500],
        title=chat.name.replace("\0", "")[:500],
    ), empty=WORDLESS)  # fmt: skip


def _words(row: dict[str, Any], sender: str) -> tuple[str, Sections]:
    if row["type"] == "service":
        return spoken(flat(row.get("text")), [_event(row, sender)])
    text, sections = spoken(flat(row.get("text")), _carried(row))
    if sections is None and row.get("forwarded_from"):
        # Somebody else's words: they may be quoted as a document is, but are no wish of who passed them on.
        sections = (SectionSpan("", "document", (), 0, len(text)),)
    return text, sections


def _sender_kind(row: dict[str, Any], chat: Chat) -> str:
    if row["type"] == "service":
        return "system"
    is_bot = chat.type == "bot_chat" and chat.id and row.get("from_id") == f"user{chat.id}"
    return "agent" if is_bot else "user"


SHOWN = {"photo": "[photo]", "location_information": "[location]"}


def flat(text: Any) -> str:
    """A text's pieces put together: plain strings, and objects for what is bold, a link, a name."""
    if isinstance(text, str):
        return text
    return "".join(
        piece if isinstance(piece, str) else str(fields_of(piece).get("text") or "") for piece in elements(text)
    )


def _event(row: dict[str, Any], sender: str) -> str:
    said = strings(row.get("title"), flat(row.get("message")), row.get("new_title"))
    action = name_of(row.get("action")).replace("_", " ") or "event"
    return " · ".join(filter(None, [sender, action, *said, ", ".join(strings(*elements(row.get("members"))))]))


def _carried(row: dict[str, Any]) -> Iterator[str]:
    if isinstance(poll := row.get("poll"), dict):
        yield f"[poll] {flat(poll.get('question'))}"
        yield from (f"- {flat(answer.get('text'))}" for answer in listed(poll.get("answers")))
    kind = name_of(row.get("media_type")).replace("_", " ")
    name = strings(row.get("file_name"), row.get("sticker_emoji"), row.get("title"))
    if kind or row.get("file"):
        yield f"[{': '.join([kind or 'file', *name[:1]])}]"
    yield from (shown for key, shown in SHOWN.items() if row.get(key))
    if isinstance(contact := row.get("contact_information"), dict):
        yield f"[contact: {' '.join(strings(contact.get('first_name'), contact.get('last_name')))}]"
