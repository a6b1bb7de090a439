"""Waves: what came in together, how far it is read, and what came of it (P12)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.db.models import Q, QuerySet

from ledger.actor import Actor
from ledger.models import Run, Source, Wave
from ledger.reads.outcomes_by_rule import RuleOutcomes, outcomes_of
from ledger.reads.scopes import require_sight, row_id
from ledger.reads.sql import fetch_column, fetch_rows
from ledger.rules.permissions import Right

# A wave's sources: those that came with it and those that it took along. `%s` is the wave, twice.
SOURCES = "SELECT id FROM ledger_source WHERE wave_id = %s UNION SELECT source_id FROM ledger_wave_taken_along WHERE wave_id = %s"
RUNS = f"SELECT id FROM ledger_run WHERE source_id IN ({SOURCES})"  # noqa: S608 (both parts are constants)
STEP = f"SELECT id FROM ({SOURCES}) s WHERE id > %s ORDER BY id LIMIT 500"  # noqa: S608 (a constant)
# Documents and conversations of a wave, read to their end, of which no pass wrote, joined or held back anything.
SILENT = f"""
    SELECT source, name, count(*) OVER () FROM (
        SELECT min(s.id) AS source,
               coalesce(min(v.external_id), min(s.external_id), min(s.title)) AS name,
               bool_or(f.found) AS found, bool_and(f.read) AS read
          FROM ledger_source s LEFT JOIN ledger_conversation v ON v.id = s.conversation_id
          CROSS JOIN LATERAL (
              SELECT coalesce(bool_and(r.status = 'succeeded'), false) AS read,
                     coalesce(bool_or(EXISTS (SELECT FROM ledger_claim c WHERE c.run_id = r.id) OR EXISTS (
                         SELECT FROM ledger_runhit h WHERE h.run_id = r.id AND h.fate IN ('duplicate', 'held_back')
                     )), false) AS found
                FROM ledger_run r WHERE r.source_id = s.id
          ) f
         WHERE s.id IN ({SOURCES}) AND s.purged_at IS NULL
         GROUP BY s.conversation_id, CASE WHEN s.conversation_id IS NULL THEN s.id END
    ) whole WHERE read AND NOT found ORDER BY source LIMIT 20
"""  # noqa: S608 (a constant)
MAX_ERRORS = 100
STATUSES = ("queued", "running", "succeeded", "failed")
PROGRESS = """
    WITH of AS (
        SELECT s.wave_id AS wave, s.id AS source, false AS along FROM ledger_source s WHERE s.wave_id = ANY(%s)
        UNION ALL
        SELECT t.wave_id, t.source_id, true FROM ledger_wave_taken_along t WHERE t.wave_id = ANY(%s)
    )
    SELECT of.wave, count(DISTINCT of.source), count(DISTINCT of.source) FILTER (WHERE of.along),
           count(r.id) FILTER (WHERE r.status = 'queued'), count(r.id) FILTER (WHERE r.status = 'running'),
           count(r.id) FILTER (WHERE r.status = 'succeeded'), count(r.id) FILTER (WHERE r.status = 'failed'),
           coalesce(sum((r.stats ->> 'written')::int) FILTER (WHERE r.stats ->> 'written' ~ '^\\d{1,9}$'), 0), max(r.finished_at)
      FROM of LEFT JOIN ledger_run r ON r.source_id = of.source GROUP BY of.wave
"""


@dataclass(frozen=True, slots=True)
class WaveProgress:
    """`sources` of which `known` were there before; `runs` by status; `written` candidates so far; `changed` tells one state
    from another, for ETags."""

    sources: int = 0
    known: int = 0
    runs: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATUSES, 0))
    written: int = 0
    changed: str = ""

    @property
    def total(self) -> int:
        return sum(self.runs.values())

    @property
    def done(self) -> int:
        return self.runs["succeeded"] + self.runs["failed"]

    @property
    def finished(self) -> bool:
        return self.done == self.total


def wave_progress(waves: Sequence[int]) -> dict[int, WaveProgress]:
    """One statement for a page of waves."""
    found = dict.fromkeys(waves, WaveProgress())
    for wave, sources, known, *counts, written, last in fetch_rows(PROGRESS, [list(waves)] * 2) if waves else ():
        changed = "-".join(map(str, (sources, *counts, last.timestamp() if last else 0)))
        found[wave] = WaveProgress(sources, known, dict(zip(STATUSES, counts, strict=True)), int(written), changed)
    return found


def wave_at(pk: int, actor: Actor, right: Right = Right.READ) -> Wave:
    """Raises `NotFound` where there is none in the caller's sight, `Forbidden` in sight without `right`."""
    row = Wave.objects.select_related("scope").filter(pk=row_id(pk)).first()
    wave = require_sight(row, actor.access, f"no wave {pk}", right=None)
    actor.require(right, wave.scope)
    return wave


def wave_sources(wave: Wave) -> Iterator[list[Source]]:
    """Its unpurged sources without their text, in steps, each with its scope."""
    last = 0
    while ids := fetch_column(STEP, [wave.pk, wave.pk, last]):
        last = ids[-1]
        rows = Source.objects.filter(pk__in=ids, purged_at=None).select_related("scope").defer("text")
        yield list(rows.order_by("id"))


def wave_runs(wave: Wave) -> QuerySet[Run]:
    """The runs of its sources, those that it took along included."""
    along = Wave.taken_along.through.objects.filter(wave=wave).values("source")
    return Run.objects.filter(Q(source__wave=wave) | Q(source__in=along))


def outcomes_of_wave(wave: Wave) -> RuleOutcomes:
    return outcomes_of(RUNS, [wave.pk, wave.pk])


def errors_of_wave(wave: Wave) -> list[Run]:
    """Runs that failed, are tried again, or read only a part; the latest first, at most 100."""
    return list(wave_runs(wave).exclude(error="").defer("raw_answer", "stats").order_by("-id")[:MAX_ERRORS])


@dataclass(frozen=True, slots=True)
class Silent:
    """Documents and conversations that were read and yielded nothing: how many, and the first of them as (source, name)."""

    total: int = 0
    first: tuple[tuple[int, str], ...] = ()


def silent_of_wave(wave: Wave) -> Silent:
    rows = fetch_rows(SILENT, [wave.pk, wave.pk])
    return Silent(rows[0][2], tuple((source, name) for source, name, _ in rows)) if rows else Silent()
