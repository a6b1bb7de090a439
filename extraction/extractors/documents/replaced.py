"""What a text says it replaces: `supersedes ADR-0009`, `replaces DEC-20260130-001`, `Supersedes:` lists, front matter."""

import re
from typing import Final

from ledger.language.outline import front_matter_end, one_break

_VERB: Final = (
    r"(?:supersedes?|supercedes?|replaces|replacing|superseding|obsoletes|overrides|overturns|revokes|in place of)"
)
_REF: Final = re.compile(
    r"\b(?P<own>[A-Z]{2,4}-\d{8}-\d{1,9})\b|\b(?P<series>ADR|PEP|RFC|DR|KEP|TEP)[- #]?0*(?P<number>\d{1,6})\b"
    r"|:pep:`(?P<pep>\d{1,5})`|\[(?P<linked>\d{1,5})\.[^\]\n]{0,120}\]|\]\((?:\./)?(?P<file>\d{4})-[^()\s]{1,120}\)",
    re.I,
)
_CLAUSE: Final = re.compile(rf"(?<![\w-]){_VERB}(?!\w)[ \t]*:?", re.I)
_PASSIVE: Final = re.compile(
    r"\b(?:is|was|be|been|being|are|were|effectively|fully|partially|partly|now)[ \t]+\Z", re.I
)
_FIELD: Final = re.compile(
    r"^(?:[ \t]*[*_]{0,2})(?:supersedes|supercedes|replaces|obsoletes)[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(?P<rest>[^\n]*)$",
    re.I | re.M,
)


# To the end of the sentence; the full stop in `[3. Wells](…)` ends none.
_REST: Final = re.compile(r"(?:\[[^\[\]\n]{0,200}\]|[.;](?!\s|\Z)|[^.;])*+")
_REACH = 300


def replaced_in(statement: str) -> tuple[str, ...]:
    """References that one statement says it replaces, as written but for a series' plain form (`ADR-9`)."""
    found: list[str] = []
    clauses = list(_CLAUSE.finditer(statement))
    for at, clause in enumerate(clauses):
        if _PASSIVE.search(statement, max(0, clause.start() - 20), clause.start()):
            continue
        reach = min(
            len(statement), clause.end() + _REACH, clauses[at + 1].start() if at + 1 < len(clauses) else len(statement)
        )
        rest = _REST.match(statement, clause.end(), reach)
        found += (_plain(ref) for ref in _REF.finditer(statement, clause.end(), rest.end() if rest else reach))
    return tuple(dict.fromkeys(found))


def refs_in(words: str) -> list[str]:
    """Every reference in some words; bare numbers where there are only numbers (`["0009"]`)."""
    if re.fullmatch(r"[\d, \[\]\"']+", words.strip()):
        return [f"ADR-{int(number)}" for number in re.findall(r"\d{1,6}", words)]
    return [_plain(ref) for ref in _REF.finditer(words)]


def replaced_by(text: str) -> tuple[str, ...]:
    """What a whole decision record replaces: front matter, header fields, and its status section."""
    plain = one_break(text)
    found: list[str] = []
    front = front_matter_end(plain)
    head = plain[:20_000]
    for line in _FIELD.finditer(head):
        rest = line["rest"].strip()
        if line.start() < front or re.fullmatch(r"[\d, \[\]\"']+", rest):
            found += re.findall(r"\d{1,6}", rest)
        elif rest:
            found += (_plain(ref) for ref in _REF.finditer(rest))
        else:
            for item in re.match(r"(?:[ \t]*\n)*(?:[ \t]*[-*][^\n]*(?:\n|$))*", head[line.end() :])[0].splitlines():  # type: ignore[index]
                found += (_plain(ref) for ref in _REF.finditer(item))
    in_status = False
    for line_text in head[front:].split("\n"):
        if line_text.startswith("#"):
            in_status = line_text.strip("#* \t:").casefold() == "status"
        elif len(line_text) < 1_000 and (in_status or _CLAUSE.match(line_text.lstrip(" \t*_-"))):
            found += replaced_in(line_text)
    distinct: dict[str, str] = {}
    for ref in found:
        distinct.setdefault(re.sub(r"^(?:ADR|PEP)-|^0+", "", re.sub(r"^(?:ADR|PEP)-0*", "", ref)) or ref, ref)
    return tuple(distinct.values())


def _plain(ref: re.Match[str]) -> str:
    if ref["own"]:
        return ref["own"].upper()
    if ref["series"]:
        return f"{ref['series'].upper()}-{int(ref['number'])}"
    if ref["pep"]:
        return f"PEP-{int(ref['pep'])}"
    return f"ADR-{int(ref['linked'] or ref['file'])}"
