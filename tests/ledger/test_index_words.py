"""The index of words stands and falls with the sources, and can be made anew from them."""

from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from ledger.actions.index_words import rebuild_words
from ledger.actions.purge import purge
from ledger.language.words import sender_key, term_key
from ledger.models import Source
from ledger.reads.sql import fetch_column
from tests.ledger.conftest import role
from tests.ledger.raw import SERVING, WEB, WORKER, execute, refuse_each
from tests.people import People, tell


def sources_of(key: int) -> list[int]:
    return fetch_column("SELECT source_id FROM ledger_posting WHERE term = %s ORDER BY source_id", [key])


@pytest.mark.parametrize(("serving", "name"), [(WEB, "bob"), (WORKER, "machine")])
def test_words_are_indexed_with_the_text_and_the_sender(people: People, serving: str, name: str) -> None:
    with role(serving):
        source = tell(people.scope, getattr(people, name), "Vellichor in the shed", sender="Ann")
    assert sources_of(term_key("vellichor")) == [source.pk]
    assert sources_of(sender_key("ann")) == [source.pk]
    assert sources_of(term_key("ann")) == []


def test_what_is_rolled_back_is_not_indexed(people: People) -> None:
    with transaction.atomic():
        tell(people.scope, people.bob, "Vellichor in the shed")
        transaction.set_rollback(True)
    assert sources_of(term_key("vellichor")) == []


def test_a_purge_takes_the_words_out_of_the_index(people: People) -> None:
    gone, kept = (tell(people.scope, people.bob, f"Vellichor {at}", sender="Ann") for at in (1, 2))
    purge(gone, actor=people.alice, reason="asked for")
    assert sources_of(term_key("vellichor")) == sources_of(sender_key("ann")) == [kept.pk]
    assert rebuild_words(Source.objects.all(), check=True)[1] == 0


@pytest.mark.parametrize("serving", SERVING)
def test_serving_roles_only_add_to_it(people: People, serving: str) -> None:
    tell(people.scope, people.bob, "Vellichor in the shed")
    refuse_each(
        ["DELETE FROM ledger_posting", "UPDATE ledger_posting SET times = 9", "TRUNCATE ledger_posting"],
        as_role=serving,
    )


@pytest.mark.parametrize(
    "spoil",
    [
        lambda pk: execute("DELETE FROM ledger_posting WHERE source_id = %s", [pk]),
        lambda pk: execute("UPDATE ledger_posting SET times = times + 1 WHERE source_id = %s", [pk]),
        lambda pk: execute("INSERT INTO ledger_posting VALUES (%s, 1, 77, 1, 1)", [pk]),
    ],
    ids=["missing", "other", "too many"],
)
def test_it_is_made_anew_where_it_differs(people: People, spoil: Callable[[int], object]) -> None:
    source = tell(people.scope, people.bob, "Vellichor in the shed")
    tell(people.scope, people.bob, "Something else")
    spoil(source.pk)
    with pytest.raises(CommandError, match="1 differ"):
        call_command("rebuild", "--check")
    call_command("rebuild")
    call_command("rebuild", "--check")
    assert sources_of(term_key("vellichor")) == [source.pk]
