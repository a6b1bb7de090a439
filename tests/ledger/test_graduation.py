"""A memory grows into an entity: promoted beside it, never swallowed by it (P16)."""

import pytest

from ledger.actions.curate import curate
from ledger.actions.graduate import graduate
from ledger.actions.promote import promote
from ledger.actions.undo import undo
from ledger.models import Claim, Conflict, Scope
from ledger.reads.rivals import previews
from ledger.rules.reconcile import PromotionOutcome
from tests.people import People, candidate

pytestmark = pytest.mark.usefixtures("as_web")


def memory_and_entity(lab: Scope, people: People) -> tuple[Claim, Claim]:
    memory = candidate(lab, people.bob, "I prefer tea", kind="preference", key="drink")
    promote(memory, actor=people.bob)
    graduate(memory, actor=people.bob)
    return memory, Claim.objects.select_related("scope", "kind").get(graduates_id=memory.pk)


def test_the_memory_on_the_same_slot_is_no_rival(lab: Scope, people: People) -> None:
    memory, entity = memory_and_entity(lab, people)
    assert previews([entity])[entity.pk].outcome is PromotionOutcome.NEW
    event = promote(entity, actor=people.bob)
    entity.refresh_from_db()
    memory.refresh_from_db()
    assert (entity.status, entity.layer) == ("active", "entity")
    assert (memory.status, memory.successor_id) == ("graduated", entity.pk)
    assert not Conflict.objects.exists()
    undo(event, actor=people.bob)
    entity.refresh_from_db()
    memory.refresh_from_db()
    assert (entity.status, memory.status, memory.successor_id) == ("pending", "active", None)


def test_what_may_hold_many_times_contradicts_no_trusted_value(lab: Scope, people: People) -> None:
    curate(lab, "tools", actor=people.carol, statement="We use ruff")
    tactic = candidate(lab, people.bob, "Run the tests first", kind="tactic", key="tools")
    assert previews([tactic])[tactic.pk].outcome is PromotionOutcome.NEW
