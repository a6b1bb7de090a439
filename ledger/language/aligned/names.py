"""Where two statements are one but for a name, and what holds for one name leaves no room for the other (D12)."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ledger.language.aligned.pairs import Pair, said_by
from ledger.language.aligned.reading import EnglishReading
from ledger.language.aligned.tokens import Word

# With these one does it, or it is in one place, by one means, by one way.
_LEADS: Final = frozenset(
    "chair lead own run manage head host audit maintain coach captain direct moderate present organize organise responsible charge "
    "owner chief leader manager task job duty responsibility hand turn editor treasurer secretary coordinator supervise".split()
)
_JOINS: Final = frozenset("sit serve join belong attend participate assist advise support member deputy".split())
_KEEPS: Final = frozenset("store keep hold hang live locate host save sit upload log archive put meet stay".split())
_MAKES: Final = frozenset("write build sign hash paint print encrypt encode code implement compile render".split())
_SENDS: Final = frozenset("send route pay ship deliver order buy get source bill invoice".split())
_IS_AT: Final = re.compile(r"\b(?:is|are|be)\s+(?:in|at|on)\s(?:the\s|our\s)?\Z")
_LEAVES_ROOM: Final = re.compile(r"\b(?:also|too|another|either|both|or|and)\b", re.I)
MAX_NAMED: Final = 4


def another_name(pair: Pair) -> str:
    """One name is left to each, in a place that the rest allows once."""
    if not pair.neither_denies or pair.misfits or pair.two_times:
        return ""
    names_a, names_b = (
        [word for word in only if not word.is_verb and word.base not in _LEADS] for only in (pair.only_a, pair.only_b)
    )
    beside = {word.base for word in (*(one for one, _ in pair.met), *pair.only_a, *pair.only_b)}
    # Who sits on a panel leaves room for whoever chairs it.
    if beside & _JOINS:
        return ""
    places = {_place(names, beside, reading) for names, reading in ((names_a, pair.a), (names_b, pair.b))}
    return f"says {said_by(names_a)} where it is {said_by(names_b)}" if len(places) == 1 and "" not in places else ""


def _place(names: Sequence[Word], beside: set[str], reading: EnglishReading) -> str:
    """Which place they fill: who, where, made of what, by which way; empty where they are no name alone at the end of a group."""
    if not 0 < len(names) <= MAX_NAMED or not any(word.may_be_name for word in names) or _leads_on(names[-1], reading):
        return ""
    if any(b.place - a.place - len(a.said) > 8 for a, b in pairwise(names)) or _LEAVES_ROOM.search(reading.said):
        return ""
    return _named_by(names[0], beside, reading)


def _named_by(name: Word, beside: set[str], reading: EnglishReading) -> str:
    after = name.after
    if beside & _LEADS and (name.first or after in ("by", "is", "") or name.said.endswith("'s")):
        return "who"
    kept = not beside.isdisjoint(_KEEPS) or _IS_AT.search(reading.said[: name.place]) is not None
    fills = {
        "where": kept and after in ("in", "at", "on", "to", "behind"),
        "of what": beside & _MAKES and after in ("in", "with"),
        "which way": after in ("through", "via") or (beside & _SENDS and after in ("from", "with", "by")),
    }
    return next((place for place, filled in fills.items() if filled), "")


def _leads_on(word: Word, reading: EnglishReading) -> bool:
    """Whether it only tells which of what follows."""
    following = next((one for one in reading.words if one.place > word.place), None)
    return word.ahead and following is not None and not following.is_verb and following.base not in _LEADS
