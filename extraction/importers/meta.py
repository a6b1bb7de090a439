"""Messenger and Instagram: `message_1.json` of Meta's "download your information"."""

from collections.abc import Iterator
from typing import Any

from extraction.importers.clock import epoch
from extraction.importers.fields import dig, listed, name_of, spoken, strings
from extraction.importers.files import File
from extraction.importers.found import WORDLESS, Found, Ids, Into, Skipped, named, short
from extraction.importers.limits import MAX_BYTES, TooMuch
from ledger.actions.ingest import Incoming

ATTACHED = {"photos": "photo", "videos": "video", "audio_files": "audio", "files": "file", "gifs": "gif"}
EVENTS = {"Subscribe", "Unsubscribe", "Call"}


def read(file: File, into: Into) -> Iterator[Found]:
    """Messages oldest first (the file has the newest first, at most ten thousand a file). Meta writes each byte of UTF-8 as a
    character of its own; where a text can be read back so, it is. Messages have no ids; time, sender and text make one."""
    rows: list[tuple[dict[str, Any], str]] = []
    size, title, path = 0, "", ""
    for one in file.records([("title",), ("thread_path",), ("messages", "*")]):
        if isinstance(one, Skipped):
            yield one
        elif one.path == ("title",):
            title = read_back(name_of(one.value))
        elif one.path == ("thread_path",):
            path = name_of(one.value)
        elif epoch(dig(one.value, "timestamp_ms"), 1000) is None:
            yield file.skipped("no message with a time", one.place)
        else:
            rows.append((one.value, one.place))
            size += len(str(one.value.get("content") or "")) + 500
            if size > MAX_BYTES:
                raise TooMuch(f"more than {MAX_BYTES // 1024**2} MiB of messages in one file")
    ids = Ids()
    conversation = short(f"meta:{path or title or file.path.parent.name or file.path.stem}".replace("\0", ""), 300)
    rows.reverse()
    for row, place in sorted(rows, key=lambda one: float(one[0]["timestamp_ms"])):
        yield _message(row, file, place, conversation, title, ids)


def _message(row: dict[str, Any], file: File, place: str, conversation: str, title: str, ids: Ids) -> Found:
    text, sections = spoken(read_back(row.get("content")), _carried(row))
    sent, sender = epoch(row.get("timestamp_ms"), 1000), named(read_back(row.get("sender_name")))
    return file.kept(place, Incoming(
        text=text, sections=sections, kind="message", sender=sender,
        sender_kind="system" if name_of(row.get("type")) in EVENTS else "user", sent_at=sent, conversation=conversation,
        external_id=ids.of(str(row.get("timestamp_ms")), sender, text), title=title.replace("\0", "")[:500],
    ), empty=WORDLESS)  # fmt: skip


def read_back(text: Any) -> str:
    """A text whose characters are the bytes of UTF-8, as the text it was; any other as it is."""
    if not isinstance(text, str):
        return ""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _carried(row: dict[str, Any]) -> Iterator[str]:
    share = row.get("share")
    if isinstance(share, dict):
        yield "\n".join(strings(read_back(share.get("share_text")), share.get("link"))) or "[share]"
    for key, name in ATTACHED.items():
        yield from [f"[{name}]"] * len(listed(row.get(key)))
    if row.get("sticker"):
        yield "[sticker]"
    if row.get("is_unsent") is True:
        yield "[unsent]"
    if not any(map(row.get, ("share", *ATTACHED, "sticker"))):
        yield "[no longer there]"
