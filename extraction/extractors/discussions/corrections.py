"""What a user corrects, and what shall hold instead, in their own words (D4)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from extraction.extractors.discussions.plain import Sentence
from extraction.extractors.discussions.triggers import TriggerMatch, Triggers
from extraction.extractors.documents.page import trim_end, trim_start
from ledger.language.fold import strip_markup

ENOUGH: Final = 0.5
# A trigger of this much is a correction whoever is spoken to.
STANDS_ALONE: Final = 0.7
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
    if any(one.trigger.sense == "jest" for sentence in sentences for one in triggers.pull(sentence)):
        return []
    pulled = [(at, one) for at, s in enumerate(sentences) if (one := strongest(s, triggers)) is not None]
    strong = any(one.trigger.confidence >= STANDS_ALONE for _, one in pulled)
    answers = answers_question or answers_proposal
    weak = 0.1 if strong else -0.2 if towards == "user" or answers_question else 0.0
    found = []
    for at, one in pulled:
        score = one.trigger.confidence + (weak if one.trigger.confidence < STANDS_ALONE else 0.0)
        if score >= ENOUGH and not (answers and one.trigger.id == "no.instead"):
            found.append(_read(sentences, at, one, source, round(score, 2)))
    told = [one for one in found if one.statement]
    bare = [one for one in found if not one.statement]
    # What shall hold is said once: beside it `that's wrong` says nothing more.
    return _distinct(told) if told else bare[:1]


def strongest(sentence: Sentence, triggers: Triggers) -> TriggerMatch | None:
    """The correction that the sentence makes, or None where it only speaks of one."""
    pulled = triggers.pull(sentence)
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
    start, end = sentence.start, sentence.end
    statement = ""
    if one.rule is not None:
        start, end = sentence.at(one.rule[0]), sentence.until(one.rule[1])
        statement = said_as(one.trigger.says, source[start:end])
        if one.trigger.says:
            # The derived statement rests on the whole sentence.
            start, end = sentence.start, sentence.end
    elif not _only_corrects(one):
        statement = said_as("", source[start:end])
    if not statement or not tells(statement):
        statement = ""
        start, end = sentence.start, sentence.end
        follows = _what_follows(sentences, at)
        if follows is not None:
            start, end = follows.start, follows.end
            statement = said_as("", source[start:end])
    start = trim_start(source, start, end)
    return Correction(
        one.trigger.id, start, trim_end(source, start, end), sentence.start, sentence.end, statement, score
    )


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
