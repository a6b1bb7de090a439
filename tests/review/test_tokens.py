"""Tokens: who may make them, what they open, and that they close."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone

from ledger.actions.scope import create_scope, set_member
from ledger.actor import Actor, operator
from ledger.errors import BadTransition, Forbidden, Invalid, NotFound
from ledger.models import JournalEvent
from ledger.rules.permissions import Access
from review.access import access_of_token, actor_of_token, digest_of, roles_of, token_of
from review.models import AgentToken
from review.tokens import create_token, provision, revoke_token

pytestmark = pytest.mark.django_db(transaction=True)
OPERATOR = operator("tests")


@pytest.fixture
def alice(db: None) -> Actor:
    """Owns the yard; Bob reviews it."""
    create_scope("yard", tier="project", actor=OPERATOR)
    create_scope("field", tier="project", actor=OPERATOR)
    for name, role in (("alice", "owner"), ("bob", "reviewer")):
        User.objects.create_user(name, password="a long password")
        set_member(create_or_get("yard"), name, role=role, actor=OPERATOR)
    return actor_named("alice")


def create_or_get(path: str) -> Any:
    from ledger.models import Scope

    return Scope.objects.get(path=path)


def access_of_user(user: User) -> Access:
    return Access(roles=roles_of(user.pk), is_staff=user.is_staff)


def actor_named(name: str) -> Actor:
    user = User.objects.get(username=name)
    return Actor("human", name, "screen", user_id=user.pk, access=access_of_user(user))


def agent(actor: Actor, **more: Any) -> tuple[AgentToken, str]:
    wanted: dict[str, Any] = {"name": "scribe", "kind": "agent", "scopes": ["yard"], "grants": ["read", "ingest"]}
    return create_token(**(wanted | more), actor=actor)


def get(secret: str, path: str = "/runs", **headers: str) -> tuple[int, Any]:
    response = Client().get(f"/api/v1{path}", headers={"Authorization": f"Bearer {secret}", **headers})
    return response.status_code, json.loads(response.content)


def test_an_owner_makes_an_agents_token_that_opens_until_it_is_revoked(alice: Actor) -> None:
    token, secret = agent(alice)
    assert secret.startswith("cs_") and token.sha256 == digest_of(secret) and token.prefix == secret[:8]
    assert token.speakers == ["agent", "tool", "document"]
    access = access_of_token(token)
    assert access.may("read", "yard/shed") and not access.may("propose", "yard") and not access.sees("field")  # type: ignore[arg-type]
    assert get(secret)[0] == 200
    used = AgentToken.objects.get().last_used_at
    assert used is not None
    assert get(secret)[0] == 200 and AgentToken.objects.get().last_used_at == used
    AgentToken.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    get(secret)
    assert AgentToken.objects.get().last_used_at >= used
    revoke_token(token, actor=alice)
    assert token_of(secret) is None and get(secret)[0] == 401
    with pytest.raises(BadTransition):
        revoke_token(token, actor=alice)
    events = JournalEvent.objects.filter(verb__in=["token_create", "token_revoke"]).order_by("id")
    assert [event.actor_name for event in events] == ["alice", "alice"]
    assert not any(secret in event.reason or token.sha256 in event.reason for event in events)


def test_only_who_administers_makes_agents_tokens(alice: Actor) -> None:
    bob = actor_named("bob")
    with pytest.raises(Forbidden):
        agent(bob)
    with pytest.raises(NotFound):
        agent(alice, scopes=["field"])
    with pytest.raises(NotFound):
        agent(alice, scopes=["global"])
    for wrong in (
        {"grants": ["review"]},
        {"grants": []},
        {"scopes": []},
        {"speakers": ["god"]},
        {"name": " "},
        {"kind": "x"},
    ):
        with pytest.raises(Invalid):
            agent(alice, **wrong)
    token, _ = agent(alice)
    with pytest.raises(Forbidden):
        revoke_token(token, actor=bob)


def test_a_user_makes_own_tokens_with_no_more_than_their_rights(alice: Actor) -> None:
    bob, user = actor_named("bob"), User.objects.get(username="bob")
    with pytest.raises(Forbidden):
        agent(bob, kind="user", user=user, grants=["administer"])
    with pytest.raises(Forbidden):
        agent(alice, kind="user", user=user)
    with pytest.raises(Invalid):
        agent(bob, kind="user", grants=["curate"], user=user)
    token, secret = agent(bob, kind="user", user=user, grants=["read", "review"])
    actor = actor_of_token(token)
    assert (actor.kind, actor.name, actor.user_id, actor.token_id) == ("human", "bob", user.pk, token.pk)
    assert actor.access.may("review", "yard") and not actor.access.may("ingest", "yard")  # type: ignore[arg-type]
    set_member(create_or_get("yard"), "bob", role="viewer", actor=OPERATOR)
    assert not access_of_token(AgentToken.objects.get()).may("review", "yard")  # type: ignore[arg-type]
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert get(secret)[0] == 401


def test_provision_is_safe_to_repeat(db: None) -> None:
    for _ in range(2):
        provision(username="admin", password="a long password", reviewer_token="cs_r", agent_token="cs_a")
    user = User.objects.get()
    assert user.is_staff and user.check_password("a long password")
    access = access_of_user(user)
    assert access.roles == {"global": "owner"} and access.may_make_top_level()
    assert AgentToken.objects.count() == 2
    token = token_of("cs_a")
    assert token is not None and sorted(token.grants) == ["ingest", "observe", "propose", "read"]
    revoke_token(token, actor=OPERATOR)
    provision(username="admin", password="a long password", reviewer_token="cs_r", agent_token="cs_a")
    assert token_of("cs_a") is None


def test_wrong_secrets_and_schemes(alice: Actor) -> None:
    _, secret = agent(alice)
    for header in (
        f"Basic {secret}",
        f"bearer {secret}x",
        "Bearer",
        "Bearer ",
        "Bearer \udcff",
        "cs_",
        f"Bearer {secret}é",
    ):
        response = Client().get("/api/v1/runs", headers={"Authorization": header})
        assert response.status_code == 401 and response["WWW-Authenticate"].startswith("Bearer"), header
        assert response["Content-Type"] == "application/problem+json"
    assert Client().get("/api/v1/runs", headers={"Authorization": f"bearer {secret}"}).status_code == 200


def test_a_session_needs_its_csrf_token_for_writes(alice: Actor) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get(username="alice"))
    assert client.get("/api/v1/runs").status_code == 200
    body = {"scope": "yard", "text": "Decision: x"}
    refused = client.post("/api/v1/sources", body, content_type="application/json")
    assert refused.status_code == 403 and refused.json()["type"] == "forbidden"
    client.cookies["csrftoken"] = "a" * 32
    sent = client.post("/api/v1/sources", body, content_type="application/json", headers={"X-CSRFToken": "a" * 32})
    assert sent.status_code == 201 and sent.json()["source"]["sender_kind"] == "document"
    wrong = client.get("/api/v1/runs", headers={"Authorization": "Bearer cs_wrong"})
    assert wrong.status_code == 401


def test_the_command(alice: Actor) -> None:
    out = StringIO()
    call_command("token", "create", "scribe", "--scope", "yard", "--grant", "read", stdout=out)
    secret = out.getvalue().strip()
    assert get(secret)[0] == 200
    listed = StringIO()
    call_command("token", "list", stdout=listed)
    assert "scribe" in listed.getvalue() and secret not in listed.getvalue()
    call_command("token", "revoke", str(AgentToken.objects.get().pk), stdout=StringIO())
    assert get(secret)[0] == 401
    with pytest.raises(CommandError):
        call_command("token", "create", "x", "--user", "nobody", stdout=StringIO())
