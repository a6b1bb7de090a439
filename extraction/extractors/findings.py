"""What an extractor reads and what it answers: one shape for rules, threads, chat and model."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any

from extraction.extractors.documents import Hit, Span
from ledger.actions.logs import PatternFound
from ledger.models import Person, Scope, Section, Source
from ledger.packs import PackSet
from ledger.reads.packs import stage_of
from ledger.reads.scopes import people_of
from ledger.reads.thread import ConversationThread, thread_before
from ledger.rules.bundles.turn import stage_in


@dataclass(frozen=True)
class Reading:
    """One source with what may be looked at beside it. Nothing is queried before somebody asks."""

    source: Source
    scope: Scope
    packs: PackSet
    now: datetime

    @cached_property
    def sections(self) -> Sequence[Section]:
        """The source's own sections in the order of the text."""
        return list(self.source.sections.all())

    @cached_property
    def stage(self) -> str:
        """The stage in which it was said: a turn's own, else the one that the scope is in. Keys belong to stages (T5)."""
        own = stage_in(self.source.text) if self.source.kind == "turn" else ""
        return own or stage_of(self.scope)

    @cached_property
    def people(self) -> Sequence[Person]:
        """Who speaks or is spoken of here: the people of the scope and of the scopes above it."""
        return people_of(self.scope)

    @cached_property
    def thread(self) -> ConversationThread:
        """What was said before it in its conversation, oldest first; empty outside a conversation."""
        return thread_before(self.source)

    def text_of(self, source_id: int) -> tuple[Source, Sequence[Section]]:
        """A source that a span may point at: this one, or one of its thread. Raises KeyError for any other."""
        if source_id in (0, self.source.pk):
            return self.source, self.sections
        return self.thread.with_sections(source_id)


@dataclass(frozen=True, slots=True)
class Note:
    """What is no claim but is told in the run's report, with its reason (design §6.3). `hit` as a hit's JSON, for admitting."""

    why: str
    hit: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ClaimMark:
    """What a message says of claims that are there already, or of those of this pass's `hits` (places among them): `confirm`
    them, or `flag` them for a person. Meant are those that rest on `start:end` of a source of the thread (`source_id` 0: this
    one). `words` are its own, and become evidence; `pattern` is the place of the pattern that led to it."""

    verb: str
    source_id: int
    start: int
    end: int
    words: Span | None
    reason: str
    hits: tuple[int, ...] = ()
    pattern: int | None = None


@dataclass(frozen=True, slots=True)
class StageScore:
    """What another stage than the extractor's own said of the source: a log line of its own, blended with nothing (law 6). `about`
    is what it was asked."""

    stage: str
    type: str
    score: float
    threshold: float
    passed: bool
    decision: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """What one pass found. `patterns` and `marks` speak of the thread, `scores` are other stages'; `raw_answer`, `model`, `tokens`
    and `calls` only where a model was asked. `partial` says why an answer is only a part of what was to be read; the pass still
    succeeds."""

    hits: Sequence[Hit] = ()
    notes: Sequence[Note] = ()
    patterns: Sequence[PatternFound] = ()
    marks: Sequence[ClaimMark] = ()
    scores: Sequence[StageScore] = ()
    raw_answer: str = ""
    model: str = ""
    tokens: int = 0
    calls: int = 0
    partial: str = ""
    stats: Mapping[str, int] = field(default_factory=dict)


class ReadingFailed(Exception):
    """A pass that came to nothing: the reason, and what was answered and spent on the way. Not `again` where another attempt
    cannot end otherwise; `not_before` where only a later one can."""

    def __init__(
        self,
        why: str,
        *,
        raw_answer: str = "",
        model: str = "",
        tokens: int = 0,
        again: bool = True,
        not_before: datetime | None = None,
    ) -> None:
        super().__init__(why)
        self.raw_answer, self.model, self.tokens, self.again = raw_answer, model, tokens, again
        self.not_before = not_before


class Extractor(ABC):
    """One way of reading. `stage` names its gate, whose threshold is the packs' `[gates]` number of that name (law 6). With the
    hash of the packs its `version` is part of what makes a run the same run (law 7, P11)."""

    name: str
    stage: str
    threshold: float
    # Gates of hits that name a stage of their own, by that stage.
    other_gates: Mapping[str, float] = MappingProxyType({})
    # Kinds of sources it reads; empty for all.
    kinds: frozenset[str] = frozenset()
    # Or those that the packs name.
    kinds_in: Callable[[PackSet], frozenset[str]] | None = None
    # Extractors that are done with the earlier messages of a thread, and with a message itself, before this one reads it (D9).
    waits_for: tuple[str, ...] = ()
    # Costs money and time, so that a dry run leaves it out.
    asks_outside: bool = False
    # Why it can't read texts of a scope now (no server, an endpoint that is not allowed); empty where it can.
    refusal: Callable[[Scope, PackSet], str] | None = None

    @property
    @abstractmethod
    def version(self) -> str:
        """Of its code, and of whatever else but the packs it reads by."""

    @abstractmethod
    def read(self, reading: Reading) -> Findings:
        """Everything it finds, without a write. What it raises fails the run with that reason."""
