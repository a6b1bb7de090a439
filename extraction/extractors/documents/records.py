"""Decision records: the state that one says it is in, what replaced it, and what it replaces.

The state is told by its front matter, its header or its Status section; what it replaces by `supersedes ADR-0009`,
`replaces DEC-20260130-001`, `Supersedes:` lists and front matter.
"""

import re
from dataclasses import dataclass
from typing import Final

from ledger.language.fold import normalise_label
from ledger.language.outline import front_matter_end, one_break

# The first word that fits counts; longer ones first.
OPEN: Final = ("in consideration", "under consideration", "under discussion", "in discussion", "in review", "under review",
                "work in progress", "proposed", "proposal", "draft", "pending", "open", "provisional", "wip", "rfc")  # fmt: skip
GONE: Final = ("superseded", "superceded", "replaced", "deprecated", "obsolete", "obsoleted", "retired", "rejected",
                "declined", "withdrawn", "abandoned", "cancelled", "deferred", "postponed")  # fmt: skip
_HOLDS: Final = ("accepted", "approved", "adopted", "agreed", "active", "final", "decided", "implementable", "implemented",
                 "done", "enacted", "ratified", "living")  # fmt: skip
_SPELLED: Final = {"superceded": "superseded", "proposal": "proposed"}
_WORD: Final = re.compile(
    rf"(?<![\w-])({'|'.join(sorted((*OPEN, *GONE, *_HOLDS), key=len, reverse=True))})(?![\w-])", re.I
)
_FIELD: Final = re.compile(
    r"^[ \t]*[-*>]?[ \t]*[*_]{0,2}status[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(?P<rest>[^\n]{1,200})$", re.I | re.M
)
_HEADING: Final = re.compile(
    r"^(?:#{1,6}[ \t]+(?:\d+\.?[ \t]+)?status[ \t:#]*|status[ \t]*\n[=~^-]{4,}[ \t]*)$"
    r"\n(?P<body>(?:(?!^#{1,6}[ \t])[^\n]*\n?){0,12})",
    re.I | re.M,
)
_REPLACED_BY: Final = re.compile(
    r"\b(?:superseded|superceded|replaced|deprecated|obsoleted)[-_ \t]by\b[ \t]*[:*_]{0,4}(?P<rest>[^\n]{0,200})", re.I
)
# `# ADR 7 (rejected)`
_TITLE: Final = re.compile(r"\s*#[ \t][^\n]*[(\[](?P<state>[\w -]{4,40})[)\]][ \t]*$", re.M)
_FIRST_LINES: Final = 4_000
_RECORD_HEAD: Final = 20_000
_STRUCK: Final = re.compile(r"~~[^~\n]{1,80}~~|<!--.*?-->|^\[//\]:[^\n]*$", re.S | re.M)


@dataclass(frozen=True, slots=True)
class RecordState:
    """`word` as the record's own word in lower case, empty where it names none; `replaced_by` as its references are written
    elsewhere (`ADR-9`)."""

    word: str = ""
    replaced_by: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether it is in force as far as the record says. One that says nothing is taken at its word."""
        return not self.word or self.word in _HOLDS

    @property
    def tags(self) -> tuple[str, ...]:
        """`status:accepted`, `replaced-by:ADR-9`."""
        status = [f"status:{self.word}"] if self.word else []
        return (*status, *(f"replaced-by:{ref}" for ref in self.replaced_by))

    @property
    def warning(self) -> str:
        """What a reviewer reads where the record is not in force."""
        if self.holds:
            return ""
        return ", by ".join(filter(None, (f"The record says of itself: {self.word}", ", ".join(self.replaced_by))))


def state_of(text: str) -> RecordState:
    """Front matter before header fields before the Status section; struck-out words don't count."""
    plain = one_break(text)
    front = front_matter_end(plain)
    head = plain[: front + _FIRST_LINES]
    section = _HEADING.search(plain[:_RECORD_HEAD])
    body = _STRUCK.sub(" ", section["body"]) if section else ""
    fields = [_STRUCK.sub(" ", field["rest"]) for field in _FIELD.finditer(head)]
    title = _TITLE.match(plain, front)
    words = filter(None, map(_word_in, (*fields, body, title["state"] if title else "")))
    places = head[:front] + "\n" + head[front:1_500] + "\n" + body
    refs = (ref for clause in _REPLACED_BY.finditer(places) for ref in _replacing_refs(clause["rest"]))
    return RecordState(next(words, ""), tuple(dict.fromkeys(refs)))


def _word_in(words: str) -> str:
    found = _WORD.search(words)
    if found is None:
        return ""
    word = normalise_label(found[1])
    return _SPELLED.get(word, word)


_REPLACES: Final = (
    r"(?:supersedes?|supercedes?|replaces|replacing|superseding|obsoletes|overrides|overturns|revokes|in place of)"
)
_REF: Final = re.compile(
    r"\b(?P<own>[A-Z]{2,4}-\d{8}-\d{1,9})\b|\b(?P<series>ADR|PEP|RFC|DR|KEP|TEP)[- #]?0*(?P<number>\d{1,6})\b"
    r"|:pep:`(?P<pep>\d{1,5})`|\[(?P<linked>\d{1,5})\.[^\]\n]{0,120}\]|\]\((?:\./)?(?P<file>\d{4})-[^()\s]{1,120}\)",
    re.I,
)
_CLAUSE: Final = re.compile(rf"(?<![\w-]){_REPLACES}(?!\w)[ \t]*:?", re.I)
_PASSIVE: Final = re.compile(
    r"\b(?:is|was|be|been|being|are|were|effectively|fully|partially|partly|now)[ \t]+\Z", re.I
)
_REPLACES_FIELD: Final = re.compile(
    r"^(?:[ \t]*[*_]{0,2})(?:supersedes|supercedes|replaces|obsoletes)[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(?P<rest>[^\n]*)$",
    re.I | re.M,
)


# To the end of the sentence; the full stop in `[3. Wells](…)` ends none.
_REST: Final = re.compile(r"(?:\[[^\[\]\n]{0,200}\]|[.;](?!\s|\Z)|[^.;])*+")
MAX_REACH: Final = 300
_NUMBERS: Final = re.compile(r"[\d, \[\]\"']+")
_ITEMS_BELOW: Final = re.compile(r"(?:[ \t]*\n)*(?P<items>(?:[ \t]*[-*][^\n]*(?:\n|$))*)")
_SERIES: Final = re.compile(r"\A(?:(?:ADR|PEP)-)?0*")
MAX_LINE: Final = 1_000


def refs_replaced_in(statement: str) -> tuple[str, ...]:
    """References that one statement says it replaces, as written but for a series' plain form (`ADR-9`)."""
    refs: list[str] = []
    clauses = list(_CLAUSE.finditer(statement))
    stops = [*(clause.start() for clause in clauses[1:]), len(statement)]
    for clause, stop in zip(clauses, stops, strict=False):
        if not _PASSIVE.search(statement, max(0, clause.start() - 20), clause.start()):
            refs += _refs(_REST.match(statement, clause.end(), min(stop, clause.end() + MAX_REACH))[0])  # type: ignore[index]
    return tuple(dict.fromkeys(refs))


def refs_replaced_by(text: str) -> tuple[str, ...]:
    """What a whole decision record replaces: front matter, header fields, and its status section."""
    plain = one_break(text)
    front, head = front_matter_end(plain), plain[:_RECORD_HEAD]
    refs: list[str] = []
    for line in _REPLACES_FIELD.finditer(head):
        rest = line["rest"].strip()
        if line.start() < front or _NUMBERS.fullmatch(rest):
            refs += _NUMBER.findall(rest)
        else:
            refs += _refs(rest or _ITEMS_BELOW.match(head, line.end())["items"])  # type: ignore[index]
    in_status = False
    for line_text in head[front:].split("\n"):
        if line_text.startswith("#"):
            in_status = line_text.strip("#* \t:").casefold() == "status"
        elif len(line_text) < MAX_LINE and (in_status or _CLAUSE.match(line_text.lstrip(" \t*_-"))):
            refs += refs_replaced_in(line_text)
    distinct: dict[str, str] = {}
    for ref in refs:
        distinct.setdefault(_SERIES.sub("", ref, count=1) or ref, ref)
    return tuple(distinct.values())


def _replacing_refs(words: str) -> list[str]:
    """Every reference in some words; of bare numbers (`["0009"]`) as records of the series ADR."""
    if _NUMBERS.fullmatch(words.strip()):
        return [f"ADR-{int(number)}" for number in _NUMBER.findall(words)]
    return _refs(words)


_NUMBER: Final = re.compile(r"\d{1,6}")


def _refs(words: str) -> list[str]:
    return [_plain(ref) for ref in _REF.finditer(words)]


def _plain(ref: re.Match[str]) -> str:
    if ref["own"]:
        return ref["own"].upper()
    series = ref["series"] or ("PEP" if ref["pep"] else "ADR")
    return f"{series.upper()}-{int(ref['number'] or ref['pep'] or ref['linked'] or ref['file'])}"
