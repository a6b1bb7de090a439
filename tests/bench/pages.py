"""Queue pages through the API of a real `up`, beside the bare SQL of the same pages."""

import http.client
import json
from typing import Any
from urllib.parse import urlencode, urlsplit

import psycopg

from tests.bench.timing import median_ms, row

PAGE = 50
FIRST = """
SELECT c.* FROM ledger_claim c WHERE c.scope_id = %(scope)s AND c.status = 'pending'
ORDER BY c.rank DESC, c.id DESC LIMIT 50
"""
DEEP = """
SELECT c.* FROM ledger_claim c WHERE c.scope_id = %(scope)s AND c.status = 'pending' AND (c.rank, c.id) < (%(rank)s, %(id)s)
ORDER BY c.rank DESC, c.id DESC LIMIT 50
"""
EVIDENCE = "SELECT e.* FROM ledger_evidence e WHERE e.claim_id = ANY(%s) ORDER BY e.id"


class Api:
    """One kept connection to the server, as an agent would hold. `fresh` opens a new one: the server ends idle ones."""

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 80
        self.fresh()
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def fresh(self) -> None:
        self.connection = http.client.HTTPConnection(self.host, self.port)

    def __call__(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        target = f"/api/v1{path}" + (f"?{urlencode(query)}" if query else "")
        self.connection.request(method, target, json.dumps(body) if body is not None else None, self.headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {target}: {answer.status} {content[:300]!r}")
        return json.loads(content)


def measure(api: Api, database_url: str, scope: str, *, depth: int) -> list[str]:
    """First page and the page after `depth` rows, by API and bare."""
    api.fresh()
    with psycopg.connect(database_url, autocommit=True) as bare:
        scope_id = bare.execute("SELECT id FROM ledger_scope WHERE path = %s", [scope]).fetchone()[0]
        cursor, walked = None, 0
        while walked < depth:
            page = api("GET", "/candidates", scope=scope, limit=200, **({"cursor": cursor} if cursor else {}))
            walked += len(page["items"])
            cursor = page["next"]
            if cursor is None:
                break
        last = page["items"][-1] if depth else None

        def bare_page(sql: str, **extra: Any) -> None:
            rows = bare.execute(sql, {"scope": scope_id, **extra}).fetchall()
            bare.execute(EVIDENCE, [[r[0] for r in rows]]).fetchall()

        lines = [
            row(
                f"{scope}: first page of {PAGE}",
                median_ms(lambda: api("GET", "/candidates", scope=scope, limit=PAGE)),
                median_ms(lambda: bare_page(FIRST)),
            )
        ]
        if last is not None and cursor is not None:
            lines.append(
                row(
                    f"{scope}: page after {walked:,} rows",
                    median_ms(lambda: api("GET", "/candidates", scope=scope, limit=PAGE, cursor=cursor)),
                    median_ms(lambda: bare_page(DEEP, rank=last["rank"], id=last["id"])),
                )
            )
        return lines
