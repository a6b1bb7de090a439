"""What is noted of an utterance: hits, patterns, marks; and which earlier utterance it speaks of."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from extraction.chat.reply_links import answers
from extraction.extractors.discussions.utterances import ReadUtterance, Utterance
from extraction.extractors.documents import Hit, Span
from extraction.extractors.findings import ClaimMark
from ledger.actions.logs import PatternFound

LONGEST_QUOTE = 160
# A link less likely than this is none; an answer is then to whoever spoke last.
LIKELY = 0.2


@dataclass(slots=True)
class ThreadFindings:
    hits: list[Hit] = field(default_factory=list)
    patterns: list[PatternFound] = field(default_factory=list)
    marks: list[ClaimMark] = field(default_factory=list)


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
