"""One claim by id or ref as its reader may see it, and the words that claims rest on."""

import datetime as dt
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from django.db.models import QuerySet

from ledger.models import Claim, ConflictMember, JournalChange, Scope, TrustedState
from ledger.reads.scopes import require_sight, row_id
from ledger.reads.sql import fetch_rows
from ledger.rules.permissions import Access, Right
from ledger.rules.secrets import masked

MAX_CITED = 3
REF = re.compile(r"[A-Za-z]{1,10}-[0-9]{8}-[0-9]{3,15}", re.ASCII)


def refs_that_exist(refs: Collection[str]) -> set[str]:
    """Those of the refs that are ours, of a claim or of a trusted value."""
    return {
        ref
        for model in (Claim, TrustedState)
        for ref in model.objects.filter(ref__in=refs).values_list("ref", flat=True)
    }


@dataclass(frozen=True, slots=True)
class Citation:
    """One line of evidence with what a reader needs of its section and source; the source's text stays in the database.

    `shown` is the claim it is shown under, `claim_id` the one it belongs to (another one where that was merged).
    `start` and `end` are code points, half-open. `quote` is empty where `redacted`, its secrets
    are masked.
    """

    shown: int
    id: int
    claim_id: int
    source_id: int
    section_id: int
    section: str
    speaker: str
    start: int
    end: int
    quote: str
    quote_sha256: str
    stance: str
    anchor: str
    redacted: bool
    created_at: dt.datetime
    source_scope: str
    source_kind: str
    source_title: str
    sender: str
    sender_kind: str
    sent_at: dt.datetime | None
    # When it was said, as far as is known: where nobody told, when it came in.
    said_at: dt.datetime
    # The agent whose token brought a document or a user's words in; empty where a person did, or where they are an agent's own.
    brought_by: str = ""
    # With its secrets, where its scope keeps them: for people at their source, never for a pack or a model.
    kept_quote: str = ""

    @property
    def speaker_name(self) -> str:
        """The sender, where the words are the sender's own; else what sort of speaker they are of."""
        return (self.sender if self.speaker == self.sender_kind else "") or self.speaker

    def readable(self, access: Access) -> bool:
        """Whether this reader may see the words: evidence of a source out of sight is withheld (design §7)."""
        return access.may(Right.READ, self.source_scope)


# Merged claims are followed down to the last one: A into B into C shows A's words under C.
_EVIDENCE = """
    WITH RECURSIVE family AS (
        SELECT id AS shown, id AS claim FROM unnest(%s::bigint[]) AS id
        UNION
        SELECT f.shown, m.id FROM family f JOIN ledger_claim m ON m.successor_id = f.claim AND m.status = 'merged'
    )
    SELECT f.shown, e.id, e.claim_id, e.source_id, e.section_id, x.name, e.speaker, e.start, e."end", e.quote,
           e.quote_sha256, e.stance, e.anchor, e.redacted, e.created_at, p.path, s.kind, s.title,
           s.sender, s.sender_kind, s.sent_at, coalesce(s.sent_at, s.created_at),
           coalesce(CASE WHEN e.speaker IN ('document', 'user') THEN (
               SELECT b.actor_name FROM ledger_journalchange c JOIN ledger_journalevent b ON b.id = c.event_id
               WHERE c.noun = 'source' AND c.row = e.source_id AND b.verb = 'ingest' AND b.actor_kind = 'agent' LIMIT 1
           ) END, ''), e.secrets, CASE WHEN e.secrets <> '[]' THEN (SELECT a.secrets FROM ledger_scope a
               WHERE a.secrets <> '' AND (a.path IN (p.path, 'global') OR starts_with(p.path, a.path || '/'))
               ORDER BY a.path = 'global', length(a.path) DESC LIMIT 1) = 'keep' ELSE false END
    FROM family f
    JOIN ledger_evidence e ON e.claim_id = f.claim
    JOIN ledger_section x ON x.id = e.section_id
    JOIN ledger_source s ON s.id = e.source_id
    JOIN ledger_scope p ON p.id = s.scope_id
    ORDER BY f.shown, e.id
"""


def evidence_of(claim_ids: Iterable[int]) -> dict[int, list[Citation]]:
    """The evidence of each claim, its own and that of what was merged into it, oldest first. One query, none for no claim."""
    found: dict[int, list[Citation]] = {pk: [] for pk in claim_ids}
    for row in fetch_rows(_EVIDENCE, [list(found)]) if found else ():
        found[row[0]].append(_citation(*row))
    return found


def _citation(*row: Any) -> Citation:
    *columns, secrets, kept = row
    cited = Citation(*columns)
    if secrets == "[]":
        return cited
    hidden = masked(cited.quote, json.loads(secrets), start=cited.start)
    return replace(cited, quote=hidden, kept_quote=cited.quote if kept else "")


def agents_that_brought(sources: Collection[int]) -> dict[int, str]:
    """By source the agent whose token brought it in, of those that an agent did (law 8)."""
    rows = JournalChange.objects.filter(noun="source", row__in=sources, event__verb="ingest", event__actor_kind="agent")
    return dict(rows.values_list("row", "event__actor_name")) if sources else {}


def evidence_of_trusted(rows: Sequence[TrustedState]) -> dict[int, list[Citation]]:
    """For each trusted value the first words of the claims it cites. Two queries."""
    refs = {ref for row in rows for ref in row.cites[:MAX_CITED]}
    ids = dict(Claim.objects.filter(ref__in=refs).values_list("ref", "pk"))
    cited = evidence_of(ids.values())
    return {
        row.pk: [words for ref in row.cites if ref in ids for words in cited[ids[ref]][:1]][:MAX_CITED] for row in rows
    }


def flags_of(claim: Claim, contradicted: bool = False) -> tuple[str, ...]:
    """What a reader is warned of: `disputed` (an objection, or an open conflict), `needs_recheck`, `pending`."""
    flags = {
        "disputed": claim.disputed or contradicted,
        "needs_recheck": claim.needs_recheck,
        "pending": claim.status in ("pending", "deferred"),
    }
    return tuple(flag for flag, is_set in flags.items() if is_set)


def claims_in_open_conflict(claim_ids: Iterable[int]) -> set[int]:
    """Those of the claims that hold while an open conflict names them. One query."""
    members = ConflictMember.objects.filter(claim__in=claim_ids, claim__status="active", conflict__status="open")
    return set(members.values_list("claim", flat=True))


def claim_rows() -> QuerySet[Claim]:
    """Claims with their scope and without the columns no answer shows."""
    return Claim.objects.select_related("scope").defer("search")


# A page of claims is the most read list of all: its SQL is written once, not compiled for every request.
_COLUMNS = ", ".join(f'c."{field.column}"' for field in Claim._meta.concrete_fields if field.name != "search")


def claims_where(
    rest: str, params: Sequence[Any], *, scopes: Mapping[int, Scope] = MappingProxyType({})
) -> list[Claim]:
    """The claims `c` that `rest` (SQL after WHERE) selects, each with its scope; one query more where `scopes` lacks one."""
    claims = list(Claim.objects.raw(f"SELECT {_COLUMNS} FROM ledger_claim c WHERE {rest}", params))  # noqa: S608
    missing = {claim.scope_id for claim in claims} - scopes.keys()
    known = {**scopes, **(Scope.objects.in_bulk(missing) if missing else {})}
    for claim in claims:
        claim.scope = known[claim.scope_id]
    return claims


def claim_at(
    id_or_ref: int | str, access: Access, *, right: Right = Right.READ, claims: QuerySet[Claim] | None = None
) -> Claim:
    """The claim with this id or ref.

    Raises `NotFound` where there is none or it is out of sight, `Forbidden` where it is in sight and `right` is missing.
    """
    word = str(id_or_ref)
    rows = claim_rows() if claims is None else claims
    found = rows.filter(ref=word.upper()) if REF.fullmatch(word) else rows.filter(pk=row_id(word))
    return require_sight(found.first(), access, f"no claim {word[:60]!r}", right=right)
