"""Sentences in the plain form that triggers are written in: one pass over a text, offsets kept.

Plain is lower case, without accents and apostrophes, long-drawn letters cut (`Nooo, that’s WRONG!!` → `no, thats wrong!`).
Code, quoted lines and words in quotation marks are somebody else's and stand as blanks. Pure.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ledger.language.fold import PLAIN_PUNCTUATION, fold
from ledger.language.outline import mask_code, one_break
from ledger.language.own_words import mask_quoted
from ledger.language.sentences import talk_spans

LONGEST: Final = 600
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
# Beyond this a message is a document or a log; its talk is at the top.
MAX_SENTENCES: Final = 400

_SPOKEN: Final = re.compile(r'"[^"\n]{1,400}"|(?<![\w\'])\'(?=\w)[^\'\n]{0,400}?(?<=[\w.!?,])\'(?!\w)|`[^`\n]{1,400}`')
_TOKEN: Final = re.compile(r"[^\W_]+(?:['.&/_-][^\W_]+)*|\+1|-1|[.,;:!?…()-]|[\U0001f300-\U0001faff✅❌✔☑]")
_LONG: Final = re.compile(r"([^\W\d_])\1{2,}")
_LIST: Final = re.compile(r"^(?:[\s>*•#]|-(?!1\b))*(?:\d{1,3}[.)]\s+|\[[ xX]\]\s+)?")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`start:end` of the source, trimmed; `plain` its plain form; `places[i]` and `starts[i]` the position in `plain` and
    in the source of its i-th token, which ends before `ends[i]`."""

    start: int
    end: int
    plain: str
    asks: bool
    places: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def at(self, position: int) -> int:
        """The offset in the source of a position in `plain`; the sentence's end beyond its last token."""
        if position >= len(self.plain):
            return self.end
        return self.starts[max(0, bisect_right(self.places, position) - 1)]

    def until(self, position: int) -> int:
        """The offset in the source where the words before a position in `plain` end."""
        if position >= len(self.plain):
            return self.end
        return self.ends[max(0, bisect_left(self.places, position) - 1)]


def sentences_of(text: str, *, offset: int = 0, spelling: Mapping[str, str] = NOTHING) -> list[Sentence]:
    """The sentences and lines of a text that hold a word (or a thumb), `offset` added to every place."""
    shadow = masked(text)
    found = []
    for start, end in talk_spans(shadow):
        sentence = _read(shadow[start:end], offset + start, spelling)
        if sentence is not None:
            found.append(sentence)
            if len(found) >= MAX_SENTENCES:
                break
    return found


def masked(text: str) -> str:
    """A text of the same length in which only its speaker's own words stand."""
    shadow = mask_quoted(mask_code(one_break(text)), "message").translate(PLAIN_PUNCTUATION)
    if '"' in shadow or "'" in shadow or "`" in shadow:
        shadow = _SPOKEN.sub(lambda found: " " * len(found.group()), shadow)
    return shadow


def _read(words: str, start: int, spelling: Mapping[str, str]) -> Sentence | None:
    lead = _LIST.match(words)
    inner = words[lead.end() :] if lead else words
    begin = start + len(words) - len(inner.lstrip())
    inner = inner.strip()
    if not inner:
        return None
    parts: list[str] = []
    places, starts, ends = [], [], []
    length = 0
    for token in _TOKEN.finditer(inner[:LONGEST]):
        word = plain_word(token.group())
        word = spelling.get(word, word)
        if not word:
            continue
        gap = "" if not parts or word in ".,;:!?…)" else " "
        places.append(length + len(gap))
        starts.append(begin + token.start())
        ends.append(begin + token.end())
        parts.append(gap + word)
        length += len(gap) + len(word)
    if not parts:
        return None
    plain = "".join(parts)
    return Sentence(
        begin,
        begin + len(inner),
        plain,
        inner.rstrip(")\"' ").endswith(("?", "？")),
        tuple(places),
        tuple(starts),
        tuple(ends),
    )


def plain_word(word: str) -> str:
    """One word without case, accents, apostrophes and drawn-out letters."""
    word = fold(word).replace("'", "")
    return _LONG.sub(r"\1", word) if len(word) > 2 else word
