from pathlib import Path

from tests.extraction.importers.reading import put, read

MESSAGES = [
    {
        "id": 1,
        "type": "service",
        "date": "2024-03-01T10:00:00",
        "date_unixtime": "1709287200",
        "actor": "Ada",
        "actor_id": "user1",
        "action": "create_group",
        "title": "Garden",
        "members": ["Ada", "Ben"],
        "text": "",
    },
    {
        "id": 2,
        "type": "message",
        "date": "2024-03-01T10:01:00",
        "date_unixtime": "1709287260",
        "from": "Ada",
        "from_id": "user1",
        "text": ["We ", {"type": "bold", "text": "paint"}, " on ", {"type": "link", "text": "https://x.example"}],
        "text_entities": [],
    },
    {
        "id": 3,
        "type": "message",
        "date": "2024-03-01T10:02:00",
        "from": None,
        "from_id": "user2",
        "edited": "2024-03-01T11:00:00",
        "reply_to_message_id": 2,
        "text": "ok 🚪",
    },
    {"id": 4, "type": "message", "date": "2024-03-01T10:03:00", "from": "Ben", "photo": "photos/a.jpg", "text": ""},
    {
        "id": 5,
        "type": "message",
        "date": "2024-03-01T10:04:00",
        "from": "Ben",
        "forwarded_from": "Cy",
        "text": "We decided to sell.",
    },
    {"id": 6, "type": "message", "date": "2024-03-01T10:05:00", "from": "Ben", "text": ""},
    {"id": 7, "type": "message", "from": "Ben", "text": "when?"},
    {"id": 8, "type": "poem", "date": "2024-03-01T10:05:00", "text": "?"},
    {
        "id": 9,
        "type": "message",
        "date": "2024-03-01T10:06:00",
        "from": "Ada",
        "text": "",
        "poll": {"question": "Which colour?", "answers": [{"text": "blue"}, {"text": "green"}]},
    },
]


def test_one_chat(tmp_path: Path) -> None:
    chat = {"name": "Garden", "type": "private_group", "id": 77, "messages": MESSAGES}
    found = read(put(tmp_path / "result.json", chat), zone="Europe/Madrid")
    assert [(one.external_id, one.sender, one.sender_kind, one.reply_to, one.text) for one in found.texts] == [
        ("1", "Ada", "system", "", "Ada · create group · Garden · Ada, Ben"),
        ("2", "Ada", "user", "", "We paint on https://x.example"),
        ("3", "user2", "user", "2", "ok 🚪"),
        ("4", "Ben", "user", "", "[photo]"),
        ("5", "Ben", "user", "", "We decided to sell."),
        ("9", "Ada", "user", "", "[poll] Which colour?\n- blue\n- green"),
    ]
    times = [one.sent_at.isoformat() for one in found.texts if one.sent_at]
    # The zone of the scope is asked only where the file gives nothing but a wall clock.
    assert times[1] == "2024-03-01T10:01:00+00:00" and times[2] == "2024-03-01T10:02:00+01:00"
    assert found.texts[2].edited_at is not None and {one.conversation for one in found.texts} == {"telegram:77"}
    passed_on = found.texts[4].sections
    assert passed_on and passed_on[0].speaker == "document"
    assert [path.rpartition("#")[2] for path in found.skipped] == ["messages.5", "messages.6", "messages.7"]


def test_all_chats_and_a_bot(tmp_path: Path) -> None:
    talk = [
        {
            "id": 1,
            "type": "message",
            "date_unixtime": "1709287200",
            "from": "Helper",
            "from_id": "user5",
            "text": "Hello",
        },
        {"id": 2, "type": "message", "date_unixtime": "1709287201", "from": "Ada", "from_id": "user1", "text": "Hi"},
    ]
    whole = {
        "about": "…",
        "contacts": {"list": [{"first_name": "Cy"}] * 3},
        "chats": {
            "about": "…",
            "list": [
                {"name": "Helper", "type": "bot_chat", "id": 5, "messages": talk},
                {"type": "saved_messages", "id": 1, "messages": talk[1:]},
            ],
        },
        "left_chats": {"list": [{"name": "Old", "type": "private_group", "id": 9, "messages": talk[1:]}]},
    }
    found = read(put(tmp_path / "result.json", whole))
    assert [(one.conversation, one.sender_kind) for one in found.texts] == [
        ("telegram:5", "agent"),
        ("telegram:5", "user"),
        ("telegram:1", "user"),
        ("telegram:9", "user"),
    ]


def test_without_ids_equals_are_counted(tmp_path: Path) -> None:
    line = {"type": "message", "date_unixtime": "1709287200", "from": "Ada", "text": "ha"}
    found = read(put(tmp_path / "result.json", {"messages": [line, line]}))
    ids = [one.external_id for one in found.texts]
    assert ids[0].endswith("-1") and ids[1].endswith("-2") and ids[0][:-1] == ids[1][:-1]
