"""Finding a quote in its source (design §6.3). All offsets are Unicode code points, half-open."""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final, Literal

from ledger.language.fold import fold

LocatedKind = Literal["exact", "relocated", "normalised", "ambiguous", "missing"]
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
    low, high = within if within is not None else (0, len(text))
    low, high = max(0, low), min(len(text), high)
    if start is not None:
        stop = start + len(quote) if end is None else end
        if quote and low <= start < stop <= high and text[start:stop] == quote:
            return Located("exact", start, stop, quote)
    if not quote.strip():
        return Located("missing", None, None, quote)
    places = _find_all(text, quote, low, high)
    kind: LocatedKind = "relocated"
    if not places:
        kind = "normalised"
        places = _find_normalised(text, quote, low, high)
    if not places:
        return Located("missing", None, None, quote)
    if len(places) > 1:
        return Located("ambiguous", None, None, text[places[0][0] : places[0][1]], places)
    only_start, only_end = places[0]
    return Located(kind, only_start, only_end, text[only_start:only_end], places)


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


_SPACES: Final = r"[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+"
_STRETCH: Final = re.compile(rf"(?P<plain>[!-~]++(?: [!-~]++)*+)|(?P<gap>{_SPACES})|(?P<other>.)", re.S)


def _with_places(text: str, low: int, high: int) -> tuple[str, list[Piece]]:
    """`text[low:high]` for comparison, with the way back. Quotes, dashes, case and compatibility forms are unified; a run of
    white space and invisible characters is one blank; a character and its combining marks are one piece."""
    out: list[str] = []
    pieces: list[Piece] = []
    length, at = 0, low
    while at < high:
        stretch = _STRETCH.match(text, at, high)
        if stretch is None:  # never: the last branch takes any character
            break
        stop, even = stretch.end(), False
        if stretch.lastgroup == "gap":
            folded = " " if any(c.isspace() for c in stretch.group()) else ""
        else:
            marks = _marks_end(text, stop, high)
            if stretch.lastgroup == "plain" and marks == stop:
                folded, even = stretch.group().lower(), True
            elif stretch.lastgroup == "plain" and stop - at > 1:
                stop -= 1  # the last character takes the marks that follow it
                folded, even = text[at:stop].lower(), True
            else:
                stop = marks
                folded = fold(text[at:stop], keep_accents=True)
        if folded:
            out.append(folded)
            pieces.append(Piece(length, length + len(folded), at, stop, even))
            length += len(folded)
        at = stop
    return "".join(out), pieces


def _marks_end(text: str, at: int, high: int) -> int:
    while at < high and text[at] > "\u02ff" and unicodedata.combining(text[at]):
        at += 1
    return at
