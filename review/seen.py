"""Which candidates a reviewer has had on the desk; named by the setting COUNTERSIGN_SEEN."""

import datetime as dt
from collections.abc import Collection

from review.models import Seen


def first_seen(claims: Collection[int]) -> dict[int, dt.datetime]:
    """By claim id, when each of these first lay on a desk; one query."""
    return dict(Seen.objects.filter(claim__in=claims).values_list("claim_id", "first_at"))
