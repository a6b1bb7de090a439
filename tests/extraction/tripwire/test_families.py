"""The pack's own weights on the chats they were fitted on, and weights fitted on one half alone on the other."""

import tomllib

import pytest

from tests.extraction.tripwire.families import lines
from tests.extraction.tripwire.fit import PACK, compiled, figures, fit, predict


def test_half_of_the_families_teaches_the_other_half() -> None:
    pairs = [tuple(pair["of"]) for pair in tomllib.loads(PACK.read_text(encoding="utf-8"))["tripwire"]["pairs"]]
    fitted = fit(compiled(), list(lines("tune")), pairs, penalty=2.0, recall=1.4, steps=150)
    precision, recall, wrong = figures(fitted, list(lines("held")))
    assert precision >= 0.88 and recall >= 0.90, [(said, row.message.text) for row, said in wrong]


@pytest.mark.parametrize("part", ["tune", "held"])
def test_the_weights_in_the_pack(part: str) -> None:
    rows = list(lines(part))
    precision, recall, _ = figures(compiled(), rows)
    assert precision >= 0.91 and recall >= 0.91


def test_noise_lowers_the_score_only_outside_a_thread() -> None:
    tripwire = compiled()
    rows = list(lines("tune"))
    assert any("thanks" in seen and "thread" in seen for seen, _, _ in predict(tripwire, rows))
    assert {"thanks", "laughs", "greets"} <= tripwire.noise
    assert all(tripwire.weights[name] < 0 for name in tripwire.noise)
