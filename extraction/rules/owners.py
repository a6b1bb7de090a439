"""Who is to do it, and by when: owners of action items as minutes name them."""

import re
from dataclasses import dataclass
from typing import Final

from ledger.rules.values import parse_value

_WORD: Final = r"@?[A-ZÀ-ÖØ-ÞĀ-Ž\u0370-\u03ff\u0400-\u042f\u0590-\u05ff][\w.'’-]{0,30}@?"
_NAME: Final = rf"(?:@[\w.-]{{1,39}}|[\w.-]{{1,39}}@|{_WORD}(?: (?:{_WORD}|van|von|de|der|den|la|le|bin|al)){{0,3}})"
_JOIN: Final = r"(?:,? (?:and|und|et|or) |, ?| ?& ?| ?/ ?| ?\+ ?)"
NAMES: Final = rf"{_NAME}(?:{_JOIN}(?:hopefully |maybe |possibly )?{_NAME}){{0,7}}"
_ONLY_NAMES: Final = re.compile(rf"{NAMES}\Z")
_LEADING: Final = re.compile(
    rf"(?P<names>{NAMES})(?:, (?:maybe|and) others)?,? (?:to|will|shall|should|must|needs? to|is going to|agreed to|volunteered to|can)\b"
)
_ADDRESSED: Final = re.compile(rf"(?P<names>@[\w-]{{1,39}}|{NAMES}|[a-z][\w-]{{1,30}})[ \t]?: (?=\S)")
_TRAILING: Final = re.compile(r"[ \t]*[(\[](?P<names>[^()\[\]\n]{1,120})[)\]][ \t]*[.!]?\Z")
_TRACKER: Final = re.compile(r"[ \t]*\[(?:recorded in |on )[^\[\]\n]{0,400}\][ \t]*\Z")
_TRACKER_ON: Final = re.compile(r"\[on (?P<names>[^\[\]\n]{1,80}?)(?: - due (?P<due>\d{4}-\d\d-\d\d))?\]")
_DUE: Final = re.compile(
    r"\b(?:by|due|before|until|deadline:?|no later than)(?: on)?:? "
    r"(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]{2,8},? \d{4}|[A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th)?,? \d{4})"
)
# Capitalised words that open sentences or stand in brackets and are nobody's name.
_NOBODY: Final = frozenset(
    """i i'm i'll i’ll we we'll it this that these those there they he she you someone somebody everyone everybody anyone all
    the a an no not need needs please discuss add create open close update write follow review check fix move make remove send
    ask investigate file propose prepare publish if when once after before maybe also then and or in on for with from to
    done tbd tba asap wip n/a na none optional draft pending blocked postponed started completed closed overdue today tomorrow
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december jan feb mar apr jun jul aug sep sept oct nov dec pr issue bug url link pdf slides html css js
    continued ongoing new editorial low medium high urgent see note approved accepted resolved deferred""".split()
)


@dataclass(frozen=True, slots=True)
class Owner:
    """`names` as written (`Ben, JF`), and the part of the text that is left when a trailing owner is taken off."""

    names: str
    end: int
    due: str = ""


def looks_like_names(text: str) -> bool:
    """True for one to eight names, handles or initials, and nothing else."""
    words = text.strip()
    if not words or len(words) > 120 or not _ONLY_NAMES.match(words):
        return False
    return not any(part.strip("@").casefold() in _NOBODY for part in re.split(r"[ ,&/+]+", words))


def is_handle(text: str) -> bool:
    """True for a nickname as chats write it: one word, lower case."""
    return re.fullmatch(r"@?[a-z][\w|`^-]{1,30}@?", text.strip()) is not None and text.strip().casefold() not in _NOBODY


def owner_of(text: str, in_label: str = "") -> Owner:
    """The owner of the action `text`, from its label (`AI(BS):`), its end (`… (Rob)`) or its start (`Rob to …`)."""
    end, names, due = len(text), "", _due(text)
    if text.endswith("]") and (tracked := _TRACKER.search(text, max(0, len(text) - 450))):
        on = _TRACKER_ON.search(tracked.group())
        end = tracked.start()
        if on:
            names, due = on["names"], on["due"] or due
    if in_label:
        names = in_label
    trailing = _TRAILING.search(text, max(0, end - 130), end)
    if trailing and trailing.start() > 0 and looks_like_names(trailing["names"]):
        names, end = names or trailing["names"], trailing.start()
    if not names:
        leading = _LEADING.match(text) or _ADDRESSED.match(text)
        if leading and (looks_like_names(leading["names"]) or is_handle(leading["names"])):
            names = leading["names"]
    return Owner(_tidy(names), end, due)


def _due(text: str) -> str:
    found = _DUE.search(text)
    if not found:
        return ""
    try:
        return str(parse_value(found[1], "date")[1])
    except ValueError:
        return ""


def _tidy(names: str) -> str:
    return " ".join(names.replace("@", "").split()).strip(" ,;:")
