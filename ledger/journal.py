"""The one way rows change: a step collects what a verb does, then writes one event with every row before and after."""

import datetime as dt
import os
import uuid
from types import TracebackType
from typing import Any, Self

from django.db import models

from ledger.actor import Actor
from ledger.errors import StaleVersion
from ledger.models import (
    Approval,
    Claim,
    Conflict,
    Dispute,
    JournalChange,
    JournalEvent,
    Member,
    Person,
    RunHit,
    Scope,
    Source,
    TrustedState,
)
from ledger.rules.columns import check_columns

# The columns that verbs own. Counters, ranks, times of bookkeeping and versions stay outside: undo neither compares
# nor restores them.
OWNED: dict[type[models.Model], tuple[str, ...]] = {
    Claim: (
        "ref", "scope_id", "layer", "kind_id", "key", "topic", "tags", "value_type", "value", "statement", "assignee",
        "downstream", "confidence_word", "valid_from", "valid_to", "status", "successor_id", "graduates_id",
        "names_replaced", "deferred_until", "expires_at", "promoted_at", "disputed", "needs_recheck", "needs_review",
        "high_risk", "anchors_to_choose", "slot", "dedup",
    ),
    Conflict: ("scope_id", "slot", "status"),
    Dispute: ("claim_id", "evidence_id", "weight", "status"),
    Approval: ("claim_id", "user_id", "by", "content", "status"),
    TrustedState: ("ref", "scope_id", "key", "value", "statement", "cites", "status", "replaces_id", "by"),
    Source: ("scope_id", "kind", "sha256", "replaces_id"),
    Scope: (
        "path", "name", "tier", "parent_id", "packs", "timezone", "stage", "retention_days", "policies",
        "allowed_endpoints", "priors",
    ),
    Member: ("scope_id", "user_id", "role"),
    Person: ("scope_id", "name", "aliases", "role", "user_id", "telegram_id"),
    RunHit: ("run_id", "number", "fate", "admitted_id"),
}  # fmt: skip
NOUNS: dict[type[models.Model], str] = {
    Claim: "claim",
    Conflict: "conflict",
    Dispute: "dispute",
    Approval: "approval",
    TrustedState: "trusted",
    Source: "source",
    Scope: "scope",
    Member: "member",
    Person: "person",
    RunHit: "hit",
}
MODELS = {noun: model for model, noun in NOUNS.items()}


def model_of(row: models.Model) -> type[models.Model]:
    """The concrete model of a row: a Candidate or an Entity is a Claim."""
    return row._meta.concrete_model or type(row)


def plain(value: Any) -> Any:
    """A column's value as JSON keeps it."""
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    return value


def snapshot(row: models.Model) -> dict[str, Any]:
    return {column: plain(getattr(row, column)) for column in OWNED[model_of(row)]}


class Step:
    """One verb at work, inside the caller's transaction.

    `created(row)` notes a row just inserted, `change(row, **columns)` writes a compare-and-set on the row's version
    and notes what really changed. Leaving the `with` block writes the event; `event` is then set. A change marked
    `implicit` is a knock-on of the decision, not the decision itself.
    """

    def __init__(
        self,
        verb: str,
        *,
        actor: Actor,
        scope: Scope,
        ref: str = "",
        reason: str = "",
        batch: uuid.UUID | None = None,
        undoes: JournalEvent | None = None,
    ) -> None:
        if reason:
            check_columns({"reason": reason})
        self.changes: list[JournalChange] = []
        self.event = JournalEvent(
            verb=verb,
            actor_kind=actor.kind,
            actor_name=actor.name,
            user_id=actor.user_id,
            token_id=actor.token_id,
            door=actor.door,
            scope=scope,
            ref=ref,
            reason=reason,
            request_id=actor.request_id,
            batch=batch,
            undoes=undoes,
            salt=os.urandom(16),
        )

    def created(self, row: models.Model, *, implicit: bool = False) -> None:
        self._note(row, None, snapshot(row), implicit)

    def removed(self, row: models.Model) -> None:
        """Only memberships go away; everything else keeps its row."""
        self._note(row, snapshot(row), None, False)

    def change(self, row: models.Model, *, implicit: bool = False, **columns: Any) -> None:
        """Write `columns` if the row still has the version it was read with. Raises `StaleVersion` otherwise."""
        model = model_of(row)
        before = snapshot(row)
        for name, value in columns.items():
            setattr(row, name, value)
        after = snapshot(row)
        owned_changes = {name: value for name, value in after.items() if before[name] != value}
        if not owned_changes:
            return
        write = dict(columns)
        match = {"pk": row.pk}
        if hasattr(row, "version"):
            match["version"] = row.version
            write["version"] = row.version + 1
        if model._default_manager.filter(**match).update(**write) != 1:
            raise StaleVersion(f"{NOUNS[model]} {row.pk} was changed by somebody else meanwhile")
        if "version" in write:
            row.version = write["version"]  # type: ignore[attr-defined]
        self._note(row, {name: before[name] for name in owned_changes}, owned_changes, implicit)

    def _note(
        self, row: models.Model, before: dict[str, Any] | None, after: dict[str, Any] | None, implicit: bool
    ) -> None:
        self.changes.append(
            JournalChange(noun=NOUNS[model_of(row)], row=row.pk, before=before, after=after, implicit=implicit)
        )

    def write(self) -> JournalEvent:
        write_events([self])
        return self.event

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.write()


def write_events(steps: list[Step]) -> None:
    """Two statements, however many steps."""
    JournalEvent.objects.bulk_create([step.event for step in steps])
    changes = []
    for step in steps:
        for change in step.changes:
            change.event = step.event
            changes.append(change)
    JournalChange.objects.bulk_create(changes)
