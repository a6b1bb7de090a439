"""Edits that change several things at once, and times that make no sense."""

import datetime as dt
import threading

import pytest
from django.db import connection, transaction
from django.utils import timezone

from ledger.actions.decide import defer
from ledger.actions.edit import edit
from ledger.actions.locking import lock_claim, lock_names, slot_lock_name
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose
from ledger.errors import Invalid, StaleVersion
from ledger.models import Claim, Scope
from tests.people import People, candidate, tell

pytestmark = pytest.mark.usefixtures("as_web")


def waiting_for_its_place(lab: Scope, people: People, by: str) -> Claim:
    source = tell(lab, people.bob, "Use tea. Again: use tea.", by=by)
    places = ({"source": source.pk, "start": 0, "end": 7}, {"source": source.pk, "start": 16, "end": 23})
    answer = propose(
        Draft(kind="fact", statement=f"words of {by}", quotes=(), anchors_to_choose=places), scope=lab, actor=people.bob
    )
    assert answer.claim is not None
    return answer.claim


def test_the_chosen_place_anchors_the_kind_it_is_edited_to(lab: Scope, people: People) -> None:
    claim = waiting_for_its_place(lab, people, by="agent")
    with pytest.raises(Invalid) as refused:
        edit(claim, actor=people.bob, changes={"kind": "decision", "anchor": 1})
    assert refused.value.field == "anchor"
    edit(claim, actor=people.bob, changes={"anchor": 1})
    assert claim.evidence.get().start == 16
    said = waiting_for_its_place(lab, people, by="user")
    edit(said, actor=people.bob, changes={"kind": "decision", "anchor": 0})
    said.refresh_from_db()
    assert (said.kind_id, said.anchors_to_choose, said.evidence.get().quote) == ("decision", [], "Use tea")


def test_an_edit_and_a_promotion_at_once_meet_the_slot_they_lead_to(lab: Scope, people: People) -> None:
    held = candidate(lab, people.bob, "4 kg", key="max-weight", value=4)
    promote(held, actor=people.bob)
    other = candidate(lab, people.bob, "5 kg", key="weight", value=5)
    promote(other, actor=people.bob, changes={"key": "max-weight"})
    assert held.conflict_places.get().conflict.status == "open"


def test_times(lab: Scope, people: People) -> None:
    claim = candidate(lab, people.bob, "Tea at four")
    with pytest.raises(Invalid) as refused:
        defer(claim, actor=people.bob, until=dt.datetime(2099, 1, 1))  # noqa: DTZ001 - without offset on purpose
    assert refused.value.field == "until"
    now = timezone.now()
    with pytest.raises(Invalid) as refused:
        edit(claim, actor=people.bob, changes={"valid_from": now, "valid_to": now - dt.timedelta(days=1)})
    assert refused.value.field == "valid_to"
    edit(claim, actor=people.bob, changes={"valid_from": now})
    with pytest.raises(Invalid):
        edit(claim, actor=people.bob, changes={"valid_to": now - dt.timedelta(days=1)})


def test_nobody_waits_for_a_slot_while_holding_a_row(lab: Scope, people: People) -> None:
    seen = candidate(lab, people.bob, "5 kg", key="weight")
    edit(Claim.objects.get(pk=seen.pk), actor=people.bob, changes={"key": "max-weight"})
    with transaction.atomic():
        assert lock_claim(seen).key == "max-weight"
    locked, done = threading.Event(), threading.Event()

    def somebody_at_work() -> None:
        with transaction.atomic():
            lock_names([slot_lock_name(Claim.objects.get(pk=seen.pk))])
            locked.set()
            done.wait(10)
        connection.close()

    thread = threading.Thread(target=somebody_at_work)
    thread.start()
    assert locked.wait(10)
    try:
        with pytest.raises(StaleVersion), transaction.atomic():
            lock_claim(seen)
    finally:
        done.set()
        thread.join()
