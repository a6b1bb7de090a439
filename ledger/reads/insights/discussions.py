"""How much a scope's discussions give: context recovery, repeated corrections, traceability (D13)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.language.polarity import assertion_of
from ledger.models import Claim, Pattern, Scope
from ledger.reads.sql import fetch_rows

# A discussion's sense of a decision (D1).
KINDS = ("decision", "constraint", "action_item", "correction", "preference", "requirement", "commitment")
# The figures speak of the newest so many; `more` tells that there are older ones.
MAX_MESSAGES = 5_000
MAX_CORRECTIONS = 300
MAX_DECISIONS = 5_000
LIKENESS = 0.6

_WORDS = """
    SELECT count(*), coalesce(sum(regexp_count(text, '\\S+')), 0) FROM (
        SELECT text FROM ledger_source WHERE scope_id = %s AND conversation_id IS NOT NULL AND kind <> 'document'
        ORDER BY id DESC LIMIT %s) s
"""
_STATE = """
    SELECT count(*), coalesce(sum(regexp_count(statement, '\\S+')), 0),
           count(*) FILTER (WHERE EXISTS (
               SELECT FROM ledger_evidence e WHERE e.claim_id = c.id AND e.stance = 'supports' AND NOT e.redacted))
    FROM (SELECT id, statement FROM ledger_claim
          WHERE scope_id = %s AND status = 'active' AND kind = ANY (%s) ORDER BY id DESC LIMIT %s) c
"""


@dataclass(frozen=True, slots=True)
class DiscussionFigures:
    """`state_words` of `decisions` stand for `talk_words` of `messages`. `traced` decisions have words of a source behind
    them. `repeated` of the `corrections` say again what had become a constraint before; the target is none. `more` where
    only the newest were counted."""

    messages: int
    talk_words: int
    decisions: int
    state_words: int
    traced: int
    corrections: int
    repeated: int
    more: bool

    @property
    def recovery(self) -> float | None:
        """Words to read instead of one word of talk; the smaller the better. None without talk."""
        return self.state_words / self.talk_words if self.talk_words else None

    @property
    def traceability(self) -> float | None:
        """The share of decisions that lead back to a source; the target is 1. None without decisions."""
        return self.traced / self.decisions if self.decisions else None


def discussion_figures(scope: Scope) -> DiscussionFigures:
    """The scope's own figures; three queries, bounded."""
    [(messages, talk)] = fetch_rows(_WORDS, [scope.pk, MAX_MESSAGES])
    [(decisions, state, traced)] = fetch_rows(_STATE, [scope.pk, list(KINDS), MAX_DECISIONS])
    rows = Pattern.objects.filter(scope=scope, type="correction").select_related("claim").defer("claim__search")
    corrections = list(rows.order_by("-pk")[: MAX_CORRECTIONS + 1])
    more = messages == MAX_MESSAGES or decisions == MAX_DECISIONS or len(corrections) > MAX_CORRECTIONS
    earlier = earlier_corrections([row.claim for row in corrections[:MAX_CORRECTIONS][::-1]])
    repeated = len(earlier) - earlier.count(None)
    return DiscussionFigures(messages, talk, decisions, state, traced, len(earlier), repeated, more)


def earlier_corrections(claims: Sequence[Claim | None]) -> list[int | None]:
    """Of corrections in their order, by the constraints that they made: the place of the first earlier one that made the same
    constraint, or one of nearly the same words; None for what is said for the first time."""
    first: dict[int, int] = {}
    terms: dict[int, frozenset[str]] = {}
    found: list[int | None] = [None] * len(claims)
    made = [(at, claim) for at, claim in enumerate(claims) if claim is not None]
    for at, claim in made:
        said = assertion_of(claim.statement).terms
        alike = next((place for place, other in terms.items() if _nearly_same(said, other)), None)
        found[at] = first.get(claim.pk, alike)
        first.setdefault(claim.pk, at)
        terms[at] = said
    return found


def _nearly_same(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    return shared >= 2 and shared / len(one | other) >= LIKENESS
