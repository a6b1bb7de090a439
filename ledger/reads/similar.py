"""Candidates that wait beside one and speak of the same, so that they can be decided together (design §8)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import connection

from ledger.models import Claim
from ledger.reads.claims import claims_where

# So many are shown beside a card; one more is looked for, to say that there are more.
MOST: Final = 5


@dataclass(frozen=True, slots=True)
class Alike:
    """A candidate beside another one: `nearly` in the same words, else on the same slot."""

    claim: Claim
    nearly: bool


@dataclass(frozen=True, slots=True)
class Group:
    """What waits beside one candidate, nearest first; `more` where the list was cut."""

    rows: tuple[Alike, ...] = ()
    more: bool = False


# Both look-ups stop at their limit, so that ten thousand equal ones cost no more than ten.
_ALIKE = """
    SELECT c.id, f.id, f.nearly
      FROM unnest(%(ids)s::bigint[]) AS w(id) JOIN ledger_claim c ON c.id = w.id
      CROSS JOIN LATERAL (
        (SELECT n.id, true AS nearly FROM ledger_claim n
          WHERE c.near <> '{}' AND n.near && c.near AND n.status = 'pending' AND n.scope_id = c.scope_id AND n.id <> c.id
          LIMIT %(most)s)
        UNION ALL
        (SELECT n.id, false FROM ledger_claim n
          WHERE c.slot <> '' AND n.slot <> '' AND n.slot = c.slot AND n.scope_id = c.scope_id AND n.id <> c.id
            AND n.status IN ('pending', 'deferred') AND n.status = 'pending'
          LIMIT %(most)s)
      ) f
     ORDER BY f.nearly DESC, f.id
"""


def alike(claims: Sequence[Claim], *, without: Collection[int] = ()) -> dict[int, Group]:
    """By claim id what waits beside each, in its own scope; nothing of `without`. At most two queries, whatever there is.

    Whoever may read a claim may read these: they are of its scope.
    """
    waiting = [claim.pk for claim in claims if claim.status == "pending"]
    if not waiting:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_ALIKE, {"ids": waiting, "most": MOST + 1})
        found: dict[int, dict[int, bool]] = {}
        for pk, other, nearly in cursor.fetchall():
            if other not in without:
                found.setdefault(pk, {}).setdefault(other, nearly)
    ids = sorted({other for group in found.values() for other in list(group)[:MOST]})
    if not ids:
        return {}
    scopes = {claim.scope_id: claim.scope for claim in claims}
    rows = {row.pk: row for row in claims_where("c.id = ANY(%s)", [ids], scopes=scopes)}
    return {
        pk: Group(
            tuple(Alike(rows[other], nearly) for other, nearly in list(group.items())[:MOST] if other in rows),
            len(group) > MOST,
        )
        for pk, group in found.items()
    }
