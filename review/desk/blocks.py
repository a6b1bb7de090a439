"""Knowledge blocks as pages show them: every line with the claim that says it and the words that it rests on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from ledger.models import BlockLine, Claim, Scope
from ledger.projections.blocks import BlockPage
from ledger.reads.claims import claim_rows, claims_in_open_conflict, flags_of
from ledger.rules.blocks import Content, value_words
from ledger.rules.permissions import Access
from review.desk.evidence import Quoted, quotes_of

MAX_ENTRIES = 100
MAX_BESIDE = 50


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One line: a cell under its `title`, or an entry of the list of that title. Without a claim nothing is known yet; `quoted` are
    its latest words, `others` what else holds on its key, `resolved` whether a question is answered, and by which ref."""

    title: str
    text: str
    claim: Claim | None = None
    subject: str = ""
    quoted: Quoted | None = None
    flags: Sequence[str] = ()
    others: Sequence[str] = ()
    resolved: bool | None = None
    answer: str = ""


@dataclass(frozen=True, slots=True)
class BlockSheet:
    """A block with its rows; of a long list the newest, and how many older ones are left out."""

    block: BlockPage
    rows: list[SheetRow]
    left_out: int


def block_sheets(blocks: Iterable[BlockPage], access: Access) -> list[BlockSheet]:
    """Two queries for all of them: the words of the lines shown, as the reader may see them, and the open conflicts."""
    pages = list(blocks)
    claims = {claim.ref: claim for block in pages for claim in block.claims}
    ids = [claims[said["factId"]].pk for block in pages for _, _, said in _said(block) if said["factId"]]
    quotes, disputed = quotes_of(ids, access), claims_in_open_conflict(ids)
    sheets = []
    for block in pages:
        rows = [
            _row(title, subject, said, claims.get(said["factId"]), quotes, disputed)
            for title, subject, said in _said(block)
        ]
        lists = (part for part in block.content.values() if isinstance(part, list))
        cut = sum(max(0, len(part) - MAX_ENTRIES) for part in lists)
        sheets.append(BlockSheet(block, rows, block.left_out + cut))
    return sheets


def rows_beside(scope: Scope, access: Access) -> list[SheetRow]:
    """What holds in a scope and stands in none of its blocks, the newest first. Three queries."""
    in_blocks = BlockLine.objects.filter(claim=OuterRef("pk"))
    beside = list(claim_rows().filter(~Exists(in_blocks), scope=scope, status="active").order_by("-id")[:MAX_BESIDE])
    ids = [claim.pk for claim in beside]
    quotes, disputed = quotes_of(ids, access), claims_in_open_conflict(ids)
    return [_row(claim.kind_id, "", {"text": claim.statement}, claim, quotes, disputed) for claim in beside]


def _row(
    title: str,
    subject: str,
    said: Content,
    claim: Claim | None,
    quotes: Mapping[int, Sequence[Quoted]],
    disputed: set[int],
) -> SheetRow:
    words = [one for one in quotes[claim.pk] if one.cited.stance == "supports"] if claim else []
    return SheetRow(
        title=title,
        text=said["text"] if "text" in said else value_words(said["value"], said.get("unit")),
        claim=claim,
        subject=subject,
        quoted=words[-1] if words else None,
        flags=flags_of(claim, claim.pk in disputed) if claim else (),
        others=said.get("others", ()),
        resolved=said.get("resolved"),
        answer=said.get("answeredBy", ""),
    )


def _said(block: BlockPage) -> Iterator[tuple[str, str, Content]]:
    """Title, subject and JSON of each line, in the order of the block's JSON."""
    titles = block.titles
    for name, part in block.content.items():
        if isinstance(part, list):
            yield from ((name.capitalize(), "", entry) for entry in part[-MAX_ENTRIES:])
        elif name == "parts":
            yield from (
                (titles.get(key, key), subject, cell) for subject, cells in part.items() for key, cell in cells.items()
            )
        else:
            yield titles.get(name, name), "", part
