"""Cohen's kappa against figures worked out by hand, and its laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.rules.agreement import agreement

SAID = st.sampled_from("per")


def test_a_table_worked_out_by_hand() -> None:
    # 20 and 15 alike of 50, 5 and 10 not: observed 0.70, by chance 0.50.
    found = agreement([("p", "p")] * 20 + [("p", "r")] * 5 + [("r", "p")] * 10 + [("r", "r")] * 15)
    assert (found.count, found.same, found.share) == (50, 35, 0.7)
    assert (found.kappa, found.low, found.high) == pytest.approx((0.4, 0.146, 0.654), abs=0.001)
    assert found.word == "fair"


def test_where_kappa_says_nothing() -> None:
    assert agreement([]).kappa is None and agreement([("p", "p")] * 9).kappa is None
    assert agreement([("p", "p"), ("r", "r")]).kappa == 1.0 and agreement([("p", "r"), ("r", "p")]).kappa == -1.0


@given(st.lists(st.tuples(SAID, SAID), max_size=40))
def test_it_lies_between_its_bounds_and_is_the_same_from_both_sides(pairs: list[tuple[str, str]]) -> None:
    found, turned = agreement(pairs), agreement([(other, one) for one, other in pairs])
    assert found == turned
    if found.kappa is not None and found.low is not None and found.high is not None:
        assert -1.0 <= found.low <= found.kappa <= found.high <= 1.0
