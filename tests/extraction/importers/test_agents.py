"""ChatGPT and Claude Code: who said it, and which branch it is on."""

import json
from pathlib import Path

from tests.extraction.importers.reading import put, read


def node(name: str, parent: str | None, role: str = "", text: str = "", **more: object) -> dict[str, object]:
    message = {
        "id": name,
        "author": {"role": role},
        "create_time": 1700000000.5,
        "content": {"content_type": "text", "parts": [text]},
    }
    return {"id": name, "parent": parent, "children": [], "message": (message | more) if role else None}


def test_chatgpt_keeps_every_branch_once(tmp_path: Path) -> None:
    nodes = [
        node("root", None),
        node("hidden", "root", "system", ""),
        node("q", "hidden", "user", "Paint it blue?"),
        node("new", "q", "assistant", "Blue it is.", metadata={"model_slug": "gpt-5"}),
        node("old", "q", "assistant", "Maybe."),
        node("thanks", "new", "user", "Good."),
        node("call", "thanks", "tool", "42"),
        node(
            "profile", "root", "user", "", content={"content_type": "user_editable_context", "user_profile": "I am Ada"}
        ),
        node(
            "seen",
            "thanks",
            "user",
            "",
            content={"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}, "this one"]},
        ),
    ]
    talk = {
        "title": "Door",
        "conversation_id": "c1",
        "current_node": "thanks",
        "mapping": {one["id"]: one for one in nodes},
    }
    found = read(put(tmp_path / "conversations.json", [talk, {"title": "none"}, talk | {"mapping": {"a": 1}}]))
    assert [(one.external_id, one.sender, one.sender_kind, one.reply_to) for one in found.texts] == [
        ("profile", "user", "system", ""),
        ("q", "user", "user", ""),
        ("old", "assistant", "agent", "q"),
        ("new", "gpt-5", "agent", "q"),
        ("thanks", "user", "user", "new"),
        ("call", "tool", "tool", "thanks"),
        ("seen", "user", "user", "thanks"),
    ]
    assert found.texts[-1].text == "[image]\n\nthis one" and found.texts[1].conversation == "chatgpt:c1"
    assert list(found.skipped) == ["conversations.json#1"]


def test_a_ring_in_the_tree_ends(tmp_path: Path) -> None:
    ring = {"a": node("a", "b", "user", "one"), "b": node("b", "a", "user", "two")}
    found = read(put(tmp_path / "conversations.json", [{"mapping": ring, "current_node": "a"}]))
    assert sorted(one.text for one in found.texts) == ["one", "two"]


def line(uuid: str, kind: str, content: object, parent: str | None = None, **more: object) -> str:
    row = {
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": "s1",
        "timestamp": "2025-06-14T10:00:00Z",
        "message": {"role": kind, "content": content, "model": "claude-x"},
    }
    return json.dumps(row | more, ensure_ascii=False)


def test_claude_code_tells_who_speaks(tmp_path: Path) -> None:
    rows = [
        json.dumps({"type": "summary", "summary": "Doors", "leafUuid": "u9"}),
        line("u1", "user", "Always use tabs.<system-reminder>Be brief.</system-reminder> Thanks"),
        line(
            "u2",
            "assistant",
            [
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "Done."},
                {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}},
            ],
            "u1",
        ),
        line("u3", "user", [{"type": "tool_result", "content": [{"type": "text", "text": "a.py"}]}], "u2"),
        line("u4", "user", "Look for doors", isSidechain=True),
        line("u5", "user", "Caveat: …", isMeta=True),
        "{broken",
        "7",
        line("u6", "user", []),
        json.dumps({"silly": 1}),
        json.dumps(
            {
                "type": "system",
                "uuid": "u7",
                "sessionId": "s1",
                "timestamp": "2025-06-14T10:00:01Z",
                "content": "Compacted",
            }
        ),
    ]
    found = read(put(tmp_path / "s1.jsonl", "\n".join(rows) + "\n"))
    assert [(one.external_id, one.sender, one.sender_kind, one.reply_to) for one in found.texts] == [
        ("u1", "user", "user", ""),
        ("u2", "claude-x", "agent", "u1"),
        ("u3", "tool", "tool", "u2"),
        ("u4", "agent", "agent", ""),
        ("u5", "system", "system", ""),
        ("u7", "system", "system", ""),
    ]
    first = found.texts[0]
    assert first.sections is not None
    assert [(one.speaker, first.text[one.start : one.end]) for one in first.sections] == [
        ("user", "Always use tabs."),
        ("system", "<system-reminder>Be brief.</system-reminder>"),
        ("user", " Thanks"),
    ]
    assert found.texts[1].text.startswith("hm\n\nDone.\n\nBash {") and first.conversation == "claude-code:s1"
    assert [path.rpartition("#")[2] for path in found.skipped] == ["7", "8", "9", "10"]
