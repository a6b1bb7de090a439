"""What a user or a token may do, in at most two queries, and who a request acts for."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest

from ledger.actor import Actor
from ledger.models import Member
from ledger.rules.permissions import Access
from review.models import AgentToken, TokenKind


def roles_of(user_id: int) -> dict[str, str]:
    """Role by scope path; one query."""
    return dict(Member.objects.filter(user_id=user_id).values_list("scope__path", "role"))


def access_of_user(user: AbstractBaseUser | AnonymousUser) -> Access:
    """A signed-in person's roles; nothing at all for anybody else."""
    if not isinstance(user, User) or not user.is_active:
        return Access()
    return Access(roles=roles_of(user.pk), is_staff=user.is_staff)


def access_of_token(token: AgentToken) -> Access:
    """Grants and scopes of the token; a user's also carries the user's roles, which bound it."""
    grants, scopes = frozenset(token.grants), tuple(token.scopes)
    if token.kind == TokenKind.AGENT:
        return Access(grants=grants, token_scopes=scopes, agent=True, speakers=frozenset(token.speakers))
    if token.user is None or not token.user.is_active:
        return Access(grants=frozenset(), token_scopes=())
    return Access(roles=roles_of(token.user.pk), grants=grants, token_scopes=scopes, is_staff=token.user.is_staff)


def actor_of_token(token: AgentToken, *, door: str = "api", request_id: str = "") -> Actor:
    """An agent acts under its token's name, a user's token under the user's."""
    access = access_of_token(token)
    if token.kind == TokenKind.AGENT:
        return Actor("agent", token.name, door, token_id=token.pk, request_id=request_id, access=access)
    name = token.user.get_username() if token.user else token.name
    return Actor(
        "human", name, door, user_id=token.user_id, token_id=token.pk, request_id=request_id, access=access
    )  # fmt: skip


def actor_of_request(request: HttpRequest, door: str = "screen") -> Actor:
    """The person of this session. Somebody who is not signed in sees nothing."""
    user = request.user
    name = user.get_username() or "anonymous"
    request_id = getattr(request, "request_id", "")
    return Actor("human", name, door, user_id=user.pk, request_id=request_id, access=access_of_user(user))
