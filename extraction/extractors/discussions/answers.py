"""Yes and no to what was said before: what an answer is about, what it accepts, lifts and contests (D7, law 8). Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from extraction.extractors.discussions.concluding import ImpliedNorm
from extraction.extractors.discussions.findings import (
    ThreadFindings,
    quoted,
    sources_of,
    span_of,
    target_of,
)
from extraction.extractors.discussions.plain import Sentence, sentences_of
from extraction.extractors.discussions.triggers import Triggers, senses, shipped
from extraction.extractors.discussions.utterances import NORMS, ReadUtterance, Utterance
from extraction.extractors.documents import Hit, Span
from extraction.extractors.findings import ClaimMark
from ledger.actions.logs import PatternFound

CONFIRM, DENY = "confirm", "deny"
# What stands behind the answer in the same breath is looked at for a `but`.
LOOKED_AT = 2


@dataclass(frozen=True, slots=True)
class YesOrNo:
    """`says` confirm or deny; `strength` of a yes: `approval` means a proposal whatever was asked, `answer` answers what was
    asked, `courtesy` may be no more than politeness. `first` is the sentence that says it."""

    says: str
    strength: str
    first: Sentence


def confirmation_of(text: str) -> str | None:
    """`"confirm"`, `"deny"` or None for what is neither (`yes, but …`, `yes?`, `no problem`). By the shipped pack."""
    triggers = shipped()
    answer = answer_of(sentences_of(text, spelling=triggers.spelling), triggers)
    return answer.says if answer else None


def answer_of(sentences: Sequence[Sentence], triggers: Triggers) -> YesOrNo | None:
    """How a message answers, by its first sentence; greetings and sighs before it are passed over."""
    for at, sentence in enumerate(sentences[:2]):
        found = _one(sentence, sentences[at + 1 : at + LOOKED_AT], triggers)
        if found is not None or len(sentence.plain.split()) > 2:
            return found
    return None


STRENGTHS = ("approval", "answer", "courtesy")
_TAKING_BACK = re.compile(r"[,.!]*(?:but|however|except|although|though|aber|pero|wait)[,.!]*(?: |\Z)")


def _one(sentence: Sentence, after: Sequence[Sentence], triggers: Triggers) -> YesOrNo | None:
    pulled = triggers.pull(sentence)
    says = senses(pulled)
    if DENY in says:
        return YesOrNo(DENY, "", sentence)
    if CONFIRM not in says or "caveat" in says or any(_TAKING_BACK.match(later.plain) for later in after):
        return None
    best = min(
        (one for one in pulled if one.trigger.sense == CONFIRM), key=lambda one: STRENGTHS.index(one.trigger.strength)
    )
    rest = sentence.plain[best.end :].strip(" ,.!?;:-")
    if sentence.asks and (len(rest.split()) < 2 or best.trigger.strength == "courtesy"):
        return None
    return YesOrNo(CONFIRM, best.trigger.strength, sentence)


# How far back the decision may stand where what is answered holds none (`Noted.` between the decision and the yes).
BACK = 3
MAX_ACCEPTED = 3
SHORT = 8
# `Noted.`, `hm`: says neither yes nor no, and nothing that a no could be about.
NOTED = 3


@dataclass(frozen=True, slots=True)
class TargetedReply:
    """`target` is the utterance that is answered, `start:end` the words that answer it, `accepted` what becomes a norm of
    the kind beside it."""

    target: int
    confirms: bool
    start: int
    end: int
    accepted: tuple[tuple[ImpliedNorm, str], ...] = ()


def answered(heard: Sequence[ReadUtterance], at: int, target: int | None, triggers: Triggers) -> TargetedReply | None:
    """None where the utterance answers nothing, or a question that proposes nothing."""
    answer = None if target is None else answer_of(heard[at].utterance.sentences, triggers)
    if target is None or answer is None:
        return None
    if answer.says == CONFIRM:
        return _accepting(heard, at, target, answer)
    n = _objected_to(heard, at, target, triggers)
    return None if n is None else TargetedReply(n, False, answer.first.start, answer.first.end)


def _accepting(heard: Sequence[ReadUtterance], at: int, target: int, answer: YesOrNo) -> TargetedReply | None:
    """A yes to the nearest that asks, proposes or holds something; courtesy says yes to nothing that only holds."""
    courteous = answer.strength == "courtesy"
    for n in _back_from(heard, at, target):
        other = heard[n]
        lifts = bool(other.stands) and not courteous
        if lifts or other.open_question or other.proposals or other.norms:
            unasked = other.open_question and answer.strength != "approval"
            accepted = () if unasked else _accepted_by(heard[at], answer, other)
            takes = accepted or (lifts and not unasked)
            return TargetedReply(n, True, answer.first.start, answer.first.end, accepted) if takes else None
    return None


def _accepted_by(one: ReadUtterance, answer: YesOrNo, other: ReadUtterance) -> tuple[tuple[ImpliedNorm, str], ...]:
    if answer.strength == "courtesy" and (other.by_user or not other.proposals):
        return ()
    accepted = _accepted(other)
    if other.by_user and answer.strength == "answer" and one.utterance.words > SHORT:
        # People say `yes` to each other's hopes and plans all the time, and go on.
        return tuple(each for each in accepted if each[0].asks)
    return accepted


def _objected_to(heard: Sequence[ReadUtterance], at: int, target: int, triggers: Triggers) -> int | None:
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


def _back_from(heard: Sequence[ReadUtterance], at: int, target: int) -> list[int]:
    """The target, then what others said shortly before it; a reply that names its message is about that alone."""
    one = heard[at].utterance
    if one.reply_to and heard[target].utterance.external_id == one.reply_to:
        return [target]
    before = [n for n in range(target - 1, max(-1, target - 1 - BACK), -1) if not heard[n].utterance.same_voice(one)]
    return [target, *before]


def _accepted(other: ReadUtterance) -> tuple[tuple[ImpliedNorm, str], ...]:
    """What a yes to this makes of it. A question is what was answered; of many proposals without one, the last few."""
    asked = [saying for saying in other.proposals if saying.asks]
    sayings = [(saying, "decision") for saying in (asked[-1:] or other.proposals[-MAX_ACCEPTED:])]
    if not other.by_user:
        # What an agent labelled was held back, since its words anchor no norm.
        norms = [hit for hit in other.norms if hit.kind in NORMS and not hit.anchored]
        sayings = [
            (ImpliedNorm(hit.spans[0].start, hit.spans[0].end, hit.statement, hit.rule, False), hit.kind)
            for hit in norms
        ] + (sayings if not norms or asked else [])
    return tuple(sayings)


# What a confirmed proposal scores at its own gate.
CONFIRMED = 0.7
# How far between a proposal and an answer others' answers to it are looked for.
FAR = 40


def answer(
    found: ThreadFindings, heard: Sequence[ReadUtterance], at: int, target: int | None, triggers: Triggers
) -> None:
    """The utterance's yes or no. A no contests what was said yes to before; a yes to what somebody else still says no to
    confirms nothing and goes to a person."""
    reply = answered(heard, at, target, triggers)
    if reply is None:
        return
    if reply.confirms:
        _confirm(found, heard, at, reply, triggers)
    else:
        _contest(found, heard, at, reply, triggers)


def _contest(
    found: ThreadFindings, heard: Sequence[ReadUtterance], at: int, reply: TargetedReply, triggers: Triggers
) -> None:
    one, other = heard[at].utterance, heard[reply.target].utterance
    words = span_of(one, reply.start, reply.end, "opposes")
    # What a user proposed rests on their own words, and what an agent proposed on the yes.
    places = [(other.source_id, other.start, other.end)]
    for whose, yes in _answers_between(heard, at, reply.target, triggers):
        if yes.confirms:
            places.append((whose.source_id, yes.start, yes.end))
    for source, start, end in places:
        found.marks.append(
            ClaimMark("flag", source, start, end, words, f"{one.sender} objected: source {one.source_id}")
        )


def _confirm(
    found: ThreadFindings, heard: Sequence[ReadUtterance], at: int, reply: TargetedReply, triggers: Triggers
) -> None:
    one, other = heard[at], heard[reply.target]
    words = span_of(one.utterance, reply.start, reply.end)
    against = [
        (whose, no)
        for whose, no in _answers_between(heard, at, reply.target, triggers)
        if not no.confirms and not whose.same_voice(one.utterance)
    ]
    hits = []
    for saying, kind in reply.accepted:
        hits.append(len(found.hits))
        found.hits.append(_accepted_hit(saying, kind, words, other, one, against))
    said = quoted(one.source[reply.start : reply.end])
    what = reply.accepted[0][0].statement if reply.accepted else other.stands[0].statement
    verb, told = "confirm", f"{one.utterance.sender} confirmed it: source {one.utterance.source_id}"
    if against:
        verb, told = "flag", f"{one.utterance.sender} confirmed what others object to: source {one.utterance.source_id}"
    found.marks.append(
        ClaimMark(
            verb, other.utterance.source_id, other.utterance.start, other.utterance.end,
            replace(words, stance="context"), told, tuple(hits), len(found.patterns),
        )
    )  # fmt: skip
    found.patterns.append(
        PatternFound(
            "confirmation",
            sources_of(other.utterance, one.utterance),
            f"{one.utterance.sender} confirmed what {other.utterance.sender} said, {quoted(what)}: {said}",
            hits[0] if hits else None,
        )
    )


def _answers_between(
    heard: Sequence[ReadUtterance], at: int, target: int, triggers: Triggers
) -> list[tuple[Utterance, TargetedReply]]:
    """Each voice's last answer to the same target before this one, in the order of the thread."""
    last: list[tuple[Utterance, TargetedReply]] = []
    for n in range(max(target + 1, at - FAR), at):
        whose = heard[n].utterance
        if not heard[n].by_user or answer_of(whose.sentences, triggers) is None:
            continue
        reply = answered(heard, n, target_of(heard, n), triggers)
        if reply is not None and reply.target == target:
            last = [(other, said) for other, said in last if not other.same_voice(whose)] + [(whose, reply)]
    return last


def _accepted_hit(
    saying: ImpliedNorm,
    kind: str,
    words: Span,
    other: ReadUtterance,
    one: ReadUtterance,
    against: Sequence[tuple[Utterance, TargetedReply]],
) -> Hit:
    """The proposal as a norm: the user's yes is the anchor of an agent's words (law 8), and context to another user's."""
    if other.by_user:
        spans = (span_of(other.utterance, saying.start, saying.end), replace(words, stance="context"))
    else:
        spans = (words, span_of(other.utterance, saying.start, saying.end, "context"))
    summary = f"{one.utterance.sender} confirmed what {other.utterance.sender} proposed"
    if against:
        summary += "; " + ", ".join(dict.fromkeys(whose.sender for whose, _ in against)) + " objected"
    return Hit(
        rule="discussion.confirmed",
        rule_class="discussion",
        explicit=False,
        kind=kind,
        statement=saying.statement,
        spans=(*spans, *(span_of(whose, no.start, no.end, "opposes") for whose, no in against)),
        confidence=CONFIRMED,
        anchored=True,
        confidence_word="" if against else "high",
        needs_review=bool(against),
        summary=summary,
    )
