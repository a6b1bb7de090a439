"""How an ingest ends: what was found by kind and rule, what was not read and why, what yielded nothing, and what helps."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from django.conf import settings

from extraction.importers import Skipped
from extraction.intake.batches import IngestReport
from ledger.models import Wave
from ledger.reads.waves import outcomes_of_wave, silent_of_wave

MAX_REASONS = 8
MAX_RULES = 8
NUMBERS = re.compile(r"\d+")
OFFICE = (".docx", ".odt", ".pdf", ".doc", ".rtf")


def closing_lines(report: IngestReport) -> Iterator[str]:
    """Lines for people; none of what there is nothing to say about."""
    silent = silent_of_wave(report.wave) if report.sources else None
    if report.sources:
        yield from _found(report.wave)
    yield from _unread(report.skipped)
    if silent and silent.total:
        files = "1 file or conversation" if silent.total == 1 else f"{silent.total} files or conversations"
        yield f"{files} yielded nothing; the first is {silent.first[0][1]}"
    if helps := _help(report, silent=bool(silent and silent.total)):
        yield f"What helps: {helps}"


def _found(wave: Wave) -> Iterator[str]:
    outcomes = outcomes_of_wave(wave)
    rules = Counter({rule: row["admitted"] for rule, row in outcomes.rules.items() if row["admitted"]})
    if outcomes.kinds:
        yield f"Found: {_counts(outcomes.kinds.most_common())}; by rule: {_counts(rules.most_common(MAX_RULES))}"


def _counts(counted: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{count} {name or 'without a name'}" for name, count in counted)


def _unread(skipped: Iterable[Skipped]) -> Iterator[str]:
    """Reasons, most frequent first; those that differ only in a number are one."""
    reasons: dict[str, list[Skipped]] = {}
    for one in skipped:
        reasons.setdefault(NUMBERS.sub("…", one.why), []).append(one)
    for rows in sorted(reasons.values(), key=len, reverse=True)[:MAX_REASONS]:
        yield f"Not read: {len(rows)} × {rows[0].why}; the first is {rows[0].path}"


def _help(report: IngestReport, *, silent: bool) -> str:
    """The one command, or setting, that brings most: a format first, then a pack, then a model."""
    unread = [one for one in report.skipped if "format" in one.why]
    office = next((one.path for one in unread if one.path.lower().endswith(OFFICE)), "")
    scope = report.wave.scope
    cases = (
        (office, f"save {office} as Markdown or text, and ingest that"),
        (
            unread,
            "uv run manage.py ingest PATH --scope " + scope.path + " --format NAME; docs/importing.md has the formats",
        ),
        (silent and not scope.packs, "uv run manage.py packs list, and give the scope one on its page"),
        (silent and not settings.OPENAI_BASE_URL, "OPENAI_BASE_URL=… reads with a model; docs/model.md"),
    )
    return next((command for applies, command in cases if applies), "")
