"""Corrections in many wordings, and what only looks like one (D4)."""

import tomllib

import pytest

from extraction.extractors.discussions import Triggers, shipped
from extraction.extractors.discussions.corrections import Correction, corrections_of
from extraction.extractors.discussions.plain import sentences_of
from ledger.packs import SHIPPED
from tests.extraction.extractors.discussions.talk import last


def corrections(text: str, *, towards: str = "agent", question: bool = False) -> list[Correction]:
    sentences = sentences_of(text, spelling=shipped().spelling)
    found = corrections_of(sentences, text, shipped(), towards=towards, answers_question=question)
    for one in found:
        assert text[one.start : one.end].strip() == text[one.start : one.end] != ""
    return found


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("No, that's wrong. The results go into the card.", "The results go into the card."),
        ("That is not correct, the deadline is Friday.", "The deadline is Friday"),
        ("You need to create the task before you start.", "You need to create the task before you start"),
        ("Why did you not create a card first?", "Create a card first"),
        ("Why didn’t you run the linter?", "Run the linter"),
        ("I told you to keep the results out of the chat.", "Keep the results out of the chat"),
        ("I told you never to push to main!", "Do not push to main"),
        ("i've already told you: no secrets in the repo", "No secrets in the repo"),
        ("no thats worng, it shoud be 5 kg", "It shoud be 5 kg"),
        ("nooo, wrong. Use the staging database", "Use the staging database"),
        ("actually it should be the blue one", "It should be the blue one"),
        ("Stop posting results in the chat!", "Stop posting results in the chat"),
        ("How many times do I have to tell you to run the tests?", "Run the tests"),
        ("That isn't what I asked for. I asked for a summary, not a list.", "A summary, not a list"),
        ("You forgot to add the tests.", "Add the tests"),
        ("You were supposed to ask me before deleting anything.", "Ask me before deleting anything"),
        ("You're not supposed to merge on Fridays", "Do not merge on Fridays"),
        ("This should have gone to the task card.", "This should have gone to the task card"),
        ("Please don't post minutes in the chat.", "Please don't post minutes in the chat"),
        ("From now on, put every decision in the log.", "From now on, put every decision in the log"),
        ("I said Tuesday, not Thursday.", "Tuesday, not Thursday"),
        ("You got the numbers wrong, it's 40 not 14.", "It's 40 not 14"),
        ("I don't think that's right. The limit is 200 MB.", "The limit is 200 MB"),
        ("Correction: the meeting is at 10.", "The meeting is at 10"),
        ("That's the wrong branch, it belongs on develop.", "It belongs on develop"),
        ("Eso no es correcto, la fecha es el viernes.", "La fecha es el viernes"),
        ("Te dije que no uses la base de producción", "No uses la base de producción"),
        ("Nein, das ist falsch. Die Frist ist am Freitag.", "Die Frist ist am Freitag."),
        ("Ich habe dir doch gesagt, dass alles in die Karte gehört", "Alles in die Karte gehört"),
        ("Das stimmt so nicht, wir nehmen Postgres.", "Wir nehmen Postgres"),
    ],
)
def test_what_shall_hold_instead(text: str, statement: str) -> None:
    (found, *_) = corrections(text)
    assert found.statement == statement.rstrip(".")


@pytest.mark.parametrize(
    "text",
    ["No, that's wrong", "that is not correct", "Wrong.", "You put it in the wrong folder", "das ist falsch!", "te equivocas"],
)  # fmt: skip
def test_a_bare_no_says_nothing_by_itself(text: str) -> None:
    (found,) = corrections(text)
    assert found.statement == ""


@pytest.mark.parametrize(
    "text",
    [
        "You don't need to change anything.",
        'He said "no, that\'s wrong" yesterday.',
        "“No, that’s wrong”",
        "> You need to create the task",
        "If that's wrong tell me.",
        "Let me know if this is wrong.",
        "was that wrong?",
        "Is that not correct?",
        "That's wrong, isn't it?",
        "`No, that's wrong` is what the log prints",
        "```\nNo, that's wrong. Use the card.\n```",
        "He said that's wrong.",
        "The docs say you need to set the flag.",
        "Do I need to do anything?",
        "Nothing wrong with that.",
        "That's not wrong.",
        "What's wrong with the build?",
        "I told you so!",
        "I told you about my trip.",
        "Why not use Postgres?",
        "Why did you choose Postgres?",
        "If you need to restart, press the button.",
        "All you need to do is press start.",
        "To reset the router, you need to hold the button.",
        "I don't think that's wrong.",
        "Don't worry about it.",
        "Something went wrong",
        "It should be fine.",
        "You should see this movie!",
        "I was told that's not allowed",
        "Not sure whether that is wrong",
        "Can't go wrong with that",
        "That's not bad at all",
        "ERROR: wrong number of arguments (given 1, expected 2)",
        "1. What is the limit?\n2. Who needs to sign?\n3. Is that correct?",
        "Thanks, that's exactly what I needed.",
        "Triggers are phrases like: you need to, I told you",
        "Ich bin nicht sicher, ob das falsch ist",
        "Si eso está mal, dímelo",
    ],
)
def test_what_only_looks_like_a_correction(text: str) -> None:
    assert corrections(text) == []


def test_a_pack_of_ones_own_adds_a_trigger() -> None:
    shipped_pack = tomllib.loads((SHIPPED / "discussion.toml").read_text(encoding="utf-8"))
    row = {"id": "house", "sense": "correction", "confidence": 0.8, "says": "Do not {rule}"}
    row["pattern"] = r"<lead>we never (?P<rule>.+) around here"
    triggers = Triggers.from_packs([shipped_pack, {"discussion": {"triggers": [row]}}])
    text = "Bot, we never push on Fridays around here!"
    (found,) = corrections_of(sentences_of(text), text, triggers, towards="agent")
    assert found.statement == "Do not push on Fridays"


@pytest.mark.parametrize("text", ["You need to install the driver package", "You should use the other cable"])
def test_people_advise_each_other_without_correcting(text: str) -> None:
    assert corrections(text, towards="user") == []
    assert corrections(text, question=True) == []
    assert corrections(text, towards="agent")


def test_a_bare_no_is_about_what_was_said_before() -> None:
    found = last("bot: The deadline is Monday.", "Nadia: That is not correct")
    (hit,) = found.hits
    assert hit.statement == "Not so: “The deadline is Monday.”" and hit.needs_review and hit.kind == "constraint"
    assert [span.stance for span in hit.spans] == ["supports", "context"]


def test_only_a_users_words_correct() -> None:
    assert not last("Nadia: The deadline is Monday.", "bot: No, that's wrong. It is Friday.").hits


def test_what_its_author_labelled_is_left_to_the_rules() -> None:
    found = last("bot: Done.", "Nadia: Constraint: You need to open a card first")
    assert not found.hits


def test_what_was_only_a_joke_corrects_nothing() -> None:
    text = "That is wrong. Just kidding, it is fine."
    assert corrections_of(sentences_of(text), text, shipped()) == []


@pytest.mark.parametrize(
    "later",
    [
        "Correction: the truck, not the van.", "Never mind my last message.", "Please ignore my previous post, wrong thread.",
        "We need to reverse this decision.", "The decision about the van got overturned.", "The board vetoed this.",
        "That van is out of the question.", "We are scrapping the van.", "nvm, no van", "Doch kein van.", "Vergesst das.",
        "Wir ziehen das zurück.", "Mejor no.", "Me retracto.", "Olvidad eso.", "Laisse tomber ça.", "Je me rétracte.",
        "Volto atrás.", "Ignorem isso.", "Lascia perdere questo.", "Vergeet dat.", "撤回",
    ],
)  # fmt: skip
def test_what_a_later_message_takes_back_is_flagged(later: str) -> None:
    marks = last("Ann: Decision: rent the van.", f"Ann: {later}").marks
    assert {(mark.verb, mark.source_id) for mark in marks} == {("flag", 1)}


@pytest.mark.parametrize(
    "later",
    [
        "No problem, I fetch the van.", "The meeting is cancelled.", "I forgot my keys.", "Is the van not too small?",
        "We won't be at the party.", "The van is not far.", "I never drove one.",
    ],
)  # fmt: skip
def test_who_takes_nothing_back_flags_nothing(later: str) -> None:
    assert not last("Ann: Decision: rent the van.", f"Ann: {later}").marks


def test_a_retraction_goes_to_what_it_answers_or_to_ones_own_words() -> None:
    lines = ["Ann: Decision: rent the van.", "Bob: Decision: the hall is closed on Mondays.", "Ann: Scratch that."]
    assert [mark.source_id for mark in last(*lines).marks] == [2]
    assert [mark.source_id for mark in last(*lines, replies={2: 0}).marks] == [1]
    assert [mark.source_id for mark in last(*lines[:2], "Ann: I take that back.").marks] == [1]
