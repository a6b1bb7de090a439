"""The HTTP door as each caller finds it."""

import json
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from ledger.actor import operator
from ledger.models import Scope
from ledger.rules.permissions import AGENT_GRANTS, USER_GRANTS
from review.tokens import create_token
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
    doors = {}
    for name in ROLES:
        user = User.objects.get(username=name)
        _, secret = create_token(
            name=name, kind="user", user=user, scopes=["global"], grants=sorted(USER_GRANTS), actor=OPERATOR
        )
        doors[name] = Door(secret)
    _, secret = create_token(
        name="scribe", kind="agent", scopes=["studio"], grants=sorted(AGENT_GRANTS), actor=OPERATOR
    )
    return House(scope=scope, child=child, elsewhere=elsewhere, agent=Door(secret), anonymous=Door(), **doors)
