"""Who has a card open just now. Nothing of it is kept: a row a person, which says until when, and no event of the journal."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from ledger.reads.sql import fetch_rows

# An open card says so about every ten seconds.
OPEN_FOR: Final = dt.timedelta(seconds=25)

# Who comes first notes itself; the row is written anew only where it would run out, or where another card is open by now.
_HERE: Final = """
    WITH here AS (
        INSERT INTO review_presence AS p (user_id, claim_id, until)
        SELECT %(me)s, %(claim)s, now() + make_interval(secs => %(for)s) WHERE %(me)s IS NOT NULL
        ON CONFLICT (user_id) DO UPDATE SET claim_id = excluded.claim_id, until = excluded.until,
          since = CASE WHEN p.claim_id = excluded.claim_id AND p.until > now() THEN p.since ELSE now() END
        WHERE p.claim_id <> excluded.claim_id OR p.until < now() + make_interval(secs => %(soon)s)
    )
    SELECT u.username, p.since, false FROM review_presence p JOIN auth_user u ON u.id = p.user_id
    WHERE p.claim_id = %(claim)s AND p.user_id <> %(me)s AND p.until > now()
    UNION ALL
    SELECT u.username, r.shown_at, true FROM review_reservation r JOIN auth_user u ON u.id = r.user_id
    WHERE r.claim_id = %(claim)s AND r.user_id <> %(me)s AND r.until > now()
      AND NOT EXISTS (SELECT 1 FROM review_presence p WHERE p.user_id = r.user_id AND p.claim_id = r.claim_id AND p.until > now())
    ORDER BY 3, 2
"""


@dataclass(frozen=True, slots=True)
class Colleague:
    """Somebody else who has the card open, or `waiting` on their desk as one of the next."""

    name: str
    since: dt.datetime
    waiting: bool


def arrive(user_id: int | None, claim_id: int) -> list[Colleague]:
    """Notes that the reader has this card open, and answers who else has, or has it on their desk. One statement."""
    seconds = OPEN_FOR.total_seconds()
    rows = fetch_rows(_HERE, {"me": user_id, "claim": claim_id, "for": seconds, "soon": seconds * 0.7})
    return [Colleague(*row) for row in rows]
