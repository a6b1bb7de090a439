"""Patterns of a thread are noted once and never changed (D2)."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from ledger.actor import Actor
from ledger.models import Claim, Pattern, Run, Scope
from ledger.rules.permissions import Right

PREFIX = "PAT"


@dataclass(frozen=True, slots=True)
class PatternFound:
    """A pattern before it is a row. `sources` are the ids of its messages in their order. `hit` is the place, among the hits
    of the same pass, of the one that the pattern led to; None where it led to none."""

    type: str
    sources: tuple[int, ...]
    description: str
    hit: int | None = None

    @property
    def dedup(self) -> str:
        """Two passes that see the same pattern in the same messages see one."""
        return hashlib.sha256("|".join([self.type, *map(str, self.sources)]).encode()).hexdigest()


def note_patterns(
    found: Sequence[PatternFound],
    *,
    scope: Scope,
    actor: Actor,
    run: Run | None = None,
    claims: Sequence[Claim | None] = (),
) -> list[Pattern]:
    """New rows for what was not noted before; `claims` stand beside `found` where a pattern led to a claim. Logs of their own,
    like gates, and not journalled. In the transaction of the pass that found them."""
    if not found:
        return []
    beside = list(claims) or [None] * len(found)
    with transaction.atomic(savepoint=False):
        actor.require(Right.PROPOSE, scope)
        wanted = {one.dedup: (one, claim) for one, claim in zip(found, beside, strict=True)}
        known = set(Pattern.objects.filter(scope=scope, dedup__in=wanted).values_list("dedup", flat=True))
        fresh = [(dedup, one, claim) for dedup, (one, claim) in wanted.items() if dedup not in known]
        if not fresh:
            return []
        with connection.cursor() as cursor:
            cursor.execute("SELECT ledger_next_refs(%s)", [[PREFIX] * len(fresh)])
            refs = [row[0] for row in cursor.fetchall()]
        rows = Pattern.objects.bulk_create(
            [
                Pattern(
                    ref=ref, scope=scope, type=one.type, claim=claim, description=one.description, dedup=dedup, run=run
                )
                for ref, (dedup, one, claim) in zip(refs, fresh, strict=True)
            ]
        )
        through = Pattern.sources.through
        through.objects.bulk_create(
            [
                through(pattern_id=row.pk, source_id=source)
                for row, (_, one, _) in zip(rows, fresh, strict=True)
                for source in dict.fromkeys(one.sources)
            ]
        )
        return rows
