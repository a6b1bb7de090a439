"""The room's one task."""

import structlog
from celery import shared_task

from review.digest.digests import send_all

log = structlog.get_logger(__name__)


@shared_task(name="review.digest")  # type: ignore[untyped-decorator]
def digest_task() -> None:
    """Tell those who are not looking what has waited too long."""
    for sent in send_all():
        log.info("digest", scope=sent.scope, done=sent.done, failed=sent.failed)
