"""A thread, message by message: what the observer would say, at most once for each matter (O8)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter

from extraction.chat.commitments.dialogue_acts import DialogueAct
from extraction.observer.conflicts import Conflicts
from extraction.observer.findings import Finding
from extraction.observer.known import KnownCalendar
from extraction.observer.open_questions import OpenQuestions
from extraction.observer.plans import Plan, plan_of
from extraction.observer.settings import MISSING, RedlineSettings


@dataclass(frozen=True, slots=True)
class Spoken:
    """Something to say at `at`, after the message at `after` (its place in the thread)."""

    finding: Finding
    after: int
    at: datetime


class ThreadWatcher:
    """Reads acts oldest first; nothing later than a moment is looked at for what is said then."""

    def __init__(self, calendar: KnownCalendar, settings: RedlineSettings) -> None:
        self.calendar, self.settings = calendar, settings
        self.plans: list[Plan] = []
        self.spoken: list[Spoken] = []
        self._acts: list[DialogueAct] = []
        self._conflicts = Conflicts(calendar, settings)
        self._questions = OpenQuestions(calendar, settings)

    def read(self, act: DialogueAct) -> list[Spoken]:
        """What is said up to this message: what was left open before it, and what it brings up."""
        now = act.utterance.sent_at
        said = self.wait_until(now)
        self.calendar.turn_to(len(self.plans))
        self._acts.append(act)
        plan = plan_of(act, len(self.plans), self.calendar, self._acts)
        self._questions.hear(plan)
        found = ((now, one) for one in self._conflicts.found(plan, self.plans))
        self.plans.append(plan)
        return said + self._once(found)

    def wait_until(self, moment: datetime) -> list[Spoken]:
        """What nobody answered by then."""
        open_ = sorted(self._questions.due_before(moment), key=itemgetter(0)) if MISSING in self.settings.rules else ()
        return self._once([(at, self._finding(plan)) for at, plan in open_])

    def _finding(self, plan: Plan) -> Finding:
        """Whoever was asked has something else then, or nobody is there yet."""
        booked = self._conflicts.requested(plan, self.plans[: plan.place])
        return next(booked, None) or self._questions.finding(plan)

    def _once(self, found: Iterable[tuple[datetime, Finding]]) -> list[Spoken]:
        before = len(self.spoken)
        for at, one in found:
            if not any(one.same_matter(earlier.finding) for earlier in self.spoken):
                self.spoken.append(Spoken(one, len(self.plans) - 1, at))
        return self.spoken[before:]
