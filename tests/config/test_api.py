"""The API's own pages, and the shape of what goes wrong."""

import json
import re
import time
from collections import Counter
from contextlib import suppress
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection, transaction
from django.test import Client


@pytest.mark.django_db
def test_the_pages_hold_under_the_content_security_policy() -> None:
    page = Client().get("/api/v1/docs")
    assert page.status_code == 200 and "unsafe" not in page["Content-Security-Policy"]
    html = page.content.decode()
    assert not re.search(r"<script(?![^>]*src=)|\son\w+=|style=|https?://", html)
    for address in re.findall(r'(?:src|href)="([^"]+)"', html):
        assert Client().get(address).status_code == 200, address
    schema = json.loads(Client().get("/api/v1/openapi.json").content)
    assert "/api/v1/sources" in schema["paths"] and schema["components"]["securitySchemes"]


def test_the_document_is_stable() -> None:
    once, again = StringIO(), StringIO()
    call_command("openapi", stdout=once)
    call_command("openapi", stdout=again)
    assert once.getvalue() == again.getvalue() and json.loads(once.getvalue())["openapi"]


def test_no_two_shapes_share_a_name() -> None:
    """The document holds one of each name: of two, the answers of one would be described as the other."""
    files = [
        file
        for room in ("config", "extraction", "review")
        for file in (settings.BASE_DIR / room).rglob("*.py")
        if "api" in file.parts + (file.stem,)
    ]
    named = [
        name for file in files for name in re.findall(r"^class (\w+(?:Shape|In))\b", file.read_text(), re.MULTILINE)
    ]
    assert len(named) > 100 and len(named) == len(set(named)), Counter(named).most_common(3)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/nothing", 404),
        ("PUT", "/api/v1/health/live", 405),
        ("GET", "/api/v1/runs", 401),
        ("GET", "/api/v1/", 404),
    ],
)
def test_errors_are_problems(method: str, path: str, status: int) -> None:
    answer = Client().generic(method, path)
    body = json.loads(answer.content)
    assert answer.status_code == status == body["status"] and answer["Content-Type"] == "application/problem+json"
    assert {"type", "title", "detail"} <= body.keys()
    assert (status == 405) == ("Allow" in answer)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "headers", "status"),
    [("q=" + "a" * 40_000, {}, 414), ("", {"X-A": "a" * 70_000}, 431), ("", {f"X-{n}": "1" for n in range(95)}, 431)],
)
def test_long_addresses_and_headers_are_problems_too(query: str, headers: dict[str, str], status: int) -> None:
    answer = Client().get(f"/api/v1/health/live?{query}", headers=headers)
    assert answer.status_code == status == answer.json()["status"]
    assert answer["Content-Type"] == "application/problem+json"
    page = Client().get(f"/login/?{query}", headers=headers)
    assert page.status_code == status and "longer" in page.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "lose",
    [
        "SELECT pg_terminate_backend(pg_backend_pid())",
        "SET idle_in_transaction_session_timeout = 200",  # where the clock jumps, minutes are over at once
    ],
)
def test_a_lost_database_is_said_to_be_not_now(lose: str) -> None:
    try:
        with suppress(DatabaseError), transaction.atomic():
            with suppress(OperationalError), connection.cursor() as cursor:
                cursor.execute(lose)
            time.sleep(0.5)
            answer = Client().get("/api/v1/runs", headers={"Authorization": "Bearer cs_any"})
    finally:
        connection.close()
    assert answer.status_code == 503 and answer["Content-Type"] == "application/problem+json"
    assert answer["Retry-After"] and "database" in answer.json()["detail"]
