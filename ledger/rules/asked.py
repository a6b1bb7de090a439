"""Whether a statement speaks of what a question asks: of every thing that it names, in these words or in other ones."""

import re
from collections.abc import Sequence
from typing import Final

from ledger.language.aligned.pairs import Pair, pair_of
from ledger.language.aligned.tokens import Word
from ledger.language.fold import fold
from ledger.language.meaning.vocabulary import empty_words
from ledger.language.words import terms
from ledger.rules.ranking import near

_AUXILIARIES: Final = "is|are|was|were|am|be|do|does|did|has|have|had|can|could|may|might|must|should|will|would|shall"
# `what colour`, `how heavy`, `what is the port of`: an answer need not say what it is one of.
_SORT_OF_ANSWER: Final = re.compile(
    rf"\b(?:(?:what|which|whose|how)(?! (?:{_AUXILIARIES})\b)"
    r"|(?:what|which|who|where|when)(?:'s| (?:is|are|was|were)) (?:the|our|your|my|his|her|their|its)"
    r"(?=(?: [\w'-]+){1,2} (?:of|for)\b))"
    rf"(?P<sort>(?: [\w'-]+){{1,3}}?)(?= (?:{_AUXILIARIES}|of|for|to|in|on|at|from|with)\b|\s*[?.!]|\s*\Z)",
    re.I,
)
# Of so many words of another language one may be another one.
MANY_WORDS: Final = 3
# In a word that is no longer another letter makes another word.
SHORT: Final = 5


def speaks_of(question: str, statement: str) -> bool:
    """Whether it could answer the question, or says it. Slips of a letter or two are read over.

    In English each thing that the question names is in the statement, by its form or by what it means; of what is done and what
    sort of answer is wanted one may be told in words that nobody knows for the same. In other languages all words but one of
    several."""
    if empty_words(question) is not empty_words(""):
        return _holds_words(question, statement)
    pair = pair_of(question, statement)
    found = _SORT_OF_ANSWER.search(pair.a.said)
    missing, sort = _missing(pair), range(*found.span("sort")) if found else range(0)
    met = [word for word in pair.a.words if word not in missing]
    if not met or any(word.is_thing and word.place not in sort for word in missing):
        return False
    lacks_sort = bool(sort) and not any(word.place in sort for word in met)
    return sum(word.place not in sort for word in missing) + lacks_sort <= 1


def _missing(pair: Pair) -> Sequence[Word]:
    """What of the first nothing in the second stands for, but for how it is done. A word that there is, and a name, is no slip."""
    said = [word.said.lower() for word in pair.b.words]
    return [
        word
        for word in pair.only_a
        if word.sorts[:1] != "r"
        and (word.sorts or word.is_name or not any(near(word.said.lower(), other) for other in said))
    ]


def _holds_words(question: str, statement: str) -> bool:
    empty, held = empty_words(question), terms(statement)
    asked = [word for word in terms(question) if fold(word) not in empty]
    met = sum(word in held or any(near(word, other) for other in held if len(word) > SHORT) for word in asked)
    return bool(asked) and met >= max(1, len(asked) - (len(asked) >= MANY_WORDS))
