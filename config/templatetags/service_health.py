"""Whether the broker answers and a worker listens, for the admin's front page."""

import time
from dataclasses import dataclass

from django import template

from config.celery import app

register = template.Library()

WAIT_SECONDS = 0.5
KEPT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Services:
    """`worker` is None where the broker does not answer, so that nobody can be asked."""

    broker: bool
    worker: bool | None


_last: tuple[float, Services] | None = None


@register.simple_tag
def services() -> Services:
    """Asked at most every ten seconds a process; takes half a second where nobody answers."""
    global _last
    now = time.monotonic()
    if _last is None or now - _last[0] > KEPT_SECONDS:
        _last = (now, asked())
    return _last[1]


def asked() -> Services:
    """One ping through the broker to whichever worker answers first."""
    try:
        with app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=0, timeout=WAIT_SECONDS)
            replies = app.control.ping(timeout=WAIT_SECONDS, limit=1, connection=connection)
    except Exception:  # noqa: BLE001 (whatever a broker's client raises, the page says that it does not answer)
        return Services(False, None)
    return Services(True, bool(replies))
