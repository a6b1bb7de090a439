"""Every screen that `review.urls` names, knocked at by everybody who signs in; a bearer token opens none."""

import pytest
from django.http import HttpResponse
from django.urls import reverse

from review.urls import urlpatterns
from tests.ledger.conftest import role
from tests.matrix.callers import SESSIONS
from tests.matrix.ground import CSRF, Ground, Knock, Thing
from tests.matrix.judge import Judge, fill
from tests.matrix.table import SCREENS, Row, asked_of

TAKES = {pattern.name: list(pattern.pattern.converters) for pattern in urlpatterns}
pytestmark = pytest.mark.django_db(transaction=True)


def ask(row: Row, knock: Knock, thing: Thing, csrf: str) -> HttpResponse:
    method, _, name = row.name.partition(" ")
    url = reverse(name, kwargs={field: thing[field] for field in TAKES[name]})
    url += f"?{row.query.format(**thing)}" if row.query else ""
    headers = knock.headers | ({"X-CSRFToken": csrf} if csrf else {})
    with role("countersign_web"):
        if method == "GET":
            return knock.client.get(url, headers=headers)
        return knock.client.post(url, fill(row.body or {}, thing), headers=headers)


@pytest.fixture(scope="package")
def judge(ground: Ground) -> Judge:
    return Judge(ground, ask)


def named(row: Row) -> str:
    return f"{row.name} {row.on} {row.may} {(row.body or {}).get('action', '')}"


def test_every_screen_has_a_row() -> None:
    assert {row.name.partition(" ")[2] for row in SCREENS} == set(TAKES)


@pytest.mark.parametrize("row", SCREENS, ids=named)
def test_who_may(judge: Judge, row: Row) -> None:
    knocks = [judge.ground.knocks[caller.name] for caller in asked_of(row, SCREENS, SESSIONS)]
    faults = judge.faults(row, knocks)
    assert not faults, "\n".join(faults)
    if row.name == "POST sign_out":
        for knock in knocks:
            if knock.user is not None:
                knock.client.force_login(knock.user)
                knock.client.cookies["csrftoken"] = CSRF


def test_a_bearer_token_opens_no_screen(judge: Judge) -> None:
    for row in SCREENS:
        if row.may != "anybody":
            for name in ("made-up token", "agent above", "token of owner may all", "token of owner revoked"):
                response = ask(row, judge.ground.knocks[name], judge.ground.shared(row.on), CSRF)
                if response.status_code == 401:
                    # A decision whose sign-in form carries what was typed.
                    assert row.name.endswith("decide") and "password" in response.content.decode(), row.name
                else:
                    assert response.status_code == 302 and response["Location"].startswith("/login/"), row.name
