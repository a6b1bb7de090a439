"""Questions that were asked before (D6): the same content words after the same kind of question word. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from extraction.extractors.discussions.plain import Sentence
from ledger.language.words import STOP_WORDS, stem

_WORD: Final = re.compile(r"[^\W_]+(?:[./_-][^\W_]+)*")
_OF_TALK: Final = frozenset(
    """
    mine one ones anyone anybody someone somebody everyone everybody something anything everything today currently
    right actually really maybe perhaps exactly ever yet get got getting go goes going gone make makes made take takes
    took need needs want wants like likes know knows known tell tells told say says said see sees seen look looks
    looking find finds found think thinks thought mean means meant give gives given use using used way ways thing
    things kind sort bit lot time happen happens happened happening new plan plans thanks thank hi hey hello guys hm
    ask asking asked question wondering wonder remind idea somehow supposed able possible help work works last talk
    talked talking chat handle handled anyhow
    """.split()
)
# Words without a subject of their own: what is left of `where do I find the deploy key` is `deploy key`.
EMPTY: Final = frozenset(map(stem, _OF_TALK.union(*STOP_WORDS.values())))
_KINDS: Final = (
    ("when", r"\b(?:whens?|what (?:time|date|day)|which (?:day|date)|how soon|by when|until when|wann|cuando)\b"),
    ("where", r"\b(?:wheres?|which (?:place|folder|room|channel|page)|in what (?:place|folder)|wo|wohin|donde)\b"),
    ("who", r"\b(?:whos?|whose|whom|wer|wem|quien)\b"),
    ("why", r"\b(?:why|what for|how come|for what reason|warum|wieso|por que)\b"),
    (
        "many",
        r"\bhow (?:many|much|long|often|far|big|large|old|high|fast)\b|\bwie ?(?:viel|lange|oft)\b|\bcuant[oa]s?\b",
    ),
    ("how", r"\b(?:hows?|what is the (?:\w+ )?way|whats the (?:\w+ )?way|wie|como)\b"),
    ("which", r"\b(?:what|whats|which|welche\w*|was|cual)\b"),
)
_KIND: Final = tuple((name, re.compile(pattern)) for name, pattern in _KINDS)
_BEGINS: Final = re.compile(
    r"^(?:(?:so|and|but|ok|sorry|again|hey|hi|also|btw|[a-z][\w.-]*[,:])[,:]? ){0,3}"
    r"(?:who|whose|where|wheres|whens|(?:any(?:one|body)|someone) know)\b"
)


@dataclass(frozen=True, slots=True)
class Question:
    """`kind` of question (when, where, who, …, or `whether`), the stems of its content words, and the plain form."""

    kind: str
    words: frozenset[str]
    plain: str


def content(plain: str) -> frozenset[str]:
    """The stems of the words that say what a sentence is about."""
    return frozenset(
        root for word in _WORD.findall(plain) if (root := stem(word)) not in EMPTY and (len(root) > 1 or root.isdigit())
    )


def questions_of(sentences: Sequence[Sentence]) -> list[Question]:
    """The questions among the sentences that are about something. A question mark may be missing
    where a question word leaves no doubt."""
    found = []
    for sentence in sentences:
        plain = sentence.plain.rstrip("?!. ")
        if not sentence.asks and not _BEGINS.match(sentence.plain):
            continue
        words = content(plain)
        if words:
            found.append(Question(_kind_of(plain), words, plain))
    return found


def _kind_of(plain: str) -> str:
    return next((name for name, pattern in _KIND if pattern.search(plain)), "whether")


def same_question(one: Question, other: Question, likeness: float) -> bool:
    """Whether both ask for the same. Other numbers or another question word ask for something else."""
    if one.plain == other.plain:
        return _tells(one)
    kinds = {one.kind, other.kind}
    if len(kinds) > 1 and kinds != {"how", "which"}:
        return False
    if _numbers(one.words) != _numbers(other.words):
        return False
    if one.words == other.words:
        return _tells(one)
    shared = len(one.words & other.words)
    return shared >= 2 and shared / len(one.words | other.words) >= likeness


def _tells(question: Question) -> bool:
    """Whether it names what it asks for: `how did you handle those` may be about anything."""
    return len(question.words) > 1 or question.kind in ("where", "when", "who")


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if any(char.isdigit() for char in word))
