"""Who tries too often is told to wait: by account and address for passwords, by address for tokens; a right token always opens."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.test import Client

from config import lockout
from tests.review.door import House, build_house

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house(transactional_db: None, settings: Any) -> Iterator[House]:
    settings.AXES_ENABLED = True
    made = build_house()
    User.objects.create_user("ines", password="a long password")
    yield made
    caches["sign_ins"].clear()


def sign_in(name: str, password: str, address: str = "10.0.0.1") -> int:
    data = {"username": name, "password": password}
    return Client(REMOTE_ADDR=address).post("/login/", data).status_code


def test_wrong_passwords_lock_the_account_for_the_address(house: House) -> None:
    assert [sign_in("ines", "wrong") for _ in range(lockout.PASSWORDS - 1)] == [200] * (lockout.PASSWORDS - 1)
    locked = Client(REMOTE_ADDR="10.0.0.1").post("/login/", {"username": "ines", "password": "wrong"})
    assert (
        locked.status_code == 429
        and locked["Retry-After"] == "900"
        and "Too many wrong tries" in locked.content.decode()
    )
    assert sign_in("ines", "a long password") == 429
    # Neither others behind the address nor the account from elsewhere.
    assert sign_in("ines", "a long password", "10.0.0.2") == 302
    assert sign_in("bob", "wrong") == 200


def test_the_right_password_starts_the_count_anew(house: House) -> None:
    for _ in range(2):
        assert {sign_in("ines", "wrong") for _ in range(lockout.PASSWORDS - 2)} == {200}
        assert sign_in("ines", "a long password") == 302


def test_wrong_tokens_are_told_to_wait_and_right_ones_are_not(house: House) -> None:
    client = Client()
    answers = [client.get("/api/v1/scopes", headers={"Authorization": f"Bearer cs_{n}"}) for n in range(100)]
    statuses = [one.status_code for one in answers]
    assert statuses == [401] * (lockout.TOKENS - 1) + [429] * (101 - lockout.TOKENS)
    assert answers[-1]["Content-Type"] == "application/problem+json" and answers[-1]["Retry-After"] == "900"
    assert house.bob("GET", "/scopes")[0] == 200
    assert sign_in("ines", "a long password", "127.0.0.1") == 302


def test_nothing_of_what_was_typed_is_kept(house: House, django_assert_max_num_queries: Any) -> None:
    from tests.ledger.test_purge import left_over

    sign_in("zyxomorph", "vellichor")
    assert left_over(("zyxomorph", "vellichor")) == []


def test_a_program_in_this_process_signs_in_without_a_request(house: House) -> None:
    assert Client().login(username="ines", password="a long password")
