"""The HTTP door as each caller finds it."""

import json
import secrets
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from ledger.actor import operator
from ledger.models import Scope
from ledger.rules.permissions import AGENT_GRANTS, USER_GRANTS
from review.access import PREFIX, digest_of
from review.models import AgentToken
from review.tokens import PREFIX_LENGTH, USUAL_SPEAKERS
from tests.people import ROLES, make_people, make_scope

OPERATOR = operator("Alice")


class Door:
    """One caller. `door("POST", "/candidates", {...})` answers the status and the parsed body."""

    def __init__(self, token: str | None = None, *, client: Client | None = None) -> None:
        self.token = token
        self.client = client or Client()

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        response = self.client.generic(
            method,
            "/api/v1" + path,
            b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode(),
            content_type="application/json",
            headers=headers,
        )
        try:
            return response.status_code, json.loads(response.content)
        except ValueError:
            return response.status_code, response.content.decode()

    def pages(self, path: str) -> list[Any]:
        """All items of a list, page by page."""
        found: list[Any] = []
        cursor = ""
        while True:
            status, page = self("GET", f"{path}{'&' if '?' in path else '?'}limit=2{cursor}")
            assert status == 200, page
            found += page["items"]
            if page["next"] is None:
                return found
            cursor = f"&cursor={page['next']}"


@dataclass(frozen=True)
class House:
    """A scope with a child and a stranger beside it; a user's token for everybody, an agent's, and nobody's."""

    scope: Scope
    child: Scope
    elsewhere: Scope
    alice: Door
    bob: Door
    carol: Door
    vera: Door
    charlie: Door
    agent: Door
    anonymous: Door

    def session(self, name: str, *, csrf: bool = True) -> Door:
        """A signed-in page of `name`; `csrf=True` sends the token that the page carries."""
        client = Client(enforce_csrf_checks=True)
        client.force_login(User.objects.get(username=name))
        door = Door(client=client)
        if csrf:
            client.cookies["csrftoken"] = "a" * 32

            class WithToken(Door):
                def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
                    return super().__call__(method, path, body, **{"X-CSRFToken": "a" * 32, **headers})

            door = WithToken(client=client)
        return door


def build_house() -> House:
    scope = make_scope("studio")
    child = make_scope("studio/backdrop", parent=scope)
    elsewhere = make_scope("kitchen")
    make_people(scope)
    users = User.objects.in_bulk(ROLES, field_name="username")
    doors = {name: Door(PREFIX + secrets.token_urlsafe(32)) for name in (*ROLES, "agent")}
    of_people = [token_row(doors[name], "user", name, ["global"], USER_GRANTS, user=users[name]) for name in ROLES]
    speakers = list(USUAL_SPEAKERS["agent"])
    of_agent = token_row(doors["agent"], "agent", "scribe", ["studio"], AGENT_GRANTS, speakers=speakers)
    AgentToken.objects.bulk_create([*of_people, of_agent])
    return House(scope=scope, child=child, elsewhere=elsewhere, anonymous=Door(), **doors)


def token_row(door: Door, kind: str, name: str, scopes: list[str], grants: frozenset[str], **more: Any) -> AgentToken:
    """A token made bare, without its verb: the ground a test stands on."""
    assert door.token
    return AgentToken(
        kind=kind, name=name, sha256=digest_of(door.token), prefix=door.token[:PREFIX_LENGTH], scopes=scopes,
        grants=sorted(map(str, grants)), created_by=OPERATOR.name, **more,
    )  # fmt: skip
