"""Where a model's quote stands. The model's word for it counts for nothing: the program looks (T4, design §6.3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from extraction.extractors.documents import SectionLike, Span
from extraction.extractors.model.ops import FactOp
from ledger.language.spans import Located, locate

Kind = Literal["exact", "relocated", "normalised", "ambiguous", "invented"]
KINDS: Final[tuple[Kind, ...]] = ("exact", "relocated", "normalised", "ambiguous", "invented")
# So many places are no choice for a reviewer: the quote says nothing.
MAX_PLACES: Final = 20
_AROUND: Final = " \t\r\n\"'“”‘’«»`*-•…."


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """`spans` holds the one place, or none; `places` those that it could be. `why` tells why there is none."""

    kind: Kind
    span: Span | None = None
    places: tuple[Span, ...] = ()
    why: str = ""


def find(op: FactOp, text: str, sections: Sequence[SectionLike], window: tuple[int, int]) -> QuoteMatch:
    """In the named section first, then in all of the `window` that was sent. What nobody sent was not read: it can't be quoted."""
    named = named_section(op.section, sections)
    located = _located(op, text, sections, named, window)
    bare = op.quote.strip(_AROUND)
    if located.kind == "missing" and bare not in ("", op.quote):
        # Models put marks around what they quote, and dots where they leave off.
        unplaced = op.model_copy(update={"quote": bare, "start": None, "end": None})
        located = _located(unplaced, text, sections, named, window)
    if located.kind == "ambiguous":
        return _choice(sections, located.places)
    if located.start is None or located.end is None:
        return QuoteMatch("invented", why="the source does not say this")
    kind = _KIND_OF.get(located.kind, "normalised")
    span = _span(sections, located.start, located.end, kind)
    return QuoteMatch(kind, span, why="" if span else _CROSSES)


_CROSSES: Final = "it joins the words of two speakers"
_KIND_OF: Final[dict[str, Kind]] = {"exact": "exact", "relocated": "relocated"}


def _choice(sections: Sequence[SectionLike], places: Sequence[tuple[int, int]]) -> QuoteMatch:
    spans = tuple(filter(None, (_span(sections, start, end, "relocated") for start, end in places)))
    if len(spans) > MAX_PLACES:
        return QuoteMatch("ambiguous", why=f"it stands in {len(spans)} places or more")
    return QuoteMatch("ambiguous", places=spans, why="" if spans else _CROSSES)


def named_section(word: str, sections: Sequence[SectionLike]) -> tuple[int, ...]:
    """The sections that a model means by `S2`, `2` or a name; a turn has two of each name, its header and its words."""
    plain = word.strip().strip("[]").casefold()
    digits = plain.removeprefix("section").strip().removeprefix("s").strip()
    if digits.isascii() and digits.isdigit() and len(digits) < 6:
        at = int(digits) - 1
        return (at,) if 0 <= at < len(sections) else ()
    return tuple(at for at, one in enumerate(sections) if plain and one.name.casefold() == plain)


def _located(
    op: FactOp, text: str, sections: Sequence[SectionLike], named: tuple[int, ...], window: tuple[int, int]
) -> Located:
    for at in reversed(named):
        first, last = max(sections[at].start, window[0]), min(sections[at].end, window[1])
        start, end = op.start, op.end
        # Its offsets may count from the section's start, as it was asked, or from the text's.
        if start is not None and not text.startswith(op.quote, start):
            start, end = start + first, None if end is None else end + first
        found = locate(text, op.quote, start, end, (first, last))
        if found.kind != "missing":
            return found
    return locate(text, op.quote, op.start, op.end, window)


def _span(sections: Sequence[SectionLike], start: int, end: int, anchor: str) -> Span | None:
    """None where the range joins two speakers' words (law 8)."""
    inside = [at for at, section in enumerate(sections) if section.start < end and section.end > start]
    if not inside or len({sections[at].speaker for at in inside}) > 1:
        return None
    return Span(start, end, inside[0], anchor=anchor)
