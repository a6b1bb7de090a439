"""The pack's own weights on the chats they were fitted on, and on families that neither words nor weights have seen."""

import pytest

from tests.extraction.tripwire.families import lines
from tests.extraction.tripwire.fit import compiled, figures, judged_by, rows_of, threads_of


@pytest.mark.parametrize(
    "part, precision, recall",
    [("tune", 0.94, 0.9), ("held", 0.94, 0.9), ("fresh", 0.94, 0.85), ("more", 0.94, 0.85), ("blind", 0.92, 0.78)],
)
def test_the_weights_in_the_pack(part: str, precision: float, recall: float) -> None:
    judged = judged_by(compiled(), lines(part))
    right, found = figures(judged)
    assert right >= precision and found >= recall, [
        (said, row.message.text) for row, said in judged if said != row.coordinates
    ]


def test_noise_counts_only_outside_a_thread() -> None:
    tripwire = compiled()
    seen = [seen for (_, _, seen), _ in rows_of(tripwire, threads_of(lines("tune")), None)]
    assert any("thanks" in one and "thread" in one for one in seen)
    assert {"thanks", "laughs", "greets"} <= tripwire.noise
    assert all(tripwire.weights.get(name, 0.0) <= 0 for name in tripwire.noise)
    assert not tripwire.vocabulary.keys() & tripwire.noisy
