"""What one new utterance means for its thread: corrections, answers, conclusions, contradictions, questions (D2 to D9).

Pure: the same thread gives the same findings, whether its messages came one by one, together, or are read again.
"""

from collections.abc import Sequence
from dataclasses import replace

from extraction.extractors.discussions.answers import answer
from extraction.extractors.discussions.corrections import Correction, corrections_of
from extraction.extractors.discussions.findings import (
    Mark,
    ThreadFindings,
    ThreadPattern,
    quoted,
    sources_of,
    span_of,
    target_of,
)
from extraction.extractors.discussions.questions import same_question
from extraction.extractors.discussions.topics import importance, topics_of
from extraction.extractors.discussions.triggers import Triggers
from extraction.extractors.discussions.utterances import ReadUtterance, Stand
from extraction.extractors.documents import Hit
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
    towards = "" if other is None else "agent" if not other.by_user else "user" if other.utterance.named else ""
    corrections = corrections_of(
        one.utterance.sentences,
        one.source,
        triggers,
        towards=towards,
        answers_question=other is not None and other.open_question,
        answers_proposal=other is not None and other.asks,
    )
    if not corrections:
        return []
    first: int | None = None
    for correction in corrections:
        hit = _constraint(correction, one, other)
        if hit is not None:
            first = len(found.hits) if first is None else first
            found.hits.append(hit)
    whom = f" {other.utterance.sender}" if other else ""
    words = one.source[corrections[0].trigger_start : corrections[0].trigger_end]
    said = (other.utterance, one.utterance) if other else (one.utterance,)
    found.patterns.append(
        ThreadPattern(
            "correction", sources_of(*said), f"{one.utterance.sender} corrected{whom}: {quoted(words)}", first
        )
    )
    return corrections


def _constraint(correction: Correction, one: ReadUtterance, other: ReadUtterance | None) -> Hit | None:
    start, end = correction.start, correction.end
    if any(hit.spans[0].start < end and hit.spans[0].end > start for hit in one.norms):
        return None  # its author labelled it: the rules propose it
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
    sayings = [(one.start, one.end) for one in other.stands] + [(one.start, one.end) for one in other.proposals]
    sentences = [(s.start, s.end) for s in other.utterance.sentences if not s.asks and len(s.plain.split()) > 2]
    whole = [(s.start, s.end) for s in other.utterance.sentences]
    return next(iter([*sayings, *sentences, *whole]), None)


# --- what was decided and is taken back

# How far above a retraction the decision may stand that it takes back.
MAX_BACK = 20


def _take_back(found: ThreadFindings, heard: Sequence[ReadUtterance], at: int, triggers: Triggers) -> None:
    """`Scratch that`, `we decided against MySQL`: flags the last decision before it, of those that it names if it names any."""
    one = heard[at].utterance
    taking = [s for s in one.sentences if any(p.trigger.sense == "retraction" for p in triggers.pull(s))]
    decided = [n for n in range(at - 1, max(-1, at - 1 - MAX_BACK), -1) if heard[n].decides]
    if not taking or not decided:
        return
    words = assertion_of(one.text).subjects
    named = [n for n in decided if words & assertion_of(heard[n].utterance.text).subjects]
    other = heard[(named or decided)[0]].utterance
    span = span_of(one, taking[0].start, taking[0].end, "opposes")
    reason = f"{one.sender} took it back: source {one.source_id}"
    found.marks.append(Mark("flag", other.source_id, other.start, other.end, span, reason))


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
        found.patterns.append(ThreadPattern("repeated_question", sources, f"Asked {len(sources)} times: {words}"))


# --- D5


def _contradict(
    found: ThreadFindings, heard: Sequence[ReadUtterance], at: int, corrected: Sequence[Correction], triggers: Triggers
) -> None:
    one = heard[at]
    stands = list(one.stands) + [
        Stand(c.start, c.end, c.statement, "constraint", False, assertion_of(c.statement))
        for c in corrected
        if c.statement
    ]
    for stand in stands:
        for earlier in heard[:at]:
            for other in earlier.stands:
                why = against(stand.said, other.said, Statement("", other.statement))
                if not why and (why := rival_choice(stand.said, other.said)):
                    why = why if _of_one_topic(heard, at, earlier, triggers) else ""
                if why:
                    _flag_both(found, one, stand, earlier, other, why)


def _of_one_topic(heard: Sequence[ReadUtterance], at: int, earlier: ReadUtterance, triggers: Triggers) -> bool:
    """`use postgres` and `use mysql` name no use of their own: they are rivals where two people say them in one go of talk.
    Whoever says both may want both."""
    if heard[at].utterance.same_voice(earlier.utterance):
        return False
    topics = topics_of([one.utterance for one in heard[: at + 1]], triggers)
    members = next(topic.members for topic in topics if at in topic.members)
    return any(heard[n] is earlier for n in members)


def _flag_both(
    found: ThreadFindings, one: ReadUtterance, stand: Stand, earlier: ReadUtterance, other: Stand, why: str
) -> None:
    # No words of the other one: it may be purged, and this one stay.
    reason = "contradicts another conclusion of its thread"
    pattern = len(found.patterns)
    places = [(one, stand), (earlier, other)]
    hits = []
    for heard, side in places:
        if not side.labelled and side.kind == "decision":
            hits.append(len(found.hits))
            found.hits.append(
                Hit(
                    rule="discussion.contradicted",
                    rule_class="discussion",
                    explicit=False,
                    kind=side.kind,
                    statement=side.statement,
                    spans=(span_of(heard.utterance, side.start, side.end),),
                    confidence=CONCLUDED,
                    anchored=True,
                    needs_review=True,
                    summary=reason,
                )
            )
    for n, (heard, side) in enumerate(places):
        own = tuple(hits) if n == 0 else ()
        rival = places[1 - n][0].utterance.source_id
        found.marks.append(
            Mark(
                "flag", heard.utterance.source_id, side.start, side.end, None,
                f"contradicts what source {rival} concludes", own, pattern if n == 0 else None,
            )
        )  # fmt: skip
    told = f"{quoted(other.statement)} and {quoted(stand.statement)} cannot both hold: {why}"
    found.patterns.append(
        ThreadPattern("contradiction", sources_of(earlier.utterance, one.utterance), told, hits[0] if hits else None)
    )


# --- D3, D8


def _conclude(found: ThreadFindings, heard: Sequence[ReadUtterance], at: int, triggers: Triggers) -> None:
    """The topic's conclusion, when with this utterance the talk about it first weighs enough."""
    if not any(one.by_user and one.conclusions for one in heard[: at + 1]):
        return
    said = [one.utterance for one in heard[: at + 1]]
    topic = next(topic for topic in topics_of(said, triggers) if at in topic.members)
    concluding = next((n for n in reversed(topic.members) if heard[n].by_user and heard[n].conclusions), None)
    if concluding is None:
        return
    one = heard[concluding]
    saying = one.conclusions[-1]
    length = len(one.source[saying.start : saying.end].split())
    words = sum(said[n].words for n in topic.members)
    score = importance(len(topic.members), words, length)
    before = 0.0
    if concluding != at:
        before = importance(len(topic.members) - 1, words - said[at].words, length)
    level, level_before = (_level(value, triggers) for value in (score, before))
    if level == 0 or level == level_before:
        return
    found.hits.append(
        Hit(
            rule="discussion.conclusion",
            rule_class="discussion",
            explicit=False,
            kind="decision",
            statement=saying.statement,
            spans=(span_of(one.utterance, saying.start, saying.end),),
            confidence=CONCLUDED,
            anchored=True,
            needs_review=level == 1,
            tags=_own_words(topic.label, one),
            summary=(
                f"importance {score:.1f} = {words} words of talk in {len(topic.members)} messages ÷ "
                f"{length} words of the decision"
            ),
        )
    )


def _own_words(label: str, one: ReadUtterance) -> tuple[str, ...]:
    """The topic's label as far as the conclusion says it itself, so that no word outlives a purge of the message it is of."""
    said = set(one.utterance.text.casefold().split())
    words = " ".join(word for word in label.split() if any(word in other for other in said))
    return (words[:60],) if words else ()


def _level(score: float, triggers: Triggers) -> int:
    """0 stays talk, 1 is flagged for review, 2 is proposed (D3)."""
    return 2 if score > triggers.extract_above else 1 if score >= triggers.flag_above else 0
