"""The single sign-on against a provider that speaks HTTP: who is let in, as whom, and what is refused."""

import http.client
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client
from joserfc.jwk import RSAKey

from review.second_factor import is_verified
from tests.review.identity_provider import CLIENT, SECRET, IdentityProvider

pytestmark = pytest.mark.django_db
ALICE = {"email": "Alice@studio.example", "email_verified": True}


@pytest.fixture(scope="module")
def running() -> Iterator[IdentityProvider]:
    provider = IdentityProvider()
    yield provider
    provider.close()


@pytest.fixture
def provider(running: IdentityProvider, settings: Any) -> IdentityProvider:
    running.claims, running.wrong = dict(ALICE), {}
    settings.COUNTERSIGN_OIDC_ISSUER = running.issuer
    settings.COUNTERSIGN_OIDC_CLIENT, settings.COUNTERSIGN_OIDC_SECRET = CLIENT, SECRET
    settings.COUNTERSIGN_OIDC_DOMAINS = ["newcomers.example"]
    User.objects.create_user("alice", "alice@studio.example", "a long password")
    return running


def at_provider(client: Client, start: str = "/login/single-sign-on") -> str:
    """The address that the provider sends the browser back to."""
    url = urlsplit(client.get(start)["Location"])
    connection = http.client.HTTPConnection(url.netloc)
    connection.request("GET", f"{url.path}?{url.query}")
    back = connection.getresponse().headers["Location"]
    connection.close()
    return back.removeprefix("http://testserver")


def come(client: Client) -> Any:
    return client.get(at_provider(client))


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_a_user_comes_in_by_the_verified_address(provider: IdentityProvider) -> None:
    client = Client()
    assert "Sign in with single sign-on" in client.get("/login/?next=/journal").content.decode()
    answer = client.get(at_provider(client, "/login/single-sign-on?next=/journal"))
    assert answer["Location"] == "/journal" and client.get("/help").wsgi_request.user.username == "alice"
    assert not is_verified(client.get("/help").wsgi_request)
    provider.claims["amr"] = ["pwd", "otp"]
    come(client)
    assert is_verified(client.get("/help").wsgi_request)


def test_off_there_is_nothing(settings: Any) -> None:
    client = Client()
    assert {client.get(f"/login/single-sign-on{end}").status_code for end in ("", "/back?code=1&state=2")} == {404}
    assert "single-sign-on" not in client.get("/login/").content.decode()


def test_newcomers_of_a_named_domain_begin_without_rights(provider: IdentityProvider) -> None:
    provider.claims |= {"email": "dora@newcomers.example", "given_name": "Dora", "family_name": "D" * 200}
    first, second = Client(), Client()
    assert come(first).status_code == come(second).status_code == 302
    dora = User.objects.get(email="dora@newcomers.example")
    assert (dora.username, dora.first_name, dora.is_staff, dora.has_usable_password()) == (
        dora.email,
        "Dora",
        False,
        False,
    )
    assert dora.memberships.count() == 0 and is_in(first) and is_in(second)


@pytest.mark.parametrize(
    "claims",
    [
        {"email_verified": False},
        {"email_verified": "true"},
        {"email": ""},
        {"email": "eve@elsewhere.example"},
        {"email": "eve@sub.newcomers.example"},
        {"email": "taken@newcomers.example"},
        {"email": "gone@studio.example"},
        {"email": "twice@studio.example"},
    ],
)
def test_who_is_not_let_in(provider: IdentityProvider, claims: dict[str, Any]) -> None:
    User.objects.create_user("taken@newcomers.example", "else@studio.example")
    User.objects.create_user("gone", "gone@studio.example", is_active=False)
    for name in ("one", "two"):
        User.objects.create_user(name, "twice@studio.example")
    count = User.objects.count()
    provider.claims |= claims
    client = Client()
    answer = come(client)
    assert answer.status_code == 403 and "Not let in" in answer.content.decode()
    assert not is_in(client) and User.objects.count() == count


@pytest.mark.parametrize(
    "wrong",
    [
        {"said": {"nonce": "another"}},
        {"said": {"aud": "somebody else"}},
        {"said": {"iss": "https://evil.example"}},
        {"said": {"exp": 1_000_000_000}},
        {"signature": RSAKey.generate_key(2048, {"kid": "one"})},
    ],
    ids=["nonce", "audience", "issuer", "time", "signature"],
)
def test_an_id_token_that_does_not_fit_opens_nothing(provider: IdentityProvider, wrong: dict[str, Any]) -> None:
    provider.wrong = wrong
    client = Client()
    assert come(client).status_code == 403 and not is_in(client)


def test_a_code_of_another_browser_opens_nothing(provider: IdentityProvider) -> None:
    mine, strange = Client(), Client()
    back = at_provider(strange)
    assert mine.get(back).status_code == 403 and not is_in(mine)
    at_provider(mine)
    state = at_provider(mine).partition("state=")[2]
    code = back.partition("code=")[2].partition("&")[0]
    assert mine.get(f"/login/single-sign-on/back?code={code}&state={state}").status_code == 403, "PKCE"
    assert strange.get(back).status_code == 403, "a code is good once, whoever came with it"
    assert mine.get("/login/single-sign-on/back?error=access_denied&state=x").status_code == 403


def test_a_provider_that_is_down_is_told(provider: IdentityProvider, settings: Any) -> None:
    settings.COUNTERSIGN_OIDC_ISSUER = "http://127.0.0.1:9"
    answer = Client().get("/login/single-sign-on")
    assert answer.status_code == 403 and "sign in by your password" in answer.content.decode()
