"""The demo's door is the owner's: no login that serves, whatever it is called, comes in through it (law 4)."""

from collections.abc import Iterator

import pytest
from django.db import IntegrityError, InternalError, connection

from ledger.actions.curate import curate
from ledger.actions.promote import promote
from ledger.actor import demo
from ledger.models import Scope, TrustedState
from tests.ledger.conftest import role
from tests.people import People, candidate


@pytest.fixture
def login(transactional_db: None) -> Iterator[str]:
    """A login of somebody's own that serves with the web's rights."""
    name = "countersign_test_login"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP ROLE IF EXISTS {name}")
        cursor.execute(f"CREATE ROLE {name} LOGIN IN ROLE countersign_web")
        yield name
        cursor.execute(f"DROP ROLE {name}")


def test_only_the_owner_lays_out_a_demo(lab: Scope, people: People, login: str) -> None:
    claim = candidate(lab, people.bob, "We use tea")
    with role(login):
        with pytest.raises((IntegrityError, InternalError), match="own hand"):
            curate(lab, "drink", actor=demo("Alice"), statement="tea")
        with pytest.raises((IntegrityError, InternalError), match="decision"):
            promote(claim, actor=demo("Alice"))
    assert not TrustedState.objects.exists()
    promote(claim, actor=demo("Alice"))
    curate(lab, "drink", actor=demo("Alice"), statement="tea")
    assert TrustedState.objects.get().statement == "tea"
