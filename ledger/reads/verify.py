"""Whether everything is still what it says it is: journal, sources, evidence, and rows against their history (law 3)."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import models

from ledger.journal import NOUNS, plain
from ledger.models import (
    Approval,
    Claim,
    Conflict,
    Dispute,
    Evidence,
    Handover,
    JournalChange,
    KeptApart,
    Seal,
    Source,
    TrustedState,
)
from ledger.reads.journal import check_chain
from ledger.reads.sql import fetch_column

REDACTED = "redacted"
UNKNOWN = object()
# Rows of these nouns are made by verbs only; others may be older than the journal, as the global scope is.
BORN_BY_VERBS: tuple[type[models.Model], ...] = (
    Claim,
    Conflict,
    Dispute,
    Approval,
    Handover,
    KeptApart,
    TrustedState,
    Source,
)

CHECKS = {
    "source {}: its text does not have its hash": """
        SELECT id FROM ledger_source WHERE purged_at IS NULL AND sha256 <> encode(sha256(convert_to(text, 'UTF8')), 'hex')
        ORDER BY id""",
    "source {}: purged, and still has text": "SELECT id FROM ledger_source WHERE purged_at IS NOT NULL AND text <> ''",
    "evidence {}: of a purged source, and still has its words": """
        SELECT e.id FROM ledger_evidence e JOIN ledger_source s ON s.id = e.source_id
        WHERE s.purged_at IS NOT NULL AND (e.quote <> '' OR NOT e.redacted) ORDER BY e.id""",
    "claim {}: it rests on no evidence": """
        SELECT c.id FROM ledger_claim c WHERE jsonb_array_length(c.anchors_to_choose) = 0
        AND NOT EXISTS (SELECT FROM ledger_evidence e WHERE e.claim_id = c.id) ORDER BY c.id""",
}  # fmt: skip


@dataclass(slots=True)
class VerifyReport:
    """`figures` counts what was looked at; `problems` has a line for each thing that is wrong."""

    figures: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def false_evidence() -> Iterator[int]:
    """The evidence that is not its source's words. Each text is read once and cut here: finding the n-th character in
    the database means counting from the start of the text, for every quote again."""
    quotes = (
        Evidence.objects.filter(redacted=False, source__purged_at=None)
        .order_by("source_id", "start", "id")
        .values_list("id", "source_id", "start", "end", "quote", "quote_sha256")
    )
    at, text = 0, ""
    for row, source, start, end, quote, sha256 in quotes.iterator(chunk_size=2000):
        if source != at:
            at, text = source, Source.objects.values_list("text", flat=True).get(pk=source)
        if text[start:end] != quote or hashlib.sha256(quote.encode()).hexdigest() != sha256:
            yield row


def verify(*, root: str = "") -> VerifyReport:
    """Read everything once. `root` is a digest of the chain that was kept elsewhere: the chain must still contain it."""
    report = VerifyReport()
    _verify_chain(report, root)
    for table in ("source", "evidence", "claim"):
        [report.figures[table]] = fetch_column(f"SELECT count(*) FROM ledger_{table}")  # noqa: S608 - our own names
    for text, query in CHECKS.items():
        report.problems += map(text.format, fetch_column(query))
    report.problems += [f"evidence {row}: the quote is not what its source says there" for row in false_evidence()]
    report.figures["rows_replayed"] = 0
    for noun in NOUNS:
        report.problems += _replay_problems(noun, report.figures)
    return report


def _verify_chain(report: VerifyReport, root: str) -> None:
    chain = check_chain()
    report.figures |= {name: chain[name] for name in ("events", "sealed", "redacted", "root")}
    if not chain["ok"]:
        report.problems += [f"event {event}: the chain of the journal is broken here" for event in chain["broken"]]
    if root not in ("", chain["root"]) and not _contains(root):
        report.problems.append(f"the journal does not contain the root {root[:80]}")


def _contains(root: str) -> bool:
    try:
        return Seal.objects.filter(digest=bytes.fromhex(root)).exists()
    except ValueError:
        return False


def _replay_problems(noun: str, figures: dict[str, Any]) -> Iterator[str]:
    """Each row's changes folded, and compared with the row as it stands. A row whose past a purge redacted is passed over,
    as is what is made anew from the rest: releases have made it in their own ways."""
    model, derived = NOUNS[noun].model, NOUNS[noun].derived
    for key, folded, row in _side_by_side(_folded(noun), _rows(noun)):
        if folded is UNKNOWN:
            if model in BORN_BY_VERBS:
                yield f"{noun} {key}: the journal does not know it"
            continue
        figures["rows_replayed"] += 1
        if folded in (REDACTED, row):
            continue
        if row is None:
            yield f"{noun} {key}: the journal knows it, and it is gone"
        elif folded is None:
            yield f"{noun} {key}: removed by the journal, and still there"
        elif wrong := [name for name, value in folded.items() if row.get(name) != value and name not in derived]:
            yield f"{noun} {key}: {', '.join(wrong)} not as the journal left it"


def _side_by_side(
    folded: Iterable[tuple[int, Any]], rows: Iterable[tuple[int, dict[str, Any]]]
) -> Iterator[tuple[int, Any, dict[str, Any] | None]]:
    """Both by id, each id once: what the journal says of it (UNKNOWN where nothing) and the row (None where there is none)."""
    told = ((key, 0, state) for key, state in folded)
    standing = ((key, 1, columns) for key, columns in rows)
    for key, group in groupby(merge(told, standing, key=itemgetter(0, 1)), key=itemgetter(0)):
        found = {side: value for _, side, value in group}
        yield key, found.get(0, UNKNOWN), found.get(1)


def _rows(noun: str) -> Iterator[tuple[int, dict[str, Any]]]:
    model, columns = NOUNS[noun].model, NOUNS[noun].columns
    for key, *values in model._default_manager.order_by("pk").values_list("pk", *columns).iterator(chunk_size=2000):
        yield key, dict(zip(columns, map(plain, values), strict=True))


def _folded(noun: str) -> Iterator[tuple[int, Any]]:
    """Each row's id with its columns as the journal left them: None for a removed row, REDACTED where words are gone."""
    changes = JournalChange.objects.filter(noun=noun).order_by("row", "id").values_list("row", "after", "redacted")
    for key, group in groupby(changes.iterator(chunk_size=2000), key=itemgetter(0)):
        yield key, reduce(_fold, group, None)


def _fold(state: Any, change: tuple[int, dict[str, Any] | None, bool]) -> Any:
    _, after, redacted = change
    if redacted or state == REDACTED:
        return REDACTED
    return None if after is None else (state or {}) | after
