"""What stands behind a row that is shown: its words, and whether something live contradicts it."""

from collections.abc import Sequence

from ledger.models import Claim, ConflictMember, TrustedState
from ledger.reads.claims import Cited, evidence_of

MOST_CITED = 3


def in_open_conflict(claim_ids: Sequence[int]) -> set[int]:
    """Those of the claims that an open conflict names."""
    members = ConflictMember.objects.filter(claim__in=claim_ids, conflict__status="open")
    return {pk for pk in members.values_list("claim_id", flat=True) if pk is not None}


def words_behind(rows: Sequence[TrustedState]) -> dict[int, list[Cited]]:
    """For each trusted value the first words of the claims it cites. Two queries."""
    refs = {ref for row in rows for ref in row.cites[:MOST_CITED]}
    ids = dict(Claim.objects.filter(ref__in=refs).values_list("ref", "pk")) if refs else {}
    cited = evidence_of(ids.values())
    return {
        row.pk: [words for ref in row.cites if ref in ids for words in cited[ids[ref]][:1]][:MOST_CITED] for row in rows
    }
