"""Fixtures of the core's tests. Everything commits: the laws that wait for the commit are part of what is tested."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from ledger.actions.curate import curate
from ledger.actions.dispute import dispute
from ledger.actions.promote import promote
from ledger.models import Scope
from tests.people import People, candidate, make_people, make_scope, tell


@pytest.fixture
def lab(transactional_db: None) -> Scope:
    """A project whose keys are open."""
    return make_scope("lab")


@pytest.fixture
def people(lab: Scope) -> People:
    return make_people(lab)


@contextmanager
def role(name: str) -> Iterator[None]:
    """Serve as `countersign_web` or `countersign_worker` for a while; an empty name is the owner."""
    with connection.cursor() as cursor:
        if name:
            cursor.execute(f"SET ROLE {name}")
        try:
            yield
        finally:
            if connection.in_atomic_block or connection.connection is not None:
                cursor.execute("RESET ROLE")


@pytest.fixture
def as_web(people: People) -> Iterator[None]:
    """The verbs run with the rights they have when they serve."""
    with role("countersign_web"):
        yield


@pytest.fixture
def furnished(people: People) -> People:
    """One row at least in every table that a law protects."""
    one = candidate(people.scope, people.bob, "The mast weighs 4 kg", key="mast", value=4)
    other = candidate(people.scope, people.bob, "The mast weighs 5 kg", key="mast", value=5)
    promote(one, actor=people.bob)
    promote(other, actor=people.bob)
    dispute(one, source=tell(people.scope, people.bob, "It does not", by="tool"), quote="It does not", actor=people.bob)
    curate(people.scope, "colour", actor=people.carol, value="red")
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal()")
    return people
