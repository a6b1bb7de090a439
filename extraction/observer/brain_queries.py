"""What is asked of the brain about a message, before anything is compared (O7): by activity and day and never by person, a few
questions at most, each answer kept for a minute, and no waiting for one that is slow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.cache import cache
from django.db import OperationalError, connection, transaction

from extraction.chat.commitments.dialogue_acts import DialogueAct
from extraction.extractors.findings import StageScore
from extraction.observer.brain import BrainAnswer, ask_brain
from extraction.observer.brain_remote import RemoteAnswer, RemoteBrain
from ledger.models import Scope
from ledger.packs import PackSet

STAGE: Final = "relevance"
# SQLSTATE of a statement that took too long.
TOO_SLOW: Final = "57014"


@dataclass(frozen=True, slots=True)
class BrainLimits:
    """The packs' `[observer.brain]`, and the gate of its answers."""

    queries: int = 3
    timeout_s: float = 5
    cache_s: int = 60
    gate: float = 0.5


@dataclass(frozen=True, slots=True)
class BrainQuery:
    """A question and what came of it; no `answer` where none came in time."""

    question: str
    answer: BrainAnswer | RemoteAnswer | None

    @property
    def relevance(self) -> float | None:
        return self.answer.relevance if self.answer is not None else None


@dataclass(frozen=True, slots=True)
class BrainContext:
    """All that was asked about one message."""

    queries: Sequence[BrainQuery]
    gate: float

    @property
    def relevance(self) -> float | None:
        """That of the best answer."""
        return max((one.relevance for one in self.queries if one.relevance is not None), default=None)

    @property
    def as_json(self) -> dict[str, Any] | None:
        if not self.queries:
            return None
        told = [{"question": one.question, "answer": one.answer.answer if one.answer else None} for one in self.queries]
        return {"queries": told, "used": (self.relevance or 0) >= self.gate}

    @property
    def scores(self) -> list[StageScore]:
        """A log line each: what came too late has no relevance, and stops nothing."""
        return [_score(one, self.gate) for one in self.queries]


def limits_of(packs: PackSet) -> BrainLimits:
    usual = BrainLimits()
    return BrainLimits(
        queries=int(packs.setting("observer.brain", "queries", usual.queries)),
        timeout_s=float(packs.setting("observer.brain", "timeout_s", usual.timeout_s)),
        cache_s=int(packs.setting("observer.brain", "cache_s", usual.cache_s)),
        gate=float(packs.setting("gates", STAGE, usual.gate)),
    )


def ask_about(
    act: DialogueAct, scope: Scope, limits: BrainLimits, *, now: datetime, remote: RemoteBrain | None = None
) -> BrainContext:
    """Nothing is asked about what coordinates nothing, or names neither activity nor day. `remote`: asked there, not here."""
    questions = questions_about(act)[: limits.queries] if act.coordinates else []
    asked = [BrainQuery(one, _answer(scope, one, now, limits, remote)) for one in questions]
    return BrainContext(asked, limits.gate)


def questions_about(act: DialogueAct) -> list[str]:
    """`soccer schedule Thursday 2026-05-07`: for each day that it is about, or for the next two weeks."""
    subject = [*filter(None, [act.activity]), "schedule"]
    days = act.days if not act.implied_day or act.activity else ()
    if not days:
        return [" ".join(subject)] if act.activity else []
    return [" ".join([*subject, f"{day:%A %Y-%m-%d}"]) for day in days]


def _answer(
    scope: Scope, question: str, now: datetime, limits: BrainLimits, remote: RemoteBrain | None
) -> BrainAnswer | RemoteAnswer | None:
    key = f"brain {scope.pk} {remote.url if remote else ''} {now:%Y-%m-%d} {question}".replace(" ", "_")
    if remote is not None:
        return cache.get_or_set(key, lambda: remote.ask(question, limits.timeout_s), limits.cache_s)
    return cache.get_or_set(key, lambda: _in_time(lambda: ask_brain(scope, question, now=now), limits), limits.cache_s)


def _in_time(ask: Callable[[], BrainAnswer], limits: BrainLimits) -> BrainAnswer | None:
    """The answer, where the database gives it within the time."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = %s", [int(limits.timeout_s * 1000)])
            answer = ask()
            cursor.execute("SET LOCAL statement_timeout = DEFAULT")
            return answer
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) != TOO_SLOW:
            raise
        return None


def _score(query: BrainQuery, gate: float) -> StageScore:
    relevance = query.relevance
    passed = relevance is not None and relevance >= gate
    kind = "brain" if relevance is not None else "brain_timeout"
    return StageScore(
        STAGE, kind, relevance or 0.0, gate, passed, "proceed" if passed else "proceed_no_context", query.question
    )
