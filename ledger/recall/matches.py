"""What a context pack may hold, as its caller wants it, and what the question and the trouble at hand find of it."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from django.utils import timezone

from ledger.errors import Invalid
from ledger.models import Claim, SourceKind
from ledger.recall.filters import NOW, TRUSTED, Clocks, WordsFilter, claim_kinds
from ledger.recall.find import Question, WordMatches, find_claims, find_trusted, read_question
from ledger.recall.gather import ScopeChain
from ledger.recall.turns import find_sources
from ledger.rules.packing import SHELF_NAMES

MAX_AGE_DAYS: Final = 36_500
NOT_ASKED: Final = WordMatches(asked=False)


@dataclass(frozen=True)
class ContextOptions:
    """What a pack is narrowed to: `shelves` by name, `kinds` of claims (`trusted` and the kinds of sources among them), words said
    in the last `max_age_days`; without `raw` no raw text. Empty narrows nothing. Raises `Invalid` by field."""

    shelves: Sequence[str] = ()
    kinds: Sequence[str] = ()
    raw: bool = True
    max_age_days: int | None = None
    include_pending: bool = False
    clocks: Clocks = NOW

    def __post_init__(self) -> None:
        if unknown := set(self.shelves) - set(SHELF_NAMES):
            raise Invalid(f"no shelf {min(unknown)[:60]!r}; there are {', '.join(SHELF_NAMES)}", field="shelves")
        if self.max_age_days is not None and not 1 <= self.max_age_days <= MAX_AGE_DAYS:
            raise Invalid(f"max_age_days is 1 to {MAX_AGE_DAYS}", field="max_age_days")

    @cached_property
    def claim_kinds(self) -> list[str]:
        """Of claims; empty for all. One query where kinds are named."""
        return claim_kinds(self.kinds, sources=True)

    @cached_property
    def words(self) -> WordsFilter:
        if self.max_age_days is None:
            return WordsFilter()
        return WordsFilter(since=(self.clocks.earliest or timezone.now()) - dt.timedelta(days=self.max_age_days))

    @property
    def spoken(self) -> WordsFilter:
        """Of sources."""
        kinds = tuple(kind for kind in self.kinds if kind in SourceKind.values)
        return replace(self.words, as_of=self.clocks.as_of, believed_at=self.clocks.believed_at, source_kinds=kinds)

    @property
    def wants_claims(self) -> bool:
        return not self.kinds or bool(self.claim_kinds)

    @property
    def wants_trusted(self) -> bool:
        return self.has_shelf("trusted") and (not self.kinds or TRUSTED in self.kinds)

    @property
    def wants_raw(self) -> bool:
        return self.raw and self.has_shelf("sources") and (not self.kinds or bool(self.spoken.source_kinds))

    @property
    def wants_pending(self) -> bool:
        """Whoever names the shelf wants what waits."""
        return self.wants_claims and (self.include_pending or "pending" in self.shelves) and self.has_shelf("pending")

    def has_shelf(self, name: str) -> bool:
        return not self.shelves or name in self.shelves

    def only(self, kinds: Sequence[str]) -> list[str]:
        """Those of the kinds of claims that are wanted."""
        return [kind for kind in kinds if self.wants_claims and (not self.claim_kinds or kind in self.claim_kinds)]


@dataclass(frozen=True, slots=True)
class ContextMatches:
    """What was found by the question (`claims`, `trusted`, `sources`) and by the trouble at hand (`trouble`); `failed` tells
    that there is trouble, whatever its words."""

    question: Question
    claims: WordMatches
    trusted: WordMatches
    sources: WordMatches
    trouble: WordMatches
    failed: bool

    @property
    def anything(self) -> bool:
        """Whether the question or the trouble says something."""
        return self.claims.asked or self.trouble.asked

    @property
    def found(self) -> bool:
        """Whether anything is an answer: of several words a row shares more than one. What shares one comes along then."""
        rows = (self.claims, self.trusted)
        return bool(self.sources.order or self.trouble.order) or any(found.answer(self.question) for found in rows)

    def lexical(self, claim: Claim) -> float:
        """How much of the words a claim holds; what failed before is a little near to whatever failed."""
        known = max(self.claims.weight.get(claim.pk, 0.0), self.trouble.weight.get(claim.pk, 0.0))
        if claim.kind_id == "negative_result" and self.failed and not self.trouble.asked:
            return max(known, 0.1)
        return known


def match(where: ScopeChain, query: str, trouble: str, options: ContextOptions, *, failed: bool) -> ContextMatches:
    question, asked = read_question(query), read_question(trouble)
    if question.sought and not (question.content or question.exact):
        question = read_question("")
    nothing = WordMatches(asked=question.asks_for_something)
    clocks, words = options.clocks, options.words
    return ContextMatches(
        question,
        find_claims(question, where.chain, statuses=clocks.statuses, kinds=options.claim_kinds, words=words)
        if options.wants_claims else nothing,
        find_trusted(question, where.chain, ever=clocks.turned_back, words=words)
        if options.wants_trusted else nothing,
        find_sources(question, [pk for pk in where.own if pk in where.chain], answers=True, words=options.spoken)
        if options.wants_raw else nothing,
        find_claims(asked, where.chain, statuses=clocks.statuses, kinds=["negative_result"], words=words)
        if trouble and options.only(["negative_result"]) else NOT_ASKED,
        failed,
    )  # fmt: skip
