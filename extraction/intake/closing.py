"""What an ingest says: before its texts are read what a model will cost; at its end what was found by kind and rule, what was not
read and why, what yielded nothing, and what helps."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import batched, chain

from django.conf import settings
from django.db.models.functions import Length

from extraction.extractors.model.extractor import MODEL, OVERLAP
from extraction.extractors.model.spending import spent_today
from extraction.importers import Skipped
from extraction.intake.batches import MAX_IDS, IngestReport
from ledger.models import Run, Wave
from ledger.reads.waves import outcomes_of_wave, silent_of_wave

MAX_REASONS = 8
MAX_RULES = 8
NUMBERS = re.compile(r"\d+")
# Tokens of a middling request beside the text: the rules, what is known, the answer.
BESIDE_TEXT = 2_500
CHARACTERS_PER_TOKEN = 4
OFFICE = (".docx", ".odt", ".pdf", ".doc", ".rtf")


def cost_line(runs: Sequence[int]) -> str:
    """About what a model will be asked for these runs, beside what the day's ceiling leaves; empty where none asks one."""
    asking = (
        Run.objects.filter(pk__in=some, extractor=MODEL).values_list(Length("source__text"), flat=True)
        for some in batched(runs, MAX_IDS)
    )
    lengths = list(chain.from_iterable(asking))
    if not lengths:
        return ""
    calls = sum(_windows(length) for length in lengths)
    tokens = sum(lengths) // CHARACTERS_PER_TOKEN + calls * BESIDE_TEXT
    spent = spent_today()
    calls_left, tokens_left = (spent[f"{what}_ceiling"] - spent[what] for what in ("calls", "tokens"))
    return (
        f"{settings.COUNTERSIGN_MODEL} is asked about {len(lengths)} texts: some {calls} requests and {tokens:,} tokens;"
        f" today's ceilings leave {calls_left} and {tokens_left:,}, and nothing is asked beyond them"
    )


def _windows(length: int) -> int:
    window: int = settings.COUNTERSIGN_MODEL_TEXT
    return 1 + math.ceil(max(0, length - window) / (window - min(OVERLAP, window // 4)))


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
