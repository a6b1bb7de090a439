"""What stands in the way of taking an event back, as far as its rows tell: asked for a whole page of events at once.

The verb `ledger.actions.undo` decides; this only spares a reader the press of a button that would be refused.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.actions.undo import root_verb, undo_right, what_bars_undo
from ledger.journal import NOUNS
from ledger.models import JournalChange, JournalEvent
from ledger.reads.sql import fetch_rows
from ledger.rules.permissions import Access
from ledger.rules.states import IN_QUEUE
from ledger.verbs import Verb

# For each column of each row the value it has now, and the event that gave it.
_LATEST = """
    SELECT DISTINCT ON (c.noun, c.row, kv.key) c.noun, c.row, kv.key, kv.value, c.event_id
    FROM unnest(%s::text[], %s::bigint[]) AS p(noun, id)
    JOIN ledger_journalchange c ON c.noun = p.noun AND c.row = p.id
    CROSS JOIN LATERAL jsonb_each(c.after) kv
    ORDER BY c.noun, c.row, kv.key, c.id DESC
"""
BY_HAND = (Verb.CURATE, Verb.RETRACT)
# Columns that only machines read.
UNSEEN = ("slot", "dedup", "value_type", "promoted_at")


@dataclass(frozen=True, slots=True)
class Hindrance:
    """Why an event cannot be taken back; `event` is the later one that has to be undone first, or that undid it."""

    why: str
    event: int | None = None


# By noun, row and column the value it has now, and the event that gave it.
type LatestValues = dict[tuple[str, int, str], tuple[Any, int]]


def hindrances(events: Sequence[JournalEvent], access: Access) -> dict[int, Hindrance]:
    """By event why it cannot be undone by this reader; what is not there can be, as far as is known. Events come with scope,
    changes and `undone_by`. One query, one more for each undo of an undo."""
    found = {event.pk: barred for event in events if (barred := _barred(event, access))}
    open_events = [event for event in events if event.pk not in found]
    latest = _latest({(change.noun, change.row) for event in open_events for change in event.changes.all()})
    return found | {event.pk: moved for event in open_events if (moved := next(_moved(event, latest), None))}


def _barred(event: JournalEvent, access: Access) -> Hindrance | None:
    verb = root_verb(event)
    right = undo_right(verb)
    if right is None:
        by_hand = "a trusted value is changed back by writing it again; its page offers the old one"
        return Hindrance(by_hand if verb in BY_HAND else "this cannot be taken back")
    undoer = getattr(event, "undone_by", None)
    if why := what_bars_undo(event, event.changes.all(), undone=undoer is not None):
        return Hindrance(why, undoer and undoer.pk)
    if not access.may(right, event.scope.path):
        return Hindrance(f"it takes the right to {right} in {event.scope.path}")
    return None


def _latest(rows: set[tuple[str, int]]) -> LatestValues:
    if not rows:
        return {}
    ordered = sorted(rows)
    found = fetch_rows(_LATEST, [*map(list, zip(*ordered, strict=True))])
    return {
        (noun, row, name): (json.loads(value) if isinstance(value, str) else value, event)
        for noun, row, name, value, event in found
    }


def _moved(event: JournalEvent, latest: LatestValues) -> Iterator[Hindrance]:
    """What was decided or changed since about the rows that the event left."""
    verb = root_verb(event)
    for change in event.changes.all():
        status, decided = latest.get(("claim", change.row, "status"), ("", event.pk))
        if verb == Verb.EDIT and change.noun == "claim" and status not in IN_QUEUE:
            yield Hindrance("what was edited has been decided about since", decided)
        for name, later in _changed_since(change, verb, latest):
            what = "what it says" if name in UNSEEN else f"its {name.removesuffix('_id').replace('_', ' ')}"
            yield Hindrance(f"{what} has changed since", later)


def _changed_since(change: JournalChange, verb: str, latest: LatestValues) -> Iterator[tuple[str, int]]:
    """Columns that an undo would not find as the event left them, each with the event that changed it."""
    if change.noun == "conflict" and change.implicit:
        return
    for name, left in (change.after or {}).items():
        now, later = latest.get((change.noun, change.row, name), (left, change.event_id))
        if not NOUNS[change.noun].left_alone(verb, name, left, now):
            yield name, later
