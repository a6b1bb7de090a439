"""The tables of a pack file about talks: how a thread is read, what makes a chat worth reading, when the observer speaks."""

from typing import Annotated, Literal

from pydantic import AfterValidator

from ledger.packs.fields import (
    KindName,
    Languages,
    PackTable,
    Pattern,
    Patterns,
    RowId,
    Share,
    Weight,
    Whole,
    Words,
    like,
    number,
    text,
)

TriggerSense = Literal[
    "correction", "guard", "confirm", "deny", "caveat", "proposal", "conclusion", "hedge", "shift", "retraction", "jest"
]


def _two(value: list[str]) -> list[str]:
    if len(value) != 2:
        raise ValueError("must be a list of two names")
    return value


def _two_clocks(value: list[str]) -> list[str]:
    if len(value) != 2:
        raise ValueError("must be two clocks: from when, until when")
    return value


Clock = Annotated[str, like(r"(?:[01]\d|2[0-3]):[0-5]\d", "a clock such as 23:00")]
Score = Annotated[float, number(0, 10_000)]


class TriggerRow(PackTable):
    id: RowId
    sense: TriggerSense
    pattern: Pattern
    unless: Pattern = ""
    confidence: Share = 0
    says: Annotated[str, text(100)] = ""
    asks: bool = False
    agent: bool = False
    strength: Literal["approval", "answer", "courtesy"] = "approval"


class DiscussionTable(PackTable):
    extract_above: Score = 0
    flag_above: Score = 0
    question_likeness: Share = 0
    spelling: dict[Annotated[str, text(30)], Annotated[str, text(60)]] = {}
    parts: dict[KindName, Annotated[str, text(2000)]] = {}
    triggers: list[TriggerRow] = []


class PairRow(PackTable):
    of: Annotated[Words, AfterValidator(_two)]
    weight: Weight


class ThreadTable(PackTable):
    messages: Whole = 0
    seconds: Whole = 0
    boost: Share = 0
    short_boost: Share = 0
    short_words: Whole = 0
    topic_seconds: Whole = 0


class GroupRow(PackTable):
    name: KindName
    weight: Weight = 0
    patterns: Patterns = []
    words: Words = []
    fuzzy: bool = False
    noise: bool = False
    opens: bool = False
    takes: bool = False
    people: bool = False
    languages: Languages = []


class TripwireTable(PackTable):
    languages: Languages = []
    base: Weight = 0
    learned: KindName = ""
    vocabulary: dict[RowId, Weight] = {}
    plain: Words = []
    pairs: list[PairRow] = []
    context: ThreadTable = ThreadTable()
    groups: list[GroupRow] = []


class AttributionTable(PackTable):
    window_s: Whole = 0
    question_window_s: Whole = 0
    found: Share = 0
    unknown: Share = 0


class ObserverTable(PackTable):
    expire_hours: Whole = 0
    repeat_minutes: Whole = 0
    retention_days: Whole = 0
    messages_a_minute: Whole = 0
    conflict_chars: Whole = 0
    clarification_chars: Whole = 0
    summary_chars: Whole = 0
    extraction_alone: Share = 0
    patience: Share = 0
    quiet: Annotated[list[Clock], AfterValidator(_two_clocks)] = ["23:00", "06:00"]
    brain: dict[Literal["queries", "timeout_s", "cache_s"], Whole] = {}


class RedlineRow(PackTable):
    name: Literal["temporal_conflict", "resource_conflict", "missing_variable", "clarification"]
    enabled: bool = False
    minutes_assumed: Whole = 0
    within_hours: Whole = 0
    apart_minutes: Whole = 0
