"""Turns of a talk are found however many hold their words, by what stands beside them, and not by a single word among many."""

from itertools import cycle, islice

import pytest

from ledger.actions.ingest import Incoming, ingest
from ledger.actions.purge import purge
from ledger.models import Source
from ledger.recall import turns
from tests.review.door import OPERATOR, House
from tests.review.recalling import context, search

USUAL = "the garden is wet today and dinner waits for whoever wants to walk the dog around town again".split()


def send(house: House, texts: list[tuple[str, str]], thread: str = "T1") -> list[str]:
    items = [
        Incoming(text=text, kind="message", sender=by, sender_kind="user", conversation=thread) for by, text in texts
    ]
    return [f"source:{one.source.pk}" for one in ingest(items, scope=house.scope, actor=OPERATOR)]


def found(house: House, q: str) -> list[str]:
    return [item["ref"] for item in search(house.agent, q, sources="true", limit="10") if item["type"] == "source"]


def test_fresh_messages_of_common_words_are_found_among_many(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MAX_PER_WORD", 25)
    talk = cycle(USUAL)
    send(house, [("Ann", " ".join(islice(talk, 5)) + f" {at}") for at in range(400)])
    needles = [
        ("Bob", text) for text in ("dinner garden dog town", "walk wet waits garden", "town dinner whoever walk")
    ]
    for ref, (_, text) in zip(send(house, needles, "T2"), needles, strict=True):
        assert ref in found(house, f"{text} again today")


def test_an_old_message_that_holds_several_common_words_is_found(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MAX_PER_WORD", 25)
    (old,) = send(house, [("Bob", "The garden and the dog")], "T2")
    send(house, [("Ann", f"The {word} of {at}") for at in range(100) for word in ("garden", "dog")])
    assert old in found(house, "garden dog")


def test_an_answer_is_found_beside_its_question(house: House) -> None:
    talk = send(
        house,
        [
            ("Ann", "Where did you leave the key of the shed?"), ("Bob", "Under the third pot."), ("Ann", "Thanks!"),
            *(("Ann", f"The shed of neighbour {at} is green") for at in range(5)),
        ],
    )  # fmt: skip
    assert talk[1] in found(house, "Where is the key of the shed?")[:3]


def test_who_says_it_counts(house: House) -> None:
    refs = send(house, [(by, f"I bought paint on day {at}") for at in range(6) for by in ("Ann", "Carl")])
    carl = set(refs[1::2])
    assert set(found(house, "When did Carl buy paint?")[:6]) == carl


@pytest.mark.parametrize(
    "query", ["horses sit upon violet bridges", "colorless xylophagous quorbits garden", "zxqv brmlk"]
)
def test_one_word_among_many_is_no_answer(house: House, query: str) -> None:
    send(house, [("Ann", "The garden is wet and we sit inside")])
    assert context(house.agent, query=query)["items"] == []


def test_quotes_and_excluded_words_are_meant_as_written(house: House) -> None:
    wet, dry = send(house, [("Ann", "The garden is wet"), ("Ann", "A dry garden is no wet garden")])
    assert found(house, '"garden is wet"') == [wet]
    assert found(house, "garden -dry") == [wet]
    assert set(found(house, "garden")) == {wet, dry}


def test_a_purged_message_is_found_by_no_word(house: House) -> None:
    (gone,) = send(house, [("Ann", "Vellichor in the garden")])
    purge(Source.objects.get(pk=int(gone.partition(":")[2])), actor=OPERATOR, reason="asked for")
    assert found(house, "vellichor garden") == []


def test_a_quotation_within_a_sentence_is_one_of_its_words(house: House) -> None:
    (said,) = send(house, [("Ann", "I finished reading Under the Net, a book about London")])
    assert found(house, 'Which book did Ann read about London, "Under the Sea"?') == [said]
    assert found(house, '"Under the Sea"') == []
