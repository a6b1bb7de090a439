"""Who has which candidate on the desk: two people at two desks are never offered the same one, and an open desk asks for news."""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils import timezone

from ledger.reads.sql import fetch_column, fetch_rows
from review.models import Reservation, Seen

# A desk that is open asks for news more often than this, and each time keeps what lies on it.
HELD_FOR: Final = dt.timedelta(seconds=90)


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a candidate, and until when it is theirs if they don't come back."""

    name: str
    until: dt.datetime


def read_by_others(user_id: int | None, claims: Collection[int]) -> dict[int, Reader]:
    """By claim id those of `claims` that lie on other people's desks. One query."""
    rows = Reservation.objects.filter(claim__in=list(claims), until__gt=timezone.now()).exclude(user=user_id)
    return {pk: Reader(name, until) for pk, name, until in rows.values_list("claim_id", "user__username", "until")}


def reserved_by_others(user_id: int | None) -> list[int]:
    """The ids of all candidates on other people's desks; as many as there are people at work, times a few."""
    rows = Reservation.objects.filter(until__gt=timezone.now()).exclude(user=user_id)
    return list(rows.values_list("claim_id", flat=True))


def reserve(user_id: int | None, claims: Collection[int]) -> frozenset[int]:
    """Puts on the user's desk what lies on nobody else's, and answers what lies there now. One's own is kept for longer. One
    statement, in the order of ids, so that two desks never wait for each other in a circle."""
    if not claims:
        return frozenset()
    lying = fetch_column(
        "WITH gone AS (DELETE FROM review_reservation WHERE user_id = %(me)s AND until < now()"
        "  AND NOT claim_id = ANY (%(claims)s))"
        " INSERT INTO review_reservation AS r (claim_id, user_id, until)"
        " SELECT unnest(%(claims)s::bigint[]), %(me)s, now() + make_interval(secs => %(for)s)"
        " ON CONFLICT (claim_id) DO UPDATE SET user_id = excluded.user_id, until = excluded.until, shown_at ="
        "   CASE WHEN r.user_id = excluded.user_id AND r.until >= now() THEN r.shown_at ELSE now() END"
        "  WHERE r.user_id = excluded.user_id OR r.until < now()"
        " RETURNING claim_id",
        {"me": user_id, "claims": sorted(set(claims)), "for": HELD_FOR.total_seconds()},
    )
    return frozenset(lying)


def let_go(claim_id: int) -> None:
    """Off whichever desk it lies on."""
    Reservation.objects.filter(claim=claim_id).delete()


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
    [told] = fetch_rows(
        _PULSE, {"me": user_id, "mine": [ref.upper() for ref in mine], "for": seconds, "soon": seconds * 0.7}
    )
    return (*told, timezone.now().strftime("%Y%m%d%H"))


def first_seen(claims: Collection[int]) -> dict[int, dt.datetime]:
    """By claim id, when each of these first lay on a desk; one query."""
    return dict(Seen.objects.filter(claim__in=claims).values_list("claim_id", "first_at"))
