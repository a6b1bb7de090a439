"""What stands in the way of taking an event back, as far as its rows tell: asked for a whole page of events at once.

The verb `ledger.actions.undo` decides; this only spares a reader the press of a button that would be refused.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from ledger.actions.undo import DERIVED, FLAGS, SETTLED, right_to_undo, root_verb
from ledger.errors import BadTransition
from ledger.models import JournalChange, JournalEvent
from ledger.rules.permissions import Access
from ledger.rules.states import IN_QUEUE

# For each column of each row the value it has now, and the event that gave it.
_LATEST = """
    SELECT DISTINCT ON (c.noun, c.row, kv.key) c.noun, c.row, kv.key, kv.value, c.event_id
    FROM unnest(%s::text[], %s::bigint[]) AS p(noun, id)
    JOIN ledger_journalchange c ON c.noun = p.noun AND c.row = p.id
    CROSS JOIN LATERAL jsonb_each(c.after) kv
    ORDER BY c.noun, c.row, kv.key, c.id DESC
"""
BY_HAND = ("curate", "retract")
# Columns that only machines read.
UNSEEN = ("slot", "dedup", "value_type", "promoted_at")


@dataclass(frozen=True, slots=True)
class Hindrance:
    """Why an event cannot be taken back; `event` is the later one that has to be undone first, or that undid it."""

    why: str
    event: int | None = None


type _Now = dict[tuple[str, int, str], tuple[Any, int]]


def hindrances(events: Sequence[JournalEvent], access: Access) -> dict[int, Hindrance]:
    """By event why it cannot be undone by this reader; what is not there can be, as far as is known. Events come with scope,
    changes and `undone_by`. One query, one more for each undo of an undo."""
    found = {event.pk: barred for event in events if (barred := _barred(event, access))}
    asked = [event for event in events if event.pk not in found]
    now = _latest({(c.noun, c.row) for event in asked for c in event.changes.all()})
    for event in asked:
        if later := _moved(event, now):
            found[event.pk] = later
    return found


def _barred(event: JournalEvent, access: Access) -> Hindrance | None:
    undoer = getattr(event, "undone_by", None)
    if undoer is not None:
        return Hindrance("it is undone already", undoer.pk)
    if event.redacted or any(change.redacted for change in event.changes.all()):
        return Hindrance("a purge took its words away")
    try:
        right = right_to_undo(event)
    except BadTransition:
        if root_verb(event) in BY_HAND:
            return Hindrance("trusted state is changed back by a new act of a person, with the old value offered")
        return Hindrance(f"{event.verb.replace('_', ' ')} has no undo")
    if not event.changes.all():
        return Hindrance("it changed nothing that could be put back")
    if not access.may(right, event.scope.path):
        return Hindrance(f"it takes the right to {right} in {event.scope.path}")
    return None


def _latest(rows: set[tuple[str, int]]) -> _Now:
    if not rows:
        return {}
    ordered = sorted(rows)
    with connection.cursor() as cursor:
        cursor.execute(_LATEST, [[noun for noun, _ in ordered], [row for _, row in ordered]])
        return {
            (noun, row, name): (json.loads(value) if isinstance(value, str) else value, event)
            for noun, row, name, value, event in cursor.fetchall()
        }


def _moved(event: JournalEvent, now: _Now) -> Hindrance | None:
    verb = root_verb(event)
    for change in event.changes.all():
        if change.noun == "conflict" and change.implicit:
            continue
        status, decided = now.get(("claim", change.row, "status"), ("", event.pk))
        if verb == "edit" and change.noun == "claim" and status not in IN_QUEUE:
            return Hindrance("what was edited has been decided about since", decided)
        for name, value in (change.after or {}).items():
            latest, later = now.get((change.noun, change.row, name), (value, event.pk))
            if latest != value and not _follows(change, verb, name, value, latest):
                what = "what it says" if name in UNSEEN else f"its {name.removesuffix('_id').replace('_', ' ')}"
                return Hindrance(f"{what} has changed since", later)
    return None


def _follows(change: JournalChange, verb: str, name: str, then: Any, latest: Any) -> bool:
    """Whether this column is put back by what the rows say instead of by what the event wrote."""
    if change.noun == "claim":
        return (verb == "dispute" and name in FLAGS) or (verb == "edit" and name in DERIVED)
    return change.noun == "conflict" and name == "status" and then in SETTLED and latest in SETTLED
