"""When the observer speaks: the pack's `[[redline]]`, `[attribution]` and `[observer]` as plain values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any, Final

TEMPORAL: Final = "temporal_conflict"
RESOURCE: Final = "resource_conflict"
MISSING: Final = "missing_variable"
CLARIFICATION: Final = "clarification"
RULES: Final = (TEMPORAL, RESOURCE, MISSING, CLARIFICATION)


@dataclass(frozen=True, slots=True)
class RedlineSettings:
    """`length`: of what has no end. `urgent`: how near something is that must not stay open. `answer_window`: how long a
    question may stand; `patience`, a share of the time that is left, makes it longer where there is time. `apart`: from which
    distance to its usual hour on a known activity is asked about. Between `quiet_from` and `quiet_until` nothing is said that can
    wait until then."""

    rules: frozenset[str] = frozenset(RULES)
    length: timedelta = timedelta(minutes=60)
    urgent: timedelta = timedelta(hours=24)
    answer_window: timedelta = timedelta(minutes=15)
    patience: float = 0.1
    apart: timedelta = timedelta(minutes=60)
    quiet_from: time = time(23)
    quiet_until: time = time(6)
    lengths: Mapping[str, int] = field(default_factory=lambda: {"conflict": 280, "clarification": 200, "summary": 140})

    def after_quiet(self, moment: datetime) -> datetime:
        """The moment itself, or the end of the quiet hours that it lies in (local time)."""
        clock = moment.time()
        over_night = self.quiet_from > self.quiet_until
        late, early = clock >= self.quiet_from, clock < self.quiet_until
        if not ((late or early) if over_night else (late and early)):
            return moment
        day = moment.date() + timedelta(days=over_night and late)
        return datetime.combine(day, self.quiet_until, tzinfo=moment.tzinfo)


def settings_of(contents: Iterable[Mapping[str, Any]]) -> RedlineSettings:
    """Those of a scope's packs, the later ones over the earlier."""
    rows: dict[str, Mapping[str, Any]] = {}
    observer: dict[str, Any] = {}
    attribution: dict[str, Any] = {}
    for content in contents:
        rows |= {row["name"]: row for row in content.get("redline", [])}
        observer |= content.get("observer", {})
        attribution |= content.get("attribution", {})
    usual = RedlineSettings()
    quiet = observer.get("quiet", [])
    return RedlineSettings(
        rules=frozenset(name for name, row in rows.items() if row.get("enabled")),
        length=_minutes(rows, TEMPORAL, "minutes_assumed") or usual.length,
        urgent=60 * _minutes(rows, MISSING, "within_hours") or usual.urgent,
        answer_window=timedelta(seconds=int(attribution.get("question_window_s", 900))),
        patience=float(observer.get("patience", usual.patience)),
        apart=_minutes(rows, CLARIFICATION, "apart_minutes") or usual.apart,
        quiet_from=time.fromisoformat(quiet[0]) if quiet else usual.quiet_from,
        quiet_until=time.fromisoformat(quiet[1]) if quiet else usual.quiet_until,
        lengths={name: int(observer.get(f"{name}_chars") or most) for name, most in usual.lengths.items()},
    )


def _minutes(rows: Mapping[str, Mapping[str, Any]], rule: str, name: str) -> timedelta:
    return timedelta(minutes=int(rows.get(rule, {}).get(name, 0)))
