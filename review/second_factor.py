"""A second factor beside the password: a code of an app (TOTP), a passkey, and recovery codes for whoever has lost these.

django-otp keeps the codes, takes each once and slows down who guesses; wrong ones count towards the lockout as wrong passwords
do. Here stands who needs one, and what becomes of a sign-in until the code is there.
"""

import structlog
from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.contrib.auth import authenticate, login
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import get_random_string, salted_hmac
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken

from ledger.errors import Forbidden
from review.models import AppCode, BrowserSession, Passkey
from review.passkeys import add_passkey, signed_by

log = structlog.get_logger(__name__)

# Noted in a session that began with one.
VERIFIED = "second_factor"
# A sign-in whose password was right and that waits for the code, in the session of nobody yet.
WAITING = "second_step"
MAX_WAIT_S = 600
RECOVERY_CODES = 10
# Without letters and digits that look alike.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class SecondFactorNeeded(Forbidden):
    """Signed in by a password alone where more is asked for."""

    title = "a second factor is needed"


def has_second_factor(user: User) -> bool:
    return (
        bool(AppCode.objects.filter(user=user, confirmed=True).exists()) or Passkey.objects.filter(user=user).exists()
    )


def is_verified(request: HttpRequest) -> bool:
    """Whether this session began with a second factor."""
    return VERIFIED in request.session


def require_second_factor(request: HttpRequest, *, asked_by_scope: bool = False) -> None:
    """Raises `SecondFactorNeeded` where the installation or a scope of the user's asks for one that this session lacks."""
    asked = settings.COUNTERSIGN_SECOND_FACTOR
    everywhere = asked == "all" or (asked == "staff" and request.user.is_staff)
    if (everywhere or asked_by_scope) and not is_verified(request):
        raise SecondFactorNeeded("set a second factor up, then sign in with it: your account asks for one")


def sign_in(request: HttpRequest, user: User, *, verified_elsewhere: bool = False) -> bool:
    """Sign somebody in whose password was right; False where the code is still to come. `verified_elsewhere`: the single sign-on
    has asked for a second factor."""
    if not verified_elsewhere and has_second_factor(user):
        request.session[WAITING] = {
            "user": user.pk,
            "hash": user.get_session_auth_hash(),
            "backend": getattr(user, "backend", settings.AUTHENTICATION_BACKENDS[-1]),
            "until": timezone.now().timestamp() + MAX_WAIT_S,
        }
        return False
    login(request, user, getattr(user, "backend", settings.AUTHENTICATION_BACKENDS[-1]))
    if verified_elsewhere:
        request.session[VERIFIED] = "single sign-on"
    return True


def waiting_user(request: HttpRequest) -> User | None:
    """Who is about to sign in here, unless that took too long or the password was changed meanwhile."""
    waiting = request.session.get(WAITING)
    if waiting is None or waiting["until"] < timezone.now().timestamp():
        return None
    user = User.objects.filter(pk=waiting["user"], is_active=True).first()
    if user is None or user.get_session_auth_hash() != waiting["hash"]:
        return None
    user.backend = waiting["backend"]
    return user


def finish_sign_in(request: HttpRequest, user: User) -> bool:
    """The second step: False for a wrong code. From the limit on, the request is answered as locked out."""
    device = proof_of(request, user)
    if device is None:
        return False
    request.session.pop(WAITING, None)
    login(request, user, getattr(user, "backend", settings.AUTHENTICATION_BACKENDS[-1]))
    request.session[VERIFIED] = device.name
    return True


def proof_of(request: HttpRequest, user: User) -> Device | Passkey | None:
    """What the posted `code` is of, which is used up thereby, or the passkey that signed `passkey`; wrong ones are counted."""
    name = {"username": user.get_username()}
    code, signature = ("".join(request.POST.get(field, "").split()) for field in ("code", "passkey"))
    if not code and not signature:
        return None
    if not AxesProxyHandler.is_allowed(request, name):
        request.axes_locked_out = True  # type: ignore[attr-defined]
        return None
    if device := device_of(user, code) if code else signed_by(request, user, signature):
        return device
    log.warning("second_factor_failed", user=user.get_username())
    user_login_failed.send(__name__, credentials=name, request=request)
    return None


@transaction.atomic
def device_of(user: User, code: str) -> Device | None:
    """The app or the list of recovery codes that the code is of."""
    word = code.replace("-", "").lower()
    if word.isdecimal() and len(word) == 6:
        device, given = AppCode.objects.select_for_update().filter(user=user, confirmed=True).first(), word
    else:
        device, given = StaticDevice.objects.select_for_update().filter(user=user).first(), hashed(user, word)
    if device is None or not device.verify_token(given):
        return None
    if isinstance(device, StaticDevice):
        log.warning("recovery_code_used", user=user.get_username(), left=codes_left(user))
    return device


def knows_password(request: HttpRequest, user: User, password: str) -> bool:
    """Asked again before a factor is set up; who signs in elsewhere has none here. Wrong ones count as at the sign-in."""
    return not user.has_usable_password() or authenticate(request, username=user.username, password=password) == user


def begin_set_up(user: User) -> AppCode:
    """A new key for the app. What is in force stays so until the first code of the new one."""
    AppCode.objects.filter(user=user, confirmed=False).delete()
    device: AppCode = AppCode.objects.create(user=user, name="app", confirmed=False)
    return device


def unfinished_set_up(user: User) -> AppCode | None:
    device: AppCode | None = AppCode.objects.filter(user=user, confirmed=False).first()
    return device


def finish_set_up(request: HttpRequest, user: User, code: str) -> list[str]:
    """The recovery codes, once the app's first code is right; nothing for a wrong one. This session goes on, all others end."""
    with transaction.atomic():
        device = AppCode.objects.select_for_update().filter(user=user, confirmed=False).first()
        if device is None or not device.verify_token("".join(code.split())):
            return []
        AppCode.objects.filter(user=user, confirmed=True).delete()
        device.confirmed = True
        device.save()
        codes = new_recovery_codes(user)
    end_other_sessions(request, user)
    request.session[VERIFIED] = device.name
    log.info("second_factor_set_up", user=user.get_username())
    return codes


def finish_passkey(request: HttpRequest, user: User) -> tuple[Passkey | None, list[str]]:
    """The passkey that was begun; where it is the first factor, the recovery codes too, and all other sessions end."""
    first = not has_second_factor(user)
    passkey = add_passkey(request, user, request.POST.get("name", ""), request.POST.get("passkey", ""))
    if passkey is None:
        return None, []
    request.session[VERIFIED] = passkey.name
    if not first:
        return passkey, []
    end_other_sessions(request, user)
    return passkey, new_recovery_codes(user)


def remove_passkey(user: User, pk: int) -> None:
    """One that is lost or not used any more; with the last factor the recovery codes go, too."""
    with transaction.atomic():
        gone, _ = Passkey.objects.filter(user=user, pk=pk).delete()
        if not has_second_factor(user):
            StaticDevice.objects.filter(user=user).delete()
    if gone:
        log.warning("passkey_removed", user=user.get_username(), passkey=pk)


def new_recovery_codes(user: User) -> list[str]:
    """Ten, each good once, in place of those before. Only their hashes are kept."""
    codes = [get_random_string(10, LETTERS) for _ in range(RECOVERY_CODES)]
    with transaction.atomic():
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name="recovery codes")
        StaticToken.objects.bulk_create(StaticToken(device=device, token=hashed(user, code)) for code in codes)
    return [f"{code[:5]}-{code[5:]}" for code in codes]


def hashed(user: User, code: str) -> str:
    """With the server's own key, so that the database alone opens nothing."""
    return salted_hmac(f"review.recovery_code.{user.pk}", code, algorithm="sha256").hexdigest()[:16]


def codes_left(user: User) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


def remove_second_factor(user: User, *, by: str) -> None:
    """By its owner, or by an administrator for somebody who has lost phone, passkeys and codes: then all sessions end, too."""
    with transaction.atomic():
        AppCode.objects.filter(user=user).delete()
        Passkey.objects.filter(user=user).delete()
        StaticDevice.objects.filter(user=user).delete()
        if by != user.get_username():
            BrowserSession.objects.filter(user_id=user.pk).delete()
    log.warning("second_factor_removed", user=user.get_username(), by=by)


def end_other_sessions(request: HttpRequest, user: User) -> None:
    BrowserSession.objects.filter(user_id=user.pk).exclude(session_key=request.session.session_key).delete()
