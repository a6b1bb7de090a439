"""How a household lives with its observer: whether anybody asks why it spoke, how often it does, what people confirm (O17)."""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from ledger.models import Claim, JournalEvent, Notice
from ledger.reads.calendar import KINDS
from ledger.reads.insights.throughput import days_of, start_of_day
from ledger.reads.scopes import visible
from ledger.rules.permissions import Access
from ledger.verbs import Verb

MAX_ROWS: Final = 10_000
DECIDED: Final = ("active", "rejected", "expired", "superseded", "archived", "withdrawn", "merged")
_JUDGED: Final = (Verb.FIND_RIGHT, Verb.FIND_WRONG)


@dataclass(frozen=True, slots=True)
class ObserverFigures:
    """Of a period up to now. `asked_why_at` is when somebody last asked why, ever; `right` and `wrong` are notices by what was
    pressed last under each; of pending actions that were `decided`, `confirmed` were confirmed, half of them within
    `seconds_to_confirm`. Nothing is told where nothing was counted."""

    days: tuple[dt.date, ...]
    said: tuple[int, ...]
    asked_why_at: dt.datetime | None
    right: int
    wrong: int
    decided: int
    confirmed: int
    seconds_to_confirm: float | None
    now: dt.datetime

    @property
    def notices(self) -> int:
        return sum(self.said)

    @property
    def a_day(self) -> float:
        """Interruptions a day."""
        return round(self.notices / len(self.days), 2)

    @property
    def days_without_why(self) -> int | None:
        """Days since somebody asked why the observer said that; None where nobody ever did."""
        return None if self.asked_why_at is None else (self.now - self.asked_why_at).days

    @property
    def precision(self) -> float | None:
        judged = self.right + self.wrong
        return round(self.right / judged, 3) if judged else None

    @property
    def confirmed_share(self) -> float | None:
        return round(self.confirmed / self.decided, 3) if self.decided else None


def observer_figures(
    access: Access, *, since: dt.datetime, now: dt.datetime, root: str | None = None
) -> ObserverFigures:
    """In the scopes in sight (at and under `root`). Four queries, each over a bounded number of rows."""
    scopes = visible(access, root=root)
    notices = Notice.objects.filter(scope__in=scopes, created_at__gte=start_of_day(since)).order_by("-id")
    by_day = Counter(at.astimezone(dt.UTC).date() for at in notices.values_list("created_at", flat=True)[:MAX_ROWS])
    asked = JournalEvent.objects.filter(scope__in=scopes, verb=Verb.ASK_WHY).order_by("-id")
    pressed = JournalEvent.objects.filter(scope__in=scopes, verb__in=_JUDGED, at__gte=since).order_by("-id")
    verdicts = dict(reversed(list(pressed.values_list("ref", "verb")[:MAX_ROWS])))
    days = days_of(since, now)
    waited, decided = _decisions(access, root, since)
    return ObserverFigures(
        days=days,
        said=tuple(by_day[day] for day in days),
        asked_why_at=asked.values_list("at", flat=True).first(),
        right=sum(verb == Verb.FIND_RIGHT for verb in verdicts.values()),
        wrong=sum(verb == Verb.FIND_WRONG for verb in verdicts.values()),
        decided=decided,
        confirmed=len(waited),
        seconds_to_confirm=median(waited) if waited else None,
        now=now,
    )


def _decisions(access: Access, root: str | None, since: dt.datetime) -> tuple[Sequence[float], int]:
    """How long each confirmed one had waited, in seconds, and how many were decided in all. What was read, not typed, counts."""
    rows = Claim.objects.filter(
        scope__in=visible(access, root=root),
        kind__in=KINDS,
        status__in=DECIDED,
        created_at__gte=since,
        hand_authored=False,
    )
    found = list(rows.order_by("-id").values_list("created_at", "promoted_at")[:MAX_ROWS])
    return [(done - came).total_seconds() for came, done in found if done is not None], len(found)
