"""Many words at once: a pattern of them, and where each stands."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

# A letter that is no more than itself: `s?he` may begin with another.
_LETTER: Final = re.compile(r"[^\W\d_](?![?*+{|])")


def any_of(forms: str) -> str:
    """One of several words or forms, which commas part, in upper or lower case. Those that begin with the same letter stand
    together behind it, so that where another letter stands all of them are passed by at once, in C."""
    groups: dict[str, list[str]] = defaultdict(list)
    for form in (" ".join(form.split()) for form in forms.split(",")):
        letter = _LETTER.match(form)
        groups[letter[0] if letter else ""].append(form[letter.end() :] if letter else form)
    return f"(?:{'|'.join(_behind(letter, '|'.join(rests)) for letter, rests in groups.items())})"


def _behind(letter: str, rests: str) -> str:
    return f"(?-i:[{letter.lower()}{letter.upper()}])(?i:{rests})" if letter else rests


def places_of(word: str, text: str) -> Iterator[int]:
    """Where a word stands: found letter by letter in C, since most texts hold few of them."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))
