"""What happened, as a history shows it: who, when, why, from what to what, and whether it can be taken back from here."""

import copy
import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ledger.models import Claim, JournalChange, JournalEvent, Scope
from ledger.reads.claims import REF
from ledger.reads.undoable import Hindrance, hindrances
from ledger.rules.permissions import Access, Right
from review.desk.fields import difference, value_text

# Columns that only machines read.
HIDDEN_COLUMNS = {
    "slot",
    "dedup",
    "promoted_at",
    "graduates_id",
    "replaces_id",
    "user_id",
    "run_id",
    "sha256",
    "evidence_id",
}
COLUMN_NAMES = {
    "kind_id": "kind", "successor_id": "gave way to", "names_replaced": "names what it replaces", "scope_id": "scope",
    "valid_from": "holds from", "valid_to": "holds until",
}  # fmt: skip
# What a history tells at once; the rest stands behind a fold.
SHOWN_AT_ONCE = ("statement", "value", "status", "successor_id", "kind_id", "scope_id", "role")


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One column of one row, before and after; `before` is None for a row that was made. `pieces` is the difference word by
    word, where there is one to see."""

    what: str
    before: str | None
    after: str
    pieces: list[tuple[str, str]]
    told: bool


@dataclass(slots=True)
class HistoryEntry:
    """`undoer` is the event that undid it; `hindrance` says why it cannot be undone here. `together` is how many of one batch
    follow, on the first of them, and `inside` whether it is one of several."""

    event: JournalEvent
    undone: bool
    may_undo: bool
    lines: list[HistoryLine]
    undoer: JournalEvent | None = None
    hindrance: Hindrance | None = None
    together: int = 0
    inside: bool = False

    @property
    def told(self) -> list[HistoryLine]:
        return [line for line in self.lines if line.told]

    @property
    def folded(self) -> list[HistoryLine]:
        return [line for line in self.lines if not line.told]

    @property
    def of_trusted(self) -> bool:
        """Whether the event is about a trusted value."""
        return self.event.ref.startswith("TRU-")

    @property
    def of_claim(self) -> bool:
        """Whether the event is about a claim, which has a page."""
        ref = self.event.ref
        return bool(REF.fullmatch(ref)) and not ref.startswith("TRU-")


def history_entries(events: Iterable[JournalEvent], access: Access) -> list[HistoryEntry]:
    """Of events read with their scope, changes and `undone_by`. At most three queries, whatever their number."""
    events = list(events)
    barred = hindrances(events, access)
    names = _names(events, access)
    rows = [_past(event, barred.get(event.pk), names) for event in events]
    _gather(rows)
    return rows


def _gather(rows: Sequence[HistoryEntry]) -> None:
    """Neighbours of one batch stand together."""
    first: HistoryEntry | None = None
    for row in rows:
        if first is not None and row.event.batch and row.event.batch == first.event.batch:
            first.together += 1
            first.inside = row.inside = True
        else:
            first = row
            first.together = 1
    for row in rows:
        if not row.inside:
            row.together = 0


def _past(event: JournalEvent, barred: Hindrance | None, names: dict[tuple[str, int], str]) -> HistoryEntry:
    undoer = getattr(event, "undone_by", None)
    lines = [line for change in event.changes.all() for line in _lines(change, event, names)]
    return HistoryEntry(event, undoer is not None, barred is None, lines, undoer, barred)


def _names(events: Iterable[JournalEvent], access: Access) -> dict[tuple[str, int], str]:
    """The refs of claims and the paths of scopes that the changes name by number, those in sight. At most two queries."""
    wanted: dict[str, set[int]] = {"successor_id": set(), "scope_id": set(), "claim": set()}
    for event in events:
        for change in event.changes.all():
            if change.noun == "claim":
                wanted["claim"].add(change.row)
            for side in (change.before, change.after):
                for name in ("successor_id", "scope_id"):
                    if change.before is not None and side and isinstance(side.get(name), int):
                        wanted[name].add(side[name])
    claims = wanted["successor_id"] | wanted["claim"]
    refs = dict(Claim.objects.filter(pk__in=claims).values_list("pk", "ref")) if claims else {}
    scopes = wanted["scope_id"]
    paths = dict(Scope.objects.filter(pk__in=scopes).values_list("pk", "path")) if scopes else {}
    return {("claim", pk): ref for pk, ref in refs.items()} | {
        ("scope", pk): path for pk, path in paths.items() if access.may(Right.READ, path)
    }


def _lines(change: JournalChange, event: JournalEvent, names: dict[tuple[str, int], str]) -> list[HistoryLine]:
    if change.redacted:
        return [HistoryLine(change.noun, None, "redacted by a purge", [], True)]
    if change.before is None:
        made = change.after or {}
        words = str(made.get("statement") or made.get("name") or made.get("role") or made.get("by") or "")
        return [HistoryLine(f"new {change.noun}", None, words, [], True)]
    after = change.after or {}
    # A decision about one row may change others: those lines say whose they are.
    ref = names.get(("claim", change.row), "") if change.noun == "claim" else f"{change.noun} {change.row}"
    whose = "" if ref == event.ref or change.noun == "trusted" else f" of {ref}"
    lines = []
    # What moved to or from a scope out of sight: that it did is told, and nothing of its words there.
    places = [side["scope_id"] for side in (change.before, after) if isinstance(side.get("scope_id"), int)]
    elsewhere = any(("scope", pk) not in names for pk in places)
    for name in change.before:
        if name in HIDDEN_COLUMNS or (elsewhere and name != "scope_id"):
            continue
        old, new = _value_in_words(name, change.before[name], names), _value_in_words(name, after.get(name), names)
        wordy = name in ("statement", "value") and old and new
        pieces = difference(old, new) if wordy else []
        lines.append(
            HistoryLine(COLUMN_NAMES.get(name, name.replace("_", " ")) + whose, old, new, pieces, name in SHOWN_AT_ONCE)
        )
    return lines


def _value_in_words(name: str, value: Any, names: dict[tuple[str, int], str]) -> str:
    if value is None:
        return ""
    if name == "successor_id":
        return names.get(("claim", value), f"claim {value}")
    if name == "scope_id":
        return names.get(("scope", value), "a scope out of sight")
    return value_text(value).replace("_", " ") if name == "kind_id" else value_text(value)


# In the order in which they are told. The rest is derived, or read by machines only.
LABELS: Final = {
    "statement": "statement", "value": "value", "status": "status", "kind_id": "kind", "key": "key", "topic": "topic",
    "tags": "tags", "assignee": "assignee", "scope_id": "scope", "valid_from": "holds from", "valid_to": "holds until",
    "confidence_word": "confidence", "deferred_until": "deferred until", "high_risk": "high risk",
    "needs_review": "needs review", "anchors_to_choose": "places to choose from",
}  # fmt: skip
# Nobody leaves a card open through so many changes.
MAX_CHANGES: Final = 50


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
    """Every change of a claim raises its version by one, so that as many journal rows lead back as versions lie between.

    `claim` is the row as it now stands, with its scope. Two queries, one more where it moved to another scope.
    """
    steps = min(max(0, claim.version - version), MAX_CHANGES)
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
    for name, label in LABELS.items():
        old, new = _column_text(was, name), _column_text(claim, name)
        if name in before and old != new:
            changes.append(ChangedColumn(name, label, old, new, difference(old, new), latest[name]))
    return ChangesSince(was, tuple(changes))


def _put_back(claim: Claim, before: dict[str, Any]) -> Claim:
    was = copy.copy(claim)
    for name, value in before.items():
        if name in LABELS:
            setattr(was, name, _moment(value) if name in ("valid_from", "valid_to", "deferred_until") else value)
    if was.scope_id != claim.scope_id:
        was.scope = Scope.objects.get(pk=was.scope_id)
    return was


def _moment(value: Any) -> Any:
    return dt.datetime.fromisoformat(value) if isinstance(value, str) else value


def _column_text(claim: Claim, name: str) -> str:
    if name == "scope_id":
        return claim.scope.path
    value = getattr(claim, name)
    if name == "anchors_to_choose":
        return str(len(value or ()))
    if isinstance(value, dt.datetime):
        return f"{value.astimezone(dt.UTC):%-d %b %Y, %H:%M} UTC"
    if name == "kind_id":
        return str(value).replace("_", " ")
    return value_text(value)
