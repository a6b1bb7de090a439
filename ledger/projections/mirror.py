"""A scope's page for people who read Markdown: what is trusted and what holds, each line with its ref and one citation (P17).

The same rows give the same bytes. What was said by others is data: it stays on its line and is never markup.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count

from ledger.models import Claim, Conflict, ConflictMember, Scope
from ledger.reads.claims import Cited, evidence_of
from ledger.reads.state import Trusted, trusted_state
from ledger.rules.permissions import Access

# Of each kind at most so many, the newest; the page says how many it leaves out.
MOST = 1000
LONGEST_QUOTE = 200
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


def mirror(scope: Scope, access: Access) -> str:
    """The page of `scope` alone; trusted values of its ancestors hold here too and are listed with their place.

    The number of statements grows with the kinds in use, not with the claims. Quotes that `access` may not read show as
    withheld, purged ones as purged.
    """
    parts = [f"# {inline(scope.name)}", "", f"Scope {inline(scope.path)}, {scope.tier}."]
    parts += _section("Trusted state", [_trusted_line(one, scope) for one in trusted_state(scope)])
    for kind, count in _kinds(scope):
        rows = Claim.objects.filter(scope=scope, kind=kind, status="active").defer("search", "proposed", "summary")
        claims = sorted(rows.order_by("-pk")[:MOST], key=lambda claim: claim.pk)
        parts += _section(_title(kind), _claim_lines(claims, access, left_out=count - len(claims)))
    parts += _section("Open conflicts", _conflict_lines(scope))
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


def _trusted_line(one: Trusted, scope: Scope) -> str:
    row = one.row
    marks = ["**disputed**"] if one.disputed else []
    place = [f"of {inline(row.scope.path)}"] if row.scope_id != scope.pk else []
    cites = ["cites " + ", ".join(f"`{inline(ref)}`" for ref in row.cites)] if row.cites else []
    return " · ".join([f"- `{row.ref}` **{inline(row.key)}** {inline(row.statement)}", *marks, *place, *cites])


@dataclass(frozen=True, slots=True)
class _Marks:
    contradicted: frozenset[int]

    def of(self, claim: Claim) -> list[str]:
        marks = ["**disputed**"] if claim.disputed or claim.pk in self.contradicted else []
        return marks + (["**needs recheck**"] if claim.needs_recheck else [])


def _claim_lines(claims: Sequence[Claim], access: Access, *, left_out: int) -> list[str]:
    ids = [claim.pk for claim in claims]
    words = evidence_of(ids)
    members = ConflictMember.objects.filter(claim__in=ids, conflict__status="open").values_list("claim_id", flat=True)
    marks = _Marks(frozenset(pk for pk in members if pk is not None))
    lines = [_claim_line(claim, words[claim.pk], marks, access) for claim in claims]
    if left_out > 0:
        lines.append(f"- … and {left_out} older ones")
    return lines


def _claim_line(claim: Claim, words: Iterable[Cited], marks: _Marks, access: Access) -> str:
    said = inline(claim.statement) or "(its words were purged)"
    about = [inline(claim.key)] if claim.key else []
    who = [f"for {inline(claim.assignee)}"] if claim.assignee else []
    return " · ".join([f"- `{claim.ref}` {said}", *about, *who, *marks.of(claim), _citation(words, access)])


def _citation(words: Iterable[Cited], access: Access) -> str:
    """The first words that support it and may be read; else why there are none."""
    supporting = [row for row in words if row.stance == "supports"]
    readable = [row for row in supporting if row.readable(access)]
    for row in readable:
        if not row.redacted:
            quote = inline(row.quote if len(row.quote) <= LONGEST_QUOTE else row.quote[:LONGEST_QUOTE] + "…")
            return f"“{quote}” [source {row.source_id}](/sources/{row.source_id})"
    return "its words were purged" if readable else "its words are withheld"


def _conflict_lines(scope: Scope) -> list[str]:
    rows = list(Conflict.objects.filter(scope=scope, status="open").order_by("-pk")[:MOST])
    refs: dict[int, list[str]] = {row.pk: [] for row in rows}
    members = ConflictMember.objects.filter(conflict__in=refs).select_related("claim", "trusted").order_by("pk")
    for member in members.defer("claim__search", "claim__proposed"):
        side = member.claim or member.trusted
        if side is not None and side.status in ("active", "current"):
            refs[member.conflict_id].append(f"`{side.ref}`")
    return [f"- conflict {row.pk}: {' against '.join(refs[row.pk])}" for row in reversed(rows)]
