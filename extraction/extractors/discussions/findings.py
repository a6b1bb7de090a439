"""What is noted of an utterance: hits, patterns, marks; and which earlier utterance it speaks of."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from extraction.chat.reply_links import answers
from extraction.extractors.discussions.utterances import ReadUtterance, Utterance
from extraction.extractors.documents import Hit, Span

LONGEST_QUOTE = 160
# A link less likely than this is none; an answer is then to whoever spoke last.
LIKELY = 0.2


@dataclass(frozen=True, slots=True)
class ThreadPattern:
    """A pattern: its type, the sources of its messages in order, and the place of its hit among the hits, or None."""

    type: str
    sources: tuple[int, ...]
    description: str
    hit: int | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """What is to happen to the claims that rest on `start:end` of a source, and to those of `hits`: `confirm` them, or
    `flag` them for a person. `words` are the utterance's own that say so."""

    verb: str
    source_id: int
    start: int
    end: int
    words: Span | None
    reason: str
    hits: tuple[int, ...] = ()
    pattern: int | None = None


@dataclass(slots=True)
class ThreadFindings:
    hits: list[Hit] = field(default_factory=list)
    patterns: list[ThreadPattern] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)


def target_of(heard: Sequence[ReadUtterance], at: int) -> int | None:
    """The utterance of somebody else that is answered; None where nobody else spoke."""
    one, before = heard[at].utterance, [other.utterance for other in heard[:at]]
    for scored in answers(one, before):
        if scored.score < LIKELY:
            break
        if scored.index < len(before) and not before[scored.index].same_voice(one):
            return scored.index
    others = [n for n in range(len(before) - 1, -1, -1) if not before[n].same_voice(one)]
    return others[0] if others else None


def span_of(one: Utterance, start: int, end: int, stance: str = "supports") -> Span:
    return Span(start, end, one.section_index, stance, one.source_id)


def sources_of(*said: Utterance) -> tuple[int, ...]:
    return tuple(dict.fromkeys(one.source_id for one in said))


def quoted(words: str) -> str:
    plain = " ".join(words.split())
    return f"“{plain if len(plain) <= LONGEST_QUOTE else plain[: LONGEST_QUOTE - 1] + '…'}”"
