"""Claude Code: the JSONL of a session, one line for each thing said or done."""

from collections.abc import Iterator
from typing import Any

from extraction.importers.clock import iso
from extraction.importers.content import joined, pieces, speaker_of
from extraction.importers.fields import dig, fields_of, first, name_of
from extraction.importers.files import File
from extraction.importers.found import Found, Into, named, short
from extraction.importers.json_lines import read_lines
from ledger.actions.ingest import Incoming

# Lines that keep the books of a session and hold nothing that was said.
BOOKS = {"summary", "file-history-snapshot", "queue-operation", "progress", "custom-title", "agent-name", "last-prompt",
         "permission-mode", "pr-link", "attachment", "ai-title", "tag"}  # fmt: skip


def read(file: File, into: Into) -> Iterator[Found]:
    """One source a line; the conversation is the session, the line above it (`parentUuid`) what it answers."""
    return read_lines(
        file,
        lambda row, number: [_line(row, file, number, into)] if name_of(row.get("type")) not in BOOKS else [],
    )


def _line(row: dict[str, Any], file: File, number: int, into: Into) -> Found:
    kind, own, sent = name_of(row.get("type")), name_of(row.get("uuid")), iso(row.get("timestamp"), into.zone)
    if kind not in ("user", "assistant", "system"):
        return file.skipped(f"a line of an unknown type: {kind[:60]}", number)
    if not own or sent is None:
        return file.skipped("a line without uuid or timestamp", number)
    message = row if kind == "system" else fields_of(row.get("message"))
    text, sections = joined(list(pieces(message.get("content"), _speaker(row, kind))))
    sender_kind = speaker_of(sections)
    model = first(dig(row, "message", "model")) if kind == "assistant" else ""
    return file.kept(
        number,
        Incoming(
            text=text,
            sections=sections,
            kind="message",
            sender=named(model or "agent") if sender_kind == "agent" else sender_kind,
            sender_kind=sender_kind,
            sent_at=sent,
            conversation=short(f"claude-code:{name_of(row.get('sessionId'), file.path.stem)}", 300),
            external_id=short(own),
            reply_to=short(name_of(row.get("parentUuid"), row.get("logicalParentUuid"))),
            title=file.path.name[:500],
        ),
        empty="nothing said in it (no message content)",
    )


def _speaker(row: dict[str, Any], kind: str) -> str:
    """A side chain is begun by the agent, a meta line by the program, and a summary of what was cut off is the agent's."""
    if kind == "assistant" or row.get("isSidechain") is True or row.get("isCompactSummary") is True:
        return "agent"
    return "system" if kind == "system" or row.get("isMeta") is True else "user"
