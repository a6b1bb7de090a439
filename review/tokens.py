"""Tokens: made once, shown once, revoked for good; each is an event in the journal, without the secret."""

import secrets
from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from ledger.actions.scope import set_member
from ledger.actor import Actor, operator
from ledger.errors import BadTransition, Forbidden, Invalid, NotFound
from ledger.journal import Step
from ledger.models import GLOBAL, Member, Role, Scope, Speaker
from ledger.rules.permissions import AGENT_GRANTS, USER_GRANTS, Right
from ledger.verbs import Verb
from review.access import PREFIX, digest_of
from review.models import AgentToken, TokenKind

PREFIX_LENGTH = len(PREFIX) + 5
# As whom a token may speak, unless it says otherwise.
USUAL_SPEAKERS: dict[str, tuple[str, ...]] = {TokenKind.AGENT: (Speaker.AGENT, Speaker.TOOL, Speaker.DOCUMENT)}
UP = operator("up")


def create_token(
    *,
    name: str,
    kind: str,
    scopes: Sequence[str],
    grants: Sequence[str],
    actor: Actor,
    user: User | None = None,
    speakers: Sequence[str] | None = None,
    secret: str = "",
) -> tuple[AgentToken, str]:
    """The row and the secret, which is kept nowhere. An agent's token needs the right to administer all its scopes; a
    user may make tokens for themselves with no more than their own rights. Raises `Invalid` by field, `NotFound` for a
    scope out of sight, `Forbidden`. `secret` is given only by `up`, whose tokens outlive its database."""
    name, agent = name.strip(), kind == TokenKind.AGENT
    speakers = USUAL_SPEAKERS.get(kind, ()) if speakers is None else speakers
    _check_holder(name, kind, user)
    _check_known(grants, AGENT_GRANTS if agent else USER_GRANTS, "grants")
    _check_known(speakers, Speaker.values, "speakers", may_be_empty=True)
    rows = _scopes(scopes, actor)
    _check_rights(rows, grants, actor, agent=agent, user=user)
    secret = secret or PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic(savepoint=False):
        token = AgentToken.objects.create(
            kind=kind,
            name=name,
            user=None if agent else user,
            sha256=digest_of(secret),
            prefix=secret[:PREFIX_LENGTH],
            scopes=[row.path for row in rows],
            grants=sorted(map(str, set(grants))),
            speakers=list(map(str, speakers)) if agent else [],
            created_by=actor.name,
        )
        _journal(Verb.TOKEN_CREATE, token, rows[0], actor)
    return token, secret


def _check_holder(name: str, kind: str, user: User | None) -> None:
    if not name or len(name) > 100 or "\0" in name:
        raise Invalid("a name has 1 to 100 characters", field="name")
    if kind not in TokenKind.values:
        raise Invalid(f"kind is one of {', '.join(TokenKind.values)}", field="kind")
    if kind == TokenKind.USER and user is None:
        raise Invalid("a user's token names its user", field="user")


def revoke_token(token: AgentToken, *, actor: Actor, reason: str = "") -> AgentToken:
    """From the next request on it opens nothing. Its owner, or who administers all its scopes, may do this."""
    with transaction.atomic(savepoint=False):
        token = AgentToken.objects.select_for_update(of=("self",)).get(pk=token.pk)
        own = token.user_id is not None and token.user_id == actor.user_id
        rows = _scopes(token.scopes, None if own else actor)
        for row in [] if own else rows:
            actor.require(Right.ADMINISTER, row)
        if token.revoked_at is not None:
            raise BadTransition(f"token {token.name!r} is revoked already", state="revoked")
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        _journal(Verb.TOKEN_REVOKE, token, rows[0], actor, reason)
    return token


def _journal(verb: Verb, token: AgentToken, scope: Scope, actor: Actor, reason: str = "") -> None:
    whose = f"user {token.user.get_username()}" if token.user else "an agent"
    what = f"{token.name} ({token.prefix}…) of {whose}: {', '.join(token.grants)} in {', '.join(token.scopes)}"
    with Step(verb, actor=actor, scope=scope, ref=f"token-{token.pk}", reason=f"{reason}\n{what}".strip()):
        pass


def _check_known(given: Sequence[str], allowed: Iterable[str], field: str, *, may_be_empty: bool = False) -> None:
    known = set(map(str, allowed))
    if not given and not may_be_empty:
        raise Invalid(f"{field} is empty", field=field)
    for at, one in enumerate(given):
        if str(one) not in known:
            raise Invalid(f"{one!r} is not one of {', '.join(sorted(known))}", field=f"{field}.{at}")


def _scopes(paths: Sequence[str], actor: Actor | None) -> list[Scope]:
    """The rows of the paths, in their order; out of the actor's sight is not there."""
    if not paths:
        raise Invalid("a token names at least one scope", field="scopes")
    if "\0" in "".join(paths):
        raise NotFound("no such scope")
    found = {row.path: row for row in Scope.objects.filter(path__in=paths)}
    for path in paths:
        if path not in found or (actor is not None and not actor.access.sees(path)):
            raise NotFound(f"no scope {path!r}")
    return [found[path] for path in dict.fromkeys(paths)]


def _check_rights(
    rows: Sequence[Scope], grants: Sequence[str], actor: Actor, *, agent: bool, user: User | None
) -> None:
    """An agent's token is made by who administers all its scopes, a user's by the user, with no more than their rights."""
    if Right.ADMINISTER in actor.access.everywhere:
        return
    if not agent and (user is None or user.pk != actor.user_id):
        raise Forbidden("a token acts for the user who makes it")
    rights = [*([Right.ADMINISTER] if agent else []), *map(Right, grants)]
    for row in rows:
        for right in rights:
            actor.require(right, row)


def provision(*, username: str, password: str, reviewer_token: str, agent_token: str) -> None:
    """A staff user who owns `global`, their token with every grant, and an agent's token that may read, ingest, propose
    and observe everywhere, and send what its user said, which is shown as brought by it. Safe at every
    start: it changes back nothing that a person changed, a revoked token included."""
    with transaction.atomic():
        known = User.objects.filter(username=username).first()
        user = known or User.objects.create_superuser(username=username, password=password)
        everything = Scope.objects.get(path=GLOBAL)
        if not Member.objects.filter(scope=everything, user=user).exists():
            set_member(everything, username, role=Role.OWNER, actor=UP)
        if not _exists(reviewer_token):
            create_token(
                name=f"{username}'s token", kind=TokenKind.USER, user=user, scopes=[GLOBAL],
                grants=sorted(USER_GRANTS), actor=UP, secret=reviewer_token,
            )  # fmt: skip
        if not _exists(agent_token):
            create_token(
                name="agent", kind=TokenKind.AGENT, scopes=[GLOBAL], grants=sorted(AGENT_GRANTS), actor=UP,
                secret=agent_token, speakers=[*USUAL_SPEAKERS[TokenKind.AGENT], Speaker.USER],
            )  # fmt: skip


def _exists(secret: str) -> bool:
    return AgentToken.objects.filter(sha256=digest_of(secret)).exists()
