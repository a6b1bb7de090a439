"""Sentences of minutes that report what was decided, without a label: `The committee agreed to …`, `It was decided that …`,
`There was consensus to …`, `The motion carried`.

Only in texts that show to be minutes, by their title or by who attended. Who decides is the meeting itself: what other bodies, one
person or an earlier meeting decided is news, and plans, conditions, denials, questions and proposals settle nothing.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from extraction.extractors.documents.hits import RuleMatch, SectionLike
from extraction.extractors.documents.layout import trim_marks
from extraction.extractors.documents.nothing import settles_nothing
from extraction.extractors.documents.page import Page
from extraction.extractors.documents.patterns import places_of
from extraction.extractors.documents.reported_forms import LEFT_OPEN, MENTIONS, NOT_THIS_MEETING, decides
from ledger.language.outline import Heading, front_matter_end

RULE: Final = "sentence.reported"
MAX_REPORT: Final = 500
_TITLE: Final = re.compile(
    r"\b(?:minutes|meeting(?:s| notes| summary| record)?|(?:call|telecon|sync) notes|notes|agenda|protokoll|niederschrift|sitzung"
    r"|acta|reunión|compte[- ]rendu|procès[- ]verbal|réunion|ata|reunião|verbale|riunione|notulen|vergadering|verslag)\b",
    re.I,
)
_ATTENDED: Final = re.compile(
    r"^[ \t>#*_|-]*(?:present|attend(?:ees|ance|ing|ed)?|participants?|in attendance|roll call|apologies|regrets|absent|quorum"
    r"|members (?:present|attending)|minute[- ]?taker|scribes?|note[- ]?takers?|facilitator|anwesend\w*|teilnehm\w*|asistentes"
    r"|presentes|participantes|présent(?:e?s?|[·.-]?e[·.-]?s)|participants|presenti|partecipanti|aanwezig\w*|deelnemers)\b[^\n]{0,40}?(?::|$|\*\*)",
    re.I | re.M,
)
HEAD: Final = 4_000


def are_minutes(page: Page) -> bool:
    """Whether a text shows to be the minutes of a meeting."""
    front = page.text[: front_matter_end(page.text)]
    named = _FRONT_TITLE.search(front) if front else None
    return bool(named and _TITLE.search(named[0])) or reads_as_minutes(page.shadow, page.headings)


_FRONT_TITLE: Final = re.compile(r"^title:[^\n]*", re.M | re.I)


def reads_as_minutes(shadow: str, heads: Sequence[Heading]) -> bool:
    titled = any(_TITLE.search(head.title) for head in heads[:2])
    return titled or _ATTENDED.search(shadow, 0, HEAD) is not None


def reported_matches(page: Page, sections: Sequence[SectionLike]) -> Iterator[RuleMatch]:
    """One inferred decision for each sentence that reports one."""
    if not are_minutes(page):
        return
    starts, line, mentions = [section.start for section in sections], 0, _mentions_in(page.plain)
    for piece in page.pieces:
        line = piece.start if piece.first else line
        mention = bisect_left(mentions, piece.start)
        if mentions[mention] >= piece.end or piece.ticked != "-" or not reports(page.shadow[piece.start : piece.end]):
            continue
        written = sections[max(0, bisect_right(starts, piece.start) - 1)].speaker in ("document", "user")
        if written and not SPEAKER.match(page.shadow, line):
            start, end = trim_marks(page.shadow, piece.start, piece.end, "")
            yield RuleMatch(RULE, "sentence", "decision", start, end, explicit=False)


def _mentions_in(plain: str) -> list[int]:
    """Where words of deciding stand, and the end: most sentences hold none."""
    return [*sorted(chain.from_iterable(places_of(stem, plain) for stem in MENTIONS)), len(plain)]


# `Ann: …`, `**Ann Lee** (Acme): …`, `<ann> …`: what follows is hers.
SPEAKER: Final = re.compile(
    r"[*_<\[(@]{0,3}[\w@][\w.'’-]{0,30}(?: [A-Z(][\w.'’-]{0,30}\)?){0,3}(?: ?\([^()\n]{1,40}\))?[*_>\])]{0,3}"
    r"(?::[*_]{0,3}|(?<=>))\s"
)


# `It was agreed that Ann will write to them`
HANDS_OVER: Final = re.compile(
    r"\b(?i:agreed|decided|resolved|consensus)(?: that| for|:)? @?[A-ZÀ-Þ][\w.'’-]{0,30}"
    r"(?:(?:,| and| &)? [A-ZÀ-Þ][\w.'’-]{0,30}){0,4} (?:will|would|shall|should|to)\b"
)


def reports(words: str) -> bool:
    """Whether one sentence says what the meeting decided."""
    if len(words) > MAX_REPORT or words.rstrip("*_ ").endswith(("?", "？", ":")):
        return False
    if not decides().match(words) or NOT_THIS_MEETING.search(words) or LEFT_OPEN.search(words):
        return False
    return not settles_nothing(words, "decision")
