"""Every endpoint of the OpenAPI document, knocked at by everybody."""

import json

import pytest
from django.http import HttpResponse
from django.test import Client

from config.api import api
from tests.ledger.conftest import role
from tests.matrix.callers import SESSIONS, TOKENS
from tests.matrix.ground import CSRF, Ground, Knock, Thing
from tests.matrix.judge import Judge, fill
from tests.matrix.table import ENDPOINTS, Row, asked_of

ROOT = "/api/v1"
pytestmark = pytest.mark.django_db(transaction=True)


def ask(row: Row, knock: Knock, thing: Thing, csrf: str) -> HttpResponse:
    method, _, path = row.name.partition(" ")
    url = ROOT + path.format(**thing) + (f"?{row.query.format(**thing)}" if row.query else "")
    body = b"" if row.body is None else json.dumps(fill(row.body, thing)).encode()
    headers = knock.headers | ({"X-CSRFToken": csrf} if csrf and not knock.token else {})
    with role("countersign_web"):
        return knock.client.generic(method, url, body, content_type="application/json", headers=headers)


@pytest.fixture(scope="package")
def judge(ground: Ground) -> Judge:
    return Judge(ground, ask)


def named(row: Row) -> str:
    return f"{row.name} {row.on} {row.may}"


def test_every_endpoint_has_a_row() -> None:
    told = {
        f"{method.upper()} {path.removeprefix(ROOT)}"
        for path, methods in api.get_openapi_schema()["paths"].items()
        for method in methods
    }
    assert {row.name for row in ENDPOINTS} == told


@pytest.mark.parametrize("row", ENDPOINTS, ids=named)
def test_who_may(judge: Judge, row: Row) -> None:
    callers = asked_of(row, ENDPOINTS, [*SESSIONS, *TOKENS])
    faults = judge.faults(row, [judge.ground.knocks[caller.name] for caller in callers])
    assert not faults, "\n".join(faults)


def test_a_wrong_token_is_refused_whoever_is_signed_in(judge: Judge) -> None:
    owner = judge.ground.knocks["owner here"]
    for name in ("made-up token", "agent revoked", "token of owner revoked"):
        mixed = Knock(owner.caller, owner.client, judge.ground.knocks[name].token, owner.user)
        for row in ENDPOINTS:
            if row.may != "anybody":
                assert ask(row, mixed, judge.ground.shared(row.on), CSRF).status_code == 401, row.name


def test_a_top_level_scope_is_made_by_staff_only(ground: Ground) -> None:
    wanted = {"owner above": 403, "stranger without any role": 403, "token of owner may all": 403, "agent above": 403}
    for name, status in wanted.items():
        row = Row("POST /scopes", "staff", body={"scope": "pavilion", "tier": "project"})
        assert ask(row, ground.knocks[name], {}, CSRF).status_code == status, name
        user = ground.knocks[name].user
        if user is not None:
            user.is_staff = True
            user.save()
            row = Row("POST /scopes", "staff", body={"scope": f"pavilion{user.pk}", "tier": "project"})
            assert ask(row, ground.knocks[name], {}, CSRF).status_code == 201, name
            user.is_staff = False
            user.save()


def test_anonymous_without_a_cookie_is_told_to_sign_in() -> None:
    response = Client().post(f"{ROOT}/candidates", b"{", content_type="application/json")
    assert response.status_code == 401 and response["WWW-Authenticate"].startswith("Bearer")
