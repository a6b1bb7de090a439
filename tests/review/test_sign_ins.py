"""People see where they are signed in, and end what is not theirs."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from review.models import BrowserSession
from review.screens.sign_ins import sign_ins
from tests.review.door import House, build_house

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house() -> House:
    return build_house()


def signed_in(name: str, browser: str) -> Client:
    user = User.objects.get(username=name)
    user.set_password("a long password")
    user.save()
    client = Client(headers={"User-Agent": browser})
    assert client.post("/login/", {"username": name, "password": "a long password"}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/help").status_code == 200


def handles(client: Client) -> list[str]:
    request = client.get("/sign-ins").wsgi_request
    return [one.handle for one in sign_ins(request) if not one.here]


def test_one_sees_ones_own_and_ends_them(house: House) -> None:
    mine = signed_in("alice", "Fire <b>fox</b>")
    other, strange = Client(headers={"User-Agent": "Old phone"}), signed_in("bob", "Bob's")
    other.post("/login/", {"username": "alice", "password": "a long password"})
    page = mine.get("/sign-ins").content.decode()
    assert "Fire &lt;b&gt;fox" in page and "Old phone" in page and "Bob" not in page and "this one" in page
    keys = BrowserSession.objects.values_list("session_key", flat=True)
    assert not any(key in page for key in keys)
    [handle] = handles(mine)
    assert is_in(other)
    assert mine.post("/sign-ins/end", {"handle": handle}).status_code == 302
    assert not is_in(other) and is_in(mine) and is_in(strange)
    assert "ended already" in mine.post("/sign-ins/end", {"handle": handle}, follow=True).content.decode().lower()


def test_nobody_ends_anothers(house: House) -> None:
    alice, bob = signed_in("alice", "A"), signed_in("bob", "B")
    second = Client()
    second.post("/login/", {"username": "bob", "password": "a long password"})
    [handle] = handles(bob)
    alice.post("/sign-ins/end", {"handle": handle})
    assert is_in(second)
    bob.post("/sign-ins/end")
    assert not is_in(second) and is_in(bob) and is_in(alice)
