"""Scopes and people."""

from typing import TypedDict

from django.http import HttpResponse
from ninja import Router

from ledger.actions.idempotency import once_per_key
from ledger.actions.scope import add_person, create_scope, remove_member, set_member, update_scope
from ledger.actor import Actor, ActorRequest
from ledger.choices import RoleWord
from ledger.models import Member, Person, Scope
from ledger.reads.insights.discussions import discussion_figures
from ledger.reads.packs import packs_of, stage_of
from ledger.reads.page import check_limit, decode_cursor, page_of
from ledger.reads.scopes import scope_at, visible
from ledger.reads.state import scope_state
from ledger.rules.permissions import Right
from review.api.bodies import MemberIn, Moment, PersonIn, ScopeChanges, ScopeIn
from review.api.scope_shapes import (
    FiguresShape,
    KeysShape,
    PersonShape,
    ScopeShape,
    ScopeStateShape,
    block_shape,
    figures_shape,
    key_shape,
    person_shape,
    scope_shape,
    state_shape,
)
from review.api.shapes import PageShape, answer, page

router = Router(tags=["scopes"])


@router.get("/scopes", response=PageShape[ScopeShape])
def list_scopes(
    request: ActorRequest, scope: str | None = None, limit: int = 50, cursor: str | None = None, count: bool = False
) -> HttpResponse:
    """The scopes the caller sees, by path; `scope` lists that one and those below it."""
    access = request.actor.access
    root = scope_at(scope, access).path if scope is not None else None
    rows = visible(access, root=root)
    total = rows.count() if count else None
    if cursor:
        rows = rows.filter(path__gt=decode_cursor(cursor, (str,))[0])
    found = page_of(list(rows.order_by("path")[: check_limit(limit) + 1]), limit, lambda row: [row.path], total=total)
    return page(found, [scope_shape(row) for row in found.items])


@router.post("/scopes", response={201: ScopeShape})
def post_scope(request: ActorRequest, body: ScopeIn) -> HttpResponse:
    """A new scope under one that exists; 201 with it, 404 where the parent is not there or out of sight, 409 where the
    path is taken."""
    actor = request.actor

    def write() -> tuple[int, int]:
        made = create_scope(
            body.scope,
            tier=body.tier,
            name=body.name,
            packs=body.packs,
            timezone=body.timezone,
            stage=body.stage,
            actor=actor,
        )
        return 201, made.pk

    done = once_per_key(request, "scopes", write)
    return answer(scope_shape(Scope.objects.get(pk=done.outcome)), done.status)


@router.get("/scope", response=ScopeShape)
def get_scope(request: ActorRequest, scope: str) -> HttpResponse:
    """One scope, what the caller may do there, and to its owners its members."""
    actor = request.actor
    return answer(_with_rights(scope_at(scope, actor.access), actor))


@router.patch("/scope", response=ScopeShape)
def patch_scope(request: ActorRequest, scope: str, body: ScopeChanges) -> HttpResponse:
    """Change settings: packs, policies, retention, time zone. `version` guards against a change meanwhile."""
    actor = request.actor
    row = scope_at(scope, actor.access, Right.ADMINISTER)
    update_scope(row, actor=actor, changes=body.given(), expected_version=body.version, reason=body.reason)
    return answer(_with_rights(Scope.objects.get(pk=row.pk), actor))


def _with_rights(row: Scope, actor: Actor) -> ScopeShape:
    shape = scope_shape(row)
    shape["rights"] = [str(right) for right in Right if actor.access.may(right, row.path)]
    if actor.access.may(Right.ADMINISTER, row.path):
        members = Member.objects.filter(scope=row).select_related("user")
        shape["members"] = [{"username": member.user.get_username(), "role": member.role} for member in members]
    return shape


class RoleShape(TypedDict):
    """Somebody's role in a scope and below it; null where there is none any more."""

    scope: str
    username: str
    role: RoleWord | None


@router.put("/scope/members/{username}", response=RoleShape)
def put_member(request: ActorRequest, username: str, body: MemberIn) -> HttpResponse:
    """Give a user a role here and below."""
    actor = request.actor
    row = scope_at(body.scope, actor.access, Right.ADMINISTER)
    member = set_member(row, username[:150], role=body.role, actor=actor)
    return answer({"scope": row.path, "username": username, "role": member.role})


@router.delete("/scope/members/{username}", response=RoleShape)
def delete_member(request: ActorRequest, username: str, scope: str) -> HttpResponse:
    """Take a user's role away."""
    actor = request.actor
    row = scope_at(scope, actor.access, Right.ADMINISTER)
    remove_member(row, username[:150], actor=actor)
    return answer({"scope": row.path, "username": username, "role": None})


@router.get("/scope/people", response=PageShape[PersonShape])
def list_people(
    request: ActorRequest, scope: str, limit: int = 50, cursor: str | None = None, count: bool = False
) -> HttpResponse:
    """Who speaks or is spoken of in this scope, by name."""
    rows = Person.objects.filter(scope=scope_at(scope, request.actor.access)).select_related("scope", "user")
    total = rows.count() if count else None
    if cursor:
        rows = rows.filter(pk__gt=decode_cursor(cursor, (int,))[0])
    found = page_of(list(rows.order_by("pk")[: check_limit(limit) + 1]), limit, lambda row: [row.pk], total=total)
    return page(found, [person_shape(row) for row in found.items])


@router.post("/scope/people", response={201: PersonShape})
def post_person(request: ActorRequest, body: PersonIn) -> HttpResponse:
    """Add somebody, or bring the entry of that name up to date; 201."""
    actor = request.actor
    row = scope_at(body.scope, actor.access, Right.ADMINISTER)

    def write() -> tuple[int, int]:
        person = add_person(
            row,
            body.name,
            aliases=body.aliases,
            role=body.role,
            username=body.user,
            telegram_id=body.telegram_id,
            actor=actor,
        )
        return 201, person.pk

    done = once_per_key(request, "people", write)
    return answer(person_shape(Person.objects.select_related("scope", "user").get(pk=done.outcome)), done.status)


@router.get("/scope/keys", response=KeysShape)
def list_keys(request: ActorRequest, scope: str) -> HttpResponse:
    """The keys in force, each with its type, unit, stages, block and question, and whether others may be proposed (`closed`).
    `allowed` tells which may be proposed at the `stage` that the scope is in."""
    row = scope_at(scope, request.actor.access)
    packs, stage = packs_of(row), stage_of(row)
    items = [key_shape(spec, packs, stage) for spec in packs.keys.values()]
    blocks = [block_shape(spec) for spec in packs.blocks.values()]
    shape: KeysShape = {
        "items": items,
        "next": None,
        "closed": packs.keys_closed,
        "stage": stage,
        "stages": packs.stages,
        "blocks": blocks,
    }
    return answer(shape)


@router.get("/scope/state", response=ScopeStateShape)
def get_scope_state(
    request: ActorRequest, scope: str, as_of: Moment | None = None, believed_at: Moment | None = None
) -> HttpResponse:
    """All that is known of a scope: what held at `as_of`, by what was believed at `believed_at`."""
    access = request.actor.access
    return answer(state_shape(scope_state(scope_at(scope, access), as_of=as_of, believed_at=believed_at), access))


@router.get("/scope/figures", response=FiguresShape)
def get_scope_figures(request: ActorRequest, scope: str) -> HttpResponse:
    """How much the scope's discussions give (D13): words of state for words of talk, corrections that were made again after
    they had become a constraint, and the share of decisions that lead back to a source."""
    return answer(figures_shape(discussion_figures(scope_at(scope, request.actor.access))))
