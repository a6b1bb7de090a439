"""The queue. A message is only a wake-up: what is to be done stands in rows, and a sweeper finds what was forgotten."""

import os
import signal
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from celery import Celery, signals
from celery.schedules import schedule
from django.conf import settings

from config import env
from config.embedded import process
from config.embedded.backend.base import SUPERVISED

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django's checks are those of every other command; at each start of a worker they would read in all addresses of the web.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

log = structlog.get_logger(__name__)

app = Celery("countersign")
app.config_from_object("django.conf:settings", namespace="CELERY")

transport: dict[str, Any] = {
    # With the defaults a killed worker's messages come back after an hour and a scan every hundred seconds.
    "visibility_timeout": 60,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 2,
}
if os.environ.get("COUNTERSIGN_ROLE") != "worker":
    transport["socket_timeout"] = 2  # a web request does not wait for a broker that hangs; a worker waits by design

STARTED, COUNTED = datetime.now(UTC), time.monotonic()


def steady_now() -> datetime:
    """The scheduler's clock: it only goes on. Where the machine's is set back by hours, nothing would be due for as long."""
    return STARTED + timedelta(seconds=time.monotonic() - COUNTED)


def every(seconds: int) -> schedule:
    return schedule(seconds, nowfun=steady_now)


app.conf.update(
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    task_default_queue="countersign",
    worker_prefetch_multiplier=1,
    worker_disable_prefetch=True,
    worker_cancel_long_running_tasks_on_connection_loss=True,
    worker_send_task_events=False,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options=transport,
    broker_pool_limit=4,
    timezone="UTC",
    # Beat's messages expire with their interval, so that none pile up while no worker runs.
    beat_schedule={
        "sweep": {"task": "extraction.runs.sweep", "schedule": every(10), "options": {"expires": 10}},
        "seal": {"task": "extraction.seal", "schedule": every(5), "options": {"expires": 5}},
        "encode": {"task": "extraction.encode", "schedule": every(5), "options": {"expires": 5}},
        "observe": {"task": "extraction.observe", "schedule": every(60), "options": {"expires": 60}},
        "expire": {"task": "extraction.expire", "schedule": every(3600), "options": {"expires": 3600}},
        "posts": {"task": "config.chats.post", "schedule": every(5), "options": {"expires": 5}},
        "webhooks": {"task": "review.webhooks", "schedule": every(5), "options": {"expires": 5}},
        "mentions": {"task": "review.mentions", "schedule": every(20), "options": {"expires": 20}},
        "digest": {"task": "review.digest", "schedule": every(600), "options": {"expires": 600}},
    },
    beat_max_loop_interval=5,
)
if env.text("COUNTERSIGN_BACKUP_DIR"):
    app.conf.beat_schedule["backup"] = {"task": "config.backup", "schedule": every(600), "options": {"expires": 600}}
# The scheduler sends names when it is time and runs none of them: what they do is not read into it.
if "beat" not in sys.argv:
    app.autodiscover_tasks()

# This process, who started it, and how long what it works on may go on once that one is gone.
OWN, PARENT = os.getpid(), os.getppid()
ORPHAN_SECONDS = 10.0
QUIET_SECONDS = 5.0
quiet_until = 0.0


def wake() -> None:
    """Tell a worker that a run waits. Never raises, and does not wait for a broker that is away: the row is committed,
    and the sweeper finds it within seconds."""
    _send("extraction.work")


def wake_posts() -> None:
    """Tell a worker that something is to be posted to a chat, in the same way."""
    _send("config.chats.post")


def _send(task: str) -> None:
    global quiet_until
    if time.monotonic() < quiet_until:
        return
    try:
        policy = {"max_retries": 1, "interval_start": 0, "interval_max": 0}
        app.send_task(task, expires=60, retry=True, retry_policy=policy)
    except Exception as error:  # noqa: BLE001 - whatever the broker's client raises, the row is safe
        quiet_until = time.monotonic() + QUIET_SECONDS
        log.warning("broker_away", error=str(error))


@signals.setup_logging.connect  # type: ignore[untyped-decorator]
def keep_our_logging(**_: Any) -> None:
    """With a receiver here Celery leaves the logging as the settings made it."""


began: dict[str, float] = {}


@signals.task_prerun.connect  # type: ignore[untyped-decorator]
def note_beginning(task_id: str, task: Any, **_: Any) -> None:
    began[task_id] = time.monotonic()
    if settings.COUNTERSIGN_TRACES:
        from config.tracing import task_begins

        task_begins(task_id, task.name)


@signals.task_postrun.connect  # type: ignore[untyped-decorator]
def note_end(task_id: str, task: Any, state: str | None, **_: Any) -> None:
    """How long it took, where figures or traces are kept."""
    seconds = time.monotonic() - began.pop(task_id, time.monotonic())
    if settings.COUNTERSIGN_METRICS:
        from config.metrics import note_task

        note_task(task.name, state or "none", seconds)
    if settings.COUNTERSIGN_TRACES:
        from config.tracing import task_ends

        task_ends(task_id, state or "none")


@signals.beat_init.connect  # type: ignore[untyped-decorator]
def once_at_start(**_: Any) -> None:
    """The scheduler keeps no file and counts from its own start: a machine that is often restarted still runs each."""
    for entry in app.conf.beat_schedule.values():
        app.send_task(entry["task"], **entry["options"])


@signals.worker_init.connect  # type: ignore[untyped-decorator]
def outlive_no_parent(**_: Any) -> None:
    """A killed `up` takes database and broker along: a task that waits for one of them would keep its worker for ever."""
    if SUPERVISED in os.environ:
        threading.Thread(target=_end_after_parent, daemon=True).start()


def _end_after_parent() -> None:
    """The kernel has asked the worker to end in order; what has not done so by now is stuck."""
    while os.getppid() == PARENT:
        time.sleep(1)
    time.sleep(ORPHAN_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


@signals.worker_process_init.connect  # type: ignore[untyped-decorator]
def end_with_the_worker(**_: Any) -> None:
    """A pool process whose worker was killed would wait for work for ever."""
    process.end_with_parent(signal.SIGKILL, OWN)
