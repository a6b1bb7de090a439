"""Which earlier utterance a yes or no is about, and what it accepts (D7). Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.extractors.discussions.concluding import Saying
from extraction.extractors.discussions.confirming import CONFIRM, answer_of
from extraction.extractors.discussions.heard import NORMS, Heard
from extraction.extractors.discussions.triggers import Triggers

# How far back the decision may stand where what is answered holds none (`Noted.` between the decision and the yes).
BACK = 3
MAX_ACCEPTED = 3
SHORT = 8
# `Noted.`, `hm`: says neither yes nor no, and nothing that a no could be about.
NOTED = 3


@dataclass(frozen=True, slots=True)
class Answered:
    """`target` is the utterance that is answered, `start:end` the words that answer it, `accepted` what becomes a norm of
    the kind beside it."""

    target: int
    confirms: bool
    start: int
    end: int
    accepted: tuple[tuple[Saying, str], ...] = ()


def answered(heard: Sequence[Heard], at: int, target: int | None, triggers: Triggers) -> Answered | None:
    """None where the utterance answers nothing, or a question that proposes nothing."""
    one = heard[at]
    if target is None:
        return None
    answer = answer_of(one.utterance.sentences, triggers)
    if answer is None:
        return None
    if answer.says != CONFIRM:
        n = _objected_to(heard, at, target, triggers)
        return None if n is None else Answered(n, False, answer.first.start, answer.first.end)
    for n in _back_from(heard, at, target):
        other = heard[n]
        if other.open_question and answer.strength != "approval":
            return None
        if other.proposals or other.norms or (other.stands and answer.strength != "courtesy"):
            accepted = _accepted(other)
            if answer.strength == "courtesy" and (other.by_user or not other.proposals):
                return None
            if other.by_user and answer.strength == "answer" and one.utterance.words > SHORT:
                # People say `yes` to each other's hopes and plans all the time, and go on.
                accepted = tuple(each for each in accepted if each[0].asks)
                if not accepted and not other.stands:
                    return None
            if not accepted and not other.stands:
                return None
            return Answered(n, True, answer.first.start, answer.first.end, accepted)
        if other.open_question:
            return None
    return None


def _objected_to(heard: Sequence[Heard], at: int, target: int, triggers: Triggers) -> int | None:
    """What a no is about: the target, or, behind what others answered to it, the proposal they answered. Whoever put it may
    be the one who now says no."""
    one = heard[at].utterance
    named = bool(one.reply_to) and heard[target].utterance.external_id == one.reply_to
    for n in range(target, max(-1, target - 1 - BACK), -1):
        other = heard[n]
        if other.open_question:
            return None
        if other.decides or other.proposals:
            return n
        said = answer_of(other.utterance.sentences, triggers)
        if (said is None or (named and said.says != CONFIRM)) and other.utterance.words > NOTED:
            return None
    return None


def _back_from(heard: Sequence[Heard], at: int, target: int) -> list[int]:
    """The target, then what others said shortly before it; a reply that names its message is about that alone."""
    one = heard[at].utterance
    if one.reply_to and heard[target].utterance.external_id == one.reply_to:
        return [target]
    before = [n for n in range(target - 1, max(-1, target - 1 - BACK), -1) if not heard[n].utterance.same_voice(one)]
    return [target, *before]


def _accepted(other: Heard) -> tuple[tuple[Saying, str], ...]:
    """What a yes to this makes of it. A question is what was answered; of many proposals without one, the last few."""
    asked = [saying for saying in other.proposals if saying.asks]
    sayings = [(saying, "decision") for saying in (asked[-1:] or other.proposals[-MAX_ACCEPTED:])]
    if not other.by_user:
        # What an agent labelled was held back, since its words anchor no norm.
        norms = [hit for hit in other.norms if hit.kind in NORMS and not hit.anchored]
        sayings = [
            (Saying(hit.spans[0].start, hit.spans[0].end, hit.statement, hit.rule, False), hit.kind) for hit in norms
        ] + (sayings if not norms or asked else [])
    return tuple(sayings)
