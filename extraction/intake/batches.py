"""Many sources at once, from the command line: taken in by batches, then worked off here and by any worker alike."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from extraction.extractors.registry import for_scope
from extraction.importers import Remark, Skipped
from extraction.intake.gate import watched
from extraction.intake.requests import latest_runs
from extraction.runs.pipeline import work_off
from ledger.actions.ingest import Incoming, checked, ingest
from ledger.actions.run import sweep_runs
from ledger.actions.scope import create_scope
from ledger.actor import Actor
from ledger.errors import Invalid, TooLarge
from ledger.models import Claim, Run, Scope, Source, Tier, Wave

UNFINISHED = ("queued", "running")
TIERS = {1: (Tier.PROJECT,), 2: (Tier.DOMAIN, Tier.PROJECT)}
CHUNK = 1000
MAX_TOLD = 10_000


@dataclass(slots=True)
class Tally:
    """What became of an ingest. `wave` is a row once it holds a source."""

    wave: Wave
    sources: int = 0
    duplicates: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    runs: list[int] = field(default_factory=list)
    failed: list[tuple[int, str]] = field(default_factory=list)
    untold: int = 0

    def pass_over(self, one: Skipped) -> None:
        """Named, as long as there are not so many that nobody reads them; the rest is counted."""
        if len(self.skipped) < MAX_TOLD or one.asked_for:
            self.skipped.append(one)
        else:
            self.untold += 1

    def told(self) -> list[Skipped]:
        more = [Skipped("…", f"{self.untold} more were passed over")] if self.untold else []
        return self.skipped + more

    def figures(self) -> dict[str, Any]:
        """The line of contract §3."""
        candidates = sum(
            Claim.objects.filter(run__in=self.runs[at : at + CHUNK]).count() for at in range(0, len(self.runs), CHUNK)
        )
        return {
            "sources": self.sources,
            "duplicates": self.duplicates,
            "skipped": [{"path": one.path, "why": one.why} for one in self.told()],
            "remarks": [{"path": one.path, "what": one.what} for one in self.remarks],
            "wave": self.wave.pk if self.sources else None,
            "candidates": candidates,
        }


def create_scopes(path: str, *, packs: Sequence[str], actor: Actor) -> None:
    """The scope and what is missing above it: `a` a project; `a/b` a domain and a project; below that, items."""
    parts = path.split("/")
    tiers = TIERS.get(len(parts), (Tier.DOMAIN, Tier.PROJECT) + (Tier.ITEM,) * (len(parts) - 2))
    for at, tier in enumerate(tiers):
        here = "/".join(parts[: at + 1])
        if not Scope.objects.filter(path=here).exists():
            create_scope(here, tier=tier, packs=packs if at == len(tiers) - 1 else (), actor=actor)


def conversation_of(scope: Scope, ids: Sequence[str]) -> str:
    """The scope's conversation that holds the most of these external ids, and at least two of them or all; empty for none.
    Ids are prints of whole messages, so that two of the same are no accident."""
    found: Counter[str] = Counter()
    for at in range(0, len(ids), CHUNK):
        rows = Source.objects.filter(scope=scope, external_id__in=ids[at : at + CHUNK], conversation__isnull=False)
        found.update(rows.values_list("conversation__external_id", flat=True))
    name, most = found.most_common(1)[0] if found else ("", 0)
    return name if most >= min(2, len(ids)) else ""


def take(batch: Sequence[Incoming], tally: Tally, *, scope: Scope, actor: Actor, extract: bool) -> None:
    """One transaction. A text that cannot be kept is passed over and the others are taken."""
    good = []
    for item in batch:
        try:
            checked(item, actor=actor)
            good.append(item)
        except (Invalid, TooLarge) as error:
            tally.pass_over(Skipped(item.external_id, error.message))
    if not good:
        return
    done = ingest(
        watched(good, scope), scope=scope, actor=actor, extractors=for_scope(scope) if extract else (), wave=tally.wave
    )
    fresh = [one for one in done if not one.duplicate]
    known = {one.source.pk for one in done if one.duplicate}
    tally.sources += len(fresh)
    tally.duplicates += len(done) - len(fresh)
    tally.runs += [run.pk for one in fresh for run in one.runs]
    # What a killed ingest left waiting is waited for too.
    left = Run.objects.filter(pk__in=latest_runs(known).values(), status__in=UNFINISHED)
    tally.runs += sorted(set(left.values_list("id", flat=True)) - set(tally.runs))


def finish(tally: Tally) -> Iterator[int]:
    """Work on the tally's runs until none is left, beside whatever worker takes some; yields how many are done."""
    waiting = list(tally.runs)
    done = 0
    while waiting:
        worked = work_off(waiting[:CHUNK], most=20)
        unfinished = Run.objects.filter(pk__in=waiting[:CHUNK], status__in=UNFINISHED, retry_at=None)
        left = set(unfinished.values_list("id", flat=True))
        done += sum(run not in left for run in waiting[:CHUNK])
        waiting = [run for run in waiting[:CHUNK] if run in left] + waiting[CHUNK:]
        yield done
        if waiting and not worked:
            sweep_runs()
            time.sleep(0.1)
    for at in range(0, len(tally.runs), CHUNK):
        rows = Run.objects.filter(pk__in=tally.runs[at : at + CHUNK]).exclude(status="succeeded")
        tally.failed += rows.values_list("id", "error")
