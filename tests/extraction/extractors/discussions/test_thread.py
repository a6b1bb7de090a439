"""A thread in the ledger: what each message leaves behind, in whatever portions it comes (D4 to D9, law 8)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from extraction.extractors.registry import for_scope
from extraction.runs.pipeline import work_off
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.promote import promote
from ledger.actions.purge import purge
from ledger.actions.run import request_runs
from ledger.actions.scope import create_scope
from ledger.actions.undo import undo
from ledger.actor import operator
from ledger.models import Claim, Evidence, JournalEvent, Pattern, Run, Scope, Source

pytestmark = pytest.mark.django_db(transaction=True)
PERSON = operator("Ada")
START = datetime(2026, 3, 2, 9, tzinfo=UTC)

TALK = [
    ("bot", "I posted the minutes in the chat, as everybody reads it."),
    ("Nadia", "No, that's wrong. All minutes go into the card."),
    ("bot", "Understood. Shall I move the old minutes to the card as well?"),
    ("Nadia", "Yes, please do"),
    ("Piet", "Decision: The card is closed by whoever opened it"),
    ("bot", "ThreadPattern."),
    ("Nadia", "Agreed"),
    ("Piet", "Where do I find the deploy key?"),
    ("Nadia", "In the vault."),
    ("Oleg", "Where is the deploy key?"),
    ("Oleg", "Decision: The card is never closed by whoever opened it"),
]


@pytest.fixture
def board(db: None) -> Scope:
    return create_scope("board", tier="project", packs=["discussion"], actor=PERSON)


def said(talk: Sequence[tuple[str, str]], start: int = 0) -> list[Incoming]:
    return [
        Incoming(
            text=text, kind="message", sender=who, sender_kind="agent" if who == "bot" else "user",
            conversation="T1", external_id=f"m{at}", sent_at=START + timedelta(minutes=at),
        )
        for at, (who, text) in enumerate(talk, start)
    ]  # fmt: skip


def send(scope: Scope, items: list[Incoming]) -> list[Source]:
    return [one.source for one in ingest(items, scope=scope, actor=PERSON, extractors=for_scope(scope))]


def one_by_one(scope: Scope, talk: Sequence[tuple[str, str]]) -> None:
    for item in said(talk):
        send(scope, [item])
        work_off()


def picture(scope: Scope) -> tuple[list[object], list[object]]:
    """Claims with evidence and patterns with messages, without ids and refs."""
    claims = [
        (
            claim.kind_id, claim.statement, claim.status, claim.confidence_word, claim.needs_review, claim.rule,
            sorted((e.source.external_id, e.start, e.end, e.stance) for e in claim.evidence.select_related("source")),
        )
        for claim in Claim.objects.filter(scope=scope)
    ]  # fmt: skip
    patterns = [
        (
            row.type, row.description, [s.external_id for s in row.sources.order_by("position")],
            row.claim.statement if row.claim else None,
        )
        for row in Pattern.objects.filter(scope=scope).select_related("claim")
    ]  # fmt: skip
    return sorted(map(repr, claims)), sorted(map(repr, patterns))


def claim(words: str) -> Claim:
    return Claim.objects.get(statement__contains=words)


def test_message_by_message_or_together_or_read_again_it_is_the_same(board: Scope) -> None:
    other = create_scope("other", tier="project", packs=["discussion"], actor=PERSON)
    one_by_one(board, TALK)
    send(other, said(TALK))
    work_off()
    assert not Run.objects.exclude(status="succeeded").exists(), list(Run.objects.values_list("error", flat=True))
    first = picture(board)
    assert first == picture(other)
    sources = list(Source.objects.filter(scope=board).order_by("position"))
    request_runs(list(reversed(sources)), scope=board, actor=PERSON, extractors=for_scope(board), forced=True)
    work_off()
    assert picture(board) == first
    types = sorted(Pattern.objects.filter(scope=board).values_list("type", flat=True))
    assert types == ["confirmation", "confirmation", "contradiction", "correction", "repeated_question"]


def test_a_correction_becomes_a_constraint_on_the_words_of_who_corrects(board: Scope) -> None:
    one_by_one(board, TALK[:2])
    found = claim("All minutes go into the card")
    assert (found.kind_id, found.status, found.ref[:4]) == ("constraint", "pending", "DEC-")
    words = {(e.quote, e.speaker, e.stance) for e in found.evidence.all()}
    assert ("All minutes go into the card.", "user", "supports") in words
    assert ("No, that's wrong.", "user", "supports") in words
    pattern = Pattern.objects.get()
    assert pattern.claim == found and pattern.ref.startswith("PAT-") and pattern.auto_detected
    assert pattern.sources.count() == 2


def test_a_yes_makes_an_agents_proposal_a_norm_whose_anchor_it_is(board: Scope) -> None:
    one_by_one(board, TALK[:4])
    found = claim("Move the old minutes")
    assert (found.kind_id, found.confidence_word, found.status) == ("decision", "high", "pending")
    by = {e.stance: (e.speaker, e.quote) for e in found.evidence.all()}
    assert by["supports"] == ("user", "Yes, please do")
    assert by["context"][0] == "agent"
    assert promote(found, actor=PERSON)


def test_without_a_yes_or_with_a_no_an_agents_words_stay_words(board: Scope) -> None:
    one_by_one(board, [TALK[2], ("Nadia", "No, leave them.")])
    assert not Claim.objects.exists() and not Pattern.objects.filter(type="confirmation").exists()


def test_a_confirmation_marks_the_decision_before_it_and_can_be_undone(board: Scope) -> None:
    one_by_one(board, TALK[:7])
    found = claim("closed by whoever opened it")
    assert found.confidence_word == "high"
    assert found.evidence.filter(quote="Agreed", stance="context").exists()
    event = JournalEvent.objects.get(verb="confirm", ref=found.ref)
    assert event.actor_kind == "system" and event.reason.startswith("Nadia confirmed it")
    assert Pattern.objects.get(type="confirmation", claim=found)
    undo(event, actor=PERSON)
    found.refresh_from_db()
    assert found.confidence_word == "" and found.status == "pending"
    sources = list(Source.objects.order_by("position"))
    request_runs(sources, scope=board, actor=PERSON, extractors=for_scope(board), forced=True)
    work_off()
    found.refresh_from_db()
    assert found.confidence_word == "", "an undone confirmation stays undone"


def test_a_confirmation_reaches_what_was_promoted_already(board: Scope) -> None:
    one_by_one(board, TALK[4:5])
    promote(claim("closed by whoever"), actor=PERSON)
    send(board, said([("Nadia", "Approved")], start=5))
    work_off()
    found = claim("closed by whoever")
    assert found.confidence_word == "high" and found.status == "active"


def test_contradicting_conclusions_are_both_flagged(board: Scope) -> None:
    one_by_one(board, TALK)
    assert list(
        Claim.objects.filter(statement__contains="closed by whoever").values_list("needs_review", flat=True)
    ) == [True, True]
    event = JournalEvent.objects.filter(verb="flag").latest("id")
    undo(event, actor=PERSON)
    assert not Claim.objects.get(ref=event.ref).needs_review


def test_an_objection_flags_what_it_is_about(board: Scope) -> None:
    one_by_one(board, [TALK[4], ("Nadia", "No, I don't agree.")])
    found = claim("closed by whoever")
    assert found.needs_review and found.evidence.filter(stance="opposes", quote="No, I don't agree.").exists()


@pytest.mark.parametrize("proposer", ["bot", "Piet"])
def test_an_objection_takes_a_confirmation_back(board: Scope, proposer: str) -> None:
    talk = [
        (proposer, "Shall we drop the old index?"),
        ("Nadia", "Yes"),
        ("Oleg", "No, wait, that breaks the import"),
    ]
    one_by_one(board, talk[:2])
    found = claim("old index")
    assert (found.confidence_word, found.needs_review) == ("high", False)
    send(board, said(talk[2:], start=2))
    work_off()
    found.refresh_from_db()
    assert (found.confidence_word, found.needs_review, found.status) == ("", True, "pending")
    assert found.evidence.filter(stance="opposes", source__sender="Oleg").exists()
    sources = list(Source.objects.order_by("position"))
    request_runs(sources, scope=board, actor=PERSON, extractors=for_scope(board), forced=True)
    work_off()
    found.refresh_from_db()
    assert (found.confidence_word, found.needs_review) == ("", True), "the yes was taken back once"
    undo(JournalEvent.objects.get(verb="flag", ref=found.ref), actor=PERSON)
    found.refresh_from_db()
    assert (found.confidence_word, found.needs_review) == ("high", False)


def test_an_objection_to_what_a_person_promoted_leaves_its_word(board: Scope) -> None:
    one_by_one(board, [("Piet", "Shall we drop the old index?"), ("Nadia", "Yes")])
    promote(claim("old index"), actor=PERSON)
    send(board, said([("Oleg", "No, wait, that breaks the import")], start=2))
    work_off()
    found = claim("old index")
    assert (found.confidence_word, found.needs_review, found.status) == ("high", True, "active")


def test_our_own_context_pack_comes_back_as_nothing(board: Scope) -> None:
    pack = "- You need to close the card first. [DEC-20260130-001 source 3:10-42]\n- Shall I? [source 3:1-2]"
    one_by_one(board, [("bot", pack), ("Nadia", pack), ("bot", pack), ("Nadia", "ok")])
    assert not Claim.objects.exists() and not Pattern.objects.exists()


def test_who_has_no_name_is_not_taken_for_the_same_person(board: Scope) -> None:
    for at, text in enumerate(
        ["Decision: Use uv for the build", "Approved", "You need to run the linter before a push."]
    ):
        item = Incoming(text=text, kind="message", sender_kind="user", conversation="T9", external_id=f"n{at}")
        send(board, [item])
        work_off()
    assert claim("Use uv").confidence_word == "high"
    assert Claim.objects.get(statement__contains="run the linter", kind="constraint").rule == "discussion.must"
    assert sorted(Pattern.objects.values_list("type", flat=True)) == ["confirmation", "correction"]


def test_a_purge_takes_the_words_and_leaves_what_others_said(board: Scope) -> None:
    one_by_one(board, TALK)
    by = {source.external_id: source for source in Source.objects.all()}
    confirmed, proposed = claim("is closed by whoever"), claim("Move the old minutes")
    purge(by["m6"], actor=PERSON, reason="asked")
    confirmed.refresh_from_db()
    assert confirmed.statement and confirmed.confidence_word == "high", "the yes is gone, what it was said to is not"
    purge(by["m2"], actor=PERSON, reason="asked")
    proposed.refresh_from_db()
    assert proposed.statement == "", "what the agent proposed was said there only"
    purge(by["m4"], actor=PERSON, reason="asked")
    confirmed.refresh_from_db()
    assert confirmed.statement == ""
    kept = [
        *JournalEvent.objects.values_list("reason", flat=True),
        *Claim.objects.values_list("summary", "tags", "statement"),
        *Pattern.objects.values_list("description", flat=True),
    ]
    for words in ("is closed by whoever", "Agreed", "Shall I move", "Move the old"):
        assert words not in repr(kept), words


def test_every_quote_is_true(board: Scope) -> None:
    one_by_one(
        board,
        [
            *TALK,
            ("bot", "🚀🚀 I'll write “Ärger” \r\ninto the card"),
            ("Nadia", "👍"),
            ("Oleg", "thats worng — put it on top"),
        ],
    )
    for words in Evidence.objects.select_related("source"):
        assert words.source.text[words.start : words.end] == words.quote


@pytest.mark.parametrize(
    "later",
    ["Scratch that.", "I take that back.", "We decided against the blue door in the end.", "Ich nehme das zurück."],
)
def test_what_takes_a_decision_back_flags_it(board: Scope, later: str) -> None:
    one_by_one(board, [("Piet", "Decision: Buy the blue door"), ("Nadia", "The hall is cold today."), ("Piet", later)])
    claim = Claim.objects.get(kind="decision")
    assert claim.needs_review
    assert [one.quote for one in claim.evidence.filter(stance="opposes")] == [later]
