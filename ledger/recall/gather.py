"""Where recall looks, and the rows it could show: the newest of each kind, what the question finds, what held at another time."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import Q, QuerySet

from ledger.models import Claim, Scope, Section, TrustedState
from ledger.reads.as_of import claims_as_of, trusted_as_of
from ledger.reads.claims import claim_rows
from ledger.reads.scopes import ancestor_paths, below, scope_at
from ledger.rules.permissions import Access, Right


@dataclass(frozen=True, slots=True)
class ScopeChain:
    """`distance` maps scope ids to steps: 0 here, 1 the parent, …; what lies below counts as here. `chain` is the scope
    and those above; `own` those of all whose sources and candidates the reader may see."""

    scope: Scope
    access: Access
    distance: dict[int, int]
    paths: dict[int, str]
    chain: tuple[int, ...]
    own: tuple[int, ...]

    @property
    def ids(self) -> list[int]:
        return list(self.distance)


def scope_chain(path: str, access: Access, *, descend: bool = False, right: Right = Right.READ) -> ScopeChain:
    """Two queries. Raises `NotFound` out of sight, `Forbidden` in sight without the right."""
    scope = scope_at(path, access, right)
    above = ancestor_paths(scope.path)
    wanted = Q(path__in=above)
    rows = Scope.objects.filter(
        wanted | below(scope.path) if descend and scope.parent_id else Q() if descend else wanted
    )
    found = sorted(rows.values_list("pk", "path"), key=lambda row: row[1])
    distance = {pk: len(above) - 1 - above.index(row) if row in above else 0 for pk, row in found}
    return ScopeChain(
        scope,
        access,
        distance,
        dict(found),
        tuple(pk for pk, row in found if row in above),
        tuple(pk for pk, row in found if access.may(Right.READ, row)),
    )


NORMS = ("constraint", "commitment")
MAX_NORMS = 200
MAX_OF_A_KIND = 30
MAX_FOUND = 300
MAX_TRUSTED = 300
TROUBLE_CHARACTERS = 2_000


def newest_ids(
    where: ScopeChain, kinds: Sequence[str], *, most: int, statuses: Sequence[str] = ("active",)
) -> list[int]:
    """The newest rows of each scope of the chain and each kind: one index probe each, nothing sorted."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT m.id FROM unnest(%s::bigint[]) AS s(id) CROSS JOIN unnest(%s::text[]) AS k(name) CROSS JOIN LATERAL"
            " (SELECT c.id FROM ledger_claim c WHERE c.scope_id = s.id AND c.kind = k.name AND c.status = ANY(%s)"
            " ORDER BY c.id DESC LIMIT %s) AS m",
            [list(where.chain), list(kinds), list(statuses), most],
        )
        return [pk for (pk,) in cursor.fetchall()]


def pending_ids(where: ScopeChain, *, most: int) -> list[int]:
    """The highest-ranked candidates of the scope itself; those of other scopes are not this reader's to see."""
    waiting = Claim.objects.filter(scope=where.scope, status="pending")
    return list(waiting.order_by("-rank", "-id").values_list("pk", flat=True)[:most])


def claims_of(ids: Iterable[int], where: ScopeChain, *, as_of: dt.datetime | None, now: dt.datetime) -> list[Claim]:
    """The rows that hold at `as_of`, or now: what has ended, and what has not begun, is left out."""
    wanted = set(ids)
    if as_of is not None:
        held = claims_as_of(_scopes(where), as_of=as_of)
        return [row for row in held if row.pk in wanted]
    rows = claim_rows().filter(pk__in=wanted).defer("proposed", "anchors_to_choose", "summary")
    begun = Q(valid_from=None) | Q(valid_from__lte=now)
    return list(rows.filter(begun, Q(valid_to=None) | Q(valid_to__gt=now)))


def ids_at(where: ScopeChain, as_of: dt.datetime, kinds: Sequence[str] | None) -> list[int]:
    """All that held at a time, of some kinds or of all."""
    return [row.pk for row in claims_as_of(_scopes(where), as_of=as_of) if kinds is None or row.kind_id in kinds]


def trusted_of(where: ScopeChain, found: Sequence[int], *, as_of: dt.datetime | None) -> list[TrustedState]:
    """Trusted values of the chain: those the question finds and the newest others; at a time, those that held then."""
    if as_of is not None:
        return trusted_as_of(_scopes(where), at=as_of)[-MAX_TRUSTED:]
    rows: QuerySet[TrustedState] = TrustedState.objects.filter(scope__in=where.chain, status="current")
    rows = rows.select_related("scope").order_by("-pk")
    newest = list(rows[:MAX_TRUSTED])
    missing = set(found) - {row.pk for row in newest}
    return newest + (list(rows.filter(pk__in=missing)) if missing else [])


def last_tool_output(where: ScopeChain, conversation: str) -> str:
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


def _scopes(where: ScopeChain) -> list[Scope]:
    return list(Scope.objects.filter(pk__in=where.chain))
