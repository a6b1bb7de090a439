"""Why a value is there: trusted → entity → candidate → evidence → source, each step checked while it is read (design §7).

A step of the journal is checked by replay (the row is what its events made it) and against its seal, a quote against
its source's text at its offsets, a source against its hash.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from ledger.errors import Forbidden, NotFound
from ledger.models import Claim, JournalEvent, TrustedState
from ledger.reads.claims import Citation, claim_at, claim_rows, evidence_of
from ledger.reads.history import event_rows
from ledger.reads.replay import matches_journal, redacted_rows, replayed_columns
from ledger.reads.scopes import reads_from_below
from ledger.rules.permissions import Access, Right


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
    trusted = _trusted_at(word, access)
    if trusted is not None:
        claims = [row for row in claim_rows().filter(ref__in=trusted.cites) if reads_from_below(access, row.scope.path)]
        claims.sort(key=lambda claim: trusted.cites.index(claim.ref))
        chain = _trusted_links(trusted) + _claim_links(claims, access)
        return WhyChain(trusted.ref, trusted.statement, trusted.value, _holds(chain), chain)
    claim = _claim_at(word, access)
    chain = _claim_links([claim], access)
    return WhyChain(claim.ref, claim.statement, claim.value, _holds(chain), chain)


def traced_to_source(claims: Sequence[Claim], access: Access) -> dict[int, bool]:
    """By id whether each claim leads to words of a source with every step true, as `why` would say of each alone; the same few
    queries for all."""
    chains: dict[int, list[WhyStep]] = {}
    sources: dict[int | None, WhyStep] = {}
    asked = {claim.pk for claim in claims}
    chain: list[WhyStep] = []
    for link in _claim_links(claims, access):
        if link.layer in ("entity", "candidate") and link.id in asked:
            chain = chains.setdefault(link.id, [])
        if link.layer == "source":
            # It stands only under the first claim that cites it.
            sources[link.id] = link
        else:
            chain.append(link)
    return {
        pk: _holds([*own, *(sources[one.source] for one in own if one.layer == "evidence" and one.source in sources)])
        for pk, own in chains.items()
    }


def _holds(chain: Sequence[WhyStep]) -> bool:
    kept = [link for link in chain if not link.redacted]
    return all(link.verified for link in kept) and any(
        link.layer == "trusted" or (link.layer == "evidence" and link.stance != "opposes") for link in kept
    )


def _trusted_at(word: str, access: Access) -> TrustedState | None:
    if not word.upper().startswith("TRU-") or len(word) > 40 or not word.isascii() or not word.isprintable():
        return None
    row = TrustedState.objects.select_related("scope").filter(ref=word.upper()).first()
    if row is not None and not reads_from_below(access, row.scope.path):
        if access.sees(row.scope.path):
            raise Forbidden(f"you may not {Right.READ} in {row.scope.path}")
        row = None
    if row is None:
        raise NotFound(f"no trusted value {word!r}")
    return row


def _claim_at(word: str, access: Access) -> Claim:
    try:
        return claim_at(word, access)
    except NotFound:
        live = claim_rows().filter(status="active")
        row = claim_at(word, Access(everywhere=frozenset({Right.READ})), claims=live)
        if not reads_from_below(access, row.scope.path):
            raise
        return row


def _trusted_links(row: TrustedState) -> list[WhyStep]:
    events = [event for event in event_rows().filter(ref=row.ref).order_by("pk") if event.verb == "curate"]
    event = events[-1] if events else None
    told = replayed_columns("trusted", [row.pk])
    true = matches_journal(row, told.get(row.pk)) and event is not None and event.actor_kind == "human"
    return [WhyStep("trusted", row.ref, row.pk, row.statement, true and sealed_true(events), event)]


def _claim_links(claims: Sequence[Claim], access: Access) -> list[WhyStep]:
    if not claims:
        return []
    ids = [claim.pk for claim in claims]
    words = evidence_of(ids)
    cited = [row for rows in words.values() for row in rows]
    told = replayed_columns("claim", ids)
    gone = redacted_rows("claim", ids)
    sources = _sources({row.source_id for row in cited})
    true_quotes = _true_quotes([row.id for row in cited])
    proposed, promoted, ingested = _events([*ids, *(row.claim_id for row in cited)], sources)
    chain: list[WhyStep] = []
    shown: set[int] = set()
    for claim in claims:
        true = claim.pk in gone or matches_journal(claim, told.get(claim.pk))
        if claim.promoted_at is not None:
            event = promoted.get(claim.pk)
            chain.append(
                WhyStep(
                    "entity",
                    claim.ref,
                    claim.pk,
                    claim.statement,
                    true and (claim.status != "active" or event is not None) and sealed_true([event]),
                    event,
                    redacted=claim.pk in gone,
                )
            )
        event = proposed.get(claim.pk)
        said = claim.proposed.get("statement", claim.statement) if isinstance(claim.proposed, dict) else ""
        # It may have been moved here from where its reader may not look.
        hidden = event is not None and _seen(event, access) is None
        chain.append(
            WhyStep(
                "candidate",
                claim.ref,
                claim.pk,
                None if hidden else said,
                true and event is not None and sealed_true([event]),
                _seen(event, access),
                withheld=hidden,
                redacted=claim.pk in gone,
            )
        )
        chain += [
            _evidence_link(row, row.id in true_quotes, proposed.get(row.claim_id), access) for row in words[claim.pk]
        ]
        for row in words[claim.pk]:
            if row.source_id not in shown:
                shown.add(row.source_id)
                chain.append(_source_link(row, sources[row.source_id], ingested.get(row.source_id), access))
    return chain


def _seen(event: JournalEvent | None, access: Access) -> JournalEvent | None:
    """The event, where its scope is in the reader's sight."""
    return event if event is not None and reads_from_below(access, event.scope.path) else None


def _evidence_link(row: Citation, true: bool, event: JournalEvent | None, access: Access) -> WhyStep:
    hidden = not row.readable(access)
    return WhyStep(
        "evidence",
        "",
        row.id,
        None if hidden or row.redacted else row.quote,
        true,
        _seen(event, access),
        start=row.start,
        end=row.end,
        source=row.source_id,
        stance=row.stance,
        withheld=hidden,
        redacted=row.redacted,
    )


@dataclass(frozen=True, slots=True)
class _SourceCheck:
    true: bool
    purged: bool


def _source_link(row: Citation, check: _SourceCheck, event: JournalEvent | None, access: Access) -> WhyStep:
    hidden = not row.readable(access)
    title = row.source_title or row.sender or row.source_kind
    return WhyStep(
        "source",
        "",
        row.source_id,
        None if hidden or check.purged else title,
        check.true and event is not None,
        None if hidden else event,
        source=row.source_id,
        withheld=hidden,
        redacted=check.purged,
    )


def _sources(ids: set[int]) -> dict[int, _SourceCheck]:
    """Each text's hash computed again, in the database: the text need not travel."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, encode(sha256(convert_to(text, 'UTF8')), 'hex') = sha256, purged_at IS NOT NULL"
            " FROM ledger_source WHERE id = ANY (%s)",
            [list(ids)],
        )
        return {pk: _SourceCheck(true and not purged, purged) for pk, true, purged in cursor.fetchall()}


def _true_quotes(ids: Sequence[int]) -> set[int]:
    """The evidence whose quote its source says at its offsets, to the letter."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT e.id FROM ledger_evidence e JOIN ledger_source s ON s.id = e.source_id WHERE e.id = ANY (%s)"
            ' AND NOT e.redacted AND substr(s.text, e.start + 1, e."end" - e.start) = e.quote'
            " AND e.quote_sha256 = encode(sha256(convert_to(e.quote, 'UTF8')), 'hex')",
            [list(ids)],
        )
        return {pk for (pk,) in cursor.fetchall()}


def _events(
    claims: Iterable[int], sources: Iterable[int]
) -> tuple[dict[int, JournalEvent], dict[int, JournalEvent], dict[int, JournalEvent]]:
    """By row: the event that proposed each claim, the last that made it hold, the one that took each source in."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.noun, c.row, c.event_id, c.before IS NULL AND NOT c.redacted, c.after ->> 'status', e.verb"
            " FROM ledger_journalchange c JOIN ledger_journalevent e ON e.id = c.event_id"
            " WHERE (c.noun = 'claim' AND c.row = ANY (%s)) OR (c.noun = 'source' AND c.row = ANY (%s)) ORDER BY c.id",
            [list(claims), list(sources)],
        )
        found = cursor.fetchall()
    first: dict[int, int] = {}
    held: dict[int, int] = {}
    taken: dict[int, int] = {}
    for noun, row, event, _, status, verb in found:
        if noun == "source":
            taken.setdefault(row, event)
        else:
            first.setdefault(row, event)
            if status == "active" or (status is None and verb == "promote"):
                held[row] = event
    wanted = {*first.values(), *held.values(), *taken.values()}
    events = {event.pk: event for event in event_rows().filter(pk__in=wanted)}
    return (
        {row: events[pk] for row, pk in first.items()},
        {row: events[pk] for row, pk in held.items()},
        {row: events[pk] for row, pk in taken.items()},
    )


def first_events(claims: Iterable[int]) -> dict[int, JournalEvent]:
    """By claim the event that made it hold, else the one that proposed it. Three queries."""
    proposed, promoted, _ = _events(claims, ())
    return proposed | promoted


def sealed_true(events: Iterable[JournalEvent | None]) -> bool:
    """Whether each event is still what its seal covers; one that is not sealed yet has nothing to disagree with."""
    ids = [event.pk for event in events if event is not None and not event.redacted]
    if not ids:
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM ledger_seal s WHERE s.event_id = ANY (%s)"
            " AND s.payload_digest <> sha256(ledger_payload(s.event_id))",
            [ids],
        )
        return bool(cursor.fetchone()[0] == 0)
