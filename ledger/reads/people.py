"""Who speaks or is spoken of in a scope."""

from collections.abc import Sequence

from ledger.models import Person, Scope
from ledger.reads.scopes import ancestor_paths


def people_of(scope: Scope) -> Sequence[Person]:
    """The people of the scope and of the scopes above it, nearest first; one query."""
    rows = Person.objects.filter(scope__path__in=ancestor_paths(scope.path)).select_related("scope")
    return sorted(rows, key=lambda person: (-len(person.scope.path), person.name))
