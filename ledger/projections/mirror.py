"""A scope's page for people who read Markdown: what is trusted and what holds, each line with its ref and one citation (P17).

The same rows give the same bytes. What was said by others is data: it stays on its line and is never markup.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count

from ledger.language.subjects import with_subject
from ledger.models import Claim, Conflict, Scope, Tier
from ledger.projections.blocks import BlockPage, blocks_of
from ledger.reads.claims import Citation, claims_in_open_conflict, evidence_of, flags_of
from ledger.reads.conflicts import conflict_sides
from ledger.reads.state import TrustedValue, trusted_state
from ledger.rules.blocks import inline
from ledger.rules.permissions import Access

# Of each kind at most so many, the newest; the page says how many it leaves out.
MAX_OF_A_KIND = 1000
MAX_QUOTE = 200
# These stand first, in this order; the other kinds follow by name.
FIRST = ("decision", "constraint", "requirement", "commitment", "preference", "fact")
PURGED = "(its words were purged)"
TITLES = {"identity": "Identity", "episodic": "Episodes"}


@dataclass(frozen=True, slots=True)
class MirrorLine:
    """One claim that holds, with the words that it rests on and its marks (disputed, needs recheck)."""

    claim: Claim
    words: list[Citation]
    marks: list[str]


@dataclass(frozen=True, slots=True)
class MirrorPart:
    """The claims of one kind, oldest first; `left_out` is how many older ones there are besides."""

    kind: str
    title: str
    lines: list[MirrorLine]
    left_out: int


@dataclass(frozen=True, slots=True)
class MirrorPage:
    """All that a scope's page for people shows. `grown` are memories that became entities, each with its successor; `against`
    are the refs of each open conflict; `items` are the scopes of tier item right below it."""

    scope: Scope
    trusted: list[TrustedValue]
    parts: list[MirrorPart]
    grown: list[Claim]
    conflicts: list[Conflict]
    against: dict[int, list[str]]
    blocks: list[BlockPage]
    items: list[Scope]

    @property
    def empty(self) -> bool:
        return not (self.trusted or self.parts or self.grown or self.conflicts or self.blocks or self.items)


def mirror_page(scope: Scope, *, most: int = MAX_OF_A_KIND) -> MirrorPage:
    """What `scope` alone holds, at most `most` of each kind; trusted values of its ancestors hold here too. The number of
    statements grows with the kinds in use, not with the claims."""
    kinds = _kinds(scope)
    rows = Claim.objects.filter(scope=scope, status="active").defer("search", "proposed", "summary")
    newest = {kind: list(rows.filter(kind=kind).order_by("-pk")[:most])[::-1] for kind, _ in kinds}
    lines = _lines([claim for claims in newest.values() for claim in claims])
    parts = [
        MirrorPart(kind, _title(kind), [lines[claim.pk] for claim in newest[kind]], max(0, count - len(newest[kind])))
        for kind, count in kinds
    ]
    grown = Claim.objects.filter(scope=scope, status="graduated").select_related("successor")
    conflicts = list(Conflict.objects.filter(scope=scope, status="open").order_by("-pk")[:MAX_OF_A_KIND])[::-1]
    against = {pk: [f"`{side.row.ref}`" for side in sides] for pk, sides in conflict_sides(conflicts).items()}
    return MirrorPage(
        scope, trusted_state(scope), parts, list(grown.defer("search", "proposed").order_by("pk")[:most]), conflicts, against,
        [block for block in blocks_of(scope) if block.lines],
        list(Scope.objects.filter(parent=scope, tier=Tier.ITEM).order_by("path")[:most]),
    )  # fmt: skip


def _kinds(scope: Scope) -> list[tuple[str, int]]:
    rows = Claim.objects.filter(scope=scope, status="active").order_by().values_list("kind").annotate(n=Count("pk"))
    order = {kind: at for at, kind in enumerate(FIRST)}
    return sorted(rows, key=lambda row: (order.get(row[0], len(FIRST)), row[0]))


def _lines(claims: Sequence[Claim]) -> dict[int, MirrorLine]:
    """By id; two queries for all."""
    ids = [claim.pk for claim in claims]
    words, contradicted = evidence_of(ids), claims_in_open_conflict(ids)
    return {
        claim.pk: MirrorLine(
            claim, words[claim.pk], [flag.replace("_", " ") for flag in flags_of(claim, claim.pk in contradicted)]
        )
        for claim in claims
    }


def mirror(scope: Scope, access: Access) -> str:
    """The page in Markdown. Quotes that `access` may not read show as withheld, purged ones as purged."""
    found = mirror_page(scope)
    body = _section("Trusted state", [_trusted_line(one, scope) for one in found.trusted])
    for part in found.parts:
        lines = [_claim_line(one, access) for one in part.lines]
        body += _section(part.title, lines + [f"- … and {part.left_out} older ones"] * (part.left_out > 0))
    body += _section("Grown into entities", list(map(_grown_line, found.grown)))
    against = found.against.items()
    body += _section("Open conflicts", [f"- conflict {pk}: {' against '.join(refs)}" for pk, refs in against])
    head = [f"# {inline(scope.name)}", "", f"Scope {inline(scope.path)}, {scope.tier}."]
    return "\n".join([*head, *(body or ["", "Nothing holds here yet."])]) + "\n"


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *lines] if lines else []


def _title(kind: str) -> str:
    return TITLES.get(kind) or inline(kind.replace("_", " ").capitalize()) + "s"


def _trusted_line(one: TrustedValue, scope: Scope) -> str:
    row = one.row
    cites = ", ".join(f"`{inline(ref)}`" for ref in row.cites)
    return _joined(
        f"- `{row.ref}` **{inline(row.key)}** {inline(row.statement)}",
        "**disputed**" if one.disputed else "",
        f"of {inline(row.scope.path)}" if row.scope_id != scope.pk else "",
        f"cites {cites}" if cites else "",
    )


def _claim_line(one: MirrorLine, access: Access) -> str:
    claim = one.claim
    return _joined(
        f"- `{claim.ref}` {inline(with_subject(claim.statement, claim.subject)) or PURGED}",
        inline(claim.key),
        f"for {inline(claim.assignee)}" if claim.assignee else "",
        *(f"**{mark}**" for mark in one.marks),
        _citation(one.words, access),
    )


def _joined(*parts: str) -> str:
    """What there is of the parts of a line."""
    return " · ".join(filter(None, parts))


def _grown_line(claim: Claim) -> str:
    heir = f"`{claim.successor.ref}`" if claim.successor else "an entity"
    return f"- `{claim.ref}` {inline(claim.statement) or PURGED} · now {heir}"


def _citation(words: Iterable[Citation], access: Access) -> str:
    """The first words that support it and may be read; else why there are none."""
    readable = [row for row in words if row.stance == "supports" and row.readable(access)]
    row = next((row for row in readable if not row.redacted), None)
    if row is None:
        return "its words were purged" if readable else "its words are withheld"
    quote = row.quote if len(row.quote) <= MAX_QUOTE else row.quote[:MAX_QUOTE] + "…"
    return f"“{inline(quote)}” [source {row.source_id}](/sources/{row.source_id})"
