"""Every id in an address: a strange one is answered like one that nobody has, and a word that is no id breaks nothing."""

import re
import uuid
from typing import Any

import pytest
from django.http import HttpResponse

from tests.matrix.ground import CSRF, Ground, Thing
from tests.matrix.table import ENDPOINTS, Row
from tests.matrix.test_endpoints import ask

PARAMETER = re.compile(r"{(\w+)}")
NAMED = [row for row in ENDPOINTS if PARAMETER.search(row.name)]
MALFORMED = (str(2**70), "%00", "nobody's")
pytestmark = pytest.mark.django_db(transaction=True)


def unknown(value: Any) -> str:
    """Of the same form, and nobody's."""
    text = str(value)
    if text.isdigit():
        return "400000000000000000"
    if re.fullmatch(r"[A-Z]+-\d{8}-\d+", text):
        return f"{text.split('-')[0]}-20000101-999"
    return str(uuid.uuid4()) if re.fullmatch(r"[0-9a-f-]{36}", text) else f"nobody-{text[-3:]}"


def told(response: HttpResponse, names: list[str], thing: Thing) -> tuple[int, str]:
    """Status and body, with the ids that were asked for taken out."""
    body = b"".join(response) if response.streaming else response.content
    text = body.decode()
    for name in names:
        text = re.sub(rf"\b{re.escape(str(thing[name]))}\b", "…", text)
    return response.status_code, re.sub(r'"(instance|request_id)":\s*"[^"]*"', "", text)


@pytest.mark.parametrize("row", NAMED, ids=lambda row: row.name)
def test_a_strange_id_is_answered_like_an_unknown_one(ground: Ground, row: Row) -> None:
    names = PARAMETER.findall(row.name)
    thing = ground.shared(row.on)
    nobodys = thing | {name: unknown(thing[name]) for name in names}
    for caller in ("outsider", "token of outsider", "agent beside"):
        knock = ground.knocks[caller]
        strange = told(ask(row, knock, thing, CSRF), names, thing)
        assert strange == told(ask(row, knock, nobodys, CSRF), names, nobodys), caller
        assert strange[0] in (403, 404, row.unseen), (caller, strange)


@pytest.mark.parametrize("row", NAMED, ids=lambda row: row.name)
def test_a_word_that_is_no_id_breaks_nothing(ground: Ground, row: Row) -> None:
    thing = ground.shared(row.on)
    for name in PARAMETER.findall(row.name):
        for word in MALFORMED:
            status = ask(row, ground.knocks["owner here"], thing | {name: word}, CSRF).status_code
            assert status < 500, (name, word, status)
