"""How much a scope's discussions give: context recovery, repeated corrections, traceability (D13)."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from ledger.language.polarity import assertion_of
from ledger.models import Claim, Pattern, Scope

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
    with connection.cursor() as cursor:
        cursor.execute(_WORDS, [scope.pk, MAX_MESSAGES])
        messages, talk = cursor.fetchone()
        cursor.execute(_STATE, [scope.pk, list(KINDS), MAX_DECISIONS])
        decisions, state, traced = cursor.fetchone()
    rows = Pattern.objects.filter(scope=scope, type="correction").select_related("claim").defer("claim__search")
    corrections = list(rows.order_by("-pk")[: MAX_CORRECTIONS + 1])
    more = messages == MAX_MESSAGES or decisions == MAX_DECISIONS or len(corrections) > MAX_CORRECTIONS
    newest = corrections[:MAX_CORRECTIONS][::-1]
    repeated = repeated_corrections([row.claim for row in newest])
    return DiscussionFigures(messages, talk, decisions, state, traced, len(newest), repeated, more)


def repeated_corrections(claims: Sequence[Claim | None]) -> int:
    """Of corrections in their order, by the constraints that they made: how many made one that an earlier one had made, or
    one of nearly the same words."""
    return sum(earlier is not None for earlier in earlier_corrections(claims))


def earlier_corrections(claims: Sequence[Claim | None]) -> list[int | None]:
    """Of corrections in their order, by the constraints that they made: the place of the first earlier one that made the same
    constraint, or one of nearly the same words; None for what is said for the first time."""
    seen: dict[int, int] = {}
    words: list[tuple[int, frozenset[str]]] = []
    found: list[int | None] = []
    for at, claim in enumerate(claims):
        if claim is None:
            found.append(None)
            continue
        said = assertion_of(claim.statement).terms
        earlier = seen.get(claim.pk)
        if earlier is None:
            earlier = next((place for place, other in words if _like(said, other)), None)
        found.append(earlier)
        seen.setdefault(claim.pk, at)
        words.append((at, said))
    return found


def _like(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    return shared >= 2 and shared / len(one | other) >= LIKENESS
