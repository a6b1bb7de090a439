"""Google Chat's Takeout and Element's export of a Matrix room."""

import json
from pathlib import Path

from tests.extraction.importers.reading import put, read


def test_google_chat_has_rooms_topics_and_bots(tmp_path: Path) -> None:
    ann, bot = (
        {"name": "Ann", "email": "ann@yard.example", "user_type": "Human"},
        {"name": "Helper", "user_type": "Bot"},
    )
    when = "Wednesday, March 4, 2026 at 10:00:0{} AM UTC"
    messages = [
        {
            "creator": ann,
            "created_date": when.format(1),
            "text": "Keep the red door?",
            "topic_id": "t",
            "message_id": "r/t/1",
        },
        {"creator": bot, "created_date": when.format(2), "text": "Noted.", "topic_id": "t", "message_id": "r/t/2"},
        {"creator": ann, "created_date": when.format(3), "topic_id": "u", "message_id": "r/u/1"},
        "no message",
    ]
    (tmp_path / "Space Yard").mkdir()
    found = read(put(tmp_path / "Space Yard" / "messages.json", json.dumps({"messages": messages})))
    assert [(one.sender, one.sender_kind, one.text, one.reply_to) for one in found.texts] == [
        ("Ann", "user", "Keep the red door?", ""),
        ("Helper", "agent", "Noted.", "r/t/1"),
    ]
    assert {one.conversation for one in found.texts} == {"google-chat:Space Yard"} and len(found.skipped) == 2
    assert str(found.texts[0].sent_at) == "2026-03-04 10:00:01+00:00"


def test_a_matrix_room_has_answers_and_notices(tmp_path: Path) -> None:
    def event(at: int, **content: object) -> dict[str, object]:
        named = {
            "type": "m.room.message",
            "sender": "@ann:yard.example",
            "room_id": "!r:yard.example",
            "event_id": f"${at}",
        }
        return {**named, "origin_server_ts": 1772618400000 + at, "content": content}

    answer = {"m.in_reply_to": {"event_id": "$1"}}
    joined = {
        "type": "m.room.member",
        "sender": "@bo:yard.example",
        "origin_server_ts": 1772618400000,
        "event_id": "$9",
        "content": {},
    }
    said = [
        event(1, msgtype="m.text", body="Keep it."),
        event(2, msgtype="m.notice", body="Yes.", **{"m.relates_to": answer}),
        joined,
    ]
    found = read(put(tmp_path / "matrix - Yard.json", json.dumps({"room_name": "Yard", "messages": said})))
    assert [(one.sender_kind, one.text, one.reply_to, one.conversation) for one in found.texts] == [
        ("user", "Keep it.", "", "matrix:!r:yard.example"), ("agent", "Yes.", "$1", "matrix:!r:yard.example"),
    ]  # fmt: skip
    assert len(found.skipped) == 1
