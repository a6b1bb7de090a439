"""Zulip, Teams, and messages in the columns of a CSV."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from extraction.importers import Into, read_paths
from tests.extraction.importers.reading import Read, put, read


def test_zulip_s_export_names_people_and_channels(tmp_path: Path) -> None:
    realm = {
        "zerver_userprofile": [
            {"id": 7, "full_name": "Ann", "is_bot": False},
            {"id": 8, "full_name": "Helper", "is_bot": True},
        ],
        "zerver_stream": [{"id": 2, "name": "yard"}],
        "zerver_recipient": [{"id": 20, "type": 2, "type_id": 2}, {"id": 21, "type": 1, "type_id": 7}],
    }
    said = [
        {"id": 1, "sender": 7, "recipient": 20, "subject": "door", "content": "Which glue?", "date_sent": 1772618400.5},
        {"id": 2, "sender": 8, "recipient": 20, "subject": "door", "content": "Bone.", "date_sent": 1772618401.0},
        {"id": 3, "sender": 9, "recipient": 21, "subject": "", "content": "Hello.", "date_sent": 1772618402},
        {"id": 4},
    ]
    put(tmp_path / "realm.json", realm)
    put(tmp_path / "messages-000001.json", {"zerver_message": said, "zerver_usermessage": []})
    found = read(tmp_path)
    assert [(one.sender, one.sender_kind, one.text, one.conversation) for one in found.texts] == [
        ("Ann", "user", "Which glue?", "zulip:yard/door"),
        ("Helper", "agent", "Bone.", "zulip:yard/door"),
        ("user 9", "user", "Hello.", "zulip:conversation 21"),
    ]
    assert str(found.texts[0].sent_at) == "2026-03-04 10:00:00.500000+00:00" and len(found.skipped) == 2


def test_zulip_s_api_names_them_itself(tmp_path: Path) -> None:
    said = {"id": 1, "sender_full_name": "Ann", "sender_id": 7, "stream_id": 2, "display_recipient": "yard", "subject": "door",
            "content": "Oak.", "timestamp": 1772618400}  # fmt: skip
    [one] = read(put(tmp_path / "answer.json", {"result": "success", "messages": [said]})).texts
    assert (one.sender, one.conversation, one.text) == ("Ann", "zulip:yard/door", "Oak.")


def test_teams_messages_have_answers_and_html_is_read(tmp_path: Path) -> None:
    def message(own: str, words: str, **more: object) -> dict[str, object]:
        sent: dict[str, object] = {
            "id": own,
            "createdDateTime": "2026-03-04T10:00:00Z",
            "messageType": "message",
            "channelIdentity": {"channelId": "19:x"},
        }
        return {
            **sent,
            "from": {"user": {"displayName": "Ann"}},
            "body": {"contentType": "html", "content": words},
            **more,
        }

    value = [
        message("1", "<p>Which <b>glue</b> &amp; oil?</p>", subject="The door"),
        message("2", "<p>Bone.</p>", replyToId="1"),
        message("3", "<p>called</p>", messageType="systemEventMessage"),
        {"messageType": "message"},
    ]
    found = read(put(tmp_path / "channel.json", {"value": value}))
    assert [(one.text, one.sender_kind, one.reply_to, one.conversation) for one in found.texts] == [
        ("Which glue & oil?", "user", "", "teams:19:x"),
        ("Bone.", "user", "1", "teams:19:x"),
        ("called", "system", "", "teams:19:x"),
    ]
    assert len(found.skipped) == 1


def test_an_account_s_own_teams_export_begins_with_the_newest(tmp_path: Path) -> None:
    def message(own: str, words: str) -> dict[str, object]:
        return {"id": own, "originalarrivaltime": "2026-03-04T10:00:00Z", "messagetype": "RichText", "content": words,
                "from": "8:ann", "displayName": "Ann"}  # fmt: skip

    talks = [{"id": "19:y", "displayName": "Yard", "MessageList": [message("2", "Bone."), message("1", "Which glue?")]}]
    found = read(put(tmp_path / "messages.json", {"userId": "8:ann", "conversations": talks}))
    assert [(one.text, one.sender, one.title) for one in found.texts] == [
        ("Which glue?", "Ann", "Yard"),
        ("Bone.", "Ann", "Yard"),
    ]


def test_a_csv_s_columns_are_told_by_its_head(tmp_path: Path) -> None:
    rows = 'Date;Author;Message;Mood\n2026-03-04 10:00;Ann;"Use oak;\nalways.";good\n2026-03-04 10:01;Bo;;\n\n'
    found = read(put(tmp_path / "yard.csv", rows), zone="Europe/Berlin")
    assert [(one.text, one.sender, str(one.sent_at), one.conversation) for one in found.texts] == [
        ("Use oak;\nalways.", "Ann", "2026-03-04 10:00:00+01:00", "csv:yard")
    ]
    assert found.remarks == ["columns that are not kept: Mood"] and len(found.skipped) == 1


def test_a_csv_without_known_columns_says_how_to_name_them(tmp_path: Path) -> None:
    path = put(tmp_path / "odd.csv", "Wer,Was\nAnn,Use oak.\n")
    [why] = read(path).skipped.values()
    assert "Wer, Was" in why and "--columns" in why
    found = Read(read_paths([path], "auto", Into("yard", columns={"text": "Was", "sender": "Wer"})))
    assert [(one.text, one.sender) for one in found.texts] == [("Use oak.", "Ann")]
    assert "no CSV" in next(iter(read(put(tmp_path / "cut.csv", 'text\n"never closed')).skipped.values()))


@pytest.mark.parametrize("written", ["words=Was", "text"])
def test_a_mapping_of_no_field_is_refused(written: str) -> None:
    with pytest.raises(CommandError, match="the fields are text"):
        call_command("ingest", "x.csv", "--scope", "yard", "--columns", written)
