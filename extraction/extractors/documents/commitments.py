"""Sentences of minutes in which somebody of those present takes something on: `Bo to follow up with the landlord`, `Ines will
write to the choir`, `Cy offered to paint the door`. The minutes' own list of people says who is meant, so no label is needed."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from extraction.extractors.documents.attendance import Attendance, those_who_speak
from extraction.extractors.documents.commitment_forms import (
    ALSO_WORK,
    AT_ONCE,
    BY,
    FOR_US,
    IF_TIME,
    IN_MEETING,
    LATER,
    LONG_AGO,
    NO_TO,
    NO_WILL,
    PAST,
    SELF,
    TAKES_ON,
    TOGETHER,
    WORK,
)
from extraction.extractors.documents.hits import RuleMatch, SectionLike
from extraction.extractors.documents.layout import trim_marks
from extraction.extractors.documents.nothing import is_blank_form, says_done
from extraction.extractors.documents.owners import looks_like_names
from extraction.extractors.documents.page import Page
from extraction.extractors.documents.pieces import Piece, is_transcript
from extraction.extractors.documents.reported import are_minutes
from ledger.language.own_words import without_quoted

RULE: Final = "commitment.sentence"
ACTION: Final = "action_item"
MAX_SENTENCE: Final = 600

_WORD: Final = r"@?\w(?:[\w.-]|['’](?!(?:ll|s|re)\b)){0,30}"
_PERSON: Final = rf"{_WORD}(?: [A-ZÀ-Þ][\w.'’-]{{0,30}}){{0,3}}"
_JOIN: Final = r"(?:,? (?:and|und|y|et|e|en) |, ?| ?& ?| ?/ ?| ?\+ ?)"
# What a subject may stand behind: nothing, the end of a clause, a bracket, "and", "agreed that".
_BEFORE: Final = re.compile(
    r"(?:(?P<start>\A[^\w@]*)|(?P<clause>[;:–—]\s+|\s-+\s+)|(?P<comma>,\s+)|(?P<bracket>\()"
    r"|\b(?P<joined>and|but|so|while|then|und|aber|y|pero|et|mais|ma)\s+"
    r"|\b(?P<agreed>agreed|decided|resolved|confirmed|beschlossen|vereinbart|acordó|acuerda|convenu|décidé)(?: that|,? dass"
    r"| que)?\s+"
    r")\Z",
    re.I,
)
MAX_BEFORE: Final = 24
# Others who do it too: `Kim and Ann`.
_OTHERS: Final = re.compile(rf"(?<![\w@])(?:@?[A-ZÀ-Þ][\w.'’-]{{0,30}}(?: [A-ZÀ-Þ][\w.'’-]{{0,30}})?{_JOIN}){{1,4}}\Z")
MAX_OTHERS: Final = 90
# `By Friday Ann will …`, `For the newsletter Bo to …`
_ADVERBIAL: Final = re.compile(
    r"\W*(?:by|before|on|at|in|for|until|next|from|during|then|also|meanwhile|afterwards|finally|additionally|later|therefore|thus"
    r"|so|instead|once|after|this|bis|am|im|danach|dann|außerdem|para|antes|el|pour|avant|d['’]ici)\b"
    r"(?:(?! (?:i|we|he|she|they|you|it|to|for|with|of|from|and|who|that)\b)[^.;,:()\n]){1,60}\s\Z",
    re.I,
)
# `he and Paul will`: he is somebody who was named before.
_TOGETHER: Final = re.compile(r"\b(?:he|she|they|er|sie|él|ella|il|elle) (?:and|und|y|et) \Z", re.I)
_DANGLING: Final = re.compile(
    r"[\s,;:–—(-]*(?:\b(?:and|but|so|while|then|und|aber|dann|y|pero|et|mais)\s*,?\s*)*\Z", re.I
)
_NAMED: Final = re.compile(rf"(?P<names>{_PERSON}(?:{_JOIN}{_PERSON}){{0,4}})")
_NAMES: Final = re.compile(rf"{_NAMED.pattern}(?:\s\([^()]{{1,60}}\))?(?:,?\s+|(?=['’](?:ll|s|re)\b))(?=[a-zà-öø-ÿ'’])")
# The subject of the sentence again: `Ann mended the pump and will send the bill`.
_GOES_ON: Final = re.compile(
    r"(?:,? (?:and|but|then|so|y|et|und)|[;,]) (?=(?:has |have |also )?(?:will|offer|volunteer|promise|under)\w*\b)"
)
# What takes the ground from under a commitment that stands behind it.
_SUPPOSES: Final = re.compile(
    r"\b(?:if|unless|whether|in case|provided|assuming|suppos\w+|when|should|would|hop(?:es?|ing)|think\w*|thought|says?|said|asks?"
    r"|asked|wonder\w*|believ\w*|expect\w*|suggest\w*|propos\w*|wants?|wish\w*|report(?:s|ed)|mention\w*|remind\w*|because|since"
    r"|until"
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
    if ACTION not in page.rules.labels.values() or not _may_hold_some(page):
        return
    people = Attendance.joined([page.people, those_who_speak(page.shadow)])
    starts = [section.start for section in sections]
    for at, words, speaker in _words_that_may_bind(page, people):
        if sections[max(0, bisect_right(starts, at) - 1)].speaker in ("document", "user"):
            for one in commitments_in(words, people, speaker):
                start, end = trim_marks(page.shadow, at + one.start, at + one.end, "")
                yield RuleMatch(RULE, "commitment", ACTION, start, end, explicit=False, assignee=one.names)


def _may_hold_some(page: Page) -> bool:
    """Whether a text lists people or shows to be minutes, and is no talk of which somebody labelled what counts."""
    is_labelled_talk = labels_actions(page) and is_transcript(page.shadow, least=MIN_TALK)
    return bool(page.people or are_minutes(page)) and not is_labelled_talk


def _words_that_may_bind(page: Page, people: Attendance) -> Iterator[tuple[int, str, str]]:
    """Sentences that name somebody, or in which a speaker may speak of what they will do: where each begins behind the speaker's
    name, its words, and who speaks."""
    speaker, named = "", people.words_in(page.plain)
    for piece in page.pieces:
        words, said = page.shadow[piece.start : piece.end], 0
        if piece.first:
            spoken = _SPEAKER.match(words)
            speaker = spoken["name"] if spoken and people.knows(spoken["name"]) else ""
            said = spoken.end() if spoken and speaker else 0
        names_one = named[bisect_left(named, piece.start + said)] < piece.end
        if (names_one or (speaker and ("I" in words or "ill" in words))) and _may_commit(words, piece):
            yield piece.start + said, words[said:], speaker


def labels_actions(page: Page) -> bool:
    """Whether a text labels some of its actions. Of a transcript that does, who wrote it down labelled those that count."""
    return ACTION in [*(line.kind for line in page.labels), *(section.kind for section in page.sections)]


# From so many lines on that somebody speaks it is a talk, not a list of labels.
MIN_TALK: Final = 8


# `Ann: …`, `**Ann Lee** (Acme): …`, `<ann> …`, `[AL] …`: what follows is hers.
_SPEAKER: Final = re.compile(
    r"[*_<\[(]{0,3}(?:name=)?(?P<name>@?[\w.'’-]{1,31}(?: [A-Z][\w.'’-]{0,30}){0,3})[*_]{0,3}(?: ?\([^()\n]{1,40}\))?"
    r"(?:[*_>\])]{0,3}:[*_]{0,3}|[>\]])\s+"
)


def _may_commit(words: str, piece: Piece) -> bool:
    asks = words.rstrip("*_) ").endswith(("?", "？"))
    return len(words) <= MAX_SENTENCE and not asks and piece.ticked != "x"


_MARKUP: Final = re.compile(r"[*_`~\[\]]|\]\([^()\s]{1,200}\)|\bname=")


def commitments_in(words: str, people: Attendance, speaker: str = "") -> list[Commitment]:
    """Who takes what on in one sentence, the one who speaks it among them; each of several in a clause of its own."""
    plain = _MARKUP.sub(lambda mark: " " * len(mark[0]), without_quoted(words.replace("\n", " ")))
    subjects = list(_subjects(plain, people))
    if not subjects:
        names = _implied(plain, people, speaker)
        subjects = [(0, names)] if names else []
    if not subjects or says_done(plain) or is_blank_form(words) or IF_TIME.search(plain):
        return []
    edges = [0, *(at for at, _ in subjects[1:]), len(words)]
    ends = [_DANGLING.search(plain, 0, end).start() for end in edges[1:-1]] + edges[-1:]  # type: ignore[union-attr]
    return [Commitment(names, start, end) for (_, names), start, end in zip(subjects, edges, ends, strict=False)]


def _subjects(plain: str, people: Attendance) -> Iterator[tuple[int, str]]:
    over = 0
    for kind, at in _openings(plain, people):
        names = _subject(plain, at, kind, people) if at >= over else ""
        if names:
            yield at, names
            over = at + len(names)
    if not over and (names := _behind(plain, people)):
        yield 0, names


def _behind(plain: str, people: Attendance) -> str:
    """The names behind what they take on: `The hall will be swept by Bo`."""
    form = BY.search(plain)
    found = _NAMED.match(plain, form.end()) if form else None
    if not form or not found or _SUPPOSES.search(plain, 0, form.start()):
        return ""
    return _known(found["names"], people)


def _openings(plain: str, people: Attendance) -> Iterator[tuple[str, int]]:
    """Where somebody is named who may be a clause's subject, and what stands before."""
    for place in people.places_in(plain):
        if not _takes_on(plain, place):
            continue
        others = _OTHERS.search(plain, max(0, place - MAX_OTHERS), place)
        at = others.start() if others else place
        if before := _BEFORE.search(plain, max(0, at - MAX_BEFORE), at):
            yield before.lastgroup or "", at
        elif _ADVERBIAL.match(plain[:at]):
            yield "adverbial", at


def _takes_on(plain: str, at: int) -> bool:
    named = _NAMES.match(plain, at)
    return named is not None and TAKES_ON.match(plain, named.end()) is not None


def _subject(plain: str, at: int, kind: str, people: Attendance) -> str:
    """The names of those who take something on where a clause begins; empty where nobody does."""
    found = _NAMES.match(plain, at)
    names = _known(found["names"], people) if found else ""
    if (
        not found
        or not names
        or _TOGETHER.search(plain, 0, at)
        or (kind in _WITHIN and _SUPPOSES.search(plain, _clause_start(plain, at), at))
    ):
        return ""
    form = TAKES_ON.match(plain, found.end())
    return names if form and _commits(form, plain, kind) else ""


# A clause that goes on with what stands before it.
_WITHIN: Final = frozenset({"comma", "joined", "agreed", "adverbial"})
_APART: Final = re.compile(r"[;(]|\s-+\s|\s[–—]\s")


# `waiting for Ann, Bo and Cy to accept`
_WAITS: Final = re.compile(
    r"\b(?:for|wait|need|want|ask|invit|get|help|allow|let|remind|thank|encourag|expect|enabl)\w{0,4}\b(?![^;.]*;)",
    re.I,
)


def _clause_start(plain: str, at: int) -> int:
    return max((found.end() for found in _APART.finditer(plain, 0, at)), default=0)


def _commits(form: re.Match[str], plain: str, kind: str) -> bool:
    verb = form["verb"]
    if PAST.match(form[0]) and LONG_AGO.search(plain):
        return False
    if verb is None:
        return True
    if form["to"] and _is_sent(verb, plain, kind, form.start()):
        return False
    if kind == "same" and verb not in ALSO_WORK:
        return False
    if verb in TOGETHER and _PARTED.search(form.string, 0, form.start()):
        return True
    if verb in IN_MEETING or FOR_US.match(plain, form.start("verb")):
        return LATER.search(plain, form.end()) is not None
    return verb not in NO_WILL


def _is_sent(verb: str, plain: str, kind: str, end: int) -> bool:
    """Whether `Ann to write` takes nothing on: its verb is no task's, or what stands before it sends or awaits somebody."""
    return verb in NO_TO or kind == "joined" or (kind == "comma" and _WAITS.search(plain, 0, end) is not None)


def _known(written: str, people: Attendance) -> str:
    """The names as written where one is of the people listed and the others are written as names are."""
    parts = [part for part in _PARTED.split(written) if part]
    listed = list(map(people.knows, parts))
    others = [part for part, known in zip(parts, listed, strict=True) if not known]
    return written.rstrip(".").replace("@", "") if any(listed) and all(map(looks_like_names, others)) else ""


_PARTED: Final = re.compile(_JOIN)


def _implied(plain: str, people: Attendance, speaker: str) -> str:
    """Whoever takes something on without being named right before it: the speaker, or the subject that the sentence began with."""
    if speaker and _speaks_of_self(plain):
        return speaker
    return _first_subject(plain, people) if _goes_on(plain) else ""


def _first_subject(plain: str, people: Attendance) -> str:
    found = _NAMES.match(plain, _START.match(plain).end())  # type: ignore[union-attr]
    return _known(found["names"], people) if found else ""


_START: Final = re.compile(r"[^\w@]*")


def _speaks_of_self(plain: str) -> bool:
    form = SELF.search(plain)
    if form is None or form["verb"] not in WORK or AT_ONCE.search(plain):
        return False
    return _SUPPOSES.search(plain, 0, form.start()) is None


def _goes_on(plain: str) -> bool:
    return any(
        form and _commits(form, plain, "same")
        for more in _GOES_ON.finditer(plain)
        if (form := TAKES_ON.match(plain, more.end())) and not _SUPPOSES.search(plain, 0, more.start())
    )
