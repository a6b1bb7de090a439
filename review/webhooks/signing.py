"""Secrets and signatures. A secret is made of the server's own key and of what stands in a row, so that it stands in none: the
database alone signs nothing."""

import base64
import hashlib
import hmac
import uuid

from django.conf import settings

from ledger.models import Webhook
from review.models import Digest

PREFIX = "whsec_"


def secret_of(row: Webhook) -> str:
    """What its receiver checks signatures with, in the form that libraries for Standard Webhooks take."""
    return PREFIX + base64.b64encode(_made(f"countersign decisions {row.pk} {row.key} {row.key_number}")).decode()


def signed_headers(secret: str, message_id: str, body: bytes, *, at: int) -> dict[str, str]:
    """The three headers of Standard Webhooks: HMAC-SHA256 over id, time in seconds and body, joined by full stops."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    mac = hmac.new(key, f"{message_id}.{at}.".encode() + body, hashlib.sha256).digest()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(at),
        "webhook-signature": "v1," + base64.b64encode(mac).decode(),
    }


def digest_secret(row: Digest) -> str:
    return PREFIX + _made(f"countersign webhook {row.scope_id} {row.key}").hex()


def digest_headers(secret: str, body: bytes, *, at: int) -> dict[str, str]:
    """`t=TIME,v1=HEX`: HMAC-SHA256 over the time in seconds, a full stop and the body as it was sent."""
    mac = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Countersign-Delivery": str(uuid.uuid4()), "X-Countersign-Signature": f"t={at},v1={mac}"}


def _made(words: str) -> bytes:
    return hmac.new(settings.SECRET_KEY.encode(), words.encode(), hashlib.sha256).digest()
