"""Whether a message says yes or no to what was said before (D7)."""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.extractors.discussions.plain import Sentence, sentences_of
from extraction.extractors.discussions.triggers import Triggers, shipped

CONFIRM, DENY = "confirm", "deny"
# What stands behind the answer in the same breath is looked at for a `but`.
LOOKED_AT = 2


@dataclass(frozen=True, slots=True)
class Answer:
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


def answer_of(sentences: Sequence[Sentence], triggers: Triggers) -> Answer | None:
    """How a message answers, by its first sentence; greetings and sighs before it are passed over."""
    for at, sentence in enumerate(sentences[:2]):
        found = _one(sentence, sentences[at + 1 : at + LOOKED_AT], triggers)
        if found is not None or len(sentence.plain.split()) > 2:
            return found
    return None


def _one(sentence: Sentence, after: Sequence[Sentence], triggers: Triggers) -> Answer | None:
    pulled = triggers.pull(sentence)
    yes = [one for one in pulled if one.trigger.sense == "confirm"]
    if any(one.trigger.sense == "deny" for one in pulled):
        return Answer(DENY, "", sentence)
    if not yes:
        return None
    best = min(yes, key=lambda one: ("approval", "answer", "courtesy").index(one.trigger.strength or "answer"))
    rest = sentence.plain[best.end :].strip(" ,.!?;:-")
    if sentence.asks and (len(rest.split()) < 2 or best.trigger.strength == "courtesy"):
        return None
    if any(one.trigger.sense == "caveat" for one in pulled):
        return None
    for later in after:
        starts = later.plain.split(maxsplit=1)[0].strip(",.!") if later.plain else ""
        if starts in ("but", "however", "except", "although", "though", "aber", "pero", "wait"):
            return None
    return Answer(CONFIRM, best.trigger.strength or "answer", sentence)
