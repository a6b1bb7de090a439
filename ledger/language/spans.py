"""Finding a quote in its source (design §6.3). All offsets are Unicode code points, half-open."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal

from ledger.language.fold import fold

LocatedKind = Literal["exact", "relocated", "normalised", "ambiguous", "missing"]
_Find = Callable[[str, str, int, int], list[tuple[int, int]]]
MAX_PLACES: Final = 50


@dataclass(frozen=True, slots=True)
class Located:
    """Where a quote stands. For every place given, and for `start` and `end` unless missing or ambiguous,
    `text[start:end]` is the source's own wording; `quote` is that wording (the asked one where nothing was found)."""

    kind: LocatedKind
    start: int | None
    end: int | None
    quote: str
    places: list[tuple[int, int]] = field(default_factory=list)

    @property
    def found(self) -> bool:
        """True where one place is certain."""
        return self.start is not None


def locate(
    text: str,
    quote: str,
    start: int | None = None,
    end: int | None = None,
    within: tuple[int, int] | None = None,
) -> Located:
    """Find `quote` in `text`, or in the range `within` of it (T4, design §6.3).

    Offsets that match are kept (*exact*). A quote found once is *relocated*; one found once after unifying white space,
    quotes, dashes and case is *normalised* and the source's own words are returned; several places are *ambiguous* with at
    most 50 places listed; nowhere is *missing*. Offsets outside the text or the range never match. Time grows with the
    length of the text, not with the product of the two lengths.
    """
    low, high = within or (0, len(text))
    low, high = max(0, low), min(len(text), high)
    if start is not None:
        stop = start + len(quote) if end is None else end
        if low <= start < stop <= high and text[start:stop] == quote:
            return Located("exact", start, stop, quote)
    if quote.strip():
        for kind, find in _WAYS:
            if places := find(text, quote, low, high):
                return _located(kind, text, places)
    return Located("missing", None, None, quote)


def _located(kind: LocatedKind, text: str, places: list[tuple[int, int]]) -> Located:
    start, end = places[0]
    if len(places) > 1:
        return Located("ambiguous", None, None, text[start:end], places)
    return Located(kind, start, end, text[start:end], places)


def _find_all(text: str, needle: str, low: int, high: int) -> list[tuple[int, int]]:
    """Places of `needle` that don't overlap one another."""
    places: list[tuple[int, int]] = []
    at = text.find(needle, low, high)
    while at >= 0 and len(places) < MAX_PLACES:
        places.append((at, at + len(needle)))
        at = text.find(needle, at + len(needle), high)
    return places


def _find_normalised(text: str, quote: str, low: int, high: int) -> list[tuple[int, int]]:
    folded, pieces = _with_places(text, low, high)
    needle = _with_places(quote, 0, len(quote))[0].strip()
    if not needle:
        return []
    firsts = [piece.folded for piece in pieces]
    places = []
    for at, stop in _find_all(folded, needle, 0, len(folded)):
        start = _source_offset(pieces[bisect_right(firsts, at) - 1], at)
        end = _source_offset(pieces[bisect_right(firsts, stop - 1) - 1], stop)
        # A match that begins or ends inside the folding of one character ("ﬁ" as "fi") has no honest offsets.
        if start is not None and end is not None:
            places.append((start, end))
    return places


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of folded text and the stretch of source it stands for; `even` ones match code point by code point."""

    folded: int
    folded_end: int
    source: int
    source_end: int
    even: bool


def _source_offset(piece: Piece, at: int) -> int | None:
    if at == piece.folded:
        return piece.source
    if at == piece.folded_end:
        return piece.source_end
    return piece.source + (at - piece.folded) if piece.even else None


_WAYS: Final[tuple[tuple[LocatedKind, _Find], ...]] = (("relocated", _find_all), ("normalised", _find_normalised))
_SPACES: Final = r"[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+"
_STRETCH: Final = re.compile(rf"(?P<plain>[!-~]++(?: [!-~]++)*+)|(?P<gap>{_SPACES})|(?P<other>.)", re.S)


def _with_places(text: str, low: int, high: int) -> tuple[str, list[Piece]]:
    """`text[low:high]` for comparison, with the way back. Quotes, dashes, case and compatibility forms are unified; a run of
    white space and invisible characters is one blank; a character and its combining marks are one piece."""
    out: list[str] = []
    pieces: list[Piece] = []
    length = 0
    for kind, start, stop in _stretches(text, low, high):
        folded = _FOLDED[kind](text[start:stop])
        if folded:
            out.append(folded)
            pieces.append(Piece(length, length + len(folded), start, stop, even=kind == "plain"))
            length += len(folded)
    return "".join(out), pieces


def _blank(gap: str) -> str:
    """Nothing for what is only invisible."""
    return " " if re.search(r"\s", gap) else ""


_FOLDED: Final[dict[str, Callable[[str], str]]] = {
    "plain": str.lower, "gap": _blank, "other": partial(fold, keep_accents=True),
}  # fmt: skip


def _stretches(text: str, low: int, high: int) -> Iterator[tuple[str, int, int]]:
    """The text cut into pieces that fold alike: kind, start, end."""
    at = low
    while at < high and (stretch := _STRETCH.match(text, at, high)):
        kind, stop = str(stretch.lastgroup), stretch.end()
        marked = stop if kind == "gap" else _marks_end(text, stop, high)
        if marked > stop and stop - at > 1:
            stop -= 1  # the last character takes the marks that follow it
        elif marked > stop:
            kind, stop = "other", marked
        yield kind, at, stop
        at = stop


def _marks_end(text: str, at: int, high: int) -> int:
    while at < high and text[at] > "\u02ff" and unicodedata.combining(text[at]):
        at += 1
    return at
