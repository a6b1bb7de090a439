"""Passkeys as a second factor, signed by an authenticator made here: what a browser sends, and what somebody else might."""

import html
import json
import re
from hashlib import sha256
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django_otp.plugins.otp_static.models import StaticToken
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData
from structlog.testing import capture_logs

from review.models import Passkey
from tests.ledger.conftest import role
from tests.review.door import House
from tests.review.test_second_factor import PASSWORD, enter, equip, house, is_in, second_step

__all__ = ["house"]
pytestmark = pytest.mark.django_db(transaction=True)
HOST, CHANGE = "localhost", "/second-factor/change"
FLAG = AuthenticatorData.FLAG


class Key:
    """What lies in somebody's phone."""

    def __init__(self) -> None:
        self.private, self.counter = ec.generate_private_key(ec.SECP256R1()), 0
        public: Any = ES256.from_cryptography_key(self.private.public_key())  # type: ignore[no-untyped-call]
        self.credential = AttestedCredentialData.create(Aaguid(bytes(16)), public[-2], public)

    def said(self, kind: str, options: str, origin: str) -> bytes:
        return json.dumps({"type": kind, "challenge": json.loads(options)["challenge"], "origin": origin}).encode()

    def data(self, flags: Any, credential: bytes = b"") -> Any:
        self.counter += 1
        return AuthenticatorData.create(sha256(HOST.encode()).digest(), FLAG.UP | flags, self.counter, credential)

    def made(self, options: str) -> str:
        made = AttestationObject.create("none", self.data(FLAG.AT, self.credential), {})
        return self.response(self.said("webauthn.create", options, f"http://{HOST}"), attestationObject=made)

    def signed(self, options: str, origin: str = f"http://{HOST}") -> str:
        said, data = self.said("webauthn.get", options, origin), self.data(FLAG(0))
        signature = self.private.sign(data + sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        return self.response(said, authenticatorData=data, signature=signature)

    def response(self, said: bytes, **parts: bytes) -> str:
        name = websafe_encode(self.credential.credential_id)
        parts = {"clientDataJSON": said, **parts}
        response = {part: websafe_encode(value) for part, value in parts.items()}
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})


def client() -> Client:
    return Client(SERVER_NAME=HOST)


def options(page: Any) -> str:
    """What the page hands to the browser; nothing where it asks for no passkey."""
    found = re.search(r'data-(?:sign|make)="([^"]*)"', page.content.decode())
    return html.unescape(found[1]) if found else ""


def added(browser: Client, key: Key, name: str = "Phone", **proof: str) -> Any:
    """The page after a passkey was made."""
    begun = browser.post(CHANGE, {"action": "begin_passkey", "password": PASSWORD, **proof}, follow=True)
    return browser.post(
        CHANGE, {"action": "finish_passkey", "name": name, "passkey": key.made(options(begun))}, follow=True
    )


def signing(browser: Client, key: Key, origin: str = f"http://{HOST}") -> Any:
    return second_step(browser, "", passkey=key.signed(options(browser.get("/login/code")), origin))


def test_set_up_and_sign_in(house: House) -> None:
    with role("countersign_web"), capture_logs() as logs:
        mine, elsewhere, key = enter("alice", client()), enter("alice", client()), Key()
        assert "With a passkey" in mine.get("/second-factor").content.decode()
        assert "not your password" in mine.post(CHANGE, {"action": "begin_passkey", "password": "x"}).content.decode()
        codes = re.findall(r"<code>([a-z2-9]{5}-[a-z2-9]{5})</code>", added(mine, key).content.decode())
        assert len(codes) == 10 and is_in(mine) and not is_in(elsewhere)
        row = Passkey.objects.get()
        assert (row.name, row.host, row.sign_count) == ("Phone", HOST, 1)
        fresh = enter("alice", client())
        assert not is_in(fresh) and signing(fresh, key).status_code == 302 and is_in(fresh)
        row.refresh_from_db()
        assert row.sign_count == 2 and row.last_used_at
        assert second_step(enter("alice", client()), codes[0]).status_code == 302
    assert [line["event"] for line in logs] == ["passkey_added", "recovery_code_used"]


def test_nothing_else_opens(house: House) -> None:
    key, stranger = Key(), Key()
    added(enter("alice", client()), key)
    added(enter("bob", client()), stranger)
    browser = enter("alice", client())
    asked = options(browser.get("/login/code"))
    right = key.signed(asked)
    wrong = ["[]", "no JSON", '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {}}']
    wrong += [right.replace('"signature": "', '"signature": "AA'), key.signed(json.dumps({"challenge": "A" * 43}))]
    wrong += [
        stranger.signed(asked),
        key.signed(asked, "https://evil.example"),
        key.signed(asked, "http://a.localhost"),
    ]
    for answer in wrong:
        assert "not right" in second_step(browser, "", passkey=answer).content.decode() and not is_in(browser)
    assert second_step(browser, "", passkey=right).status_code == 302
    again = enter("alice", client())
    assert second_step(again, "", passkey=right).status_code == 200, "it was signed for another sign-in"
    key.counter = 0
    with capture_logs() as logs:
        assert signing(again, key).status_code == 200
    assert [line["event"] for line in logs] == ["passkey_copied", "second_factor_failed"]
    by_address = Client(SERVER_NAME="127.0.0.1")
    assert not options(enter("alice", by_address).get("/login/code"))
    by_address.force_login(User.objects.get(username="charlie"))
    assert "for names, not for addresses" in by_address.get("/second-factor").content.decode()


def test_a_second_one_and_what_is_lost(house: House) -> None:
    _, codes = equip("alice")
    mine, phone, stick = enter("alice", client()), Key(), Key()
    second_step(mine, codes[0])
    begin = {"action": "begin_passkey", "password": PASSWORD}
    assert "not right" in mine.post(CHANGE, begin).content.decode(), "it takes a code of what is in force"
    mine.post(CHANGE, {**begin, "code": codes[1]})
    assert "not become a passkey" in mine.post(CHANGE, {"action": "finish_passkey", "passkey": "{}"}).content.decode()
    mine.post(CHANGE, {"action": "forget_passkey"})
    page = added(mine, phone, code=codes[2])
    assert "Added: Phone" in page.content.decode() and "recovery-codes" not in page.content.decode()
    page = added(mine, stick, "Stick", passkey=phone.signed(options(page)))
    assert Passkey.objects.count() == 2
    lost = Passkey.objects.get(name="Phone")
    assert "not right" in mine.post(CHANGE, {"action": f"remove {lost.pk}"}).content.decode()
    remove = {"action": f"remove {lost.pk}", "passkey": stick.signed(options(page))}
    page = mine.post(CHANGE, remove, follow=True)
    assert [key.name for key in Passkey.objects.all()] == ["Stick"] and StaticToken.objects.exists()
    everything = {"action": "remove", "passkey": stick.signed(options(page))}
    assert "is gone" in mine.post(CHANGE, everything, follow=True).content.decode()
    assert not Passkey.objects.exists() and not StaticToken.objects.exists() and is_in(enter("alice"))


def test_other_ways_in_and_a_reset(house: House, settings: Any, capsys: pytest.CaptureFixture[str]) -> None:
    key = Key()
    added(enter("bob", client()), key)
    out, again = client(), {"username": "bob", "password": PASSWORD, "kept-action": "promote"}
    asked = options(out.post("/login/again/X-1", again))
    assert out.post("/login/again/X-1", {**again, "passkey": key.signed(asked)}).status_code == 404 and is_in(out)
    settings.AXES_ENABLED = True
    guesser = enter("bob", client())
    assert [second_step(guesser, "", passkey="{}").status_code for _ in range(11)][-1] == 429
    settings.AXES_ENABLED = False
    call_command("second_factor", "list")
    assert capsys.readouterr().out.startswith("bob  Phone  last used 2")
    call_command("second_factor", "reset", "bob")
    assert not is_in(out) and is_in(enter("bob", client())) and not Passkey.objects.exists()
