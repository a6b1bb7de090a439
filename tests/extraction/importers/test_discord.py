from pathlib import Path

from tests.extraction.importers.reading import put, read


def row(number: int, content: str, **more: object) -> dict[str, object]:
    author = {"id": "1", "name": "ada_b", "nickname": "Ada", "isBot": False}
    stamp = f"2024-05-0{number}T10:00:00.5+02:00"
    return {"id": f"10{number}", "type": "Default", "timestamp": stamp, "content": content, "author": author} | more


def test_a_channel(tmp_path: Path) -> None:
    rows = [
        row(1, "We keep the **blue** door"),
        row(
            2,
            "agreed",
            type="Reply",
            reference={"messageId": "101", "channelId": "55"},
            timestampEdited="2024-05-03T00:00:00Z",
        ),
        row(3, "Joined the server.", type="GuildMemberJoin"),
        row(4, "", stickers=[{"name": "wave"}], author={"id": "2", "name": "ben", "nickname": ""}),
        row(
            5,
            "",
            author={"id": "3", "name": "builds", "isBot": True},
            embeds=[{"title": "Build 7", "description": "passed"}],
        ),
        row(6, "Pinned a message.", type="ChannelPinnedMessage", reference={"messageId": None}),
        row(7, ""),
        {"id": "108", "content": "when?"},
    ]
    export = {"guild": {"id": "5", "name": "Yard"}, "channel": {"id": "55", "category": "Text", "name": "garden"},
              "dateRange": {"after": None}, "messages": rows, "messageCount": 8}  # fmt: skip
    found = read(put(tmp_path / "garden.json", export))
    assert [(one.external_id, one.sender, one.sender_kind, one.reply_to, one.text) for one in found.texts] == [
        ("101", "Ada", "user", "", "We keep the **blue** door"),
        ("102", "Ada", "user", "101", "agreed"),
        ("103", "Ada", "system", "", "Joined the server."),
        ("104", "ben", "user", "", "[sticker: wave]"),
        ("105", "builds", "agent", "", "Build 7\npassed"),
        ("106", "Ada", "system", "", "Pinned a message."),
    ]
    first = found.texts[0]
    assert first.sent_at is not None and first.sent_at.isoformat() == "2024-05-01T10:00:00.500000+02:00"
    assert (first.conversation, first.title) == ("discord:55", "Text / garden") and found.texts[1].edited_at
    assert [path.rpartition("#")[2] for path in found.skipped] == ["messages.6", "messages.7"]
