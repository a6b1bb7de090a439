"""Real threads, real transactions: what happens at the same moment happens one after the other, or is told so."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from ledger.actions.conflict import dismiss, resolve
from ledger.actions.curate import curate
from ledger.actions.decide import archive, reject, reopen, restore
from ledger.actions.dispute import dispute
from ledger.actions.edit import edit
from ledger.actions.graduate import graduate
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.locking import lock_names, lock_slots, slot_lock
from ledger.actions.merge import merge
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose_all
from ledger.actions.purge import purge
from ledger.actions.run import ExtractorVersion, request_run
from ledger.actions.supersede import supersede
from ledger.actions.undo import undo
from ledger.errors import DomainError
from ledger.models import Claim, Conflict, JournalEvent, Run, Source, TrustedState
from ledger.reads.sql import fetch_column
from tests.ledger.model import Now, World, verify_journal
from tests.ledger.raw import WEB, execute
from tests.people import People, candidate, quote_of, say, tell

MIX_STEPS = 40


def at_once(acts: list[Callable[[], Any]]) -> list[Any]:
    """All of them released at the same moment, each under the web's role; answers or domain errors in their order."""
    gate = threading.Barrier(len(acts))

    def one(act: Callable[[], Any]) -> Any:
        with connection.cursor() as cursor:
            cursor.execute(f"SET ROLE {WEB}")
        gate.wait(30)
        try:
            return act()
        except DomainError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(one, acts))


def kinds_of(answers: list[Any]) -> Counter[str]:
    return Counter(type(answer).__name__ for answer in answers)


def test_twenty_equal_ingests_are_one_source(people: People) -> None:
    item = Incoming(text="The mast is heavy", conversation="c", external_id="one", sender="ann", kind="message")
    plain = Incoming(text="The mast is heavy", kind="message")
    for incoming in (item, plain):
        answers = at_once([lambda i=incoming: ingest([i], scope=people.scope, actor=people.bob)] * 20)
        assert sum(not answer[0].duplicate for answer in answers) == 1
        assert len({answer[0].source.pk for answer in answers}) == 1
    assert Source.objects.count() == 2
    assert JournalEvent.objects.filter(verb="ingest").count() == 2


def test_twenty_versions_of_one_message_form_one_chain(people: People) -> None:
    answers = at_once(
        [
            lambda n=n: ingest(
                [Incoming(text=f"Version {n}", external_id="one", conversation="c", kind="message")],
                scope=people.scope, actor=people.bob,
            )
            for n in range(12)
        ]
    )  # fmt: skip
    assert not any(answer[0].duplicate for answer in answers)
    assert Source.objects.filter(replaces=None).count() == 1
    assert Source.objects.exclude(replaces=None).values("replaces").distinct().count() == 11
    assert sorted(Source.objects.values_list("position", flat=True)) == list(range(12))


def test_twenty_promotions_of_one_candidate_have_one_winner(people: People) -> None:
    claim = candidate(people.scope, people.bob, "The mast is heavy")
    answers = at_once([lambda: promote(claim, actor=people.bob, expected_version=claim.version)] * 20)
    assert kinds_of(answers) == {"JournalEvent": 1, "StaleVersion": 19}
    other = candidate(people.scope, people.bob, "The mast is light")
    answers = at_once([lambda: promote(other, actor=people.bob)] * 20)
    assert kinds_of(answers) == {"JournalEvent": 1, "BadTransition": 19}
    assert JournalEvent.objects.filter(verb="promote").count() == 2


def test_two_values_for_one_empty_slot_are_a_conflict(people: People) -> None:
    for n in range(5):
        pair = [candidate(people.scope, people.bob, f"Mast {n} weighs {v}", key=f"mast{n}", value=v) for v in (4, 5)]
        answers = at_once([lambda c=claim: promote(c, actor=people.bob) for claim in pair])
        assert kinds_of(answers) == {"JournalEvent": 2}
    assert Conflict.objects.filter(status="open").count() == 5
    assert all(conflict.members.count() == 2 for conflict in Conflict.objects.all())


def test_two_equal_values_for_one_empty_slot_are_one_claim(people: People) -> None:
    for n in range(5):
        values = ({"number": 48, "unit": "cm"}, None)
        pair = [candidate(people.scope, people.bob, f"Mast {n} is 48 cm", key=f"mast{n}", value=v) for v in values]
        answers = at_once([lambda c=claim: promote(c, actor=people.bob) for claim in pair])
        assert kinds_of(answers) == {"JournalEvent": 2}
        assert sorted(Claim.objects.filter(key=f"mast{n}").values_list("status", flat=True)) == ["active", "merged"]
    assert Conflict.objects.count() == 0


def test_a_promotion_and_a_curation_of_one_key_meet(people: People) -> None:
    for n in range(5):
        claim = candidate(people.scope, people.bob, f"Mast {n} weighs 4", key=f"mast{n}", value=4)
        at_once(
            [
                lambda c=claim: promote(c, actor=people.bob),
                lambda k=f"mast{n}": curate(people.scope, k, actor=people.carol, value=5),
            ]
        )
    assert Conflict.objects.filter(status="open").count() == 5


def test_one_event_is_undone_once(people: People) -> None:
    claim = candidate(people.scope, people.bob, "The mast is heavy")
    event = promote(claim, actor=people.bob)
    answers = at_once([lambda: undo(event, actor=people.bob)] * 12)
    assert kinds_of(answers) == {"JournalEvent": 1, "BadTransition": 11}
    claim.refresh_from_db()
    assert claim.status == "pending"


def test_curation_at_once_leaves_one_current_value(people: People) -> None:
    answers = at_once(
        [lambda n=n: curate(people.scope, "colour", actor=people.carol, value=n, expected_version=0) for n in range(12)]
    )
    assert kinds_of(answers) == {"JournalEvent": 1, "StaleVersion": 11}
    at_once([lambda n=n: curate(people.scope, "colour", actor=people.carol, value=n) for n in range(12)])
    assert TrustedState.objects.filter(status="current").count() == 1
    assert TrustedState.objects.exclude(replaces=None).values("replaces").distinct().count() == 12


def test_equal_proposals_and_runs_at_once_are_one(people: People) -> None:
    source = tell(people.scope, people.bob, "The mast is heavy")
    draft = Draft(kind="fact", statement="The mast is heavy", quotes=(quote_of(source),))
    answers = at_once([lambda: propose_all([draft], scope=people.scope, actor=people.bob)] * 12)
    assert Counter(answer[0].fate for answer in answers) == {"written": 1, "duplicate": 11}
    assert Claim.objects.get().seen_count == 12
    at_once([lambda: request_run(source, actor=people.bob, extractors=[ExtractorVersion("rules", "1")])] * 12)
    assert Run.objects.count() == 1


def test_who_finds_a_claim_moved_lets_go_before_waiting_again(people: People) -> None:
    """Else it would hold the slot that the claim left, and wait for the one that it stands on now: crosswise with another."""
    # Whoever takes both takes that of the lower hash first: it is the one that the claim comes to stand on.
    by_hash = "SELECT k FROM unnest(%s::text[]) k ORDER BY hashtextextended(%s || k, 4711) DESC"
    here, there = fetch_column(by_hash, [["a", "b"], slot_lock(people.scope.pk, "", "k:")])
    claim = candidate(people.scope, people.bob, "The mast is heavy", key=here, value=1)
    left, entered = (slot_lock(people.scope.pk, key, "") for key in (here, there))
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"

    def until_waiting(number: int) -> None:
        while fetch_column(waiting)[0] < number:
            time.sleep(0.01)

    def in_transaction(*steps: Callable[[], object]) -> None:
        try:
            with transaction.atomic():
                for step in steps:
                    step()
        finally:
            connection.close()

    moving = partial(edit, claim, actor=people.bob, changes={"key": there})
    moved = threading.Event()
    with ThreadPoolExecutor(3) as pool:
        acts = [pool.submit(in_transaction, moving, moved.set, partial(until_waiting, 2))]
        moved.wait(30)
        acts += [
            pool.submit(in_transaction, partial(lock_slots, Claim.objects.filter(pk=claim.pk))),
            pool.submit(in_transaction, partial(lock_names, [entered]), partial(lock_names, [left])),
        ]
        for act in acts:
            act.result(30)


@pytest.fixture
def sealing() -> Iterator[list[int]]:
    """A sealer at work all the while."""
    done, counts = threading.Event(), []

    def seal() -> None:
        while not done.is_set():
            counts.append(execute("SELECT ledger_seal(7)")[0][0])
        connection.close()

    thread = threading.Thread(target=seal)
    thread.start()
    yield counts
    done.set()
    thread.join()


STATEMENTS = ["It is red", "It is blue", "It is heavy", "It is light"]
KEYS = ["a", "b", "c"]
VERBS = (
    "propose propose promote promote promote edit reject reopen archive restore merge supersede replace graduate"
    " dispute resolve dismiss curate undo undo undo"
).split()


class Mix:
    """What eight people at once do at random in one scope."""

    def __init__(self, people: People) -> None:
        self.scope, self.bob, self.carol = people.scope, people.bob, people.carol
        self.sources = [
            tell(self.scope, self.bob, " / ".join(STATEMENTS) + f" {n}", by=by)
            for n, by in enumerate(["user", "tool", "user"])
        ]
        self.deadlocks: list[str] = []
        self.done: Counter[str] = Counter()

    def draft(self, dice: random.Random) -> Draft:
        statement = dice.choice(STATEMENTS)
        kind = dice.choice(["fact", "preference"])
        key = {"key": dice.choice(KEYS), "value": dice.choice([1, 2])} if dice.random() < 0.7 else {"topic": "t"}
        source = dice.choice(self.sources[:1] if kind == "preference" else self.sources)
        return Draft(kind=kind, statement=statement, quotes=(quote_of(source, statement),), **key)

    def propose(self, dice: random.Random) -> None:
        propose_all([self.draft(dice) for _ in range(4)], scope=self.scope, actor=self.bob)

    def decide(self, verb: str, one: Claim, other: Claim, dice: random.Random) -> None:
        bob = self.bob
        acts: dict[str, Callable[[], object]] = {
            "propose": lambda: self.propose(dice),
            "promote": lambda: promote(one, actor=bob, on_conflict=dice.choice([None, "supersede", "coexist"])),
            "edit": lambda: edit(
                one, actor=bob, changes={"key": dice.choice(KEYS), "statement": dice.choice(STATEMENTS)}
            ),
            "reject": lambda: reject(one, actor=bob),
            "reopen": lambda: reopen(one, actor=bob),
            "archive": lambda: archive(one, actor=bob),
            "restore": lambda: restore(one, actor=bob),
            "merge": lambda: merge(one, into=other, actor=bob),
            "supersede": lambda: supersede(one, by=other, actor=bob),
            "replace": lambda: supersede(one, draft=self.draft(dice), actor=bob),
            "graduate": lambda: graduate(one, actor=bob),
            "dispute": lambda: dispute(one, source=self.sources[1], quote=dice.choice(STATEMENTS), actor=bob),
            "resolve": self.resolve,
            "dismiss": lambda: dismiss(open_conflict(), actor=bob),
            "curate": lambda: curate(self.scope, dice.choice(KEYS), actor=self.carol, value=dice.choice([1, 2, 3])),
            "undo": lambda: undo(
                JournalEvent.objects.exclude(verb="ingest").order_by("-id")[dice.randrange(10)], actor=bob
            ),
        }
        acts[verb]()

    def resolve(self) -> None:
        conflict = open_conflict()
        member = conflict.members.all()[0]
        resolve(conflict, winner=(member.claim or member.trusted).ref, actor=self.bob)  # type: ignore[union-attr]

    def act(self, dice: random.Random) -> str:
        claims = list(Claim.objects.order_by("?")[:2])
        verb = dice.choice(VERBS)
        if len(claims) < 2:
            self.propose(dice)
        else:
            self.decide(verb, *claims, dice)
        return verb

    def act_often(self, seed: int) -> None:
        dice = random.Random(seed)
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"SET ROLE {WEB}")
            for _ in range(MIX_STEPS):
                try:
                    self.done[self.act(dice)] += 1
                except (DomainError, IndexError):
                    self.done["refused"] += 1
                except OperationalError as error:
                    self.deadlocks.append(str(error))
        finally:
            connection.close()


def open_conflict() -> Conflict:
    """Any that is open; an IndexError where none is."""
    return Conflict.objects.filter(status="open").order_by("?")[:1][0]


def test_a_random_mix_neither_deadlocks_nor_breaks_anything(people: People, sealing: list[int]) -> None:
    """No deadlock is retried: there is none, since every verb takes its locks in one order."""
    world = World([people.scope])
    mix = Mix(people)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(mix.act_often, range(8)))
    assert mix.deadlocks == []
    assert sum(mix.done.values()) == 8 * MIX_STEPS
    assert sum(mix.done.values()) - mix.done["refused"] > 60, mix.done
    world.read_up_to = 0
    world.check(Now([people.scope]))


def test_the_sealer_misses_nothing_and_numbers_in_order(people: People, sealing: list[int]) -> None:
    def send(n: int) -> None:
        try:
            for m in range(8):
                ingest([Incoming(text=f"{n} {m}", kind="message")] * 3, scope=people.scope, actor=people.bob)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(send, range(6)))
    verify_journal()
    numbers = [number for (number,) in execute("SELECT number FROM ledger_seal ORDER BY number")]
    assert len(numbers) == 6 * 8 * 3
    # Passes follow one another along the transactions, and what one transaction wrote stays together.
    assert execute(
        "SELECT count(*) FROM (SELECT (j.xid, j.id) AS at, lag((j.xid, j.id)) OVER (ORDER BY s.number) AS before"
        " FROM ledger_seal s JOIN ledger_journalevent j ON j.id = s.event_id) x WHERE before > at"
    ) == [(0,)]


def test_a_purge_meets_its_citers(people: People) -> None:
    for n in range(4):
        source = tell(people.scope, people.bob, f"Secret {n} of the mast")
        claim = say(people.scope, people.bob, f"Secret {n}", told=source).claim
        assert claim is not None
        again = Draft(kind="fact", statement=f"Secret {n}", quotes=(quote_of(source, f"Secret {n}"),))
        answers = at_once(
            [
                lambda s=source: purge(s, actor=people.alice, reason="asked"),
                lambda s=source: purge(s, actor=people.alice, reason="asked"),
                lambda c=claim: promote(c, actor=people.bob),
                lambda c=claim: edit(c, actor=people.bob, changes={"tags": ["x"]}),
                lambda d=again: propose_all([d], scope=people.scope, actor=people.bob),
            ]
        )
        assert sum(isinstance(answer, JournalEvent) and answer.verb == "purge" for answer in answers) == 1, answers
    assert not Claim.objects.exclude(statement="").exists()
