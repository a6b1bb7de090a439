"""Sentences of minutes in which somebody of those present takes something on: `Bo to follow up with the landlord`, `Ines will write
to the choir`, `Cy offered to paint the door`. Who is meant is known from the minutes' own list of people, so that no label is needed.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from extraction.extractors.documents.attendance import Attendance, attendance_of
from extraction.extractors.documents.commitment_forms import IN_MEETING, LATER, NO_TO, NO_WILL, TAKES_ON
from extraction.extractors.documents.hits import RuleMatch, SectionLike
from extraction.extractors.documents.nothing import is_blank_form, says_done
from extraction.extractors.documents.owners import looks_like_names
from extraction.extractors.documents.page import Page, trim_marks
from extraction.extractors.documents.pieces import Piece, pieces_of
from ledger.language.own_words import without_quoted

RULE: Final = "sentence.commits"
ACTION: Final = "action_item"
MAX_SENTENCE: Final = 600

_WORD: Final = r"@?\w(?:[\w.-]|['’](?!(?:ll|s|re)\b)){0,30}"
_PERSON: Final = rf"{_WORD}(?: [A-ZÀ-Þ][\w.'’-]{{0,30}}){{0,3}}"
_JOIN: Final = r"(?:,? (?:and|und|y|et|e|en) |, ?| ?& ?| ?/ ?| ?\+ ?)"
# Where a subject may begin: with the sentence or a clause, in brackets, behind "agreed that".
_BOUNDARY: Final = re.compile(
    r"(?P<start>\A\W*)|(?P<clause>[;:–—]\s+|\s-+\s+)|(?P<comma>,\s+)|(?P<bracket>\()"
    r"|\b(?P<joined>and|but|so|while|then|und|aber|y|pero|et|mais|ma)\s+"
    r"|\b(?P<agreed>agreed|decided|resolved|confirmed|beschlossen|vereinbart|acordó|acuerda|convenu|décidé)(?: that|,? dass| que)?\s+",
    re.I,
)
# `By Friday Ann will …`, `For the newsletter Bo to …`
_ADVERBIAL: Final = re.compile(
    r"\W*(?:by|before|on|at|in|for|until|next|from|during|then|also|meanwhile|afterwards|finally|additionally|later|therefore|thus"
    r"|so|instead|once|after|this|bis|am|im|danach|dann|außerdem|para|antes|el|pour|avant|d['’]ici)\b[^.;,:()\n]{1,60}",
    re.I,
)
_CAPITAL: Final = re.compile(r"(?<=\s)[A-ZÀ-Þ@]")
_NAMES: Final = re.compile(
    rf"(?P<names>{_PERSON}(?:{_JOIN}{_PERSON}){{0,4}})(?:\s\([^()]{{1,60}}\))?(?:,?\s+|(?=['’](?:ll|s|re)\b))(?=[a-zà-öø-ÿ'’])"
)
# The subject of the sentence again: `Ann mended the pump and will send the bill`.
_GOES_ON: Final = re.compile(r"(?:,? (?:and|but|then|so|y|et|und)|[;,]) (?=(?:has |have |also )?(?:will|offer|volunteer|promise|under)\w*\b)")
# What takes the ground from under a commitment that stands behind it.
_SUPPOSES: Final = re.compile(
    r"\b(?:if|unless|whether|in case|provided|assuming|suppos\w+|when|should|would|hop(?:es?|ing)|think\w*|thought|says?|said|asks?"
    r"|asked|wonder\w*|believ\w*|expect\w*|suggest\w*|propos\w*|wants?|wish\w*|report(?:s|ed)|mention\w*|remind\w*|because|since|until"
    r"|worr\w+|afraid|falls|wenn|sofern|ob|si|cuando|quand|dice|dijo|dit|sagt|meint)\b(?![^;]*\b(?:agreed|decided)\b)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Commitment:
    """That `names` take something on, in the words `start:end` of a sentence."""

    names: str
    start: int
    end: int


def commitment_matches(page: Page, sections: Sequence[SectionLike]) -> Iterator[RuleMatch]:
    """One inferred action for each commitment of somebody whom the text lists as one of its people."""
    people = attendance_of(page.shadow, page.headings)
    if not people:
        return
    starts, speaker = [section.start for section in sections], ""
    for piece in pieces_of(page.shadow, page.headings):
        if sections[max(0, bisect_right(starts, piece.start) - 1)].speaker in ("agent", "tool"):
            continue
        words = page.shadow[piece.start : piece.end]
        for one in commitments_in(words, people) if _may_commit(words, piece) else ():
            start, end = trim_marks(page.shadow, piece.start + one.start, piece.start + one.end, "")
            yield RuleMatch(RULE, "commitment", ACTION, start, end, explicit=False, assignee=one.names)


def _may_commit(words: str, piece: Piece) -> bool:
    asks = words.rstrip("*_) ").endswith(("?", "？"))
    return len(words) <= MAX_SENTENCE and not asks and piece.ticked != "x" and not is_blank_form(words) and not says_done(_MARKUP.sub(" ", words))


_MARKUP: Final = re.compile(r"[*_`~\[\]]|\]\([^()\s]{1,200}\)|\bname=")


def commitments_in(words: str, people: Attendance) -> list[Commitment]:
    """Who takes what on in one sentence; each of several in a clause of its own."""
    plain = _MARKUP.sub(lambda mark: " " * len(mark[0]), without_quoted(words.replace("\n", " ")))
    subjects = list(_subjects(plain, people))
    if not subjects:
        names = _first_subject(plain, people)
        return [Commitment(names, 0, len(words))] if names and _goes_on(plain) else []
    edges = [0, *(at for at, _ in subjects[1:]), len(words)]
    return [Commitment(names, *span) for (_, names), span in zip(subjects, zip(edges, edges[1:], strict=False), strict=True)]


def _subjects(plain: str, people: Attendance) -> Iterator[tuple[int, str]]:
    over = 0
    for kind, at in _openings(plain):
        names = _subject(plain, at, kind, people) if at >= over else ""
        if names:
            yield at, names
            over = at + len(names)


def _openings(plain: str) -> Iterator[tuple[str, int]]:
    """Where a subject may begin, and what stands before it."""
    places = {found.end(): found.lastgroup or "" for found in _BOUNDARY.finditer(plain)}
    if opener := _ADVERBIAL.match(plain):
        places |= {found.start(): "adverbial" for found in _CAPITAL.finditer(plain, 1, opener.end())}
    yield from ((places[at], at) for at in sorted(places))


def _subject(plain: str, at: int, kind: str, people: Attendance) -> str:
    """The names of those who take something on where a clause begins; empty where nobody does."""
    found = _NAMES.match(plain, at)
    names = _known(found["names"], people) if found else ""
    if not found or not names or (kind != "start" and _SUPPOSES.search(plain, 0, at)):
        return ""
    form = TAKES_ON.match(plain, found.end())
    return names if form and _commits(form, plain, kind) else ""


def _commits(form: re.Match[str], plain: str, kind: str) -> bool:
    verb = form["verb"]
    if verb is None:
        return True
    if form["to"] and (verb in NO_TO or kind == "joined"):
        return False
    if verb in IN_MEETING:
        return LATER.search(plain, form.end()) is not None
    return verb not in NO_WILL


def _known(written: str, people: Attendance) -> str:
    """The names as written where one is of the people listed and the others are written as names are."""
    parts = [part for part in _PARTED.split(written) if part]
    listed = list(map(people.knows, parts))
    others = [part for part, known in zip(parts, listed, strict=True) if not known]
    return written if any(listed) and all(map(looks_like_names, others)) else ""


_PARTED: Final = re.compile(_JOIN)


def _first_subject(plain: str, people: Attendance) -> str:
    found = _NAMES.match(plain, _START.match(plain).end())  # type: ignore[union-attr]
    return _known(found["names"], people) if found else ""


_START: Final = re.compile(r"\W*")


def _goes_on(plain: str) -> bool:
    return any(
        form and _commits(form, plain, "start")
        for more in _GOES_ON.finditer(plain)
        if (form := TAKES_ON.match(plain, more.end())) and not _SUPPOSES.search(plain, 0, more.start())
    )
