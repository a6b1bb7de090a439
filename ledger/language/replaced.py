"""Two English sentences that are one but for a single place, where what stands there leaves no room for both: another name for
whoever does it or where it is, another colour, how often, the opposite. Pure.

What stands before a noun tells one thing from another (`the weekly report`, `the red door`), so only the end of a sentence, or what
a preposition follows, is compared. What may be, what is denied and what is said to be beside something else rules nothing out.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ledger.language.lands import is_land
from ledger.language.words import STOP_WORDS, stem, terms

MAX_WORDS: Final = 40
MAX_REPLACED: Final = 3
_WORD: Final = re.compile(r"[^\W_]+(?:[-.'/&][^\W_]+)*[+#]*")
_ARTICLES: Final = frozenset("a an the our my your their his her its this that".split())
_RULES_NOTHING_OUT: Final = frozenset(
    "not never no none nobody without cannot don't doesn't won't can't isn't aren't may might can could or and also too another "
    "first second one some any other others both either e.g if when unless only than".split()
)
_PREPOSITIONS: Final = frozenset(
    "as at before after by during for from in into of on per since through to until while with within".split()
)


def _rows_by_word(table: str) -> dict[str, frozenset[int]]:
    """Which rows of a table each word stands in; rows are parted by `|`."""
    rows: dict[str, set[int]] = defaultdict(set)
    for at, row in enumerate(table.split("|")):
        for word in row.split():
            rows[stem(word)].add(at)
    return {word: frozenset(numbers) for word, numbers in rows.items()}


# Of each row a thing has one at a time.
_DIMENSIONS: Final = _rows_by_word(
    "red blue green yellow white black grey gray brown orange purple pink beige violet turquoise"
    "|hourly daily nightly weekly fortnightly biweekly monthly quarterly yearly annually"
    "|wood wooden steel aluminium aluminum plastic brass copper glass concrete stainless granite oak bamboo"
    "|vegetarian vegan|left right|top bottom|inside outside|upstairs downstairs|indoors outdoors|small large|short long"
    "|thin thick|light dark|light heavy|hot cold|wet dry|full empty|hard soft|loud quiet|cheap expensive|manual automatic"
    "|internal external|public private|single multiple double|horizontal vertical|temporary permanent|free paid|strict lenient"
    "|serial parallel|male female|even odd|ascending descending|synchronous asynchronous"
)
_OPPOSITE_VERBS: Final = _rows_by_word(
    "approve reject|accept decline|book cancel|buy sell|raise lower|raise cut|increase decrease|increase reduce|hire fire"
    "|lock unlock|open close|start stop|keep remove|keep delete|keep drop|add remove|include exclude|enable disable"
    "|allow forbid|publish withdraw|merge revert|encrypt decrypt|pin unpin|mute unmute|hide show|join leave|import export"
    "|push pull|lend borrow|expand shrink|extend shorten|centralise decentralise|continue abandon|confirm cancel"
)
_LIKES: Final = re.compile(r"\b(?:prefer|want|like|use|choose|pick|favou?r)s?\Z", re.I)
# After these stands the one place, person or thing that there is.
_ONE_AT_A_TIME: Final = re.compile(
    r"""(?:^(?:the|our|my|his|her|its|their|this)\s.*\b(?:is|was|will\ be|must\ be|should\ be|shall\ be|becomes|remains|stays)
    |\b(?:is|are|was|were|be|lives?|lived|located|based|held|happens?|takes\ place|kept|stays?|sits?|born|works?)\s(?:in|at|on)
    |\b(?:stor|keep|kept|put|sav|host|deploy|log|archiv|publish|regist|hold|held)\w*\b.*\s(?:in|on|at|to|with)
    |\b(?:buy|bought|order|sourc|rent|leas|purchas|get|gets|come|comes)\w*\b.*\sfrom
    |\b(?:led|owned|chaired|run|managed|hosted|maintained|paid|supplied|handled|organi[sz]ed|headed|provided|operated)\sby
    |\b(?:mov|migrat|switch|report|belong|assign|deploy)\w*\b.*\sto
    |\b(?:called|named|insured\swith|banks?\swith))(?:\s(?:the|a|an|our))?\Z""",
    re.I | re.X,
)
_ONE_DOES_IT: Final = re.compile(
    r"(?:(?:owns|leads|runs|chairs|manages|maintains|hosts|heads)\b"
    r"|will (?:own|lead|run|chair|manage|maintain|host|head)\b|is (?:the|our|my|responsible|in charge|on call)\b)",
    re.I,
)
_EVERYBODY: Final = frozenset({"everyone", "everybody", "anyone", "anybody"})


@dataclass(frozen=True, slots=True)
class _Place:
    """The words `one` and `other` between what both sentences say before and after; `opening` and `closing` are what one of them
    says there, as it is written."""

    before: list[str]
    one: list[str]
    other: list[str]
    after: list[str]
    opening: str
    closing: str

    @property
    def at_end(self) -> bool:
        return not self.after or self.after[0].lower() in _PREPOSITIONS

    @property
    def single(self) -> tuple[str, str] | None:
        return (self.one[0], self.other[0]) if len(self.one) == len(self.other) == 1 else None

    @property
    def rules_out(self) -> bool:
        """Whether the words in common name anything, and none of them leaves room for both."""
        words = {word.lower() for word in (*self.before, *self.after)}
        return bool(words - STOP_WORDS["en"]) and words.isdisjoint(_RULES_NOTHING_OUT)

    @property
    def names(self) -> bool:
        """Whether names stand there: at the beginning of a sentence every word has a capital."""
        words = [*self.one, *self.other]
        return all(word[0].isupper() and word.lower() not in STOP_WORDS["en"] for word in words)


def replaced(one: str, other: str) -> str:
    """Why the two cannot both be true, or the empty string. The order does not matter."""
    place = _only_difference(one, other)
    if place is None or not (_only_some(place) or place.rules_out and any(differs(place) for differs in _DIFFERENCES)):
        return ""
    return f"says {' '.join(place.one)} where it is {' '.join(place.other)}"


def _only_difference(one: str, other: str) -> _Place | None:
    """Where two sentences part and meet again, articles apart."""
    a, b = _words(one), _words(other)
    if not a or not b or max(len(a), len(b)) > MAX_WORDS:
        return None
    before = _common(a, b)
    after = min(_common(a[::-1], b[::-1]), len(a) - before, len(b) - before)
    mine, theirs = (words[before : len(words) - after] for words in (a, b))
    if not 0 < len(mine) <= MAX_REPLACED or not 0 < len(theirs) <= MAX_REPLACED:
        return None
    spans = [word.span() for word in _WORD.finditer(one) if word[0].lower() not in _ARTICLES]
    start, end = spans[before][0], spans[len(a) - after - 1][1]
    return _Place(a[:before], mine, theirs, a[len(a) - after :], one[:start].strip(), one[end:].strip())


@lru_cache(maxsize=4096)
def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word.lower() not in _ARTICLES]


def _common(a: list[str], b: list[str]) -> int:
    pairs = enumerate(zip(a, b, strict=False))
    return next((at for at, (mine, theirs) in pairs if stem(mine) != stem(theirs)), min(len(a), len(b)))


def _of_one_dimension(place: _Place) -> bool:
    if place.single is None:
        return False
    return _share_a_row(_DIMENSIONS, *place.single) and (place.at_end or _LIKES.search(place.opening) is not None)


def _opposite_verbs(place: _Place) -> bool:
    if place.single is None or not place.after:
        return False
    return _share_a_row(_OPPOSITE_VERBS, *place.single)


def exclude_each_other(one: str, other: str) -> bool:
    """Whether a thing has or does only one of them at a time."""
    return _share_a_row(_DIMENSIONS, one, other) or _share_a_row(_OPPOSITE_VERBS, one, other)


def _share_a_row(rows: Mapping[str, frozenset[int]], one: str, other: str) -> bool:
    return bool(rows.get(stem(one), frozenset()) & rows.get(stem(other), frozenset()))


def _another_name(place: _Place) -> bool:
    if not place.names or not _PREPOSITIONS.isdisjoint(map(str.lower, [*place.one, *place.other])):
        return False
    if not place.before:
        return _ONE_DOES_IT.match(place.closing) is not None
    if is_land(" ".join(place.one)) != is_land(" ".join(place.other)):
        return False
    return place.at_end and _ONE_AT_A_TIME.search(place.opening) is not None


def _only_some(place: _Place) -> bool:
    """`Only admins can delete it` and `Everyone can delete it`."""
    sides = [[word.lower() for word in side] for side in (place.one, place.other)]
    return any(a[0] == "only" and len(b) == 1 and b[0] in _EVERYBODY for a, b in (sides, sides[::-1]))


_DIFFERENCES: Final[tuple[Callable[[_Place], bool], ...]] = (
    _of_one_dimension,
    _opposite_verbs,
    _another_name,
    _only_some,
)


# `from Acme`, at the end or before what the sentence adds to it.
_TIE: Final = re.compile(
    r"\b(?P<tie>from|in|at|by|with|to|on)\s+(?:the\s+|our\s+)?(?P<name>[A-Z][\w&.-]*(?:\s[A-Z][\w&.-]*){0,2})"
    r"(?=(?:\s(?:only|exclusively|alone|again|instead|now))?\s*(?:[.;!)]|\Z))"
)
# With these a thing has one place, source or doer at a time, by the tie that they have.
_TIED: Final = {
    "from": frozenset(map(stem, "buy order source rent lease purchase import".split())),
    "in": frozenset(map(stem, "store keep host live base build make hold print".split())),
    "at": frozenset(map(stem, "store keep host hold meet print".split())),
    "on": frozenset(map(stem, "store host deploy run".split())),
    "with": frozenset(map(stem, "host store insure bank deposit".split())),
    "to": frozenset(map(stem, "move migrate switch report belong assign".split())),
    "by": frozenset(
        map(stem, "lead own chair manage host maintain supply deliver organise organize provide print".split())
    ),
}
_ADDS_NOTHING: Final = frozenset(terms("only exclusively alone again now instead"))


def tied_elsewhere(one: str, other: str) -> str:
    """Why both cannot be where one names another source, place or doer of the same thing, in whatever order: `Feed is bought from
    Hansen only`, `We buy the feed from Brandt`."""
    a, b = _tied(one), _tied(other)
    if (
        a is None
        or b is None
        or a[0] != b[0]
        or a[1] != b[1]
        or a[2].lower() == b[2].lower()
        or is_land(a[2]) != is_land(b[2])
    ):
        return ""
    return f"says {a[2]} where it is {b[2]}"


@lru_cache(maxsize=4096)
def _tied(text: str) -> tuple[str, frozenset[str], str] | None:
    """The tie, what the sentence says beside it, and the name; None where it leaves room for more."""
    found = list(_TIE.finditer(text))
    words = {word.lower() for word in _WORD.findall(text)}
    if len(found) != 1 or not words.isdisjoint(_RULES_NOTHING_OUT - {"only"}):
        return None
    tie, name = found[0]["tie"], found[0]["name"]
    said = frozenset(terms(text[: found[0].start()] + text[found[0].end() :])) - _ADDS_NOTHING
    verbs = said & _TIED[tie]
    return (tie, said, name.strip(".")) if verbs and said - verbs else None
