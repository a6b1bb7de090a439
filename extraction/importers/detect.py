"""Which format a file is in, by what is in it first, and by its name only then."""

import json
import re
from typing import Any

from extraction.importers import chat_lines
from extraction.importers.decoding import head_of
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


def format_of(file: File, head: bytes) -> str:
    """The format's name; empty where none is known."""
    text = head_of(head)
    start = text.lstrip()
    if file.suffix in ("", ".json", ".jsonl", ".ndjson", ".txt") and start[:1] in ("{", "["):
        found = of_json(start, lines=file.suffix != ".json")
        if found or file.suffix == ".json":
            return found
    by_name = TEXTS.get(file.suffix, "text" if file.asked_for else "")
    if by_name in ("text", "") and file.suffix in ("", ".txt", ".text", ".mail", ".msg", ".log"):
        if re.match(r"From \S+.*\d\d:\d\d", text):
            return "mbox"
        if looks_like_mail(text):
            return "eml"
        if file.suffix in (".txt", "") and chat_lines.looks_like_a_chat(text):
            return "whatsapp"
    if by_name in ("text", "markdown") and len({found[1].lower()[:5] for found in MINUTES.finditer(text)}) > 1:
        return "minutes"
    return by_name


def looks_like_mail(text: str) -> bool:
    names: set[str] = set()
    for line in text.splitlines()[:60]:
        if not line.strip():
            break
        if line[0] in " \t":
            continue
        found = FIELD.match(line)
        if not found:
            break
        names.add(found[1].lower())
    return len(names & FIELDS) > 1 and bool(names & TELLING)


def of_json(text: str, *, lines: bool) -> str:
    if lines and (found := _of_lines(text)):
        return found
    keys = outline(text)
    if {"guild", "channel"} <= keys:
        return "discord"
    if "messages[].sender_name" in keys:
        return "meta"
    if keys & {
        "chats.list",
        "left_chats.list",
        "messages[].date_unixtime",
        "messages[].from_id",
        "messages[].from",
    } or ({"messages", "name", "type", "id"} <= keys):
        return "telegram"
    if "[].mapping" in keys:
        return "chatgpt"
    if "[].ts" in keys and "[].body" not in keys:
        return "slack"
    github = ("created_at", "createdAt", "user", "author", "html_url", "url", "issue_url")
    for at in ("", "[].", "issue.", "[].issue.", "comments[].", "[].comments[]."):
        if at + "body" in keys and any(at + key in keys for key in github):
            return "github"
    return ""


def _of_lines(text: str) -> str:
    """Claude Code by the keys of its first whole lines; any other object a line with `text` is JSONL."""
    for line in text.splitlines()[:20]:
        try:
            row: Any = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            if isinstance(row.get("text"), str) and "sessionId" not in row:
                return "jsonl"
            session = {"sessionId", "leafUuid", "parentUuid", "messageId"} & row.keys()
            if isinstance(row.get("type"), str) and session:
                return "claude-code"
    return ""


def outline(text: str) -> set[str]:
    """The keys in the beginning of a JSON text, by their path: `messages[].from`. Reads no further than `text`."""
    keys: set[str] = set()
    path: list[str] = []
    last = ""
    tokens = [found[0] for found in TOKEN.finditer(text)]
    for at, sign in enumerate(tokens):
        if sign[0] == '"':
            if at + 1 < len(tokens) and tokens[at + 1] == ":" and len(path) <= DEEPEST:
                try:
                    last = str(json.loads(sign))
                except ValueError:
                    last = sign[1:-1]
                keys.add("".join(path) + last)
        elif sign == "{":
            path.append(last + "." if last else "")
            last = ""
        elif sign == "[":
            path.append(last + "[].")
            last = ""
        elif sign in "}]":
            if path:
                path.pop()
            last = ""
        elif sign == ",":
            last = ""
    return keys
