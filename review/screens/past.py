"""What happened, as a history shows it: who, when, why, from what to what, and whether it can be taken back from here."""

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.actions.undo import right_to_undo
from ledger.errors import BadTransition
from ledger.models import JournalChange, JournalEvent
from ledger.reads.claims import REF
from ledger.rules.permissions import Access
from review.screens.values import value_said

# Columns that only machines read.
HIDDEN = {"slot", "dedup", "scope_id", "promoted_at", "graduates_id", "replaces_id", "user_id", "run_id", "sha256"}
NAMES = {"kind_id": "kind", "successor_id": "gave way to", "names_replaced": "names what it replaces"}


@dataclass(frozen=True, slots=True)
class Line:
    """One column of one row, before and after; `before` is None for a row that was made."""

    what: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class Past:
    event: JournalEvent
    undone: bool
    may_undo: bool
    lines: list[Line]

    @property
    def of_trusted(self) -> bool:
        """Whether the event is about a trusted value."""
        return self.event.ref.startswith("TRU-")

    @property
    def of_claim(self) -> bool:
        """Whether the event is about a claim, which has a page."""
        ref = self.event.ref
        return bool(REF.fullmatch(ref)) and not ref.startswith("TRU-")


def past(events: Iterable[JournalEvent], access: Access) -> list[Past]:
    """Of events read with their scope, changes and `undone_by`; no further query."""
    return [_past(event, access) for event in events]


def _past(event: JournalEvent, access: Access) -> Past:
    undone = getattr(event, "undone_by", None) is not None
    lines = [line for change in event.changes.all() for line in _lines(change)]
    return Past(event, undone, not undone and _may_undo(event, access), lines)


def _may_undo(event: JournalEvent, access: Access) -> bool:
    """The undo of an undo needs the verb behind it, which is not read here: the button then shows to who may review."""
    if event.redacted or not event.changes.all():
        return False
    try:
        return access.may(right_to_undo(event), event.scope.path)
    except BadTransition:
        return False


def _lines(change: JournalChange) -> list[Line]:
    if change.redacted:
        return [Line(change.noun, None, "redacted by a purge")]
    if change.before is None:
        made = change.after or {}
        words = made.get("statement") or made.get("name") or made.get("role") or ""
        return [Line(f"new {change.noun}", None, str(words))]
    after = change.after or {}
    return [
        Line(NAMES.get(name, name.replace("_", " ")), value_said(change.before[name]), value_said(after.get(name)))
        for name in change.before
        if name not in HIDDEN
    ]
