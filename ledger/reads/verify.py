"""Whether everything is still what it says it is: journal, sources, evidence, and rows against their history (law 3)."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, models

from ledger.journal import NOUNS, plain
from ledger.models import Approval, Claim, Conflict, Dispute, Evidence, JournalChange, Seal, Source, TrustedState

SHOWN = 20
# Rows of these nouns are made by verbs only; others may be older than the journal, as the global scope is.
BORN_BY_VERBS: tuple[type[models.Model], ...] = (Claim, Conflict, Dispute, Approval, TrustedState, Source)

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
    verify_chain(report, root)
    with connection.cursor() as cursor:
        for table in ("source", "evidence", "claim"):
            cursor.execute(f"SELECT count(*) FROM ledger_{table}")  # noqa: S608 - our own names
            report.figures[table] = cursor.fetchone()[0]
        for text, query in CHECKS.items():
            cursor.execute(query)
            report.problems += [text.format(row[0]) for row in cursor.fetchall()]
    report.problems += [f"evidence {row}: the quote is not what its source says there" for row in false_evidence()]
    report.figures["rows_replayed"] = 0
    for noun in NOUNS:
        for problem in replay(noun, report.figures):
            report.problems.append(problem)
    return report


def verify_chain(report: VerifyReport, root: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal()")
        cursor.execute("SELECT ok, events, sealed, root, redacted, broken FROM ledger_verify_journal()")
        ok, events, sealed, now, redacted, broken = cursor.fetchone()
    report.figures |= {"events": events, "sealed": sealed, "redacted": redacted, "root": now}
    if not ok:
        report.problems += [f"event {event}: the chain of the journal is broken here" for event in broken]
    if root and root != now:
        try:
            known = Seal.objects.filter(digest=bytes.fromhex(root)).exists()
        except ValueError:
            known = False
        if not known:
            report.problems.append(f"the journal does not contain the root {root[:80]}")


def replay(noun: str, figures: dict[str, Any]) -> Iterator[str]:
    """Fold each row's changes and compare with the row as it stands. A row whose past a purge redacted is passed over."""
    model = NOUNS[noun].model
    rows = _rows(noun)
    row: tuple[int, dict[str, Any]] | None = next(rows, None)
    for key, folded in _folded(noun):
        while row is not None and row[0] < key:
            yield from _unborn(model, noun, row[0])
            row = next(rows, None)
        figures["rows_replayed"] += 1
        now = row[1] if row is not None and row[0] == key else None
        if row is not None and row[0] == key:
            row = next(rows, None)
        if folded == "redacted":
            continue
        if folded is None or now is None:
            if folded is not None:
                yield f"{noun} {key}: the journal knows it, and it is gone"
            elif now is not None:
                yield f"{noun} {key}: removed by the journal, and still there"
            continue
        wrong = [name for name, value in folded.items() if now.get(name) != value]
        if wrong:
            yield f"{noun} {key}: {', '.join(wrong)} not as the journal left it"
    while row is not None:
        yield from _unborn(model, noun, row[0])
        row = next(rows, None)


def _unborn(model: type[models.Model], noun: str, key: int) -> Iterator[str]:
    if model in BORN_BY_VERBS:
        yield f"{noun} {key}: the journal does not know it"


def _rows(noun: str) -> Iterator[tuple[int, dict[str, Any]]]:
    model, columns = NOUNS[noun].model, NOUNS[noun].columns
    for values in model._default_manager.order_by("pk").values_list("pk", *columns).iterator(chunk_size=2000):
        yield values[0], {name: plain(value) for name, value in zip(columns, values[1:], strict=True)}


def _folded(noun: str) -> Iterator[tuple[int, Any]]:
    """Each row's id with its columns as the journal left them: None for a removed row, "redacted" where words are gone."""
    changes = (
        JournalChange.objects.filter(noun=noun)
        .order_by("row", "id")
        .values_list("row", "before", "after", "redacted")
        .iterator(chunk_size=2000)
    )
    current, state = None, None  # type: int | None, Any
    for key, _, after, redacted in changes:
        if key != current:
            if current is not None:
                yield current, state
            current, state = key, None
        if redacted or state == "redacted":
            state = "redacted"
        elif after is None:
            state = None
        else:
            state = (state or {}) | after
    if current is not None:
        yield current, state
