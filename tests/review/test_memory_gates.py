"""The four gates of C16, by loop and by page."""

import datetime as dt

import pytest
from django.utils import timezone

from ledger.actions.decide import archive
from ledger.actions.promote import promote
from ledger.models import Outcome
from ledger.reads.insights.memory_gates import memory_gates
from tests.people import candidate
from tests.review.door import OPERATOR, House
from tests.review.screen import Screen

pytestmark = pytest.mark.django_db(transaction=True)


def test_each_gate_counts_what_it_says(house: House) -> None:
    now = timezone.now() + dt.timedelta(seconds=5)
    since = now - dt.timedelta(days=7)
    for n in range(24):
        types = ["user_confirmed_helpful"] if n % 6 else ["tool_success", "user_corrected"]
        for type in types:
            one = Outcome.objects.create(scope=house.scope, conversation=f"talk {n}", type=type, reported_by="x")
            Outcome.objects.filter(pk=one.pk).update(at=since + dt.timedelta(days=1 if n < 12 else 5))
    held = [candidate(house.scope, OPERATOR, words) for words in ("The hull is oak", "Ida owns the yard")]
    for claim in held:
        promote(claim, actor=OPERATOR)
    archive(held[0], actor=OPERATOR)
    found = memory_gates(OPERATOR.access, root="studio", since=since, now=now)
    assert (found.conversations, found.helpful, found.corrected, found.mixed) == (24, 20, 4, 4)
    assert (found.gain, found.holds, found.grown, found.retired, round(found.a_week)) == (0, 1, 1, 1, 24)
    assert (found.is_stable, found.is_bounded, found.is_plateau, found.is_enough) == (True, True, False, False)
    assert memory_gates(OPERATOR.access, root="kitchen", since=since, now=now).precision is None
    assert "ready for finer credit" in Screen("bob").open("/insights?scope=studio&days=30").text
    status, told = house.vera("GET", "/insights?scope=studio")
    assert status == 200 and told["memory"]["is_stable"] and told["memory"]["conversations"] == 24
