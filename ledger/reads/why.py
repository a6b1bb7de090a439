"""Why a value is there: trusted → entity → candidate → evidence → source, each step checked while it is read (design §7).

A step of the journal is checked by replay (the row is what its events made it) and against its seal, a quote against
its source's text at its offsets, a source against its hash.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.errors import NotFound
from ledger.models import Claim, JournalEvent, TrustedState
from ledger.reads.claims import Citation, claim_at, claim_rows, evidence_of
from ledger.reads.history import event_rows
from ledger.reads.replay import matches_journal, redacted_rows, replayed_columns
from ledger.reads.scopes import reads_from_below, require_sight
from ledger.reads.sql import fetch_column, fetch_rows
from ledger.rules.permissions import Access, Right

TRUSTED_REF = re.compile(r"TRU-[ -~]{0,36}", re.I)
_SOURCES = """
    SELECT id, encode(sha256(convert_to(text, 'UTF8')), 'hex') = sha256 AND purged_at IS NULL, purged_at IS NOT NULL
    FROM ledger_source WHERE id = ANY (%s)
"""
_TRUE_QUOTES = """
    SELECT e.id FROM ledger_evidence e JOIN ledger_source s ON s.id = e.source_id
    WHERE e.id = ANY (%s) AND NOT e.redacted AND substr(s.text, e.start + 1, e."end" - e.start) = e.quote
    AND e.quote_sha256 = encode(sha256(convert_to(e.quote, 'UTF8')), 'hex')
"""
_EVENTS = """
    SELECT c.noun, c.row, c.event_id, coalesce(c.after ->> 'status' = 'active', e.verb = 'promote'), e.verb = 'promote'
    FROM ledger_journalchange c JOIN ledger_journalevent e ON e.id = c.event_id
    WHERE (c.noun = 'claim' AND c.row = ANY (%s)) OR (c.noun = 'source' AND c.row = ANY (%s)) ORDER BY c.id
"""
_UNTRUE_SEALS = """
    SELECT s.event_id FROM ledger_seal s
    WHERE s.event_id = ANY (%s) AND s.payload_digest <> sha256(ledger_payload(s.event_id))
"""


@dataclass(frozen=True, slots=True)
class WhyStep:
    """One step. `layer` is trusted, entity, candidate, evidence or source; `ref` or `id` names the row.

    `words` is the statement, or the quote of evidence; None where it was purged (`redacted`) or the reader may not see it
    (`withheld`). `start` and `end` are code points of the source, half-open. `verified` is what the check found.
    """

    layer: str
    ref: str
    id: int
    words: str | None
    verified: bool
    event: JournalEvent | None = None
    start: int | None = None
    end: int | None = None
    source: int | None = None
    stance: str = ""
    withheld: bool = False
    redacted: bool = False
    # The agent whose token brought a document or a user's words in.
    brought_by: str = ""


@dataclass(frozen=True, slots=True)
class WhyChain:
    """`verified`: every step that a purge has not taken away is true, and somebody's words are left to rest on."""

    ref: str
    statement: str
    value: Any
    verified: bool
    chain: list[WhyStep]


def why(id_or_ref: int | str, access: Access) -> WhyChain:
    """The chain of a trusted value or a claim, at most seven queries. Raises `NotFound` where nothing is in sight.

    What holds in a scope may be asked for from every scope below it; sources stay visible to their own readers only.
    """
    word = str(id_or_ref)
    if not TRUSTED_REF.fullmatch(word):
        claim = _claim_at(word, access)
        chain = list(_chain([claim], access))
        return WhyChain(claim.ref, claim.statement, claim.value, _holds(chain), chain)
    trusted = _trusted_at(word, access)
    claims = [row for row in claim_rows().filter(ref__in=trusted.cites) if reads_from_below(access, row.scope.path)]
    claims.sort(key=lambda claim: trusted.cites.index(claim.ref))
    chain = [_trusted_step(trusted), *_chain(claims, access)]
    return WhyChain(trusted.ref, trusted.statement, trusted.value, _holds(chain), chain)


def traced_to_source(claims: Sequence[Claim], access: Access) -> dict[int, bool]:
    """By id whether each claim leads to words of a source with every step true, as `why` would say of each alone; the same few
    queries for all."""
    checks = _Checks(claims, access)
    return {claim.pk: _holds(list(checks.steps(claim))) for claim in claims}


def first_events(claims: Iterable[int]) -> dict[int, JournalEvent]:
    """By claim the event that made it hold, else the one that proposed it. Three queries."""
    events = _events(claims, ())
    return events.proposed | events.promoted


def _holds(chain: Sequence[WhyStep]) -> bool:
    kept = [step for step in chain if not step.redacted]
    grounds = [step for step in kept if step.layer in ("trusted", "evidence") and step.stance != "opposes"]
    return bool(grounds) and all(step.verified for step in kept)


def _trusted_at(ref: str, access: Access) -> TrustedState:
    row = TrustedState.objects.select_related("scope").filter(ref=ref.upper()).first()
    if row is not None and reads_from_below(access, row.scope.path):
        return row
    return require_sight(row, access, f"no trusted value {ref!r}")


def _claim_at(word: str, access: Access) -> Claim:
    try:
        return claim_at(word, access)
    except NotFound:
        live = claim_rows().filter(status="active")
        row = claim_at(word, Access(everywhere=frozenset({Right.READ})), claims=live)
        if not reads_from_below(access, row.scope.path):
            raise
        return row


def _trusted_step(row: TrustedState) -> WhyStep:
    events = list(event_rows().filter(ref=row.ref, verb="curate").order_by("pk"))
    event = events[-1] if events else None
    as_told = matches_journal(row, replayed_columns("trusted", [row.pk]).get(row.pk))
    by_hand = event is not None and event.actor_kind == "human"
    return WhyStep("trusted", row.ref, row.pk, row.statement, as_told and by_hand and not _broken_seals(events), event)


def _chain(claims: Sequence[Claim], access: Access) -> Iterator[WhyStep]:
    """The steps of all, each source only under the first claim that cites it."""
    checks = _Checks(claims, access)
    sources: set[int] = set()
    for claim in claims:
        steps = list(checks.steps(claim))
        yield from (step for step in steps if step.layer != "source" or step.id not in sources)
        sources |= {step.id for step in steps if step.layer == "source"}


class _Checks:
    """What the steps of some claims are checked against, read at once, for one reader."""

    def __init__(self, claims: Sequence[Claim], access: Access) -> None:
        ids = [claim.pk for claim in claims]
        self.access = access
        self.words = evidence_of(ids)
        cited = [row for rows in self.words.values() for row in rows]
        self.told = replayed_columns("claim", ids)
        self.purged = redacted_rows("claim", ids)
        # Each text's hash computed again, in the database: the text need not travel.
        sources = fetch_rows(_SOURCES, [list({row.source_id for row in cited})])
        self.true_sources = {pk for pk, true, _ in sources if true}
        self.purged_sources = {pk for pk, _, purged in sources if purged}
        self.true_quotes = set(fetch_column(_TRUE_QUOTES, [[row.id for row in cited]]))
        self.events = _events([*ids, *(row.claim_id for row in cited)], [pk for pk, *_ in sources])
        self.broken = _broken_seals([*self.events.proposed.values(), *self.events.promoted.values()])

    def steps(self, claim: Claim) -> Iterator[WhyStep]:
        if claim.promoted_at is not None:
            yield self.entity(claim)
        yield self.candidate(claim)
        cited = self.words[claim.pk]
        yield from map(self.evidence, cited)
        yield from map(self.source, {row.source_id: row for row in cited}.values())

    def entity(self, claim: Claim) -> WhyStep:
        event = self.events.promoted.get(claim.pk)
        verified = self.replayed(claim, event) and (event is not None or claim.status != "active")
        redacted = claim.pk in self.purged
        return WhyStep("entity", claim.ref, claim.pk, claim.statement, verified, event, redacted=redacted)

    def candidate(self, claim: Claim) -> WhyStep:
        event = self.events.proposed.get(claim.pk)
        seen = self.seen(event)
        # It may have been moved here from where its reader may not look.
        withheld = event is not None and seen is None
        said = None if withheld else claim.proposed.get("statement", claim.statement)
        verified = event is not None and self.replayed(claim, event)
        redacted = claim.pk in self.purged
        return WhyStep("candidate", claim.ref, claim.pk, said, verified, seen, withheld=withheld, redacted=redacted)

    def evidence(self, row: Citation) -> WhyStep:
        withheld = not row.readable(self.access)
        return WhyStep(
            "evidence", "", row.id, None if withheld or row.redacted else row.quote, row.id in self.true_quotes,
            self.seen(self.events.proposed.get(row.claim_id)), start=row.start, end=row.end, source=row.source_id,
            stance=row.stance, withheld=withheld, redacted=row.redacted,
        )  # fmt: skip

    def source(self, row: Citation) -> WhyStep:
        withheld, purged = not row.readable(self.access), row.source_id in self.purged_sources
        event = self.events.ingested.get(row.source_id)
        title = row.source_title or row.sender or row.source_kind
        return WhyStep(
            "source", "", row.source_id, None if withheld or purged else title,
            event is not None and row.source_id in self.true_sources, None if withheld else event,
            source=row.source_id, withheld=withheld, redacted=purged,
            brought_by="" if withheld else row.brought_by,
        )  # fmt: skip

    def replayed(self, claim: Claim, event: JournalEvent | None) -> bool:
        """Whether the row is what its events made it, and the event what its seal covers. Of what a purge took nothing is left
        to compare."""
        as_told = claim.pk in self.purged or matches_journal(claim, self.told.get(claim.pk))
        return as_told and (event is None or event.pk not in self.broken)

    def seen(self, event: JournalEvent | None) -> JournalEvent | None:
        """The event, where its scope is in the reader's sight."""
        return event if event is not None and reads_from_below(self.access, event.scope.path) else None


@dataclass(frozen=True, slots=True)
class _Events:
    """By row: the event that proposed each claim, the one by which it was countersigned, the one that took each source in."""

    proposed: dict[int, JournalEvent]
    promoted: dict[int, JournalEvent]
    ingested: dict[int, JournalEvent]


def _events(claims: Iterable[int], sources: Iterable[int]) -> _Events:
    rows = fetch_rows(_EVENTS, [list(claims), list(sources)])
    # Of equal rows the last one read stands: backwards that is the first.
    first = {
        noun: {row: event for named, row, event, *_ in reversed(rows) if named == noun} for noun in ("claim", "source")
    }
    # Whoever promoted it last, not whoever brought it back later; the last that made it hold where nobody did.
    held = {row: event for noun, row, event, holds, _ in rows if noun == "claim" and holds}
    promoted = held | {row: event for noun, row, event, *_, signed in rows if noun == "claim" and signed}
    by_kind = (first["claim"], promoted, first["source"])
    events = event_rows().in_bulk({pk for found in by_kind for pk in found.values()})
    return _Events(*({row: events[pk] for row, pk in found.items()} for found in by_kind))


def _broken_seals(events: Iterable[JournalEvent]) -> set[int]:
    """Those that are no longer what their seal covers, a purge's work apart; one that is not sealed yet has nothing to disagree
    with."""
    return set(fetch_column(_UNTRUE_SEALS, [[event.pk for event in events if not event.redacted]]))
