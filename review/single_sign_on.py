"""Single sign-on by OpenID Connect: discovery, code flow with PKCE, checked id tokens, all by Authlib. Off without an issuer.

Who comes is told by the provider's verified e-mail address: a user has it already, or its domain is one whose people may have an
account, which begins without any right.
"""

from functools import cache
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from ledger.actions.locking import lock_names
from ledger.errors import Forbidden

log = structlog.get_logger(__name__)

TIMEOUT_S = 10
# Of how one signed in there (RFC 8176), what counts as a second factor.
SECOND_FACTORS = {"mfa", "otp", "hwk", "swk"}


class NotLetIn(Forbidden):
    """The provider knows them, this installation does not."""

    title = "not let in"


def is_configured() -> bool:
    return bool(settings.COUNTERSIGN_OIDC_ISSUER and settings.COUNTERSIGN_OIDC_CLIENT)


def provider() -> Any:
    """Authlib's client of the configured provider. Read in with its first use: the package is large."""
    return _client(settings.COUNTERSIGN_OIDC_ISSUER, settings.COUNTERSIGN_OIDC_CLIENT, settings.COUNTERSIGN_OIDC_SECRET)


@cache
def _client(issuer: str, client: str, secret: str) -> Any:
    from authlib.integrations.django_client import OAuth

    return OAuth().register(
        "provider",
        client_id=client,
        client_secret=secret or None,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid email profile",
            "code_challenge_method": "S256",
            "token_endpoint_auth_method": "client_secret_basic" if secret else "none",
            "default_timeout": TIMEOUT_S,
        },
    )


def person_of(claims: dict[str, Any]) -> User:
    """The user with the verified address, made where its domain may. Raises `NotLetIn`."""
    email = str(claims.get("email") or "").strip().lower()
    if not email or claims.get("email_verified") is not True:
        raise NotLetIn("the provider names no verified e-mail address of yours")
    with transaction.atomic():
        lock_names([f"single-sign-on|{email}"])
        users = list(User.objects.filter(email__iexact=email)[:2])
        if not users and email.rpartition("@")[2] in settings.COUNTERSIGN_OIDC_DOMAINS:
            users = [_made(email, claims)]
    if len(users) != 1 or not users[0].is_active:
        log.warning("single_sign_on_refused", accounts=len(users))
        raise NotLetIn("no account here has your e-mail address, or more than one has it: ask who administers this")
    return users[0]


def _made(email: str, claims: dict[str, Any]) -> User:
    """An account under the address, with no password and no role. A name that somebody has already is not taken over."""
    if User.objects.filter(username__iexact=email).exists():
        raise NotLetIn("another account is called like your e-mail address: ask who administers this")
    names = {
        "first_name": str(claims.get("given_name") or "")[:150],
        "last_name": str(claims.get("family_name") or "")[:150],
    }
    user: User = User.objects.create_user(email[:150], email, None, **names)
    log.info("single_sign_on_account_made", user=user.username)
    return user


def had_second_factor(claims: dict[str, Any]) -> bool:
    """Whether the provider says that it asked for one."""
    methods = claims.get("amr")
    return isinstance(methods, list) and not SECOND_FACTORS.isdisjoint(map(str, methods))
