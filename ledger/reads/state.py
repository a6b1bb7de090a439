"""Trusted state as one scope sees it, and all that is known of a scope at a time."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max

from ledger.models import Block, Claim, Conflict, ConflictMember, Pattern, Run, Scope, Tier, TrustedState
from ledger.reads.as_of import claims_as_of, conflicts_as_of, trusted_as_of
from ledger.reads.scopes import ancestor_paths

EVENTS = ("event", "assignment")
MAX_LISTED = 500


@dataclass(frozen=True, slots=True)
class TrustedValue:
    """A trusted value; `disputed` while it takes part in an open conflict."""

    row: TrustedState
    disputed: bool


def trusted_state(scope: Scope, *, at: dt.datetime | None = None) -> list[TrustedValue]:
    """The values that hold in `scope` by key: its own and those of its ancestors, the nearest of each key wins."""
    paths = ancestor_paths(scope.path)
    scopes = list(Scope.objects.filter(path__in=paths))
    nearest: dict[str, TrustedState] = {}
    for row in sorted(trusted_as_of(scopes, at=at), key=lambda row: paths.index(row.scope.path)):
        nearest[row.key] = row
    rows = sorted(nearest.values(), key=lambda row: row.key)
    disputed = disputed_trusted(rows)
    return [TrustedValue(row, row.pk in disputed) for row in rows]


def disputed_trusted(rows: Sequence[TrustedState]) -> set[int]:
    """Those of `rows` that an open conflict names."""
    members = ConflictMember.objects.filter(trusted__in=[row.pk for row in rows], conflict__status="open")
    return {pk for pk in members.values_list("trusted_id", flat=True) if pk is not None}


@dataclass(frozen=True, slots=True)
class ScopeState:
    """What is known of a scope: `claims` and `events` are live claims, at most 500 together (`more` tells of others)."""

    trusted: list[TrustedValue]
    claims: list[Claim]
    events: list[Claim]
    patterns: list[Pattern]
    open_questions: list[Pattern]
    blocks: list[Block]
    items: list[Scope]
    conflicts: list[Conflict]
    last_extracted: dt.datetime | None
    more: bool


def _each_once(patterns: list[Pattern]) -> list[Pattern]:
    """Of a question that was asked again and again only the pattern that names all its messages."""
    asked = {pattern.pk: {source.pk for source in pattern.sources.all()} for pattern in patterns}
    return [row for row in patterns if not any(asked[row.pk] < others for others in asked.values())]


def scope_state(
    scope: Scope, *, as_of: dt.datetime | None = None, believed_at: dt.datetime | None = None
) -> ScopeState:
    """The scope's own state with its ancestors' trusted values, at a time on either clock (D10, T8, T10)."""
    claims = claims_as_of([scope], as_of=as_of, believed_at=believed_at)
    more = len(claims) > MAX_LISTED
    claims = claims[-MAX_LISTED:]
    times = [time for time in (as_of, believed_at) if time]
    patterns = Pattern.objects.filter(scope=scope).select_related("claim").prefetch_related("sources")
    runs = Run.objects.filter(scope=scope, status="succeeded")
    if believed_at:
        patterns = patterns.filter(detected_at__lte=believed_at)
        runs = runs.filter(finished_at__lte=believed_at)
    found = list(patterns.order_by("-pk")[:MAX_LISTED])
    return ScopeState(
        trusted=trusted_state(scope, at=min(times) if times else None),
        claims=[claim for claim in claims if claim.kind_id not in EVENTS],
        events=[claim for claim in claims if claim.kind_id in EVENTS],
        patterns=found,
        open_questions=_each_once([pattern for pattern in found if pattern.type == "repeated_question"]),
        blocks=list(Block.objects.filter(scope=scope)),
        items=list(Scope.objects.filter(parent=scope, tier=Tier.ITEM)[:MAX_LISTED]),
        conflicts=conflicts_as_of([scope], at=believed_at),
        last_extracted=runs.aggregate(last=Max("finished_at"))["last"],
        more=more,
    )
