"""What holds in a scope and seems to hold in the one above (C15): a user said so, or what works was shown to work in several
scopes beside each other. By rule only, and only as a proposal that a person makes and another decision confirms."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ledger.language.nearness import form_of
from ledger.models import GLOBAL, Scope
from ledger.reads.sql import fetch_rows
from ledger.rules.credit import CREDITED_KIND

MAX_READ: Final = 5_000
# A user's words are read so many characters around what was quoted, within their own section.
AROUND: Final = 160
WINS: Final = 2

_PLACES: Final = (
    r"(?:repos?|repositor(?:y|ies)|projects?|code ?bases?|productions?|shows?|sites?|houses?|homes?|"
    r"projekte?n?|produktionen|dépôts?|projets?|proyectos|repositorios|progetti|projetos|projecten)\b"
)
_EVERYWHERE: Final = (
    r"\b(?:appl(?:y|ies)|holds?|goes|counts|use (?:it|this|that)|do (?:it|this|that)|(?:it|this|that) is so) everywhere\b"
    r"|\bgilt überall\b|\bs'applique partout\b|\bvale (?:en todas partes|ovunque)\b"
)
_ACROSS: Final = (
    r"\b(?:across|throughout) (?:all )?(?:of )?(?:my|our|the|these) " + _PLACES + "|"
    r"\b(?:in|for|to|across) (?:all|every|each)(?: of)?(?: (?:my|our|the))? " + _PLACES + "|"
    r"\b(?:in|für) alle[nr]? (?:(?:meine|unsere)[nr]? )?" + _PLACES + "|"
    r"\b(?:dans|pour) tous (?:mes|nos|les) " + _PLACES + "|"
    r"\b(?:en|para) todos (?:(?:mis|nuestros|los) )?" + _PLACES + "|"
    r"\bin tutti i (?:(?:miei|nostri) )?" + _PLACES
)
SAID_EVERYWHERE: Final = re.compile(_EVERYWHERE, re.I)
SAID_ACROSS: Final = re.compile(f"{_EVERYWHERE}|{_ACROSS}", re.I)

_SAID = """
    SELECT c.ref, c.version, c.kind, c.statement,
           substr(s.text, greatest(x.start, e.start - %(around)s) + 1,
                  least(x."end", e."end" + %(around)s) - greatest(x.start, e.start - %(around)s))
    FROM ledger_claim c
    JOIN ledger_evidence e ON e.claim_id = c.id AND e.speaker = 'user' AND e.stance = 'supports' AND NOT e.redacted
    JOIN ledger_section x ON x.id = e.section_id
    JOIN ledger_source s ON s.id = e.source_id
    WHERE c.scope_id = %(scope)s AND c.status = 'active' AND NOT c.disputed
      AND NOT EXISTS (SELECT FROM ledger_claim p WHERE p.scope_id = %(parent)s AND p.kind = c.kind AND p.statement = c.statement)
    ORDER BY c.id DESC LIMIT %(most)s
"""
# Tactics of the scope and of those beside it that are credited with a conversation that went well.
_WON = """
    SELECT c.scope_id, c.ref, c.version, c.kind, c.statement FROM ledger_claim c
    JOIN ledger_utility u ON u.claim_id = c.id AND u.wins > 0
    WHERE c.scope_id IN (SELECT id FROM ledger_scope WHERE parent_id = %(parent)s)
      AND c.kind = %(kind)s AND c.status = 'active' AND NOT c.disputed
      AND NOT EXISTS (SELECT FROM ledger_claim p WHERE p.scope_id = %(parent)s AND p.kind = c.kind AND p.statement = c.statement)
    ORDER BY c.id DESC LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class WiderClaim:
    """A claim that could be proposed in the scope above, and why."""

    ref: str
    version: int
    kind: str
    statement: str
    why: str


def wider_claims(scope: Scope, *, most: int) -> list[WiderClaim]:
    """What could hold above, each once, the newest first; nothing for what is said there already, in whatever status. Into the
    scope of all only by a user's words. Two queries."""
    if scope.parent_id is None:
        return []
    params = {"scope": scope.pk, "parent": scope.parent_id, "around": AROUND, "most": MAX_READ, "kind": CREDITED_KIND}
    above_all = scope.parent is not None and scope.parent.path == GLOBAL
    said = _said(fetch_rows(_SAID, params), SAID_EVERYWHERE if above_all else SAID_ACROSS)
    won = () if above_all else _won(fetch_rows(_WON, params), scope.pk)
    return list({one.ref: one for one in (*won, *said)}.values())[:most]


def _said(rows: Iterable[tuple[str, int, str, str, str]], wider: re.Pattern[str]) -> Iterator[WiderClaim]:
    for ref, version, kind, statement, words in rows:
        if said := wider.search(words):
            yield WiderClaim(ref, version, kind, statement, f"a user said “{said[0]}”")


def _won(rows: Iterable[tuple[int, str, int, str, str]], scope_id: int) -> Iterator[WiderClaim]:
    places: dict[tuple[str, ...], set[int]] = defaultdict(set)
    formed = [(form.words, *row) for row in rows if (form := form_of(row[4]))]
    for words, place, *_ in formed:
        places[words].add(place)
    for words, place, ref, version, kind, statement in formed:
        if place == scope_id and len(places[words]) >= WINS:
            yield WiderClaim(
                ref, version, kind, statement, f"it helped in {len(places[words])} scopes beside each other"
            )
