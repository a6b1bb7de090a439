"""What speaks for a turn as the answer to a question."""

import math

import pytest

from ledger.language.words import terms
from ledger.rules.signals import NEARNESS, SIGNALS, Signals, TalkTurn, WeighedQuestion, in_order_by_nearness

TALK = [
    ("Ann", "Where did you leave the key of the shed?"),
    ("Bob", "Under the third pot, by the door."),
    ("Ann", "The shed needs paint, the key turns badly."),
    ("Carl", "I bought paint yesterday."),
]


def signals(question: str, *people: str) -> Signals:
    turns = {
        at: TalkTurn(at, 1, text, sender, terms(text), before=at - 1, after=at + 1 if at < len(TALK) else 0)
        for at, (sender, text) in enumerate(TALK, 1)
    }
    return Signals(WeighedQuestion(question, dict.fromkeys(terms(question), 2.0), frozenset(people)), turns, [1, 3])


def test_each_row_has_a_number_for_each_signal() -> None:
    rows = signals("Where is the key of the shed?").rows([1, 2, 3, 4])
    assert {len(row) for row in rows.values()} == {len(SIGNALS)}
    assert all(math.isfinite(number) for row in rows.values() for number in row)


def test_what_answers_a_turn_that_asks_is_told_by_the_turn_before_it() -> None:
    at = SIGNALS.index("answers")
    rows = signals("Where is the key of the shed?").rows([2, 4])
    assert rows[2][at] > 0 and rows[4][at] == 0


def test_a_speaker_who_is_named_is_told_from_another() -> None:
    named, other = SIGNALS.index("sender_named"), SIGNALS.index("other_named")
    rows = signals("What did Carl buy?", "carl").rows([1, 4])
    assert (rows[4][named], rows[4][other]) == (1, 0)
    assert (rows[1][named], rows[1][other]) == (0, 1)


def test_words_are_shared_with_the_turns_beside() -> None:
    found = signals("third pot shed")
    assert found.held_words(2, found.asked.weights) == 3
    assert 0 < found.share(2) <= 1


class Nearness:
    """The higher the id, the nearer."""

    def of(self, pk: int) -> float:
        return pk / 10

    def whole(self, pk: int) -> float:
        return 1 - pk / 10

    def with_beside(self, pk: int, *beside: int) -> float:
        return max(pk, *beside) / 10


def test_candidates_are_those_ranked_and_what_stands_beside_them() -> None:
    assert set(signals("Where is the key of the shed?").candidates()) == {1, 2, 3, 4}


def test_nearness_is_told_of_each_candidate_and_orders_them() -> None:
    found = signals("Where is the key of the shed?")
    rows = found.add_nearness(found.candidates(), Nearness())
    assert {len(row) for row in rows.values()} == {len(SIGNALS) + len(NEARNESS)}
    assert rows[4][len(SIGNALS) : len(SIGNALS) + 6] == (0.4, 0.3, 0.0, 0.4, 1.0, 0.0)
    assert rows[4][len(SIGNALS) + 6 :] == pytest.approx((0.6, 0.7, 1.0, 1 / 1.3, -0.3))
    assert set(in_order_by_nearness(rows)) == {1, 2, 3, 4}
