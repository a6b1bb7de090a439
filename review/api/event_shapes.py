"""The shape V of the outward contract: an event of the journal with its changes, as `shapes` declares the others."""

from datetime import datetime
from typing import Any, NotRequired, TypedDict
from uuid import UUID

from ledger.models import JournalEvent
from ledger.reads.history import moved_out_of_sight
from ledger.rules.permissions import Access


class ActorShape(TypedDict):
    kind: str
    name: str


class ChangeShape(TypedDict):
    noun: str
    row: int
    before: Any
    after: Any
    implicit: bool


class EventShape(TypedDict):
    """V. `number` is the sealer's, in lists that follow it."""

    id: int
    at: datetime
    verb: str
    actor: ActorShape
    door: str
    scope: str
    ref: str
    reason: str
    batch: UUID | None
    undoes: int | None
    undone_by: int | None
    redacted: bool
    changes: list[ChangeShape]
    number: NotRequired[int | None]


def event_shape(event: JournalEvent, access: Access) -> EventShape:
    """V, from an event read with its scope, its changes and `undone_by`. A redacted event keeps who and when. A change that
    moved a row to or from a scope out of sight has neither before nor after."""
    unseen = moved_out_of_sight(event, access)
    undoing = getattr(event, "undone_by", None)
    shape: EventShape = {
        "id": event.pk,
        "at": event.at,
        "verb": event.verb,
        "actor": {"kind": event.actor_kind, "name": event.actor_name},
        "door": event.door,
        "scope": event.scope.path,
        "ref": event.ref,
        "reason": event.reason,
        "batch": event.batch,
        "undoes": event.undoes_id,
        "undone_by": undoing.pk if undoing else None,
        "redacted": event.redacted,
        "changes": [
            {
                "noun": change.noun,
                "row": change.row,
                "before": None if change.pk in unseen else change.before,
                "after": None if change.pk in unseen else change.after,
                "implicit": change.implicit,
            }
            for change in event.changes.all()
        ],
    }
    seal = event._state.fields_cache.get("seal")
    if seal is not None:
        shape["number"] = seal.number
    return shape
