"""Sentences: where one ends."""

import re
from typing import Final

from ledger.language.words import WORD

_END: Final = re.compile(r"(?<=[.!?。！？])[\"')\]]*\s+(?=\S)|\n+|;\s+")


def sentences(text: str, *, most: int = 200) -> list[str]:
    """The first `most` different sentences and lines of `text` that hold a word."""
    parts = dict.fromkeys(part.strip() for part in _END.split(text) if WORD.search(part))
    return list(parts)[:most]
