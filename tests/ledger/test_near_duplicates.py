"""Proposals that say the same in other words, how new a proposal is, and what a scope has room for (C5, C6, P13)."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.actions.decide import archive, reject
from ledger.actions.edit import edit
from ledger.actions.load_pack import load_pack
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, novelty_of, propose_all
from ledger.actions.purge import purge
from ledger.actions.run import ExtractorVersion, queue_runs
from ledger.actions.scope import update_scope
from ledger.actions.undo import undo
from ledger.models import Claim, Evidence, JournalEvent, Run, Scope
from ledger.reads.packs import packs_of
from tests.people import People, candidate, make_scope, quote_of, say, tell

PACK = b"""
[pack]
name = "small"
version = "1"

[budgets.project]
fact = 3
"""


def run_in(lab: Scope, people: People) -> Run:
    source = tell(lab, people.alice, "what was read")
    return queue_runs([source], scope=lab, actor=people.alice, extractors=[ExtractorVersion("rules", "1")])[0]


def drafts(lab: Scope, people: People, *statements: str, by: str = "user", **more: object) -> list[Draft]:
    return [
        Draft(kind="fact", statement=words, quotes=(quote_of(tell(lab, people.alice, words, by=by)),), **more)  # type: ignore[arg-type]
        for words in statements
    ]


def test_the_same_in_other_words_joins_what_waits_or_holds(lab: Scope, people: People) -> None:
    known = candidate(lab, people.bob, "We use PostgreSQL for storage")
    again = say(lab, people.bob, "PostgreSQL will be used for the storage.")
    assert (again.fate, again.claim) == ("duplicate", known) and "nearly" in again.why
    known.refresh_from_db()
    assert known.seen_count == 2 and known.evidence.count() == 2 and known.statement == "We use PostgreSQL for storage"
    promote(known, actor=people.bob)
    assert say(lab, people.bob, "For storage we use PostgreSQL").fate == "duplicate"
    for other in (
        "We use PostgreSQL 16 for storage",
        "We don't use PostgreSQL for storage",
        "We use MySQL for storage",
    ):
        assert say(lab, people.bob, other).fate == "written", other
    archive(known, actor=people.bob)
    assert say(lab, people.bob, "Use PostgreSQL for storage!").fate == "written"


def test_a_no_counts_for_other_words_too(lab: Scope, people: People) -> None:
    no = candidate(lab, people.bob, "We will sell the yard")
    reject(no, actor=people.bob)
    again = say(lab, people.bob, "We decided to sell the yard")
    assert (again.fate, again.claim) == ("rejected", no) and "nearly" in again.why and no.ref in again.why
    assert say(lab, people.bob, "We decided not to sell the yard").fate == "written"


def test_other_scopes_kinds_and_people_are_not_met(lab: Scope, people: People) -> None:
    first = candidate(lab, people.bob, "The gate stays open", assignee="Ana")
    assert say(lab, people.bob, "Gate stays open", assignee="Ben").fate == "written"
    assert say(lab, people.bob, "Gate stays open", kind="preference", assignee="Ana").fate == "written"
    assert say(lab, people.bob, "Gate stays open.", assignee="ana").claim == first


def test_one_pass_writes_what_it_says_twice_once(lab: Scope, people: People) -> None:
    run = run_in(lab, people)
    said = drafts(lab, people, "The tide table is final", "Tide table is final!", "The tide table is not final")
    answers = propose_all(said, scope=lab, actor=people.machine, run=run, in_pass=True)
    assert [answer.fate for answer in answers] == ["written", "duplicate", "written"]
    assert answers[1].claim == answers[0].claim and Evidence.objects.filter(claim=answers[0].claim).count() == 2


def test_an_edit_moves_where_a_claim_is_found_and_undo_moves_it_back(lab: Scope, people: People) -> None:
    claim = candidate(lab, people.bob, "The mast weighs four kilos")
    event = edit(claim, actor=people.bob, changes={"statement": "The mast weighs five kilos"})
    assert say(lab, people.bob, "Mast weighs 5 kg").claim == claim
    undo(event, actor=people.bob)
    assert say(lab, people.bob, "Mast weighs 4 kg").claim == claim
    assert say(lab, people.bob, "Mast weighs 5 kg").fate == "written"


def test_a_purge_takes_the_hashes_along(lab: Scope, people: People) -> None:
    source = tell(lab, people.bob, "The vault code is written on the wall")
    claim = say(lab, people.bob, "The vault code is written on the wall", told=source).claim
    assert claim is not None and claim.near
    purge(source, actor=people.alice, reason="private")
    claim.refresh_from_db()
    assert claim.statement == "" and claim.near == []
    assert say(lab, people.bob, "Vault code is written on the wall").fate == "written"


def test_novelty_orders_and_is_told(lab: Scope, people: People) -> None:
    known = candidate(lab, people.bob, "Users upload images to the bucket", confidence=0.6)
    more, new, same = drafts(
        lab, people, "Users upload large images to the bucket", "Nobody else does it", "users upload images to the bucket"
    )  # fmt: skip
    told = novelty_of([more, new, same], lab, packs_of(lab))
    assert told[0].share == pytest.approx(1 / 6, abs=0.01) and told[1].share == 1.0 and told[2].twin == known
    answers = propose_all([more], scope=lab, actor=people.machine)
    assert answers[0].fate == "written" and answers[0].claim is not None
    assert answers[0].claim.rank < known.rank


def test_a_pack_may_take_less_for_the_same(lab: Scope, people: People) -> None:
    known = candidate(lab, people.bob, "Users upload images to the bucket")
    load_pack(b'[pack]\nname = "blunt"\nversion = "1"\n[novelty]\nlikeness = 0.8\n', file="blunt.toml")
    update_scope(lab, actor=people.alice, changes={"packs": ["blunt"]})
    lab.refresh_from_db()
    assert say(lab, people.bob, "Users upload large images to the bucket").claim == known
    assert say(lab, people.bob, "Users upload large images to no bucket").fate == "written"


def test_a_scope_has_room_for_so_many_of_a_kind(lab: Scope, people: People) -> None:
    load_pack(PACK, file="small.toml")
    update_scope(lab, actor=people.alice, changes={"packs": ["small"]})
    lab.refresh_from_db()
    run = run_in(lab, people)
    weak = drafts(
        lab, people, "Barnacles grow on it", "The rope is made of hemp", "It floats", inferred=True, confidence=0.5
    )
    strong = drafts(lab, people, "The keel is made of lead and oak", inferred=True, confidence=0.6)
    labelled = drafts(lab, people, "It was built in Norway", "It sank in a storm")
    answers = propose_all([*weak, *labelled, *strong], scope=lab, actor=people.machine, run=run, in_pass=True)
    assert [answer.fate for answer in answers] == ["over_budget"] * 3 + ["written"] * 3
    assert answers[0].why == "the budget of 3 fact claims for a project is full"
    assert (
        propose_all(drafts(lab, people, "It was raised"), scope=lab, actor=people.machine, run=run, in_pass=True)[
            0
        ].fate
        == "written"
    )


def test_an_agent_that_repeats_what_holds_adds_nothing(lab: Scope, people: People) -> None:
    held = candidate(lab, people.bob, "The mast is made of spruce")
    promote(held, actor=people.bob)
    waiting = candidate(lab, people.bob, "The sail is red")
    item = make_scope("lab/boat", tier="item", parent=lab)
    before = (Evidence.objects.count(), JournalEvent.objects.count())
    for scope in (lab, item):
        run = queue_runs(
            [tell(scope, people.alice, f"log of {scope.path}")], scope=scope, actor=people.alice,
            extractors=[ExtractorVersion("rules", "1")],
        )[0]  # fmt: skip
        said = drafts(scope, people, "the mast is made of SPRUCE", "Mast is made of spruce.", by="agent")
        before = (Evidence.objects.count(), Claim.objects.count())
        answers = propose_all(said, scope=scope, actor=people.machine, run=run, in_pass=True)
        assert [answer.fate for answer in answers] == ["echo", "echo"] and held.ref in answers[0].why
        assert (Evidence.objects.count(), Claim.objects.count()) == before
    run = run_in(lab, people)
    assert (
        propose_all(
            drafts(lab, people, "the sail is red", by="agent"), scope=lab, actor=people.machine, run=run, in_pass=True
        )[0].claim
        == waiting
    )
    assert (
        propose_all(
            drafts(lab, people, "Mast is made of spruce!"), scope=lab, actor=people.machine, run=run, in_pass=True
        )[0].fate
        == "duplicate"
    )


@contextmanager
def counted() -> Iterator[CaptureQueriesContext]:
    with CaptureQueriesContext(connection) as queries:
        yield queries


def test_a_pass_takes_a_fixed_number_of_statements(lab: Scope, people: People) -> None:
    run = run_in(lab, people)
    candidate(lab, people.bob, "Something to meet in here")
    figures = []
    for size in (5, 60):
        said = drafts(lab, people, *(f"Crate {size} number {n} stands in the north hall" for n in range(size)))
        said += drafts(lab, people, "something to meet in the here")
        with counted() as queries:
            propose_all(said, scope=lab, actor=people.machine, run=run, in_pass=True)
        figures.append(len(queries))
    assert figures[0] == figures[1], figures


def test_the_migration_gives_the_claims_there_are_their_hashes(lab: Scope, people: People) -> None:
    claims = [
        candidate(lab, people.bob, "We use PostgreSQL for storage", assignee="Ana"),
        candidate(
            lab, people.bob, "Soccer at five", kind="event", value={"title": "Soccer", "start": "2026-05-08T17:00:00Z"}
        ),
        candidate(lab, people.bob, "max weight is 5 kg", key="max-weight", value={"number": 5, "unit": "kg"}),
    ]
    before = list(Claim.objects.order_by("id").values_list("near", "dedup"))
    for claim in claims:
        Claim.objects.filter(pk=claim.pk).update(near=[], dedup=f"old {claim.pk}")
    migration = importlib.import_module("ledger.migrations.0006_nearness")
    migration.fill(None, SimpleNamespace(connection=connection))
    after = list(Claim.objects.order_by("id").values_list("near", "dedup"))
    assert [near for near, _ in after] == [near for near, _ in before]
    # The third keeps its key: a value on a slot was always told by its value.
    assert [dedup for _, dedup in after] == [before[0][1], before[1][1], f"old {claims[2].pk}"]
