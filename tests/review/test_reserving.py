"""Two people at two desks are never offered the same candidate."""

import datetime as dt
import threading

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.utils import timezone

from ledger.actor import operator
from review.desk.reservations import reserve
from review.models import Reservation
from tests.people import candidate
from tests.review.door import House
from tests.review.screen import Screen

OPERATOR = operator("Alice")


def opened(name: str, path: str = "/") -> set[str]:
    """The refs of the cards, open or ahead, that a desk gets."""
    screen = Screen(name)
    html = screen.client.get(path).content.decode()
    return {part.split('"', 1)[0] for part in html.split('data-ref="')[1:]}


@pytest.mark.django_db(transaction=True)
def test_two_desks_get_different_cards_and_ones_own_come_back(house: House) -> None:
    refs = {candidate(house.scope, OPERATOR, f"Panel {n} waits").ref for n in range(9)}
    bob, alice = opened("bob"), opened("alice")
    assert bob and alice and not bob & alice and bob | alice <= refs
    assert opened("bob") == bob
    Reservation.objects.update(until=timezone.now() - dt.timedelta(seconds=1))
    assert opened("alice") & bob, "what nobody came back for is offered again"


@pytest.mark.django_db(transaction=True)
def test_who_only_reads_reserves_nothing(house: House) -> None:
    candidate(house.scope, OPERATOR, "Panel waits")
    assert opened("vera") and not Reservation.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_in_a_race_each_card_has_one_reader(house: House) -> None:
    ids = [candidate(house.scope, OPERATOR, f"Panel {n} waits").pk for n in range(12)]
    users = list(User.objects.order_by("pk")[:4])
    won: dict[int, frozenset[int]] = {}

    def race(user: User) -> None:
        won[user.pk] = reserve(user.pk, ids)
        connections.close_all()

    threads = [threading.Thread(target=race, args=(user,)) for user in users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(pk for some in won.values() for pk in some) == sorted(ids)
