"""What happened, as a history shows it: who, when, why, from what to what, and whether it can be taken back from here."""

import copy
import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, cast

from django.db.models import Field

from ledger.models import Claim, JournalChange, JournalEvent, Scope
from ledger.reads.claims import REF
from ledger.reads.history import history_page
from ledger.reads.undoable import Hindrance, hindrances
from ledger.rules.permissions import Access, Right
from review.desk.fields import difference, value_text

# Columns that only machines read.
HIDDEN_COLUMNS: Final = {
    "slot", "dedup", "promoted_at", "graduates_id", "replaces_id", "user_id", "run_id", "sha256", "evidence_id",
}  # fmt: skip
COLUMN_NAMES: Final = {
    "kind_id": "kind", "successor_id": "gave way to", "names_replaced": "names what it replaces", "scope_id": "scope",
    "valid_from": "holds from", "valid_to": "holds until",
}  # fmt: skip
# What a history tells at once; the rest stands behind a fold.
SHOWN_AT_ONCE: Final = ("statement", "value", "status", "successor_id", "kind_id", "scope_id", "role")
# What names a row that was made.
TITLES: Final = ("statement", "name", "role", "by")
# What a reader is told of a claim that changed meanwhile, in this order. The rest is derived, or read by machines only.
LABELS: Final = {
    "statement": "statement", "value": "value", "status": "status", "kind_id": "kind", "key": "key", "topic": "topic",
    "tags": "tags", "assignee": "assignee", "scope_id": "scope", "valid_from": "holds from", "valid_to": "holds until",
    "confidence_word": "confidence", "deferred_until": "deferred until", "high_risk": "high risk",
    "needs_review": "needs review", "anchors_to_choose": "places to choose from",
}  # fmt: skip
# Nobody leaves a card open through so many changes.
MAX_CHANGES: Final = 50
DOORS: Final = {
    "screen": "at the desk", "admin": "in the administration", "api": "by the API", "command": "at the command line",
    "worker": "in the background", "demo": "in the demo", "telegram": "in Telegram", "slack": "in Slack", "mcp": "by MCP",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One column of one row, before and after; `before` is None for a row that was made. `pieces` is the difference word by
    word, where there is one to see."""

    what: str
    before: str | None
    after: str
    pieces: list[tuple[str, str]] = field(default_factory=list)
    shown: bool = True


@dataclass(slots=True)
class HistoryEntry:
    """`undoer` is the event that undid it; `hindrance` says why it cannot be undone here. `together` is how many of one batch
    follow, on the first of them, and `inside` whether it is one of several."""

    event: JournalEvent
    lines: list[HistoryLine]
    undoer: JournalEvent | None
    hindrance: Hindrance | None
    together: int = 0
    inside: bool = False

    @property
    def undone(self) -> bool:
        return self.undoer is not None

    @property
    def may_undo(self) -> bool:
        return self.hindrance is None

    @property
    def shown(self) -> list[HistoryLine]:
        return [line for line in self.lines if line.shown]

    @property
    def folded(self) -> list[HistoryLine]:
        return [line for line in self.lines if not line.shown]

    @property
    def of_trusted(self) -> bool:
        """Whether the event is about a trusted value."""
        return self.event.ref.startswith("TRU-")

    @property
    def of_claim(self) -> bool:
        """Whether the event is about a claim, which has a page."""
        return bool(REF.fullmatch(self.event.ref)) and not self.of_trusted


@dataclass(frozen=True, slots=True)
class _Names:
    """The refs of claims and the paths of scopes that changes name by number, those in sight."""

    refs: dict[int, str]
    paths: dict[int, str]


def through(door: str) -> str:
    """Where somebody acted, as a reader says it."""
    return DOORS.get(door, f"in {door}")


def history_of(noun: str, pk: int, ref: str, access: Access, parameters: Mapping[str, str]) -> dict[str, Any]:
    """What a page shows of a row's history; `before` of its address names the page of it."""
    found = history_page(noun, pk, ref, access, cursor=parameters.get("before") or None)
    return {
        "history": history_entries(found.items, access),
        "earlier_events": found.next,
        "later_events": "before" in parameters,
    }


def history_entries(events: Iterable[JournalEvent], access: Access) -> list[HistoryEntry]:
    """Of events read with their scope, changes and `undone_by`, neighbours of one batch together. At most three queries,
    whatever their number."""
    events = list(events)
    hindered = hindrances(events, access)
    names = _names(events, access)
    entries = [
        HistoryEntry(event, _lines(event, names), getattr(event, "undone_by", None), hindered.get(event.pk))
        for event in events
    ]
    for batch, group in groupby(entries, key=lambda entry: entry.event.batch):
        together = list(group)
        if batch and len(together) > 1:
            together[0].together = len(together)
            for entry in together:
                entry.inside = True
    return entries


def _names(events: Sequence[JournalEvent], access: Access) -> _Names:
    """At most two queries."""
    changes = [change for event in events for change in event.changes.all()]
    sides = [side for change in changes if change.before is not None for side in (change.before, change.after) if side]
    claims = _numbers(sides, "successor_id") | {change.row for change in changes if change.noun == "claim"}
    refs = Claim.objects.filter(pk__in=claims).values_list("pk", "ref")
    paths = Scope.objects.filter(pk__in=_numbers(sides, "scope_id")).values_list("pk", "path")
    return _Names(dict(refs), {pk: path for pk, path in paths if access.may(Right.READ, path)})


def _numbers(sides: Iterable[Mapping[str, Any]], column: str) -> set[int]:
    return {side[column] for side in sides if isinstance(side.get(column), int)}


def _lines(event: JournalEvent, names: _Names) -> list[HistoryLine]:
    return [line for change in event.changes.all() for line in _lines_of(change, event, names)]


def _lines_of(change: JournalChange, event: JournalEvent, names: _Names) -> list[HistoryLine]:
    if change.redacted:
        return [HistoryLine(change.noun, None, "redacted by a purge")]
    after = change.after or {}
    if change.before is None:
        title = next((str(after[name]) for name in TITLES if after.get(name)), f"number {change.row}")
        return [HistoryLine(f"new {change.noun}", None, title)]
    # What moved to or from a scope out of sight: that it did is told, and nothing of its words there.
    elsewhere = not _numbers((change.before, after), "scope_id") <= names.paths.keys()
    columns = {"scope_id"} & change.before.keys() if elsewhere else change.before.keys() - HIDDEN_COLUMNS
    whose = _whose(change, event, names)
    return [
        _line(name, whose, _value_in_words(name, before, names), _value_in_words(name, after.get(name), names))
        for name, before in change.before.items()
        if name in columns
    ]


def _whose(change: JournalChange, event: JournalEvent, names: _Names) -> str:
    """A decision about one row may change others: those lines say whose they are."""
    ref = names.refs.get(change.row, "") if change.noun == "claim" else f"{change.noun} {change.row}"
    return "" if ref == event.ref or change.noun == "trusted" else f" of {ref}"


def _line(name: str, whose: str, old: str, new: str) -> HistoryLine:
    wordy = name in ("statement", "value") and old and new
    title = COLUMN_NAMES.get(name, name.replace("_", " ")) + whose
    return HistoryLine(title, old, new, difference(old, new) if wordy else [], name in SHOWN_AT_ONCE)


def _value_in_words(name: str, value: Any, names: _Names) -> str:
    if value is None:
        return ""
    if name == "successor_id":
        return names.refs.get(value, f"claim {value}")
    if name == "scope_id":
        return names.paths.get(value, "a scope out of sight")
    return value_text(value).replace("_", " ") if name == "kind_id" else value_text(value)


@dataclass(frozen=True, slots=True)
class ChangedColumn:
    """One column before and now, as words and as a difference, with the latest event that changed it."""

    name: str
    label: str
    before: str
    now: str
    pieces: list[tuple[str, str]]
    event: JournalEvent


@dataclass(frozen=True, slots=True)
class ChangesSince:
    """`was` is the claim as its reader saw it; `changes` what differs now."""

    was: Claim
    changes: tuple[ChangedColumn, ...]


def changes_since(claim: Claim, version: int) -> ChangesSince:
    """What became of a claim since the version that its reader saw.

    Every change of a claim raises its version by one, so that as many journal rows lead back as versions lie between.
    `claim` is the row as it now stands, with its scope. Two queries, one more where it moved to another scope.
    """
    steps = min(max(0, claim.version - version), MAX_CHANGES)
    rows = JournalChange.objects.filter(noun="claim", row=claim.pk, before__isnull=False).select_related("event")
    before: dict[str, Any] = {}
    latest: dict[str, JournalEvent] = {}
    for row in rows.order_by("-id")[:steps]:
        columns = row.before or {}
        before |= columns
        latest = dict.fromkeys(columns, row.event) | latest
    was = _as_it_was(claim, before)
    texts = [(name, _column_text(was, name), _column_text(claim, name)) for name in LABELS if name in before]
    return ChangesSince(
        was,
        tuple(
            ChangedColumn(name, LABELS[name], old, new, difference(old, new), latest[name])
            for name, old, new in texts
            if old != new
        ),
    )


def _as_it_was(claim: Claim, before: Mapping[str, Any]) -> Claim:
    was = copy.copy(claim)
    for name in LABELS.keys() & before.keys():
        column = cast("Field[Any, Any]", Claim._meta.get_field(name))
        setattr(was, name, column.to_python(before[name]))
    if was.scope_id != claim.scope_id:
        was.scope = Scope.objects.get(pk=was.scope_id)
    return was


def _column_text(claim: Claim, name: str) -> str:
    if name == "scope_id":
        return claim.scope.path
    value = getattr(claim, name)
    if name == "anchors_to_choose":
        return str(len(value or ()))
    if isinstance(value, dt.datetime):
        return f"{value.astimezone(dt.UTC):%-d %b %Y, %H:%M} UTC"
    return str(value).replace("_", " ") if name == "kind_id" else value_text(value)
