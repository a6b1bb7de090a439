"""What would change, word by word."""

import re
from difflib import SequenceMatcher

# A number with its decimals is one word: 5.9 and 5.75 differ as a whole.
WORDS = re.compile(r"\s+|\d+(?:[.,]\d+)*|\w+|[^\w\s]")
MAX_WORDS = 800


def difference(old: str, new: str) -> list[tuple[str, str]]:
    """Pieces of `old` and `new` in reading order, each marked `same`, `gone` or `added`."""
    before, after = WORDS.findall(old), WORDS.findall(new)
    if len(before) + len(after) > MAX_WORDS:
        return [("gone", old), ("added", new)]
    pieces: list[tuple[str, str]] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(("same", "".join(before[a:b])))
            continue
        if b > a:
            pieces.append(("gone", "".join(before[a:b])))
        if d > c:
            pieces.append(("added", "".join(after[c:d])))
    return pieces
