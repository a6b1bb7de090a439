"""Trees read quickly over many rows come to the same as trees read fork by fork."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.rules.signals import LEARNT, SIGNALS
from ledger.rules.trees import Forest, SmallForest, Tree, read_learnt

BOUNDS = st.integers(-4, 4).map(lambda at: at / 2)


def grown(draw: Any, leaves: int) -> Tree:
    if leaves == 1:
        return draw(st.floats(-1, 1))  # type: ignore[no-any-return]
    below = draw(st.integers(1, leaves - 1))
    return [draw(st.integers(0, 2)), draw(BOUNDS), grown(draw, below), grown(draw, leaves - below)]


@st.composite
def trees(draw: Any) -> Tree:
    return grown(draw, draw(st.integers(1, 8)))


@given(st.lists(trees(), min_size=1, max_size=6), st.lists(st.tuples(BOUNDS, BOUNDS, BOUNDS), min_size=1, max_size=8))
def test_bits_lead_to_the_same_leaves_as_forks(forest: list[Tree], rows: list[tuple[float, ...]]) -> None:
    assert list(map(SmallForest(forest).odds, rows)) == list(map(Forest(forest).odds, rows))


def test_what_was_learnt_is_small() -> None:
    learnt = read_learnt(LEARNT)["trees"]
    row = [0.5] * len(SIGNALS)
    assert SmallForest(learnt).odds(row) == Forest(learnt).odds(row)


def test_a_tree_with_more_leaves_is_refused() -> None:
    tree: Tree = 0.0
    for at in range(8):
        tree = [0, float(at), 1.0, tree]
    with pytest.raises(ValueError, match="9 leaves"):
        SmallForest([tree])
