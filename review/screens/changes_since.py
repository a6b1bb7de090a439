"""What became of a claim since the version that its reader saw: the columns that differ, and who changed them when."""

import copy
import datetime as dt
from dataclasses import dataclass
from typing import Any, Final

from ledger.models import Claim, JournalChange, JournalEvent, Scope
from review.screens.difference import difference
from review.screens.values import value_said

# In the order in which they are told. The rest is derived, or read by machines only.
TOLD: Final = {
    "statement": "statement", "value": "value", "status": "status", "kind_id": "kind", "key": "key", "topic": "topic",
    "tags": "tags", "assignee": "assignee", "scope_id": "scope", "valid_from": "holds from", "valid_to": "holds until",
    "confidence_word": "confidence", "deferred_until": "deferred until", "high_risk": "high risk",
    "needs_review": "needs review", "anchors_to_choose": "places to choose from",
}  # fmt: skip
# Nobody leaves a card open through so many changes.
MOST: Final = 50


@dataclass(frozen=True, slots=True)
class Changed:
    """One column before and now, as words and as a difference, with the latest event that changed it."""

    name: str
    label: str
    before: str
    now: str
    pieces: list[tuple[str, str]]
    event: JournalEvent


@dataclass(frozen=True, slots=True)
class Since:
    """`was` is the claim as its reader saw it; `changes` what differs now."""

    was: Claim
    changes: tuple[Changed, ...]


def since(claim: Claim, version: int) -> Since:
    """Every change of a claim raises its version by one, so that as many journal rows lead back as versions lie between.

    `claim` is the row as it now stands, with its scope. Two queries, one more where it moved to another scope.
    """
    steps = min(max(0, claim.version - version), MOST)
    rows = list(
        JournalChange.objects.filter(noun="claim", row=claim.pk, before__isnull=False)
        .select_related("event")
        .order_by("-id")[:steps]
    )
    before: dict[str, Any] = {}
    latest: dict[str, JournalEvent] = {}
    for row in rows:
        for name, value in (row.before or {}).items():
            before[name] = value
            latest.setdefault(name, row.event)
    was = _put_back(claim, before)
    changes = []
    for name, label in TOLD.items():
        old, new = _said(was, name), _said(claim, name)
        if name in before and old != new:
            changes.append(Changed(name, label, old, new, difference(old, new), latest[name]))
    return Since(was, tuple(changes))


def _put_back(claim: Claim, before: dict[str, Any]) -> Claim:
    was = copy.copy(claim)
    for name, value in before.items():
        if name in TOLD:
            setattr(was, name, _moment(value) if name in ("valid_from", "valid_to", "deferred_until") else value)
    if was.scope_id != claim.scope_id:
        was.scope = Scope.objects.get(pk=was.scope_id)
    return was


def _moment(value: Any) -> Any:
    return dt.datetime.fromisoformat(value) if isinstance(value, str) else value


def _said(claim: Claim, name: str) -> str:
    if name == "scope_id":
        return claim.scope.path
    value = getattr(claim, name)
    if name == "anchors_to_choose":
        return str(len(value or ()))
    if isinstance(value, dt.datetime):
        return f"{value.astimezone(dt.UTC):%-d %b %Y, %H:%M} UTC"
    if name == "kind_id":
        return str(value).replace("_", " ")
    return value_said(value)
