"""What a user corrects, and what shall hold instead, in their own words (D4)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from extraction.extractors.discussions.plain import Sentence
from extraction.extractors.discussions.triggers import TriggerMatch, Triggers, senses
from extraction.extractors.documents.layout import trimmed
from ledger.language.fold import strip_markup
from ledger.language.own_words import is_not_meant

ENOUGH: Final = 0.5
# A trigger of this much is a correction whoever is spoken to.
STANDS_ALONE: Final = 0.7
# What a weaker one gains beside such a one, and loses where people advise or answer each other.
BESIDE_A_STRONG_ONE: Final = 0.1
AMONG_PEOPLE: Final = -0.2
LONGEST_RULE: Final = 600
_EDGES: Final = " \t\n,;:.!?–-\"'"
_EMPTY: Final = frozenset(
    "it that this so do please thanks again then there here what is was be sorry just not no yes ok hm at all".split()
)


@dataclass(frozen=True, slots=True)
class Correction:
    """`start:end` the words that say what shall hold (in the source), `trigger_start:trigger_end` those that correct;
    `statement` what shall hold, empty where the correction does not say it. `confidence` is its trigger's own score."""

    trigger: str
    start: int
    end: int
    trigger_start: int
    trigger_end: int
    statement: str
    confidence: float


def corrections_of(
    sentences: Sequence[Sentence],
    source: str,
    triggers: Triggers,
    *,
    towards: str = "",
    answers_question: bool = False,
    answers_proposal: bool = False,
) -> list[Correction]:
    """The corrections of one utterance, those that name what shall hold before those that do not, else in order.

    `towards` tells to whom it is said: `agent`, `user`, or nothing where nobody else spoke. Weak triggers, by which people
    also advise each other, count towards an agent or beside a strong one, and not in answer to a question. Offsets of
    `sentences` are into `source`.
    """
    pulled = [triggers.pull(sentence) for sentence in sentences]
    if any("jest" in senses(matches) for matches in pulled):
        return []
    meant = [at for at, one in enumerate(sentences) if not is_not_meant(source[one.start : one.end])]
    corrects = {at: one for at in meant if (one := strongest(sentences[at], pulled[at]))}
    scores = _scores(corrects, among_people=towards == "user" or answers_question)
    found = [_read(sentences, at, corrects[at], source, score) for at, score in scores.items()]
    if answers_question or answers_proposal:
        # `No, use the other one` then tells what was asked.
        found = [one for one in found if one.trigger != "no.instead"]
    # What shall hold is said once: beside it `that's wrong` says nothing more.
    return _distinct([one for one in found if one.statement]) or found[:1]


def _scores(corrects: Mapping[int, TriggerMatch], *, among_people: bool) -> dict[int, float]:
    """The score of each correction that is enough of one."""
    scores = {at: one.trigger.confidence for at, one in corrects.items()}
    weak = AMONG_PEOPLE if among_people else 0.0
    if max(scores.values(), default=0.0) >= STANDS_ALONE:
        weak = BESIDE_A_STRONG_ONE
    weighed = {at: score if score >= STANDS_ALONE else score + weak for at, score in scores.items()}
    return {at: round(score, 2) for at, score in weighed.items() if score >= ENOUGH}


def strongest(sentence: Sentence, pulled: Sequence[TriggerMatch]) -> TriggerMatch | None:
    """The correction that the sentence makes, or None where it only speaks of one."""
    guards = [one for one in pulled if one.trigger.sense == "guard"]
    corrections = [
        one
        for one in pulled
        if one.trigger.sense == "correction"
        and (one.trigger.asks or not sentence.asks)
        and not one.is_guarded(guards, sentence.plain)
    ]
    return max(corrections, key=lambda one: (one.rule is not None, one.trigger.confidence), default=None)


def _read(sentences: Sequence[Sentence], at: int, one: TriggerMatch, source: str, score: float) -> Correction:
    sentence = sentences[at]
    ruled = _ruled(sentence, one, source)
    if ruled is None:
        follows = _what_follows(sentences, at)
        start, end = (follows.start, follows.end) if follows else (sentence.start, sentence.end)
        ruled = start, end, said_as("", source[start:end]) if follows else ""
    start, end = trimmed(source, *ruled[:2])
    return Correction(one.trigger.id, start, end, sentence.start, sentence.end, ruled[2], score)


def _ruled(sentence: Sentence, one: TriggerMatch, source: str) -> tuple[int, int, str] | None:
    """What the sentence itself says shall hold, and where; None where it says nothing of it."""
    if one.rule is None and _only_corrects(one):
        return None
    start, end = sentence.start, sentence.end
    if one.rule is not None:
        start, end = sentence.at(one.rule[0]), sentence.until(one.rule[1])
    statement = said_as(one.trigger.says if one.rule else "", source[start:end])
    if not tells(statement):
        return None
    # A derived statement rests on the whole sentence.
    derived = one.rule is not None and one.trigger.says
    return (sentence.start, sentence.end, statement) if derived else (start, end, statement)


# These say that something is wrong, and by themselves nothing else.
_BARE: Final = ("wrong", "es.wrong", "de.wrong", "es.mistaken", "de.mistaken", "again", "undo", "told")


def _only_corrects(one: TriggerMatch) -> bool:
    return one.trigger.id.startswith(_BARE) and not one.trigger.id.startswith("told.")


def _what_follows(sentences: Sequence[Sentence], at: int) -> Sentence | None:
    """The next sentence, where it can be what shall hold: no question, no pleasantry, no story of oneself."""
    if at + 1 == len(sentences):
        return None
    later = sentences[at + 1]
    words = later.plain.split()
    return None if later.asks or len(words) < 3 or words[0] in _STORIES else later


_STORIES: Final = frozenset(
    "i im ive id ill thanks thank sorry maybe perhaps what why how who where when but ok he she they hope lol haha".split()
)


def said_as(frame: str, words: str) -> str:
    """A statement of the words, without markup and without marks at its edges; in `frame` in the place of {rule}."""
    plain = strip_markup(words[:LONGEST_RULE]).strip(_EDGES)
    if not plain:
        return ""
    told = frame.replace("{rule}", plain) if frame else plain
    return told[0].upper() + told[1:]


def tells(statement: str) -> bool:
    """Whether it names something: at least two words, one of which is not empty of meaning."""
    words = re.findall(r"[^\W_]+", statement.casefold())
    return len(words) >= 2 and any(word not in _EMPTY and len(word) > 1 for word in words)


def _distinct(found: list[Correction]) -> list[Correction]:
    """The first of those that rest on the same words."""
    first: dict[tuple[int, int], Correction] = {}
    for one in found:
        first.setdefault((one.start, one.end), one)
    return list(first.values())
