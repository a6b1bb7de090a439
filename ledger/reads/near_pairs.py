"""Claims of one scope that say nearly the same and stand beside each other: merges to be confirmed by a person (C6, C14)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from ledger.language.nearness import form_of, overlap
from ledger.language.values import canonical_value
from ledger.models import Claim, Scope
from ledger.reads.sql import fetch_rows
from ledger.reads.teamwork import kept_apart
from ledger.rules.states import UNDECIDED_OR_LIVE

# So many of the newest claims are compared, and of those that share a hash so many with each other.
MAX_COMPARED = 20_000
MAX_GROUPS = 2_000
MAX_OF_ONE_HASH = 8

_GROUPS = """
    WITH live AS (SELECT id, near FROM ledger_claim WHERE scope_id = %s AND status = ANY (%s) ORDER BY id DESC LIMIT %s)
    SELECT DISTINCT (array_agg(id ORDER BY id))[:%s] FROM live, unnest(near) key
    GROUP BY key HAVING count(*) > 1 LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class MergeSuggestion:
    """`claim` could be merged into `into`; `likeness` is the share of words that they have in common, 1 for all that carry
    something."""

    claim: Claim
    into: Claim
    likeness: float

    @property
    def why(self) -> str:
        if self.likeness == 1:
            return "the same words, apart from what carries nothing"
        return f"{round(self.likeness * 100)} % of the words in common, and nothing said otherwise"


def merge_suggestions(scope: Scope, *, most: int) -> list[MergeSuggestion]:
    """The nearest first; each claim is merged in one of them at most, and none that is merged in one takes in another. What
    differs in a number, a name, a negation or its value is no pair, nor is what somebody told apart. Three queries."""
    pairs = {
        pair
        for (ids,) in fetch_rows(
            _GROUPS, [scope.pk, list(UNDECIDED_OR_LIVE), MAX_COMPARED, MAX_OF_ONE_HASH, MAX_GROUPS]
        )
        for pair in combinations(ids, 2)
    }
    rows = Claim.objects.defer("search").in_bulk({pk for pair in pairs for pk in pair})
    pairs -= kept_apart(list(rows.values()))
    found = sorted(_alike((rows[one], rows[other]) for one, other in pairs), key=_nearest_first)
    return list(_each_once(found))[:most]


def _alike(pairs: Iterable[tuple[Claim, Claim]]) -> Iterator[MergeSuggestion]:
    for pair in pairs:
        into, claim = sorted(pair, key=_better_first)
        one, other = form_of(claim.statement), form_of(into.statement)
        likeness = overlap(one, other) if one and other and _same_value(claim, into) else 0.0
        if likeness:
            yield MergeSuggestion(claim, into, round(likeness, 2))


def _better_first(claim: Claim) -> tuple[bool, int, int]:
    """What holds takes in what waits, what was said oftener what was said less, the older the newer."""
    return claim.status != "active", -claim.seen_count, claim.pk


def _same_value(one: Claim, other: Claim) -> bool:
    return canonical_value(one.value) == canonical_value(other.value)


def _nearest_first(one: MergeSuggestion) -> tuple[float, int]:
    return -one.likeness, one.claim.pk


def _each_once(found: Iterable[MergeSuggestion]) -> Iterator[MergeSuggestion]:
    merged: set[int] = set()
    taking: set[int] = set()
    for one in found:
        if one.claim.pk not in merged | taking and one.into.pk not in merged:
            merged.add(one.claim.pk)
            taking.add(one.into.pk)
            yield one
