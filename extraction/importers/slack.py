"""Slack: an export's folder or zip, a folder for each channel with a file for each day."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from extraction.importers.clock import epoch
from extraction.importers.fields import dig, elements, fields_of, first, listed, name_of, spoken, strings
from extraction.importers.files import UNREADABLE, File
from extraction.importers.found import WORDLESS, Found, Into, Skipped, named, short
from ledger.actions.ingest import Incoming

DAY = re.compile(r"\d{4}-\d\d-\d\d\.json")
LISTS = ("channels.json", "groups.json", "dms.json", "mpims.json")
# Files of an export that hold no messages; users.json and the lists are read beside the messages.
ABOUT = {*LISTS, "users.json", "org_users.json", "integration_logs.json", "canvases.json", "lists.json",
         "file_conversations.json", "huddle_transcripts.json"}  # fmt: skip
# A person's words come with these; all other subtypes tell of something that happened.
SPOKEN = {"", "me_message", "thread_broadcast", "file_share", "file_comment", "file_mention", "bot_message", "reply_broadcast",
          "reminder_add", "assistant_app_thread"}  # fmt: skip
UNSEEN = {"message_deleted", "message_changed", "message_replied", "tombstone"}


@dataclass(frozen=True, slots=True)
class Export:
    """The files of one export: days by channel folder, and what is about them."""

    days: tuple[tuple[str, File], ...]
    about: Mapping[str, File]

    @property
    def files(self) -> set[str]:
        return {file.name for _, file in self.days} | {file.name for file in self.about.values()}


def exports(files: Sequence[File], looks_right: bool = True) -> Iterator[Export]:
    """The Slack exports among the files, by their structure: folders of files named by day, which hold what Slack writes."""
    roots: dict[PurePosixPath, list[tuple[str, File]]] = {}
    beside: dict[PurePosixPath, dict[str, File]] = {}
    for file in files:
        path = file.path
        if DAY.fullmatch(path.name):
            roots.setdefault(path.parent.parent, []).append((path.parent.name, file))
        elif path.name in ABOUT:
            beside.setdefault(path.parent, {})[path.name] = file
    for root in sorted(roots):
        about = beside.get(root, {})
        if not looks_right or about or _is_day(roots[root][0][1]):
            yield Export(tuple(roots[root]), about)


def _is_day(file: File) -> bool:
    try:
        head = file.head()
    except UNREADABLE:
        return False
    return head.lstrip()[:1] == b"[" and (b'"ts"' in head or b"".join(head.split()) == b"[]")


def read(export: Export, into: Into) -> Iterator[Found]:
    """Every message in the order of channels and days. The conversation is the channel, a thread's answers point at what
    started it. Mentions and links stay as Slack writes them: `<@U…>`, `<url|label>`; `&amp;`, `&lt;`, `&gt;` are what was typed."""
    names: dict[str, tuple[str, bool]] = {}
    ids: dict[str, str] = {}
    for name, file in sorted(export.about.items()):
        yield from _about(name, file, names, ids)
    for folder, file in export.days:
        yield from day(file, into, folder, ids, names)


def day(
    file: File, into: Into, folder: str = "", ids: Mapping[str, str] | None = None,
    names: Mapping[str, tuple[str, bool]] | None = None,
) -> Iterator[Found]:  # fmt: skip
    folder = folder or file.path.parent.name or file.path.stem
    conversation = short(f"slack:{(ids or {}).get(folder, folder)}", 300)
    yield from file.read_objects(
        [("*",)], "no message", lambda row, place: [_message(row, file, place, folder, conversation, names or {})]
    )


def _about(
    name: str, file: File, names: dict[str, tuple[str, bool]], ids: dict[str, str]
) -> Iterator[Found]:  # fmt: skip
    if name not in (*LISTS, "users.json", "org_users.json"):
        return
    try:
        for one in file.records([("*",)]):
            if isinstance(one, Skipped):
                yield one
            elif (own := name_of(dig(one.value, "id"))) and name in LISTS:
                ids[name_of(one.value.get("name")) or own] = own
            elif own:
                names[own] = (_display(one.value), bool(one.value.get("is_bot")) or own == "USLACKBOT")
    except UNREADABLE as error:
        yield file.skipped(str(error))


def _display(user: Mapping[str, Any]) -> str:
    profile = fields_of(user.get("profile"))
    return first(
        profile.get("display_name"), user.get("real_name"), profile.get("real_name"), user.get("name"), user.get("id")
    )


def _message(
    row: dict[str, Any], file: File, place: str, folder: str, conversation: str, names: Mapping[str, tuple[str, bool]]
) -> Found:
    sent = epoch(row.get("ts"))
    stamp = name_of(row.get("ts"))
    if sent is None or row.get("type", "message") != "message":
        return file.skipped("no message with a time (ts)", place)
    subtype = name_of(row.get("subtype"))
    if subtype in UNSEEN:
        return file.skipped(f"only a trace of a message ({subtype})", place)
    text, sections = spoken(typed(row.get("text")), _carried(row))
    sender, author_kind = _author(row, subtype, names)
    thread = name_of(row.get("thread_ts"))
    return file.kept(place, Incoming(
        text=text, sections=sections, kind="message", sender=sender,
        sender_kind=author_kind if subtype in SPOKEN else "system",
        sent_at=sent, edited_at=epoch(dig(row, "edited", "ts")), conversation=conversation, external_id=stamp[:500],
        reply_to=thread[:500] if thread != stamp else "", title=f"#{folder}"[:500],
    ), empty=WORDLESS)  # fmt: skip


def _author(row: dict[str, Any], subtype: str, names: Mapping[str, tuple[str, bool]]) -> tuple[str, str]:
    """Their name and kind. A person's own name comes before the one that a program gave itself, and a bot's behind."""
    user = name_of(row.get("user"), dig(row, "comment", "user"))
    known, is_bot = names.get(user, ("", False))
    people = (known, dig(row, "user_profile", "display_name"), dig(row, "user_profile", "real_name"))
    bots = (row.get("username"), dig(row, "bot_profile", "name"))
    is_bot |= subtype == "bot_message" or (bool(row.get("bot_id")) and subtype not in ("file_share", "bot_add"))
    others = (user, name_of(row.get("bot_id")))
    if is_bot:
        return named(first(*bots, *people, *others)), "agent"
    return named(first(*people, *bots, *others)), "user"


_ESCAPED = re.compile(r"&(amp|lt|gt);")
_TYPED = {"amp": "&", "lt": "<", "gt": ">"}


def typed(text: Any) -> str:
    """What somebody typed, empty for what is no text: Slack writes exactly `&`, `<` and `>` as entities, each once. `&amp;lt;`
    was typed as `&lt;`, and every other entity was typed as it stands."""
    return _ESCAPED.sub(lambda entity: _TYPED[entity[1]], text) if isinstance(text, str) else ""


def _carried(row: Mapping[str, Any]) -> Iterator[str]:
    """What a message without text shows: cards, blocks' plain text, files by their names."""
    for card in listed(row.get("attachments")):
        words = strings(card.get("pretext"), card.get("title"), card.get("text"))
        yield typed("\n".join(words or strings(card.get("fallback"))))
        for part in listed(card.get("fields")):
            yield typed(": ".join(strings(part.get("title"), part.get("value"))))
    for block in listed(row.get("blocks")):
        yield from map(typed, strings(dig(block, "text", "text")))
    for file in listed([*elements(row.get("files")), row.get("file")]):
        yield f"[file: {first(file.get('title'), file.get('name'), 'without a name')}]"
