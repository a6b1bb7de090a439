"""The room's tasks."""

import subprocess

import structlog
from celery import shared_task

from config.backup.schedule import back_up_when_due
from config.chats.posting import post_waiting

log = structlog.get_logger(__name__)


@shared_task(name="config.backup")  # type: ignore[untyped-decorator]
def backup_task() -> None:
    """Make the backup that is due, where a folder for backups is named."""
    try:
        if back_up_when_due():
            log.info("backup_made")
    except subprocess.CalledProcessError as error:
        log.error("backup_failed", said=error.stderr.strip().splitlines()[-1:])


@shared_task(name="config.chats.post")  # type: ignore[untyped-decorator]
def post_task() -> None:
    """Post what waits to chats."""
    if done := post_waiting():
        log.info("chat_posts", arrived=done)
