"""Claude Code: the JSONL of a session, one line for each thing said or done."""

import json
import re
from collections.abc import Iterator
from typing import Any

from extraction.importers.clock import iso
from extraction.importers.decoding import lines
from extraction.importers.fields import dig, elements, fields_of, first, listed, name_of
from extraction.importers.files import File
from extraction.importers.found import Found, Into, named, short
from ledger.actions.ingest import Incoming
from ledger.rules.sections import SectionSpan

# Lines that keep the books of a session and hold nothing that was said.
BOOKS = {"summary", "file-history-snapshot", "queue-operation", "progress", "custom-title", "agent-name", "last-prompt",
         "permission-mode", "pr-link", "attachment", "ai-title", "tag"}  # fmt: skip
# What the program writes into a user's turn.
INSERTED = re.compile(
    r"<(system-reminder|local-command-stdout|local-command-stderr|local-command-caveat|command-name|command-message"
    r"|bash-stdout|bash-stderr|task-notification|ide_opened_file|ide_selection)>.*?</\1>",
    re.DOTALL,
)
BETWEEN = "\n\n"
# Whose line it is where several speak in it: the first of these.
SPEAKERS = ("user", "agent", "tool", "system")

type Piece = tuple[str, str, str]


def read(file: File, into: Into) -> Iterator[Found]:
    """One source a line; the conversation is the session, the line above it (`parentUuid`) what it answers."""
    with file.open() as stream:
        for number, line in enumerate(lines(stream), 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                yield file.skipped(f"no JSON: {error}", number)
                continue
            if not isinstance(row, dict):
                yield file.skipped("no JSON object", number)
            elif name_of(row.get("type")) not in BOOKS:
                yield _line(row, file, number, into)


def _line(row: dict[str, Any], file: File, number: int, into: Into) -> Found:
    kind, own, sent = name_of(row.get("type")), name_of(row.get("uuid")), iso(row.get("timestamp"), into.zone)
    if kind not in ("user", "assistant", "system"):
        return file.skipped(f"a line of an unknown type: {kind[:60]}", number)
    if not own or sent is None:
        return file.skipped("a line without uuid or timestamp", number)
    message = row if kind == "system" else fields_of(row.get("message"))
    text, sections = _joined(list(_pieces(message.get("content"), _speaker(row, kind))))
    sender_kind = min((section.speaker for section in sections), key=SPEAKERS.index, default="")
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


def _pieces(content: Any, speaker: str) -> Iterator[Piece]:
    """(section's name, who speaks, text); a text's pieces follow each other without anything between."""
    blocks = [content] if isinstance(content, str) else elements(content)
    for piece in (_piece(block, speaker) for block in blocks):
        if isinstance(piece[2], str) and piece[2]:
            yield piece


def _piece(block: Any, speaker: str) -> tuple[str, str, Any]:
    if isinstance(block, str):
        return "", speaker, block
    block = fields_of(block)
    name = name_of(block.get("name"))
    match block.get("type"):
        case "text":
            return "", speaker, block.get("text")
        case "thinking":
            return "thinking", "agent", block.get("thinking")
        case "tool_use":
            return f"call {name}", "agent", f"{name} {json.dumps(block.get('input'), ensure_ascii=False, indent=1)}"
        case "tool_result":
            return "result", "tool", _result(block.get("content"))
        case "image" | "document" as kind:
            return kind, "system", f"[{kind}]"
    return "", speaker, ""


def _result(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(
        one["text"] if isinstance(one.get("text"), str) else f"[{name_of(one.get('type'))}]" for one in listed(content)
    )


def _joined(pieces: list[Piece]) -> tuple[str, tuple[SectionSpan, ...]]:
    """The pieces with an empty line between them, in sections that tile the text; what the program wrote into a user's
    words stands in sections of the system."""
    text, spans = "", []
    for at, (name, speaker, piece) in enumerate(pieces):
        start = begun = len(text)
        text += piece + (BETWEEN if at + 1 < len(pieces) else "")
        for inserted in INSERTED.finditer(piece) if speaker == "user" else ():
            spans.append((name, "user", start, begun + inserted.start()))
            start = begun + inserted.end()
            spans.append(("", "system", begun + inserted.start(), start))
        spans.append((name, speaker, start, len(text)))
    kept = [SectionSpan(name[:200], speaker, (), start, end) for name, speaker, start, end in spans if end > start]
    return text, tuple(kept)
