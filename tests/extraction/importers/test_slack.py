import shutil
from pathlib import Path

import pytest

from tests.extraction.importers.reading import put, read

USERS = [
    {"id": "U1", "name": "ada", "real_name": "Ada Berg", "profile": {"display_name": "Ada"}},
    {"id": "U2", "name": "ben", "real_name": "Ben Ruiz", "profile": {"display_name": ""}},
    {"id": "U3", "name": "herald", "is_bot": True, "profile": {"display_name": "Herald"}},
]
DAY = [
    {"type": "message", "subtype": "channel_join", "user": "U2", "text": "<@U2> has joined the channel", "ts": "1700000000.000100"},
    {"type": "message", "user": "U1", "text": "Shall we paint &amp; oil the gate, <@U2>?", "ts": "1700000010.000200",
     "thread_ts": "1700000010.000200", "reply_count": 1},
    {"type": "message", "user": "U2", "text": "Yes", "ts": "1700000020.000300", "thread_ts": "1700000010.000200",
     "edited": {"user": "U2", "ts": "1700000500.000000"}},
    {"type": "message", "subtype": "bot_message", "bot_id": "B9", "username": "builds", "text": "",
     "attachments": [{"pretext": "Build 7", "text": "passed"}], "ts": "1700000030.000400"},
    {"type": "message", "user": "U3", "text": "Reminder: paint", "ts": "1700000040.000500"},
    {"type": "message", "user": "U1", "text": "", "files": [{"name": "gate.jpg"}], "ts": "1700000050.000600"},
    {"type": "message", "user": "U1", "ts": "1700000060.000700", "text": ""},
    {"type": "message", "user": "U1", "text": "no time"},
    "nonsense",
]  # fmt: skip


@pytest.fixture
def export(tmp_path: Path) -> Path:
    root = tmp_path / "export"
    put(root / "users.json", USERS)
    put(root / "channels.json", [{"id": "C1", "name": "garden"}])
    put(root / "dms.json", [{"id": "D1", "members": ["U1", "U2"]}])
    put(root / "integration_logs.json", [{"user_id": "U1"}])
    put(root / "garden" / "2023-11-14.json", DAY)
    put(root / "D1" / "2023-11-15.json", [{"type": "message", "user": "U2", "text": "psst", "ts": "1700050000.000100"}])
    return root


def test_an_export_as_folder_and_as_zip(export: Path, tmp_path: Path) -> None:
    packed = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", export))
    deep = tmp_path / "deep"
    shutil.copytree(export, deep / "one" / "two")
    for path in (export, packed, deep):
        found = read(path)
        assert [
            (one.conversation, one.external_id, one.sender, one.sender_kind, one.reply_to) for one in found.texts
        ] == [
            ("slack:D1", "1700050000.000100", "Ben Ruiz", "user", ""),
            ("slack:C1", "1700000000.000100", "Ben Ruiz", "system", ""),
            ("slack:C1", "1700000010.000200", "Ada", "user", ""),
            ("slack:C1", "1700000020.000300", "Ben Ruiz", "user", "1700000010.000200"),
            ("slack:C1", "1700000030.000400", "builds", "agent", ""),
            ("slack:C1", "1700000040.000500", "Herald", "agent", ""),
            ("slack:C1", "1700000050.000600", "Ada", "user", ""),
        ]
        texts = [one.text for one in found.texts]
        assert texts[2] == "Shall we paint & oil the gate, <@U2>?" and texts[4] == "Build 7\npassed"
        assert found.texts[2].sent_at is not None
        assert found.texts[2].sent_at.isoformat() == "2023-11-14T22:13:30.000200+00:00"
        assert found.texts[3].edited_at is not None and found.texts[2].title == "#garden"
        carried = found.texts[6]
        assert carried.text == "[file: gate.jpg]" and carried.sections and carried.sections[0].speaker == "system"
        assert [path.rpartition("#")[2] for path in found.skipped] == ["6", "7", "8"]


def test_one_channel_without_the_lists(export: Path) -> None:
    (export / "users.json").unlink()
    found = read(export / "garden")
    assert found.texts[1].sender == "U1" and found.texts[1].conversation == "slack:garden"


def test_a_broken_day_keeps_the_others(export: Path) -> None:
    put(
        export / "garden" / "2023-11-13.json",
        '[{"type": "message", "user": "U1", "ts": "1699900000.0001", "text": "cut',
    )
    found = read(export)
    assert len(found.texts) == 7 and "export/garden/2023-11-13.json#0" in found.skipped


def test_dated_files_of_another_kind_are_no_export(tmp_path: Path) -> None:
    put(tmp_path / "diary" / "2024" / "2024-01-02.json", {"weather": "fair"})
    assert list(read(tmp_path / "diary").skipped.values()) == ["no chat of a known format"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Q&amp;A", "Q&A"),
        ("a &lt; b &amp;&amp; b &gt; c", "a < b && b > c"),
        ("&amp;lt; and &amp;amp;", "&lt; and &amp;"),
        ("&quot;, &#39;, &nbsp; and &AMP; were typed", "&quot;, &#39;, &nbsp; and &AMP; were typed"),
        ("<https://example.org/?a=1&amp;b=2|the list>", "<https://example.org/?a=1&b=2|the list>"),
        ("& alone", "& alone"),
    ],
)
def test_what_slack_escapes_is_kept_as_it_was_typed(tmp_path: Path, written: str, said: str) -> None:
    card = {"type": "message", "user": "U1", "text": "", "attachments": [{"text": written}], "ts": "1700000001.000000"}
    rows = [{"type": "message", "user": "U1", "text": written, "ts": "1700000000.000000"}, card]
    put(tmp_path / "garden" / "2023-11-14.json", rows)
    assert [one.text for one in read(tmp_path).texts] == [said, said]
