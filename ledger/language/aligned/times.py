"""When something holds, by what an English sentence says: of one sort of times another one is another time."""

import re
from collections.abc import Iterator
from typing import Final

_SORTS: Final = {
    word: f"sort {at}"
    for at, words in enumerate(
        (
            "monday tuesday wednesday thursday friday saturday sunday weekday weekend",
            "january february march april june july august september october november december",
            "spring summer autumn winter",
            "morning afternoon evening night noon lunch breakfast dinner",
            "yesterday today tomorrow",
            "christmas easter whitsun ramadan",
        )
    )
    for word in words.split()
}
_PERIOD: Final = re.compile(
    r"\b(?P<which>last|this|next|previous|coming|current|first|second|third|final|every)\s(?:fiscal )?"
    r"(?P<period>year|month|week|spring|summer|autumn|winter|term|season|quarter|sprint|half)\b"
    r"|\b(?P<year>(?:19|20)\d\d)\b|\b(?P<quarter>[QH][1-4])\b",
    re.I,
)
_EDGE: Final = re.compile(r"\b(?:until|till|from|since|before|after|during)\s(?=\w)", re.I)


def is_time(word: str) -> bool:
    return word.removesuffix("s") in _SORTS


def times_in(text: str) -> Iterator[tuple[str, str]]:
    """Sort and time."""
    for word in re.findall(r"[a-z]+", text.lower()):
        if is_time(word):
            single = word.removesuffix("s")
            yield _SORTS[single], single
    for found in _PERIOD.finditer(text):
        sort = found["period"] or str(found.lastgroup)
        yield sort.lower(), (found["which"] or found[0]).lower()


def edges_in(text: str) -> Iterator[str]:
    """`until March` and `from April` part a time in two."""
    return (found[0].lower() for found in _EDGE.finditer(text))
