"""Each verb is one row: its function is there and takes what the row says, and what hinders it is what it is refused for."""

import inspect
from typing import Unpack

import pytest
from django.db import transaction

from ledger.actions.decide import DecisionDetails, archive, defer, expire, reject, withdraw
from ledger.actions.dispute import dispute
from ledger.actions.merge import merge
from ledger.actions.promote import promote
from ledger.actions.purge import purge
from ledger.actor import Actor
from ledger.errors import BadTransition, DomainError
from ledger.models import Claim
from ledger.rules.states import Status
from ledger.verbs import Verb, hindrance
from tests.people import People, candidate, tell

OFFERED = [verb for verb in Verb if verb.row.label]
COMMON = {"expected_version", "reason", "batch"}


def _names_taken(verb: Verb) -> list[str]:
    """The names that its function takes, those that it takes together each by itself."""
    names: list[str] = []
    for name, one in inspect.signature(verb.function()).parameters.items():
        together = one.annotation == Unpack[DecisionDetails]
        names += DecisionDetails.__annotations__ if together else [name]
    return names


@pytest.mark.parametrize("verb", [verb for verb in Verb if verb.row.module])
def test_a_row_names_a_function(verb: Verb) -> None:
    taken = _names_taken(verb)
    assert "actor" in taken
    assert {*taken} >= {*verb.row.takes}


@pytest.mark.parametrize("verb", OFFERED)
def test_what_doors_offer_takes_a_version_a_reason_and_a_batch(verb: Verb) -> None:
    subject, *others = _names_taken(verb)
    assert subject == "claim"
    assert {*others} == {"actor", *verb.row.takes} | COMMON


def test_several_at_once_are_offered_only_what_can_be_undone_together() -> None:
    for verb in OFFERED:
        assert verb.row.undo is not None
        assert not verb.row.lists or (verb.row.many and verb.row.listed and verb.row.done)


@pytest.fixture
def claims(people: People, as_web: None) -> list[Claim]:
    """One in each status, one that somebody objects to, a memory, and one whose words a purge took."""
    scope, bob = people.scope, people.bob
    made = {status: candidate(scope, bob, f"It is {status}", key=f"key-{status}") for status in Status}
    memory = candidate(scope, bob, "We met on Monday", kind="episodic")
    doubted = candidate(scope, bob, "It is doubted", key="doubted")
    gone = candidate(scope, bob, "It is gone", key="gone")
    unless = ("pending", "deferred", "rejected", "expired", "merged")
    for claim in (memory, doubted, *(claim for status, claim in made.items() if status not in unless)):
        promote(claim, actor=bob)
    defer(made[Status.DEFERRED], actor=bob)
    reject(made[Status.REJECTED], actor=bob)
    expire(made[Status.EXPIRED], actor=people.alice)
    merge(made[Status.MERGED], into=made[Status.PENDING], actor=bob)
    archive(made[Status.ARCHIVED], actor=bob)
    withdraw(made[Status.WITHDRAWN], actor=bob)
    Verb.SUPERSEDE.function()(made[Status.SUPERSEDED], by=made[Status.ACTIVE], actor=bob)
    words = tell(scope, bob, "No, it is not")
    dispute(doubted, source=words, quote="No, it is not", actor=bob)
    (evidence,) = gone.evidence.all()
    purge(evidence.source, actor=people.alice, reason="asked to")
    return list(Claim.objects.filter(scope=scope).order_by("pk"))


class TakenBack(Exception):
    """Nothing of what was tried stays."""


def test_what_hinders_a_verb_is_what_it_is_refused_for(claims: list[Claim], people: People) -> None:
    active = next(claim for claim in claims if claim.status == "active")
    source = tell(people.scope, people.bob, "Other words")
    offered = {
        "changes": {"tags": ["a"]}, "into": active, "by": active, "other": active, "to": "alice", "source": source,
        "quote": "Other words",
    }  # fmt: skip
    for verb in OFFERED:
        arguments = {} if verb is Verb.PROMOTE else {name: offered[name] for name in verb.row.takes if name in offered}
        told = {claim.ref: refusal(verb, claim, people.bob, arguments) for claim in claims}
        assert told == {claim.ref: hindrance(verb, claim, called=claim.ref) for claim in claims}, verb
        assert "" in told.values() and len({*told.values()}) > 1, verb


def refusal(verb: Verb, claim: Claim, actor: Actor, arguments: dict[str, object]) -> str:
    try:
        with transaction.atomic():
            verb.function()(claim, actor=actor, **arguments)
            raise TakenBack
    except BadTransition as error:
        return error.message
    except (DomainError, TakenBack):
        return ""
    finally:
        claim.refresh_from_db()


def test_only_what_is_in_doubt_can_be_rechecked(claims: list[Claim]) -> None:
    told = {claim.statement: hindrance(Verb.RECHECK, claim) for claim in claims}
    assert told["It is doubted"] == ""
    assert told["It is active"] == "it is neither disputed nor waiting for a recheck"
    assert told["It is archived"] == "it is archived: only what holds can be rechecked"
