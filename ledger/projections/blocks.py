"""Knowledge blocks as they are read (T8): their JSON and Markdown now and at an earlier revision, and what changed when."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, Final

from django.db.models import BooleanField, Count, ExpressionWrapper, F, Q, Window
from django.db.models.functions import RowNumber

from ledger.errors import NotFound
from ledger.models import Block, BlockLine, BlockRevision, Claim, Scope
from ledger.packs import BlockSpec, PackSet
from ledger.reads.packs import packs_of
from ledger.reads.page import Page, check_limit, decode_cursor, page_of
from ledger.reads.replay import replayed_columns, set_replayed
from ledger.rules.blocks import (
    Content,
    ShownLine,
    answer_among,
    content_of,
    markdown_of,
    name_in,
)
from ledger.verbs import REDACTED

# More entries than any block has.
ALL: Final = 1_000_000_000


@dataclass(frozen=True)
class BlockPage:
    """One block of a scope: what its pack declares, its lines, and its revision; 0 where nothing ever stood in it. `left_out`
    counts the older entries of a list that were not read."""

    spec: BlockSpec
    packs: PackSet
    lines: Sequence[ShownLine]
    revision: int = 0
    author: str = ""
    updated_at: dt.datetime | None = None
    left_out: int = 0

    @cached_property
    def content(self) -> Content:
        """The JSON (`ledger.rules.blocks.content_of`)."""
        return content_of(self.spec, self.packs, self.lines)

    @property
    def markdown(self) -> str:
        return markdown_of(self.spec.title, self.content, self.titles)

    @property
    def titles(self) -> dict[str, str]:
        """By the name of a cell what people call it."""
        return {name_in(self.spec, key): spec.title for key, spec in self.packs.keys.items() if spec.title}

    @property
    def claims(self) -> list[Claim]:
        return [line.claim for line in self.lines if isinstance(line.claim, Claim)]


def blocks_of(scope: Scope, *, newest: int = ALL) -> list[BlockPage]:
    """The blocks of the scope in the order of its packs: those of its tier, and others in which something stands; of entries
    without a key only the `newest` of each block. Two queries beside the packs."""
    packs = packs_of(scope)
    if not packs.blocks:
        return []
    heads = {row.key: row for row in Block.objects.filter(scope=scope)}
    lines = _lines_of(heads.values(), newest)
    shown = (spec for spec in packs.blocks.values() if _belongs(spec, scope, lines))
    return [_page(spec, packs, heads.get(spec.key), lines) for spec in shown]


def blocks_among(scope: Scope, claims: Iterable[Claim], packs: PackSet) -> list[BlockPage]:
    """The same out of these claims alone: what was believed at another time."""
    on_key: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        on_key[claim.key].append(claim)
    lines: dict[str, list[ShownLine]] = defaultdict(list)
    for claim in chain.from_iterable(on_key.values()):
        if spec := packs.block_showing(claim.kind_id, claim.key, scope.tier):
            answer = answer_among(on_key[claim.key], packs) if claim.kind_id in packs.question_kinds else None
            lines[spec.key].append(ShownLine(claim, answer.ref if answer else ""))
    return [BlockPage(spec, packs, lines[spec.key]) for spec in packs.blocks.values() if _belongs(spec, scope, lines)]


def block_of(scope: Scope, key: str, *, revision: int | None = None) -> BlockPage:
    """One block, as it stands or at an earlier revision. Raises `NotFound`."""
    packs = packs_of(scope)
    spec, head = packs.blocks.get(key), Block.objects.filter(scope=scope, key=key[:60].replace("\0", "")).first()
    if spec is None or not _belongs(spec, scope, {key: head}):
        raise NotFound(f"no block {key[:60]!r} in {scope.path}")
    if revision is None or (head and revision == head.revision):
        return _page(spec, packs, head, _lines_of([head] if head else []))
    return _at_revision(spec, packs, head, revision)


def block_history(
    scope: Scope, key: str, *, limit: int = 50, cursor: str | None = None, count: bool = False
) -> Page[BlockRevision]:
    """What changed in a block, the latest first, each with its event. Raises `NotFound` as `block_of`."""
    block_of(scope, key)
    rows = BlockRevision.objects.filter(block__scope=scope, block__key=key).select_related("event")
    total = rows.count() if count else None
    if cursor:
        rows = rows.filter(number__lt=decode_cursor(cursor, (int,))[0])
    return page_of(
        list(rows.order_by("-number")[: check_limit(limit) + 1]), limit, lambda row: [row.number], total=total
    )


def _belongs(spec: BlockSpec, scope: Scope, lines: Mapping[str, object]) -> bool:
    """A block of the scope's tier, or one in which something stands."""
    return (spec.scope == "item") == (scope.tier == "item") or bool(lines.get(spec.key))


@dataclass(slots=True)
class StandingLines:
    """What was read of one block, and how many older entries were not."""

    shown: list[ShownLine] = field(default_factory=list)
    left_out: int = 0


def _page(spec: BlockSpec, packs: PackSet, head: Block | None, lines: Mapping[str, StandingLines]) -> BlockPage:
    if head is None:
        return BlockPage(spec, packs, ())
    standing = lines.get(spec.key) or StandingLines()
    return BlockPage(spec, packs, standing.shown, head.revision, head.author, head.updated_at, standing.left_out)


# The newest entries of each block come first; lines with a key are read whatever their number.
_PLACE = Window(
    RowNumber(),
    partition_by=[F("block_id"), ExpressionWrapper(Q(claim__key=""), BooleanField())],
    order_by=["-claim__promoted_at", "-claim_id"],
)
_ENTRIES = Window(Count("pk", filter=Q(claim__key="")), partition_by=F("block_id"))


def _lines_of(heads: Iterable[Block], newest: int = ALL) -> dict[str, StandingLines]:
    """By key of the block. One query, none for no block."""
    keys = {head.pk: head.key for head in heads}
    rows = BlockLine.objects.filter(block__in=keys).annotate(place=_PLACE, entries=_ENTRIES)
    rows = rows.filter(~Q(claim__key="") | Q(place__lte=newest)).select_related("claim", "answer")
    lines: dict[str, StandingLines] = defaultdict(StandingLines)
    for row in rows.defer("claim__search", "claim__proposed", "answer__search", "answer__proposed"):
        standing = lines[keys[row.block_id]]
        standing.shown.append(ShownLine(row.claim, row.answer.ref if row.answer else ""))
        standing.left_out = max(0, row.entries - newest)
    return lines


def _at_revision(spec: BlockSpec, packs: PackSet, head: Block | None, number: int) -> BlockPage:
    """Which claims stood in it by its own log, and what they said then by the journal."""
    log = list(BlockRevision.objects.filter(block=head, number__lte=number).select_related("event").order_by("number"))
    if head is None or not log or log[-1].number != number:
        raise NotFound(f"block {spec.key} has no revision {number}")
    shown: dict[str, str] = {}
    for row in log:
        for change in row.changes:
            _fold(shown, change)
    last = log[-1]
    at = last.event.at if last.event else last.at
    claims = list(Claim.objects.filter(ref__in=shown).defer("search"))
    told = replayed_columns("claim", [claim.pk for claim in claims], until=at)
    kept = [claim for claim in claims if claim.proposed != REDACTED]
    for claim in kept:
        set_replayed(claim, told[claim.pk])
    lines = [ShownLine(claim, shown[claim.ref]) for claim in kept]
    return BlockPage(spec, packs, lines, number, last.author, at)


def _fold(shown: dict[str, str], change: Mapping[str, Any]) -> None:
    if change["op"] == "remove":
        shown.pop(change["ref"], None)
    else:
        shown[change["ref"]] = change.get("by", "")
