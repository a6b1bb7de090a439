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
