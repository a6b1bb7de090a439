"""Fixtures of the core's tests. Everything commits: the laws that wait for the commit are part of what is tested."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from ledger.models import Scope
from tests.people import People, make_people, make_scope


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
