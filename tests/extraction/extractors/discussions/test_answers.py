"""Yes and no, to what, and what becomes of it (D7, law 8)."""

import pytest

from extraction.extractors.discussions import ThreadFindings, confirmation_of
from tests.extraction.extractors.discussions.talk import last


@pytest.mark.parametrize(
    "text",
    [
        "Yes", "yes!", "Correct.", "That's right", "Approved", "Go ahead", "sounds good", "soudns good", "LGTM", "👍", "+1",
        "yep, that works", "Agreed.", "ok", "Okay, great.", "Sure, please do", "ja, genau", "Sí, claro", "einverstanden",
        "de acuerdo", "Exactly!", "Bob: yes", "you got it", "no objections", "works for me", "Yess", "Yes please, on the 4th.",
    ],
)  # fmt: skip
def test_yes(text: str) -> None:
    assert confirmation_of(text) == "confirm"


@pytest.mark.parametrize(
    "text",
    [
        "No", "nope", "No, thanks", "not correct", "that's not right", "I don't think so", "no way", "Not yet", "rejected",
        "👎", "Nein, danke", "no gracias", "Maybe later.", "Actually, make it Tuesday", "I'd rather wait",
        "never mind", "hold on", "Please don't", "stop", "hang on, that's the old key", "wait, that breaks the import",
        "Wait a second", "That would break the import",
    ],
)  # fmt: skip
def test_no(text: str) -> None:
    assert confirmation_of(text) == "deny"


@pytest.mark.parametrize(
    "text",
    [
        "yes, but not on Friday", "Yes?", "right?", "ok?", "Sure, if the tests pass", "Yes and no", "no problem",
        "no worries", "correct me if I'm wrong", "Right now I am busy", "Agreed, except for the second point",
        "Yes. But wait for the review.", "great question", "I had a look at it", "What is the limit?", "", "…", "42",
        'She said "yes"', "> yes", "`ok`", "good morning", "Wait for the review", "hang on to it", "That breaker is new",
    ],
)  # fmt: skip
def test_neither(text: str) -> None:
    assert confirmation_of(text) is None


def types(found: ThreadFindings) -> list[str]:
    return [one.type for one in found.patterns]


def test_a_proposal_by_an_agent_needs_a_yes() -> None:
    found = last("bot: Shall I move the deploy to Friday?", "Nadia: Yes, go ahead")
    (hit,) = found.hits
    assert (hit.kind, hit.statement, hit.confidence_word) == ("decision", "Move the deploy to Friday", "high")
    assert hit.spans[0].source_id == 0 and hit.spans[0].stance == "supports"
    assert hit.spans[1].source_id == 1 and hit.spans[1].stance == "context"
    assert types(found) == ["confirmation"]
    for answer in ("No", "Yes, but on Monday", "yes?", "Which Friday?", "Thanks"):
        assert not last("bot: Shall I move the deploy to Friday?", f"Nadia: {answer}").hits, answer


def test_what_an_agent_labelled_becomes_a_norm_of_that_kind() -> None:
    (hit,) = last("bot: Constraint: Cards are opened before any work", "Nadia: Approved").hits
    assert (hit.kind, hit.statement) == ("constraint", "Cards are opened before any work")


def test_an_agent_confirms_nothing_and_nobody_confirms_themselves() -> None:
    assert not last("Nadia: Decision: use uv", "bot: Yes, agreed").patterns
    assert not last("Nadia: Decision: use uv", "Nadia: Yes, agreed").patterns


def test_an_answer_to_a_question_is_no_confirmation() -> None:
    assert not last("Nadia: Is the staging box up?", "Piet: Yes").patterns
    assert not last("Nadia: Decision: use uv. Is Oleg here?", "Piet: yes").patterns
    assert types(last("Nadia: Decision: use uv. Is Oleg here?", "Piet: Approved")) == ["confirmation"]


def test_the_decision_may_stand_a_little_before_the_yes() -> None:
    found = last("Nadia: Decision: The card is the record", "bot: ThreadPattern.", "Piet: Agreed")
    assert found.patterns[0].sources == (1, 3)
    (mark,) = found.marks
    assert (mark.verb, mark.source_id) == ("confirm", 1)


def test_a_reply_is_about_the_message_it_names() -> None:
    lines = ["Nadia: Decision: use uv", "Oleg: Decision: paint the shed", "Piet: Approved"]
    assert last(*lines, replies={2: 0}).patterns[0].sources == (1, 3)
    assert last(*lines, replies={2: 1}).patterns[0].sources == (2, 3)


@pytest.mark.parametrize("who", ["Ann", "Bob", "Cy"])
@pytest.mark.parametrize(
    "objection", ["no, wait, that breaks the import", "hang on, I disagree", "-1", "That would break it."]
)
def test_an_objection_after_somebody_elses_yes_is_about_what_was_confirmed(who: str, objection: str) -> None:
    found = last("Ann: Shall we drop the old index?", "Bob: yes", f"{who}: {objection}")
    assert not found.hits
    assert {(mark.verb, mark.source_id, mark.words.stance if mark.words else "") for mark in found.marks} >= {
        ("flag", 1, "opposes")
    }


def test_an_objection_contests_the_yes_on_which_an_agents_proposal_rests() -> None:
    found = last("bot: Shall I drop the old index?", "Bob: yes", "Cy: no, wait, that breaks the import")
    assert ("flag", 2) in {(mark.verb, mark.source_id) for mark in found.marks}


def test_a_no_to_something_else_contests_nothing() -> None:
    lines = [
        "Ann: Shall we drop the old index?",
        "Bob: yes",
        "Bob: I had a long look at the import yesterday, by the way.",
    ]
    assert not last(*lines, "Cy: no", replies={3: 2}).marks
    assert not last(*lines[:2], "Bob: Is Oleg here?", "Cy: no").marks


def test_a_yes_to_what_another_still_objects_to_confirms_nothing() -> None:
    lines = ["Ann: Shall we drop the old index?", "Cy: no, that breaks the import", "Bob: yes, go ahead"]
    found = last(*lines, replies={1: 0, 2: 0})
    (hit,) = found.hits
    assert (hit.confidence_word, hit.needs_review) == ("", True) and "Cy objected" in hit.summary
    assert [(span.source_id, span.stance) for span in hit.spans] == [(1, "supports"), (0, "context"), (2, "opposes")]
    assert [mark.verb for mark in found.marks] == ["flag"]
    settled = [*lines[:2], "Cy: ok, go ahead", lines[2]]
    (hit,) = last(*settled, replies={1: 0, 2: 0, 3: 0}).hits
    assert (hit.confidence_word, hit.needs_review) == ("high", False)


def test_small_talk_confirms_nothing() -> None:
    lines = [
        "Ann: I love this song, it reminds me of home.",
        "Bob: Yes! Great band.",
        "Ann: ok cool",
        "Bob: haha right",
    ]
    for end in range(2, len(lines) + 1):
        found = last(*lines[:end])
        assert not found.patterns and not found.hits and not found.marks
