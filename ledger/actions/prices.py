"""Price lists: their rows are kept as observations, under the names that the supplier gives (T12)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from ledger.actions.catalog_links import NameSuggestions, suggest_in
from ledger.actions.catalogue import create_item, lock_catalogue
from ledger.actor import Actor
from ledger.errors import Invalid, TooLarge
from ledger.journal import Step
from ledger.models import CatalogItem, CatalogLink, JournalEvent, PriceObservation, Scope
from ledger.reads.catalogue import named_items, names_of
from ledger.rules.catalogue import normal_form
from ledger.rules.catalogue.prices import MAX_ROWS, PriceRow, RowFault, read_rows, unit_alone
from ledger.verbs import Verb


@dataclass(slots=True)
class ImportedPrices:
    """`waiting` are names that an item may be meant by: a person decides. `event` is None where nothing was written."""

    kept: int = 0
    duplicates: int = 0
    faults: list[RowFault] = field(default_factory=list)
    items: list[CatalogItem] = field(default_factory=list)
    waiting: list[NameSuggestions] = field(default_factory=list)
    event: JournalEvent | None = None


def import_prices(
    scope: Scope,
    rows: Sequence[tuple[int, Mapping[str, Any]]],
    *,
    actor: Actor,
    defaults: Mapping[str, str] | None = None,
    new_items: bool = True,
    reason: str = "",
) -> ImportedPrices:
    """Keep the rows that can be read; what is wrong with the others is told by line and field.

    A name that no item, synonym or link has, and that no item is suggested for, becomes an item of the scope, unless
    `new_items` is off. Rows of one list are never suggested for each other: a supplier names two things by two names.
    """
    if len(rows) > MAX_ROWS:
        raise TooLarge(f"at most {MAX_ROWS} rows at once", field="rows")
    if not rows:
        raise Invalid("a price list has one row at least", field="rows")
    read, faults = read_rows(rows, defaults=defaults or {}, now=timezone.now())
    done = ImportedPrices(faults=faults)
    with transaction.atomic(savepoint=False):
        actor.require(Verb.IMPORT_PRICES.row.right, scope)
        lock_catalogue(scope.pk)
        step = Step(Verb.IMPORT_PRICES, actor=actor, scope=scope, reason=reason)
        _note(step, scope, read, done)
        _place(step, actor, read, done, new_items)
        if step.changes:
            done.event = step.write()
    return done


def _note(step: Step, scope: Scope, rows: Iterable[PriceRow], done: ImportedPrices) -> None:
    observed = {_identity(one): one for one in (_observation(scope, row) for row in rows)}
    standing = PriceObservation.objects.filter(
        scope=scope, status="current", form__in={one.form for one in observed.values()}
    )
    known = set(map(_identity, standing))
    new = [one for identity, one in observed.items() if identity not in known]
    for one in PriceObservation.objects.bulk_create(new):
        step.created(one)
    done.kept, done.duplicates = len(new), len(list(rows)) - len(new)


def _observation(scope: Scope, row: PriceRow) -> PriceObservation:
    return PriceObservation(
        scope=scope, name=row.name, form=normal_form(row.name), supplier=row.supplier, amount=row.amount, unit=row.unit,
        currency=row.currency, line=row.line, observed_at=row.observed_at,
    )  # fmt: skip


def _identity(one: PriceObservation) -> tuple[Any, ...]:
    return one.form, one.supplier, one.unit, one.currency, one.observed_at, one.amount


def _place(step: Step, actor: Actor, rows: Sequence[PriceRow], done: ImportedPrices, new_items: bool) -> None:
    """The item of each name: known, suggested, or new."""
    scope = step.event.scope
    known = {normal_form(name) for _, name in names_of(named_items(scope))}
    linked = CatalogLink.objects.filter(scope=scope, status="confirmed", claim=None).values_list("form", flat=True)
    named = {normal_form(row.name): row for row in rows}
    names = [row.name for form, row in named.items() if form not in known and form not in set(linked)]
    # An event of its own: whoever decides about a suggestion does not stand in the way of the import's undo.
    suggesting = Step(Verb.SUGGEST_LINKS, actor=actor, scope=scope)
    suggested = {one.name: one for one in suggest_in(suggesting, scope, names) if one.confident}
    if suggesting.changes:
        suggesting.write()
    done.waiting = list(suggested.values())
    for row in named.values():
        if new_items and row.name in names and row.name not in suggested:
            done.items.append(create_item(step, scope, row.name, unit_alone(row.unit)))
