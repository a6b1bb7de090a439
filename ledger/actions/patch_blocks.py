"""Keep the knowledge blocks (T8): which claims stand in them, and which questions are answered, written with the decision itself.

A patch looks at the claims that changed, at what holds on their keys, and at no other; it costs the same however much there is.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from ledger.models import BlockLine, BlockRevision, Claim, JournalEvent, Scope
from ledger.packs import PackSet
from ledger.reads.packs import packs_of_each
from ledger.reads.sql import fetch_rows
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
    live = list(_rows().filter(scope=scope, status="active", key__in=keys))
    questions = {claim.pk: claim for claim in live if claim.kind_id in packs.question_kinds}
    looked_at = changed | questions
    wanted = _lines(looked_at.values(), live, scope, packs)
    _write(scope, _lines_now(BlockLine.objects.filter(claim__in=looked_at)), wanted, event)


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
    author = event.actor_name if event else REBUILT
    blocks = _raise_revisions(scope.pk, changes, author)
    if gone:
        BlockLine.objects.filter(claim__in=gone).delete()
    BlockLine.objects.bulk_create(
        BlockLine(block_id=blocks[place.block][0], claim_id=pk, answer_id=place.answer)
        for pk, place in sorted(new.items())
    )
    BlockRevision.objects.bulk_create(
        BlockRevision(block_id=blocks[key][0], number=blocks[key][1], event=event, author=author, changes=told)
        for key, told in changes.items()
    )


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


# In one order, so that two decisions about one scope cannot wait crosswise; a block is made with its first line.
_RAISE = """
    INSERT INTO ledger_block (scope_id, key, revision, author, updated_at)
    SELECT %s, key, 1, %s, clock_timestamp() FROM unnest(%s::text[]) AS key ORDER BY key
    ON CONFLICT (scope_id, key) DO UPDATE SET revision = ledger_block.revision + 1, author = EXCLUDED.author,
        updated_at = EXCLUDED.updated_at
    RETURNING key, id, revision
"""


def _raise_revisions(scope_id: int, keys: Iterable[str], author: str) -> dict[str, tuple[int, int]]:
    """By key the id and the new revision of each block."""
    rows: list[Any] = fetch_rows(_RAISE, [scope_id, author, sorted(keys)])
    return {key: (pk, revision) for key, pk, revision in rows}
