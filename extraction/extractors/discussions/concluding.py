"""What somebody proposes and what somebody concludes: sentences that a yes can make a decision of (D3, D7, law 8)."""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.extractors.discussions.corrections import said_as, tells
from extraction.extractors.discussions.plain import Sentence
from extraction.extractors.discussions.triggers import Trigger, TriggerMatch, Triggers, senses


@dataclass(frozen=True, slots=True)
class ImpliedNorm:
    """`start:end` in the source are the words; `statement` reads them as a statement; `asks` where they are a question."""

    start: int
    end: int
    statement: str
    trigger: str
    asks: bool


def conclusions_of(sentences: Sequence[Sentence], source: str, triggers: Triggers) -> list[ImpliedNorm]:
    """Sentences that conclude: `let's go with …`, `so we …`, `agreed: …`. None that asks, hedges, reports or depends."""
    found = (
        _first(sentence, source, triggers, "conclusion", agent=True) for sentence in sentences if not sentence.asks
    )
    return list(filter(None, found))


def proposals_of(sentences: Sequence[Sentence], source: str, triggers: Triggers, *, agent: bool) -> list[ImpliedNorm]:
    """What an utterance puts up for a yes: `shall I …?`, `I propose …`, an agent's `I will …`, and what it concludes."""
    found = (
        _first(sentence, source, triggers, "proposal", agent=agent)
        or (None if sentence.asks else _first(sentence, source, triggers, "conclusion", agent=agent))
        for sentence in sentences
    )
    return list(filter(None, found))


def _first(sentence: Sentence, source: str, triggers: Triggers, sense: str, *, agent: bool) -> ImpliedNorm | None:
    pulled = triggers.pull(sentence)
    if sense == "conclusion" and "hedge" in senses(pulled):
        return None
    guards = [one for one in pulled if one.trigger.sense == "guard" and one.trigger.id != "guard.negated"]
    fitting = (one for one in pulled if one.trigger.sense == sense and _may_say(one.trigger, sentence, agent=agent))
    for one in fitting:
        statement = _statement(sentence, one, source)
        if not one.is_guarded(guards, sentence.plain) and tells(statement):
            return ImpliedNorm(sentence.start, sentence.end, statement, one.trigger.id, sentence.asks)
    return None


def _may_say(trigger: Trigger, sentence: Sentence, *, agent: bool) -> bool:
    """Some triggers are an agent's words alone; few find anything in a question."""
    in_question = trigger.asks or trigger.id == "proposal.lets"
    return (agent or not trigger.agent) and (in_question or not sentence.asks)


def _statement(sentence: Sentence, one: TriggerMatch, source: str) -> str:
    if one.rule is not None:
        return said_as(one.trigger.says, source[sentence.at(one.rule[0]) : sentence.until(one.rule[1])])
    return said_as("", source[sentence.start : sentence.end])
