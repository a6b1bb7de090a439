"""Count what came into the queue and what left it, from the events that were sealed since the last time."""

from django.db import transaction

from ledger.actions.locking import lock_names
from ledger.models import TallyMark
from ledger.reads.sql import fetch_rows

# So many events at once: a long past is counted in several goes, and no go takes long.
MOST = 20_000

# In the order of the seal: ids become visible out of order, and one that came late would never be counted.
_COUNT = """
    WITH fresh AS (
        SELECT s.number, s.event_id FROM ledger_seal s WHERE s.number > %s ORDER BY s.number LIMIT %s
    ), moved AS (
        SELECT e.scope_id, date_trunc('hour', e.at, 'UTC') AS hour,
               count(*) FILTER (WHERE h.after ->> 'status' = 'pending') AS came,
               count(*) FILTER (WHERE h.before ->> 'status' = 'pending') AS went
        FROM fresh JOIN ledger_journalevent e ON e.id = fresh.event_id
        JOIN ledger_journalchange h ON h.event_id = e.id AND h.noun = 'claim'
         AND 'pending' IN (h.after ->> 'status', h.before ->> 'status')
        GROUP BY 1, 2
    ), put AS (
        INSERT INTO ledger_tally AS t (scope_id, hour, came, went) SELECT * FROM moved
        ON CONFLICT (hour, scope_id) DO UPDATE SET came = t.came + excluded.came, went = t.went + excluded.went
    )
    SELECT max(number), count(*) FROM fresh
"""


def tally(*, most: int = MOST) -> int:
    """Counts at most `most` events; answers how many it counted. Safe to call at any time, by anyone: whoever comes second
    waits, and finds it done."""
    with transaction.atomic(savepoint=False):
        lock_names(["tally"])
        mark, _ = TallyMark.objects.get_or_create(pk=1, defaults={"number": 0})
        [(last, count)] = fetch_rows(_COUNT, [mark.number, most])
        if count:
            TallyMark.objects.filter(pk=1).update(number=last)
        return int(count)
