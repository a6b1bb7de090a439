"""Trusted state as one scope sees it, and all that is known of a scope at a time."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max

from ledger.models import Claim, Conflict, Pattern, Run, Scope, Tier, TrustedState
from ledger.projections.blocks import BlockPage, blocks_among, blocks_of
from ledger.projections.items import Item, items_of
from ledger.reads.as_of import claims_as_of, conflicts_as_of, trusted_as_of
from ledger.reads.conflicts import trusted_in_open_conflict
from ledger.reads.packs import packs_of
from ledger.reads.scopes import ancestor_paths, depth

EVENTS = ("event", "assignment")
MAX_LISTED = 500


@dataclass(frozen=True, slots=True)
class TrustedValue:
    """A trusted value; `disputed` while it takes part in an open conflict."""

    row: TrustedState
    disputed: bool


def trusted_state(scope: Scope, *, at: dt.datetime | None = None) -> list[TrustedValue]:
    """The values that hold in `scope` by key: its own and those of its ancestors, the nearest of each key wins."""
    scopes = Scope.objects.filter(path__in=ancestor_paths(scope.path))
    rows = sorted(trusted_as_of(list(scopes), at=at), key=lambda row: depth(row.scope.path))
    nearest = {row.key: row for row in rows}
    disputed = trusted_in_open_conflict([row.pk for row in nearest.values()])
    return [TrustedValue(row, row.pk in disputed) for _, row in sorted(nearest.items())]


@dataclass(frozen=True, slots=True)
class ScopeState:
    """What is known of a scope: `claims` and `events` are live claims, at most 500 together (`more` tells of others)."""

    trusted: list[TrustedValue]
    claims: list[Claim]
    events: list[Claim]
    patterns: list[Pattern]
    open_questions: list[Pattern]
    blocks: list[BlockPage]
    items: list[Item]
    conflicts: list[Conflict]
    last_extracted: dt.datetime | None
    more: bool


def scope_state(
    scope: Scope, *, as_of: dt.datetime | None = None, believed_at: dt.datetime | None = None
) -> ScopeState:
    """The scope's own state with its ancestors' trusted values, at a time on either clock (D10, T8, T10)."""
    claims = claims_as_of([scope], as_of=as_of, believed_at=believed_at)
    listed = claims[-MAX_LISTED:]
    patterns = Pattern.objects.filter(scope=scope).select_related("claim").prefetch_related("sources")
    runs = Run.objects.filter(scope=scope, status="succeeded")
    if believed_at:
        patterns = patterns.filter(detected_at__lte=believed_at)
        runs = runs.filter(finished_at__lte=believed_at)
    noted = list(patterns.order_by("-pk")[:MAX_LISTED])
    return ScopeState(
        trusted=trusted_state(scope, at=min(filter(None, (as_of, believed_at)), default=None)),
        claims=[claim for claim in listed if claim.kind_id not in EVENTS],
        events=[claim for claim in listed if claim.kind_id in EVENTS],
        patterns=noted,
        open_questions=_each_once([pattern for pattern in noted if pattern.type == "repeated_question"]),
        blocks=blocks_among(scope, claims, packs_of(scope)) if as_of or believed_at else blocks_of(scope),
        items=_items(scope, as_of, believed_at),
        conflicts=conflicts_as_of([scope], at=believed_at),
        last_extracted=runs.aggregate(last=Max("finished_at"))["last"],
        more=len(claims) > MAX_LISTED,
    )


def _items(scope: Scope, as_of: dt.datetime | None, believed_at: dt.datetime | None) -> list[Item]:
    rows = list(Scope.objects.filter(parent=scope, tier=Tier.ITEM)[:MAX_LISTED])
    then = claims_as_of(rows, as_of=as_of, believed_at=believed_at) if as_of or believed_at else None
    return items_of(rows, then)


def _each_once(questions: Sequence[Pattern]) -> list[Pattern]:
    """Of a question that was asked again and again only the pattern that names all its messages."""
    asked = {pattern.pk: {source.pk for source in pattern.sources.all()} for pattern in questions}
    return [row for row in questions if not any(asked[row.pk] < others for others in asked.values())]
