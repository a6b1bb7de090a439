"""Vectors of tokens stand and fall with the sources, are made in the background, and nobody waits for them."""

import pytest

from ledger.actions.encode_sources import encode_waiting, rebuild_vectors, waiting
from ledger.actions.purge import purge
from ledger.models import Source
from ledger.reads.sql import fetch_column
from ledger.recall import encoder
from ledger.recall.find import read_question
from ledger.recall.turns import find_sources
from tests.ledger.conftest import role
from tests.ledger.raw import SERVING, WORKER, refuse_each
from tests.people import People, tell

needs_encoder = pytest.mark.skipif(not encoder.installed(), reason="no encoder is installed")
TALK = [
    "The shed of the neighbour is green, and the shed of his brother is red",
    "We keep the spare key under the third flower pot",
    "The shed was painted by a painter from the town",
    "Where is the shed, asked the painter",
]


def encoded() -> list[int]:
    return fetch_column("SELECT source_id FROM ledger_tokenvectors ORDER BY source_id")


@needs_encoder
def test_what_waits_is_encoded_by_the_worker(people: People) -> None:
    sources = [tell(people.scope, people.bob, text).pk for text in TALK]
    assert waiting() == sources
    with role(WORKER):
        assert encode_waiting(seconds=30) == len(TALK)
    assert encoded() == sources and waiting() == []
    assert encode_waiting(seconds=30) == 0


@needs_encoder
def test_a_purge_takes_the_vectors_and_none_are_made_again(people: People) -> None:
    gone, kept = (tell(people.scope, people.bob, text) for text in TALK[:2])
    encode_waiting(seconds=30)
    purge(gone, actor=people.alice, reason="asked for")
    assert encoded() == [kept.pk]
    assert rebuild_vectors(Source.objects.all()) == (1, 0)
    assert encoded() == [kept.pk]


@needs_encoder
def test_missing_ones_are_made_anew(people: People) -> None:
    sources = [tell(people.scope, people.bob, text).pk for text in TALK]
    assert rebuild_vectors(Source.objects.all(), check=True) == (4, 4)
    assert encoded() == []
    rebuild_vectors(Source.objects.all())
    assert encoded() == sources


@pytest.mark.parametrize("serving", SERVING)
def test_serving_roles_only_add_to_them(people: People, serving: str) -> None:
    refuse_each(
        [
            "DELETE FROM ledger_tokenvectors",
            "UPDATE ledger_tokenvectors SET vectors = ''",
            "TRUNCATE ledger_tokenvectors",
        ],
        as_role=serving,
    )


def test_without_an_encoder_nothing_waits_and_words_are_enough(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "installed", lambda: False)
    sources = [tell(people.scope, people.bob, text).pk for text in TALK]
    assert waiting() == [] and encode_waiting(seconds=1) == 0
    assert set(find_sources(read_question("Where is the shed?"), [people.scope.pk]).order) == {
        sources[0], sources[2], sources[3],
    }  # fmt: skip


@needs_encoder
def test_what_is_not_encoded_yet_is_found_all_the_same(people: People) -> None:
    early = [tell(people.scope, people.bob, text).pk for text in TALK]
    encode_waiting(seconds=30)
    late = tell(people.scope, people.bob, "A shed for bicycles stands behind the house").pk
    found = find_sources(read_question("Where is the shed for bicycles?"), [people.scope.pk]).order
    assert late in found and set(found) <= {*early, late}
