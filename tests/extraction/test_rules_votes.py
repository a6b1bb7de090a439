"""Minutes that keep no line for the result: what a vote carried is proposed, and nothing else is."""

import pytest

from tests.extraction.reading import read

CARRIED = """\
**Ann Lee:** I would like to settle the log format.

> **Proposed resolution: Logs are kept as JSON lines.** *(Ann Lee)*
{: .proposed}

> *Bo Ek:* +1

> *Cy Ray:* +1

> *Dee Fox:* +1 to that

**Ann Lee:** Good, next.
"""


def decisions(text: str) -> list[tuple[str, str, bool]]:
    hits = [hit for hit in read(text) if hit.kind == "decision"]
    return [(text[hit.spans[0].start : hit.spans[0].end], hit.rule, hit.explicit) for hit in hits]


def test_a_carried_proposal_is_proposed_as_an_inferred_decision() -> None:
    assert decisions(CARRIED) == [("Logs are kept as JSON lines.", "line.voted", False)]
    chat = "PROPOSED: Logs are kept as JSON lines\n<ann> +1\n<bo> +1\n<cy> + 1\n<dee> fine\n"
    assert decisions(chat) == [("Logs are kept as JSON lines", "line.voted", False)]


@pytest.mark.parametrize(
    "change",
    [
        ("*Cy Ray:* +1", "*Cy Ray:* -1"),
        ("*Cy Ray:* +1", "*Cy Ray:* −1"),
        ("*Cy Ray:* +1", "*Cy Ray:* 0"),
        ("*Cy Ray:* +1", "*Cy Ray:* -0.5"),
        ("*Dee Fox:* +1 to that", "*Dee Fox:* -0"),
        ("**Ann Lee:** Good, next.", "**Ann Lee:** The proposal is withdrawn."),
        ("**Ann Lee:** Good, next.", "**Ann Lee:** Motion failed 3-4."),
        ("**Ann Lee:** Good, next.", "> *Eve Gil:* 0, I have not seen the costs"),
        ("**Ann Lee:** Good, next.", "> *Eve Gil:* 0\n\n> *Fay Hay:* 0"),
        ("*Cy Ray:* +1", "*Bo Ek:* +1"),  # the same person twice
        ("*Cy Ray:* +1", "*Cy Ray:* +10 for effort"),
        ("Proposed resolution:", "Poll:"),
        ("Proposed resolution:", "Question:"),
        ("**Ann Lee:** Good, next.", "RESOLUTION: Logs are kept as text."),
        ("**Ann Lee:** Good, next.", "Proposed resolution: All logs are kept as JSON lines."),
    ],
)
def test_anything_less_is_no_decision(change: tuple[str, str]) -> None:
    assert change[0] in CARRIED
    assert "line.voted" not in {rule for _, rule, _ in decisions(CARRIED.replace(*change))}


def test_two_motions_that_differ_in_a_word_are_two() -> None:
    votes = "".join(f"{who}: +1\n" for who in ("ann", "bo", "cy"))
    text = f"PROPOSED: Add numbers to the model\n{votes}\nPROPOSED: Add dates to the model\n{votes}"
    assert [words for words, _, _ in decisions(text)] == ["Add numbers to the model", "Add dates to the model"]


@pytest.mark.parametrize("aside", ["0", "+0", "+0 fine by me", "0."])
def test_one_who_stands_aside_stops_nothing(aside: str) -> None:
    assert decisions(CARRIED.replace("**Ann Lee:** Good, next.", f"> *Eve Gil:* {aside}")) == [
        ("Logs are kept as JSON lines.", "line.voted", False)
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Motion carried.",
        "**Result:** Motion passed (5-0-1).",
        "Vote: 5-0, motion carried.",
        "**Ann Lee:** No objections, resolved.",
        "<ann> Hearing none, the proposal is accepted",
        "… Accepted.",
        "Approved unanimously.",
    ],
)
def test_what_was_said_to_be_carried_needs_no_count(said: str) -> None:
    text = f"MOTION: Keep logs as JSON lines. Moved by Ann, seconded by Bo.\n\nSome talk.\n\n{said}\n"
    assert decisions(text) == [("Keep logs as JSON lines.", "line.voted", False)]


@pytest.mark.parametrize(
    "said",
    [
        "Motion failed.",
        "Is it accepted?",
        "It is accepted if nobody writes by Friday.",
        "Not approved.",
        "Then it was accepted that Bo goes first.",
        "No objections so far.",
        "Approved by whom?",
        "Motion carried over to May.",
    ],
)
def test_what_was_not_said_to_be_carried_is_no_decision(said: str) -> None:
    assert decisions(f"MOTION: Keep logs as JSON lines.\n\nSome talk.\n\n**Ann Lee:** {said}\n") == []


def test_a_poll_stays_a_question_whatever_came_of_it() -> None:
    assert decisions("POLL: Should we keep logs as JSON lines?\n\nann: +1\nbo: +1\ncy: +1\n\nPoll passes.\n") == []
    assert decisions("Consensus poll: any objections to JSON lines?\n\nNo objections, poll passes.\n") == []
