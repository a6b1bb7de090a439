"""The demo's task board shows what the discussions' pack does."""

from collections import Counter

import pytest

from config.demo.lay_out import FILES, lay_out
from ledger.actor import demo
from ledger.models import Claim, Pattern


@pytest.mark.django_db(transaction=True)
def test_the_task_board_has_patterns() -> None:
    (file,) = [file for file in FILES if file.stem == "discussion"]
    assert lay_out(file, actor=demo("Ada"))
    types = Counter(Pattern.objects.filter(scope__path="board").values_list("type", flat=True))
    assert types == {"correction": 1, "confirmation": 2, "contradiction": 1, "repeated_question": 1}
    rule = Claim.objects.get(statement="You need to open a card before you start any work")
    assert rule.kind_id == "constraint" and rule.status == "pending"
    confirmed = Claim.objects.get(statement__contains="into their cards")
    assert confirmed.confidence_word == "high"
    assert Claim.objects.get(statement__startswith="All work on a task").confidence_word == "high"
