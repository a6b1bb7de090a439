"""The queue, and every other list of claims: the best few of each visible scope, merged (design §10).

One index probe per visible scope finds a page's ids, in any order and at any depth; the rows are read by id. Nothing
is counted unless asked.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ledger.errors import Invalid
from ledger.models import Claim, Layer, Scope
from ledger.reads.claims import REF, claims_where
from ledger.reads.page import MAX_ID, Page, check_choice, check_limit, decode_cursor, page_of
from ledger.reads.scopes import scope_at, visible_ids
from ledger.reads.sql import fetch_column
from ledger.rules.columns import storable
from ledger.rules.permissions import Access
from ledger.rules.ranking import TURN_CROWDED
from ledger.rules.states import Status


class Where(NamedTuple):
    """Conditions on claims `c`, all of which hold, and their parameters in the same order."""

    parts: list[str]
    params: list[Any]

    def and_(self, other: "Where") -> "Where":
        return Where(self.parts + other.parts, self.params + other.params)

    @property
    def sql(self) -> str:
        return " AND ".join(self.parts)


@dataclass(frozen=True, slots=True)
class Order:
    """What a list sorts by, best first. All columns run the same way, so that a row comparison is a range of an index."""

    columns: tuple[str, ...]
    descending: bool
    types: tuple[type, ...]

    def sort(self, table: str) -> str:
        return ", ".join(f"{table}.{column} {'DESC' if self.descending else 'ASC'}" for column in self.columns)

    @property
    def after(self) -> str:
        """A condition on rows that follow the one whose values are its parameters."""
        left = ", ".join(f"c.{column}" for column in self.columns)
        right = ", ".join(f"%s::{CASTS[column]}" for column in self.columns)
        return f"({left}) {'<' if self.descending else '>'} ({right})"


ORDERS = {
    # By conflict, risk and rank, in a few steps; within a step the oldest source first, and its candidates together.
    "best": Order(("turn", "first_source", "id"), False, (int, int, int)),
    "rank": Order(("rank", "id"), True, (float, int)),
    "age": Order(("id",), False, (int,)),
    "risk": Order(("high_risk", "rank", "id"), True, (bool, float, int)),
    "newest": Order(("id",), True, (int,)),
    # What is put off, first what comes back first; what has no time never does by itself, and is not listed here.
    "back": Order(("deferred_until", "id"), False, (dt.datetime, int)),
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
    # Passed on to this user, or to anybody else than this one.
    handed_to: int | None = None
    not_handed_to: int | None = None
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
    order = check_choice(order or ("rank" if wanted.status == "pending" else "newest"), ORDERS, "order")
    if order == "back":
        wanted = replace(wanted, comes_back=True)
    columns = ORDERS[order].columns
    places = _places(access, scope, descend)
    filters = _filters(wanted)
    ways = search_conditions(wanted.q.strip())
    tried, after = _resumed(cursor, order, range(len(ways)))
    rows: list[Claim] = []
    for way in tried:
        where = _narrowed(places, filters, ways[way])
        rows = _rows(places, where, ORDERS[order], limit, after) if where else []
        if rows:
            break
    # A search is counted the way that answered it.
    total = _count(places, where or filters.and_(ways[way])) if count else None
    return page_of(rows, limit, lambda row: [order, way, *(getattr(row, c) for c in columns)], total=total)


def _resumed(cursor: str | None, order: str, ways: Sequence[int]) -> tuple[Sequence[int], list[Any]]:
    """Which ways to search are tried, all of them on the first page; and what the last row before this page is ordered by."""
    if not cursor:
        return ways, []
    tag, way, *after = decode_cursor(cursor, (str, int, *ORDERS[order].types))
    if tag != order or way not in ways:
        raise Invalid("this cursor belongs to another order or search", field="cursor")
    return [way], after


@dataclass(frozen=True, slots=True)
class _Places:
    """The scopes to list, as a subquery of ids; `known` are those already read."""

    sql: str
    params: tuple[Any, ...]
    known: Mapping[int, Scope] = field(default_factory=dict)


def _places(access: Access, path: str | None, descend: bool) -> _Places:
    if path is None:
        return _Places(*visible_ids(access))
    root = scope_at(path, access)
    if descend:
        return _Places(*visible_ids(access, root=root.path))
    return _Places("SELECT %s::bigint AS id", (root.pk,), {root.pk: root})


# What shows as disputed: a person or an agent objected, or an open conflict names it (P15). The array is made once.
CONTRADICTED = """(c.disputed OR c.id = ANY(ARRAY(
    SELECT m.claim_id FROM ledger_conflictmember m JOIN ledger_conflict x ON x.id = m.conflict_id
    WHERE x.status = 'open' AND m.claim_id IS NOT NULL)))"""
# Ids rise with time: one probe tells from which on none can fit, but for the few written side by side.
NONE_LATER = """c.id <= coalesce((SELECT w.id FROM ledger_claim w WHERE w.status = 'pending' AND w.created_at <= %s
    ORDER BY w.created_at DESC LIMIT 1), 0) + 1000"""
# What a value of a filter asks for, where it is given.
TEXTS = {name: f"c.{name} = %s" for name in ("layer", "kind", "rule", "key")}
AMOUNTS = {"min_confidence": "c.confidence >= %s", "before": "c.created_at <= %s"}
ORIGINS = {
    "run": "c.run_id = %s",
    # As a list of ids, which is short beside the queue, whatever the planner thinks of the statistics.
    "source": "c.id = ANY (ARRAY(SELECT e.claim_id FROM ledger_evidence e WHERE e.source_id = %s))",
    "wave": "c.id = ANY (ARRAY(SELECT e.claim_id FROM (SELECT %s::bigint AS id) w CROSS JOIN LATERAL (SELECT s.id FROM"
    " ledger_source s WHERE s.wave_id = w.id UNION SELECT t.source_id FROM ledger_wave_taken_along t WHERE t.wave_id = w.id) s"
    " JOIN ledger_evidence e ON e.source_id = s.id))",
}
# Few beside the queue: as a list of ids.
HANDED = {
    "handed_to": "c.id = ANY (ARRAY(SELECT h.claim_id FROM ledger_handover h WHERE h.status = 'current' AND h.user_id = %s))",
    "not_handed_to": "c.id = ANY (ARRAY(SELECT h.claim_id FROM ledger_handover h WHERE h.status = 'current' AND h.user_id <> %s))",
}
# What a flag of a filter asks for where it is true; the opposite where it is false.
FLAGS = {
    **{name: f"c.{name}" for name in ("high_risk", "needs_review", "disputed", "needs_recheck")},
    "promoted": "c.promoted_at IS NOT NULL",
    "comes_back": "c.deferred_until IS NOT NULL",
}


def _filters(wanted: ClaimFilter) -> Where:
    _check_filter(wanted)
    given = {name: value for name in ClaimFilter.__slots__ if (value := getattr(wanted, name)) not in (None, "")}
    flags = FLAGS | ({"disputed": CONTRADICTED} if wanted.status == "active" else {})
    # The status is no parameter: the planner must see which partial index fits.
    where = Where([f"c.status = '{wanted.status}'"], [])
    where.parts.extend(
        flags[name] if value else f"NOT ({flags[name]})" for name, value in given.items() if name in flags
    )
    for name, condition in (TEXTS | AMOUNTS | ORIGINS | HANDED).items():
        if name in given:
            where = where.and_(Where([condition], [storable(given[name], name)]))
    if wanted.without:
        where = where.and_(Where(["c.id <> ALL (%s::bigint[])"], [list(wanted.without)]))
    if wanted.uncrowded:
        where.parts.append(f"c.turn < {TURN_CROWDED}")
    return where.and_(_shortcuts(wanted)) if wanted.status == "pending" else where


def _check_filter(wanted: ClaimFilter) -> None:
    check_choice(wanted.status, Status.values, "status")
    if wanted.layer:
        check_choice(wanted.layer, Layer.values, "layer")
    if wanted.min_confidence is not None and not 0 <= wanted.min_confidence <= 1:
        raise Invalid("min_confidence lies between 0 and 1", field="min_confidence")
    for name in ORIGINS:
        number = getattr(wanted, name) or 0
        if abs(number) > MAX_ID:
            raise Invalid(f"no {name} {number}", field=name)


def _shortcuts(wanted: ClaimFilter) -> Where:
    """Conditions that follow from others, where those are of the queue: so that a list of few ends at once."""
    where = Where([], [])
    if wanted.high_risk:
        # Their turns.
        where.parts.append("c.turn <= 2")
    if wanted.before is not None:
        where = where.and_(Where([NONE_LATER], [wanted.before]))
    return where


FULL_TEXT = "c.search @@ websearch_to_tsquery('english', %s)"
NEARLY = "(c.statement ILIKE %s OR %s <%% c.statement)"


def search_conditions(q: str) -> list[Where]:
    """The ways to answer `q`, tried in this order until one finds something: a ref, full text, then trigrams."""
    if not q:
        return [Where([], [])]
    if len(q) > MAX_QUERY:
        raise Invalid(f"q has at most {MAX_QUERY} characters", field="q")
    storable(q, "q")
    if REF.fullmatch(q):
        return [Where(["c.ref = %s"], [q.upper()])]
    like = "%" + q.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    return [Where([FULL_TEXT], [q]), Where([NEARLY], [like, q])]


def _narrowed(places: _Places, filters: Where, search: Where) -> Where | None:
    """Both together; of a search by words that finds few these few, and None where it finds nothing.

    The planner knows little of how rare a word is: asked for the best few it walks the whole list in their order, a million rows
    for one.
    """
    where = filters.and_(search)
    if search.parts not in ([FULL_TEXT], [NEARLY]):
        return where
    hits = fetch_column(
        f"SELECT c.id FROM ledger_claim c WHERE {where.sql} AND c.scope_id IN ({places.sql}) LIMIT {MAX_HITS + 1}",  # noqa: S608
        [*where.params, *places.params],
    )
    if len(hits) > MAX_HITS:
        return where
    return filters.and_(Where(["c.id = ANY (%s::bigint[])"], [hits])) if hits else None


def _rows(places: _Places, where: Where, order: Order, limit: int, after: list[Any]) -> list[Claim]:
    conditions = ["c.scope_id = v.id", *where.parts, *([order.after] if after else [])]
    columns = ", ".join(f"c.{column}" for column in order.columns)
    best = (
        f"SELECT b.id FROM ({places.sql}) v CROSS JOIN LATERAL (SELECT {columns} FROM ledger_claim c"  # noqa: S608
        f" WHERE {' AND '.join(conditions)} ORDER BY {order.sort('c')} LIMIT {limit + 1}) b"
        f" ORDER BY {order.sort('b')} LIMIT {limit + 1}"
    )
    params = [*places.params, *where.params, *after]
    return claims_where(f"c.id IN ({best}) ORDER BY {order.sort('c')}", params, scopes=places.known)


def _count(places: _Places, where: Where) -> int:
    [total] = fetch_column(
        f"SELECT count(*) FROM ledger_claim c WHERE {where.sql} AND c.scope_id IN ({places.sql})",  # noqa: S608
        [*where.params, *places.params],
    )
    return int(total)
