"""Which format a file is in, by what is in it first, and by its name only then."""

import json
import re

from extraction.importers import chat_lines
from extraction.importers.decoding import head_of
from extraction.importers.fields import fields_of
from extraction.importers.files import File

TEXTS = {"": "text", ".txt": "text", ".text": "text", ".log": "text", ".rst": "text", ".org": "text", ".adoc": "text",
         ".html": "text", ".htm": "text", ".md": "markdown", ".markdown": "markdown", ".mdown": "markdown",
         ".jsonl": "jsonl", ".ndjson": "jsonl", ".eml": "eml", ".mbox": "mbox", ".mbx": "mbox"}  # fmt: skip
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
# Where a text may be mail or a chat that was saved under another name.
TEXT_SUFFIXES = ("", ".txt", ".text", ".mail", ".msg", ".log")
MBOX = re.compile(r"From \S+.*\d\d:\d\d")


def format_of(file: File, head: bytes) -> str:
    """The format's name; empty where none is known."""
    text = head_of(head)
    start = text.lstrip()
    if file.suffix in JSON_SUFFIXES and start.startswith(("{", "[")):
        form = of_json(start, lines=file.suffix != ".json")
        if form or file.suffix == ".json":
            return form
    by_name = TEXTS.get(file.suffix, "text" if file.asked_for else "")
    if by_name in ("text", "") and file.suffix in TEXT_SUFFIXES and (form := _of_messages(file, text)):
        return form
    if by_name in ("text", "markdown") and len({label[1].lower()[:5] for label in MINUTES.finditer(text)}) > 1:
        return "minutes"
    return by_name


def _of_messages(file: File, text: str) -> str:
    """Mail, or a chat line by line."""
    if MBOX.match(text):
        return "mbox"
    if looks_like_mail(text):
        return "eml"
    return "whatsapp" if file.suffix in (".txt", "") and chat_lines.looks_like_a_chat(text) else ""


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
    ("meta", {"messages[].sender_name"}, set()),
    (
        "telegram",
        {"messages", "name", "type", "id"},
        {"chats.list", "left_chats.list", "messages[].date_unixtime", "messages[].from_id", "messages[].from"},
    ),
    ("chatgpt", {"[].mapping"}, set()),
)
GITHUB_KEYS = ("created_at", "createdAt", "user", "author", "html_url", "url", "issue_url")
GITHUB_PLACES = ("", "[].", "issue.", "[].issue.", "comments[].", "[].comments[].")


def of_json(text: str, *, lines: bool) -> str:
    if lines and (form := _of_lines(text)):
        return form
    keys = outline(text)
    for form, all_of, any_of in SIGNS:
        if keys >= all_of or keys & any_of:
            return form
    if "[].ts" in keys and "[].body" not in keys:
        return "slack"
    is_github = any(at + "body" in keys and any(at + key in keys for key in GITHUB_KEYS) for at in GITHUB_PLACES)
    return "github" if is_github else ""


def _of_lines(text: str) -> str:
    """Claude Code by the keys of its first whole lines; any other object a line with `text` is JSONL."""
    for line in text.splitlines()[:20]:
        try:
            row = fields_of(json.loads(line))
        except (ValueError, RecursionError):
            continue
        if isinstance(row.get("text"), str) and "sessionId" not in row:
            return "jsonl"
        if isinstance(row.get("type"), str) and SESSION_KEYS & row.keys():
            return "claude-code"
    return ""


SESSION_KEYS = {"sessionId", "leafUuid", "parentUuid", "messageId"}


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
