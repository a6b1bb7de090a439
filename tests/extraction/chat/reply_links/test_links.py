"""Which earlier message a message answers."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from extraction.chat.messages import ChatMessage
from extraction.chat.reply_links import WINDOW, answers, link
from extraction.evaluation.annotated_logs import link_lines

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def chat(*lines: str) -> list[ChatMessage]:
    """`sender: words`, one every twenty seconds."""
    said = [line.split(": ", 1) for line in lines]
    return [
        ChatMessage(who, words, START + timedelta(seconds=20 * at), str(at)) for at, (who, words) in enumerate(said)
    ]


def test_an_explicit_reply_wins_however_far_away():
    talk = chat("ana: who has the projector key?", *[f"ben: line {at}" for at in range(300)])
    reply = ChatMessage("cleo", "me", START + timedelta(hours=3), "r", reply_to="0")
    assert [(one.index, one.score) for one in answers(reply, talk)] == [(0, 1.0)]
    assert link([*talk, reply])[-1] == [0]


def test_a_reply_to_what_is_not_there_is_read_like_any_other():
    reply = ChatMessage("ben", "ana: the blue drawer", START + timedelta(minutes=1), "r", reply_to="gone")
    assert link([*chat("ana: where is the stapler?"), reply]) == [[0], [0]]


def test_whoever_is_addressed_is_answered():
    talk = chat(
        "ana: does the printer on floor two work for you?",
        "dora: is anybody joining the lunch table today?",
        "ben: ana: yes, it printed ten minutes ago",
        "cleo: dora: I am, keep me a chair",
    )
    assert link(talk) == [[0], [1], [0], [1]]


def test_another_name_leads_to_its_sender():
    talk = chat("user77: which branch do I build from?", "dora: lunch was good")
    said = ChatMessage("ben", "Mimi: build from main", START + timedelta(minutes=1))
    assert answers(said, talk, aliases={"Mimi": "user77"})[0].index == 0


def test_two_talks_at_once_are_told_apart():
    talk = chat(
        "ana: my scanner shows error 552 after the firmware update",
        "ben: anybody has a recipe for lentil soup?",
        "cleo: ana: error 552 is the roller sensor",
        "dora: ben: lentils, carrots, cumin, an hour",
        "ana: cleo: how do I clean the roller sensor?",
        "ben: dora: thanks, no onions?",
    )
    assert link(talk) == [[0], [1], [0], [1], [2], [3]]


def test_lines_of_the_system_answer_nobody():
    assert link([*chat("ana: hello?"), ChatMessage("", "ben has joined")])[1] == [1]


def test_scores_are_probabilities_best_first():
    talk = chat("ana: shall we start?", "ben: two minutes", "cleo: hi all")
    found = answers(ChatMessage("ana", "ok ben", START + timedelta(minutes=2)), talk)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert sum(one.score for one in found) == pytest.approx(1)
    assert {one.index for one in found} == {0, 1, 2, 3}


def test_message_by_message_says_the_same_as_all_at_once():
    talk = chat(
        *[f"{'abcd'[at * 7 % 4]}{at % 3}: words {at} of a talk{'?' * (at % 5 == 0)}" for at in range(WINDOW + 60)]
    )
    assert [[answers(one, talk[:at])[0].index] for at, one in enumerate(talk)] == link(talk)


def test_messages_without_a_time_are_linked_too():
    assert link([ChatMessage("ana", "who can open the hall?"), ChatMessage("ben", "ana: I can")]) == [[0], [0]]


def test_annotated_logs_are_scored_link_by_link(tmp_path: Path):
    (tmp_path / "x.raw.txt").write_text(
        "[23:58] <ana> is the gate open?\n=== ben has joined\n[23:59] <ben> ana: yes it is\n[00:01] * ana waves\n"
    )
    (tmp_path / "x.annotation.txt").write_text("0 0 -\n1 1 -\n0 2 - \n1 3 -\n")
    [figures] = link_lines(tmp_path)
    assert (figures["rows"], figures["hits"], figures["gold"], figures["hits_right"]) == (1, 4, 4, 3)
