"""The user and the tokens that `up` promises. Safe to run at every start; it changes back nothing a person changed."""

from django.contrib.auth.models import User
from django.db import transaction

from ledger.actions.scope import set_member
from ledger.actor import operator
from ledger.models import GLOBAL, Member, Role, Scope
from ledger.rules.permissions import AGENT_GRANTS, USER_GRANTS
from review.models import AgentToken, TokenKind
from review.tokens import create_token, digest_of

ACTOR = operator("up")


def provision(*, username: str, password: str, reviewer_token: str, agent_token: str) -> None:
    """A staff user who owns `global`, their token with every grant, and an agent's token that may read, ingest, propose
    and observe everywhere. A revoked token stays revoked."""
    with transaction.atomic():
        user = User.objects.filter(username=username).first()
        if user is None:
            user = User.objects.create_superuser(username=username, password=password)
        everything = Scope.objects.get(path=GLOBAL)
        if not Member.objects.filter(scope=everything, user=user).exists():
            set_member(everything, username, role=Role.OWNER, actor=ACTOR)
        if not _known(reviewer_token):
            create_token(
                name=f"{username}'s token", kind=TokenKind.USER, user=user, scopes=[GLOBAL],
                grants=sorted(USER_GRANTS), actor=ACTOR, secret=reviewer_token,
            )  # fmt: skip
        if not _known(agent_token):
            create_token(
                name="agent", kind=TokenKind.AGENT, scopes=[GLOBAL], grants=sorted(AGENT_GRANTS), actor=ACTOR,
                secret=agent_token,
            )  # fmt: skip


def _known(secret: str) -> bool:
    return AgentToken.objects.filter(sha256=digest_of(secret)).exists()
