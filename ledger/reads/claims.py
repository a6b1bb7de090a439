"""One claim by id or ref as its reader may see it, and the words that claims rest on."""

import datetime as dt
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import JSONField, QuerySet

from ledger.errors import Forbidden, NotFound
from ledger.models import Claim, Scope
from ledger.reads.page import MAX_ID
from ledger.rules.permissions import Access, Right

REF = re.compile(r"[A-Za-z]{1,10}-[0-9]{8}-[0-9]{3,15}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Citation:
    """One line of evidence with what a reader needs of its section and source; the source's text stays in the database.

    `shown` is the claim it is shown under, `claim_id` the one it belongs to (another one where that was merged).
    `start` and `end` are code points, half-open. `quote` is empty where `redacted`.
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
    sent_at: dt.datetime | None

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
           e.quote_sha256, e.stance, e.anchor, e.redacted, e.created_at, p.path, s.kind, s.title, s.sender, s.sent_at
    FROM family f
    JOIN ledger_evidence e ON e.claim_id = f.claim
    JOIN ledger_section x ON x.id = e.section_id
    JOIN ledger_source s ON s.id = e.source_id
    JOIN ledger_scope p ON p.id = s.scope_id
    ORDER BY f.shown, e.id
"""


def evidence_of(claim_ids: Iterable[int]) -> dict[int, list[Citation]]:
    """The evidence of each claim, its own and that of what was merged into it, oldest first. One query."""
    found: dict[int, list[Citation]] = {pk: [] for pk in claim_ids}
    if found:
        with connection.cursor() as cursor:
            cursor.execute(_EVIDENCE, [list(found)])
            for row in cursor.fetchall():
                found[row[0]].append(Citation(*row))
    return found


def claim_rows() -> QuerySet[Claim]:
    """Claims with their scope and without the columns no answer shows."""
    return Claim.objects.select_related("scope").defer("search")


# A page of claims is the most read list of all: its SQL is written once, not compiled for every request.
_FIELDS = [field for field in Claim._meta.concrete_fields if field.name != "search"]
_NAMES = [field.attname for field in _FIELDS]
_COLUMNS = ", ".join(f'c."{field.column}"' for field in _FIELDS)
_JSON = [at for at, field in enumerate(_FIELDS) if isinstance(field, JSONField)]


def claims_where(rest: str, params: Sequence[Any], *, scopes: dict[int, Scope] | None = None) -> list[Claim]:
    """The claims `c` that `rest` (SQL after WHERE) selects, each with its scope; one query more where `scopes` lacks one."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_COLUMNS} FROM ledger_claim c WHERE {rest}", params)  # noqa: S608
        rows = cursor.fetchall()
    claims = []
    for row in rows:
        values = list(row)
        for at in _JSON:
            if values[at] is not None:
                values[at] = json.loads(values[at])
        claims.append(Claim.from_db(connection.alias, _NAMES, values))
    known = scopes or {}
    missing = {claim.scope_id for claim in claims} - known.keys()
    if missing:
        known = known | Scope.objects.in_bulk(missing)
    for claim in claims:
        claim.scope = known[claim.scope_id]
    return claims


def claim_at(
    id_or_ref: int | str, access: Access, *, right: Right = Right.READ, claims: QuerySet[Claim] | None = None
) -> Claim:
    """The claim with this id or ref.

    Raises `NotFound` where there is none or it is out of sight, `Forbidden` where it is in sight and `right` is missing.
    """
    rows = claim_rows() if claims is None else claims
    word = str(id_or_ref)
    claim = None
    if word.isascii() and word.isdigit() and len(word) <= 19 and int(word) <= MAX_ID:
        claim = rows.filter(pk=int(word)).first()
    elif 0 < len(word) <= 40 and word.isprintable():
        claim = rows.filter(ref=word.upper()).first()
    if claim is None or not access.sees(claim.scope.path):
        raise NotFound(f"no claim {word[:60]!r}")
    if not access.may(right, claim.scope.path):
        raise Forbidden(f"you may not {right} in {claim.scope.path}")
    return claim
