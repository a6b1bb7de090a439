"""Codex: the rollout of a session in JSONL, in the shape with `payload` and in the bare one before it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from extraction.importers.clock import epoch, iso
from extraction.importers.content import ROLES, joined, pieces, speaker_of
from extraction.importers.fields import fields_of, first, name_of
from extraction.importers.files import File
from extraction.importers.found import WORDLESS, Found, Ids, Into, named, short
from extraction.importers.json_lines import read_lines
from ledger.actions.ingest import Incoming

# What was said or done; all other lines keep books, or show the same again for the screen (`event_msg`).
ITEMS = {"message", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output",
         "local_shell_call", "reasoning"}  # fmt: skip

# What `codex exec --json` prints.
PRINTED: Final[dict[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "agent_message": lambda item: {"type": "message", "role": "assistant", "content": item.get("text")},
    "reasoning": lambda item: {"type": "reasoning", "summary": [{"type": "summary_text", "text": item.get("text")}]},
    "command_execution": lambda item: {"type": "function_call_output", "output": item.get("aggregated_output")},
}


@dataclass(slots=True)
class Session:
    """What the first lines say of all: a forked session names the one it came from only after itself."""

    id: str = ""
    begun: datetime | None = None
    model: str = ""
    ids: Ids = field(default_factory=Ids)


def read(file: File, into: Into) -> Iterator[Found]:
    """One source for each message, call and result. Lines have no ids: time, speaker and text make one. In the bare shape only
    the session has a time; its messages have that."""
    session = Session()
    return read_lines(file, lambda row, number: _line(row, file, number, into, session))


def _line(row: dict[str, Any], file: File, number: int, into: Into, session: Session) -> Iterator[Found]:
    item = fields_of(row.get("payload")) or fields_of(row.get("item")) or row
    session.model = first(item.get("model"), session.model)
    kind, event = name_of(item.get("type")), row.get("type")
    if event == "thread.started":
        session.id = name_of(row.get("thread_id"))
    elif row.keys() >= {"session_id", "ts"}:
        yield _prompt(row, file, number, session)
    elif event == "item.completed" and kind in PRINTED:
        printed = PRINTED[kind](item)
        yield from _said(printed, printed["type"], file, number, None, session)
    elif event == "session_meta" or "instructions" in row:
        session.id = session.id or name_of(item.get("id"))
        session.begun = session.begun or iso(item.get("timestamp"), into.zone)
    elif event != "event_msg" and kind in ITEMS:
        yield from _said(item, kind, file, number, iso(row.get("timestamp"), into.zone), session)


def _prompt(row: dict[str, Any], file: File, number: int, session: Session) -> Found:
    """A line of `history.jsonl`: what a user asked for, without the answers."""
    text, stamp, talk = first(row.get("text")), name_of(row.get("ts")), name_of(row.get("session_id"))
    return file.kept(number, Incoming(
        text=text, kind="message", sender="user", sender_kind="user", sent_at=epoch(row.get("ts")), title=file.path.name[:500],
        conversation=short(f"codex:{talk}", 300), external_id=session.ids.of(talk, stamp, "user", text),
    ), empty=WORDLESS)  # fmt: skip


def _said(
    item: dict[str, Any], kind: str, file: File, number: int, sent: datetime | None, session: Session
) -> Iterator[Found]:
    speaker = ROLES.get(name_of(item.get("role")), "agent")
    content = {"message": item.get("content"), "reasoning": item.get("summary")}.get(kind, [item])
    text, sections = joined(list(pieces(content, speaker)))
    if not text:
        return
    sender_kind = speaker_of(sections)
    stamp = sent.isoformat() if sent else ""
    yield file.kept(number, Incoming(
        text=text, sections=sections, kind="message", sender_kind=sender_kind,
        sender=named(session.model or "codex") if sender_kind == "agent" else sender_kind,
        sent_at=sent or session.begun, conversation=short(f"codex:{session.id or file.path.stem}", 300),
        external_id=session.ids.of(session.id, stamp, sender_kind, text), title=file.path.name[:500],
    ))  # fmt: skip
