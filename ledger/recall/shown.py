"""Whether what a caller says it was shown can have been: rows in its sight."""

import re
from collections.abc import Sequence

from ledger.errors import Invalid
from ledger.models import Claim, Scope, TrustedState
from ledger.reads.scopes import ancestor_paths
from ledger.rules.permissions import Access, Right

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
