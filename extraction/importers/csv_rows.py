"""CSV: a row a message, its columns told by the head's words or by a mapping; Jira's own export too."""

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from extraction.importers import jira
from extraction.importers.clock import moment
from extraction.importers.decoding import head_of, lines
from extraction.importers.files import File
from extraction.importers.found import WORDLESS, Found, Ids, Into, Remark, named, short
from extraction.importers.names import chat_name
from ledger.actions.ingest import Incoming

# What a head may call each field, where no mapping names its column.
COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "text": (
        "text",
        "message",
        "body",
        "content",
        "comment",
        "words",
        "note",
        "description",
        "nachricht",
        "texto",
        "texte",
    ),
    "sender": (
        "sender",
        "author",
        "from",
        "user",
        "username",
        "name",
        "speaker",
        "display name",
        "von",
        "autor",
        "auteur",
    ),
    "sent_at": (
        "sent_at",
        "date",
        "time",
        "timestamp",
        "datetime",
        "created",
        "created_at",
        "sent",
        "when",
        "datum",
        "fecha",
    ),
    "conversation": ("conversation", "channel", "thread", "room", "chat", "topic", "group", "kanal"),
    "external_id": ("id", "message_id", "message id", "external_id", "ts", "key"),
    "reply_to": ("reply_to", "reply to", "in_reply_to", "parent", "parent_id", "thread_ts"),
    "title": ("title", "subject", "summary", "betreff"),
}
MAX_FIELD: Final = 16 * 1024 * 1024
MAX_COLUMNS: Final = 5_000


def read(file: File, into: Into) -> Iterator[Found]:
    """Each row by the words above its columns. What has no column of text is refused with the columns that it has."""
    csv.field_size_limit(MAX_FIELD)
    with file.open() as stream:
        rows = csv.reader(lines(stream), delimiter=_delimiter(file), strict=True)
        try:
            head = [name.strip().lstrip("\ufeff") for name in next(rows, [])][:MAX_COLUMNS]
            yield from _rows(head, rows, file, into)
        except csv.Error as error:
            yield file.skipped(f"no CSV from here on: {error}", f"line {rows.line_num}")


def _delimiter(file: File) -> str:
    """The sign that parts the head most often."""
    head = next(iter(head_of(file.head()).split("\n", 1)), "")
    return max(",;\t|", key=head.count)


def _rows(head: list[str], rows: Iterator[list[str]], file: File, into: Into) -> Iterator[Found]:
    if {"Issue key", "Summary"} <= set(head):
        for number, row in enumerate(rows, 2):
            yield from jira.read_csv_row(_grouped(head, row), file, str(number), into)
        return
    places = columns_of(head, into.columns)
    if "text" not in places:
        shown = ", ".join(filter(None, islice(head, 12)))
        yield file.skipped(
            f"no column is known to hold the text; its columns: {shown}. Name them: --columns text=NAME,sender=NAME"
        )
        return
    left = [name for at, name in enumerate(head) if name and at not in places.values()]
    if left:
        yield Remark(file.name, f"columns that are not kept: {', '.join(left[:12])}")
    ids = Ids()
    for number, row in enumerate(rows, 2):
        if any(row):
            yield _message(
                {field: row[at] for field, at in places.items() if at < len(row)}, file, str(number), into, ids
            )


def columns_of(head: list[str], named_by_hand: Mapping[str, str]) -> dict[str, int]:
    """Where each field stands: as a mapping says, else by the first of its usual names."""
    at = {name.casefold(): number for number, name in reversed(list(enumerate(head)))}
    by_hand = {field: at[name.casefold()] for field, name in named_by_hand.items() if name.casefold() in at}
    guessed = ((field, [at[name] for name in names if name in at]) for field, names in COLUMNS.items())
    return {field: found[0] for field, found in guessed if found and found[0] not in by_hand.values()} | by_hand


def _grouped(head: list[str], row: list[str]) -> dict[str, list[str]]:
    columns: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in zip(head, row, strict=False):
        columns[name].append(value)
    return columns


def _message(row: Mapping[str, str], file: File, place: str, into: Into, ids: Ids) -> Found:
    talk = short(f"csv:{row.get('conversation') or chat_name(file)}", 300)
    sender, text = named(row.get("sender")), row.get("text", "")
    return file.kept(place, Incoming(
        text=text, kind="message", sender=sender, sent_at=moment(row.get("sent_at"), into.zone), conversation=talk,
        external_id=(row.get("external_id") or ids.of(talk, sender, row.get("sent_at", ""), text))[:500],
        reply_to=row.get("reply_to", "")[:500], title=row.get("title", "").replace("\0", "")[:500],
    ), empty=WORDLESS)  # fmt: skip
