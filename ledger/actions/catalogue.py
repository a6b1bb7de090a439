"""Canonical items and their synonyms: an owner's, with an undo each (T12)."""

from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction

from ledger.actions.locking import lock_names
from ledger.actor import Actor
from ledger.errors import BadTransition, Duplicate, Invalid, StaleVersion
from ledger.journal import Step
from ledger.models import CatalogItem, JournalEvent, Scope, Synonym
from ledger.rules.columns import check_items, check_text
from ledger.verbs import Verb

MAX_NAME = 200
MAX_UNIT = 30


def lock_catalogue(scope_id: int) -> None:
    """Whoever names, links or notes prices in a scope waits for whoever does the same."""
    lock_names([f"catalogue|{scope_id}"])


def checked_name(name: Any, field: str = "name") -> str:
    check_text(field, name, most=MAX_NAME)
    if not name.strip():
        raise Invalid("a name has 1 to 200 characters", field=field)
    return " ".join(name.split())


def add_catalog_item(
    scope: Scope, name: str, *, actor: Actor, unit: str = "", synonyms: Sequence[str] = (), reason: str = ""
) -> CatalogItem:
    """A new item of a scope, with what it is also called. Raises `Duplicate` where the scope has one of that name."""
    name = checked_name(name)
    check_text("unit", unit, most=MAX_UNIT)
    check_items("synonyms", synonyms, most=MAX_NAME)
    with transaction.atomic(savepoint=False):
        actor.require(Verb.ADD_CATALOG_ITEM.row.right, scope)
        lock_catalogue(scope.pk)
        with Step(Verb.ADD_CATALOG_ITEM, actor=actor, scope=scope, reason=reason) as step:
            item = create_item(step, scope, name, unit.strip())
            for other in dict.fromkeys(checked_name(one, f"synonyms.{at}") for at, one in enumerate(synonyms)):
                step.created(Synonym.objects.create(item=item, name=other))
        return item


def create_item(step: Step, scope: Scope, name: str, unit: str) -> CatalogItem:
    """Under the catalogue's lock, as part of `step`."""
    if CatalogItem.objects.filter(scope=scope, name=name, status="current").exists():
        raise Duplicate(f"{scope.path} has a catalogue item {name!r}", ref=name)
    item = CatalogItem.objects.create(scope=scope, name=name, unit=unit)
    step.created(item)
    return item


def change_catalog_item(
    item: CatalogItem,
    *,
    actor: Actor,
    name: str | None = None,
    unit: str | None = None,
    expected_version: int | None = None,
    reason: str = "",
) -> JournalEvent:
    """Another name or unit. What was linked to the item stays linked to it."""
    changes: dict[str, Any] = {}
    if name is not None:
        changes["name"] = checked_name(name)
    if unit is not None:
        check_text("unit", unit, most=MAX_UNIT)
        changes["unit"] = unit.strip()
    return _change(Verb.CHANGE_CATALOG_ITEM, item, changes, actor, expected_version, reason)


def withdraw_catalog_item(
    item: CatalogItem, *, actor: Actor, expected_version: int | None = None, reason: str = ""
) -> JournalEvent:
    """Nothing is suggested for it any more; its prices and links keep their rows."""
    return _change(Verb.WITHDRAW_CATALOG_ITEM, item, {"status": "withdrawn"}, actor, expected_version, reason)


def _change(
    verb: Verb, item: CatalogItem, changes: dict[str, Any], actor: Actor, expected: int | None, reason: str
) -> JournalEvent:
    with transaction.atomic(savepoint=False):
        lock_catalogue(item.scope_id)
        item = CatalogItem.objects.select_for_update(of=("self",)).select_related("scope").get(pk=item.pk)
        actor.require(verb.row.right, item.scope)
        if expected is not None and item.version != expected:
            raise StaleVersion(f"{item.name} is at version {item.version}, not {expected}")
        if item.status != "current":
            raise BadTransition(f"{item.name} is {item.status}: {verb} leads nowhere from there", verb=verb)
        try:
            with transaction.atomic(), Step(verb, actor=actor, scope=item.scope, reason=reason) as step:
                step.change(item, **changes)
        except IntegrityError:
            raise Duplicate(f"{item.scope.path} has a catalogue item {item.name!r}", ref=item.name) from None
        return step.event


def add_synonym(item: CatalogItem, name: str, *, actor: Actor, reason: str = "") -> Synonym:
    """What the item is also called. Raises `Duplicate` where it is called so already."""
    name = checked_name(name)
    with transaction.atomic(savepoint=False):
        actor.require(Verb.ADD_SYNONYM.row.right, item.scope)
        lock_catalogue(item.scope_id)
        if Synonym.objects.filter(item=item, name=name, status="current").exists():
            raise Duplicate(f"{item.name} is called {name!r} already", ref=name)
        with Step(Verb.ADD_SYNONYM, actor=actor, scope=item.scope, reason=reason) as step:
            synonym = Synonym.objects.create(item=item, name=name)
            step.created(synonym)
        return synonym


def remove_synonym(synonym: Synonym, *, actor: Actor, reason: str = "") -> JournalEvent:
    """It is not called so any more."""
    with transaction.atomic(savepoint=False):
        scope = synonym.item.scope
        actor.require(Verb.REMOVE_SYNONYM.row.right, scope)
        lock_catalogue(scope.pk)
        synonym = Synonym.objects.select_for_update().get(pk=synonym.pk)
        if synonym.status != "current":
            raise BadTransition(f"{synonym.name} is {synonym.status}", verb=Verb.REMOVE_SYNONYM)
        with Step(Verb.REMOVE_SYNONYM, actor=actor, scope=scope, reason=reason) as step:
            step.change(synonym, status="withdrawn")
        return step.event
