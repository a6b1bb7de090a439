"""What became of everything that was acknowledged, asked of the database itself."""

import time
from collections.abc import Sequence
from typing import Any

import psycopg

from tests.campaign.clients import Client

QUIET_S = 180
# What waits for its next try at the model, by a time of its own, is not stuck.
OPEN = "SELECT count(*) FROM ledger_run WHERE status = 'running' OR (status = 'queued' AND coalesce(retry_at, now()) <= now())"
# By external id how many sources there are, how many claims rest on them, and what became of their runs.
SOURCES = """
    SELECT s.external_id, count(DISTINCT s.id), count(DISTINCT c.id), bool_or(s.text LIKE '%%' || s.external_id || '%%'),
      (SELECT string_agg(format('%%s after %%s attempts %%s', r.status, r.attempts, r.error), '; ' ORDER BY r.id)
       FROM ledger_run r JOIN ledger_source o ON o.id = r.source_id
       WHERE o.external_id = s.external_id AND o.scope_id = min(s.scope_id))
    FROM ledger_source s LEFT JOIN ledger_evidence e ON e.source_id = s.id
    LEFT JOIN ledger_claim c ON c.id = e.claim_id AND c.extractor = 'rules'
    WHERE s.scope_id = (SELECT id FROM ledger_scope WHERE path = %s) AND s.external_id <> '' GROUP BY 1
"""
CLAIMS = (
    "SELECT ref, status, statement FROM ledger_claim WHERE scope_id = (SELECT id FROM ledger_scope WHERE path = %s)"
)
EVENTS = "SELECT id, verb FROM ledger_journalevent WHERE id = ANY(%s)"
TWICE = """
    SELECT undoes_id FROM ledger_journalevent WHERE undoes_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1
"""


def wait_until_quiet(url: str) -> int:
    """Runs that are still open when the patience is over."""
    until = time.monotonic() + QUIET_S
    while True:
        waiting = open_runs(url)
        if not waiting or time.monotonic() > until:
            return waiting
        time.sleep(0.5)


def open_runs(url: str) -> int:
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            return int((connection.execute(OPEN).fetchone() or (0,))[0])
    except psycopg.OperationalError:
        return 1  # the last thing that was done was to the database: it is on its way back


def count(url: str, clients: Sequence[Client]) -> dict[str, list[str]]:
    """`lost` and `doubled`, a line each."""
    found: dict[str, list[str]] = {"lost": [], "doubled": []}
    with psycopg.connect(url, autocommit=True) as connection:
        for client in clients:
            count_sources(connection, client, found)
            count_claims(connection, client, found)
        found["doubled"] += [f"event {pk} was undone twice" for (pk,) in connection.execute(TWICE)]
    return found


def count_sources(connection: psycopg.Connection[Any], client: Client, found: dict[str, list[str]]) -> None:
    rows = {name: rest for name, *rest in connection.execute(SOURCES, [client.scope])}
    for name in client.sources:
        sources, claims, whole, runs = rows.get(name, (0, 0, False, None))
        if not (sources and claims and whole):
            found["lost"].append(f"source {name}: {sources} rows, {claims} claims, runs: {runs or 'none'}")
        if sources > 1 or claims > 1:
            found["doubled"].append(f"source {name}: {sources} rows, {claims} claims")


def count_claims(connection: psycopg.Connection[Any], client: Client, found: dict[str, list[str]]) -> None:
    rows = list(connection.execute(CLAIMS, [client.scope]))
    said = [statement for *_, statement in rows]
    for statement in client.statements:
        if said.count(statement) != 1:
            found["doubled" if statement in said else "lost"].append(statement)
    statuses = {ref: status for ref, status, _ in rows}
    found["lost"] += [
        f"{ref} is {statuses.get(ref)}, not {state}"
        for ref, state in client.states.items()
        if statuses.get(ref) != state
    ]
    events = dict(connection.execute(EVENTS, [list(client.events)]))
    found["lost"] += [f"event {pk} {verb}" for pk, verb in client.events.items() if events.get(pk) != verb]
