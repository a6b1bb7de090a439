"""The four files of a wave's report (P12), made from rows whenever they are asked for, a piece at a time.

Equal rows give equal bytes. What a purge took away is gone from the report with it.
"""

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import F, QuerySet

from ledger.models import Claim, Evidence, RunHit, Wave
from ledger.reads.waves import errors_of_wave, outcomes_of_wave, silent_of_wave, wave_progress, wave_runs

STEP = 500
REPORTS = "extraction-reports"
JSON, NDJSON, TEXT = "application/json", "application/x-ndjson", "text/plain; charset=utf-8"


def report_of(wave: Wave) -> dict[str, Any]:
    """`report.json`: what came in, how far it is read, what was written by kind and rule, what was not and why."""
    progress = wave_progress([wave.pk])[wave.pk]
    fates = outcomes_of_wave(wave)
    silent = silent_of_wave(wave)
    return {
        "wave": wave.pk,
        "scope": wave.scope.path,
        "label": wave.label,
        "by": wave.by,
        "created_at": wave.created_at.isoformat(),
        "finished": progress.finished,
        "sources": {"total": progress.sources, "known_before": progress.known},
        "runs": {"total": progress.total, **progress.runs},
        "candidates": {
            "total": fates.total["admitted"],
            "by_kind": fates.kinds,
            "by_rule": {rule: row["admitted"] for rule, row in sorted(fates.rules.items()) if row["admitted"]},
            "by_status": fates.statuses,
            "by_extractor": fates.versions,
        },
        "yielded_nothing": {"total": silent.total, "first": [name for _, name in silent.first]},
        "ledger": fates.as_json(),
        "errors": len(errors_of_wave(wave)),
    }


def report_json(wave: Wave) -> Iterator[str]:
    yield json.dumps(report_of(wave), ensure_ascii=False, indent=2) + "\n"


def candidates_ndjson(wave: Wave) -> Iterator[str]:
    """One line a candidate that the wave's runs wrote, with its quotes in the wave's own sources."""
    rows = Claim.objects.select_related("scope", "run").defer("search", "near")
    for some in _stepped(rows.filter(run__in=wave_runs(wave).values("id"))):
        sources = {claim.run.source_id for claim in some if claim.run}
        quotes: dict[int, list[dict[str, Any]]] = {}
        cited = Evidence.objects.filter(claim__in=[claim.pk for claim in some], source__in=sources).order_by("id")
        for row in cited:
            quotes.setdefault(row.claim_id, []).append(
                {
                    "source": row.source_id,
                    "speaker": row.speaker,
                    "start": row.start,
                    "end": row.end,
                    "quote": None if row.redacted else row.quote,
                    "stance": row.stance,
                    "anchor": row.anchor,
                }
            )
        for claim in some:
            yield _line(
                {
                    "ref": claim.ref,
                    "id": claim.pk,
                    "scope": claim.scope.path,
                    "layer": claim.layer,
                    "kind": claim.kind_id,
                    "key": claim.key,
                    "topic": claim.topic,
                    "statement": claim.statement,
                    "value": claim.value,
                    "assignee": claim.assignee,
                    "status": claim.status,
                    "rule": claim.rule,
                    "extractor": claim.extractor,
                    "extractor_version": claim.extractor_version,
                    "run": claim.run_id,
                    "confidence": claim.confidence,
                    "rank": claim.rank,
                    "seen_count": claim.seen_count,
                    "evidence": quotes.get(claim.pk, []),
                    "created_at": claim.created_at.isoformat(),
                }
            )


def dropped_ndjson(wave: Wave) -> Iterator[str]:
    """One line a hit that is no candidate of its own: held back, dropped, noted, or joined to a claim, each with why."""
    rows = RunHit.objects.filter(run__in=wave_runs(wave).values("id")).annotate(
        source=F("run__source_id"), joined=F("claim__ref"), admitted_as=F("admitted__ref")
    )
    for some in _stepped(rows):
        for hit in some:
            yield _line(
                {
                    "run": hit.run_id,
                    "source": hit.source,
                    "number": hit.number,
                    "fate": hit.fate,
                    "why": hit.why,
                    "claim": hit.joined,
                    "admitted": hit.admitted_as,
                    **(hit.hit if isinstance(hit.hit, dict) else {}),
                }
            )


def errors_log(wave: Wave) -> Iterator[str]:
    """One line a run that failed, is tried again or read only a part."""
    for some in _stepped(wave_runs(wave).exclude(error="").defer("raw_answer")):
        for run in some:
            at = (run.finished_at or run.started_at or run.created_at).isoformat()
            tried = f"attempt {run.attempts}"
            yield (
                f"{at} run {run.pk} source {run.source_id} {run.extractor} {run.extractor_version} {run.status} {tried}: "
                f"{' '.join(run.error.split())}\n"
            )


FILES: dict[str, tuple[str, Callable[[Wave], Iterator[str]]]] = {
    "report.json": (JSON, report_json),
    "candidates.ndjson": (NDJSON, candidates_ndjson),
    "dropped.ndjson": (NDJSON, dropped_ndjson),
    "errors.log": (TEXT, errors_log),
}


def write_files(wave: Wave, folder: Path) -> list[Path]:
    """All four into `folder`, for whoever owns it alone; each is whole or not there."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    paths = []
    for name, (_, made) in FILES.items():
        path = folder / name
        part = folder / f".{name}.part"
        with part.open("w", encoding="utf-8", newline="\n") as file:
            part.chmod(0o600)
            file.writelines(made(wave))
        part.replace(path)
        paths.append(path)
    return paths


def folder_of(wave_id: int) -> Path:
    """Where the files of a wave go if nobody says where."""
    return Path(settings.DATA_DIR) / REPORTS / str(wave_id)


def forget_reports() -> int:
    """Remove the files in the data folder that are older than their scope keeps its texts; returns how many folders went.
    What a person wrote elsewhere is theirs."""
    root = Path(settings.DATA_DIR) / REPORTS
    folders = {int(one.name): one for one in root.glob("*/") if re.fullmatch("[0-9]+", one.name)}
    gone = 0
    for wave in Wave.objects.select_related("scope").filter(pk__in=folders):
        newest = max((path.stat().st_mtime for path in folders[wave.pk].iterdir()), default=0.0)
        days = wave.scope.retention_days
        if days is not None and time.time() - newest > days * 86_400:
            shutil.rmtree(folders[wave.pk])
            gone += 1
    return gone


def _stepped(rows: QuerySet[Any]) -> Iterator[list[Any]]:
    """By id, in steps, so that a report of any length needs the memory of one step."""
    last = 0
    while some := list(rows.filter(pk__gt=last).order_by("pk")[:STEP]):
        last = some[-1].pk
        yield some


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, sort_keys=False) + "\n"
