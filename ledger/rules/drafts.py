"""A proposal before it is a row, and the words that it rests on. Plain values."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ledger.rules.secrets import SecretSpan


@dataclass(frozen=True, slots=True)
class Quote:
    """A range of a source, already located: `source.text[start:end]` in code points, half-open."""

    source_id: int
    section_id: int
    speaker: str
    start: int
    end: int
    text: str
    stance: str = "supports"
    anchor: str = "exact"
    # What of the source's secrets it holds, as `[start, end, kind]` of the source.
    secrets: tuple[SecretSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposal before it is a row. `quotes` are located; `anchors_to_choose` are the places of one that is not. `prepare`
    fills in `slot`, `dedup` and `high_risk`, and what key, value and kind say of the rest."""

    kind: str
    statement: str
    quotes: tuple[Quote, ...]
    key: str = ""
    topic: str = ""
    # What it is about where its own words do not say so: the heading above it, or who speaks of itself.
    subject: str = ""
    tags: tuple[str, ...] = ()
    value_type: str = ""
    value: Any = None
    assignee: str = ""
    confidence: float = 0.0
    confidence_word: str = ""
    rule: str = ""
    extractor: str = ""
    extractor_version: str = ""
    hand_authored: bool = False
    needs_review: bool = False
    summary: str = ""
    names_replaced: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    downstream: tuple[str, ...] = ()
    anchors_to_choose: tuple[dict[str, int], ...] = ()
    graduates_id: int | None = None
    layer: str = ""
    # In which it was said, where that is not the stage of the scope (T5).
    stage: str = ""
    # Not labelled by its author: what a budget may hold back.
    inferred: bool = False
    slot: str = ""
    dedup: str = ""
    high_risk: bool = False
