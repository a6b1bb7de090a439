"""What somebody asked for, and nobody took on in time (O8: missing critical variable)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from extraction.chat.commitments.dialogue_acts import agreement
from extraction.chat.decision_tables import first_outcome, sign_rules, signs_among
from extraction.observer.announcements import duty_hours
from extraction.observer.findings import Finding
from extraction.observer.known import KnownCalendar
from extraction.observer.plans import Plan, nearest
from extraction.observer.settings import MISSING, RedlineSettings

# A day that was named without an hour is taken to begin by then.
_NOON = time(12)
# Whoever names an hour that much later is no help.
_LATE = timedelta(minutes=20)
# Somebody takes it on, or whoever asked lets it be.
_SETTLED = sign_rules("""
    of_which names_child !no !question -> settled
    of_which                           ->
    of_asker committed !guess          -> settled
    of_asker thanks|settles            -> settled
    of_asker                           ->
    upto_0 of_asked !question          -> settled
    !by_grown !of_asked !others_do of_child|guess|ack ->
    accepts !elsewhere                 -> settled
    others_do !question !no            -> settled
    yes_first upto_5 by_grown !no !question !elsewhere -> settled
""")


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

    def hear(self, plan: Plan) -> None:
        """An answer settles what was asked; a question is remembered."""
        for one in self._waiting:
            one.settled |= _settles(plan, one.plan)
        open_ = (one.plan for one in self._waiting if not one.settled)
        if plan.shows("needs_somebody") and not any(_is_same(plan, one) for one in open_):
            self._remember(plan)

    def due_before(self, moment: datetime) -> Iterator[tuple[datetime, Plan]]:
        """What has stood too long by then, with the moment from which it is to be spoken of."""
        for one in self._waiting:
            spoken_at = self._spoken_at(one)
            if not one.settled and spoken_at < moment:
                one.settled = True
                yield spoken_at, one.plan

    def _remember(self, plan: Plan) -> None:
        happens_at, asked_at = self._happens_at(plan), plan.own.sent_at
        if asked_at < happens_at <= asked_at + self.settings.urgent:
            wait = max(self.settings.answer_window, (happens_at - asked_at) * self.settings.patience)
            self._waiting.append(OpenQuestion(plan, asked_at + wait, happens_at))

    def _spoken_at(self, one: OpenQuestion) -> datetime:
        """Not in the quiet hours, unless it cannot wait."""
        local = one.due.astimezone(self.calendar.zone)
        later = self.settings.after_quiet(local)
        return later if later < one.happens_at else local

    def _happens_at(self, plan: Plan) -> datetime:
        """When it must be settled by: its own hour, that of the activity, else by noon, or soon where it is today."""
        if hours := duty_hours(plan):
            return hours[0]
        one = nearest(plan, list(self.calendar.on(plan.day, plan.named)))
        if one is not None:
            return one.end if plan.direction == "back" else one.start
        noon = datetime.combine(plan.day, _NOON, tzinfo=self.calendar.zone)
        return max(noon, plan.own.sent_at + timedelta(hours=2)) if plan.day == plan.own.day else noon

    def finding(self, plan: Plan) -> Finding:
        titles = [one.title for one in plan.named]
        return Finding(
            MISSING, plan.place, plan.day, plan.people, refs=tuple(entry.ref for entry in plan.named[:2]),
            messages=(plan.place,), what=next(iter(titles), plan.own.activity_words), said_at=self._happens_at(plan),
            who=tuple(one.name for one in plan.act.assignees),
        )  # fmt: skip


def _settles(plan: Plan, asked: Plan) -> bool:
    situation = {
        "of_asker": plan.sender == asked.sender,
        "of_asked": plan.act.sender in asked.act.assignees,
        "of_child": plan.sender in asked.people,
        "elsewhere": _is_elsewhere(plan, asked),
        "of_which": asked.shows("asks_which_child"),
    }
    return bool(first_outcome(_SETTLED, plan.signs | signs_among(situation)))


def _is_same(plan: Plan, asked: Plan) -> bool:
    return plan.day == asked.day and not _is_elsewhere(plan, asked)


def _is_elsewhere(plan: Plan, asked: Plan) -> bool:
    """It is about another child, another day, or an hour that comes too late."""
    about = plan.people - {plan.sender}
    too_late = any(mine > wanted + _LATE for mine, wanted in zip(plan.starts[:1], asked.starts[:1], strict=False))
    other_child = plan.shows("explicit") and agreement(about, asked.people) < 0
    return too_late or other_child or (plan.shows("days") and plan.day != asked.day)
