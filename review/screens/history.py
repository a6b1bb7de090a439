"""What happened, as a history shows it: who, when, why, from what to what, and whether it can be taken back from here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.models import Claim, JournalChange, JournalEvent, Scope
from ledger.reads.claims import REF
from ledger.reads.undoable import Hindrance, hindrances
from ledger.rules.permissions import Access, Right
from review.screens.difference import difference
from review.screens.values import value_said

# Columns that only machines read.
HIDDEN = {"slot", "dedup", "promoted_at", "graduates_id", "replaces_id", "user_id", "run_id", "sha256", "evidence_id"}
NAMES = {
    "kind_id": "kind", "successor_id": "gave way to", "names_replaced": "names what it replaces", "scope_id": "scope",
    "valid_from": "holds from", "valid_to": "holds until",
}  # fmt: skip
# What a history tells at once; the rest stands behind a fold.
TOLD = ("statement", "value", "status", "successor_id", "kind_id", "scope_id", "role")


@dataclass(frozen=True, slots=True)
class Line:
    """One column of one row, before and after; `before` is None for a row that was made. `pieces` is the difference word by
    word, where there is one to see."""

    what: str
    before: str | None
    after: str
    pieces: list[tuple[str, str]]
    told: bool


@dataclass(slots=True)
class Past:
    """`undoer` is the event that undid it; `hindrance` says why it cannot be undone here. `together` is how many of one batch
    follow, on the first of them, and `inside` whether it is one of several."""

    event: JournalEvent
    undone: bool
    may_undo: bool
    lines: list[Line]
    undoer: JournalEvent | None = None
    hindrance: Hindrance | None = None
    together: int = 0
    inside: bool = False

    @property
    def told(self) -> list[Line]:
        return [line for line in self.lines if line.told]

    @property
    def folded(self) -> list[Line]:
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


def past(events: Iterable[JournalEvent], access: Access) -> list[Past]:
    """Of events read with their scope, changes and `undone_by`. At most three queries, whatever their number."""
    events = list(events)
    barred = hindrances(events, access)
    names = _names(events, access)
    rows = [_past(event, barred.get(event.pk), names) for event in events]
    _gather(rows)
    return rows


def _gather(rows: Sequence[Past]) -> None:
    """Neighbours of one batch stand together."""
    first: Past | None = None
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


def _past(event: JournalEvent, barred: Hindrance | None, names: dict[tuple[str, int], str]) -> Past:
    undoer = getattr(event, "undone_by", None)
    lines = [line for change in event.changes.all() for line in _lines(change, event, names)]
    return Past(event, undoer is not None, barred is None, lines, undoer, barred)


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


def _lines(change: JournalChange, event: JournalEvent, names: dict[tuple[str, int], str]) -> list[Line]:
    if change.redacted:
        return [Line(change.noun, None, "redacted by a purge", [], True)]
    if change.before is None:
        made = change.after or {}
        words = str(made.get("statement") or made.get("name") or made.get("role") or made.get("by") or "")
        return [Line(f"new {change.noun}", None, words, [], True)]
    after = change.after or {}
    # A decision about one row may change others: those lines say whose they are.
    ref = names.get(("claim", change.row), "") if change.noun == "claim" else f"{change.noun} {change.row}"
    whose = "" if ref == event.ref or change.noun == "trusted" else f" of {ref}"
    lines = []
    # What moved to or from a scope out of sight: that it did is told, and nothing of its words there.
    places = [side["scope_id"] for side in (change.before, after) if isinstance(side.get("scope_id"), int)]
    elsewhere = any(("scope", pk) not in names for pk in places)
    for name in change.before:
        if name in HIDDEN or (elsewhere and name != "scope_id"):
            continue
        old, new = _said(name, change.before[name], names), _said(name, after.get(name), names)
        wordy = name in ("statement", "value") and old and new
        pieces = difference(old, new) if wordy else []
        lines.append(Line(NAMES.get(name, name.replace("_", " ")) + whose, old, new, pieces, name in TOLD))
    return lines


def _said(name: str, value: Any, names: dict[tuple[str, int], str]) -> str:
    if value is None:
        return ""
    if name == "successor_id":
        return names.get(("claim", value), f"claim {value}")
    if name == "scope_id":
        return names.get(("scope", value), "a scope out of sight")
    return value_said(value).replace("_", " ") if name == "kind_id" else value_said(value)
