"""Policies of a scope: what is on, what one would have done, what one did (P8, law 5)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict

from django.http import HttpResponse
from django.utils import timezone
from ninja import Router
from pydantic import Field

from ledger.actions.idempotency import once_per_key
from ledger.actions.policy import proposed, set_policy, undo_policy
from ledger.actor import ActorRequest
from ledger.errors import Invalid, NotFound
from ledger.models import Scope
from ledger.reads.history import event_rows
from ledger.reads.packs import kinds
from ledger.reads.policies.in_force import PolicyInForce, four_eyes_scope, policies_in_force
from ledger.reads.policies.trial import MAX_DAYS, VERDICTS, PolicyTrial, simulate
from ledger.reads.scopes import scope_at
from ledger.rules.permissions import Right
from ledger.rules.policies import FOUR_EYES, POLICIES, check_policies, settings_of
from review.api.answers import event_answer
from review.api.bodies import Moment, Reason, ScopePath, Strict
from review.api.journal import UndoneBatchShape
from review.api.shapes import CandidateShape, answer, candidate_shapes

router = Router(tags=["policies"])
MAX_SHOWN = 200


class PolicyIn(Strict):
    """`on` true with `settings` (without them those it had stay), false for off here and below, null for as above."""

    scope: ScopePath
    on: bool | None
    settings: dict[str, Any] | None = Field(None, max_length=50)
    version: int | None = None
    reason: Reason = ""


class TrialIn(Strict):
    """`settings` to try; without them those in force."""

    scope: ScopePath
    name: str = Field(max_length=60)
    settings: dict[str, Any] | None = Field(None, max_length=50)
    days: int = Field(30, ge=1, le=MAX_DAYS)


class UndoPolicyIn(Strict):
    """All it did, or since a time."""

    scope: ScopePath
    since: Moment | None = None
    reason: Reason = ""


class PolicyShape(TypedDict):
    """One policy as it is in force: `named_by` is the scope whose word it is, `own` what this one says of it."""

    name: str
    title: str
    help: str
    actor: str
    on: bool
    named_by: str | None
    own: Mapping[str, Any] | bool | None
    settings: dict[str, Any]


class PoliciesShape(TypedDict):
    scope: str
    version: int
    policies: list[PolicyShape]
    four_eyes: str | None


class PolicyWithProposedShape(PolicyShape):
    proposed: list[CandidateShape]


class WouldShape(TypedDict):
    id: int
    ref: str
    scope: str
    kind: str
    statement: str
    at: datetime
    verdict: str


class WouldNowShape(TypedDict):
    id: int
    ref: str
    scope: str
    kind: str
    statement: str
    outcome: str
    why: str


class LeftAloneShape(TypedDict):
    """Where it would promote nothing now: of the newest that wait, why and how many."""

    why: str
    count: int


class TrialShape(TypedDict):
    """`would` shows the newest 200, the counts are of all. `by_day` counts the verdicts of each `day`."""

    name: str
    settings: dict[str, Any]
    days: int
    since: datetime
    until: datetime
    counts: dict[str, int]
    judged: int
    precision: float | None
    low: float
    high: float
    decided: int
    more: bool
    would: list[WouldShape]
    by_day: list[dict[str, int | str]]
    now: list[WouldNowShape]
    left: list[LeftAloneShape]


class LeftShape(TypedDict):
    """What an undo left, since somebody has built on it."""

    event: int
    ref: str
    why: str


class UndonePolicyShape(UndoneBatchShape):
    left: list[LeftShape]


@router.get("/scope/policies", response=PoliciesShape)
def list_policies(request: ActorRequest, scope: str) -> HttpResponse:
    """Each policy with whether it is on here, by whose word and with which settings; `four_eyes` names the scope that asks for
    two people about what is risky, or is null."""
    return answer(_all(scope_at(scope, request.actor.access)))


# Before the name of one: `simulate` is no policy.
@router.post("/scope/policies/simulate", response=TrialShape)
def simulate_policy(request: ActorRequest, body: TrialIn) -> HttpResponse:
    """What a policy would have done with what was proposed in the last `days`, judged by what people decided, and what it would
    do now. Changes nothing; for owners who may read."""
    access = request.actor.access
    row = scope_at(body.scope, access, Right.ADMINISTER)
    scope_at(body.scope, access)
    one = _named(row, body.name)
    settings = one.settings
    if body.settings is not None:
        check_policies({body.name: body.settings}, kinds=kinds())
        settings = settings_of(body.name, {**settings.told(one.policy.fields), **body.settings})
    return answer(trial_shape(simulate(row, body.name, settings, days=body.days, now=timezone.now())))


@router.get("/scope/policies/{name}", response=PolicyWithProposedShape)
def get_policy(request: ActorRequest, name: str, scope: str) -> HttpResponse:
    """One policy, and as `proposed` the candidates that it would promote now: what a person may promote in its place."""
    access = request.actor.access
    row = scope_at(scope, access)
    one = _named(row, name)
    claims = [due.claim for due in proposed(row, name)]
    shape: PolicyWithProposedShape = {**_shape(one), "proposed": candidate_shapes(claims, access)}
    return answer(shape)


@router.put("/scope/policies/{name}", response=PoliciesShape)
def put_policy(request: ActorRequest, name: str, body: PolicyIn) -> HttpResponse:
    """Turn a policy, or `four_eyes`, on or off; for owners. 422 names the setting that is wrong."""
    actor = request.actor
    row = scope_at(body.scope, actor.access, Right.ADMINISTER)
    if name not in POLICIES and name != FOUR_EYES:
        raise NotFound(f"there is no policy {name[:60]!r}")
    row = set_policy(
        row, name, actor=actor, on=body.on, settings=body.settings, expected_version=body.version, reason=body.reason
    )
    return answer(_all(row))


@router.post("/scope/policies/{name}/undo", response=UndonePolicyShape)
def undo_policy_here(request: ActorRequest, name: str, body: UndoPolicyIn) -> HttpResponse:
    """Take back what a policy did in this scope and below, as one batch: `{"events": [V], "left": [{event, ref, why}], "batch"}`.
    What somebody has built on since is left."""
    actor = request.actor
    row = scope_at(body.scope, actor.access, Right.REVIEW)
    if name not in POLICIES:
        raise NotFound(f"there is no policy {name[:60]!r}")

    def write() -> tuple[int, dict[str, Any]]:
        done, left = undo_policy(row, name, actor=actor, since=body.since, reason=body.reason)
        told = [{"event": event.pk, "ref": event.ref, "why": why} for event, why in left]
        return 200, {"events": [event.pk for event in done], "left": told}

    done = once_per_key(request, f"undo-policy:{row.pk}:{name}", write)
    events = list(event_rows().filter(pk__in=done.outcome["events"]).order_by("pk"))
    shapes = [event_answer(event, actor) for event in events]
    batch = shapes[0]["batch"] if shapes else None
    shape: UndonePolicyShape = {"events": shapes, "left": done.outcome["left"], "batch": batch}
    return answer(shape, done.status)


def _named(row: Scope, name: str) -> PolicyInForce:
    found = policies_in_force(row).get(name)
    if found is None:
        raise Invalid(f"there is no policy {name[:60]!r}: {', '.join(POLICIES)}", field="name")
    return found


def _all(row: Scope) -> PoliciesShape:
    return {
        "scope": row.path,
        "version": row.version,
        "policies": [_shape(one) for one in policies_in_force(row).values()],
        "four_eyes": four_eyes_scope(row) or None,
    }


def _shape(one: PolicyInForce) -> PolicyShape:
    return {
        "name": one.policy.name,
        "title": one.policy.title,
        "help": one.policy.help,
        "actor": one.policy.actor_name,
        "on": one.on,
        "named_by": one.named_by or None,
        "own": one.own,
        "settings": one.settings.told(one.policy.fields),
    }


def trial_shape(trial: PolicyTrial) -> TrialShape:
    low, high = trial.interval
    return {
        "name": trial.name,
        "settings": trial.settings.told(POLICIES[trial.name].fields),
        "days": trial.days,
        "since": trial.since,
        "until": trial.until,
        "counts": {verdict: trial.count(verdict) for verdict in VERDICTS} | {"contested": trial.contested},
        "judged": trial.judged,
        "precision": trial.precision,
        "low": low,
        "high": high,
        "decided": trial.decided,
        "more": trial.more,
        "would": [
            {
                "id": one.id, "ref": one.ref, "scope": one.scope, "kind": one.kind, "statement": one.statement, "at": one.at,
                "verdict": one.verdict,
            }
            for one in trial.would[-MAX_SHOWN:]
        ],
        "by_day": [{"day": str(day), **verdicts} for day, verdicts in trial.by_day],
        "now": [
            {
                "id": one.claim.pk, "ref": one.claim.ref, "scope": one.claim.scope.path, "kind": one.claim.kind_id,
                "statement": one.claim.statement, "outcome": str(one.preview.outcome), "why": one.why,
            }
            for one in trial.now
        ],
        "left": [{"why": why, "count": count} for why, count in trial.left],
    }  # fmt: skip
