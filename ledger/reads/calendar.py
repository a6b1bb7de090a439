"""What takes place, when, and who is held by it: the confirmed events and assignments of a scope, expanded in a window."""

from collections.abc import Iterable
from datetime import datetime

from ledger.language.fold import fold
from ledger.models import Claim, Person, Scope
from ledger.reads.scopes import ancestor_paths
from ledger.rules.calendar import CalendarEntry, Occurrence, entry_of, occurrences_of

KINDS = ("event", "assignment")
MAX_ENTRIES = 2_000


def occurrences(scope: Scope, start: datetime, end: datetime, person: str | None = None) -> list[Occurrence]:
    """All that is confirmed here and above and overlaps the window (both aware, the end exclusive), the earliest first.
    `person` by any of their names: what they take part in or have taken on."""
    entries: Iterable[CalendarEntry] = calendar_entries(scope)
    if person is not None:
        names = names_of(scope, person)
        entries = [entry for entry in entries if not names.isdisjoint(map(fold, entry.people))]
    found = [one for entry in entries for one in occurrences_of(entry, start, end)]
    return sorted(found, key=lambda one: (one.start, one.ref))


def calendar_entries(scope: Scope) -> list[CalendarEntry]:
    """The event graph of a scope with what its ancestors hold, the newest claims first. One query."""
    rows = Claim.objects.filter(
        scope__path__in=ancestor_paths(scope.path), kind__in=KINDS, status="active"
    ).order_by("-id")  # fmt: skip
    values = rows.values_list("ref", "kind", "value")[:MAX_ENTRIES]
    entries = (entry_of(ref, kind, value, scope.timezone) for ref, kind, value in values)
    return [entry for entry in entries if entry is not None]


def names_of(scope: Scope, person: str) -> frozenset[str]:
    """All names, folded, of whoever goes by this one here or above."""
    asked = fold(person).strip()
    known = Person.objects.filter(scope__path__in=ancestor_paths(scope.path)).values_list("name", "aliases")
    folded = [frozenset(fold(name).strip() for name in (name, *aliases)) for name, aliases in known]
    return frozenset({asked}).union(*(names for names in folded if asked in names))
