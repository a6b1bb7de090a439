"""Many sources at once, from the command line: taken in by batches, then worked off here and by any worker alike."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import batched, chain
from typing import Any

from extraction.importers import Found, Remark, Skipped
from extraction.intake.take import Delivery, latest_runs, take_each
from extraction.runs.pipeline import work_off
from ledger.actions.ingest import Incoming, IngestResult
from ledger.actions.locking import retry_lost_races
from ledger.actions.run import sweep_runs
from ledger.actions.scope import create_scope
from ledger.actor import Actor
from ledger.models import Claim, Run, Scope, Source, Tier, Wave

UNFINISHED = ("queued", "running")
TIERS = {1: (Tier.PROJECT,), 2: (Tier.DOMAIN, Tier.PROJECT)}
BATCH = 100
BATCH_CHARACTERS = 4_000_000
# No query names more rows than this.
MAX_IDS = 1000
MAX_SKIPPED = 10_000


@dataclass(slots=True)
class IngestReport:
    """What became of an ingest. `wave` is a row once it holds a source."""

    wave: Wave
    sources: int = 0
    duplicates: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    runs: list[int] = field(default_factory=list)
    failed: list[tuple[int, str]] = field(default_factory=list)
    skipped_unnamed: int = 0

    def skip(self, one: Skipped) -> None:
        """Named, as long as there are not so many that nobody reads them; the rest is counted."""
        if len(self.skipped) < MAX_SKIPPED or one.asked_for:
            self.skipped.append(one)
        else:
            self.skipped_unnamed += 1

    def skipped_lines(self) -> list[Skipped]:
        more = [Skipped("…", f"{self.skipped_unnamed} more were passed over")] if self.skipped_unnamed else []
        return self.skipped + more

    def as_json(self) -> dict[str, Any]:
        """The line of contract §3."""
        candidates = sum(Claim.objects.filter(run__in=some).count() for some in batched(self.runs, MAX_IDS))
        return {
            "sources": self.sources,
            "duplicates": self.duplicates,
            "skipped": [{"path": one.path, "why": one.why} for one in self.skipped_lines()],
            "remarks": [{"path": one.path, "what": one.what} for one in self.remarks],
            "wave": self.wave.pk if self.sources else None,
            "candidates": candidates,
        }


def create_scopes(path: str, *, packs: Sequence[str], actor: Actor) -> None:
    """The scope and what is missing above it: `a` a project; `a/b` a domain and a project; below that, items."""
    parts = path.split("/")
    tiers = TIERS.get(len(parts), (Tier.DOMAIN, Tier.PROJECT) + (Tier.ITEM,) * (len(parts) - 2))
    above: str = Tier.GLOBAL
    for at, tier in enumerate(tiers, 1):
        here = "/".join(parts[:at])
        row = Scope.objects.filter(path=here).first()
        if row is None:
            narrower = Tier.ITEM if above in (Tier.PROJECT, Tier.ITEM) else tier
            row = create_scope(here, tier=narrower, packs=packs if here == path else (), actor=actor)
        above = row.tier


def conversation_of(scope: Scope, ids: Sequence[str]) -> str:
    """The scope's conversation that holds the most of these external ids, and at least two of them or all; empty for none.
    Ids are prints of whole messages, so that two of the same are no accident."""
    counted: Counter[str] = Counter({"": 0})
    for some in batched(ids, MAX_IDS):
        rows = Source.objects.filter(scope=scope, external_id__in=some, conversation__isnull=False)
        counted.update(rows.values_list("conversation__external_id", flat=True))
    ((name, count),) = counted.most_common(1)
    return name if count >= min(2, len(ids)) else ""


def batches(found: Iterable[Found], report: IngestReport) -> Iterator[list[Incoming]]:
    """A hundred texts, or four million characters, at a time; what was passed over goes to the report."""
    batch: list[Incoming] = []
    characters = 0
    for one in found:
        if isinstance(one, Skipped):
            report.skip(one)
        elif isinstance(one, Remark):
            report.remarks.append(one)
        else:
            if batch and (len(batch) >= BATCH or characters + len(one.text) > BATCH_CHARACTERS):
                yield batch
                batch, characters = [], 0
            batch.append(one)
            characters += len(one.text)
    if batch:
        yield batch


@retry_lost_races
def take_batch(texts: Sequence[Incoming], report: IngestReport, *, scope: Scope, actor: Actor, extract: bool) -> None:
    """One transaction. A text that cannot be kept is passed over and the others are taken."""
    results = take_each(texts, lambda at, text: Delivery(text, scope, extract), actor=actor, wave=report.wave)
    known = set()
    for text, result in zip(texts, results, strict=True):
        if not isinstance(result, IngestResult):
            report.skip(Skipped(text.external_id, result.message))
        elif result.duplicate:
            report.duplicates += 1
            known.add(result.source.pk)
        else:
            report.sources += 1
            report.runs += [run.pk for run in result.runs]
    # What a killed ingest left waiting is waited for too.
    left = Run.objects.filter(pk__in=chain.from_iterable(latest_runs(known).values()), status__in=UNFINISHED)
    report.runs += sorted(set(left.values_list("id", flat=True)) - set(report.runs))


def finish(report: IngestReport) -> Iterator[int]:
    """Work on the report's runs until none is left, beside whatever worker takes some; yields how many are done."""
    waiting = list(report.runs)
    while waiting:
        head = waiting[:MAX_IDS]
        worked = work_off(head, most=20)
        unfinished = Run.objects.filter(pk__in=head, status__in=UNFINISHED, retry_at=None)
        left = set(unfinished.values_list("id", flat=True))
        waiting = [run for run in head if run in left] + waiting[MAX_IDS:]
        yield len(report.runs) - len(waiting)
        if waiting and not worked:
            sweep_runs()
            time.sleep(0.1)
    for some in batched(report.runs, MAX_IDS):
        rows = Run.objects.filter(pk__in=some).exclude(status="succeeded")
        report.failed += rows.values_list("id", "error")
