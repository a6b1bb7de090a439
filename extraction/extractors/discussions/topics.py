"""The topics of a thread, found message by message, and how much talk a conclusion took (D3, D8). Pure, deterministic."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from extraction.extractors.discussions.questions import EMPTY, content
from extraction.extractors.discussions.triggers import Triggers
from extraction.extractors.discussions.utterances import Utterance
from ledger.language.words import stem

_WORD: Final = re.compile(r"[^\W\d_][\w-]{2,}")
# A topic that was left is taken up again by so much of what a message is about.
BACK: Final = 0.5
LIKE: Final = 0.25
PAUSE: Final = timedelta(hours=3)
# So few content words are an answer, not a topic.
FEW: Final = 2
LABEL_WORDS: Final = 3


@dataclass(slots=True)
class Topic:
    """Utterances by their place in the thread, and the words they are about."""

    members: list[int] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)
    label: str = ""


def topics_of(said: Sequence[Utterance], triggers: Triggers) -> list[Topic]:
    """The topics in the order in which they began. Each utterance is in one; where it goes depends on what came before
    it alone, so that a longer thread leaves the shorter one's topics as they were."""
    topics: list[Topic] = []
    of: list[Topic] = []
    seen: Counter[str] = Counter()
    by_id = {one.external_id: at for at, one in enumerate(said) if one.external_id}
    for at, one in enumerate(said):
        words = frozenset[str]().union(*(content(sentence.plain) for sentence in one.sentences))
        seen.update(words)
        answered = by_id.get(one.reply_to) if one.reply_to else None
        if answered is not None and answered < at:
            topic = of[answered]
        else:
            topic = _topic_for(one, words, said, at, topics, of, seen, triggers)
        if not topic.members:
            topics.append(topic)
        topic.members.append(at)
        topic.words.update(words)
        of.append(topic)
    for topic in topics:
        topic.label = _label(topic, said, seen, len(said))
    return topics


def _topic_for(
    one: Utterance,
    words: frozenset[str],
    said: Sequence[Utterance],
    at: int,
    topics: list[Topic],
    of: list[Topic],
    seen: Counter[str],
    triggers: Triggers,
) -> Topic:
    if not of:
        return Topic()
    current = of[-1]
    if len(words) < FEW:
        return current
    best, nearest, here = _nearest(words, at, topics, current, seen)
    if one.sentences and any(p.trigger.sense == "shift" for p in triggers.pull(one.sentences[0])):
        return nearest if best >= BACK and nearest is not current else Topic()
    if best >= BACK and best >= 2 * here and sum(w in nearest.words for w in words) >= FEW:
        return nearest
    begins = _paused(said[at - 1], one) or (len(words) > FEW and one.sentences[0].asks)
    return Topic() if here == 0 and best < LIKE and begins else current


def _nearest(
    words: frozenset[str], at: int, topics: list[Topic], current: Topic, seen: Counter[str]
) -> tuple[float, Topic, float]:
    """The likeness of the likest topic (the earliest of equals), that topic, and the likeness of the current one."""
    # A word that nobody said before speaks for no topic.
    weight = {w: 1 + math.log((1 + at) / seen[w]) for w in words if any(w in topic.words for topic in topics)}
    total = sum(weight.values()) or 1.0
    likeness = [sum(weight[w] for w in weight if w in topic.words) / total for topic in topics]
    best = max(likeness)
    here = next(like for like, topic in zip(likeness, topics, strict=True) if topic is current)
    return best, topics[likeness.index(best)], here


def _paused(before: Utterance, one: Utterance) -> bool:
    return one.sent_at is not None and before.sent_at is not None and one.sent_at - before.sent_at > PAUSE


def _label(topic: Topic, said: Sequence[Utterance], seen: Counter[str], count: int) -> str:
    """The words that tell this topic from the others, as people write them."""
    written: dict[str, str] = {}
    for member in topic.members:
        for word in _WORD.findall(said[member].text):
            written.setdefault(stem(word), word.casefold())
    scored = sorted(
        (
            (-times * math.log(1 + count / seen[word]), word)
            for word, times in topic.words.items()
            if word in written and word not in EMPTY
        ),
    )
    return " ".join(written[word] for _, word in scored[:LABEL_WORDS])


def importance(messages: int, words: int, decision_words: int) -> float:
    """Messages × average words ÷ words of the decision, which is words of talk ÷ words of the decision (D3)."""
    return words / decision_words if messages and decision_words else 0.0
