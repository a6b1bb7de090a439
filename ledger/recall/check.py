"""Before acting: does a text contradict what holds here, and which row says so (D12)."""

from dataclasses import dataclass

from django.utils import timezone

from ledger.errors import Invalid
from ledger.language.contradiction import Statement, compare, readings_of, touches
from ledger.language.polarity import assertion_of
from ledger.language.sentences import sentences
from ledger.models import Claim, TrustedState
from ledger.recall import gather
from ledger.recall.find import find_claims, find_trusted
from ledger.recall.gather import ScopeChain, scope_chain
from ledger.rules.columns import storable
from ledger.rules.permissions import Access

MAX_TEXT = 20_000
MAX_COMPARED = 250
MAX_WORDS = 120
MAX_LISTED = 50
CHOICES = ("decision", "constraint", "requirement", "commitment", "preference", "trusted")


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """One row the text meets; `why` says what differs where it contradicts, and `sentence` is the text's own."""

    ref: str
    layer: str
    kind: str
    scope: str
    statement: str
    flags: tuple[str, ...] = ()
    why: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class CheckResult:
    contradicts: list[CheckedRow]
    constraints: list[CheckedRow]
    negative_results: list[CheckedRow]


def check(text: str, *, scope: str, access: Access) -> CheckResult:
    """Compare the sentences of `text` with norms, facts and trusted values of the scope and of those above it.

    Contradictions come trusted first, then nearest first. `constraints` are the constraints and commitments that the
    text touches, `negative_results` what was tried before and failed (C3). On a slot the nearest scope's row is meant.
    The number of queries does not grow with what is found. Raises `Invalid` (field `text`) beyond 20,000 characters.
    """
    storable(text, "text")
    if len(text) > MAX_TEXT:
        raise Invalid(f"text has more than {MAX_TEXT} characters", field="text")
    where = scope_chain(scope, access)
    rows, trusted = _rows(text, where), _trusted(text, where)
    rows = _nearest(rows, trusted, where)
    heard = list(map(assertion_of, sentences(text)))
    held = [Statement(row.ref, row.statement, row.key, row.value) for row in trusted]
    claims = [
        Statement(row.ref, row.statement, row.key, row.value, names_choice=row.kind_id in CHOICES) for row in rows
    ]
    kinds = {row.ref: row.kind_id for row in rows}
    readings = [(statement, readings_of(statement)) for statement in (*held, *claims)]
    shown = {row.ref: _found_trusted(row) for row in trusted} | {row.ref: _found(row) for row in rows}
    compared = [pair for pair in readings if kinds.get(pair[0].ref) != "negative_result"]
    against = [_with(shown[c.ref], c.why, c.sentence) for c in compare(heard, compared)]
    touched = {
        statement.ref: kinds[statement.ref]
        for statement, read_as in readings
        if kinds.get(statement.ref) in (*gather.NORMS, "negative_result")
        and any(touches(said, reading, statement.key) for reading in read_as for said in heard)
    }
    return CheckResult(
        against[:MAX_LISTED],
        [shown[ref] for ref, kind in touched.items() if kind in gather.NORMS][:MAX_LISTED],
        [shown[ref] for ref, kind in touched.items() if kind == "negative_result"][:MAX_LISTED],
    )


def _rows(text: str, where: ScopeChain) -> list[Claim]:
    """Live claims that share words with the text, and the newest norms whatever their words."""
    found = find_claims(_words_only(text), where.chain, most_words=MAX_WORDS)
    norms = gather.newest_ids(where, gather.NORMS, most=gather.MAX_NORMS)
    ids = [*found.order[:MAX_COMPARED], *norms]
    rows = gather.claims_of(ids, where, as_of=None, now=timezone.now())
    return sorted(rows, key=lambda row: (where.distance[row.scope_id], -found.weight.get(row.pk, 0.0), row.pk))


def _trusted(text: str, where: ScopeChain) -> list[TrustedState]:
    found = find_trusted(_words_only(text), where.chain).order[: gather.MAX_FOUND]
    rows = gather.trusted_of(where, found, as_of=None)
    rows.sort(key=lambda row: (where.distance[row.scope_id], row.key))
    return list({row.key: row for row in reversed(rows)}.values())[::-1]


def _words_only(text: str) -> str:
    """The text is no query: its quotes and dashes ask for nothing."""
    return " ".join(text.replace('"', " ").replace("-", " ").split())


def _nearest(rows: list[Claim], trusted: list[TrustedState], where: ScopeChain) -> list[Claim]:
    nearest: dict[str, int] = {}
    for row in rows:
        if row.slot:
            nearest.setdefault(row.slot, row.scope_id)
    keys = {row.key: where.distance[row.scope_id] for row in trusted}
    return [
        row
        for row in rows
        if (not row.slot or nearest[row.slot] == row.scope_id)
        and (not row.key or where.distance[row.scope_id] < keys.get(row.key, 10_000))
    ]


def _found(row: Claim) -> CheckedRow:
    flags = (("disputed",) if row.disputed else ()) + (("needs_recheck",) if row.needs_recheck else ())
    return CheckedRow(row.ref, row.layer, row.kind_id, row.scope.path, row.statement, flags)


def _found_trusted(row: TrustedState) -> CheckedRow:
    return CheckedRow(row.ref, "trusted", "trusted", row.scope.path, row.statement)


def _with(found: CheckedRow, why: str, sentence: str) -> CheckedRow:
    return CheckedRow(found.ref, found.layer, found.kind, found.scope, found.statement, found.flags, why, sentence)
