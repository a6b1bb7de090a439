"""What somebody proposes and what somebody concludes: sentences that a yes can make a decision of (D3, D7, law 8)."""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.extractors.discussions.corrections import said_as, tells
from extraction.extractors.discussions.plain import Sentence
from extraction.extractors.discussions.triggers import TriggerMatch, Triggers


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
    return [
        saying
        for sentence in sentences
        if not sentence.asks
        for saying in _first(sentence, source, triggers, "conclusion", agent=True)
    ]


def proposals_of(sentences: Sequence[Sentence], source: str, triggers: Triggers, *, agent: bool) -> list[ImpliedNorm]:
    """What an utterance puts up for a yes: `shall I …?`, `I propose …`, an agent's `I will …`, and what it concludes."""
    found = []
    for sentence in sentences:
        saying = list(_first(sentence, source, triggers, "proposal", agent=agent))
        if not saying and not sentence.asks:
            saying = list(_first(sentence, source, triggers, "conclusion", agent=agent))
        found += saying
    return found


def _first(sentence: Sentence, source: str, triggers: Triggers, sense: str, *, agent: bool) -> list[ImpliedNorm]:
    pulled = triggers.pull(sentence)
    guards = [one for one in pulled if one.trigger.sense == "guard" and one.trigger.id != "guard.negated"]
    if sense == "conclusion" and any(one.trigger.sense == "hedge" for one in pulled):
        return []
    for one in pulled:
        trigger = one.trigger
        if trigger.sense != sense or (trigger.agent and not agent):
            continue
        if sentence.asks and not trigger.asks and trigger.id != "proposal.lets":
            continue
        if one.is_guarded(guards, sentence.plain):
            continue
        statement = _statement(sentence, one, source)
        if tells(statement):
            return [ImpliedNorm(sentence.start, sentence.end, statement, trigger.id, sentence.asks)]
    return []


def _statement(sentence: Sentence, one: TriggerMatch, source: str) -> str:
    if one.rule is not None:
        return said_as(one.trigger.says, source[sentence.at(one.rule[0]) : sentence.until(one.rule[1])])
    return said_as("", source[sentence.start : sentence.end])
