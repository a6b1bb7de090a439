"""Before acting: does a text contradict what holds here, and which row says so (D12)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain

from ledger.errors import Invalid
from ledger.language.contradiction import Contradiction, Statement, compare, readings_of, says_the_same, touches
from ledger.language.polarity import Assertion, assertion_of
from ledger.language.sentences import sentences
from ledger.language.subjects import names_another, with_subject
from ledger.models import Claim, TrustedState
from ledger.reads.claims import flags_of
from ledger.recall import gather
from ledger.recall.filters import NOW
from ledger.recall.find import find_claims, find_trusted, read_question
from ledger.recall.gather import ScopeChain, scope_chain
from ledger.rules.columns import storable
from ledger.rules.permissions import Access
from ledger.rules.reconcile import CHOICES

MAX_TEXT = 20_000
MAX_COMPARED = 250
MAX_WORDS = 120
MAX_LISTED = 50
FARTHEST = 10_000


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


class Verdict(StrEnum):
    """What is known of a text: something speaks against it, something says just that, something speaks of the same, or
    nothing does, which is not the same as fine."""

    CONTRADICTS = "contradicts"
    ALLOWED = "allowed"
    TOUCHES = "touches"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`allowed_by` says what the text says; `touches` is all that speaks of the same, constraints and failures apart too."""

    contradicts: list[CheckedRow]
    allowed_by: list[CheckedRow]
    touches: list[CheckedRow]
    constraints: list[CheckedRow]
    negative_results: list[CheckedRow]

    @property
    def verdict(self) -> Verdict:
        found = {Verdict.CONTRADICTS: self.contradicts, Verdict.ALLOWED: self.allowed_by, Verdict.TOUCHES: self.touches}
        return next((verdict for verdict, rows in found.items() if rows), Verdict.UNKNOWN)

    @property
    def rows(self) -> Iterator[CheckedRow]:
        return chain(self.contradicts, self.allowed_by, self.touches)


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
    claims, trusted = _claims(text, where), _trusted(text, where)
    claims = _nearest(claims, trusted, where)
    rows = {row.ref: row for row in (*map(_trusted_row, trusted), *map(_claim_row, claims))}
    held: list[TrustedState | Claim] = [*trusted, *claims]
    heard = list(map(assertion_of, sentences(text)))
    readings = [_Meeting.of(row, heard) for row in held]
    compared = [met for met in readings if rows[met.statement.ref].kind != "negative_result"]
    touched = [rows[met.statement.ref] for met in readings if met.is_touched]
    allowed = [rows[met.statement.ref] for met in compared if met.is_said]
    return CheckResult(
        [replace(rows[c.ref], why=c.why, sentence=c.sentence) for c in _contradictions(heard, compared)][:MAX_LISTED],
        allowed[:MAX_LISTED],
        touched[:MAX_LISTED],
        _of_kinds(touched, gather.NORMS),
        _of_kinds(touched, ("negative_result",)),
    )


@dataclass(frozen=True, slots=True)
class _Meeting:
    """A row, how it reads, and the sentences of the text that may be about what it is about."""

    statement: Statement
    read_as: list[Assertion]
    heard: list[Assertion]

    @classmethod
    def of(cls, row: Claim | TrustedState, heard: list[Assertion]) -> "_Meeting":
        statement, subject = _statement(row), getattr(row, "subject", "")
        read_as = readings_of(statement)
        if subject:
            below = replace(statement, statement=with_subject(row.statement, subject))
            heard = [said for said in heard if not names_another(said.words, subject, row.statement)]
            return cls(statement, [*read_as, *readings_of(below)], heard)
        return cls(statement, read_as, heard)

    @property
    def is_touched(self) -> bool:
        return any(touches(said, reading, self.statement.key) for reading in self.read_as for said in self.heard)

    @property
    def is_said(self) -> bool:
        """Each sentence of the statement, by some sentence of the text."""
        return all(any(says_the_same(said, reading) for said in self.heard) for reading in readings_of(self.statement))


def _contradictions(heard: list[Assertion], met: Sequence[_Meeting]) -> list[Contradiction]:
    """In the order of the rows. All that have no subject are compared with the text at once."""
    found = compare(heard, [(one.statement, one.read_as) for one in met if one.heard is heard])
    for one in met:
        if one.heard is not heard:
            found += compare(one.heard, [(one.statement, one.read_as)])
    order = {one.statement.ref: at for at, one in enumerate(met)}
    return sorted(found, key=lambda one: order[one.ref])


def _of_kinds(rows: Iterable[CheckedRow], kinds: Sequence[str]) -> list[CheckedRow]:
    return [row for row in rows if row.kind in kinds][:MAX_LISTED]


def _statement(row: Claim | TrustedState) -> Statement:
    names_choice = isinstance(row, TrustedState) or row.kind_id in CHOICES
    return Statement(row.ref, row.statement, row.key, row.value, names_choice=names_choice)


def _claims(text: str, where: ScopeChain) -> list[Claim]:
    """Live claims that share words with the text, and the newest norms whatever their words; nearest first."""
    question = read_question(_words_only(text), most_words=MAX_WORDS, most=MAX_TEXT)
    found = find_claims(question, where.chain)
    norms = gather.newest_ids(where, gather.NORMS, most=gather.MAX_NORMS)
    rows = gather.claims_now([*found.order[:MAX_COMPARED], *norms])
    return sorted(rows, key=lambda row: (where.distance[row.scope_id], -found.weight.get(row.pk, 0.0), row.pk))


def _trusted(text: str, where: ScopeChain) -> list[TrustedState]:
    """Of each key the nearest value."""
    found = find_trusted(read_question(_words_only(text)), where.chain).order[: gather.MAX_FOUND]
    rows = gather.trusted_of(where, found, NOW)
    rows.sort(key=lambda row: (where.distance[row.scope_id], row.key))
    return list({row.key: row for row in reversed(rows)}.values())[::-1]


def _words_only(text: str) -> str:
    """The text is no query: its quotes and dashes ask for nothing."""
    return " ".join(text.replace('"', " ").replace("-", " ").split())


def _nearest(rows: Sequence[Claim], trusted: Sequence[TrustedState], where: ScopeChain) -> list[Claim]:
    """Without those whose slot a nearer scope has filled, or whose key a trusted value holds as near."""
    filled = {row.slot: row.scope_id for row in reversed(rows) if row.slot}
    keys = {row.key: where.distance[row.scope_id] for row in trusted if row.key}
    return [
        row
        for row in rows
        if filled.get(row.slot, row.scope_id) == row.scope_id
        and where.distance[row.scope_id] < keys.get(row.key, FARTHEST)
    ]


def _claim_row(row: Claim) -> CheckedRow:
    return CheckedRow(row.ref, row.layer, row.kind_id, row.scope.path, row.told, flags_of(row))


def _trusted_row(row: TrustedState) -> CheckedRow:
    return CheckedRow(row.ref, "trusted", "trusted", row.scope.path, row.statement)
