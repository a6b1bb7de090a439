"""A scope's page for people who read Markdown: what is trusted and what holds, each line with its ref and one citation (P17).

The same rows give the same bytes. What was said by others is data: it stays on its line and is never markup.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count

from ledger.models import Block, Claim, Conflict, ConflictMember, Scope, Tier
from ledger.reads.claims import Citation, evidence_of
from ledger.reads.state import TrustedValue, trusted_state
from ledger.rules.permissions import Access

# Of each kind at most so many, the newest; the page says how many it leaves out.
MAX_OF_A_KIND = 1000
MAX_QUOTE = 200
MAX_BLOCKS = 100
# These stand first, in this order; the other kinds follow by name.
FIRST = ("decision", "constraint", "requirement", "commitment", "preference", "fact")
TITLES = {"identity": "Identity", "episodic": "Episodes"}

_MARKUP = re.compile(r"[\\`*_\[\]<>|~&$]")
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def inline(text: str) -> str:
    """`text` as words on one line of Markdown: no line break, control or direction character, no markup or HTML."""
    words = _DIRECTIONS.sub("", _BREAKS.sub(" ", text))
    return _MARKUP.sub(r"\\\g<0>", " ".join(words.split()))


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
    blocks: list[Block]
    items: list[Scope]

    @property
    def empty(self) -> bool:
        return not (self.trusted or self.parts or self.grown or self.conflicts or self.blocks or self.items)


def mirror_page(scope: Scope, *, most: int = MAX_OF_A_KIND) -> MirrorPage:
    """What `scope` alone holds, at most `most` of each kind; trusted values of its ancestors hold here too. The number of
    statements grows with the kinds in use, not with the claims."""
    kinds = _kinds(scope)
    rows = Claim.objects.filter(scope=scope, status="active").defer("search", "proposed", "summary")
    of_kind = {
        kind: sorted(rows.filter(kind=kind).order_by("-pk")[:most], key=lambda claim: claim.pk) for kind, _ in kinds
    }
    said = _said([claim for claims in of_kind.values() for claim in claims])
    parts = [
        MirrorPart(kind, _title(kind), [said[claim.pk] for claim in of_kind[kind]], max(0, count - len(of_kind[kind])))
        for kind, count in kinds
    ]
    grown = Claim.objects.filter(scope=scope, status="graduated").select_related("successor")
    conflicts, against = _conflicts(scope)
    return MirrorPage(
        scope, trusted_state(scope), parts, list(grown.defer("search", "proposed").order_by("pk")[:most]), conflicts, against,
        list(Block.objects.filter(scope=scope)[:MAX_BLOCKS]),
        list(Scope.objects.filter(parent=scope, tier=Tier.ITEM).order_by("path")[:most]),
    )  # fmt: skip


def mirror(scope: Scope, access: Access) -> str:
    """The page in Markdown. Quotes that `access` may not read show as withheld, purged ones as purged."""
    found = mirror_page(scope)
    parts = [f"# {inline(scope.name)}", "", f"Scope {inline(scope.path)}, {scope.tier}."]
    parts += _section("Trusted state", [_trusted_line(one, scope) for one in found.trusted])
    for part in found.parts:
        lines = [_claim_line(one, access) for one in part.lines]
        parts += _section(part.title, lines + [f"- … and {part.left_out} older ones"] * (part.left_out > 0))
    parts += _section("Grown into entities", [_grown_line(claim) for claim in found.grown])
    lines = [f"- conflict {row.pk}: {' against '.join(found.against[row.pk])}" for row in found.conflicts]
    parts += _section("Open conflicts", lines)
    if len(parts) == 3:
        parts += ["", "Nothing holds here yet."]
    return "\n".join(parts) + "\n"


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *lines] if lines else []


def _kinds(scope: Scope) -> list[tuple[str, int]]:
    rows = Claim.objects.filter(scope=scope, status="active").order_by().values_list("kind").annotate(n=Count("pk"))
    return sorted(rows, key=lambda row: (FIRST.index(row[0]) if row[0] in FIRST else len(FIRST), row[0]))


def _title(kind: str) -> str:
    return TITLES.get(kind) or inline(kind.replace("_", " ").capitalize()) + "s"


def _trusted_line(one: TrustedValue, scope: Scope) -> str:
    row = one.row
    marks = ["**disputed**"] if one.disputed else []
    place = [f"of {inline(row.scope.path)}"] if row.scope_id != scope.pk else []
    cites = ["cites " + ", ".join(f"`{inline(ref)}`" for ref in row.cites)] if row.cites else []
    return " · ".join([f"- `{row.ref}` **{inline(row.key)}** {inline(row.statement)}", *marks, *place, *cites])


def _said(claims: Sequence[Claim]) -> dict[int, MirrorLine]:
    """By id; two queries for all."""
    ids = [claim.pk for claim in claims]
    words = evidence_of(ids)
    members = ConflictMember.objects.filter(claim__in=ids, conflict__status="open").values_list("claim_id", flat=True)
    contradicted: set[int | None] = set(members)
    return {claim.pk: MirrorLine(claim, words[claim.pk], _marks(claim, contradicted)) for claim in claims}


def _marks(claim: Claim, contradicted: set[int | None]) -> list[str]:
    marks = ["disputed"] if claim.disputed or claim.pk in contradicted else []
    return marks + (["needs recheck"] if claim.needs_recheck else [])


def _claim_line(one: MirrorLine, access: Access) -> str:
    claim = one.claim
    said = inline(claim.statement) or "(its words were purged)"
    about = [inline(claim.key)] if claim.key else []
    who = [f"for {inline(claim.assignee)}"] if claim.assignee else []
    marks = [f"**{mark}**" for mark in one.marks]
    return " · ".join([f"- `{claim.ref}` {said}", *about, *who, *marks, _citation(one.words, access)])


def _grown_line(claim: Claim) -> str:
    heir = f"`{claim.successor.ref}`" if claim.successor else "an entity"
    return f"- `{claim.ref}` {inline(claim.statement) or '(its words were purged)'} · now {heir}"


def _citation(words: Iterable[Citation], access: Access) -> str:
    """The first words that support it and may be read; else why there are none."""
    supporting = [row for row in words if row.stance == "supports"]
    readable = [row for row in supporting if row.readable(access)]
    for row in readable:
        if not row.redacted:
            quote = inline(row.quote if len(row.quote) <= MAX_QUOTE else row.quote[:MAX_QUOTE] + "…")
            return f"“{quote}” [source {row.source_id}](/sources/{row.source_id})"
    return "its words were purged" if readable else "its words are withheld"


def _conflicts(scope: Scope) -> tuple[list[Conflict], dict[int, list[str]]]:
    rows = list(Conflict.objects.filter(scope=scope, status="open").order_by("-pk")[:MAX_OF_A_KIND])
    refs: dict[int, list[str]] = {row.pk: [] for row in rows}
    members = ConflictMember.objects.filter(conflict__in=refs).select_related("claim", "trusted").order_by("pk")
    for member in members.defer("claim__search", "claim__proposed"):
        side = member.claim or member.trusted
        if side is not None and side.status in ("active", "current"):
            refs[member.conflict_id].append(f"`{side.ref}`")
    return list(reversed(rows)), refs
