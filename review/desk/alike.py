"""What a claim could be merged into: what it meets, what waits beside it and says the same, and what typed words find."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ledger.models import Claim
from ledger.reads.claims import REF, claim_rows
from ledger.recall.find import find_claims, read_question
from ledger.rules.states import UNDECIDED_OR_LIVE

# As many as there are digits to choose by.
MAX_ALIKE: Final = 9


@dataclass(frozen=True, slots=True)
class Alike:
    ref: str
    statement: str
    status: str


def found_alike(claim: Claim, words: str) -> list[Alike]:
    """Of the claim's own scope what has these words, or this ref; never itself. At most four queries."""
    rows = claim_rows().filter(scope=claim.scope_id, status__in=UNDECIDED_OR_LIVE).exclude(pk=claim.pk)
    if REF.fullmatch(words):
        return alike_of(rows.filter(ref=words.upper()))
    statuses = [str(status) for status in UNDECIDED_OR_LIVE]
    order = find_claims(read_question(words), [claim.scope_id], statuses=statuses).order[: MAX_ALIKE + 1]
    found = {row.pk: row for row in rows.filter(pk__in=order)}
    return alike_of(found[pk] for pk in order if pk in found)


def alike_of(rows: Iterable[Claim]) -> list[Alike]:
    return [Alike(row.ref, row.told, row.status) for row in rows][:MAX_ALIKE]
