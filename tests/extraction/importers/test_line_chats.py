"""Chats line by line in the layouts of many programs, and captions."""
# ruff: noqa: E501 - samples stand as programs write them

import time
from pathlib import Path

import pytest

from extraction.importers.line_chats import layout_of
from tests.extraction.importers.reading import Read, put, read

CHATS: dict[str, tuple[str, str, list[tuple[str, str, str, str]]]] = {
    "irssi": (
        "#yard.log",
        "--- Log opened Wed Mar 04 10:46:28 2026\n10:46 -!- cy [~cy@host] has joined #yard\n10:46 <@ann> morning\n10:47  * bo waves"
        "\n10:48 < cy> Decision: keep the red door\n--- Day changed Thu Mar 05 2026\n00:02 <ann> late\n",
        [("cy", "system", "", ""), ("ann", "user", "morning", "2026-03-04T10:46:00"), ("bo", "user", "waves", "2026-03-04T10:47:00"),
         ("cy", "user", "Decision: keep the red door", "2026-03-04T10:48:00"), ("ann", "user", "late", "2026-03-05T00:02:00")],
    ),
    "weechat": (
        "irc.libera.#yard.weechatlog",
        "2026-03-04 10:46:28\t-->\tann (~a@host) has joined #yard\n2026-03-04 10:46:40\t@ann\tmorning\n2026-03-04 10:46:50\t *\tbo waves"
        "\n2026-03-04 10:46:59\t<--\tbo (~b@host) has quit (Quit)\n",
        [("", "system", "", ""), ("ann", "user", "morning", "2026-03-04T10:46:40"), ("bo", "user", "waves", "2026-03-04T10:46:50"),
         ("", "system", "", "")],
    ),
    "bracketed, past midnight": (
        "2026-03-04.log",
        "[23:58:01] <ann> still here\n[23:59:59] *** Joins: cy (cy@host)\n[00:00:10] <bo> so am I\n* bo is now known as bo_away\n",
        [("ann", "user", "still here", "2026-03-04T23:58:01"), ("", "system", "", ""), ("bo", "user", "so am I", "2026-03-05T00:00:10"),
         ("", "system", "", "")],
    ),
    "meetbot": (
        "yard.2026-03-04-14.00.log.txt",
        "14:00:03 <ann> #startmeeting yard\n14:00:03 <meetbot> Meeting started\n14:01:00 <bo> #agreed keep the door\n",
        [("ann", "user", "#startmeeting yard", "2026-03-04T14:00:03"), ("meetbot", "agent", "Meeting started", "2026-03-04T14:00:03"),
         ("bo", "user", "#agreed keep the door", "2026-03-04T14:01:00")],
    ),
    "zoom, saved here": (
        "2026-03-04 10.00.12 Yard/meeting_saved_chat.txt",
        "10:02:11\t From Ann Lee to Everyone:\n\thello\n\tall\n10:03:40\t From Bo Chen to Ann Lee(Direct Message):\n\tkeep the red door"
        '\n10:04:00\t From Ann Lee to Everyone:\n\tReplying to "keep the red..."\n\t\n\tyes\n10:04:10\t From Cy to Everyone:'
        '\n\tReacted to "hello" with 👍\n',
        [("Ann Lee", "user", "hello\nall", "2026-03-04T10:02:11"), ("Bo Chen", "user", "keep the red door", "2026-03-04T10:03:40"),
         ("Ann Lee", "user", "yes", "2026-03-04T10:04:00"), ("Cy", "system", "", "2026-03-04T10:04:10")],
    ),
    "zoom, older": (
        "chat.txt",
        "10:02:11\t From  Ann Lee : hello\n10:03:40\t From Bo Chen to Everyone : keep the red door: always\n",
        [("Ann Lee", "user", "hello", ""), ("Bo Chen", "user", "keep the red door: always", "")],
    ),
    "zoom, from its pages": (
        "GMT20260304-100000_RecordingnewChat.txt", "00:12:30\tAnn Lee:\thello\n00:13:00\tBo Chen:\tkeep the red door\n",
        [("Ann Lee", "user", "hello", "2026-03-04T00:12:30"), ("Bo Chen", "user", "keep the red door", "2026-03-04T00:13:00")],
    ),
    "line": (
        "[LINE] Chat with Bo.txt",
        "[LINE] Chat history with Bo\nSaved on: 2026/04/01 09:00\n\n2026/03/04(Wed)\n10:46\tAnn\thello\n10:47\tBo\t\"two\nlines\"\n"
        "10:48\tBo unsent a message.\n\n2026/03/05(Thu)\n09:00\tAnn\tkeep the red door\n",
        [("Ann", "user", "hello", "2026-03-04T10:46:00"), ("Bo", "user", "two\nlines", "2026-03-04T10:47:00"),
         ("", "system", "", "2026-03-04T10:48:00"), ("Ann", "user", "keep the red door", "2026-03-05T09:00:00")],
    ),
    "kakaotalk on a computer": (
        "KakaoTalk.txt",
        "마당 님과 카카오톡 대화\n저장한 날짜 : 2026-04-01 09:00:00\n\n--------------- 2026년 3월 4일 수요일 ---------------\n[앤] [오전 10:46] 안녕"
        "\n[보] [오후 1:02] 빨간 문은 그대로\n둡니다\n",
        [("앤", "user", "안녕", "2026-03-04T10:46:00"), ("보", "user", "빨간 문은 그대로\n둡니다", "2026-03-04T13:02:00")],
    ),
    "kakaotalk on a phone": (
        "talk.txt",
        "2026년 3월 4일 오전 10:46, 앤 : 안녕\n2026년 3월 4일 오후 1:02, 보 : 좋아요\n2026년 3월 4일 오후 1:03, 씨님이 들어왔습니다.\n",
        [("앤", "user", "안녕", "2026-03-04T10:46:00"), ("보", "user", "좋아요", "2026-03-04T13:02:00"),
         ("", "system", "", "2026-03-04T13:03:00")],
    ),
    "imessage": (
        "+15550100.txt",
        "Mar 04, 2026 10:46:28 AM (Read by you after 1 minute)\n+15550100\nhello\n    Mar 04, 2026 10:47:00 AM\n    Me\n    hi\n\n"
        "Mar 04, 2026 10:47:00 AM\nMe\nhi\nThis message responded to an earlier message.\n\nMar 04, 2026  1:00:00 PM\n+15550100\nkeep the\n"
        "red door\n\n",
        [("+15550100", "user", "hello", "2026-03-04T10:46:28"), ("Me", "user", "hi", "2026-03-04T10:47:00"),
         ("+15550100", "user", "keep the\nred door", "2026-03-04T13:00:00")],
    ),
    "names over the words": (
        "2026-03-04 call.txt", "Ann Lee  0:03\nWelcome everyone.\n\nBo Chen  0:10\nKeep the red door.\n",
        [("Ann Lee", "user", "Welcome everyone.", "2026-03-04T00:00:03"), ("Bo Chen", "user", "Keep the red door.", "2026-03-04T00:00:10")],
    ),
    "clocks before the words": (
        "2026-03-04 call.txt", "[00:00:01] Ann Lee: Welcome.\n[00:45:09] Speaker 2: Keep it: red.\n",
        [("Ann Lee", "user", "Welcome.", "2026-03-04T00:00:01"), ("Speaker 2", "user", "Keep it: red.", "2026-03-04T00:45:09")],
    ),
    "clocks in brackets behind the names": (
        "2026-03-04 call.txt", "Ann Lee (00:01):\nWelcome.\n\nSpeaker 2 (45:09):\nKeep it.\n",
        [("Ann Lee", "user", "Welcome.", "2026-03-04T00:00:01"), ("Speaker 2", "user", "Keep it.", "2026-03-04T00:45:09")],
    ),
    "pidgin": (
        "a.txt", "Conversation with bo@x at Wed 04 Mar 2026 10:00:00\n(10:00:01) ann@x: hello\n(10:00:05) bo: yes\n",
        [("ann@x", "user", "hello", ""), ("bo", "user", "yes", "")],
    ),
    "hexchat": (
        "yard.log",
        "**** BEGIN LOGGING AT Wed Mar  4 10:00:00 2026\n\nMar 04 10:00:00 *\tNow talking on #yard\nMar 04 10:00:05 <ann>\thello\n"
        "Mar 05 10:00:09 *\tbo waves\n",
        [("", "system", "", ""), ("ann", "user", "hello", "2026-03-04T10:00:05"), ("bo", "user", "waves", "2026-03-05T10:00:09")],
    ),
    "eggdrop": (
        "yard.log", "[10:00] ann (~a@h) joined #yard.\n[10:00] <ann> hello\n[10:01] Action: bo waves\n[10:02] bo (~b@h) left irc: Quit\n",
        [("", "system", "", ""), ("ann", "user", "hello", ""), ("bo", "user", "waves", ""), ("", "system", "", "")],
    ),
    "mirc with few words": (
        "yard.log",
        "Session Start: Wed Mar 04 10:00:00 2026\nSession Ident: #yard\n[10:00] * Now talking in #yard\n[10:00] <@ann> hello\n"
        "[10:01] * bo has quit IRC\n[10:01] * cy has joined #yard\n[10:02] * dee has joined #yard\n",
        [("", "system", "", ""), ("ann", "user", "hello", "2026-03-04T10:00:00"), *[("", "system", "", "")] * 3],
    ),
    "zoom in japanese": (
        "meeting_saved_chat.txt", "10:00:01 開始 Ann Lee 宛先 全員:\n\tこんにちは\n", [("Ann Lee", "user", "こんにちは", "")],
    ),
}  # fmt: skip


def shown(found: Read) -> list[tuple[str, str, str, str]]:
    times = [one.sent_at.replace(tzinfo=None).isoformat() if one.sent_at else "" for one in found.texts]
    return [(one.sender, one.sender_kind, one.text, time) for one, time in zip(found.texts, times, strict=True)]


@pytest.mark.parametrize("name", CHATS)
def test_a_layout_is_told_and_read(tmp_path: Path, name: str) -> None:
    path, text, wanted = CHATS[name]
    found = read(put(tmp_path / path, text))
    have = [row if row[1] != "system" else ("", "system", "", "") for row in shown(found)]
    assert have == [row if row[1] != "system" else ("", "system", "", "") for row in wanted]
    assert not found.skipped and len({one.external_id for one in found.texts}) == len(wanted)
    assert [one.external_id for one in read(tmp_path / path).texts] == [one.external_id for one in found.texts]


def test_zooms_replies_answer_and_a_day_is_asked_for(tmp_path: Path) -> None:
    path, text, _ = CHATS["zoom, saved here"]
    found = read(put(tmp_path / path, text)).texts
    assert found[2].reply_to == found[1].external_id and found[0].conversation == "chat:2026-03-04 10.00.12 Yard"
    path, text, _ = CHATS["zoom, older"]
    assert "2 messages have a clock but no day" in read(put(tmp_path / path, text)).remarks[0]


def test_of_two_readings_the_one_that_explains_more_wins(tmp_path: Path) -> None:
    both = "[2018-03-12 10:46:28] <ann> one: two\n[2018-03-12 10:47:02] <bo> so: yes\n[2018-03-12 10:48:12] *** cy quit (Ping: 265)\n"
    assert [one.sender for one in read(put(tmp_path / "a.txt", both)).texts] == ["ann", "bo", ""]
    log = "[2026-03-04 10:00:01] INFO: started\n[2026-03-04 10:00:02] ERROR: no door\n" * 3
    found = read(put(tmp_path / "b.txt", log))
    assert [one.kind for one in found.texts] == [
        "document"
    ] and "6 of 6 lines name nobody; read as text" in found.remarks[0]
    for prose in (
        "10:00 Welcome\n10:30 Doors: which\n11:00 Break\n",
        "<b>\n<i> x </i>\n",
        "Ann: hi\nBo: ho\n",
        "Only words.\n",
        "To do\n\n* buy the milk\n* paint the door\n* call Ann\n",
    ):
        assert layout_of(prose)[0] is None


CUES = """WEBVTT

NOTE made by hand

1
00:00:01.000 --> 00:00:04.000
Ann Lee: Welcome everyone.

2
00:00:05.000 --> 00:00:07.000
Bo Chen: We decided to keep

3
00:00:07.100 --> 00:00:09.000
Bo Chen: the red door. Decision: no paint.
"""


def test_captions_have_speakers_and_whole_sentences(tmp_path: Path) -> None:
    zoom = read(put(tmp_path / "GMT20260304-100000_Recording.transcript.vtt", CUES))
    assert shown(zoom) == [
        ("Ann Lee", "user", "Welcome everyone.", "2026-03-04T10:00:01"),
        ("Bo Chen", "user", "We decided to keep the red door. Decision: no paint.", "2026-03-04T10:00:05"),
    ]
    teams = "\ufeffWEBVTT\n\n0a/1-0\n00:00:01.000 --> 00:00:04.000\n<v Ann Lee>Fish &amp; chips,</v>\n<v Bo>no.</v>\n"
    assert [(one.sender, one.text) for one in read(put(tmp_path / "b.vtt", teams)).texts] == [
        ("Ann Lee", "Fish & chips,"),
        ("Bo", "no."),
    ]
    srt = "1\r\n00:00:01,000 --> 00:00:04,000\r\n- Ann: Hi!\r\n- Bo: <i>Ho</i>\r\n\r\n2\r\n00:01:05,5 --> 00:01:09,000\r\nDecision: stay\r\n"
    assert [(one.sender, one.text) for one in read(put(tmp_path / "c.srt", srt)).texts] == [
        ("Ann", "Hi!"), ("Bo", "Ho"), ("Bo", "Decision: stay"),
    ]  # fmt: skip
    nobody = read(
        put(tmp_path / "d.txt", "WEBVTT\n\n00:01.000 --> 00:02.000\nso we begin\n\n00:02.000 --> 00:03.000\nat noon.\n")
    )
    assert [(one.kind, one.text) for one in nobody.texts] == [("document", "so we begin at noon.")]
    assert read(put(tmp_path / "e.vtt", "WEBVTT\n\n00:0x --> 1\nwhat\n")).skipped == {"e.vtt": "empty"}


@pytest.mark.parametrize(("cues", "speakers"), [
    (["ann lee: welcome.", "15550100: hi.", "ann@yard.example: keep it."], ["ann lee", "15550100", "ann@yard.example"]),
    (["[SPEAKER_00]: Welcome.", "[SPEAKER_01] Hi."], ["SPEAKER_00", "SPEAKER_01"]),
    (["(Ann Lee)\nWelcome.", "(Bo Chen)\nHi."], ["Ann Lee", "Bo Chen"]),
    (["山田：赤い扉は残します。", "鈴木：はい。"], ["山田", "鈴木"]),
    (["the plan: we keep it", "and that is that."], [""]),
    (["[Music]", "so we begin", "at noon."], [""]),
])  # fmt: skip
def test_names_of_any_shape_are_names_where_nearly_every_cue_has_one(
    tmp_path: Path, cues: list[str], speakers: list[str]
) -> None:
    text = "\n\n".join(f"0:00:0{at}.000,0:00:0{at}.900\n{cue}" for at, cue in enumerate(cues, 1))
    assert [one.sender for one in read(put(tmp_path / "a.sbv", text)).texts] == speakers


@pytest.mark.parametrize("text", [
    "10:00 <" * 50_000, "[10:00] " + "a" * 400_000, "(10:00:01) " + "a " * 200_000, "A" + " " * 400_000 + "0:03",
    "1\n00:00:01,000 --> 00:00:02,000\n" + "[a" * 200_000, "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "A b " * 100_000,
    "10:00:01 From " + "a to " * 100_000, "* " * 200_000, "[10:00] a (" + "b@" * 200_000,
], ids=range(9))  # fmt: skip
def test_hostile_lines_take_no_time(tmp_path: Path, text: str) -> None:
    begun = time.process_time()
    for name in ("a.txt", "a.vtt"):
        read(put(tmp_path / name, text + "\n"))
    assert time.process_time() - begun < 5
