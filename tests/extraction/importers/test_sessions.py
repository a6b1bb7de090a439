"""Codex, Mattermost, and lists of messages: who said what to a model, and which answer belongs to what."""
# ruff: noqa: E501 - samples stand as programs write them

import json
from pathlib import Path
from typing import Any

import pytest

from tests.extraction.importers.reading import Read, put, read


def lines(*rows: Any) -> str:
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)


def said(found: Read) -> list[tuple[str, str, str]]:
    return [(one.sender, one.sender_kind, one.text) for one in found.texts]


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return {"timestamp": "2026-03-04T10:00:01Z", "type": "response_item", "payload": {"type": kind, **fields}}


def words(kind: str, text: str) -> list[dict[str, str]]:
    return [{"type": kind, "text": text}]


def test_codex(tmp_path: Path) -> None:
    rows = [
        {"timestamp": "2026-03-04T10:00:00Z", "type": "session_meta", "payload": {"id": "abc", "cwd": "/w"}},
        {"timestamp": "2026-03-04T10:00:00Z", "type": "turn_context", "payload": {"model": "gpt-9-codex"}},
        item("message", role="developer", content=words("input_text", "Rules")),
        item("message", role="user", content=words("input_text", "<environment_context>x</environment_context>")),
        item("message", role="user", content=words("input_text", "Never touch the migrations folder.")),
        {"timestamp": "2026-03-04T10:00:01Z", "type": "event_msg", "payload": {"type": "user_message", "message": "Never …"}},
        item("reasoning", summary=words("summary_text", "hm"), encrypted_content="x"),
        item("reasoning", summary=[], encrypted_content="x"),
        item("function_call", name="shell", arguments='{"command":["ls"]}', call_id="c"),
        item("function_call_output", call_id="c", output="a.py"),
        item("message", role="assistant", content=words("output_text", "Understood.")),
        "{broken",
    ]  # fmt: skip
    found = read(put(tmp_path / "rollout-2026-03-04T10-00-00-abc.jsonl", lines(*rows)))
    assert said(found) == [
        ("system", "system", "Rules"), ("system", "system", "<environment_context>x</environment_context>"),
        ("user", "user", "Never touch the migrations folder."), ("gpt-9-codex", "agent", "hm"),
        ("gpt-9-codex", "agent", 'shell {"command":["ls"]}'), ("tool", "tool", "a.py"), ("gpt-9-codex", "agent", "Understood."),
    ]  # fmt: skip
    assert {one.conversation for one in found.texts} == {"codex:abc"} and list(found.skipped) == [
        "rollout-2026-03-04T10-00-00-abc.jsonl#12"
    ]
    bare = [{"id": "old", "timestamp": "2025-08-01T10:00:00Z", "instructions": None, "git": {}}, {"record_type": "state"},
            *(row["payload"] for row in rows[4:5] + rows[10:11])]  # fmt: skip
    older = read(put(tmp_path / "old.jsonl", lines(*bare)))
    assert [(one.sender_kind, one.conversation, str(one.sent_at)) for one in older.texts] == [
        ("user", "codex:old", "2025-08-01 10:00:00+00:00"), ("agent", "codex:old", "2025-08-01 10:00:00+00:00"),
    ]  # fmt: skip


def test_messages_of_many_programs(tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "I prefer tabs."}, {"role": "assistant", "content": "I prefer spaces.", "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]}, {"role": "tool", "content": "none"}]  # fmt: skip
    wanted = [
        ("user", "user", "I prefer tabs."),
        ("assistant", "agent", "I prefer spaces.\n\nlook {}"),
        ("tool", "tool", "none"),
    ]
    two = read(put(tmp_path / "a.jsonl", lines({"messages": talk}, {"messages": talk, "id": "t2"})))
    assert said(two) == wanted * 2 and [one.conversation for one in two.texts[::3]] == [
        "messages:a.jsonl#1",
        "messages:t2",
    ]
    assert said(read(put(tmp_path / "b.json", {"messages": talk}))) == wanted
    assert said(read(put(tmp_path / "c.json", talk))) == wanted
    assert said(read(put(tmp_path / "d.jsonl", lines(*talk)))) == wanted
    sharegpt = {
        "id": "s",
        "conversations": [
            {"from": "human", "value": "hi"},
            {"from": "gpt", "value": "ho"},
            {"from": "cat", "value": "m"},
        ],
    }
    found = read(put(tmp_path / "e.json", [sharegpt]))
    assert (
        said(found) == [("human", "user", "hi"), ("gpt", "agent", "ho")]
        and "known role: cat" in found.skipped["e.json#0.2"]
    )
    anthropic = {
        "system": "Be brief",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "image"}]}],
    }
    assert said(read(put(tmp_path / "f.json", anthropic))) == [
        ("system", "system", "Be brief"),
        ("user", "user", "hi\n\n[image]"),
    ]


def test_sessions_of_other_programs(tmp_path: Path) -> None:
    gemini = {"sessionId": "g1", "projectHash": "x", "startTime": "2026-03-04T10:00:00Z", "messages": [
        {"id": "1", "timestamp": "2026-03-04T10:00:00Z", "type": "user", "content": "List doors"},
        {"id": "2", "timestamp": "2026-03-04T10:00:09Z", "type": "gemini", "content": "One.", "model": "gemini-9",
         "thoughts": [{"subject": "Doors", "description": "look"}],
         "toolCalls": [{"id": "t", "name": "ls", "args": {}, "result": [{"functionResponse": {"response": {"output": "red"}}}]}]},
        {"id": "3", "type": "info", "content": "cancelled"},
    ]}  # fmt: skip
    found = read(put(tmp_path / "session-1.json", gemini))
    assert said(found) == [("user", "user", "List doors"), ("gemini-9", "agent", "Doors: look\n\nOne.\n\nls {}\n\nred"),
                           ("info", "system", "cancelled")]  # fmt: skip
    assert found.texts[0].conversation == "messages:g1" and found.texts[0].external_id == "1"
    checkpoint = [
        {"role": "user", "parts": [{"text": "hi"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "ls", "args": {}}}]},
    ]
    assert [kind for _, kind, _ in said(read(put(tmp_path / "checkpoint.json", checkpoint)))] == ["user", "agent"]
    logs = [{"sessionId": "g1", "messageId": 0, "type": "user", "message": "hi", "timestamp": "2026-03-04T10:00:00Z"}]
    assert said(read(put(tmp_path / "logs.json", logs))) == [("user", "user", "hi")]
    claude = [{"uuid": "c1", "name": "Doors", "chat_messages": [
        {"uuid": "m1", "sender": "human", "text": "hi", "content": [{"type": "text", "text": "hi"}], "created_at": "2026-03-04T10:00:00Z",
         "attachments": [{"file_name": "a.txt"}]},
        {"uuid": "m2", "sender": "assistant", "text": "ho", "content": [], "created_at": "2026-03-04T10:00:01Z", "parent_message_uuid": "m1"},
    ]}]  # fmt: skip
    found = read(put(tmp_path / "conversations.json", claude))
    assert said(found) == [("human", "user", "hi\n\n[file: a.txt]"), ("assistant", "agent", "ho")]
    assert [(one.external_id, one.reply_to, one.title) for one in found.texts] == [
        ("m1", "", "Doors"),
        ("m2", "m1", "Doors"),
    ]
    copilot = {"requesterUsername": "ann", "responderUsername": "GitHub Copilot", "requests": [
        {"requestId": "r1", "message": {"text": "Why red?", "parts": []}, "timestamp": 1772618400000, "response": [
            {"value": "Because."}, {"kind": "toolInvocationSerialized", "pastTenseMessage": {"value": "Read a.py"}}, {"kind": "undoStop"}]},
    ]}  # fmt: skip
    found = read(put(tmp_path / "chat.json", copilot))
    assert said(found) == [("ann", "user", "Why red?"), ("GitHub Copilot", "agent", "Because.\n\nRead a.py")]
    assert found.texts[1].reply_to == "r1" and str(found.texts[0].sent_at) == "2026-03-04 10:00:00+00:00"


def test_mattermost(tmp_path: Path) -> None:
    post = {"team": "yard", "channel": "doors", "user": "ann", "message": "Which?", "create_at": 1772618400000, "replies": [
        {"user": "helper", "message": "red", "create_at": 1772618401000, "edit_at": 1772618402000}, {"user": "bo", "message": "x"}]}  # fmt: skip
    rows = [
        {"type": "version", "version": 1}, {"type": "channel", "channel": {"team": "yard", "name": "doors"}},
        {"type": "bot", "bot": {"username": "helper"}}, {"type": "post", "post": post},
        {"type": "post", "post": {**post, "type": "system_join_channel", "message": "ann joined", "replies": []}},
        {"type": "direct_post", "direct_post": {"channel_members": ["bo", "ann"], "user": "bo", "message": "", "create_at": 1772618400000,
                                                "attachments": [{"path": "data/x/plan.pdf"}]}},
    ]  # fmt: skip
    found = read(put(tmp_path / "import.jsonl", lines(*rows)))
    assert said(found) == [("ann", "user", "Which?"), ("helper", "agent", "red"), ("ann", "system", "ann joined"),
                           ("bo", "user", "[file: plan.pdf]")]  # fmt: skip
    assert [one.conversation for one in found.texts[::3]] == ["mattermost:yard/doors", "mattermost:ann, bo"]
    assert found.texts[1].reply_to == found.texts[0].external_id and found.texts[1].edited_at
    assert found.skipped == {"import.jsonl#4.replies.1": "no post with a time (create_at)"}


def test_what_else_codex_writes(tmp_path: Path) -> None:
    printed = [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "item.started", "item": {"id": "0", "type": "command_execution", "command": "ls"}},
        {"type": "item.completed", "item": {"id": "0", "type": "command_execution", "aggregated_output": "a b"}},
        {"type": "item.completed", "item": {"id": "1", "type": "agent_message", "text": "Done."}},
    ]
    found = read(put(tmp_path / "printed.jsonl", "\n".join(map(json.dumps, printed)))).texts
    assert [(one.sender_kind, one.text, one.conversation) for one in found] == [
        ("tool", "a b", "codex:t"),
        ("agent", "Done.", "codex:t"),
    ]
    typed = json.dumps({"session_id": "s", "ts": 1772618400, "text": "Keep the door."})
    (said,) = read(put(tmp_path / "history.jsonl", typed)).texts
    assert (said.sender_kind, said.conversation, str(said.sent_at)) == ("user", "codex:s", "2026-03-04 10:00:00+00:00")
    silent = json.dumps({"timestamp": "2026-03-04T10:00:00Z", "type": "session_meta", "payload": {"id": "s"}})
    assert read(put(tmp_path / "silent.jsonl", silent)).skipped == {"silent.jsonl": "nothing said in it, read as codex"}


TALK = [{"role": "user", "content": "Keep it."}, {"role": "assistant", "content": "Yes."}]


@pytest.mark.parametrize("held", [
    {"conversation_id": "c", "title": "Yard", "conversation": TALK},
    {"chats": [{"id": "c", "title": "Yard", "messages": TALK}]},
    [{"id": "c", "chat": {"title": "Yard", "messages": TALK}}],
    {"requesterUsername": "ann", "responderUsername": "Copilot",
     "requests": [{"requestId": "r", "message": {"parts": [{"text": "Keep it."}]}, "response": [{"value": "Yes."}]}]},
])  # fmt: skip
def test_lists_of_messages_are_found_wherever_they_stand(tmp_path: Path, held: object) -> None:
    for name, text in (("a.json", json.dumps(held)),):
        found = read(put(tmp_path / name, text)).texts
        assert [(one.sender_kind, one.text) for one in found] == [("user", "Keep it."), ("agent", "Yes.")]


def test_prompts_with_answers_are_talks(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps({"prompt": "Keep it.", "completion": "Yes."}) for _ in range(2))
    assert len({one.conversation for one in read(put(tmp_path / "a.jsonl", lines)).texts}) == 2
