"""Time from shown to decided, kept beside the decision and read for the insights."""

import datetime as dt
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from django.db import DatabaseError, connection

from ledger.models import JournalEvent
from ledger.reads.insights.sampling import rows_in_sight
from ledger.rules.permissions import Access

TIMED: Final = ("promote", "reject", "merge", "defer")
MAX_TIMES: Final = 20_000
# Upper ends of the classes in seconds, each with its name; beyond the last somebody left the desk.
CLASSES: Final = ((2, "< 2 s"), (5, "< 5 s"), (10, "< 10 s"), (20, "< 20 s"), (60, "< 1 min"), (300, "< 5 min"))
LONGER: Final = "longer"

# `now()` of two decisions on their way at once may stand the other way round.
_NOTE = """
    INSERT INTO review_decisiontime (event_id, user_id, scope_id, at, ms)
    SELECT %(event)s, %(me)s, %(scope)s, now(), least(2147483647, greatest(0, round(1000 * extract(epoch FROM now() -
        greatest(r.shown_at, (SELECT max(d.at) FROM review_decisiontime d WHERE d.user_id = %(me)s))))))
    FROM review_reservation r WHERE r.claim_id = %(claim)s AND r.user_id = %(me)s
    ON CONFLICT DO NOTHING
"""
_READ = """
    WITH v AS MATERIALIZED ({scopes})
    SELECT t.ms FROM v CROSS JOIN LATERAL (
        SELECT ms, at FROM review_decisiontime WHERE scope_id = v.id AND at >= %(since)s
        ORDER BY at DESC LIMIT %(most)s) t
    ORDER BY t.at DESC LIMIT %(most)s
"""


def note_time(user_id: int | None, claim: int, event: JournalEvent) -> None:
    """Keep how long the claim lay open before its user's `event`; nothing where it did not lie on their desk. One statement.
    The decision stands already: what goes wrong here must not tell its reader that it does not."""
    if user_id is None or event.verb not in TIMED:
        return
    with suppress(DatabaseError), connection.cursor() as cursor:
        cursor.execute(_NOTE, {"event": event.pk, "me": user_id, "scope": event.scope_id, "claim": claim})


@dataclass(frozen=True, slots=True)
class TimeFigures:
    """Seconds from shown to decided: by class, median and the value that nine of ten stay below. `more` where only the newest
    were read."""

    count: int
    classes: tuple[tuple[str, int], ...]
    median_s: float | None
    p90_s: float | None
    more: bool


def decision_times(access: Access, *, since: dt.datetime, root: str | None = None) -> TimeFigures:
    """Of the decisions at desks since then, in the scopes in sight. One query over at most `MAX_TIMES` rows."""
    found = [ms for (ms,) in rows_in_sight(_READ, access, root, since=since, most=MAX_TIMES + 1)]
    return time_figures(found[:MAX_TIMES], more=len(found) > MAX_TIMES)


def time_figures(ms: Sequence[int], *, more: bool) -> TimeFigures:
    """The figures of these milliseconds."""
    ordered = sorted(one / 1000 for one in ms)
    edges = [edge for edge, _ in CLASSES]
    counts = Counter(bisect_right(edges, one) for one in ordered)
    names = [*(name for _, name in CLASSES), LONGER]
    classes = tuple((name, counts[at]) for at, name in enumerate(names))
    return TimeFigures(len(ordered), classes, _quantile(ordered, 0.5), _quantile(ordered, 0.9), more)


def _quantile(ordered: Sequence[float], share: float) -> float | None:
    """The value at that share of the way, between neighbours in proportion."""
    if not ordered:
        return None
    place = (len(ordered) - 1) * share
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
