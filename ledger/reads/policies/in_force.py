"""Which policies are on in a scope, with which settings and by whose word; and what four eyes still wait for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Func
from django.db.models.fields import CharField

from ledger.errors import Invalid
from ledger.models import Approval, Claim, Scope
from ledger.packs import PackSet
from ledger.reads.packs import packs_of
from ledger.reads.scopes import ancestor_paths, below
from ledger.rules.permissions import covers
from ledger.rules.policies import FOUR_EYES, POLICIES, Policy, Settings, settings_of
from ledger.rules.states import IN_QUEUE

type PoliciesByPath = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class PolicyInForce:
    """One policy as it stands in a scope. `named_by` is the path of the nearest scope that names it, empty where none does;
    `own` what this scope itself says: settings, False for off, None for nothing."""

    policy: Policy
    on: bool
    named_by: str
    own: Mapping[str, Any] | bool | None
    settings: Settings


def policies_in_force(scope: Scope) -> dict[str, PolicyInForce]:
    """Every policy by name. Three queries: the scopes above, and the packs with their defaults."""
    above = _above([scope.path])
    packs = packs_of(scope)
    return {name: _in_force(policy, scope.path, above, packs) for name, policy in POLICIES.items()}


def _in_force(policy: Policy, path: str, above: PoliciesByPath, packs: PackSet) -> PolicyInForce:
    naming = (one for one in reversed(ancestor_paths(path)) if policy.name in above.get(one, {}))
    named_by = next(naming, "")
    given = above.get(named_by, {}).get(policy.name)
    defaults = {field: packs.setting(f"policies.{policy.name}", field, None) for field in policy.fields}
    own = given if isinstance(given, Mapping) else None
    try:
        settings = settings_of(policy.name, own or {}, defaults)
    except Invalid:
        # No verb wrote these, and nothing acts on what it does not understand.
        own, settings = None, settings_of(policy.name, {}, defaults)
    return PolicyInForce(policy, own is not None, named_by, above.get(path, {}).get(policy.name), settings)


def promoting_policies(scope: Scope) -> set[str]:
    """The names, with their versions, under which policies promote here."""
    found = policies_in_force(scope).values()
    return {one.policy.actor_name for one in found if one.on and one.settings.act == "promote"}


def four_eyes_scope(scope: Scope) -> str:
    """The path of the topmost scope that asks for two people here; empty where none does. One query."""
    return four_eyes_scopes([scope.path])[scope.path]


def four_eyes_scopes(paths: Iterable[str]) -> dict[str, str]:
    """For each scope path the scope that asks for four eyes there, or nothing. One query."""
    wanted = set(paths)
    asking = {one for one, policies in _above(wanted).items() if isinstance(policies.get(FOUR_EYES), Mapping)}
    return {path: next(filter(asking.__contains__, ancestor_paths(path)), "") for path in wanted}


def _above(paths: Iterable[str]) -> PoliciesByPath:
    """What the scopes of these paths and those above them say of policies. One query."""
    wanted = {one for path in paths for one in ancestor_paths(path)}
    return dict(Scope.objects.filter(path__in=wanted).values_list("path", "policies"))


def policies_turned_on() -> list[tuple[Scope, str]]:
    """Each scope that turns a policy on itself, with the policy's name. One query."""
    rows = Scope.objects.exclude(policies={}).order_by("path")
    return [(row, name) for row in rows for name in POLICIES if isinstance(row.policies.get(name), Mapping)]


def governed_scopes(root: Scope, name: str) -> dict[int, str]:
    """The scopes, by id with their paths, in which `root`'s word about a policy holds: itself and all below it, without those
    that lie under another scope that names the policy. One query."""
    rows = list(Scope.objects.filter(below(root.path)).values_list("pk", "path", "policies"))
    others = [path for _, path, policies in rows if name in policies and path != root.path]
    return {pk: path for pk, path, _ in rows if not any(covers(other, path) for other in others)}


@dataclass(frozen=True, slots=True)
class ApprovalState:
    """What four eyes ask of one candidate: `asked_by` is the scope that asks, `approvals` those that stand for it as it
    now reads."""

    asked_by: str
    approvals: tuple[Approval, ...]


CLAIM_CONTENT = Func(F("claim_id"), function="ledger_claim_content", output_field=CharField())


def standing_approvals(claim_ids: Sequence[int]) -> dict[int, list[Approval]]:
    """The approvals of these claims, as they now read, the oldest first. One query."""
    found: dict[int, list[Approval]] = {}
    rows = Approval.objects.filter(claim__in=claim_ids, status="standing", content=CLAIM_CONTENT).order_by("pk")
    for row in rows:
        found.setdefault(row.claim_id, []).append(row)
    return found


def approval_states(claims: Sequence[Claim]) -> dict[int, ApprovalState]:
    """For those of `claims` about which two people decide. No query where none is risky, else two. Each with its scope."""
    risky = [claim for claim in claims if claim.high_risk and claim.status in IN_QUEUE]
    asking = four_eyes_scopes({claim.scope.path for claim in risky})
    asked_by = {claim.pk: asking[claim.scope.path] for claim in risky if asking[claim.scope.path]}
    approvals = standing_approvals(list(asked_by))
    return {pk: ApprovalState(scope, tuple(approvals.get(pk, ()))) for pk, scope in asked_by.items()}
