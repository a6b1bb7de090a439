"""Finding a quote in its source (design §6.3). All offsets are Unicode code points, half-open."""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final, Literal

from ledger.rules.normalise import SAME_QUOTES_AND_DASHES

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
    folded, starts, ends = fold(text, low, high)
    needle = fold(quote, 0, len(quote))[0].strip()
    if not needle:
        return []
    places = []
    for at, stop in _find_all(folded, needle, 0, len(folded)):
        # A match that begins or ends inside the folding of one character ("ﬁ" → "fi") has no honest offsets.
        first, last = _piece(starts, at), _piece(starts, stop - 1)
        if starts[first][0] != at or (last + 1 < len(starts) and starts[last + 1][0] != stop):
            continue
        places.append((starts[first][1], ends[last]))
    return places


def _piece(starts: list[tuple[int, int]], at: int) -> int:
    return bisect_right(starts, (at, 1 << 62)) - 1


_SPACES: Final = re.compile(r"[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+")


def fold(text: str, low: int, high: int) -> tuple[str, list[tuple[int, int]], list[int]]:
    """`text[low:high]` for comparison, as pieces: each `starts` entry is (position in the folded text, offset in the
    source), each `ends` entry the offset in the source where the piece stops. A run of white space and invisible
    characters is one blank; a base character and its combining marks are one piece."""
    out: list[str] = []
    starts: list[tuple[int, int]] = []
    ends: list[int] = []
    length, at = 0, low
    while at < high:
        gap = _SPACES.match(text, at, high)
        if gap is not None:
            stop = gap.end()
            piece = " " if any(c.isspace() for c in gap.group()) else ""
        else:
            stop = at + 1
            while stop < high and text[stop] > "\u02ff" and unicodedata.combining(text[stop]):
                stop += 1
            piece = text[at:stop]
            if piece > "\x7f" or stop > at + 1:
                piece = unicodedata.normalize("NFKC", piece).translate(SAME_QUOTES_AND_DASHES)
            piece = (
                unicodedata.normalize("NFKC", piece.casefold())
                if not piece.isascii()
                else piece.lower().translate(SAME_QUOTES_AND_DASHES)
            )
        if piece:
            out.append(piece)
            starts.append((length, at))
            ends.append(stop)
            length += len(piece)
        at = stop
    return "".join(out), starts, ends
