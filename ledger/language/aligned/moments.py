"""The amounts of an English sentence, with what people say of times in words: `half past seven`, `noon`, `quarterly`, `the 5th`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from ledger.language.measures import DATED, EXACT, LEAST, MOST, Measure, measures

_HOURS: Final = {
    word: at for at, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_HOUR: Final = rf"(?:{'|'.join(_HOURS)}|\d{{1,2}})"
_OFTEN: Final = {
    word: hours
    for hours, words in (
        (1, "hourly|every hour"),
        (24, "daily|every day|nightly|every night"),
        (168, "weekly|every week|once a week"),
        (336, "fortnightly|every two weeks"),
        (730, "monthly|every month|once a month"),
        (2190, "quarterly|every quarter"),
        (8760, "annually|yearly|every year|once a year"),
    )
    for word in words.split("|")
}
_MONTHS: Final = "january|february|march|april|may|june|july|august|september|october|november|december"
_CAPPED: Final = re.compile(r"\b(?:capped|cap|limited|restricted)\s(?:at|to)\s\Z", re.I)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
# What tells when.
WHEN: Final = DATED | {"year", "nth", "day of the year"}
_LONG: Final = re.compile(r"[ -](?P<unit>month|year)s?\b", re.I)
_SAID: Final = re.compile(
    rf"\b(?:(?:a\s)?(?P<part>half|quarter)\s(?P<way>past|to)\s(?P<hour>{_HOUR})\b|(?P<noon>noon|midday|midnight)\b"
    rf"|(?<=\bat\s)(?P<full>{_HOUR})(?:\so'clock)?(?=[.,;]|\Z|\s(?:in the|on|every)\b)(?P<late>\sin the (?:afternoon|evening))?"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<month>{_MONTHS})\b"
    rf"|(?P<month2>{_MONTHS})\s(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!,?\s\d{{4}})"
    rf"|the\s(?P<nth>\d{{1,2}})(?:st|nd|rd|th)\b|(?P<first>the first) of (?:the|each|every) month\b"
    rf"|(?P<often>{'|'.join(_OFTEN)})\b)",
    re.I,
)


def moments(text: str) -> list[Measure]:
    """In order; where both read the same place, the one that reads more."""
    found: list[Measure] = []
    for one in sorted(
        [*map(partial(_as_meant, text), measures(text)), *_said_in_words(text)],
        key=lambda one: (one.start, -one.end, one.what == "number"),
    ):
        if not found or one.start >= found[-1].end:
            found.append(one)
    return found


def _as_meant(text: str, one: Measure) -> Measure:
    """`capped at` bounds, months and years are of one sort, and nothing that ships does so until a day."""
    if one.bound == EXACT and _CAPPED.search(text[: one.start]):
        one = replace(one, bound=MOST)
    if one.what in DATED and one.bound == MOST and text[one.start :].lower().startswith("until"):
        one = replace(one, bound=LEAST)
    if one.what == "number" and _YEAR.fullmatch(one.said):
        return replace(one, what="year")
    span = _LONG.match(text, one.end) if one.what == "number" else None
    if span is None:
        return one
    size = 12 if span["unit"].lower() == "year" else 1
    return replace(one, what="months", low=one.low * size, high=one.high * size, end=span.end())


def _said_in_words(text: str) -> Iterator[Measure]:
    for match in _SAID.finditer(text):
        what, at = _meant(match)
        yield replace(_BLANK, what=what, low=at, high=at, said=match[0], start=match.start(), end=match.end())


_BLANK: Final = Measure("", 0, 0, EXACT, "", 0, 0)


def _meant(match: re.Match[str]) -> tuple[str, float]:
    if match["often"]:
        return "often", float(_OFTEN[match["often"].lower()])
    if match["month"] or match["month2"]:
        month = _MONTHS.split("|").index((match["month"] or match["month2"]).lower())
        return "day of the year", month * 100.0 + int(match["day"] or match["day2"])
    if match["nth"] or match["first"]:
        return "nth", float(match["nth"] or 1)
    return "clock", _clock(match)


def _clock(match: re.Match[str]) -> float:
    """Minutes after midnight."""
    if match["noon"]:
        return 0.0 if match["noon"].lower() == "midnight" else 720.0
    hour = (match["hour"] or match["full"]).lower()
    minutes = 60.0 * int(_HOURS.get(hour, hour))
    if match["part"]:
        minutes += {"half": 30, "quarter": 15}[match["part"].lower()] * (1 if match["way"].lower() == "past" else -1)
    return minutes + 720 * bool(match["late"] and minutes < 720)
