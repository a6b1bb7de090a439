"""The rows that a context could show: the newest of each kind, what the question finds, and what held at another time."""

import datetime as dt
from collections.abc import Iterable, Sequence

from django.db import connection
from django.db.models import Q, QuerySet

from ledger.models import Claim, Scope, Section, TrustedState
from ledger.reads.as_of import claims_at, trusted_at
from ledger.reads.claims import claim_rows
from ledger.recall.scope_chain import Reach

NORMS = ("constraint", "commitment")
MAX_NORMS = 200
MAX_OF_A_KIND = 30
MAX_FOUND = 300
MAX_TRUSTED = 300
TROUBLE_CHARACTERS = 2_000


def newest_ids(where: Reach, kinds: Sequence[str], *, most: int, statuses: Sequence[str] = ("active",)) -> list[int]:
    """The newest rows of each scope of the chain and each kind: one index probe each, nothing sorted."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT m.id FROM unnest(%s::bigint[]) AS s(id) CROSS JOIN unnest(%s::text[]) AS k(name) CROSS JOIN LATERAL"
            " (SELECT c.id FROM ledger_claim c WHERE c.scope_id = s.id AND c.kind = k.name AND c.status = ANY(%s)"
            " ORDER BY c.id DESC LIMIT %s) AS m",
            [list(where.chain), list(kinds), list(statuses), most],
        )
        return [pk for (pk,) in cursor.fetchall()]


def pending_ids(where: Reach, *, most: int) -> list[int]:
    """The highest-ranked candidates of the scope itself; those of other scopes are not this reader's to see."""
    waiting = Claim.objects.filter(scope=where.scope, status="pending")
    return list(waiting.order_by("-rank", "-id").values_list("pk", flat=True)[:most])


def claims_of(ids: Iterable[int], where: Reach, *, as_of: dt.datetime | None, now: dt.datetime) -> list[Claim]:
    """The rows that hold at `as_of`, or now: what has ended, and what has not begun, is left out."""
    wanted = set(ids)
    if as_of is not None:
        held = claims_at(_scopes(where), as_of=as_of)
        return [row for row in held if row.pk in wanted]
    rows = claim_rows().filter(pk__in=wanted).defer("proposed", "anchors_to_choose", "summary")
    begun = Q(valid_from=None) | Q(valid_from__lte=now)
    return list(rows.filter(begun, Q(valid_to=None) | Q(valid_to__gt=now)))


def ids_at(where: Reach, as_of: dt.datetime, kinds: Sequence[str] | None) -> list[int]:
    """All that held at a time, of some kinds or of all."""
    return [row.pk for row in claims_at(_scopes(where), as_of=as_of) if kinds is None or row.kind_id in kinds]


def trusted_of(where: Reach, found: Sequence[int], *, as_of: dt.datetime | None) -> list[TrustedState]:
    """Trusted values of the chain: those the question finds and the newest others; at a time, those that held then."""
    if as_of is not None:
        return trusted_at(_scopes(where), at=as_of)[-MAX_TRUSTED:]
    rows: QuerySet[TrustedState] = TrustedState.objects.filter(scope__in=where.chain, status="current")
    rows = rows.select_related("scope").order_by("-pk")
    newest = list(rows[:MAX_TRUSTED])
    missing = set(found) - {row.pk for row in newest}
    return newest + (list(rows.filter(pk__in=missing)) if missing else [])


def last_tool_output(where: Reach, conversation: str) -> str:
    """The last words of a tool in a conversation of this scope; empty where there are none."""
    section = (
        Section.objects.filter(
            source__scope=where.scope, source__conversation__external_id=conversation, speaker="tool",
            source__purged_at=None,
        )
        .select_related("source")
        .order_by("-source__position", "-source_id", "-start")
        .first()
    )  # fmt: skip
    if section is None:
        return ""
    return section.source.text[section.start : min(section.end, section.start + TROUBLE_CHARACTERS)]


def _scopes(where: Reach) -> list[Scope]:
    return list(Scope.objects.filter(pk__in=where.chain))
