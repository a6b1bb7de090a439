"""The one way rows change: a step collects what a verb does, then writes one event with every row before and after."""

import datetime as dt
import os
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from types import TracebackType
from typing import Any, Self

from django.db import connection, models

from ledger.actions.patch_blocks import patch_blocks
from ledger.actor import Actor
from ledger.errors import StaleVersion
from ledger.models import (
    Approval,
    CalendarFeed,
    CatalogItem,
    CatalogLink,
    ChatLink,
    Claim,
    Conflict,
    Dispute,
    Handover,
    JournalChange,
    JournalEvent,
    KeptApart,
    Member,
    Notice,
    Person,
    PriceObservation,
    RunHit,
    Scope,
    Source,
    Synonym,
    TrustedState,
    Webhook,
)
from ledger.rules.columns import check_columns
from ledger.verbs import Verb

FLAGS = ("disputed", "needs_recheck")


@dataclass(frozen=True, slots=True)
class Noun:
    """A kind of row that verbs change. `columns` are those that verbs own: counters, ranks, times of bookkeeping and versions
    stay outside, undo neither compares nor restores them.

    On the way back a row that the verb made takes the status `void`. `made_anew` names, by verb, the columns that are then made
    from what the rows say, `derived` those that always are, and `follows` the statuses among which the rows choose; none of them
    is any event's own word."""

    model: type[models.Model]
    columns: tuple[str, ...]
    void: str = ""
    made_anew: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    derived: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()

    def left_alone(self, verb: str, column: str, left: Any, now: Any) -> bool:
        """Whether `column`, which an event of `verb` left as `left`, is not in the way of its undo as it stands `now`."""
        if left == now or column in (*self.derived, *self.made_anew.get(verb, ())):
            return True
        return column == "status" and left in self.follows and now in self.follows


NOUNS: dict[str, Noun] = {
    "claim": Noun(
        Claim,
        (
            "ref", "scope_id", "layer", "kind_id", "key", "topic", "tags", "value_type", "value", "statement", "assignee",
            "downstream", "confidence_word", "valid_from", "valid_to", "status", "successor_id", "graduates_id",
            "names_replaced", "deferred_until", "expires_at", "promoted_at", "disputed", "needs_recheck", "needs_review",
            "high_risk", "anchors_to_choose", "slot", "dedup",
        ),
        void="withdrawn",
        derived=("slot", "dedup"),
        # The flags follow from the disputes that stay open. Another edit may have changed its share of what slot and
        # duplicate key are made of.
        made_anew={Verb.DISPUTE: FLAGS, Verb.EDIT: ("slot", "dedup")},
    ),
    # Which of the two an unsettled conflict is in follows from the live claims.
    "conflict": Noun(Conflict, ("scope_id", "slot", "status"), void="closed", follows=("open", "closed")),
    "dispute": Noun(Dispute, ("claim_id", "evidence_id", "weight", "status"), void="void"),
    "approval": Noun(Approval, ("claim_id", "user_id", "by", "content", "status"), void="void"),
    "handover": Noun(Handover, ("claim_id", "user_id", "to", "by", "status"), void="withdrawn"),
    "kept apart": Noun(KeptApart, ("scope_id", "first_id", "second_id", "by", "status"), void="withdrawn"),
    "trusted": Noun(
        TrustedState, ("ref", "scope_id", "key", "value", "statement", "cites", "status", "replaces_id", "by")
    ),
    "source": Noun(Source, ("scope_id", "kind", "sha256", "replaces_id")),
    "scope": Noun(
        Scope,
        (
            "path", "name", "tier", "parent_id", "packs", "timezone", "stage", "retention_days", "policies",
            "allowed_endpoints", "priors", "secrets",
            "second_factor",
        ),
    ),
    "member": Noun(Member, ("scope_id", "user_id", "role")),
    "person": Noun(Person, ("scope_id", "name", "aliases", "role", "user_id", "telegram_id", "accounts")),
    "hit": Noun(RunHit, ("run_id", "number", "fate", "admitted_id")),
    "catalogue item": Noun(CatalogItem, ("scope_id", "name", "unit", "status"), void="withdrawn"),
    "synonym": Noun(Synonym, ("item_id", "name", "status"), void="withdrawn"),
    "price": Noun(
        PriceObservation,
        ("scope_id", "name", "supplier", "amount", "unit", "currency", "observed_at", "status"),
        void="withdrawn",
    ),
    "notice": Noun(Notice, ("scope_id", "conversation_id", "after_id", "rule", "matter", "refs")),
    "chat link": Noun(
        ChatLink, ("scope_id", "conversation_id", "door", "bot", "chat", "status"), void="ended"
    ),
    "feed": Noun(CalendarFeed, ("scope_id", "name", "prefix", "status")),
    "webhook": Noun(Webhook, ("scope_id", "host", "verbs", "words", "status", "key_number")),
    "catalogue link": Noun(
        CatalogLink, ("scope_id", "name", "claim_id", "item_id", "status", "confirmed_by"), void="withdrawn"
    ),
}  # fmt: skip
NOUN_OF = {noun.model: name for name, noun in NOUNS.items()}


def model_of(row: models.Model) -> type[models.Model]:
    """The concrete model of a row: a Candidate or an Entity is a Claim."""
    return row._meta.concrete_model or type(row)


def plain(value: Any) -> Any:
    """A column's value as JSON keeps it."""
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    return str(value) if isinstance(value, Decimal) else value


def typed(model: type[models.Model], column: str, value: Any) -> Any:
    """A value as JSON keeps it, as its column holds it."""
    if isinstance(value, str) and isinstance(model._meta.get_field(column), models.DateTimeField):
        return dt.datetime.fromisoformat(value)
    return value


def snapshot(row: models.Model) -> dict[str, Any]:
    return {column: plain(getattr(row, column)) for column in NOUNS[NOUN_OF[model_of(row)]].columns}


def next_refs(prefixes: Sequence[str]) -> list[str]:
    """One ref for each prefix, never given before; numbers are handed out in blocks (design §3). One query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_next_refs(%s)", [list(prefixes)])
        return [ref for (ref,) in cursor.fetchall()]


class Step:
    """One verb at work, inside the caller's transaction.

    `created(row)` notes a row just inserted, `change(row, **columns)` writes a compare-and-set on the row's version
    and notes what really changed. Leaving the `with` block writes the event; `event` is then set. A change marked
    `implicit` is a knock-on of the decision, not the decision itself.
    """

    def __init__(
        self,
        verb: Verb,
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
        # Claims that come to hold by it, or cease to: what is derived of them follows in the same transaction.
        self.turned: list[Claim] = []
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

    def created(self, row: models.Model, *, implicit: bool = False) -> Self:
        self._note(row, None, snapshot(row), implicit)
        return self

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
            raise StaleVersion(f"{NOUN_OF[model]} {row.pk} was changed by somebody else meanwhile")
        if "version" in write:
            row.version = write["version"]  # type: ignore[attr-defined]
        if isinstance(row, Claim) and "active" in (before["status"], after["status"]):
            self.turned.append(row)
        self._note(row, {name: before[name] for name in owned_changes}, owned_changes, implicit)

    def _note(
        self, row: models.Model, before: dict[str, Any] | None, after: dict[str, Any] | None, implicit: bool
    ) -> None:
        noun = NOUN_OF[model_of(row)]
        change = JournalChange(event=self.event, noun=noun, row=row.pk, before=before, after=after, implicit=implicit)
        self.changes.append(change)

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
    """Two statements, however many steps; and the blocks that show what they changed."""
    JournalEvent.objects.bulk_create([step.event for step in steps])
    JournalChange.objects.bulk_create([change for step in steps for change in step.changes])
    for step in steps:
        if step.turned:
            patch_blocks(step.event, step.turned)
