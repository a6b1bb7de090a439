"""Keep the knowledge blocks (T8): which claims stand in them, and which questions are answered, written with the decision itself.

A patch looks at the claims that changed, at what holds on their keys, and at no other; it costs the same however much there is.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from ledger.models import BlockLine, Claim, JournalEvent, Scope
from ledger.packs import PackSet
from ledger.reads.packs import packs_of_each
from ledger.rules.blocks import answer_among
from ledger.verbs import REDACTED

REBUILT = "rebuild"
COLUMNS = (
    "ref",
    "scope",
    "kind",
    "key",
    "subject",
    "value",
    "statement",
    "assignee",
    "status",
    "promoted_at",
    "proposed",
)


@dataclass(frozen=True, slots=True)
class LinePlace:
    """Where a claim stands: the key of its block, and the claim that answers it, by id and ref."""

    ref: str
    block: str
    answer: int | None = None
    answer_ref: str = ""


# By the id of the claim.
type Lines = dict[int, LinePlace]


def patch_blocks(event: JournalEvent, changed: Iterable[Claim]) -> None:
    """What `event` did to these claims, in the blocks of their scopes. A fixed number of statements for each scope; one where no
    pack has blocks."""
    by_scope: dict[int, dict[int, Claim]] = defaultdict(dict)
    for claim in changed:
        by_scope[claim.scope_id][claim.pk] = claim
    scopes = [_scope_of(by_scope[pk], event) for pk in sorted(by_scope)]
    packs = packs_of_each(scopes)
    for scope in scopes:
        if packs[scope.pk].blocks:
            _patch(scope, packs[scope.pk], by_scope[scope.pk], event)


def _scope_of(claims: Mapping[int, Claim], event: JournalEvent) -> Scope:
    """That of the event is at hand."""
    claim = next(iter(claims.values()))
    return event.scope if claim.scope_id == event.scope_id else claim.scope


def _patch(scope: Scope, packs: PackSet, changed: dict[int, Claim], event: JournalEvent) -> None:
    keys = {claim.key for claim in changed.values()} - {""}
    on_keys = Q(scope=scope, status="active", key__in=keys)
    rows: list[Any] = list(_rows().filter(on_keys | Q(pk__in=changed)).annotate(**_LINE))
    live = [row for row in rows if row.status == "active" and row.key in keys and row.scope_id == scope.pk]
    questions = {row.pk: row for row in live if row.kind_id in packs.question_kinds}
    looked_at = questions | changed
    now = {row.pk: _line_of(row) for row in rows if row.pk in looked_at and row.in_block}
    _write(scope, now, _lines(looked_at.values(), live, scope, packs), event)


# The line of a claim, read with it.
_LINE = {
    "in_block": F("block_line__block__key"),
    "answer_id": F("block_line__answer"),
    "answer_ref": F("block_line__answer__ref"),
}


def _line_of(row: Any) -> LinePlace:
    return LinePlace(row.ref, row.in_block, row.answer_id, row.answer_ref or "")


def rebuild_blocks(
    scopes: QuerySet[Scope], *, check: bool = False, event: JournalEvent | None = None
) -> tuple[int, int]:
    """Make the blocks of these scopes anew from all that holds there, or only compare: how many lines there are, and how many
    differed."""
    seen = wrong = 0
    holding = Claim.objects.filter(scope=OuterRef("pk"), status="active")
    shown = BlockLine.objects.filter(block__scope=OuterRef("pk"))
    for scope in scopes.filter(Exists(holding) | Exists(shown)).order_by("pk"):
        with transaction.atomic():
            packs = packs_of_each([scope])[scope.pk]
            live = list(_rows().filter(scope=scope, status="active"))
            wanted = _lines(live, live, scope, packs)
            now = _lines_now(BlockLine.objects.filter(block__scope=scope))
            differing = dict(now.items() ^ wanted.items())
            if differing and not check:
                _write(scope, now, wanted, event)
        seen, wrong = seen + len(wanted), wrong + len(differing)
    return seen, wrong


def _rows() -> QuerySet[Claim]:
    return Claim.objects.only(*COLUMNS)


def _lines(shown: Iterable[Claim], live: Iterable[Claim], scope: Scope, packs: PackSet) -> Lines:
    """Where those of `shown` that hold belong. `live` are the claims of the scope that may answer a question among them."""
    on_key: dict[str, list[Claim]] = defaultdict(list)
    for claim in live:
        on_key[claim.key].append(claim)
    lines: Lines = {}
    for claim in filter(_holds, shown):
        block = packs.block_showing(claim.kind_id, claim.key, scope.tier)
        if block:
            answer = answer_among(on_key[claim.key], packs) if claim.kind_id in packs.question_kinds else None
            lines[claim.pk] = LinePlace(claim.ref, block.key, *((answer.pk, answer.ref) if answer else ()))
    return lines


def _holds(claim: Claim) -> bool:
    """What a purge left without words stands in no block."""
    return claim.status == "active" and claim.proposed != REDACTED


def _lines_now(rows: QuerySet[BlockLine]) -> Lines:
    places = rows.values_list("claim_id", "claim__ref", "block__key", "answer_id", "answer__ref")
    return {claim: LinePlace(ref, block, answer, by or "") for claim, ref, block, answer, by in places}


def _write(scope: Scope, now: Lines, wanted: Lines, event: JournalEvent | None) -> None:
    """What differs, with one revision of each block that it changes."""
    gone, new = dict(now.items() - wanted.items()), dict(wanted.items() - now.items())
    if not (gone or new):
        return
    changes = _changes(now, wanted, gone.keys() | new.keys())
    if gone:
        BlockLine.objects.filter(claim__in=gone).delete()
    lines = sorted(new.items())
    told: dict[str, Any] = {"scope": scope.pk, "author": REBUILT, "event": None}
    if event:
        told |= {"author": event.actor_name, "event": event.pk}
    told |= {"keys": list(changes), "changes": [json.dumps(one) for one in changes.values()]}
    told |= {"claims": [pk for pk, _ in lines], "places": [place.block for _, place in lines]}
    told["answers"] = [place.answer for _, place in lines]
    with connection.cursor() as cursor:
        cursor.execute(_REVISE, told)


def _changes(now: Lines, wanted: Lines, differing: Iterable[int]) -> dict[str, list[dict[str, str]]]:
    """By block what changes there, in words that the revision keeps."""
    changes: dict[str, list[dict[str, str]]] = defaultdict(list)
    for pk in sorted(differing):
        for block, told in _change(now.get(pk), wanted.get(pk)):
            changes[block].append(told)
    return changes


def _change(was: LinePlace | None, will: LinePlace | None) -> list[tuple[str, dict[str, str]]]:
    by = {"by": will.answer_ref} if will and will.answer else {}
    if was and will and was.block == will.block:
        return [(will.block, {"op": "close" if by else "reopen", "ref": will.ref, **by})]
    removed = [(was.block, {"op": "remove", "ref": was.ref})] if was else []
    return removed + ([(will.block, {"op": "add", "ref": will.ref, **by})] if will else [])


# The revision of each block that changes, its new lines, and what changed. In one order, so that two decisions about one
# scope cannot wait crosswise; a block is made with its first line.
_REVISE = """
    WITH changed AS (SELECT * FROM unnest(%(keys)s::text[], %(changes)s::jsonb[]) AS c(key, changes)),
    raised AS (
        INSERT INTO ledger_block (scope_id, key, revision, author, updated_at)
        SELECT %(scope)s, key, 1, %(author)s, clock_timestamp() FROM changed ORDER BY key
        ON CONFLICT (scope_id, key) DO UPDATE SET revision = ledger_block.revision + 1, author = EXCLUDED.author,
            updated_at = EXCLUDED.updated_at
        RETURNING key, id, revision
    ),
    lines AS (
        INSERT INTO ledger_blockline (block_id, claim_id, answer_id)
        SELECT raised.id, new.claim, new.answer
        FROM unnest(%(claims)s::bigint[], %(places)s::text[], %(answers)s::bigint[]) AS new(claim, place, answer)
        JOIN raised ON raised.key = new.place ORDER BY new.claim
    )
    INSERT INTO ledger_blockrevision (block_id, number, event_id, author, changes, at)
    SELECT raised.id, raised.revision, %(event)s, %(author)s, changed.changes, clock_timestamp()
    FROM raised JOIN changed USING (key)
"""
