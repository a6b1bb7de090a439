"""Lists, decisions and polling screens of a real `up`, beside the bare SQL of the same rows."""

import os
import statistics
from collections.abc import Callable, Iterator
from typing import Any

import psycopg

from tests import whole
from tests.bench.timing import median_ms
from tests.bench.visitor import Visitor

TIMES, WARM = 40, 3
POLLS, SCREENS, EVERY_S = 400, 100, 10
DECISIONS = 200
EVIDENCE = "SELECT * FROM ledger_evidence WHERE claim_id = ANY(%s) ORDER BY id"


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def line(name: str, times: list[float], bare: float | None = None, note: str = "") -> str:
    beside = f"{bare:>9.2f} ms" if bare is not None else f"{'':>12}"
    return f"{name:<52} p50 {statistics.median(times):>7.1f}  p95 {p95(times):>7.1f} ms {beside}  {note}"


def lists(instance: whole.Instance, scope: str) -> Iterator[str]:
    """Every list on its first page, after as many rows as half of the table, and searched."""
    visitor = Visitor(instance)
    yield f"{'pages, with everything on them':<52} {'Countersign':>26} {'bare SQL':>12}"
    with psycopg.connect(instance.said["database_url"], autocommit=True) as bare:
        place = bare.execute("SELECT id FROM ledger_scope WHERE path = %s", [scope]).fetchone()[0]
        for status, path in (("pending", "/"), ("active", "/entities")):
            yield from _listed(visitor, bare, place, status, path)
        for model, table, status in (
            ("candidate", "ledger_claim", "pending"), ("entity", "ledger_claim", "active"),
            ("source", "ledger_source", ""), ("evidence", "ledger_evidence", ""),
        ):  # fmt: skip
            yield from _listed_in_admin(visitor, bare, model, table, status)
        for path in ("/conflicts", "/journal", "/runs", "/state", "/insights", "/admin/"):
            yield line(path, _times(visitor, path))


def _listed(visitor: Visitor, bare: psycopg.Connection, place: int, status: str, path: str) -> Iterator[str]:
    order, way = ("rank, id", "DESC") if status == "pending" else ("id", "DESC")
    condition = f"scope_id = {place} AND status = '{status}'"
    rows = f"SELECT * FROM ledger_claim WHERE {condition} ORDER BY {order.replace(',', ' DESC,')} {way} LIMIT 26"

    def page(sql: str) -> Callable[[], None]:
        def read() -> None:
            found = bare.execute(sql).fetchall()
            bare.execute(EVIDENCE, [[row[0] for row in found]]).fetchall()

        return read

    yield line(f"{path} first page", _times(visitor, path), median_ms(page(rows)))
    count = bare.execute(f"SELECT count(*) FROM ledger_claim WHERE {condition}").fetchone()[0]
    deep = bare.execute(
        f"SELECT ref, statement FROM ledger_claim WHERE {condition} ORDER BY id OFFSET {count // 3} LIMIT 1"
    ).fetchone()
    for order in ("", "risk", "age") if status == "pending" else ("",):
        cursor = cursor_of(order, bare, condition, count // 2, status)
        if cursor:
            yield line(
                f"{path} in order of {order or 'its own'}, after {count // 2:,} rows",
                _times(visitor, f"{path}?order={order}&cursor={cursor}"),
            )
    word = deep[1].split()[-1]
    for name, asked in (("a ref", deep[0]), ("a word that one row holds", word), ("a word that all hold", "plan")):
        yield line(f"{path} search, {name}", _times(visitor, f"{path}?q={asked}"))


def cursor_of(order: str, bare: psycopg.Connection, condition: str, depth: int, status: str) -> str:
    """The cursor of the page after `depth` rows, made as a page would make it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from ledger.reads.page import encode_cursor
    from ledger.reads.queue.listing import ORDERS

    name = order or ("best" if status == "pending" else "newest")
    by = ORDERS[name]
    columns = ", ".join(by.columns)
    sql = f"SELECT {columns} FROM ledger_claim c WHERE {condition} ORDER BY {by.sort('c')} OFFSET {depth} LIMIT 1"
    found = bare.execute(sql).fetchone()
    return encode_cursor([name, 0, *found]) if found else ""


def _listed_in_admin(visitor: Visitor, bare: psycopg.Connection, model: str, table: str, status: str) -> Iterator[str]:
    path = f"/admin/ledger/{model}/"
    where = f"WHERE status = '{status}'" if status else ""
    rows = f"SELECT * FROM {table} {where} ORDER BY id DESC LIMIT 51"
    yield line(f"{path} first page", _times(visitor, path), median_ms(lambda: bare.execute(rows).fetchall()))
    middle = bare.execute(f"SELECT (min(id) + max(id)) / 2 FROM {table}").fetchone()[0]
    yield line(f"{path} half way down", _times(visitor, f"{path}?p=after:{middle}"))
    yield line(f"{path} last page", _times(visitor, f"{path}?p=before:"))
    if status:
        found = bare.execute(
            f"SELECT ref, statement FROM {table} {where} AND id > {middle} ORDER BY id LIMIT 1"
        ).fetchone()
        yield line(f"{path} search, a ref", _times(visitor, f"{path}?q={found[0]}"))
        yield line(f"{path} search, a word that one row holds", _times(visitor, f"{path}?q={found[1].split()[-1]}"))


def _times(visitor: Visitor, path: str) -> list[float]:
    took = []
    for at in range(TIMES + WARM):
        ms, status, _ = visitor.get(path)
        if status != 200:
            raise RuntimeError(f"GET {path}: {status}")
        if at >= WARM:
            took.append(ms)
    return took


def decisions(instance: whole.Instance, scope: str) -> Iterator[str]:
    """Decisions as the desk sends them, one after the other, beside psycopg writing row, event and change."""
    visitor = Visitor(instance)
    with psycopg.connect(instance.said["database_url"], autocommit=True) as bare:
        place = bare.execute("SELECT id FROM ledger_scope WHERE path = %s", [scope]).fetchone()[0]
        rows = bare.execute(
            "SELECT id, ref, version FROM ledger_claim WHERE scope_id = %s AND status = 'pending' ORDER BY id LIMIT %s",
            [place, 2 * DECISIONS],
        ).fetchall()
        for action in ("promote", "reject"):
            mine, rows = rows[: DECISIONS // 2], rows[DECISIONS // 2 :]
            took = [_decided(visitor, action, ref, version) for _, ref, version in mine]
            theirs, rows = rows[: DECISIONS // 2], rows[DECISIONS // 2 :]
            by_hand = median_ms(_by_hand(bare, place, action, iter(theirs)), times=DECISIONS // 2 - 3)
            yield line(f"{action}, as the desk sends it", took, by_hand)


def _decided(visitor: Visitor, action: str, ref: str, version: int) -> float:
    fields = {"action": action, "version": str(version), "reason": "", "back": "/"}
    ms, status, body = visitor.post(
        f"/candidates/{ref}/decide", fields, **{"HX-Request": "true", "X-Requested-With": "desk"}
    )
    if status != 200:
        raise RuntimeError(f"{action} {ref}: {status} {body[:200]}")
    return ms


def _by_hand(bare: psycopg.Connection, place: int, action: str, rows: Iterator[Any]) -> Callable[[], None]:
    from tests.bench.writes import _event

    status = {"promote": "active", "reject": "rejected"}[action]

    def write() -> None:
        claim = next(rows)[0]
        with bare.transaction():
            bare.execute("UPDATE ledger_claim SET status = %s, version = version + 1 WHERE id = %s", [status, claim])
            _event(bare, action, place, [("claim", claim, f'{{"status": "{status}"}}')])

    return write


def polling(instance: whole.Instance, scope: str) -> Iterator[str]:
    """What open screens cost that ask every ten seconds whether anything is new, when nothing is."""
    visitor = Visitor(instance)
    path = f"/live?scope={scope}"
    visitor.get(path)
    tag = visitor.tag
    before, took, renewed = _cpu_seconds(instance), [], 0
    for _ in range(POLLS):
        ms, status, _ = visitor.get(path, **{"If-None-Match": tag, "HX-Request": "true"})
        took.append(ms)
        renewed += status == 200
        tag = visitor.tag or tag
    each = (_cpu_seconds(instance) - before) / POLLS
    share = each * SCREENS / EVERY_S
    yield line("a poll, nothing new", took, None, f"{renewed} of {POLLS} were renewed")
    yield f"{SCREENS} open screens, each asking every {EVERY_S} s: {each * 1000:.1f} ms of a core a poll, {share:.0%} of one core"


def _cpu_seconds(instance: whole.Instance) -> float:
    """Processor time of all of the instance's processes, database included."""
    ticks = 0
    for pid in whole.processes_of(instance.data_dir):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                fields = stat.read().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
