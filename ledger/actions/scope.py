"""Scopes, their members and their people."""

import re
import zoneinfo
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from ledger.actions.locking import lock_names, lock_scope
from ledger.actions.patch_blocks import rebuild_blocks
from ledger.actor import Actor
from ledger.errors import Duplicate, Forbidden, Invalid, NotFound
from ledger.journal import Step
from ledger.models import GLOBAL, Member, Pack, Person, Role, Scope, SecretsSetting, Tier
from ledger.reads.packs import kinds, packs_of
from ledger.reads.scopes import below
from ledger.rules.columns import check_columns, check_items, check_json, check_members, check_text, check_unique
from ledger.rules.policies import check_policies
from ledger.verbs import Verb

# At most 400 characters, and not below what is everywhere.
PATH = re.compile(r"(?!global(/|$))(?=.{1,400}$)[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*")
ORDER = [Tier.GLOBAL, Tier.DOMAIN, Tier.PROJECT, Tier.ITEM]


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
    if not PATH.fullmatch(path):
        raise Invalid("a scope's path is lower-case words of letters, digits, . _ - joined by /", field="scope")
    if tier not in ORDER[1:]:
        raise Invalid("tier is domain, project or item", field="tier")
    name = name or path.rpartition("/")[2][:200]
    settings = {"name": name, "packs": list(packs), "timezone": timezone, "stage": stage}
    _check_settings(settings)
    with transaction.atomic(savepoint=False):
        parent = _parent_of(path, actor)
        if ORDER.index(Tier(tier)) <= ORDER.index(Tier(parent.tier)) and tier != Tier.ITEM:
            raise Invalid(f"tiers narrow downwards: a {tier} cannot lie in a {parent.tier}", field="tier")
        try:
            with transaction.atomic():
                scope = Scope.objects.create(path=path, tier=tier, parent=parent, **settings)
        except IntegrityError:
            raise Duplicate(f"scope {path!r} exists", ref=path) from None
        _check_stage(scope, {"stage": stage})
        with Step(Verb.CREATE_SCOPE, actor=actor, scope=scope) as step:
            step.created(scope)
            if parent.path == GLOBAL and actor.user_id is not None and not actor.access.agent:
                step.created(Member.objects.create(scope=scope, user_id=actor.user_id, role=Role.OWNER))
        return scope


def _parent_of(path: str, actor: Actor) -> Scope:
    """Where the actor may make a scope. Raises `NotFound` for what is not there or out of sight, `Forbidden`."""
    above = path.rpartition("/")[0] or GLOBAL
    parent = Scope.objects.filter(path=above).first()
    if parent is None:
        raise NotFound(f"no scope {above!r}")
    if above != GLOBAL:
        actor.require(Verb.CREATE_SCOPE.row.right, parent)
    elif not actor.access.may_make_top_level():
        raise Forbidden("only staff may make a top-level scope")
    return parent


def update_scope(
    scope: Scope, *, actor: Actor, changes: dict[str, Any], expected_version: int | None = None, reason: str = ""
) -> Scope:
    """Write `changes` (names of `CHANGEABLE`). Policies need an owner like the rest; they ship off (law 5)."""
    if unknown := sorted(changes.keys() - CHECKS.keys()):
        raise Invalid(f"{unknown[0]} cannot be changed", field=unknown[0])
    _check_settings(changes)
    check_columns({"reason": reason})
    with transaction.atomic(savepoint=False):
        scope = lock_scope(Verb.UPDATE_SCOPE, scope, actor=actor, expected_version=expected_version)
        with Step(Verb.UPDATE_SCOPE, actor=actor, scope=scope, reason=reason) as step:
            step.change(scope, **changes)
        _check_stage(scope, changes)
        if "packs" in changes:
            rebuild_blocks(Scope.objects.filter(below(scope.path)), event=step.event)
    return scope


def _check_stage(scope: Scope, changes: dict[str, Any]) -> None:
    """Where packs name the stages there are, a scope is in one of them: in another one no key would be allowed (T5)."""
    stages = packs_of(scope).stages if changes.get("stage") else ()
    if stages and changes["stage"] not in stages:
        raise Invalid(f"stage is one of {', '.join(stages)}, or none", field="stage")


def _check_settings(changes: dict[str, Any]) -> None:
    """What the columns can hold, whichever door it came through."""
    for name, check in CHECKS.items():
        if name in changes:
            check(changes[name])


def _check_name(name: Any) -> None:
    check_text("name", name, most=200)
    if not name.strip():
        raise Invalid("a scope has a name", field="name")


def _check_packs(names: Any) -> None:
    check_items("packs", names, most=60)
    known = set(Pack.objects.filter(name__in=names).values_list("name", flat=True))
    check_members("packs", names, known, "no pack {!r}")
    check_unique("packs", names)


@cache
def _timezones() -> set[str]:
    """All that the machine knows; to look for them takes a walk through its folders."""
    return zoneinfo.available_timezones()


def _check_timezone(name: Any) -> None:
    check_text("timezone", name, most=60)
    if name not in _timezones():
        raise Invalid(f"no time zone {name!r}", field="timezone")


def _check_retention(days: Any) -> None:
    if days is not None and (type(days) is not int or not 1 <= days <= 36_500):
        raise Invalid("retention_days is 1 to 36500, or nothing", field="retention_days")


def _check_secrets(value: Any) -> None:
    if value not in ("", *SecretsSetting.values):
        raise Invalid(f"secrets is one of {', '.join(SecretsSetting.values)}, or nothing", field="secrets")


def _check_second_factor(value: Any) -> None:
    if not isinstance(value, bool):
        raise Invalid("second_factor is true or false", field="second_factor")


def _check_policies(policies: Any) -> None:
    check_json("policies", policies)
    if not isinstance(policies, dict):
        raise Invalid("policies map a name to its settings", field="policies")
    check_policies(policies, kinds=kinds())


def _check_endpoints(value: Any) -> None:
    """Model servers by word, host or address. A link-local address is the machine's own surroundings (the cloud's metadata, say),
    where no model answers."""
    check_items("allowed_endpoints", value, most=200)
    for at, endpoint in enumerate(value):
        try:
            given = urlsplit(endpoint.strip() if "://" in endpoint else f"//{endpoint.strip()}")
            host, _ = given.hostname or "", given.port
        except ValueError:
            raise Invalid(f"{endpoint[:60]!r} is no address", field=f"allowed_endpoints.{at}") from None
        if given.scheme not in ("", "http", "https"):
            raise Invalid(f"{endpoint[:60]!r} is neither http nor https", field=f"allowed_endpoints.{at}")
        with suppress(ValueError):
            if ip_address(host).is_link_local:
                raise Invalid(
                    f"{endpoint[:60]!r} is link-local: no model server is there", field=f"allowed_endpoints.{at}"
                )


CHECKS: dict[str, Callable[[Any], None]] = {
    "name": _check_name,
    "packs": _check_packs,
    "timezone": _check_timezone,
    "stage": partial(check_text, "stage", most=60),
    "retention_days": _check_retention,
    "policies": _check_policies,
    "allowed_endpoints": _check_endpoints,
    "secrets": _check_secrets,
    "second_factor": _check_second_factor,
}
CHANGEABLE = tuple(CHECKS)


def set_member(scope: Scope, username: str, *, role: str, actor: Actor) -> Member:
    """Give a user a role here and below, or change it."""
    if role not in Role.values:
        raise Invalid(f"role is one of {', '.join(Role.values)}", field="role")
    with transaction.atomic(savepoint=False):
        actor.require(Verb.SET_MEMBER.row.right, scope)
        user = User.objects.filter(username=username).first()
        if user is None:
            raise NotFound(f"no user {username!r}")
        lock_names([f"members|{scope.pk}"])
        with Step(Verb.SET_MEMBER, actor=actor, scope=scope) as step:
            return _write(step, Member, {"scope": scope, "user": user}, {"role": role})


def remove_member(scope: Scope, username: str, *, actor: Actor) -> None:
    """Take a role away. The journal keeps that it was."""
    with transaction.atomic(savepoint=False):
        actor.require(Verb.REMOVE_MEMBER.row.right, scope)
        lock_names([f"members|{scope.pk}"])
        member = Member.objects.filter(scope=scope, user__username=username).first()
        if member is None:
            raise NotFound(f"{username!r} is no member of {scope.path}")
        with Step(Verb.REMOVE_MEMBER, actor=actor, scope=scope) as step:
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
    if not 0 < len(name.strip()) <= len(name) <= 200:
        raise Invalid("a name has 1 to 200 characters", field="name")
    check_text("name", name, most=200)
    check_text("role", role, most=60)
    check_items("aliases", aliases, most=200)
    if telegram_id is not None and not -(2**63) <= telegram_id < 2**63:
        raise Invalid("telegram_id is no number that Telegram gives", field="telegram_id")
    with transaction.atomic(savepoint=False):
        actor.require(Verb.ADD_PERSON.row.right, scope)
        user = User.objects.filter(username=username).first() if username else None
        if username and user is None:
            raise Invalid(f"no user {username!r}", field="user")
        columns: dict[str, Any] = {
            "aliases": list(aliases), "role": role, "user_id": user.pk if user else None, "telegram_id": telegram_id,
        }  # fmt: skip
        lock_names([f"people|{scope.pk}"])
        named = {"scope": scope, "name": name.strip()}
        if Person.objects.filter(**named).exclude(user=user).exists():
            # An account goes with the user who confirmed it; the database holds this as well.
            columns["accounts"] = []
        with Step(Verb.ADD_PERSON, actor=actor, scope=scope) as step:
            return _write(step, Person, named, columns)


def _write[Row: (Member, Person)](step: Step, model: type[Row], named: dict[str, Any], columns: dict[str, Any]) -> Row:
    """The one row of that name with these columns, made where there is none."""
    row = model._default_manager.select_for_update().filter(**named).first()
    if row is None:
        row = model._default_manager.create(**named, **columns)
        step.created(row)
    else:
        step.change(row, **columns)
    return row
