"""Whose account at a chat service is whose: a code is told in the chat to the account alone, and typed where one is signed in.
So nobody, an owner neither, names somebody else's account as their own (O13)."""

import hashlib
import secrets
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from ledger.actions.locking import lock_names
from ledger.actor import Actor
from ledger.errors import Forbidden, Invalid, NotFound
from ledger.journal import Step
from ledger.models import ChatCode, Person, Scope
from ledger.rules.columns import check_text
from ledger.rules.permissions import Right
from ledger.verbs import Verb

# Nothing that is mistaken for something else when it is copied by hand.
ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH: Final = 10
VALID_FOR: Final = timedelta(minutes=10)


def make_code(door: str, account: str) -> str:
    """A code for an account, in place of an earlier one; only its hash is kept."""
    check_text("door", door, most=20)
    check_text("account", account, most=100)
    code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    ChatCode.objects.update_or_create(door=door, account=account, defaults={"sha256": _digest(code)})
    return code


def confirm_account(scope: Scope, code: str, *, actor: Actor) -> Person:
    """Whoever is signed in is, in this scope, whoever has that account. It is nobody else's from then on, and another account of
    theirs at the same service no longer theirs. Raises `Invalid` for a code that was not told lately, `NotFound` where no
    person of the scope is this user."""
    with transaction.atomic(savepoint=False):
        actor.require(Verb.CONFIRM_ACCOUNT.row.right, scope)
        lock_names([f"people|{scope.pk}"])
        person = _person_of(scope, actor)
        told = ChatCode.objects.filter(sha256=_digest(code), at__gt=timezone.now() - VALID_FOR).first()
        if told is None:
            raise Invalid("no such code was told in the last ten minutes", field="code")
        account = f"{told.door}:{told.account}"
        with Step(Verb.CONFIRM_ACCOUNT, actor=actor, scope=scope) as step:
            for other in Person.objects.filter(scope=scope, accounts__contains=[account]).exclude(pk=person.pk):
                step.change(other, implicit=True, accounts=[one for one in other.accounts if one != account])
            others = [one for one in person.accounts if not one.startswith(f"{told.door}:")]
            step.change(person, accounts=[*others, account])
        told.delete()
        return person


def end_account(person: Person, account: str, *, actor: Actor, reason: str = "") -> Person:
    """The account is nobody's any more. By the person themselves, or an owner of the scope."""
    with transaction.atomic(savepoint=False):
        row = Person.objects.select_for_update(of=("self",)).select_related("scope").get(pk=person.pk)
        actor.require(Verb.END_ACCOUNT.row.right, row.scope)
        if row.user_id != actor.user_id or actor.user_id is None:
            actor.require(Right.ADMINISTER, row.scope)
        if account not in row.accounts:
            raise NotFound(f"{row.name} has no such account")
        with Step(Verb.END_ACCOUNT, actor=actor, scope=row.scope, reason=reason) as step:
            step.change(row, accounts=[one for one in row.accounts if one != account])
        return row


def _person_of(scope: Scope, actor: Actor) -> Person:
    if actor.kind != "human" or actor.user_id is None:
        raise Forbidden("only somebody who is signed in has an account to confirm")
    person = Person.objects.select_for_update().filter(scope=scope, user=actor.user_id).order_by("pk").first()
    if person is None:
        raise NotFound(f"nobody among the people of {scope.path} is {actor.name}; an owner names you there")
    return person


def _digest(code: str) -> str:
    """Of what was typed, whatever its case, blanks and dashes. It is short, lives ten minutes and is used once."""
    plain = "".join(filter(str.isalnum, code[:100].upper()))
    return hashlib.sha256(plain.encode()).hexdigest()
