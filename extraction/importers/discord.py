"""Discord: a channel as DiscordChatExporter writes it in JSON."""

from collections.abc import Iterator
from typing import Any

from extraction.importers.clock import iso
from extraction.importers.fields import dig, fields_of, first, listed, name_of, spoken, strings
from extraction.importers.files import File
from extraction.importers.found import WORDLESS, Found, Into, Skipped, named, short
from ledger.actions.ingest import Incoming

# All other types tell of something that happened: joins, pins, boosts, calls, threads begun.
SPOKEN = {"", *"Default Reply ThreadStarterMessage ChatInputCommand ContextMenuCommand 0 19 20 21 23".split()}


def read(file: File, into: Into) -> Iterator[Found]:
    channel: dict[str, Any] = {}
    for one in file.records([("channel",), ("messages", "*")]):
        if isinstance(one, Skipped):
            yield one
        elif one.path[0] == "channel":
            channel = fields_of(one.value)
        elif isinstance(one.value, dict):
            yield _message(one.value, file, one.place, channel, into)
        else:
            yield file.skipped("no message", one.place)


def _message(row: dict[str, Any], file: File, place: str, channel: dict[str, Any], into: Into) -> Found:
    own, sent = name_of(row.get("id")), iso(row.get("timestamp"), into.zone)
    if not own or sent is None:
        return file.skipped("a message without id or time", place)
    text, sections = spoken(row.get("content"), _carried(row))
    author = fields_of(row.get("author"))
    sender = first(author.get("nickname"), author.get("name"), name_of(author.get("id")))
    author_kind = "agent" if author.get("isBot") is True else "user"
    title = " / ".join(strings(channel.get("category"), channel.get("name"))) or file.path.stem
    return file.kept(place, Incoming(
        text=text, sections=sections, kind="message", sender=named(sender),
        sender_kind=author_kind if name_of(row.get("type")) in SPOKEN else "system",
        sent_at=sent, edited_at=iso(row.get("timestampEdited"), into.zone),
        conversation=short(f"discord:{name_of(channel.get('id'), file.path.stem)}", 300), external_id=own[:500],
        reply_to=name_of(dig(row, "reference", "messageId"))[:500], title=title.replace("\0", "")[:500],
    ), empty=WORDLESS)  # fmt: skip


def _carried(row: dict[str, Any]) -> Iterator[str]:
    yield from strings(dig(row, "forwardedMessage", "content"))
    for card in listed(row.get("embeds")):
        yield "\n".join(strings(dig(card, "author", "name"), card.get("title"), card.get("description")))
        for part in listed(card.get("fields")):
            yield ": ".join(strings(part.get("name"), part.get("value")))
    for file in listed(row.get("attachments")):
        yield f"[file: {name_of(file.get('fileName'), 'without a name')}]"
    for sticker in listed(row.get("stickers")):
        yield f"[sticker: {name_of(sticker.get('name'))}]"
