"""The room's tasks: who is not looking is told."""

import structlog
from celery import shared_task

from ledger.actions.webhook import forget_deliveries
from review.digest.digests import send_all
from review.digest.mentions import mail_mentions, note_mentions
from review.webhooks.deliver import deliver_waiting

log = structlog.get_logger(__name__)


@shared_task(name="review.digest")  # type: ignore[untyped-decorator]
def digest_task() -> None:
    """Tell those who are not looking what has waited too long."""
    for sent in send_all():
        log.info("digest", scope=sent.scope, done=sent.done, failed=sent.failed)
    forget_deliveries()


@shared_task(name="review.mentions")  # type: ignore[untyped-decorator]
def mention_task() -> None:
    """Tell those whom a colleague named."""
    note_mentions()
    if sent := mail_mentions():
        log.info("mentions", mailed=sent)


@shared_task(name="review.webhooks")  # type: ignore[untyped-decorator]
def webhook_task() -> None:
    """Tell the addresses that owners named what was decided."""
    if done := deliver_waiting():
        log.info("webhooks", delivered=done)
