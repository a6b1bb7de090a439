"""What a sentence does: ask, promise, or neither."""

import pytest

from extraction.extractors.documents.sentences import intent_matches, plain_intent, sentence_intent
from ledger.rules.sections import sections_of


@pytest.mark.parametrize(
    "text",
    [
        "Could you send the drawings by Monday?", "Please call the joiner.",
        "Let's meet at the site.", "Maria, check the seal again.",
        "You need to sign page four.", "We should order the second batch.",
        "How about Thursday?", "Let me know what he says.",
        "I'd like you to come along.", "Don't forget the keys.",
        "Shall we postpone the launch?", "I'll send it, please check the totals.",
    ],
)  # fmt: skip
def test_requests_and_proposals(text: str) -> None:
    assert sentence_intent(text) == "request"


@pytest.mark.parametrize(
    "text",
    [
        "I'll bring the spare filter.",
        "I'm going to paint the fence.",
        "Will do.",
        "Leave it to me.",
        "Let me check the invoice.",
    ],
)
def test_commitments(text: str) -> None:
    assert sentence_intent(text) == "commitment"


@pytest.mark.parametrize(
    "text",
    [
        "The pump arrived yesterday.", "See you on Monday.", "If I'll ever know is another matter.", "He said he will come.",
        "Please do not hesitate to contact us.", "If you have any questions, please write to us.",
        "Thanks a lot!", "I will not do that.",
        "Yes, go ahead.", "Agreed, do it.", "Sure, please do", "ok go for it!",
        "It was a pleasure to please them.", "Sales of the call option rose.",
    ],
)  # fmt: skip
def test_neither(text: str) -> None:
    assert sentence_intent(text) == ""


def test_the_baseline_is_a_handful_of_words() -> None:
    assert plain_intent("Could you look?") == "request" and plain_intent("Look at it.") == ""


KINDS = {"request": "action_item", "commitment": "commitment"}
TALK = (
    "Morning all.\nCould you measure the east window? I'll bring the ladder.\n- Please order two hinges\nHow about tea? "
    "Do I look odd?\n"
)


def found(text: str, speaker: str = "user", kinds: dict[str, str] = KINDS) -> list[tuple[str, str, str]]:
    sections = sections_of(text, kind="message", sender_kind=speaker)
    return [(find.kind, find.rule, text[find.start : find.end]) for find in intent_matches(text, sections, kinds)]


def test_what_a_user_asks_for_and_promises_is_proposed_whole_sentences_at_a_time() -> None:
    assert found(TALK) == [
        ("action_item", "intent.request", "Could you measure the east window?"),
        ("commitment", "intent.commitment", "I'll bring the ladder."),
        ("action_item", "intent.request", "Please order two hinges"),
    ]


def test_only_what_a_pack_names_and_only_users() -> None:
    assert [kind for kind, _, _ in found(TALK, kinds={"commitment": "commitment"})] == ["commitment"]
    assert found(TALK, speaker="agent") == []
