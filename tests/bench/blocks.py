"""Measure knowledge blocks on a database of its own: what a patch costs beside ten facts and beside ten thousand, what it takes to
read a block of that length, to compare all of it with the claims, and to make it anew.

    uv run python -m tests.bench.blocks --facts 10000
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ledger.actions.propose import Draft
    from ledger.models import Scope
    from tests.people import People

TIMES = 20
AT_ONCE = 500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=10_000)
    options = parser.parse_args()
    from tests import services

    try:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        from tests import database

        with database.ready():
            measure(options.facts)
    finally:
        services.server.stop()


def measure(facts: int) -> None:
    from ledger.actions.patch_blocks import rebuild_blocks
    from ledger.models import BlockLine, Scope
    from ledger.projections.blocks import block_of
    from tests.people import make_people, make_scope

    scopes = {size: make_scope(f"with-{size}", packs=("production",)) for size in (10, facts)}
    for size, scope in scopes.items():
        people = make_people(scope)
        grow(scope, people, size)
        rows = Scope.objects.filter(pk=scope.pk)
        if size == facts:
            BlockLine.objects.filter(block__scope=scope).delete()
            print(f"{size:,} lines made anew: {timed(lambda rows=rows: rebuild_blocks(rows)):.0f} ms")
            print(f"{size:,} lines compared: {timed(lambda rows=rows: rebuild_blocks(rows, check=True)):.0f} ms")
            read = timed(lambda scope=scope: block_of(scope, "project.constraints").content)
            print(f"a block of {size:,} lines read: {read:.0f} ms")
        else:
            rebuild_blocks(rows)
        print(f"a patch beside {size:,} facts: {patched(scope, people):.1f} ms")


def patched(scope: "Scope", people: "People") -> float:
    """The median of patching one claim in and out, without the decision itself."""
    from django.db import transaction

    from ledger.actions.patch_blocks import patch_blocks
    from ledger.actions.promote import promote
    from tests.people import candidate

    took = []
    for at in range(TIMES):
        claim = candidate(scope, people.bob, f"One more rule, number {at}", kind="constraint")
        event = promote(claim, actor=people.bob)
        with transaction.atomic():
            claim.refresh_from_db()
            claim.block_line.delete()
            took.append(timed(lambda event=event, claim=claim: patch_blocks(event, [claim])))
    return statistics.median(took)


def grow(scope: "Scope", people: "People", facts: int) -> None:
    """So many constraints that hold."""
    from ledger.actions.propose import Draft
    from tests.people import quote_of, tell

    quotes = (quote_of(tell(scope, people.bob, "These are the rules of the house")),)
    drafts = [Draft(kind="constraint", statement=f"Rule {at} of the house", quotes=quotes) for at in range(facts)]
    propose_and_hold(scope, people, drafts)


def propose_and_hold(scope: "Scope", people: "People", drafts: "Sequence[Draft]") -> None:
    """Written past the promotion: this measures what comes after it."""
    from django.db import connection, transaction
    from django.utils import timezone

    from ledger.actions.propose import propose_all
    from ledger.models import Claim
    from ledger.rules.permissions import Right

    for since in range(0, len(drafts), AT_ONCE):
        propose_all(drafts[since : since + AT_ONCE], scope=scope, actor=people.bob, right=Right.REVIEW)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_claim DISABLE TRIGGER USER")
        Claim.objects.filter(scope=scope, status="pending").update(status="active", promoted_at=timezone.now())
        cursor.execute("ALTER TABLE ledger_claim ENABLE TRIGGER USER")


def timed(call: Callable[[], Any]) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
