"""What was learnt, on the chats it was learnt from and on families that it has not seen."""

import tomllib

import pytest

from extraction.chat.messages import ChatMessage
from extraction.chat.people import HouseholdMember
from extraction.chat.tripwire import Tripwire, TripwireError, score
from extraction.training.chats import chats_in, labelled_lines, training_chats
from extraction.training.readings import PACK, household_tripwire, judged_by, precision_and_recall
from tests.extraction.chat.commitments.chat import KEPT

PICKUP = ChatMessage("sarah", "Who's picking up Leo Thursday after soccer?")


@pytest.mark.parametrize(
    "part, precision, recall",
    [
        ("tune", 0.93, 0.87),
        ("more6", 0.95, 0.9),
        ("es1", 0.95, 0.9),
        ("de1", 0.95, 0.9),
        ("blind", 0.97, 0.87),
        ("kept", 0.94, 0.91),
    ],
)
def test_what_was_learnt(part: str, precision: float, recall: float) -> None:
    judged = judged_by(household_tripwire(), labelled_lines([*training_chats(part), *chats_in(KEPT, part)]))
    right, found = precision_and_recall(judged)
    assert right >= precision and found >= recall, [
        (said, row.message.text) for row, said in judged if said != row.coordinates
    ]


def test_noise_counts_only_outside_a_thread() -> None:
    tripwire = household_tripwire()
    assert tripwire.learned is not None
    assert {"thanks", "laughs", "greets"} <= tripwire.noise
    assert all(tripwire.weights[name] <= 0 for name in ("thanks", "laughs", "greets"))
    assert not any(name.removeprefix("g:") in tripwire.noise for name in tripwire.learned.words)
    alone, inside = score(tripwire, ChatMessage("john", "haha")), score(tripwire, ChatMessage("john", "haha"), [PICKUP])
    assert any("laughs" in why for why in alone.patterns)
    assert not any("laughs" in why for why in inside.patterns)


def test_a_link_stands_for_what_was_said_just_before() -> None:
    people = (HouseholdMember("Leo", (), "child"),)
    talk = [
        ChatMessage("ana", "the film was so good"),
        ChatMessage("john", "the one with the whale?"),
        ChatMessage("ana", "yes"),
    ]
    assert score(household_tripwire(), ChatMessage("john", "me"), talk, people, PICKUP).passed
    assert not score(household_tripwire(), ChatMessage("john", "me"), talk, people).passed


def test_what_was_learnt_is_a_part_that_a_pack_can_move() -> None:
    """A group of another pack weighs beside it, and the bar moves with `base`."""
    text = ChatMessage("ana", "the kiln opens at last")
    plain = score(household_tripwire(), text)
    more = {"tripwire": {"groups": [{"name": "kiln", "weight": 6.0, "words": ["kiln"]}]}}
    pack = tomllib.loads(PACK.read_text(encoding="utf-8"))
    moved = Tripwire.from_packs([pack, more])
    lower = Tripwire.from_packs([pack, {"tripwire": {"base": 8.0}}])
    assert moved is not None and lower is not None
    assert not plain.passed and score(moved, text).passed and score(lower, text).passed
    assert any(why.startswith("kiln: kiln +6.00") for why in score(moved, text).patterns)
    with pytest.raises(TripwireError, match="nothing learned is called 'moon'"):
        Tripwire.from_packs([pack, {"tripwire": {"learned": "moon"}}])
