"""A text in one plain form of the same length, so that offsets stay those of the text."""

import unicodedata
from functools import lru_cache

_QUOTES = str.maketrans("’‘`´“”«»", "''''\"\"\"\"")


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Lower case, without accents, straight quotes; one character for each of the text's."""
    if text.isascii():
        return text.lower()
    return "".join(_letter(char) for char in text.translate(_QUOTES))


@lru_cache(maxsize=2048)
def _letter(char: str) -> str:
    base = unicodedata.normalize("NFD", char)[0].lower()
    return base if len(base) == 1 else char
