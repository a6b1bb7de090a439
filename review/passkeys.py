"""Passkeys (WebAuthn): a key that a phone, a computer or a stick keeps to itself, and that signs what the server just thought of.

fido2 checks challenge, origin, host and signature. Here stands whose keys there are, of which host, and that a key's own counter
only rises, so that a copy of one is noticed. The database holds public keys: it alone signs nobody in.
"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import structlog
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils import timezone
from django.utils.ipv6 import is_valid_ipv6_address

from review.models import Passkey

if TYPE_CHECKING:
    from fido2.server import Fido2Server

log = structlog.get_logger(__name__)

# What was last thought of, in the session: to be signed, and for a new key.
TO_SIGN, TO_MAKE = "passkey_to_sign", "passkey_to_make"
MAX_WAIT_S = 600
MAX_PASSKEYS = 20
MAX_ID_BYTES = 1023


def host_of(request: HttpRequest) -> str:
    return split_domain_port(request.get_host())[0]


def host_takes_passkeys(request: HttpRequest) -> bool:
    """Browsers keep passkeys for names, not for addresses."""
    host = host_of(request)
    return not host.replace(".", "").isdecimal() and not is_valid_ipv6_address(host.strip("[]"))


def usable(request: HttpRequest, user: User) -> QuerySet[Passkey]:
    """The user's own of this host; those of another one a browser does not find here."""
    return Passkey.objects.filter(user=user, host=host_of(request))


def begin_signing(request: HttpRequest, user: User) -> str:
    """What the browser hands to the user's passkeys, as JSON; nothing where none is of this host. Pages that are open beside each
    other ask for the same, until it was signed once."""
    rows = usable(request, user)
    if not rows:
        return ""
    from fido2.utils import websafe_decode

    before = request.session.get(TO_SIGN)
    challenge = websafe_decode(before["challenge"]) if before else None
    options, request.session[TO_SIGN] = _server(request).authenticate_begin(
        list(map(_credential, rows)), _presence(), challenge
    )
    return _as_json(options.public_key)


@transaction.atomic
def signed_by(request: HttpRequest, user: User, answer: str) -> Passkey | None:
    """The passkey that signed; None where the answer does not fit. What was signed is used up."""
    rows = {bytes(row.credential): row for row in usable(request, user).select_for_update()}
    state = request.session.get(TO_SIGN)

    def check() -> tuple[bytes, int]:
        from fido2.webauthn import AuthenticationResponse

        given = AuthenticationResponse.from_dict(json.loads(answer))
        found = _server(request).authenticate_complete(state, list(map(_credential, rows.values())), given)
        return bytes(found), given.response.authenticator_data.counter

    checked = _unless_refused(check) if state else None
    if checked is None:
        return None
    passkey, counter = rows[checked[0]], checked[1]
    if counter <= passkey.sign_count and (counter or passkey.sign_count):
        log.error("passkey_copied", user=user.get_username(), passkey=passkey.pk)
        return None
    del request.session[TO_SIGN]
    passkey.sign_count, passkey.last_used_at = counter, timezone.now()
    passkey.save(update_fields=["sign_count", "last_used_at"])
    return passkey


def begin_passkey(request: HttpRequest, user: User) -> None:
    """From now on, for ten minutes, this session may add a passkey."""
    from fido2.webauthn import PublicKeyCredentialUserEntity

    name = user.get_username()
    owner = PublicKeyCredentialUserEntity(id=str(user.pk).encode(), name=name, display_name=name)
    have = list(map(_credential, usable(request, user)))
    options, state = _server(request).register_begin(owner, have, user_verification=_presence())
    until = timezone.now().timestamp() + MAX_WAIT_S
    request.session[TO_MAKE] = {"state": state, "options": _as_json(options.public_key), "until": until}


def passkey_to_make(request: HttpRequest) -> str:
    """What the browser makes a passkey from, as JSON; nothing where none was begun, or too long ago."""
    begun = request.session.get(TO_MAKE)
    return begun["options"] if begun and begun["until"] >= timezone.now().timestamp() else ""


def add_passkey(request: HttpRequest, user: User, name: str, answer: str) -> Passkey | None:
    """The one that was begun, as the browser made it; None where the answer does not fit."""
    begun = request.session.get(TO_MAKE, {})

    def check() -> tuple[bytes, int]:
        made = _server(request).register_complete(begun["state"], json.loads(answer))
        credential = made.credential_data
        if credential is None or len(credential.credential_id) > MAX_ID_BYTES:
            raise ValueError("no credential of a length that is allowed")
        return bytes(credential), made.counter

    checked = _unless_refused(check) if passkey_to_make(request) else None
    if checked is None or usable(request, user).count() >= MAX_PASSKEYS:
        return None
    del request.session[TO_MAKE]
    more = {"name": name.strip()[:60] or "passkey", "sign_count": checked[1]}
    passkey, _ = Passkey.objects.get_or_create(user=user, host=host_of(request), credential=checked[0], defaults=more)
    log.info("passkey_added", user=user.get_username(), passkey=passkey.pk)
    return passkey


def _unless_refused[T](check: Callable[[], T]) -> T | None:
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - of bytes that anybody may send, decoders raise all kinds of errors
        log.warning("passkey_refused", why=type(error).__name__)
        return None


def _server(request: HttpRequest) -> "Fido2Server":
    """Read in with its first use: whoever has no passkey does not wait for it."""
    from fido2.rpid import verify_rp_id
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    host = host_of(request)

    def is_ours(origin: str) -> bool:
        return verify_rp_id(host, origin) and urlsplit(origin).netloc == request.get_host()

    return Fido2Server(PublicKeyCredentialRpEntity(name="Countersign", id=host), verify_origin=is_ours)


def _credential(row: Passkey) -> Any:
    from fido2.webauthn import AttestedCredentialData

    return AttestedCredentialData(bytes(row.credential))


def _presence() -> Any:
    """That somebody is there is enough: the password says who."""
    from fido2.webauthn import UserVerificationRequirement

    return UserVerificationRequirement.DISCOURAGED


def _as_json(options: Any) -> str:
    return json.dumps(dict(options))
