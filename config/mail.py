"""Where mail goes, from one address in the environment."""

from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

CONSOLE = "django.core.mail.backends.console.EmailBackend"
SMTP = "django.core.mail.backends.smtp.EmailBackend"
PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
TIMEOUT_S = 15


def mailers(url: str) -> dict[str, Any]:
    """Django's MAILERS. `smtp://` is plain, `smtp+tls://` asks for STARTTLS, `smtps://` speaks TLS from the start; without an
    address mails are written to the log. Raises ImproperlyConfigured by variable name, never with the password."""
    if not url:
        return {"default": {"BACKEND": CONSOLE}}
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ImproperlyConfigured("COUNTERSIGN_MAIL_URL cannot be read: its port is no number") from None
    if parts.scheme not in PORTS or not parts.hostname:
        raise ImproperlyConfigured("COUNTERSIGN_MAIL_URL reads smtp://user:password@host:port, smtp+tls:// or smtps://")
    options = {
        "host": parts.hostname,
        "port": port or PORTS[parts.scheme],
        "username": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "use_tls": parts.scheme == "smtp+tls",
        "use_ssl": parts.scheme == "smtps",
        "timeout": TIMEOUT_S,
    }
    return {"default": {"BACKEND": SMTP, "OPTIONS": options}}
