"""Life cycles as data (design §4): the statuses of a claim, and a run's steps from where to where."""

from django.db.models import TextChoices


class Status(TextChoices):
    PENDING = "pending"
    DEFERRED = "deferred"
    ACTIVE = "active"
    REJECTED = "rejected"
    EXPIRED = "expired"
    MERGED = "merged"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    GRADUATED = "graduated"
    WITHDRAWN = "withdrawn"


IN_QUEUE = (Status.PENDING, Status.DEFERRED)
UNDECIDED_OR_LIVE = (*IN_QUEUE, Status.ACTIVE)
RETIRED = (Status.SUPERSEDED, Status.ARCHIVED, Status.GRADUATED, Status.WITHDRAWN)

# Verbs have their steps in `ledger.verbs`; these are a run's own.
RUN_STEPS: dict[str, tuple[tuple[str, ...], str]] = {
    "start": (("queued",), "running"),
    "succeed": (("running",), "succeeded"),
    "fail": (("running", "queued"), "failed"),
    "requeue": (("running",), "queued"),
    "retry": (("failed",), "queued"),
}
