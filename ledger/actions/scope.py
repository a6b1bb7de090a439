"""Scopes, their members and their people."""

import re
import zoneinfo
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from ledger.actions.locking import lock_names
from ledger.actor import Actor
from ledger.errors import Duplicate, Forbidden, Invalid, NotFound, StaleVersion
from ledger.journal import Step
from ledger.models import GLOBAL, Member, Pack, Person, Role, Scope, Tier
from ledger.reads.packs import kinds, packs_of
from ledger.rules.columns import MAX_ITEMS, check_columns, check_json, check_text
from ledger.rules.permissions import Right
from ledger.rules.policies import check_policies

PATH = re.compile(r"[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*")
ORDER = [Tier.GLOBAL, Tier.DOMAIN, Tier.PROJECT, Tier.ITEM]
CHANGEABLE = ("name", "packs", "timezone", "stage", "retention_days", "policies", "allowed_endpoints")


def create_scope(
    path: str,
    *,
    tier: str,
    actor: Actor,
    name: str = "",
    packs: Sequence[str] = (),
    timezone: str = "UTC",
    stage: str = "",
) -> Scope:
    """A child of an existing scope, or a top-level one by staff. Whoever makes a top-level scope owns it."""
    if not PATH.fullmatch(path) or len(path) > 400 or path.partition("/")[0] == GLOBAL:
        raise Invalid("a scope's path is lower-case words of letters, digits, . _ - joined by /", field="scope")
    if tier not in Tier.values or tier == Tier.GLOBAL:
        raise Invalid("tier is domain, project or item", field="tier")
    _check_settings({"packs": list(packs), "timezone": timezone, "stage": stage, **({"name": name} if name else {})})
    with transaction.atomic(savepoint=False):
        parent_path = path.rpartition("/")[0] or GLOBAL
        parent = Scope.objects.filter(path=parent_path).first()
        if parent is None or (parent_path != GLOBAL and not actor.access.sees(parent_path)):
            raise NotFound(f"no scope {parent_path!r}")
        if parent_path == GLOBAL:
            if not actor.access.may_make_top_level():
                raise Forbidden("only staff may make a top-level scope")
        else:
            actor.require(Right.ADMINISTER, parent)
        if ORDER.index(Tier(tier)) <= ORDER.index(Tier(parent.tier)) and tier != Tier.ITEM:
            raise Invalid(f"tiers narrow downwards: a {tier} cannot lie in a {parent.tier}", field="tier")
        try:
            with transaction.atomic():
                scope = Scope.objects.create(
                    path=path, name=name or path.rpartition("/")[2][:200], tier=tier, parent=parent, packs=list(packs),
                    timezone=timezone, stage=stage,
                )  # fmt: skip
        except IntegrityError:
            raise Duplicate(f"scope {path!r} exists", ref=path) from None
        _check_stage(scope, {"stage": stage})
        with Step("create_scope", actor=actor, scope=scope) as step:
            step.created(scope)
            if parent_path == GLOBAL and actor.user_id is not None and not actor.access.agent:
                step.created(Member.objects.create(scope=scope, user_id=actor.user_id, role=Role.OWNER))
        return scope


def update_scope(
    scope: Scope, *, actor: Actor, changes: dict[str, Any], expected_version: int | None = None, reason: str = ""
) -> Scope:
    """Write `changes` (names of `CHANGEABLE`). Policies need an owner like the rest; they ship off (law 5)."""
    for field in changes:
        if field not in CHANGEABLE:
            raise Invalid(f"{field} cannot be changed", field=field)
    _check_settings(changes)
    check_columns({"reason": reason})
    with transaction.atomic(savepoint=False):
        scope = Scope.objects.select_for_update(of=("self",)).get(pk=scope.pk)
        actor.require(Right.ADMINISTER, scope)
        if expected_version is not None and scope.version != expected_version:
            raise StaleVersion(f"{scope.path} is at version {scope.version}", row=scope)
        with Step("update_scope", actor=actor, scope=scope, reason=reason) as step:
            step.change(scope, **changes)
        _check_stage(scope, changes)
    return scope


def _check_stage(scope: Scope, changes: dict[str, Any]) -> None:
    """Where packs name the stages there are, a scope is in one of them: in another one no key would be allowed (T5)."""
    stages = packs_of(scope).stages if changes.get("stage") else ()
    if stages and changes["stage"] not in stages:
        raise Invalid(f"stage is one of {', '.join(stages)}, or none", field="stage")


def _check_settings(changes: dict[str, Any]) -> None:
    """What the columns can hold, whichever door it came through."""
    for name, most in (("name", 200), ("stage", 60), ("timezone", 60)):
        if name in changes:
            check_text(name, changes[name], most=most)
    if "name" in changes and not changes["name"].strip():
        raise Invalid("a scope has a name", field="name")
    for name, most in (("packs", 60), ("allowed_endpoints", 200)):
        if name in changes:
            _check_list(name, changes[name], most=most)
    days = changes.get("retention_days")
    if days is not None and (not isinstance(days, int) or isinstance(days, bool) or not 1 <= days <= 36_500):
        raise Invalid("retention_days is 1 to 36500, or nothing", field="retention_days")
    check_json("policies", changes.get("policies"))
    if "timezone" in changes and changes["timezone"] not in zoneinfo.available_timezones():
        raise Invalid(f"no time zone {changes['timezone']!r}", field="timezone")
    if changes.get("packs"):
        known = set(Pack.objects.filter(name__in=changes["packs"]).values_list("name", flat=True))
        for at, name in enumerate(changes["packs"]):
            if name not in known:
                raise Invalid(f"no pack {name!r}", field=f"packs.{at}")
            if name in changes["packs"][:at]:
                raise Invalid(f"{name!r} stands there twice", field=f"packs.{at}")
    if "policies" in changes:
        if not isinstance(changes["policies"], dict):
            raise Invalid("policies map a name to its settings", field="policies")
        check_policies(changes["policies"], kinds=kinds())


def _check_list(name: str, items: Any, *, most: int) -> None:
    if not isinstance(items, list | tuple) or len(items) > MAX_ITEMS:
        raise Invalid(f"{name} is a list of at most {MAX_ITEMS}", field=name)
    for at, item in enumerate(items):
        check_text(f"{name}.{at}", item, most=most)


def set_member(scope: Scope, username: str, *, role: str, actor: Actor) -> Member:
    """Give a user a role here and below, or change it."""
    if role not in Role.values:
        raise Invalid(f"role is one of {', '.join(Role.values)}", field="role")
    with transaction.atomic(savepoint=False):
        actor.require(Right.ADMINISTER, scope)
        user = User.objects.filter(username=username).first()
        if user is None:
            raise NotFound(f"no user {username!r}")
        lock_names([f"members|{scope.pk}"])
        with Step("set_member", actor=actor, scope=scope, ref="") as step:
            member = Member.objects.select_for_update().filter(scope=scope, user=user).first()
            if member is None:
                member = Member.objects.create(scope=scope, user=user, role=role)
                step.created(member)
            else:
                step.change(member, role=role)
        return member


def remove_member(scope: Scope, username: str, *, actor: Actor) -> None:
    """Take a role away. The journal keeps that it was."""
    with transaction.atomic(savepoint=False):
        actor.require(Right.ADMINISTER, scope)
        lock_names([f"members|{scope.pk}"])
        member = Member.objects.filter(scope=scope, user__username=username).first()
        if member is None:
            raise NotFound(f"{username!r} is no member of {scope.path}")
        with Step("remove_member", actor=actor, scope=scope) as step:
            step.removed(member)
            member.delete()


def add_person(
    scope: Scope,
    name: str,
    *,
    actor: Actor,
    aliases: Sequence[str] = (),
    role: str = "",
    username: str = "",
    telegram_id: int | None = None,
) -> Person:
    """Somebody who speaks or is spoken of in this scope; said again, the entry is brought up to date."""
    if not name.strip() or len(name) > 200:
        raise Invalid("a name has 1 to 200 characters", field="name")
    check_text("name", name, most=200)
    check_text("role", role, most=60)
    _check_list("aliases", aliases, most=200)
    if telegram_id is not None and not -(2**63) <= telegram_id < 2**63:
        raise Invalid("telegram_id is no number that Telegram gives", field="telegram_id")
    with transaction.atomic(savepoint=False):
        actor.require(Right.ADMINISTER, scope)
        user = None
        if username:
            user = User.objects.filter(username=username).first()
            if user is None:
                raise Invalid(f"no user {username!r}", field="user")
        columns: dict[str, Any] = {
            "aliases": list(aliases), "role": role, "user_id": user.pk if user else None, "telegram_id": telegram_id,
        }  # fmt: skip
        lock_names([f"people|{scope.pk}"])
        with Step("add_person", actor=actor, scope=scope) as step:
            person = Person.objects.select_for_update().filter(scope=scope, name=name.strip()).first()
            if person is None:
                person = Person.objects.create(scope=scope, name=name.strip(), **columns)
                step.created(person)
            else:
                step.change(person, **columns)
        return person
