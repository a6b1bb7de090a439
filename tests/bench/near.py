"""What it costs to look for near duplicates, as the scope grows:

    uv run python -m tests.bench.near --claims 10000 200000

A pass of 1,000 hits is proposed into a scope that holds so many claims and rolled back; beside it the same pass without the
look-up, the look-up alone, and what one trigram probe of the same statements takes. Times are the best of three.
"""

import argparse
import secrets
import time
from collections.abc import Callable
from typing import Any

import psycopg

from tests import whole
from tests.bench.grow import grow

HITS = 1000
PROBES = 10
WORDS = "north south crate engine valve harbour ledger anchor timber signal copper window bridge garden kettle lantern".split()


def fill(url: str) -> None:
    """Give the grown claims the hashes that the verbs would have given them."""
    from ledger.language.nearness import near_keys

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER TABLE ledger_claim DISABLE TRIGGER USER")
        last = 0
        while True:
            rows = connection.execute(
                "SELECT id, scope_id, statement FROM ledger_claim WHERE id > %s AND near = '{}' ORDER BY id LIMIT 5000",
                [last],
            ).fetchall()
            if not rows:
                break
            last = rows[-1][0]
            made = [
                (
                    near_keys(
                        scope_id=scope, layer="entity", kind="decision", slot="", key="", value=None, statement=words
                    ),
                    pk,
                )
                for pk, scope, words in rows
            ]
            with connection.cursor() as cursor:
                cursor.executemany("UPDATE ledger_claim SET near = %s::bigint[] WHERE id = %s", made)
        connection.execute("ALTER TABLE ledger_claim ENABLE TRIGGER USER")
        connection.execute("VACUUM ANALYZE ledger_claim")


def best(call: Callable[[], Any], times: int = 3) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        taken.append(time.perf_counter() - began)
    return min(taken) * 1000


def measure(size: int) -> str:
    from django.db import connection, transaction
    from django.test.utils import CaptureQueriesContext

    from ledger.actions.anchoring import quote_at
    from ledger.actions.ingest import Incoming, ingest
    from ledger.actions.propose import Draft, propose_all
    from ledger.actor import operator
    from ledger.language.nearness import near_keys
    from ledger.models import Scope
    from ledger.reads.duplicates import nearly_same
    from ledger.rules.permissions import Right

    scope, actor = Scope.objects.get(path="large"), operator("bench")
    said = [
        f"The {WORDS[n % 16]} {secrets.token_hex(4)} stays beside the {WORDS[n // 16 % 16]} until the {WORDS[n % 13]} comes"
        for n in range(HITS)
    ]
    text = "\n".join(said)
    source = ingest([Incoming(text=text)], scope=scope, actor=actor)[0].source
    sections = list(source.sections.all())
    at = 0
    drafts = []
    for words in said:
        quote = quote_at(source, sections, at, at + len(words), stance="supports", anchor="exact")
        drafts.append(Draft(kind="decision", statement=words, quotes=(quote,), confidence=0.6))
        at += len(words) + 1

    def propose(right: Right) -> None:
        with transaction.atomic():
            propose_all(drafts, scope=scope, actor=actor, right=right)
            transaction.set_rollback(True)

    keys = {
        str(n): (
            near_keys(scope_id=scope.pk, layer="entity", kind="decision", slot="", key="", value=None, statement=words), words,
        )
        for n, words in enumerate(said)
    }  # fmt: skip

    def probe() -> None:
        with connection.cursor() as cursor:
            for words in said[:PROBES]:
                cursor.execute(
                    "SELECT id FROM ledger_claim WHERE scope_id = %s AND statement %% %s LIMIT 5", [scope.pk, words]
                )
                cursor.fetchall()

    with CaptureQueriesContext(connection) as queries:
        propose(Right.PROPOSE)
    # In turns: each pass that is rolled back leaves dead rows for the next.
    turns = [(best(lambda: propose(Right.PROPOSE), 1), best(lambda: propose(Right.REVIEW), 1)) for _ in range(4)]
    whole_pass, without = (min(taken) for taken in zip(*turns, strict=True))
    alone, trigrams = best(lambda: nearly_same(keys, lambda claim: 1.0)), best(probe, 2) / PROBES
    return (
        f"{size:>9,} claims: pass {whole_pass:7.0f} ms, without the look-up {without:7.0f} ms (ratio {whole_pass / without:.2f}),"
        f" look-up alone {alone:6.0f} ms, one trigram probe {trigrams:6.1f} ms, {len(queries)} statements"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", nargs="+", type=int, default=[10_000], help="sizes of the scope, rising")
    options = parser.parse_args()
    with whole.thrown_away("near") as instance:
        url = instance.said["database_url"]
        from ledger.actions.scope import create_scope
        from ledger.actor import operator

        create_scope("large", tier="project", actor=operator("bench"))
        have = 0
        for size in sorted(options.claims):
            grow(url, "large", size - have)
            fill(url)
            have = size
            print(measure(size), flush=True)


if __name__ == "__main__":
    main()
