"""The queue's own order: what is contradicted and what is risky first, one source after the other, floods behind their best."""

import datetime as dt

from django.db import connection
from django.utils import timezone

from ledger.actions.curate import curate, retract
from ledger.actions.decide import archive, defer, reject, reopen, wake
from ledger.actions.edit import edit
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose_all
from ledger.actions.tally import tally
from ledger.actions.undo import undo
from ledger.models import Claim, Tally
from ledger.reads.queue.backlog import backlog, snoozed
from ledger.reads.queue.listing import ClaimFilter, claims_page
from ledger.reads.queue.related import clusters
from ledger.rules.ranking import crowded
from tests.aged import make_old
from tests.people import People, candidate, make_scope, quote_of, tell


def listed(people: People, *, collapse: bool = False, limit: int = 3) -> list[str]:
    """The statements in the queue's own order, read page by page."""
    found, cursor = [], None
    while True:
        page = claims_page(
            people.alice.access, ClaimFilter(uncrowded=collapse), order="best", descend=True, limit=limit, cursor=cursor
        )  # fmt: skip
        found += [claim.statement for claim in page.items]
        cursor = page.next
        if cursor is None:
            return found


def flood(people: People, title: str, count: int, *, confidence: float = 0.3) -> list[Claim]:
    """One source of many weak lines of one rule."""
    lines = [f"{title} shelf {n} may hold paint" for n in range(count)]
    source = tell(people.scope, people.bob, "\n".join(lines), by="document")
    drafts = [
        Draft(kind="fact", statement=line, quotes=(quote_of(source, line),), confidence=confidence, rule="maybe.holds")
        for line in lines
    ]
    return [a.claim for a in propose_all(drafts, scope=people.scope, actor=people.bob) if a.claim]


def test_conflict_then_risk_then_rank_and_one_source_together(people: People) -> None:
    scope, bob = people.scope, people.bob
    promote(candidate(scope, bob, "The mast weighs 4 kg", key="mast", value=4), actor=bob)
    weak = candidate(scope, bob, "Perhaps the sail is blue", confidence=0.1)
    first, second = (
        tell(scope, bob, f"Rope {n} is red today. Rope {n} is wet today.", by="user") for n in ("one", "two")
    )
    for part in ("red", "wet"):
        for source, n in ((first, "one"), (second, "two")):
            line = f"Rope {n} is {part} today"
            draft = Draft(kind="fact", statement=line, quotes=(quote_of(source, line),), confidence=0.9)
            propose_all([draft], scope=scope, actor=bob)
    risky = candidate(scope, bob, "The keel is cracked", confidence=0.1)
    Claim.objects.filter(pk=risky.pk).update(high_risk=True)
    candidate(scope, bob, "The mast weighs 5 kg", key="mast", value=5, confidence=0.9)
    assert listed(people) == [
        "The mast weighs 5 kg", risky.statement, "Rope one is red today", "Rope one is wet today",
        "Rope two is red today", "Rope two is wet today", weak.statement,
    ]  # fmt: skip


def contested(claim: Claim) -> bool:
    return Claim.objects.get(pk=claim.pk).contested


def test_what_holds_decides_what_is_contested(people: People) -> None:
    scope, bob = people.scope, people.bob
    one = candidate(scope, bob, "The mast weighs 4 kg", key="mast", value=4)
    other = candidate(scope, bob, "The mast weighs 5 kg", key="mast", value=5)
    assert not contested(one) and not contested(other)
    event = promote(one, actor=bob)
    assert contested(other)
    undo(event, actor=bob)
    assert not contested(one) and not contested(other)
    promote(Claim.objects.get(pk=one.pk), actor=bob)
    archive(Claim.objects.get(pk=one.pk), actor=bob)
    assert not contested(other)
    curate(scope, "mast", actor=people.carol, value=9)
    assert contested(other)
    retract(scope, "mast", actor=people.carol)
    assert not contested(other)


def test_an_edit_away_from_the_slot_ends_it(people: People) -> None:
    scope, bob = people.scope, people.bob
    promote(candidate(scope, bob, "The mast weighs 4 kg", key="mast", value=4), actor=bob)
    other = candidate(scope, bob, "The mast weighs 5 kg", key="mast", value=5)
    assert contested(other)
    edit(other, actor=bob, changes={"key": "boom"})
    assert not contested(other)
    edit(Claim.objects.get(pk=other.pk), actor=bob, changes={"key": "mast"})
    assert contested(other)


def test_what_comes_back_meets_what_holds_by_then(people: People) -> None:
    scope, bob = people.scope, people.bob
    no = candidate(scope, bob, "The mast weighs 5 kg", key="mast", value=5)
    later = candidate(scope, bob, "The mast weighs 6 kg", key="mast", value=6)
    reject(no, actor=bob)
    defer(later, actor=bob, until=timezone.now() + dt.timedelta(days=1))
    promote(candidate(scope, bob, "The mast weighs 4 kg", key="mast", value=4), actor=bob)
    reopen(Claim.objects.get(pk=no.pk), actor=bob)
    wake(Claim.objects.get(pk=later.pk), actor=people.machine)
    assert contested(no) and contested(later)


def test_only_weak_ones_of_one_rule_and_source_crowd() -> None:
    weak = [(7, "maybe", 0.3 + n / 1000) for n in range(9)]
    assert crowded(weak) == frozenset(range(6))
    assert crowded(weak[:6]) == frozenset()
    assert crowded([(7, "maybe", 0.5)] * 20) == frozenset()
    assert crowded([(n, "maybe", 0.3) for n in range(20)]) == frozenset()
    assert crowded([(7, "", 0.3)] * 20) == frozenset()


def test_a_flood_shows_its_best_and_how_many_stand_behind(people: People) -> None:
    strong = candidate(people.scope, people.bob, "The hull is sound", confidence=0.9)
    rows = flood(people, "Attic", 12)
    shown = listed(people, collapse=True)
    assert shown == [strong.statement, *(row.statement for row in rows[:3])]
    assert len(listed(people)) == 13
    page = claims_page(people.alice.access, ClaimFilter(uncrowded=True), order="best", descend=True)
    (crowd,) = clusters(page.items, people.alice.access).values()
    assert (crowd.count, crowd.more, crowd.rule, crowd.source) == (9, False, "maybe.holds", rows[0].first_source)


def test_a_flood_never_buries_what_is_risky(people: People) -> None:
    flood(people, "Attic", 30)
    flood(people, "Cellar", 30)
    risky = candidate(people.scope, people.bob, "The gas pipe leaks", confidence=0.2)
    Claim.objects.filter(pk=risky.pk).update(high_risk=True)
    assert listed(people, collapse=True)[0] == risky.statement
    assert len(listed(people, collapse=True)) == 7


def test_when_one_in_front_is_decided_the_next_steps_forward(people: People) -> None:
    rows = flood(people, "Attic", 12)
    reject(rows[0], actor=people.bob)
    assert listed(people, collapse=True) == [row.statement for row in rows[1:4]]
    defer(rows[1], actor=people.bob)
    promote(rows[2], actor=people.bob)
    assert listed(people, collapse=True) == [row.statement for row in rows[3:6]]
    for row in Claim.objects.filter(status="pending").order_by("-id"):
        reject(row, actor=people.bob)
    assert listed(people, collapse=True) == []


def test_what_was_in_somebodys_hands_stands_on_its_own(people: People) -> None:
    rows = flood(people, "Attic", 12)
    behind = Claim.objects.get(pk=rows[8].pk)
    assert behind.crowded
    defer(behind, actor=people.bob)
    reopen(Claim.objects.get(pk=behind.pk), actor=people.bob)
    assert rows[8].statement in listed(people, collapse=True)
    edit(Claim.objects.get(pk=rows[9].pk), actor=people.bob, changes={"topic": "paint"})
    assert rows[9].statement in listed(people, collapse=True)


def test_what_is_put_off_is_listed_by_the_time_it_comes_back(people: People) -> None:
    now = timezone.now()
    rows = [candidate(people.scope, people.bob, f"Plank {n} is loose") for n in range(5)]
    for row, days in zip(rows, (5, 1, 9, None, 3), strict=True):
        defer(row, actor=people.bob, until=now + dt.timedelta(days=days) if days else None)
    found, cursor = [], None
    while True:
        page = claims_page(people.alice.access, ClaimFilter(status="deferred"), order="back", limit=2, cursor=cursor)
        found += [row.statement for row in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert found == [rows[n].statement for n in (1, 4, 0, 2)]
    told = snoozed(people.alice.access)
    assert (told.count, told.for_good) == (4, 1) and told.until == now + dt.timedelta(days=1)
    assert snoozed(people.charlie.access).count == 0


def test_the_oldest_only(people: People) -> None:
    old, new = (candidate(people.scope, people.bob, f"Plank {n} is loose") for n in range(2))
    week = timezone.now() - dt.timedelta(days=7)
    make_old(old, dt.timedelta(days=8))
    for order in ("age", "best"):
        page = claims_page(people.alice.access, ClaimFilter(before=week), order=order)
        assert [row.pk for row in page.items] == [old.pk]


def seal() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal()")


def test_what_came_and_went_is_counted_once_from_the_sealed_journal(people: People) -> None:
    rows = [candidate(people.scope, people.bob, f"Plank {n} is loose") for n in range(4)]
    reject(rows[0], actor=people.bob)
    undo(promote(rows[1], actor=people.bob), actor=people.bob)
    edit(rows[2], actor=people.bob, changes={"topic": "planks"})
    defer(rows[3], actor=people.bob)
    assert tally() == 0
    seal()
    assert tally(most=3) == 3
    while tally():
        continue
    row = Tally.objects.get()
    assert (row.came, row.went) == (5, 3)
    told = backlog(people.vera.access)
    assert (told.count, told.came_today, told.went_today) == (2, 5, 3)
    assert len(told.came) == 24 and told.came[-1] == 5
    assert backlog(people.charlie.access).came_today == 0


def test_scopes_out_of_sight_are_neither_counted_nor_listed(people: People) -> None:
    candidate(
        make_scope("kitchen"), people.bob.__class__("human", "Olga", "command", access=people.machine.access), "Jam"
    )
    seal()
    tally()
    assert backlog(people.alice.access).came_today == 0
    assert listed(people) == []
