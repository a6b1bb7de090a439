"""What one new utterance means for its thread: corrections, answers, conclusions, contradictions, questions (D2 to D9).

Pure: the same thread gives the same findings, whether its messages came one by one, together, or are read again.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from extraction.extractors.discussions.answers import answer
from extraction.extractors.discussions.concluding import ImpliedNorm
from extraction.extractors.discussions.corrections import Correction, corrections_of
from extraction.extractors.discussions.findings import (
    ThreadFindings,
    quoted,
    sources_of,
    span_of,
    target_of,
)
from extraction.extractors.discussions.plain import Sentence
from extraction.extractors.discussions.questions import content, same_question
from extraction.extractors.discussions.topics import Topic, importance, topics_of
from extraction.extractors.discussions.triggers import TriggerMatch, Triggers
from extraction.extractors.discussions.utterances import ReadUtterance, Stand, TextRange, Utterance, is_labelled
from extraction.extractors.documents import Hit
from extraction.extractors.findings import ClaimMark
from ledger.actions.logs import PatternFound
from ledger.language.choices import rival_choice
from ledger.language.contradiction import Statement, against
from ledger.language.polarity import assertion_of

# What a conclusion scores at its own gate.
CONCLUDED = 0.6


def discuss(heard: Sequence[ReadUtterance], first: int, triggers: Triggers) -> ThreadFindings:
    """What the utterances from `first` on find, each against all before it. The earlier ones are the thread."""
    found = ThreadFindings()
    own = heard[first].utterance.source_id if first < len(heard) else 0
    for at in range(first, len(heard)):
        one = heard[at]
        if one.by_user:
            target = target_of(heard, at)
            corrected = _correct(found, heard, at, target, triggers)
            answer(found, heard, at, target, triggers)
            _take_back(found, heard, at, triggers)
            _ask_again(found, heard, at, triggers)
        else:
            corrected = []
        _contradict(found, heard, at, corrected, triggers)
        _conclude(found, heard, at, triggers)
    found.hits = [_in(own, hit) for hit in found.hits]
    return found


def _in(own: int, hit: Hit) -> Hit:
    """A hit whose spans in the source that is read say so with 0."""
    return replace(
        hit, spans=tuple(replace(span, source_id=0 if span.source_id == own else span.source_id) for span in hit.spans)
    )


# --- D4


def _correct(
    found: ThreadFindings, heard: Sequence[ReadUtterance], at: int, target: int | None, triggers: Triggers
) -> list[Correction]:
    one = heard[at]
    other = heard[target] if target is not None else None
    corrections = corrections_of(
        one.utterance.sentences,
        one.source,
        triggers,
        towards=_towards(other) if other else "",
        answers_question=bool(other and other.open_question),
        answers_proposal=bool(other and other.asks),
    )
    if not corrections:
        return []
    hits = list(filter(None, (_constraint(correction, one, other) for correction in corrections)))
    first = len(found.hits) if hits else None
    found.hits += hits
    whom = f" {other.utterance.sender}" if other else ""
    words = one.source[corrections[0].trigger_start : corrections[0].trigger_end]
    said = (other.utterance, one.utterance) if other else (one.utterance,)
    found.patterns.append(
        PatternFound("correction", sources_of(*said), f"{one.utterance.sender} corrected{whom}: {quoted(words)}", first)
    )
    return corrections


def _towards(other: ReadUtterance) -> str:
    """To whom a correction of this is said; nothing where nobody knows who that user is."""
    if not other.by_user:
        return "agent"
    return "user" if other.utterance.named else ""


def _constraint(correction: Correction, one: ReadUtterance, other: ReadUtterance | None) -> Hit | None:
    start, end = correction.start, correction.end
    if is_labelled(start, end, one.norms):
        return None
    spans = [span_of(one.utterance, start, end)]
    if not (correction.trigger_start <= start and end <= correction.trigger_end):
        spans.append(span_of(one.utterance, correction.trigger_start, correction.trigger_end))
    statement = correction.statement
    context = _claimed(other) if other and not statement else None
    if context is not None and other is not None:
        # Context is what a statement repeats of others: where the correction says itself what holds, there is none.
        spans.append(span_of(other.utterance, *context, stance="context"))
        statement = f"Not so: {quoted(other.source[context[0] : context[1]])}"
    if not statement:
        return None
    return Hit(
        rule=f"discussion.{correction.trigger}",
        rule_class="discussion",
        explicit=correction.trigger == "correction.label",
        kind="constraint",
        statement=statement,
        spans=tuple(spans),
        confidence=correction.confidence,
        anchored=True,
        needs_review=not correction.statement,
        tags=("correction",),
        summary=f"{one.utterance.sender} corrected {other.utterance.sender}" if other else "",
    )


def _claimed(other: ReadUtterance) -> tuple[int, int] | None:
    """The sentence that a correction is most likely about: what was stood by, else the first that states something."""
    sentences = other.utterance.sentences
    states = [sentence for sentence in sentences if not sentence.asks and len(sentence.plain.split()) > 2]
    claimed = next(chain[TextRange](other.stands, other.proposals, states, sentences), None)
    return (claimed.start, claimed.end) if claimed else None


# --- what was decided and is taken back

# How far above a retraction the decision may stand that it takes back.
MAX_BACK = 20
# `We won't buy the lamp` takes back what is about the lamp, and nothing else.
NAMED = "retraction.named"
# `I take that back` is about one's own words, where there are some.
OWN = "retraction.own"


def _take_back(found: ThreadFindings, heard: Sequence[ReadUtterance], at: int, triggers: Triggers) -> None:
    """`Scratch that`, `we decided against MySQL`: flags the decision that it answers, or the last one before it; of those that
    it names if it names any."""
    one = heard[at].utterance
    pulled = [(s, p) for s in one.sentences for p in triggers.pull(s) if p.trigger.sense == "retraction"]
    decided = _decided_before(heard, at) if pulled else []
    for sentence, match in pulled:
        meant = _meant_by(one, sentence, match, [heard[n].utterance for n in decided])
        if meant:
            other = meant[0]
            span = span_of(one, sentence.start, sentence.end, "opposes")
            reason = f"{one.sender} took it back: source {one.source_id}"
            found.marks.append(ClaimMark("flag", other.source_id, other.start, other.end, span, reason))
            return


def _meant_by(one: Utterance, sentence: Sentence, match: TriggerMatch, decided: list[Utterance]) -> list[Utterance]:
    """Those that what is denied is about, which stands right behind the denial; where it names none, one's own or all."""
    denied = sentence.plain[slice(*match.rule)] if match.rule else ""
    about = assertion_of(denied or one.text).subjects
    named = [other for other in decided if about & assertion_of(other.text).subjects]
    if named or match.trigger.id.startswith(NAMED):
        return named
    return [other for other in decided if match.trigger.id == OWN and other.same_voice(one)] or decided


def _decided_before(heard: Sequence[ReadUtterance], at: int) -> list[int]:
    """The utterances that decide something, the nearest first; the one that is replied to before all."""
    decided = [n for n in range(at - 1, max(-1, at - 1 - MAX_BACK), -1) if heard[n].decides]
    replied = heard[at].utterance.reply_to
    return sorted(decided, key=lambda n: not replied or heard[n].utterance.external_id != replied)


# --- D6


def _ask_again(found: ThreadFindings, heard: Sequence[ReadUtterance], at: int, triggers: Triggers) -> None:
    one = heard[at]
    for question in one.questions:
        asked = [
            other.utterance
            for other in heard[:at]
            if other.by_user
            and any(same_question(question, earlier, triggers.question_likeness) for earlier in other.questions)
        ]
        sources = sources_of(*asked, one.utterance)
        if len(sources) < 2:
            continue
        where = next(s for s in one.utterance.sentences if s.plain.rstrip("?!. ") == question.plain)
        words = quoted(one.source[where.start : where.end])
        found.patterns.append(PatternFound("repeated_question", sources, f"Asked {len(sources)} times: {words}"))


# --- D5


def _contradict(
    found: ThreadFindings, heard: Sequence[ReadUtterance], at: int, corrected: Sequence[Correction], triggers: Triggers
) -> None:
    one = heard[at]
    corrects = [Stand.of(one, one.statement, "constraint") for one in corrected if one.statement]
    for stand in (*one.stands, *corrects):
        for earlier in heard[:at]:
            for other in earlier.stands:
                why = against(stand.said, other.said, Statement("", other.statement))
                rival = "" if why else rival_choice(stand.said, other.said)
                if why or (rival and _of_one_topic(heard, at, earlier, triggers)):
                    _flag_both(found, one, stand, earlier, other, why or rival)


def _of_one_topic(heard: Sequence[ReadUtterance], at: int, earlier: ReadUtterance, triggers: Triggers) -> bool:
    """`use postgres` and `use mysql` name no use of their own: they are rivals where two people say them in one go of talk.
    Whoever says both may want both."""
    if heard[at].utterance.same_voice(earlier.utterance):
        return False
    return any(heard[n] is earlier for n in _topic_of(heard, at, triggers).members)


def _flag_both(
    found: ThreadFindings, one: ReadUtterance, stand: Stand, earlier: ReadUtterance, other: Stand, why: str
) -> None:
    concluded = [
        _concluded("contradicted", heard, side)
        for heard, side in ((one, stand), (earlier, other))
        if not side.labelled and side.kind == "decision"
    ]
    hits = tuple(range(len(found.hits), len(found.hits) + len(concluded)))
    # No words of the other one: it may be purged, and this one stay.
    found.hits += [
        replace(hit, needs_review=True, summary="contradicts another conclusion of its thread") for hit in concluded
    ]
    newer = _rivals(one, stand, earlier)
    found.marks += [replace(newer, hits=hits, pattern=len(found.patterns)), _rivals(earlier, other, one)]
    told = f"{quoted(other.statement)} and {quoted(stand.statement)} cannot both hold: {why}"
    sources = sources_of(earlier.utterance, one.utterance)
    found.patterns.append(PatternFound("contradiction", sources, told, hits[0] if hits else None))


def _rivals(one: ReadUtterance, stand: Stand, rival: ReadUtterance) -> ClaimMark:
    reason = f"contradicts what source {rival.utterance.source_id} concludes"
    return ClaimMark("flag", one.utterance.source_id, stand.start, stand.end, None, reason)


def _concluded(rule: str, one: ReadUtterance, saying: Stand | ImpliedNorm) -> Hit:
    return Hit(
        rule=f"discussion.{rule}",
        rule_class="discussion",
        explicit=False,
        kind="decision",
        statement=saying.statement,
        spans=(span_of(one.utterance, saying.start, saying.end),),
        confidence=CONCLUDED,
        anchored=True,
    )


# --- D3, D8


def _conclude(found: ThreadFindings, heard: Sequence[ReadUtterance], at: int, triggers: Triggers) -> None:
    """The topic's last conclusion, when with this utterance the talk about it first weighs enough. Talk that an earlier conclusion
    of the topic ended counts for that one alone."""
    concluding = {n for n in range(at + 1) if heard[n].by_user and heard[n].conclusions}
    topic = _topic_of(heard, at, triggers) if concluding else Topic()
    ending = sorted(concluding.intersection(topic.members))
    if not ending:
        return
    *earlier, concludes = ending
    one, saying = heard[concludes], heard[concludes].conclusions[-1]
    talk = [heard[n].utterance for n in topic.members if n > max(earlier, default=-1)]
    if not _is_about(saying, one, [each for each in talk if each is not one.utterance]):
        return
    length = len(one.source[saying.start : saying.end].split())
    messages, words = len(talk), sum(each.own_words for each in talk)
    score = importance(messages, words, length)
    before = 0.0 if concludes == at else importance(messages - 1, words - heard[at].utterance.own_words, length)
    level = _level(score, triggers)
    if level not in (0, _level(before, triggers)):
        told = f"importance {score:.1f} = {words} words of talk in {messages} messages ÷ {length} words of the decision"
        hit = _concluded("conclusion", one, saying)
        found.hits.append(replace(hit, needs_review=level == 1, tags=_own_words(topic.label, one), summary=told))


def _is_about(saying: ImpliedNorm, one: ReadUtterance, others: Sequence[Utterance]) -> bool:
    """Whether a conclusion names something of the talk that it ends, where it names anything: `the guy gets a ticket` does not."""
    within = (sentence for sentence in one.utterance.sentences if saying.start <= sentence.start < saying.end)
    named = frozenset[str]().union(*(content(sentence.plain) for sentence in within))
    spoken_of = chain.from_iterable(content(sentence.plain) for each in others for sentence in each.sentences)
    return not named or not named.isdisjoint(spoken_of)


def _topic_of(heard: Sequence[ReadUtterance], at: int, triggers: Triggers) -> Topic:
    """The topic of an utterance, as far as the thread had come with it."""
    topics = topics_of([one.utterance for one in heard[: at + 1]], triggers)
    return next(topic for topic in topics if at in topic.members)


def _own_words(label: str, one: ReadUtterance) -> tuple[str, ...]:
    """The topic's label as far as the conclusion says it itself, so that no word outlives a purge of the message it is of."""
    said = set(one.utterance.text.casefold().split())
    words = " ".join(word for word in label.split() if any(word in other for other in said))
    return (words[:60],) if words else ()


def _level(score: float, triggers: Triggers) -> int:
    """0 stays talk, 1 is flagged for review, 2 is proposed (D3)."""
    return 2 if score > triggers.extract_above else 1 if score >= triggers.flag_above else 0
