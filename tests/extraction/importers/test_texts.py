"""Whole texts, other chats, and what tells the formats apart."""

from pathlib import Path

from tests.extraction.importers.reading import put, read

MINUTES = "# Yard meeting\n\nDate: 2024-03-05\nPresent: Ada, Ben\nScribe: Ben\n\nRESOLVED: Keep the door\n"


def test_minutes_stay_whole_and_know_their_day(tmp_path: Path) -> None:
    found = read(put(tmp_path / "notes.md", MINUTES), zone="America/New_York")
    one = found.texts[0]
    assert (one.text, one.kind, one.external_id) == (MINUTES, "document", "notes.md")
    assert one.sent_at is not None and one.sent_at.isoformat() == "2024-03-05T00:00:00-05:00"
    assert read(put(tmp_path / "2023-02-01-yard.txt", "RESOLVED: x"), "minutes").texts[0].sent_at
    assert read(put(tmp_path / "plain.md", "# Hello\n\nChair: none\n")).texts[0].sent_at is None


def test_meta_reads_its_bytes_back(tmp_path: Path) -> None:
    talk = {"participants": [], "title": "Yard", "thread_path": "inbox/yard_1", "messages": [
        {"sender_name": "Ada", "timestamp_ms": 1700000002000, "content": "schÃ¶n ð\x9f\x9aª"},
        {"sender_name": "Ben", "timestamp_ms": 1700000001000, "photos": [{"uri": "a.jpg"}]},
        {"sender_name": "Ben", "timestamp_ms": "?", "content": "when"},
    ]}  # fmt: skip
    found = read(put(tmp_path / "message_1.json", talk))
    assert [(one.sender, one.text) for one in found.texts] == [("Ben", "[photo]"), ("Ada", "schön 🚪")]
    assert found.texts[0].conversation == "meta:inbox/yard_1" and len(found.skipped) == 1


def test_what_is_no_known_format_is_said(tmp_path: Path) -> None:
    put(tmp_path / "a" / "settings.json", {"a": 1})
    put(tmp_path / "a" / "sheet.xlsx", "a,b")
    put(tmp_path / "a" / "utf16.txt", "Tür".encode("utf-16"))
    put(tmp_path / "a" / "latin.txt", "Tür".encode("latin-1"))
    found = read(tmp_path / "a")
    assert found.skipped == {
        "a/settings.json": "no chat of a known format", "a/sheet.xlsx": "no format is known for .xlsx",
        "a/latin.txt": "not UTF-8 at byte 1",
    }  # fmt: skip
    assert [one.text for one in found.texts] == ["Tür"]


def test_a_given_format_passes_other_files_by(tmp_path: Path) -> None:
    put(tmp_path / "a" / "photo.jpg", b"\xff\xd8")
    put(
        tmp_path / "a" / "result.json",
        {"messages": [{"id": 1, "type": "message", "date_unixtime": "1709287200", "text": "hi"}]},
    )
    found = read(tmp_path / "a", "telegram")
    assert len(found.texts) == 1 and found.skipped == {"a/photo.jpg": "no file of the format telegram"}
