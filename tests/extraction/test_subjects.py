"""What each claim of a text is about: the headings above it, or who speaks of itself; and one claim where both say the same."""

from dataclasses import replace

import pytest

from extraction.extractors.registry import for_scope
from extraction.runs import consolidate
from extraction.runs.pipeline import work_off
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.promote import promote
from ledger.actions.run import request_run
from ledger.actions.scope import create_scope
from ledger.actor import operator
from ledger.models import Claim, Conflict, Run, Scope
from ledger.projections.export import export
from ledger.projections.mirror import mirror
from ledger.recall.check import check
from ledger.recall.context import build_context
from ledger.recall.matches import ContextOptions
from ledger.rules.permissions import Access, Right
from ledger.rules.reconcile import ComparedClaim, cannot_both_hold

pytestmark = pytest.mark.django_db(transaction=True)
PERSON = operator("Ada")
PUMPS = "# Pump house\n\n## Pump 1\n\nmax load: 300 kg\n\n## Pump 2\n\nmax load: 450 kg\n"


@pytest.fixture
def yard(db: None) -> Scope:
    return create_scope("yard", tier="project", packs=["engineering", "agent"], actor=PERSON)


def send(yard: Scope, text: str, **more: str) -> list[tuple[str, str]]:
    """(subject, statement) of every claim there is, in their order, once the text is read."""
    ingest([Incoming(text=text, **more)], scope=yard, actor=PERSON, extractors=for_scope(yard))  # type: ignore[arg-type]
    work_off()
    return list(Claim.objects.order_by("id").values_list("subject", "statement"))


def test_equal_words_under_two_headings_are_two(yard: Scope) -> None:
    found = send(
        yard, "## Hall\n\nDecision: closed in winter.\n\n## Yard\n\nDecision: closed in winter.\n", kind="document"
    )
    assert found == [("Hall", "closed in winter."), ("Yard", "closed in winter.")]
    found = send(
        yard, "## Door\n\nDecision: we use oak planks.\n\n## Gate\n\nDecision: we use oak planks.\n", kind="document"
    )
    assert found[2:] == [("Door", "we use oak planks."), ("Gate", "we use oak planks.")]


def test_a_value_is_of_the_thing_in_its_heading_and_shows_it(yard: Scope) -> None:
    assert [subject for subject, _ in send(yard, PUMPS, kind="document")] == ["Pump 1", "Pump 2"]
    for claim in Claim.objects.order_by("id"):
        promote(claim, actor=PERSON)
    assert not Conflict.objects.exists()
    assert "Pump 2: max load: 450 kg" in build_context("yard", actor=PERSON, query="pump 2").markdown
    everything = Access(everywhere=frozenset({Right.READ}))
    assert "Pump 1: max load: 300 kg" in mirror(yard, everything)
    assert b'"subject":"Pump 1"' in b"".join(export(yard, everything, format="jsonl"))


def test_what_stands_below_a_heading_is_checked_against_what_is_said_of_that_alone(yard: Scope) -> None:
    send(yard, PUMPS, kind="document")
    for claim in Claim.objects.order_by("id"):
        promote(claim, actor=PERSON)
    first, second = Claim.objects.order_by("id")
    read = Access(everywhere=frozenset({Right.READ}))
    (row,) = check("Pump 1: max load: 350 kg", scope="yard", access=read).contradicts
    assert row.ref == first.ref and row.statement == "Pump 1: max load: 300 kg"
    said = check("Pump 2: max load: 450 kg", scope="yard", access=read)
    assert said.contradicts == [] and [row.ref for row in said.allowed_by] == [second.ref]
    assert check("Pump 3: max load: 200 kg", scope="yard", access=read).contradicts == []
    assert len(check("max load: 350 kg", scope="yard", access=read).contradicts) == 2


def test_what_names_another_thing_in_its_own_words_contradicts_nothing_below_a_heading() -> None:
    below = ComparedClaim("A", "must be painted white", None, "", kind="decision", subject="Hall B", comparable=True)
    own = replace(below, ref="B", statement="Hall C must not be painted white", subject="")
    assert not cannot_both_hold(below, own) and not cannot_both_hold(own, below)
    assert cannot_both_hold(below, replace(own, statement="Hall B must not be painted white"))


def test_what_says_it_all_by_itself_is_one_in_two_minutes(yard: Scope) -> None:
    send(yard, "# Board, 2 March\n\n## Budget\n\nDecision: we sell the old van in May.\n", kind="document")
    assert (
        len(
            send(yard, "# Board, 9 March\n\n## Decisions\n\n- Decision: we sell the old van in May.\n", kind="document")
        )
        == 1
    )
    assert len(send(yard, "Decision: we sell the old van in May.", kind="note")) == 1


def test_a_first_person_is_its_sender(yard: Scope) -> None:
    for sender in ("Ida", "Joe", "Ida"):
        found = send(yard, "I am a beekeeper.", kind="message", sender=sender, sender_kind="user")
    assert found == [("Ida", "I am a beekeeper."), ("Joe", "I am a beekeeper.")]
    pending = build_context(
        "yard", actor=PERSON, query="beekeeper", options=ContextOptions(include_pending=True)
    ).markdown
    assert "Ida: I am a beekeeper." in pending and "Joe: I am a beekeeper." in pending


def test_reading_again_gives_the_same_even_what_was_found_without_a_subject(
    yard: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(consolidate, "subjects_of", lambda hits, reading: [""] * len(hits))
        before = send(yard, PUMPS, kind="document")
    assert {subject for subject, _ in before} == {""}
    run = Run.objects.get(extractor="rules")
    for _ in range(2):
        request_run(run.source, actor=PERSON, extractors=for_scope(yard), forced=True)
        work_off()
    assert list(Claim.objects.order_by("id").values_list("subject", "statement")) == before
