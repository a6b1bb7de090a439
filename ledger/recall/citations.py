"""What stands behind a row that is shown: the words it rests on, and whether something live contradicts it."""

import re
from collections.abc import Sequence

from django.db.models import Q

from ledger.errors import Invalid
from ledger.models import Claim, ConflictMember, Scope, TrustedState
from ledger.reads.claims import Citation, evidence_of
from ledger.reads.scopes import ancestor_paths
from ledger.rules.permissions import Access, Right

MAX_CITED = 3


def in_open_conflict(claim_ids: Sequence[int]) -> set[int]:
    """Those of the claims that hold while an open conflict names them. One query."""
    members = ConflictMember.objects.filter(claim__in=claim_ids, claim__status="active", conflict__status="open")
    return {pk for pk in members.values_list("claim_id", flat=True) if pk is not None}


def refs_in_open_conflict(claim_ids: Sequence[int], trusted_ids: Sequence[int]) -> set[str]:
    """The refs of those claims and trusted values that hold while an open conflict names them. One query."""
    holds = Q(claim__in=claim_ids, claim__status="active") | Q(trusted__in=trusted_ids, trusted__status="current")
    rows = ConflictMember.objects.filter(holds, conflict__status="open").values_list("claim__ref", "trusted__ref")
    return {ref for pair in rows for ref in pair if ref is not None}


def words_behind(rows: Sequence[TrustedState]) -> dict[int, list[Citation]]:
    """For each trusted value the first words of the claims it cites. Two queries."""
    refs = {ref for row in rows for ref in row.cites[:MAX_CITED]}
    ids = dict(Claim.objects.filter(ref__in=refs).values_list("ref", "pk")) if refs else {}
    cited = evidence_of(ids.values())
    return {
        row.pk: [words for ref in row.cites if ref in ids for words in cited[ids[ref]][:1]][:MAX_CITED] for row in rows
    }


_SOURCE = re.compile(r"source:[1-9][0-9]{0,17}", re.ASCII)


def check_refs(refs: Sequence[str], scope: Scope, access: Access) -> None:
    """Two queries. Raises `Invalid` naming the first ref (`refs.2`) that does not exist or is out of sight."""
    wanted = [ref for ref in refs if not _SOURCE.fullmatch(ref)]
    paths = dict(Claim.objects.filter(ref__in=wanted).values_list("ref", "scope__path"))
    paths |= dict(TrustedState.objects.filter(ref__in=wanted).values_list("ref", "scope__path"))
    above = set(ancestor_paths(scope.path))
    for at, ref in enumerate(refs):
        if _SOURCE.fullmatch(ref):
            continue
        if ref not in paths or not (paths[ref] in above or access.may(Right.READ, paths[ref])):
            raise Invalid(f"no row {ref[:40]!r} in sight", field=f"refs.{at}")
