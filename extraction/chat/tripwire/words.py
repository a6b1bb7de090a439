"""Cut a message into words, signs and emoji, and bring each word to one form."""

import re
from dataclasses import dataclass
from functools import lru_cache

from ledger.language.fold import fold

# A longer message is judged by its beginning: a chat line that coordinates does so early.
LONGEST = 2_000
TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]")
REPEATED = re.compile(r"(.)\1{2,}")
POSSESSIVE = re.compile(r"(?:'s|s')$")


@dataclass(frozen=True, slots=True)
class Token:
    """`forms` the word without case, accents, stretched letters and possessive, likeliest first; `raw` as it was written."""

    raw: str
    forms: tuple[str, ...]
    is_word: bool


def tokens_of(text: str) -> list[Token]:
    return [_token(raw) for raw in TOKEN.findall(text[:LONGEST])]


@lru_cache(maxsize=8192)
def _token(raw: str) -> Token:
    if not raw[0].isalnum():
        return Token(raw, (raw,), False)
    word = fold(raw)[:60]
    forms = [word]
    if REPEATED.search(word):
        forms += [REPEATED.sub(r"\1", word), REPEATED.sub(r"\1\1", word)]
    for form in tuple(forms):
        if (bare := POSSESSIVE.sub("", form)) != form and bare:
            forms.append(bare)
    return Token(raw, tuple(dict.fromkeys(forms)), True)
