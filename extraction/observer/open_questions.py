"""What somebody asked for, and nobody took on in time (O8: missing critical variable)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from extraction.chat.commitments.utterances import CARE
from extraction.observer import lexicon
from extraction.observer.announcements import is_over
from extraction.observer.findings import Finding
from extraction.observer.known import KnownCalendar
from extraction.observer.plans import Plan, nearest
from extraction.observer.settings import MISSING, RedlineSettings
from extraction.observer.undertakings import accepts

# A day that was named without an hour is taken to begin by then.
_NOON = time(12)


@dataclass(slots=True)
class OpenQuestion:
    """Asked with `plan`; to be spoken of at `due`, unless `settled` before."""

    plan: Plan
    due: datetime
    happens_at: datetime
    settled: bool = False


class OpenQuestions:
    """Remembers what was asked, and what answers it."""

    def __init__(self, calendar: KnownCalendar, settings: RedlineSettings) -> None:
        self.calendar, self.settings = calendar, settings
        self._waiting: list[OpenQuestion] = []

    def hear(self, plan: Plan, before: Sequence[Plan]) -> None:
        """An answer settles what was asked; a question is remembered."""
        for one in self._waiting:
            one.settled |= self._settles(plan, one.plan)
        if self._asks(plan) and not any(self._same(plan, one.plan) for one in self._waiting if not one.settled):
            happens_at = self._happens_at(plan)
            asked_at = plan.own.sent_at
            if asked_at < happens_at <= asked_at + self.settings.urgent:
                wait = max(self.settings.answer_window, (happens_at - asked_at) * self.settings.patience)
                self._waiting.append(OpenQuestion(plan, asked_at + wait, happens_at))

    def due_before(self, moment: datetime) -> Iterator[tuple[datetime, Finding]]:
        """What has stood too long by then, with the moment from which it is to be spoken of."""
        for one in self._waiting:
            spoken_at = self._spoken_at(one)
            if not one.settled and spoken_at < moment:
                one.settled = True
                yield spoken_at, self._finding(one.plan)

    def _spoken_at(self, one: OpenQuestion) -> datetime:
        """Not in the quiet hours, unless it cannot wait."""
        local = one.due.astimezone(self.calendar.zone)
        later = self.settings.after_quiet(local)
        return later if later < one.happens_at else local

    def _asks(self, plan: Plan) -> bool:
        act = plan.act
        own = plan.own
        asks = own.shows("question", "who", "who_on", "asks_you", "somebody_must", "you_must") or lexicon.CANNOT.search(
            plan.folded
        )
        if not lexicon.ASKS_ANYBODY.search(plan.folded) and (not asks or not act.is_open or act.faint):
            return False
        if is_over(plan, self.calendar):
            return False
        # A tenner, a towel: what has neither hour nor place nor child is no duty.
        whole = plan.names_known or plan.clocks or own.times.days or plan.explicit or own.place or plan.away
        return bool(whole and (plan.towards or plan.away or own.duty or plan.names_known or act.type == CARE))

    def _settles(self, plan: Plan, asked: Plan) -> bool:
        """Somebody takes it on, or whoever asked lets it be."""
        act, own = plan.act, plan.own
        if plan.sender == asked.sender:
            takes_it = act.status == "committed" and not act.guess
            return takes_it or own.shows("thanks") or bool(lexicon.SETTLES.search(plan.folded))
        was_asked = act.sender in asked.act.assignees
        if own.length == 0 and was_asked and not own.shows("question"):
            return True
        if not act.sender.is_grown and not was_asked and (plan.sender in asked.people or act.guess):
            return False
        return accepts(plan) and not self._elsewhere(plan, asked)

    def _elsewhere(self, plan: Plan, asked: Plan) -> bool:
        """It is about another child, or another day."""
        about = plan.people - {plan.sender}
        other_child = plan.explicit and about and asked.people and about.isdisjoint(asked.people)
        return bool(other_child or (plan.own.times.days and plan.day != asked.day))

    def _same(self, plan: Plan, asked: Plan) -> bool:
        return plan.day == asked.day and not self._elsewhere(plan, asked)

    def _happens_at(self, plan: Plan) -> datetime:
        """When it must be settled by: its own hour, that of the activity, else by noon, or soon where it is today."""
        if plan.clocks:
            return plan.starts(self.calendar)[0]
        one = nearest(plan, list(self.calendar.on(plan.day, plan.named)))
        if one is not None:
            return one.end if plan.away and not plan.towards else one.start
        noon = datetime.combine(plan.day, _NOON, tzinfo=self.calendar.zone)
        return max(noon, plan.own.sent_at + timedelta(hours=2)) if plan.day == plan.own.day else noon

    def _finding(self, plan: Plan) -> Finding:
        known = list(plan.named)
        return Finding(
            MISSING, plan.place, plan.day, plan.people, refs=tuple(entry.ref for entry in known[:2]), messages=(plan.place,),
            what=known[0].title if known else plan.own.activity_words, said_at=self._happens_at(plan),
            who=tuple(one.name for one in plan.act.assignees),
        )  # fmt: skip
