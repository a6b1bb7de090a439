"""The confirmed calendar of scopes as an iCalendar file."""

from collections.abc import Sequence

from ledger.models import Claim, Scope
from ledger.reads.calendar import confirmed_entries
from ledger.reads.scopes import ancestor_paths
from ledger.rules.calendar_files.writing import calendar_text

MEDIA_TYPE = "text/calendar; charset=utf-8"


def write_calendar(scopes: Sequence[Scope]) -> bytes:
    """What is confirmed in these scopes themselves."""
    return _written(scopes[0], [scope.path for scope in scopes])


def write_calendar_seen_in(scope: Scope) -> bytes:
    """What its calendar shows: its own, and what its ancestors hold."""
    return _written(scope, ancestor_paths(scope.path))


def _written(scope: Scope, paths: Sequence[str]) -> bytes:
    entries = confirmed_entries(paths, scope.timezone)
    rows = Claim.objects.filter(ref__in=[entry.ref for entry in entries])
    confirmed_at = {ref: at for ref, at in rows.values_list("ref", "promoted_at") if at is not None}
    return calendar_text(scope.name or scope.path, entries, confirmed_at)
