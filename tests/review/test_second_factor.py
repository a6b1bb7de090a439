"""A second factor: set up, asked for, replaced by a recovery code, reset, and never guessed."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticToken

from ledger.actions.scope import update_scope
from ledger.models import Scope
from review.models import AppCode
from review.second_factor import begin_set_up, new_recovery_codes
from tests.ledger.conftest import role
from tests.review.door import OPERATOR, House, build_house

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "a long password"


@pytest.fixture
def house(settings: Any) -> Iterator[House]:
    made = build_house()
    for user in User.objects.filter(username__in=("alice", "bob")):
        user.set_password(PASSWORD)
        user.save()
    yield made
    Scope.objects.filter(path="global").update(second_factor=False)
    caches["sign_ins"].clear()


def enter(name: str, client: Client | None = None, **more: str) -> Client:
    client = client or Client()
    client.answer = client.post("/login/", {"username": name, "password": PASSWORD, **more})  # type: ignore[attr-defined]
    return client


def code_of(device: AppCode, ahead: int = 0) -> str:
    return f"{totp(device.bin_key, t0=-30 * ahead):06d}"


def equip(name: str) -> tuple[AppCode, list[str]]:
    user = User.objects.get(username=name)
    device = begin_set_up(user)
    AppCode.objects.filter(pk=device.pk).update(confirmed=True)
    return device, new_recovery_codes(user)


def is_in(client: Client) -> bool:
    return client.get("/help").status_code == 200


def second_step(client: Client, code: str, **more: str) -> Any:
    return client.post("/login/code", {"code": code, **more})


def test_set_up_sign_in_and_a_code_is_good_once(house: House) -> None:
    with role("countersign_web"):
        mine, elsewhere = enter("alice"), enter("alice")
        change = "/second-factor/change"
        assert "not your password" in mine.post(change, {"action": "begin", "password": "guess"}).content.decode()
        assert mine.post(change, {"action": "begin", "password": PASSWORD}).status_code == 302
        page = mine.get("/second-factor")
        device = AppCode.objects.get()
        assert page["Cache-Control"] == "no-store" and "data:image/svg+xml" in page.content.decode()
        assert device.readable_key in page.content.decode().replace(" ", "") and device.key not in page.content.decode()
        assert is_in(enter("alice"))  # nothing is asked for until the app has shown that it works
        assert "not right" in mine.post(change, {"action": "finish", "code": "000000"}).content.decode()
        AppCode.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
        shown = mine.post(change, {"action": "finish", "code": code_of(device)}).content.decode()
        codes = re.findall(r"<code>([a-z2-9]{5}-[a-z2-9]{5})</code>", shown)
        assert len(set(codes)) == 10 and not StaticToken.objects.filter(token__in=codes).exists()
        assert is_in(mine) and not is_in(elsewhere)
        fresh = enter("alice", next="/journal")
        assert fresh.answer["Location"] == "/login/code?next=/journal" and not is_in(fresh)
        assert "not right" in second_step(fresh, code_of(device)).content.decode(), "it was used for the set-up"
        AppCode.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
        assert second_step(fresh, code_of(device, 1), next="/journal")["Location"] == "/journal" and is_in(fresh)


def test_recovery_codes_open_once_and_are_renewed(house: House) -> None:
    _, codes = equip("alice")
    client = enter("alice")
    assert second_step(client, codes[0].upper(), next="//evil.example/")["Location"] == "/"
    assert is_in(client) and not is_in(enter("alice"))
    assert second_step(enter("alice"), codes[0]).status_code == 200
    StaticToken.objects.first().device.throttle_reset()
    renewed = client.post("/second-factor/change", {"action": "renew", "code": codes[1]}).content.decode()
    assert len(re.findall(r"<code>[a-z2-9]{5}-[a-z2-9]{5}</code>", renewed)) == 10 and codes[2] not in renewed
    assert "not right" in client.post("/second-factor/change", {"action": "remove", "code": codes[2]}).content.decode()


def test_who_guesses_is_locked_out(house: House, settings: Any) -> None:
    settings.AXES_ENABLED = True
    device, codes = equip("alice")
    client = enter("alice", Client(REMOTE_ADDR="10.0.0.9"))
    statuses = [second_step(client, f"{n:06d}").status_code for n in range(11)]
    assert statuses[:8] == [200] * 8 and statuses[10] == 429
    assert second_step(client, codes[0]).status_code == 429
    # The library makes the account wait as well, from wherever one guesses: after the eighth wrong code two minutes.
    AppCode.objects.update(throttling_failure_count=8, throttling_failure_timestamp=timezone.now())
    elsewhere = enter("alice", Client(REMOTE_ADDR="10.0.0.8"))
    assert (
        second_step(elsewhere, code_of(device)).status_code == 200
        and second_step(elsewhere, codes[0]).status_code == 302
    )


def test_other_ways_in_ask_for_it_too(house: House) -> None:
    device, codes = equip("alice")
    again = {"username": "alice", "password": PASSWORD, "kept-action": "promote"}
    client = Client()
    assert client.post("/login/again/X-1", again).status_code == 401 and not is_in(client)
    assert client.post("/login/again/X-1", {**again, "code": codes[0]}).status_code == 404 and is_in(client)
    from review.admin.onboarding import link_for

    request = client.get("/help").wsgi_request
    handed = Client()
    form = handed.get(link_for(request, User.objects.get(username="alice")), follow=True).redirect_chain[-1][0]
    answer = handed.post(form, {"new_password1": "another long password", "new_password2": "another long password"})
    assert answer["Location"].startswith("/login/code") and not is_in(handed)
    assert second_step(handed, code_of(device)).status_code == 302 and is_in(handed)


def test_a_scope_or_the_installation_asks_for_it(house: House, settings: Any) -> None:
    bob, page = house.session("bob"), enter("bob")
    assert house.alice("PATCH", f"/scope?scope={house.scope.path}", {"second_factor": "yes"})[0] == 422
    update_scope(house.child, actor=OPERATOR, changes={"second_factor": True})
    assert bob("GET", "/scopes")[0] == 403 and page.get("/")["Location"] == "/second-factor"
    assert page.get("/", headers={"HX-Request": "true"})["HX-Redirect"] == "/second-factor"
    told = page.get("/second-factor").content.decode()
    assert "Your account asks for one" in told and "main-nav" not in told
    assert house.bob("GET", "/scopes")[0] == 200, "tokens are as before"
    device, _ = equip("bob")
    page = enter("bob")
    assert second_step(page, code_of(device)).status_code == 302 and is_in(page)
    # Who has no role near it is not asked.
    assert house.session("charlie")("GET", "/scopes")[0] == 200
    settings.COUNTERSIGN_SECOND_FACTOR = "staff"
    assert house.session("charlie")("GET", "/scopes")[0] == 200
    User.objects.filter(username="charlie").update(is_staff=True)
    assert house.session("charlie")("GET", "/scopes")[0] == 403
    assert house.session("charlie").client.get("/admin/")["Location"] == "/second-factor"


def test_the_global_scope_asks_everybody_with_a_role(house: House) -> None:
    update_scope(Scope.objects.get(path="global"), actor=OPERATOR, changes={"second_factor": True})
    assert [house.session(name)("GET", "/scopes")[0] for name in ("alice", "charlie")] == [403, 200]


def test_an_administrator_resets_what_is_lost(house: House) -> None:
    device, codes = equip("bob")
    bob = enter("bob")
    second_step(bob, code_of(device))
    User.objects.filter(username="alice").update(is_staff=True, is_superuser=True)
    alice = enter("alice")
    ids = [User.objects.get(username="bob").pk]
    told = alice.post("/admin/auth/user/", {"action": "reset_second_factor", "_selected_action": ids}, follow=True)
    assert "Reset for: bob" in told.content.decode()
    assert not is_in(bob) and is_in(enter("bob"))
    assert "otp" not in alice.get("/admin/").content.decode()
    equip("bob")
    call_command("second_factor", "reset", "bob")
    assert is_in(enter("bob"))
