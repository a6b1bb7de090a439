"""What a yes lifts and a no contests, whoever said what before (D7, law 8)."""

from collections.abc import Sequence
from dataclasses import replace

from extraction.extractors.discussions.answering import Answered, answered
from extraction.extractors.discussions.concluding import Saying
from extraction.extractors.discussions.confirming import answer_of
from extraction.extractors.discussions.heard import Heard
from extraction.extractors.discussions.noting import Discussed, Mark, Noted, quoted, sources_of, span_of, target_of
from extraction.extractors.discussions.said import Utterance
from extraction.extractors.discussions.triggers import Triggers
from extraction.extractors.documents import Hit, Span

# What a confirmed proposal scores at its own gate.
CONFIRMED = 0.7
# How far between a proposal and an answer others' answers to it are looked for.
FAR = 40


def answer(found: Discussed, heard: Sequence[Heard], at: int, target: int | None, triggers: Triggers) -> None:
    """The utterance's yes or no. A no contests what was said yes to before; a yes to what somebody else still says no to
    confirms nothing and goes to a person."""
    reply = answered(heard, at, target, triggers)
    if reply is None:
        return
    if reply.confirms:
        _confirm(found, heard, at, reply, triggers)
    else:
        _contest(found, heard, at, reply, triggers)


def _contest(found: Discussed, heard: Sequence[Heard], at: int, reply: Answered, triggers: Triggers) -> None:
    one, other = heard[at].utterance, heard[reply.target].utterance
    words = span_of(one, reply.start, reply.end, "opposes")
    # What a user proposed rests on their own words, and what an agent proposed on the yes.
    places = [(other.source_id, other.start, other.end)]
    for whose, yes in _answers_between(heard, at, reply.target, triggers):
        if yes.confirms:
            places.append((whose.source_id, yes.start, yes.end))
    for source, start, end in places:
        found.marks.append(Mark("flag", source, start, end, words, f"{one.sender} objected: source {one.source_id}"))


def _confirm(found: Discussed, heard: Sequence[Heard], at: int, reply: Answered, triggers: Triggers) -> None:
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
        found.hits.append(_accepted(saying, kind, words, other, one, against))
    said = quoted(one.source[reply.start : reply.end])
    what = reply.accepted[0][0].statement if reply.accepted else other.stands[0].statement
    verb, told = "confirm", f"{one.utterance.sender} confirmed it: source {one.utterance.source_id}"
    if against:
        verb, told = "flag", f"{one.utterance.sender} confirmed what others object to: source {one.utterance.source_id}"
    found.marks.append(
        Mark(
            verb, other.utterance.source_id, other.utterance.start, other.utterance.end,
            replace(words, stance="context"), told, tuple(hits), len(found.patterns),
        )
    )  # fmt: skip
    found.patterns.append(
        Noted(
            "confirmation",
            sources_of(other.utterance, one.utterance),
            f"{one.utterance.sender} confirmed what {other.utterance.sender} said, {quoted(what)}: {said}",
            hits[0] if hits else None,
        )
    )


def _answers_between(
    heard: Sequence[Heard], at: int, target: int, triggers: Triggers
) -> list[tuple[Utterance, Answered]]:
    """Each voice's last answer to the same target before this one, in the order of the thread."""
    last: list[tuple[Utterance, Answered]] = []
    for n in range(max(target + 1, at - FAR), at):
        whose = heard[n].utterance
        if not heard[n].by_user or answer_of(whose.sentences, triggers) is None:
            continue
        reply = answered(heard, n, target_of(heard, n), triggers)
        if reply is not None and reply.target == target:
            last = [(other, said) for other, said in last if not other.same_voice(whose)] + [(whose, reply)]
    return last


def _accepted(
    saying: Saying, kind: str, words: Span, other: Heard, one: Heard, against: Sequence[tuple[Utterance, Answered]]
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
