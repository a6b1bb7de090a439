"""Several candidates for one key as one: a time line of the values, who gave each and when, of which a digit takes one."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.models import Claim
from ledger.reads.claims import Citation


@dataclass(frozen=True, slots=True)
class GroupedValue:
    """One of the values. `named` is its ref with the version that is shown, as the form sends it; `own` is the card's."""

    named: str
    ref: str
    statement: str
    value: Any
    quote: Citation | None
    at: dt.datetime
    own: bool


def value_group(
    claim: Claim, own: Citation | None, beside: Iterable[tuple[Claim, Citation | None]]
) -> list[GroupedValue]:
    """In the order in which they were said; nothing where there is only one, or no key that they are values of."""
    if not claim.key:
        return []
    others = [(row, quote) for row, quote in beside if (row.key, row.kind_id) == (claim.key, claim.kind_id)]
    rows = [_grouped(claim, own, own=True), *(_grouped(row, quote, own=False) for row, quote in others)]
    return sorted(rows, key=lambda one: (one.at, one.ref)) if _differ(rows) else []


def _differ(rows: Sequence[GroupedValue]) -> bool:
    return len({repr(row.value) if row.value is not None else row.statement for row in rows}) > 1


def _grouped(claim: Claim, quote: Citation | None, *, own: bool) -> GroupedValue:
    at = (quote and quote.sent_at) or claim.created_at
    return GroupedValue(f"{claim.ref}:{claim.version}", claim.ref, claim.statement, claim.value, quote, at, own)
