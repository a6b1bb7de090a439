"""Talks with a model as lists of messages: OpenAI's and Anthropic's `messages`, ShareGPT's `conversations`, Gemini CLI's sessions
and checkpoints, Claude.ai's export, what VS Code's Copilot Chat exports. JSON, or JSONL with a talk or a message a line."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from extraction.importers.clock import moment
from extraction.importers.content import ROLES, Piece, joined, pieces, speaker_of
from extraction.importers.decoding import head_of
from extraction.importers.fields import fields_of, first, listed, name_of, present
from extraction.importers.files import File
from extraction.importers.found import Found, Ids, Into, named, short
from extraction.importers.json_lines import read_lines
from ledger.actions.ingest import Incoming

# Where a talk has its messages, and a message who speaks, what, when.
HOLDERS: Final = ("chats", "conversations")
LISTS: Final = ("messages", "chat_messages", "conversations", "conversation", "contents", "history")
ROLE: Final = ("role", "from", "sender", "author.role", "author", "type")
CONTENT: Final = ("content", "parts", "value", "text", "message")
TIME: Final = ("timestamp", "created_at", "createdAt", "create_time", "time", "date")
TALK_ID: Final = ("uuid", "sessionId", "session_id", "conversation_id", "id")
OWN_ID: Final = ("uuid", "id", "messageId", "message_id")
ABOVE: Final = ("parent_message_uuid", "parent_id", "parentId")


class _Talks:
    """Ids of messages without their own, counted talk by talk."""

    def __init__(self, file: File, into: Into) -> None:
        self.file, self.into = file, into
        self.ids: defaultdict[str, Ids] = defaultdict(Ids)

    def object(self, row: dict[str, Any], place: object) -> Iterator[Found]:
        """A talk, or a message of the file's one talk."""
        held = next((listed(row[key]) for key in HOLDERS if any(map(_list_in, listed(row.get(key))))), [])
        for number, one in enumerate(held):
            yield from self.object(one, f"{place}.{number}")
        if held:
            return
        row = fields_of(row.get("chat")) or row
        said = _copilot(row) or _pair(row) or _list_in(row)
        if said is None:
            yield self.message(row, str(place), name_of(row.get("sessionId"), self.file.path.stem), "")
            return
        talk = name_of(
            *(row.get(key) for key in TALK_ID), f"{self.file.name}#{place}" if place != "top" else self.file.name
        )
        if system := row.get("system"):
            said = [{"role": "system", "content": system}, *said]
        title = first(row.get("name"), row.get("title"), self.file.path.name)
        for number, one in enumerate(said):
            yield self.message(one, f"{place}.{number}", talk, title)

    def message(self, row: dict[str, Any], place: str, talk: str, title: str) -> Found:
        role = name_of(present(row, *ROLE))
        speaker = ROLES.get(role.lower())
        if speaker is None:
            return self.file.skipped(f"no message of a known role: {role[:60]}" if role else "no message", place)
        text, sections = joined(list(_pieces(row, speaker)))
        sent = moment(present(row, *TIME), self.into.zone)
        own = name_of(present(row, *OWN_ID)) or self.ids[talk].of(str(sent or ""), role, text)
        sender_kind = speaker_of(sections) or speaker
        return self.file.kept(place, Incoming(
            text=text, sections=sections, kind="message", sender_kind=sender_kind, sent_at=sent,
            sender=named(first(row.get("name"), row.get("model"), role if sender_kind == speaker else sender_kind)),
            conversation=short(f"messages:{talk}".replace("\0", ""), 300), external_id=short(own),
            reply_to=short(name_of(present(row, *ABOVE))), title=(title or self.file.path.name).replace("\0", "")[:500],
        ), empty="nothing said in it (no content)")  # fmt: skip


def read(file: File, into: Into) -> Iterator[Found]:
    talks = _Talks(file, into)
    start = head_of(file.head()).lstrip()
    if file.suffix in (".jsonl", ".ndjson"):
        return read_lines(file, talks.object)
    return file.read_objects([("*",) if start.startswith("[") else ()], "no message and no talk", talks.object)


def _list_in(row: dict[str, Any]) -> list[dict[str, Any]] | None:
    return next((listed(row[key]) for key in LISTS if isinstance(row.get(key), list)), None)


def _pair(row: dict[str, Any]) -> list[dict[str, Any]]:
    """A prompt and what was answered, as sets for tuning have them."""
    answer = first(row.get("completion"), row.get("response"))
    said: list[dict[str, Any]] = [
        {"role": "user", "content": row.get("prompt")},
        {"role": "assistant", "content": answer},
    ]
    return said if answer and isinstance(row.get("prompt"), str) else []


def _pieces(row: dict[str, Any], speaker: str) -> Iterator[Piece]:
    """Thinking first, then the words, then calls with what came of them (Gemini CLI keeps both in one)."""
    for thought in listed(row.get("thoughts")):
        yield (
            "thinking",
            "agent",
            ": ".join(filter(None, map(name_of, (thought.get("subject"), thought.get("description"))))),
        )
    yield from pieces([{"type": "thinking", "thinking": row.get("reasoning_content")}], speaker)
    yield from pieces(next(filter(None, (row.get(key) for key in CONTENT)), None), speaker)
    for call in [*listed(row.get("tool_calls")), *listed(row.get("toolCalls")), *listed([row.get("function_call")])]:
        yield from pieces([{**call, "type": "function_call"}, *listed(call.get("result"))], speaker)
    for file in [*listed(row.get("attachments")), *listed(row.get("files"))]:
        yield "file", "system", f"[file: {name_of(file.get('file_name'), file.get('name'), 'without a name')}]"


def _copilot(row: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The requests of a Copilot Chat, each a question and its answer, as messages."""
    if not isinstance(row.get("requests"), list) or "responderUsername" not in row:
        return None
    said = []
    for request in listed(row["requests"]):
        own, time = name_of(request.get("requestId")), request.get("timestamp")
        message = fields_of(request.get("message"))
        asked = first(
            message.get("text"), request.get("message"), *(part.get("text") for part in listed(message.get("parts")))
        )
        said.append(
            {"role": "user", "content": asked, "name": row.get("requesterUsername"), "id": own, "timestamp": time}
        )
        said.append({
            "role": "assistant", "content": [_part(part) for part in listed(request.get("response"))], "timestamp": time,
            "id": f"{own}-answer" if own else None, "name": row["responderUsername"], "parent_id": own,
        })  # fmt: skip
    return said


def _part(part: dict[str, Any]) -> dict[str, Any]:
    """A piece of an answer; a tool's run is told by what it did."""
    told = part.get("pastTenseMessage") or part.get("invocationMessage")
    shown = first(fields_of(told).get("value"), told)
    kind = "thinking" if part.get("kind") == "thinking" else "tool_result" if shown else "text"
    value = part.get("value")
    return {
        "type": kind,
        "content": shown,
        "text": first(value, fields_of(value).get("value"), fields_of(part.get("content")).get("value")),
    }
