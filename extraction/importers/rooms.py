"""Rooms saved as one JSON object with its messages: Google Chat's of Takeout, Matrix's as Element exports it."""

from collections.abc import Iterator
from typing import Any

from extraction.importers.clock import epoch, moment
from extraction.importers.fields import dig, fields_of, first, listed, name_of, spoken
from extraction.importers.files import File
from extraction.importers.found import WORDLESS, Found, Into, named, short
from extraction.importers.names import chat_name
from ledger.actions.ingest import Incoming


def read_google(file: File, into: Into) -> Iterator[Found]:
    """The room is the folder's; what stands further down in a topic answers the message that began it."""
    begun: dict[str, str] = {}

    def read(row: dict[str, Any], place: str) -> Iterator[Found]:
        creator, own = fields_of(row.get("creator")), name_of(row.get("message_id"))
        sent = moment(row.get("created_date"), into.zone)
        if not own or sent is None:
            yield file.skipped("a message without id or time", place)
            return
        began = begun.setdefault(name_of(row.get("topic_id"), own), own)
        text, sections = spoken(
            row.get("text"), (f"[file: {name_of(one.get('export_name'))}]" for one in listed(row.get("attached_files")))
        )
        yield file.kept(place, Incoming(
            text=text, sections=sections, kind="message", sender=named(first(creator.get("name"), creator.get("email"))),
            sender_kind="agent" if creator.get("user_type") == "Bot" else "user", sent_at=sent,
            edited_at=moment(row.get("updated_date"), into.zone), conversation=short(f"google-chat:{chat_name(file)}", 300),
            external_id=own[:500], reply_to=began[:500] if began != own else "", title=chat_name(file)[:500],
        ), empty=WORDLESS)  # fmt: skip

    return file.read_objects([("messages", "*")], "no message", read)


def read_matrix(file: File, into: Into) -> Iterator[Found]:
    """Events that are no message tell of joins, names and topics, and hold no words of anybody's."""

    def read(row: dict[str, Any], place: str) -> Iterator[Found]:
        content, own = fields_of(row.get("content")), name_of(row.get("event_id"))
        sent = epoch(row.get("origin_server_ts"), 1000)
        if row.get("type") != "m.room.message" or not own or sent is None:
            yield file.skipped("no message with id and time", place)
            return
        yield file.kept(place, Incoming(
            text=first(content.get("body")), kind="message", sender=named(row.get("sender")), sent_at=sent,
            sender_kind="agent" if content.get("msgtype") == "m.notice" else "user", external_id=own[:500],
            conversation=short(f"matrix:{name_of(row.get('room_id'), chat_name(file))}", 300), title=chat_name(file)[:500],
            reply_to=name_of(dig(content, "m.relates_to", "m.in_reply_to", "event_id"))[:500],
        ), empty=WORDLESS)  # fmt: skip

    return file.read_objects([("messages", "*")], "no message", read)
