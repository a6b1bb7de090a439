"""A production with one item, whose blocks fill."""

from typing import Any

import pytest

from ledger.actions.promote import promote
from ledger.actor import Actor
from ledger.models import Claim, JournalEvent, Scope
from tests.people import People, candidate, make_people, make_scope


@pytest.fixture
def studio(transactional_db: None) -> Scope:
    return make_scope("studio", packs=("production",))


@pytest.fixture
def backdrop(studio: Scope) -> Scope:
    return make_scope("studio/backdrop", tier="item", parent=studio)


@pytest.fixture
def crew(studio: Scope) -> People:
    return make_people(studio)


def held(scope: Scope, actor: Actor, statement: str, **more: Any) -> tuple[Claim, JournalEvent]:
    """A claim that holds, and the event by which it came to."""
    claim = candidate(scope, actor, statement, **more)
    event = promote(claim, actor=actor)
    claim.refresh_from_db()
    return claim, event
