"""What belongs together in the queue: candidates that speak of the same, and the many that stand behind one (design §8)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from ledger.models import Claim
from ledger.reads.claims import claims_where
from ledger.reads.sql import fetch_rows
from ledger.rules.permissions import Access, Right
from ledger.rules.ranking import TURN_WEAK

# So many are shown beside a card; one more is looked for, to say that there are more.
MAX_SIMILAR: Final = 5


@dataclass(frozen=True, slots=True)
class SimilarClaim:
    """A candidate beside another one: `nearly` in the same words, else on the same slot."""

    claim: Claim
    nearly: bool


@dataclass(frozen=True, slots=True)
class SimilarClaims:
    """What waits beside one candidate, nearest first; `more` where the list was cut."""

    rows: tuple[SimilarClaim, ...] = ()
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


def similar_claims(claims: Sequence[Claim]) -> dict[int, SimilarClaims]:
    """By claim id what waits beside each, in its own scope. At most two queries, whatever there is.

    Whoever may read a claim may read these: they are of its scope.
    """
    found = _similar_ids([claim.pk for claim in claims if claim.status == "pending"])
    if not found:
        return {}
    nearest = {pk: list(group.items())[:MAX_SIMILAR] for pk, group in found.items()}
    ids = sorted(set(chain.from_iterable(map(dict, nearest.values()))))
    scopes = {claim.scope_id: claim.scope for claim in claims}
    rows = {row.pk: row for row in claims_where("c.id = ANY(%s)", [ids], scopes=scopes)}
    return {
        pk: SimilarClaims(
            tuple(SimilarClaim(rows[other], nearly) for other, nearly in group if other in rows),
            len(found[pk]) > MAX_SIMILAR,
        )
        for pk, group in nearest.items()
    }


def _similar_ids(waiting: list[int]) -> dict[int, dict[int, bool]]:
    """By claim id those beside it, the nearest first, each with whether it says nearly the same."""
    found: dict[int, dict[int, bool]] = defaultdict(dict)
    if waiting:
        for pk, other, nearly in fetch_rows(_ALIKE, {"ids": waiting, "most": MAX_SIMILAR + 1}):
            found[pk].setdefault(other, nearly)
    return found


MAX_COUNTED: Final = 1000

_BEHIND = """
    SELECT g.scope, g.source, g.rule, n.behind, s.title, s.sender, p.path
    FROM unnest(%s::bigint[], %s::bigint[], %s::text[]) g(scope, source, rule)
    CROSS JOIN LATERAL (
        SELECT count(*) AS behind FROM (
            SELECT 1 FROM ledger_claim c WHERE c.scope_id = g.scope AND c.rule = g.rule AND c.turn = 7
             AND c.first_source = g.source AND c.status = 'pending' LIMIT %s) few
    ) n
    JOIN ledger_source s ON s.id = g.source JOIN ledger_scope p ON p.id = s.scope_id
    WHERE n.behind > 0
"""


@dataclass(frozen=True, slots=True)
class Cluster:
    """How many stand behind: `count` stops at 1000, then `more` is true. `named` is the source as its reader may know it."""

    scope: int
    source: int
    rule: str
    count: int
    more: bool
    named: str


def clusters(claims: Iterable[Claim], access: Access) -> dict[int, Cluster]:
    """By claim id, for the last listed of each rule and source that others stand behind. One query where something weak is
    listed, none else."""
    last = {
        (claim.scope_id, claim.first_source, claim.rule): claim.pk
        for claim in claims
        if claim.turn == TURN_WEAK and claim.rule and claim.first_source and claim.status == "pending"
    }
    if not last:
        return {}
    found = {}
    rows = fetch_rows(_BEHIND, [*map(list, zip(*last, strict=True)), MAX_COUNTED + 1])
    for scope, source, rule, count, title, sender, path in rows:
        named = (title or sender) if access.may(Right.READ, path) else ""
        found[last[scope, source, rule]] = Cluster(
            scope, source, rule, min(count, MAX_COUNTED), count > MAX_COUNTED, named or f"source {source}"
        )
    return found
