"""How many tokens a text has at most, whichever model reads it."""

import re
from typing import Final

_LETTERS: Final = re.compile(r"[A-Za-z]+ ?")


def most_tokens(text: str) -> int:
    """About twice what tokenizers make of prose: two ASCII letters a token, each digit and mark one, other scripts a token for
    every two bytes. Only a text made to be costly has more."""
    letters = sum(len(run) for run in _LETTERS.findall(text))
    others = len(text.encode()) - len(text)
    return (letters + 1) // 2 + (len(text) - letters) + others // 2
