"""Asking as agents do, and what they ask about."""

from urllib.parse import urlencode

from ledger.actions.promote import promote
from ledger.actor import demo, operator
from ledger.models import Claim, Scope
from ledger.rules.packing import estimate_tokens
from tests.people import candidate
from tests.review.door import Door

ALICE = operator("Alice")
HAND = demo("Alice")


def hold(scope: Scope, statement: str, kind: str = "fact", **more) -> Claim:
    """A claim that Alice countersigned."""
    claim = candidate(scope, ALICE, statement, kind=kind, **more)
    promote(claim, actor=ALICE)
    claim.refresh_from_db()
    return claim


def search(door: Door, q: str, scope: str = "studio", **more) -> list[dict]:
    status, body = door("GET", f"/search?{urlencode({'q': q, 'scope': scope, **more})}")
    assert status == 200, body
    return body["items"]


def context(door: Door, scope: str = "studio", **more) -> dict:
    status, body = door("POST", "/context", {"scope": scope, **more})
    assert status == 200, body
    assert body["tokens"] == estimate_tokens(body["markdown"])
    return body


def check(door: Door, text: str, scope: str = "studio") -> dict:
    status, body = door("POST", "/check", {"scope": scope, "text": text})
    assert status == 200, body
    return body


def refs(items: list[dict]) -> list[str]:
    return [item["ref"] for item in items]
