"""Which format a file is in, by what is in it first, and by its name only then."""

import json
import re
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass

from extraction.importers import chat_lines, line_chats
from extraction.importers.cues import TIMING
from extraction.importers.decoding import head_of
from extraction.importers.fields import fields_of
from extraction.importers.files import File
from ledger.rules.calendar_files.reading import is_calendar

TEXTS = {
    ending: form
    for form, endings in {
        "text": " .txt .text .log .rst .org .adoc .html .htm .irc .weechatlog",
        "markdown": ".md .markdown .mdown",
        "jsonl": ".jsonl .ndjson",
        "eml": ".eml",
        "mbox": ".mbox .mbx",
        "captions": ".vtt .srt .sbv",
        "csv": ".csv .tsv",
        "ics": ".ics .ical .ifb",
        "word": ".docx",
        "opendocument": ".odt",
        "pdf": ".pdf",
    }.items()
    for ending in endings.split(" ")
}
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]')
DEEPEST = 5
FIELD = re.compile(r"([!-9;-~]+):(?:[ \t]|$)")
# Fields that mail has; two of them, and one that says from whom or by which way, are no accident.
FIELDS = {"from", "to", "date", "subject", "message-id", "received", "mime-version", "return-path", "content-type", "cc",
          "delivered-to", "reply-to", "sender", "x-mailer", "references", "in-reply-to", "content-transfer-encoding"}  # fmt: skip
TELLING = {"from", "received", "return-path", "delivered-to", "mime-version"}
MINUTES = re.compile(
    r"(?im)^[ \t>*_#-]*(present|attendees|regrets|scribe(?:nick|s|\(s\))?|chairs?|minute[- ]taker)[*_ \t]*:"
)


JSON_SUFFIXES = ("", ".json", ".jsonl", ".ndjson", ".txt")
XML_SUFFIXES = (".xml", ".rss")
# Where a text may be mail or a chat that was saved under another name.
TEXT_SUFFIXES = ("", ".txt", ".text", ".mail", ".msg", ".log", ".irc", ".weechatlog")
MBOX = re.compile(r"From \S+.*\d\d:\d\d")
CUES = re.compile(r"(?:\ufeff?WEBVTT\b[^\0]{0,4000}?|\s*\d{1,6}\s*\n|\s*)" + TIMING.pattern)


@dataclass(frozen=True, slots=True)
class Recognized:
    """A format by its name, empty where none is known, and what a person should know of how it was told."""

    form: str
    doubt: str = ""


def recognized(file: File, head: bytes) -> Recognized:
    """By what is in it where its name leaves that open: JSON, XML, and texts that may be mail, a chat or minutes."""
    text = head_of(head)
    form = _of_marked_up(file.suffix, text.lstrip())
    if form or (file.suffix == ".json" and text.lstrip().startswith(("{", "["))):
        return Recognized(form)
    by_name = TEXTS.get(file.suffix, "text" if file.asked_for else "")
    said = _of_lines_said(text) if file.suffix in TEXT_SUFFIXES else Recognized("")
    if said.form:
        return said
    if by_name in ("text", "markdown") and len({label[1].lower()[:5] for label in MINUTES.finditer(text)}) > 1:
        return Recognized("minutes")
    return Recognized(by_name, said.doubt)


def _of_marked_up(suffix: str, start: str) -> str:
    if suffix in JSON_SUFFIXES and start.startswith(("{", "[")):
        return of_json(start, lines=suffix != ".json")
    return "jira-xml" if suffix in XML_SUFFIXES and all(sign in start for sign in ("<rss", "<item", "<key ")) else ""


def _of_lines_said(text: str) -> Recognized:
    """Mail, captions, or a chat line by line: of two readings the one that explains more lines."""
    for form, fits in (
        ("ics", is_calendar),
        ("mbox", MBOX.match),
        ("eml", looks_like_mail),
        ("captions", CUES.match),
    ):
        if fits(text):
            return Recognized(form)
    layout, explained = line_chats.layout_of(text)
    dated, named = chat_lines.count_headers(text)
    if layout and explained > named:
        return Recognized(layout.name)
    if not chat_lines.looks_like_a_chat(text):
        return Recognized("")
    if named * 2 < dated:
        return Recognized("", f"it begins like a chat, but {dated - named} of {dated} lines name nobody; read as text")
    return Recognized("whatsapp")


def looks_like_mail(text: str) -> bool:
    names: set[str] = set()
    for line in text.splitlines()[:60]:
        field = FIELD.match(line)
        if field:
            names.add(field[1].lower())
        elif line[:1] not in (" ", "\t") or not line.strip():
            break
    return len(names & FIELDS) > 1 and bool(names & TELLING)


# What only one program writes, by the paths of its keys, in the order in which it is looked for: all of the first keys, or any
# of the second.
SIGNS: tuple[tuple[str, set[str], set[str]], ...] = (
    ("discord", {"guild", "channel"}, set()),
    ("trello", {"shortLink", "prefs"}, {"actions[].memberCreator", "cards[].idBoard", "cards[].idList"}),
    (
        "gitlab",
        {"iid", "title", "project_id"},
        {"[].iid", "[].noteable_type", "[].individual_note", "notes[].noteable_type"},
    ),
    ("jira", {"key", "fields"}, {"issues[].fields", "[].fields.summary"}),
    ("zulip", set(), {"zerver_message", "messages[].sender_full_name", "messages[].stream_id"}),
    ("teams", set(), {"value[].messageType", "[].messageType", "conversations[].MessageList"}),
    ("google-chat", {"messages[].creator", "messages[].created_date"}, set()),
    ("matrix", {"messages[].origin_server_ts", "messages[].event_id"}, set()),
    ("meta", {"messages[].sender_name"}, set()),
    (
        "telegram",
        {"messages", "name", "type", "id"},
        {"chats.list", "left_chats.list", "messages[].date_unixtime", "messages[].from_id", "messages[].from"},
    ),
    ("chatgpt", {"[].mapping"}, set()),
    (
        "messages",
        set(),
        {
            "[].chat_messages",
            "[].messages[].role",
            "messages[].role",
            "conversations[].from",
            "[].conversations[].from",
            "conversation[].role",
            "chats[].messages[].role",
            "conversations[].messages[].role",
            "[].chat.messages[].role",
        },
    ),
    ("messages", {"requests", "responderUsername"}, set()),
    ("messages", {"sessionId", "messages[].type"}, set()),
    ("messages", {"[].sessionId", "[].messageId", "[].message"}, set()),
    ("messages", {"[].role", "[].parts"}, set()),
    ("messages", {"[].role", "[].content"}, set()),
)
GITHUB_KEYS = ("created_at", "createdAt", "user", "author", "html_url", "url", "issue_url")
GITHUB_PLACES = ("", "[].", "issue.", "[].issue.", "comments[].", "[].comments[].")


def of_json(text: str, *, lines: bool) -> str:
    if lines and (form := _of_lines(text)):
        return form
    keys = outline(text)
    for form, all_of, any_of in SIGNS:
        if (all_of and keys >= all_of) or keys & any_of:
            return form
    if "[].ts" in keys and "[].body" not in keys:
        return "slack"
    return "github" if any(_is_github_post(keys, at) for at in GITHUB_PLACES) else ""


def _is_github_post(keys: Set[str], at: str) -> bool:
    return at + "body" in keys and any(at + key in keys for key in GITHUB_KEYS)


# What a line of JSONL has that only one program writes: any of these sets of keys, the values of `type` that must stand in it.
SESSION_KEYS = ("sessionId", "leafUuid", "parentUuid", "messageId")
LINE_SIGNS: tuple[tuple[str, tuple[set[str], ...], set[str]], ...] = (
    ("claude-code", tuple({"type", key} for key in SESSION_KEYS), set()),
    (
        "codex",
        (
            {"type", "payload"},
            {"record_type"},
            {"id", "timestamp", "instructions"},
            {"session_id", "ts", "text"},
            {"type", "thread_id"},
        ),
        set(),
    ),
    ("mattermost", ({"type"},), {"version", "team", "channel", "post", "direct_channel", "direct_post"}),
    (
        "messages",
        (
            {"messages"},
            {"conversations"},
            {"contents"},
            {"chat_messages"},
            {"role", "content"},
            {"role", "parts"},
            {"from", "value"},
            {"prompt", "completion"},
            {"prompt", "response"},
        ),
        set(),
    ),
    ("gitlab", ({"iid", "title"}, {"iid", "notes"}), set()),
    ("jsonl", ({"text"},), set()),
)


def _of_lines(text: str) -> str:
    """The format that the most of the first whole lines show."""
    shown = Counter(form for line in text.splitlines()[:20] if (form := _of_line(line)))
    return max(shown, key=shown.__getitem__, default="")


def _of_line(line: str) -> str:
    try:
        row = fields_of(json.loads(line))
    except (ValueError, RecursionError):
        return ""
    kind = row.get("type")
    fitting = (
        form for form, any_of, types in LINE_SIGNS
        if any(keys <= row.keys() for keys in any_of) and (not types or (isinstance(kind, str) and kind in types and kind in row))
    )  # fmt: skip
    return next(fitting, "")


def outline(text: str) -> set[str]:
    """The keys in the beginning of a JSON text, by their path: `messages[].from`. Reads no further than `text`."""
    keys: set[str] = set()
    path: list[str] = []
    last = ""
    tokens = [token[0] for token in TOKEN.finditer(text)]
    for sign, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if sign[0] == '"':
            if following == ":" and len(path) <= DEEPEST:
                last = _key(sign)
                keys.add("".join(path) + last)
        elif sign in "{[":
            path.append(last + OPENED[sign] if last or sign == "[" else "")
            last = ""
        elif sign != ":":
            # What is closed goes off the path; a comma ends a value.
            del path[len(path) - (sign in "}]") :]
            last = ""
    return keys


OPENED = {"{": ".", "[": "[]."}


def _key(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        return token[1:-1]
