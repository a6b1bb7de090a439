"""The topics of a thread, found message by message, and how much talk a conclusion took (D3, D8). Pure, deterministic."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import chain
from typing import Final

from extraction.extractors.discussions.questions import EMPTY, content
from extraction.extractors.discussions.triggers import Triggers, senses
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


# So many messages make a topic of its own; a topic of fewer may be no more than an aside.
ESTABLISHED: Final = 5
TENTATIVE: Final = 2
SHARED: Final = 0.15
# What carries on with what was said: an answer, a connective, a pronoun, a comparison.
_TAKES_UP: Final = re.compile(
    r"^(?:yes|no|ok|oh|ah|hm+|well|sure|right|agreed|exactly|thanks|thank|but|and|or|so|because|then|maybe|perhaps|not|only|just|if"
    r"|when|true|good|great|nice|cool|why|how|what|which|who|where|also|actually|still|plus|except|otherwise|instead|as|ja"
    r"|nein|aber"
    r"|und|oder|also|dann|weil|vielleicht|si|pero|y|o|entonces|porque|tambien|quiza|mais|et|ou|donc|alors|parce|oui|non)\b"
    r"|\b(?:it|its|thats|that|this|these|those|they|them|their|theyre|one|ones|there|he|she|him|her|his|such|same|too|also"
    r"|else|instead"
    r"|both|either|neither|another|other|others|more|less|better|worse|cheaper|faster|as well|would|could|should|might"
    r"|wouldnt|couldnt"
    r"|das|dies\w*|es|sie|ihn|damit|dafur|auch"
    r"|eso|esto|ello|lo|la|ellos|ca|cela|il|elle|ils|elles|aussi|isso|isto|ele|ela|tambem)\b"
)


@dataclass(slots=True)
class Topic:
    """Utterances by their place in the thread, and the words they are about."""

    members: list[int] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)
    label: str = ""


def topics_of(said: Sequence[Utterance], triggers: Triggers) -> list[Topic]:
    """The topics in the order in which they began. Each utterance is in one; where it goes depends on what came before
    it alone, so that a longer thread leaves the shorter one's topics as they were."""
    sorter = _TopicSorter(triggers)
    for one in said:
        sorter.add(one)
    for topic in sorter.topics:
        topic.label = _label(topic, said, sorter.seen, len(said))
    return sorter.topics


@dataclass(slots=True)
class _TopicSorter:
    """What was said so far, its topics, and in how many utterances each word was `seen`. `of` is the topic of each."""

    triggers: Triggers
    said: list[Utterance] = field(default_factory=list)
    topics: list[Topic] = field(default_factory=list)
    of: list[Topic] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    by_id: dict[str, Topic] = field(default_factory=dict)

    def add(self, one: Utterance) -> None:
        words = frozenset[str]().union(*(content(sentence.plain) for sentence in one.sentences))
        self.seen.update(words)
        topic = self.by_id.get(one.reply_to) or (self._topic_for(one, words) if self.of else Topic())
        if not topic.members:
            self.topics.append(topic)
        topic.members.append(len(self.said))
        topic.words.update(words)
        self.said.append(one)
        self.of.append(topic)
        if one.external_id:
            self.by_id[one.external_id] = topic

    def _topic_for(self, one: Utterance, words: frozenset[str]) -> Topic:
        current = self.of[-1]
        if len(words) < FEW:
            return current
        best, nearest, here = self._nearest(words, current)
        if "shift" in senses(self.triggers.pull(one.sentences[0])):
            return nearest if best >= BACK and nearest is not current else Topic()
        taken_up = best >= max(BACK, 2 * here) and len(words & nearest.words.keys()) >= FEW
        was_aside = best > here and best >= LIKE and len(current.members) <= TENTATIVE
        if taken_up or was_aside:
            return nearest
        is_new = here == 0 and best < LIKE and self._begins(one, words)
        return Topic() if is_new or self._leaves(current, one, words) else current

    def _begins(self, one: Utterance, words: frozenset[str]) -> bool:
        """Whether something may begin with it: after a pause, or with a question that has words of its own."""
        return _paused(self.said[-1], one) or (len(words) > FEW and one.sentences[0].asks)

    def _leaves(self, current: Topic, one: Utterance, words: frozenset[str]) -> bool:
        """Whether a sentence that takes nothing up (no pronoun, no yes or but) turns from what was talked about for a while: `The
        pens are running out` after the fridge."""
        is_other = len(words & current.words.keys()) <= SHARED * len(words)
        return is_other and len(current.members) >= ESTABLISHED and not _TAKES_UP.search(one.sentences[0].plain)

    def _nearest(self, words: frozenset[str], current: Topic) -> tuple[float, Topic, float]:
        """The likeness of the likest topic (the earliest of equals), that topic, and the likeness of the current one."""
        # A word that nobody said before speaks for no topic.
        known = words.intersection(chain.from_iterable(topic.words for topic in self.topics))
        weight = {word: 1 + math.log((1 + len(self.said)) / self.seen[word]) for word in words if word in known}
        total = sum(weight.values()) or 1.0
        likeness = [sum(weight[word] for word in weight if word in topic.words) / total for topic in self.topics]
        best = max(likeness)
        here = next(like for like, topic in zip(likeness, self.topics, strict=True) if topic is current)
        return best, self.topics[likeness.index(best)], here


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
