"""The ceilings: what a call may cost is reserved before it is made, and settled once it is known."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction
from django.db.models import F, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from extraction.extractors.findings import Reading
from extraction.models import ModelCall, ModelDay
from ledger.packs import PackSet


class Ceiling(Exception):
    """The next call would pass a ceiling; the message says which. Nothing was called."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Hard numbers. Those of a source hold for one UTC day and all its runs; `packs` have days of their own: (name, tokens).

    What is reserved is about twice what prose takes, and all of the answer that may come; what was really used is settled.
    """

    calls_per_source: int
    tokens_per_source: int
    calls_per_day: int
    tokens_per_day: int
    packs: tuple[tuple[str, int], ...] = ()


def limits_of(packs: PackSet) -> Limits:
    """The settings' numbers, where no pack has a smaller one."""
    tables = [(c["pack"]["name"], c["model"]) for c in packs.contents if isinstance(c.get("model"), dict)]

    def least(name: str, most: int) -> int:
        return min([most, *(int(table[name]) for _, table in tables if name in table)])

    return Limits(
        least("most_calls", settings.COUNTERSIGN_MODEL_CALLS_PER_SOURCE),
        least("most_tokens", settings.COUNTERSIGN_MODEL_TOKENS_PER_SOURCE),
        settings.COUNTERSIGN_MODEL_CALLS_PER_DAY,
        settings.COUNTERSIGN_MODEL_TOKENS_PER_DAY,
        tuple((name, int(table["most_tokens_a_day"])) for name, table in tables if "most_tokens_a_day" in table),
    )


@dataclass(slots=True)
class Book:
    """What one reading of a source spends. `calls` and `tokens` are those of this reading."""

    reading: Reading
    limits: Limits
    host: str
    model: str
    calls: int = 0
    tokens: int = 0
    made: list[ModelCall] = field(default_factory=list)

    def left(self) -> int:
        """How many tokens one more call about this source could reserve now."""
        _, spent = spent_on(self.reading.source.pk, today())
        return max(0, self.limits.tokens_per_source - spent)

    def reserve(self, tokens: int) -> ModelCall:
        """A place for one call that costs at most `tokens`; committed before it returns. Raises `Ceiling`."""
        day, limits, source = today(), self.limits, self.reading.source.pk
        with transaction.atomic():
            days = _locked(day, ["", *(f"pack:{name}" for name, _ in limits.packs)])
            calls, spent = spent_on(source, day)
            _within(calls + 1, limits.calls_per_source, "calls", "for one source")
            _within(spent + tokens, limits.tokens_per_source, "tokens", "for one source", tokens)
            _within(days[""].calls + 1, limits.calls_per_day, "calls", "")
            _within(days[""].tokens + tokens, limits.tokens_per_day, "tokens", "", tokens)
            for name, most in limits.packs:
                _within(days[f"pack:{name}"].tokens + tokens, most, "tokens", f"for pack {name}", tokens)
            ModelDay.objects.filter(pk__in=[row.pk for row in days.values()]).update(
                calls=F("calls") + 1, tokens=F("tokens") + tokens
            )
            call = ModelCall.objects.create(
                source_id=source, day=day, host=self.host[:200], model=self.model[:100], reserved=tokens,
                packs=[name for name, _ in limits.packs],
            )  # fmt: skip
        self.calls += 1
        self.made.append(call)
        return call

    def settle(self, call: ModelCall, tokens: int | None, outcome: str) -> None:
        """What the call cost. None where nobody knows, as after a time-out: then it stays at what was reserved."""
        used = call.reserved if tokens is None else tokens
        with transaction.atomic():
            open_ = ModelCall.objects.filter(pk=call.pk, tokens=None)
            if open_.update(tokens=used, outcome=outcome[:20]) != 1:
                return
            owners = ["", *(f"pack:{name}" for name in call.packs)]
            for row in _locked(call.day, owners).values():
                row.tokens = max(0, row.tokens + used - call.reserved)
                row.save(update_fields=["tokens"])
        self.tokens += used


def today() -> dt.date:
    return timezone.now().astimezone(dt.UTC).date()


def tomorrow() -> dt.datetime:
    """When the day's sums start anew, and a little later, so that not everything comes at once."""
    return dt.datetime.combine(today() + dt.timedelta(days=1), dt.time(0, 5), dt.UTC)


def spent_on(source: int, day: dt.date) -> tuple[int, int]:
    """Calls and tokens about one source on one day."""
    rows = ModelCall.objects.filter(source=source, day=day)
    summed = rows.aggregate(tokens=Sum(Coalesce("tokens", "reserved")))
    return rows.count(), summed["tokens"] or 0


def spent_today() -> dict[str, int]:
    """For those who look: today's calls and tokens, and the ceilings."""
    row = ModelDay.objects.filter(day=today(), owner="").first()
    return {
        "calls": row.calls if row else 0,
        "tokens": row.tokens if row else 0,
        "calls_ceiling": settings.COUNTERSIGN_MODEL_CALLS_PER_DAY,
        "tokens_ceiling": settings.COUNTERSIGN_MODEL_TOKENS_PER_DAY,
    }


def _locked(day: dt.date, owners: Sequence[str]) -> dict[str, ModelDay]:
    """The day's rows, locked in one order. All of everybody's reservations meet at the first."""
    ModelDay.objects.bulk_create([ModelDay(day=day, owner=owner) for owner in sorted(owners)], ignore_conflicts=True)
    rows = ModelDay.objects.select_for_update().filter(day=day, owner__in=owners).order_by("owner")
    return {row.owner: row for row in rows}


def _within(wanted: int, most: int, what: str, whose: str, reserved: int = 0) -> None:
    if wanted > most:
        told = f"the ceiling of {most} {what} a day{' ' + whose if whose else ''} is reached"
        left = max(0, most - wanted + reserved)
        raise Ceiling(f"{told}: the next call may take {reserved}, {left} are left" if reserved else told)
