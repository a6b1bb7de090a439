"""Attribution over whole families in three languages: those that were learnt from, and `blind_*`, which were not to this day."""

import time

import pytest

from extraction.chat.tripwire import Tripwire
from extraction.training.chats import THREADS, chats_in, packed
from extraction.training.readings import read_lines
from tests.extraction.chat.commitments.chat import KEPT, TRIPWIRE, Chat


def figures(part: str, *, watched: bool = False) -> tuple[float, float, list[str]]:
    """Share of right assignees, of right sources, and the wrong ones; `watched`: behind the tripwire, as in a scope."""
    files = [file for file in (*packed(THREADS), *chats_in(KEPT / THREADS)) if file.name.startswith(part)]
    lines = [line for file in files for line in read_lines(file, TRIPWIRE, watched=watched) if line.who]
    wrong = [line.name for line in lines if not line.assignee_right]
    return 1 - len(wrong) / len(lines), sum(line.source_right for line in lines) / len(lines), wrong


@pytest.mark.parametrize("part, assignee, source", [("tune", 0.88, 0.87), ("held", 0.85, 0.9)])
def test_who_takes_it_on(part: str, assignee: float, source: float):
    right, found, wrong = figures(part)
    assert right >= assignee, wrong
    assert found >= source


@pytest.mark.parametrize("part, assignee, source", [("more", 0.78, 0.65), ("blind", 0.82, 0.7)])
def test_who_takes_it_on_behind_the_tripwire(part: str, assignee: float, source: float):
    right, found, wrong = figures(part, watched=True)
    assert right >= assignee, wrong
    assert found >= source


def test_a_tripwire_that_has_learnt_nothing_stands_in_no_ones_way():
    """A pack of one's own may have a tripwire of words alone."""
    words = Tripwire.from_packs([{"tripwire": {"groups": [{"name": "fetch", "weight": 9.0, "words": ["pick up"]}]}}])
    chat = Chat(tripwire=words, watched=True)
    chat.say("08:00", "Sarah", "Who can pick up Leo from soccer on Thursday?")
    taken = chat.say("08:01", "John", "I'll pick up Leo")
    assert {one.name for one in taken.assignees} == {"John"}


def test_a_message_costs_the_same_at_any_length_of_the_thread():
    chat = Chat()
    for at in range(400):
        said = f"Who gets Leo at {at % 12 + 1}?" if at % 5 == 0 else "me"
        chat.say(f"{8 + at // 60:02}:{at % 60:02}", ("Sarah", "John")[at % 2], said)
    begun = time.process_time()
    for at in range(40):
        chat.say(f"20:{at:02}", "Sarah", f"line {at} of a long day, who picks up Mia?")
    assert (time.process_time() - begun) / 40 < 0.02


@pytest.mark.parametrize(
    "text",
    [
        "ha " * 60_000,
        " " * 200_000 + "me",
        "1-" * 90_000,
        "who can " * 30_000,
        "oh, " * 50_000 + "yes",
        "\u0130'’\ud7ff👩‍👩‍👧" * 20_000,
        "\x00",
        "",
    ],
)
def test_no_message_is_too_long_or_too_odd(text: str):
    chat = Chat()
    chat.say("09:00", "Sarah", "Who's getting Leo?")
    begun = time.process_time()
    frame = chat.say("09:01", "John", text)
    assert time.process_time() - begun < 1
    for hit in chat.hits(frame):
        assert text[hit.spans[0].start : hit.spans[0].end]
    chat.shape(frame)
