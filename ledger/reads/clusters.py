"""Floods: many weak candidates of one rule and source stand behind the best of them, as one row (`ledger.rules.rank.crowded`)."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection

from ledger.models import Claim
from ledger.rules.permissions import Access, Right
from ledger.rules.rank import TURN_WEAK

COUNTED = 1000

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
class Crowd:
    """How many stand behind: `count` stops at 1000, then `more` is true. `named` is the source as its reader may know it."""

    scope: int
    source: int
    rule: str
    count: int
    more: bool
    named: str


def crowds(claims: Iterable[Claim], access: Access) -> dict[int, Crowd]:
    """By claim id, for the last listed of each rule and source that others stand behind. One query where something weak is
    listed, none else."""
    last = {
        (claim.scope_id, claim.first_source, claim.rule): claim.pk
        for claim in claims
        if claim.turn == TURN_WEAK and claim.rule and claim.first_source and claim.status == "pending"
    }
    if not last:
        return {}
    scopes, sources, rules = (list(one) for one in zip(*last, strict=True))
    with connection.cursor() as cursor:
        cursor.execute(_BEHIND, [scopes, sources, rules, COUNTED + 1])
        rows = cursor.fetchall()
    found = {}
    for scope, source, rule, count, title, sender, path in rows:
        named = (title or sender) if access.may(Right.READ, path) else ""
        found[last[scope, source, rule]] = Crowd(
            scope, source, rule, min(count, COUNTED), count > COUNTED, named or f"source {source}"
        )
    return found
