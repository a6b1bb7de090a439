"""Life cycles as data: which step leads from where to where (design §4). Nothing else decides what is possible."""

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
RETIRED = (Status.SUPERSEDED, Status.ARCHIVED, Status.GRADUATED, Status.WITHDRAWN)

CLAIM_STEPS: dict[str, tuple[tuple[str, ...], str]] = {
    # verb: (from, to)
    "edit": (("pending", "deferred"), "pending"),
    "promote": (("pending", "deferred"), "active"),
    "reject": (("pending", "deferred"), "rejected"),
    "defer": (("pending", "deferred"), "deferred"),
    "wake": (("deferred",), "pending"),
    "expire": (("pending", "deferred"), "expired"),
    "reopen": (("rejected", "expired", "merged", "deferred"), "pending"),
    "merge": (("pending", "deferred", "active"), "merged"),
    "withdraw": (("active",), "withdrawn"),
    "archive": (("active",), "archived"),
    "supersede": (("active",), "superseded"),
    "graduate": (("active",), "graduated"),
    "restore": (("superseded", "archived", "graduated", "withdrawn"), "active"),
}

CONFLICT_STEPS: dict[str, tuple[tuple[str, ...], str]] = {
    "resolve": (("open",), "resolved"),
    "dismiss": (("open",), "dismissed"),
    "close": (("open",), "closed"),
    "reopen": (("resolved", "dismissed", "closed"), "open"),
}

RUN_STEPS: dict[str, tuple[tuple[str, ...], str]] = {
    "start": (("queued",), "running"),
    "succeed": (("running",), "succeeded"),
    "fail": (("running", "queued"), "failed"),
    "requeue": (("running",), "queued"),
    "retry": (("failed",), "queued"),
}


def next_state(steps: dict[str, tuple[tuple[str, ...], str]], verb: str, state: str) -> str | None:
    """The state that `verb` leads to from `state`, or None where that step does not exist."""
    origins, target = steps[verb]
    return target if state in origins else None
