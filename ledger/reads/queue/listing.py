"""The queue, and every other list of claims: the best few of each visible scope, merged (design §10).

One index probe per visible scope finds a page's ids, in any order and at any depth; the rows are read by id. Nothing
is counted unless asked.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection

from ledger.errors import Invalid
from ledger.models import Claim, Layer, Scope
from ledger.reads.claims import REF, claims_where
from ledger.reads.page import MAX_ID, Page, check_limit, decode_cursor, page_of
from ledger.reads.scopes import scope_at, visible
from ledger.rules.columns import storable
from ledger.rules.permissions import Access
from ledger.rules.ranking import TURN_CROWDED
from ledger.rules.states import Status

# What each order sorts by, best first. All columns of one order run the same way, so that a row comparison is a range
# of its index.
ORDERS: dict[str, tuple[tuple[str, ...], str, tuple[type, ...]]] = {
    # By conflict, risk and rank, in a few steps; within a step the oldest source first, and its candidates together.
    "best": (("turn", "first_source", "id"), "ASC", (int, int, int)),
    "rank": (("rank", "id"), "DESC", (float, int)),
    "age": (("id",), "ASC", (int,)),
    "risk": (("high_risk", "rank", "id"), "DESC", (bool, float, int)),
    "newest": (("id",), "DESC", (int,)),
    # What is put off, first what comes back first; what has no time never does by itself, and is not listed here.
    "back": (("deferred_until", "id"), "ASC", (dt.datetime, int)),
}
CASTS = {
    "rank": "float8", "id": "bigint", "high_risk": "boolean", "turn": "smallint", "first_source": "bigint",
    "deferred_until": "timestamptz",
}  # fmt: skip
MAX_QUERY = 500
# A search that finds no more is sorted by itself; one that finds more is met soon enough in the order of the list.
MAX_HITS = 1000


@dataclass(frozen=True, slots=True)
class ClaimFilter:
    """What to list. Texts match exactly; `q` searches key, topic and statement; None and "" mean: do not ask."""

    status: str = "pending"
    layer: str = ""
    kind: str = ""
    rule: str = ""
    key: str = ""
    run: int | None = None
    wave: int | None = None
    source: int | None = None
    q: str = ""
    min_confidence: float | None = None
    high_risk: bool | None = None
    needs_review: bool | None = None
    disputed: bool | None = None
    needs_recheck: bool | None = None
    promoted: bool | None = None
    # Proposed at this time or before.
    before: dt.datetime | None = None
    # Without those that stand behind better ones of their rule and source.
    uncrowded: bool = False
    # True: put off until a time; False: for good.
    comes_back: bool | None = None
    # Ids that are not wanted: what others are reading.
    without: tuple[int, ...] = ()


def claims_page(
    access: Access,
    wanted: ClaimFilter,
    *,
    scope: str | None = None,
    descend: bool = False,
    order: str | None = None,
    limit: int = 50,
    cursor: str | None = None,
    count: bool = False,
) -> Page[Claim]:
    """A page of claims, each with its scope. Without `scope`: of all visible scopes; `descend` adds those below it.

    `order` is best, rank, age (oldest first), risk, newest or back (what is deferred, by the time it comes back); what waits
    is ordered by rank unless told, the rest by newest.
    Raises `NotFound` for a scope out of sight, `Invalid` naming the parameter. One query for the page, one for its
    scopes, one more for a search that full text cannot answer, one for the count.
    """
    check_limit(limit)
    order = order or ("rank" if wanted.status == "pending" else "newest")
    if order not in ORDERS:
        raise Invalid(f"order is one of {', '.join(ORDERS)}", field="order")
    if order == "back":
        wanted = replace(wanted, comes_back=True)
    places = _places(access, scope, descend)
    filters, params = _filters(wanted)
    ways = search_conditions(wanted.q.strip())
    after: list[Any] | None = None
    tried = list(range(len(ways)))
    if cursor:
        tag, way, *after = decode_cursor(cursor, (str, int, *ORDERS[order][2]))
        if tag != order or way not in tried:
            raise Invalid("this cursor belongs to another order or search", field="cursor")
        tried = [way]
    rows: list[Claim] = []
    for way in tried:
        condition, words = ways[way]
        if condition and not condition[0].startswith("c.ref"):
            hits = _hits(places, [*filters, *condition], [*params, *words])
            if len(hits) <= MAX_HITS:
                condition, words = ["c.id = ANY (%s::bigint[])"], [hits]
            if not hits:
                continue
        rows = _rows(places, [*filters, *condition], [*params, *words], order, limit, after)
        if rows:
            break
    # A search is counted the way that answered it.
    total = _count(places, [*filters, *condition], [*params, *words]) if count else None
    columns = ORDERS[order][0]
    return page_of(rows, limit, lambda row: [order, way, *(getattr(row, c) for c in columns)], total=total)


@dataclass(frozen=True, slots=True)
class _Places:
    """The scopes to list, as a subquery of ids; `known` are those already read."""

    sql: str
    params: tuple[Any, ...]
    known: dict[int, Scope]


def _places(access: Access, path: str | None, descend: bool) -> _Places:
    root = scope_at(path, access) if path is not None else None
    if root is not None and not descend:
        return _Places("SELECT %s::bigint AS id", (root.pk,), {root.pk: root})
    try:
        scopes = visible(access, root=root.path if root else None).order_by().values("id")
        return _Places(*scopes.query.sql_with_params(), {})
    except EmptyResultSet:
        return _Places("SELECT id FROM ledger_scope WHERE false", (), {})


# What shows as disputed: a person or an agent objected, or an open conflict names it (P15). The array is made once.
CONTRADICTED = """(c.disputed OR c.id = ANY(ARRAY(
    SELECT m.claim_id FROM ledger_conflictmember m JOIN ledger_conflict x ON x.id = m.conflict_id
    WHERE x.status = 'open' AND m.claim_id IS NOT NULL)))"""


def _filters(wanted: ClaimFilter) -> tuple[list[str], list[Any]]:
    if wanted.status not in Status.values:
        raise Invalid(f"status is one of {', '.join(Status.values)}", field="status")
    if wanted.layer and wanted.layer not in Layer.values:
        raise Invalid(f"layer is one of {', '.join(Layer.values)}", field="layer")
    if wanted.min_confidence is not None and not 0 <= wanted.min_confidence <= 1:
        raise Invalid("min_confidence lies between 0 and 1", field="min_confidence")
    # Not a parameter: the planner must see which partial index fits.
    filters, params = [f"c.status = '{wanted.status}'"], []
    for name in ("layer", "kind", "rule", "key"):
        if getattr(wanted, name):
            filters.append(f"c.{name} = %s")
            params.append(storable(getattr(wanted, name), name))
    for name in ("high_risk", "needs_review", "disputed", "needs_recheck"):
        if getattr(wanted, name) is not None:
            holds = CONTRADICTED if name == "disputed" and wanted.status == "active" else f"c.{name}"
            filters.append(holds if getattr(wanted, name) else f"NOT {holds}")
    if wanted.without:
        filters.append("c.id <> ALL (%s::bigint[])")
        params.append(list(wanted.without))
    if wanted.promoted is not None:
        filters.append(f"c.promoted_at IS {'NOT ' if wanted.promoted else ''}NULL")
    if wanted.min_confidence is not None:
        filters.append("c.confidence >= %s")
        params.append(wanted.min_confidence)
    if wanted.uncrowded:
        filters.append(f"c.turn < {TURN_CROWDED}")
    if wanted.high_risk and wanted.status == "pending":
        # Their turns, so that a list without any ends at once.
        filters.append("c.turn <= 2")
    if wanted.comes_back is not None:
        filters.append(f"c.deferred_until IS {'NOT ' if wanted.comes_back else ''}NULL")
    if wanted.before is not None:
        filters.append("c.created_at <= %s")
        params.append(wanted.before)
        if wanted.status == "pending":
            # Ids rise with time: one probe tells from which on none can fit, but for the few written side by side.
            filters.append(
                "c.id <= coalesce((SELECT w.id FROM ledger_claim w WHERE w.status = 'pending' AND w.created_at <= %s"
                " ORDER BY w.created_at DESC LIMIT 1), 0) + 1000"
            )
            params.append(wanted.before)
    for name in ("run", "wave", "source"):
        number = getattr(wanted, name)
        if number is not None:
            if abs(number) > MAX_ID:
                raise Invalid(f"no {name} {number}", field=name)
            filters.append(_FROM[name])
            params.append(number)
    return filters, params


_FROM = {
    "run": "c.run_id = %s",
    # As a list of ids, which is short beside the queue, whatever the planner thinks of the statistics.
    "source": "c.id = ANY (ARRAY(SELECT e.claim_id FROM ledger_evidence e WHERE e.source_id = %s))",
    "wave": "c.id = ANY (ARRAY(SELECT e.claim_id FROM (SELECT %s::bigint AS id) w CROSS JOIN LATERAL (SELECT s.id FROM"
    " ledger_source s WHERE s.wave_id = w.id UNION SELECT t.source_id FROM ledger_wave_taken_along t WHERE t.wave_id = w.id) s"
    " JOIN ledger_evidence e ON e.source_id = s.id))",
}


def search_conditions(q: str) -> list[tuple[list[str], list[Any]]]:
    """The ways to answer `q`, tried in this order until one finds something: a ref, full text, then trigrams."""
    if not q:
        return [([], [])]
    if len(q) > MAX_QUERY:
        raise Invalid(f"q has at most {MAX_QUERY} characters", field="q")
    storable(q, "q")
    if REF.fullmatch(q):
        return [(["c.ref = %s"], [q.upper()])]
    like = "%" + q.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    return [
        (["c.search @@ websearch_to_tsquery('english', %s)"], [q]),
        (["(c.statement ILIKE %s OR %s <%% c.statement)"], [like, q]),
    ]


def _rows(
    places: _Places, filters: list[str], params: Sequence[Any], order: str, limit: int, after: list[Any] | None
) -> list[Claim]:
    columns, way, _ = ORDERS[order]
    conditions, values = ["c.scope_id = v.id", *filters], list(params)
    if after is not None:
        left = ", ".join(f"c.{column}" for column in columns)
        right = ", ".join(f"%s::{CASTS[column]}" for column in columns)
        conditions.append(f"({left}) {'<' if way == 'DESC' else '>'} ({right})")
        values += after
    sort = ", ".join(f"{{0}}.{column} {way}" for column in columns)
    inner = ", ".join(f"c.{column}" for column in columns)
    best = (
        f"SELECT b.id FROM ({places.sql}) v CROSS JOIN LATERAL (SELECT {inner} FROM ledger_claim c"  # noqa: S608
        f" WHERE {' AND '.join(conditions)} ORDER BY {sort.format('c')} LIMIT {limit + 1}) b"
        f" ORDER BY {sort.format('b')} LIMIT {limit + 1}"
    )
    return claims_where(f"c.id IN ({best}) ORDER BY {sort.format('c')}", [*places.params, *values], scopes=places.known)


def _hits(places: _Places, filters: list[str], params: Sequence[Any]) -> list[int]:
    """What a search finds, in no order, up to one more than `MAX_HITS`. The planner knows little of how rare a word is: asked for
    the best few it walks the whole list in their order, a million rows for one."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT c.id FROM ledger_claim c WHERE {' AND '.join(filters)}"  # noqa: S608
            f" AND c.scope_id IN ({places.sql}) LIMIT {MAX_HITS + 1}",
            [*params, *places.params],
        )
        return [pk for (pk,) in cursor.fetchall()]


def _count(places: _Places, filters: list[str], params: Sequence[Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(*) FROM ledger_claim c WHERE {' AND '.join(filters)}"  # noqa: S608
            f" AND c.scope_id IN ({places.sql})",
            [*params, *places.params],
        )
        return int(cursor.fetchone()[0])
