"""Who a request acts for, by its token or its session, and what they may do: at most two queries."""

import hashlib
from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from ledger.actor import Actor
from ledger.models import Member
from ledger.reads.sql import fetch_rows
from ledger.rules.permissions import Access
from review.models import AgentToken, TokenKind
from review.second_factor import require_second_factor

PREFIX = "cs_"
NOTED_EVERY = timedelta(minutes=1)


# Each with whether a second factor is asked for in that scope, above it, or anywhere that the role reaches.
MEMBERSHIPS = """
    SELECT s.path, m.role, EXISTS (
        SELECT FROM ledger_scope a WHERE a.second_factor AND (
            a.path IN ('global', s.path) OR s.path = 'global'
            OR starts_with(s.path, a.path || '/') OR starts_with(a.path, s.path || '/')))
    FROM ledger_member m JOIN ledger_scope s ON s.id = m.scope_id WHERE m.user_id = %s
"""


def digest_of(secret: str) -> str:
    """A token holds 256 random bits, so that a plain hash is as good as a slow one, and finds its row by index."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def token_of(secret: str) -> AgentToken | None:
    """The live token with this secret. Found by its hash: no comparison takes longer for a better guess."""
    if not secret.startswith(PREFIX) or len(secret) > 200:
        return None
    live = AgentToken.objects.filter(Q(user=None) | Q(user__is_active=True), revoked_at=None)
    return live.select_related("user").filter(sha256=digest_of(secret)).first()


def note_use(token: AgentToken) -> None:
    """When it was last used, to the minute: an agent's every call must not rewrite a row."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - NOTED_EVERY:
        old = Q(last_used_at=None) | Q(last_used_at__lt=now - NOTED_EVERY)
        AgentToken.objects.filter(old, pk=token.pk).update(last_used_at=now)


def roles_of(user_id: int) -> dict[str, str]:
    """Role by scope path; one query."""
    return dict(Member.objects.filter(user_id=user_id).values_list("scope__path", "role"))


def access_of_session(request: HttpRequest) -> Access:
    """A signed-in person's roles; nothing at all for anybody else. Raises `SecondFactorNeeded`."""
    user = request.user
    if not isinstance(user, User) or not user.is_active:
        return Access()
    memberships = fetch_rows(MEMBERSHIPS, [user.pk])
    require_second_factor(request, asked_by_scope=any(asks for _, _, asks in memberships))
    return Access(roles={path: role for path, role, _ in memberships}, is_staff=user.is_staff)


def access_of_token(token: AgentToken) -> Access:
    """Grants and scopes of the token; a user's also carries the user's roles, which bound it."""
    grants, scopes = frozenset(token.grants), tuple(token.scopes)
    if token.kind == TokenKind.AGENT:
        return Access(grants=grants, token_scopes=scopes, agent=True, speakers=frozenset(token.speakers))
    if token.user is None or not token.user.is_active:
        return Access(grants=frozenset(), token_scopes=())
    return Access(roles=roles_of(token.user.pk), grants=grants, token_scopes=scopes, is_staff=token.user.is_staff)


def actor_of_token(token: AgentToken, *, request_id: str = "") -> Actor:
    """An agent acts under its token's name, a user's token under the user's."""
    access = access_of_token(token)
    if token.kind == TokenKind.AGENT:
        return Actor("agent", token.name, "api", token_id=token.pk, request_id=request_id, access=access)
    name = token.user.get_username() if token.user else token.name
    return Actor(
        "human", name, "api", user_id=token.user_id, token_id=token.pk, request_id=request_id, access=access
    )  # fmt: skip


def actor_of_request(request: HttpRequest, door: str = "screen") -> Actor:
    """The person of this session. Somebody who is not signed in sees nothing."""
    user = request.user
    name = user.get_username() or "anonymous"
    request_id = getattr(request, "request_id", "")
    return Actor("human", name, door, user_id=user.pk, request_id=request_id, access=access_of_session(request))
