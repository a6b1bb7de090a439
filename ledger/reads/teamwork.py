"""Who may decide where, whose turn a candidate is, and which two claims somebody has told apart."""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from ledger.models import Claim, KeptApart, Member, Scope, Standing
from ledger.reads.scopes import ancestor_paths, visible_ids
from ledger.reads.sql import fetch_rows
from ledger.rules.permissions import ROLE_RIGHTS, Access, Right
from ledger.rules.states import IN_QUEUE

DECIDING_ROLES = tuple(role for role, rights in ROLE_RIGHTS.items() if Right.REVIEW in rights)
MAX_COUNTED = 1000

# The note is the reason of the event that made the row.
_HOLDERS = """
    SELECT h.claim_id, h.user_id, h.to, h.by, h.at, e.reason FROM ledger_handover h
    JOIN ledger_journalchange c ON c.noun = 'handover' AND c.row = h.id AND c.before IS NULL
    JOIN ledger_journalevent e ON e.id = c.event_id
    WHERE h.status = 'current' AND h.claim_id = ANY (%s)
"""
_COUNTS = """
    WITH v AS ({scopes}) SELECT h.user_id = %s, count(*) FROM (
        SELECT h.user_id FROM ledger_handover h JOIN ledger_claim c ON c.id = h.claim_id
        WHERE h.status = 'current' AND c.status = 'pending' AND c.scope_id IN (SELECT id FROM v) LIMIT %s) h GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose turn a candidate is, who passed it on to them, when, and with which words."""

    user_id: int
    to: str
    by: str
    at: dt.datetime
    note: str


def reviewers_of(scope: Scope) -> dict[str, int]:
    """By user name the ids of those who may decide in the scope, themselves or from above. One query."""
    members = Member.objects.filter(scope__path__in=ancestor_paths(scope.path), role__in=DECIDING_ROLES)
    users = User.objects.filter(pk__in=members.values("user"), is_active=True)
    return dict(users.order_by("username").values_list("username", "pk"))


def colleagues_of(access: Access, most: int = 200) -> list[str]:
    """The user names of all who may decide in a scope that the caller sees, or above one, sorted. One query."""
    scopes, params = visible_ids(access)
    rows = fetch_rows(
        f"WITH v AS ({scopes}) SELECT DISTINCT u.username FROM auth_user u JOIN ledger_member m ON m.user_id = u.id"  # noqa: S608
        " JOIN ledger_scope s ON s.id = m.scope_id WHERE u.is_active AND m.role = ANY (%s) AND EXISTS ("
        "  SELECT 1 FROM v JOIN ledger_scope w ON w.id = v.id"
        "  WHERE w.id = s.id OR s.path = 'global' OR w.path LIKE s.path || '/%%') ORDER BY 1 LIMIT %s",
        [*params, list(DECIDING_ROLES), most],
    )
    return [name for (name,) in rows]


def holders_of(claims: Collection[int]) -> dict[int, Holder]:
    """By claim id, of those that are with somebody. One query."""
    if not claims:
        return {}
    return {pk: Holder(*rest) for pk, *rest in fetch_rows(_HOLDERS, [list(claims)])}


def with_others(user_id: int | None) -> list[int]:
    """The ids of the candidates that wait for somebody else. One query."""
    rows = fetch_rows(
        "SELECT h.claim_id FROM ledger_handover h JOIN ledger_claim c ON c.id = h.claim_id"
        " WHERE h.status = 'current' AND h.user_id IS DISTINCT FROM %s AND c.status = ANY (%s) LIMIT %s",
        [user_id, list(IN_QUEUE), MAX_COUNTED],
    )
    return [pk for (pk,) in rows]


def handed_counts(access: Access, user_id: int | None, root: str | None = None) -> tuple[int, int]:
    """How many wait that are with the caller, and with others; a thousand at most. One query."""
    scopes, params = visible_ids(access, root=root)
    found = dict(fetch_rows(_COUNTS.format(scopes=scopes), [*params, user_id, MAX_COUNTED]))
    return found.get(True, 0), found.get(False, 0)


def kept_apart(claims: Sequence[Claim]) -> set[tuple[int, int]]:
    """The pairs of claim ids among these that somebody told apart, the older one first. One query."""
    ids = [claim.pk for claim in claims]
    rows = KeptApart.objects.filter(first__in=ids, second__in=ids, status=Standing.CURRENT)
    return set(rows.values_list("first_id", "second_id"))
