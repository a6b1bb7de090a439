"""Whether anything happened at all since a screen last asked: one small statement, so that a hundred open ones cost little."""

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.utils import timezone

from review.reserving import HELD_FOR

# The latest event, and the latest that the sealer numbered: an event can become visible after a later one, and only the sealer
# sees that. Runs and what others read are told by themselves, as no event tells of them. What is on the asker's desk stays
# reserved for longer, as long as it is still theirs, and is written a few times a minute, not at every question.
_PULSE = """
    WITH kept AS (
        UPDATE review_reservation r SET until = now() + make_interval(secs => %(for)s) FROM ledger_claim c
        WHERE c.ref = ANY (%(mine)s) AND r.claim_id = c.id AND r.user_id = %(me)s
          AND r.until > now() AND r.until < now() + make_interval(secs => %(soon)s)
    )
    SELECT (SELECT max(id) FROM ledger_journalevent), (SELECT max(number) FROM ledger_seal),
           (SELECT number FROM ledger_tallymark WHERE id = 1),
           (SELECT string_agg(claim_id || ' ' || user_id, ',' ORDER BY claim_id) FROM (
                SELECT claim_id, user_id FROM review_reservation
                WHERE user_id <> %(me)s AND until > now() ORDER BY claim_id LIMIT 2000) others),
           (SELECT count(*) FROM review_reservation WHERE user_id = %(me)s AND until > now()),
           (SELECT count(*) || ' ' || coalesce(max(id), 0) FROM (
                SELECT id FROM ledger_run WHERE status = 'queued' ORDER BY id LIMIT 1000) queued),
           (SELECT count(*) || ' ' || coalesce(max(id), 0) FROM (
                SELECT id FROM ledger_run WHERE status = 'running' LIMIT 1000) running)
"""


def pulse(user_id: int, mine: Sequence[str]) -> tuple[Any, ...]:
    """What changes whenever something happened that some screen shows, the hour included; keeps the cards `mine` (refs)
    reserved. One statement."""
    seconds = HELD_FOR.total_seconds()
    with connection.cursor() as cursor:
        cursor.execute(
            _PULSE,
            {"me": user_id, "mine": [ref.upper() for ref in mine], "for": seconds, "soon": seconds * 0.7},
        )
        return (*cursor.fetchone(), timezone.now().strftime("%Y%m%d%H"))
