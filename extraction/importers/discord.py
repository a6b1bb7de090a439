"""Discord: a channel as DiscordChatExporter writes it in JSON."""

from collections.abc import Iterator
from typing import Any

from extraction.importers.clock import iso
from extraction.importers.files import File
from extraction.importers.found import Found, Into, named, short
from extraction.importers.json_stream import Broken, records
from extraction.importers.words import dig, listed, name_of, spoken, strings
from ledger.actions.ingest import Incoming

# All other types tell of something that happened: joins, pins, boosts, calls, threads begun.
SPOKEN = {
    "",
    "Default",
    "Reply",
    "ThreadStarterMessage",
    "ChatInputCommand",
    "ContextMenuCommand",
    "0",
    "19",
    "20",
    "21",
    "23",
}


def read(file: File, into: Into) -> Iterator[Found]:
    channel: dict[str, Any] = {}
    with file.open() as stream:
        for one in records(stream, [("channel",), ("messages", "*")]):
            if isinstance(one, Broken):
                yield file.skipped(one.why, one.place)
            elif one.path[0] == "channel":
                channel = one.value if isinstance(one.value, dict) else {}
            elif not isinstance(one.value, dict):
                yield file.skipped("no message", one.place)
            else:
                yield _message(one.value, file, one.place, channel, into)


def _message(row: dict[str, Any], file: File, place: str, channel: dict[str, Any], into: Into) -> Found:
    own, sent = name_of(row.get("id")), iso(row.get("timestamp"), into.zone)
    if not own or sent is None:
        return file.skipped("a message without id or time", place)
    text, sections = spoken(row.get("content"), _carried(row))
    if not text:
        return file.skipped("a message without any words", place)
    author = row.get("author")
    said = strings(dig(author, "nickname"), dig(author, "name"), name_of(dig(author, "id")))
    kind = name_of(row.get("type"))
    title = " / ".join(strings(channel.get("category"), channel.get("name"))) or file.path.stem
    return file.kept(place, Incoming(
        text=text, sections=sections, kind="message", sender=named(said[0] if said else ""),
        sender_kind="system" if kind not in SPOKEN else "agent" if dig(author, "isBot") is True else "user",
        sent_at=sent, edited_at=iso(row.get("timestampEdited"), into.zone),
        conversation=short(f"discord:{name_of(channel.get('id')) or file.path.stem}", 300), external_id=own[:500],
        reply_to=name_of(dig(row, "reference", "messageId"))[:500], title=title.replace("\0", "")[:500],
    ))  # fmt: skip


def _carried(row: dict[str, Any]) -> Iterator[str]:
    yield from strings(dig(row, "forwardedMessage", "content"))
    for card in listed(row.get("embeds")):
        yield "\n".join(strings(dig(card, "author", "name"), card.get("title"), card.get("description")))
        for part in listed(card.get("fields")):
            yield ": ".join(strings(part.get("name"), part.get("value")))
    for file in listed(row.get("attachments")):
        yield f"[file: {name_of(file.get('fileName')) or 'without a name'}]"
    for sticker in listed(row.get("stickers")):
        yield f"[sticker: {name_of(sticker.get('name'))}]"
