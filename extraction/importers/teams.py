"""Microsoft Teams and Skype: messages as Graph answers (`value`), and `messages.json` of an account's own export."""

from collections.abc import Iterator
from typing import Any

from extraction.importers.clock import moment
from extraction.importers.decoding import head_of
from extraction.importers.fields import dig, fields_of, first, listed, name_of, present, spoken, strings
from extraction.importers.files import File
from extraction.importers.found import WORDLESS, Found, Into, named, short
from extraction.importers.mail import plain_page
from extraction.importers.names import chat_name
from ledger.actions.ingest import Incoming

SPOKEN = {"message", "Text", "RichText", "RichText/Html"}


def read(file: File, into: Into) -> Iterator[Found]:
    """Messages of channels and chats; what answers a post points at it. Calls, joins and renames hold nobody's words."""
    many = head_of(file.head()).lstrip().startswith("[")
    wanted = [("*",)] if many else [("value", "*"), ("conversations", "*")]
    return file.read_objects(wanted, "no message", lambda row, place: _rows(row, file, place, into))


def _rows(row: dict[str, Any], file: File, place: str, into: Into) -> Iterator[Found]:
    """A message with its replies, or a conversation with its messages, the newest first."""
    if "MessageList" in row:
        talk = first(row.get("displayName"), row.get("id"))
        for number, one in reversed(list(enumerate(listed(row["MessageList"])))):
            yield _message(one, file, f"{place}.MessageList.{number}", into, first(row.get("id")), talk)
        return
    talk = name_of(dig(row, "channelIdentity", "channelId"), row.get("chatId"), chat_name(file))
    for number, one in enumerate([row, *listed(row.get("replies"))]):
        yield _message(
            one, file, f"{place}.replies.{number - 1}" if number else place, into, talk, first(row.get("subject"), talk)
        )


def _message(row: dict[str, Any], file: File, place: str, into: Into, talk: str, title: str) -> Found:
    own, sent = name_of(row.get("id")), moment(present(row, "createdDateTime", "originalarrivaltime"), into.zone)
    if not own or sent is None:
        return file.skipped("no message with id and time", place)
    kind = first(row.get("messageType"), row.get("messagetype"))
    text, sections = spoken(_words(row), map(_carried, listed(row.get("attachments"))))
    sender = first(dig(row, "from", "user", "displayName"), dig(row, "from", "application", "displayName"),
                   row.get("displayName"), row.get("from"))  # fmt: skip
    return file.kept(place, Incoming(
        text=text, sections=sections, kind="message", sender=named(sender), sent_at=sent,
        sender_kind="system" if kind not in SPOKEN else "agent" if dig(row, "from", "application") else "user",
        edited_at=moment(row.get("lastEditedDateTime"), into.zone), conversation=short(f"teams:{talk}", 300),
        external_id=own[:500], reply_to=name_of(row.get("replyToId"))[:500], title=title.replace("\0", "")[:500],
    ), empty=WORDLESS)  # fmt: skip


def _words(row: dict[str, Any]) -> str:
    """HTML as a reader sees it, text as it stands."""
    body = fields_of(row.get("body"))
    text = first(body.get("content"), row.get("content"))
    is_page = body.get("contentType") == "html" or first(row.get("messagetype")).startswith("RichText")
    return plain_page(text).strip("\n") if is_page and text else text


def _carried(card: dict[str, Any]) -> str:
    return f"[file: {' '.join(strings(card.get('name')))}]" if card.get("name") else ""
