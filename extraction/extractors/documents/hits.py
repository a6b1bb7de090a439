"""What the rules find: hits with exact offsets. Plain values, no database."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class SectionLike(Protocol):
    """A section as the rules read it: `ledger.rules.sections.SectionSpan`, or a stored section's row."""

    @property
    def name(self) -> str: ...
    @property
    def speaker(self) -> str: ...
    @property
    def heading_path(self) -> tuple[str, ...] | list[str]: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Span:
    """`start:end` in code points of the untouched text, half-open; `section_index` says in which section it starts.

    `source_id` is 0 for the text that is read, else the id of a message of its thread. `anchor` says how the quote was found.
    """

    start: int
    end: int
    section_index: int
    stance: str = "supports"
    source_id: int = 0
    anchor: str = "exact"


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that a rule found (P4, P10). The first of `spans` is the quote; `statement` is it without markup.

    `explicit` marks what an author labelled (never capped, P3). `confidence` is this stage's own score, prior × structural
    signal × freshness. `anchored` tells whether the speaker may anchor this kind (law 8). `supersedes` names what the text
    says it replaces, as written. `value` of an action item: `{"task", "assignee"?, "due"?}`.
    `confidence_word` (high, medium, low) is set by rules such as D7, never computed from the score. `scope_id` is 0 where it
    speaks of the source's own scope, else names an item of it.
    """

    rule: str
    rule_class: str
    explicit: bool
    kind: str
    statement: str
    spans: tuple[Span, ...]
    confidence: float
    anchored: bool
    key: str = ""
    topic: str = ""
    tags: tuple[str, ...] = ()
    value_type: str = ""
    value: object = None
    assignee: str = ""
    supersedes: tuple[str, ...] = ()
    confidence_word: str = ""
    needs_review: bool = False
    summary: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    downstream: tuple[str, ...] = ()
    # Where a quote stands in several places: each place, for a reviewer to choose from. Then `spans` may be empty.
    places: tuple[Span, ...] = ()
    scope_id: int = 0
    # Whose gate it must pass, where that is not its extractor's own.
    stage: str = ""


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """A hit before it is scored and anchored: what one rule returns. `due` of an action as an ISO date."""

    rule: str
    rule_class: str
    kind: str
    start: int
    end: int
    explicit: bool = True
    statement: str = ""
    key: str = ""
    topic: str = ""
    value_type: str = ""
    value: object = None
    assignee: str = ""
    due: str = ""
    # Why a person should look at it first, in words for the card.
    doubt: str = ""
