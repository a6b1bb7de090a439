"""What takes place, when, and who is held by it: the confirmed events and assignments of a scope, expanded in a window."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from ledger.language.fold import fold
from ledger.models import Claim, Person, Scope
from ledger.reads.scopes import ancestor_paths
from ledger.rules.calendar import CalendarEntry, Occurrence, entry_of, occurrences_of, with_changes

KINDS = ("event", "assignment")
MAX_ENTRIES = 2_000


def occurrences(
    scope: Scope, start: datetime, end: datetime, person: str | None = None, *, cancelled: bool = False
) -> list[Occurrence]:
    """All that is confirmed here and above and overlaps the window (both aware, the end exclusive), the earliest first.
    `person` by any of their names: what they take part in or have taken on. `cancelled`: with what was called off."""
    entries: Iterable[CalendarEntry] = calendar_entries(scope, cancelled=cancelled)
    if person is not None:
        names = names_of(scope, person)
        entries = [entry for entry in entries if not names.isdisjoint(map(fold, entry.people))]
    found = [one for entry in entries for one in occurrences_of(entry, start, end)]
    return sorted(found, key=lambda one: (one.start, one.ref))


def calendar_entries(scope: Scope, *, cancelled: bool = False) -> list[CalendarEntry]:
    """The event graph of a scope with what its ancestors hold, the newest claims first, as it takes place. One query, and one
    more where an occurrence was changed of what has given way to a newer version."""
    return with_changes(confirmed_entries(ancestor_paths(scope.path), scope.timezone), cancelled=cancelled)


def confirmed_entries(paths: Sequence[str], zone_name: str) -> list[CalendarEntry]:
    """What is confirmed in these scopes, each change beside what it changes."""
    rows = Claim.objects.filter(scope__path__in=paths, kind__in=KINDS, status="active").order_by("-id")
    values = rows.values_list("ref", "kind", "value")[:MAX_ENTRIES]
    entries = [entry for ref, kind, value in values if (entry := entry_of(ref, kind, value, zone_name)) is not None]
    known = {name for entry in entries for name in (entry.ref, entry.uid)}
    lost = {entry.series for entry in entries if entry.changes is not None} - known
    newer = _successors(lost) if lost else {}
    return [replace(entry, series=newer.get(entry.series, entry.series)) for entry in entries]


def _successors(refs: Collection[str]) -> dict[str, str]:
    """What took the place of each, where that holds now."""
    rows = Claim.objects.filter(ref__in=refs, successor__status="active")
    return dict(rows.values_list("ref", "successor__ref"))


def names_of(scope: Scope, person: str) -> frozenset[str]:
    """All names, folded, of whoever goes by this one here or above."""
    asked = fold(person).strip()
    known = Person.objects.filter(scope__path__in=ancestor_paths(scope.path)).values_list("name", "aliases")
    folded = [frozenset(fold(name).strip() for name in (name, *aliases)) for name, aliases in known]
    return frozenset({asked}).union(*(names for names in folded if asked in names))
