"""Erase somebody, or one text: every text of theirs is purged, and their names go from what stays. There is no undo.

Where a scope asks for four eyes, the first owner's word is kept as a wish, and another owner's carries it out.
"""

import uuid
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection, transaction

from ledger.actions.credit import rebuild_utility
from ledger.actions.locking import lock_names, lock_slots
from ledger.actions.patch_blocks import patch_blocks
from ledger.actions.purge import purge
from ledger.actions.reconcile_conflicts import mark_contested, reconcile_conflicts, slots_contended
from ledger.actor import Actor
from ledger.errors import Invalid, SecondPersonNeeded, TooLarge
from ledger.journal import Step
from ledger.models import Claim, Erasure, JournalEvent, Scope, Source
from ledger.reads.erasure import ErasureList, claims_naming, erasure_of_person, erasure_of_source, scopes_below
from ledger.reads.policies.in_force import four_eyes_scope
from ledger.verbs import Verb

# One transaction takes so many texts; beyond it a request would outlast its patience.
MAX_TEXTS = 2_000


@dataclass(frozen=True, slots=True)
class ErasureResult:
    """What was found, and what came of it: `waiting` for another owner, `done`, or `nothing` was there. `event` is the
    wish's or the erasure's."""

    found: ErasureList
    status: str
    event: JournalEvent | None = None
    sources: tuple[int, ...] = ()


def erase(
    scope: Scope,
    *,
    actor: Actor,
    person: str = "",
    source: Source | None = None,
    keep: Collection[int] = (),
    also: Collection[int] = (),
    reason: str = "",
) -> ErasureResult:
    """`keep` are mentions that stay, `also` doubtful ones that go. Raises `Invalid` where neither or both are named,
    `SecondPersonNeeded` where the same person asks twice, or nobody with an account does, `TooLarge`."""
    with transaction.atomic(savepoint=False):
        actor.require(Verb.ERASE.row.right, scope)
        lock_names([f"erase|{scope.pk}"])
        found = list_erasure(scope, person=person, source=source)
        if found.is_empty:
            return ErasureResult(found, "nothing")
        target = f"source:{source.pk}" if source else f"person:{person.strip()}"
        wish = Erasure.objects.filter(scope=scope, target=target, status="waiting").first()
        if four_eyes_scope(scope) and (wish is None or actor.user_id in (None, wish.user_id)):
            return _ask(scope, found, target, wish, actor, reason)
        return _carry_out(scope, found, wish, _chosen(found, keep, also), actor, reason)


def list_erasure(scope: Scope, *, person: str = "", source: Source | None = None) -> ErasureList:
    """What would go and what would stay."""
    if bool(person.strip()) == (source is not None):
        raise Invalid("name a person or a source", field="person")
    return erasure_of_source(source) if source else erasure_of_person(scope, person)


def _ask(
    scope: Scope, found: ErasureList, target: str, wish: Erasure | None, actor: Actor, reason: str
) -> ErasureResult:
    if actor.user_id is None or wish is not None:
        raise SecondPersonNeeded("this scope asks for two people: another owner, with an account, completes it", ref="")
    wish = Erasure.objects.create(scope=scope, target=target, user_id=actor.user_id, by=actor.name)
    with Step(Verb.ASK_ERASE, actor=actor, scope=scope, ref=f"erasure-{wish.pk}", reason=reason) as step:
        pass
    return ErasureResult(found, "waiting", step.event)


def _chosen(found: ErasureList, keep: Collection[int], also: Collection[int]) -> list[int]:
    """The texts that go, by id."""
    mentions = [one.id for one in found.mentions if one.id not in keep]
    return sorted([one.id for one in found.said] + mentions + [one.id for one in found.doubtful if one.id in also])


def _carry_out(
    scope: Scope, found: ErasureList, wish: Erasure | None, chosen: list[int], actor: Actor, reason: str
) -> ErasureResult:
    texts = Source.objects.filter(pk__in=chosen, purged_at=None).defer("text").order_by("pk")
    if len(texts) > MAX_TEXTS:
        raise TooLarge(f"one erasure takes {MAX_TEXTS} texts: erase the scopes below one by one", field="person")
    batch = uuid.uuid4()
    for text in texts:
        purge(text, actor=actor, reason=reason or "an erasure", batch=batch)
    ref = f"erasure-{wish.pk}" if wish else ""
    step = Step(Verb.ERASE, actor=actor, scope=scope, ref=ref, reason=reason, batch=batch)
    claims = lock_slots(Claim.objects.filter(pk__in=claims_naming(scopes_below(scope), found.patterns)))
    slots: dict[int, set[str]] = defaultdict(set)
    for scope_id, slot in slots_contended(claims):
        slots[scope_id].add(slot)
    for scope_id, named in slots.items():
        reconcile_conflicts(step, scope_id, named, without=[claim.pk for claim in claims])
    step.write()
    people = [pk for pk, _ in found.people]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ledger_erase(%s, %s::bigint[], %s::bigint[], %s::bigint[], %s::text[], %s::text[])",
            [
                step.event.pk, chosen, [claim.pk for claim in claims], people, list(found.patterns.any_case),
                list(found.patterns.exact),
            ],
        )  # fmt: skip
    for scope_id, named in slots.items():
        mark_contested(scope_id, named)
    patch_blocks(step.event, Claim.objects.filter(pk__in=[claim.pk for claim in claims]))
    rebuild_utility()
    return ErasureResult(found, "done", step.event, tuple(chosen))
