"""Clocks that only are ones where people arrange their day: `the 745`, `5.15`, `there for three`, `von zehn bis zwei`."""

import re
from collections.abc import Callable, Iterator

from ledger.language.fold import fold_in_place
from ledger.language.times import english, french, german, spanish

Clocks = list[str]
_LAST_HOUR = 12
# A bare hour up to this one is after noon.
_LAST_AFTER_NOON = 7
_MAX_HOURS = 8
_HOURS = {
    word: number
    for language in (french, german, spanish, english)
    for word, number in language.NUMBERS.items()
    if 1 <= number <= _LAST_HOUR
} | {"twelve": 12, "funf": 5, "zwolf": 12, "una": 1, "noon": 12, "midday": 12, "mittag": 12, "mediodia": 12}
_FIGURE = r"(?:1[0-2]|[1-9])"
_OF_24 = r"(?:2[0-3]|1\d|[1-9])"
_HOUR = rf"({_FIGURE}|{'|'.join(sorted(_HOURS, key=len, reverse=True))})"
# An hour in a Spanish range; elsewhere it is English.
_ONCE = "once"
_BEFORE = r"(?<![\w:./$€£#+-])"
_DAYS = r"(?:to(?:night|day|morrow)|2?mrw|tmrw|tmr|hoy|manana|heut(?:e|s)?|morgen|abends?)"
# No count of things: a sentence goes on, or a day follows.
_NO_COUNT = (
    rf"(?![\w:/%€$-]|\.\d|\s(?!{_DAYS}|sharp|latest|so|and|but|then|if|und|aber|dann|y|pero|or|till?|until|bis|"
    r"hasta|w|with|mit|i|we|he|she|they|it|you|u|need\w*|gotta|please|pls|plz|cos|cuz|because|as|if|ok|lol|till|"
    r"everyone|for|to)\b)"
)
_RANGE = r"\s?(?:to|till?|until|bis|a|hasta|and|und|y|[-–])\s?(?:las? )?"
_DAY_BEFORE = (
    rf"{_DAYS}|\w+day|mon|tues?|wed|thurs?|fri|sat|sun|arvo|morning|afternoon|evening|nachmittag|vormittag|tarde"
)

_NO_PARTY = "".join(
    rf"(?<!\b{word} )"
    for word in "are were be is we're they're you're have has had need needs got get for another all only the other".split()
)


def _from_to(found: re.Match[str]) -> Clocks:
    """Both clocks of a range; none where it is too long to be one."""
    begins, ends = _hour(found[1]), _hour(found[2])
    ends += 12 * (ends <= begins and ends < _LAST_HOUR)
    return [f"{begins:02}:00", f"{ends:02}:00"] if 0 < ends - begins <= _MAX_HOURS else []


def _full(found: re.Match[str]) -> Clocks:
    return [f"{_hour(found[1]):02}:00"]


def _half_past(found: re.Match[str]) -> Clocks:
    return [f"{_hour(found[1]):02}:30"]


def _with_minutes(found: re.Match[str]) -> Clocks:
    return [f"{_hour(found[1]):02}:{_MINUTES.get(found[2], found[2])}"]


def _minutes_to(found: re.Match[str]) -> Clocks:
    return [f"{_hour(found[2]) - 1:02}:{60 - _BEFORE_THE_HOUR[found[1]]:02}"]


def _hour(said: str) -> int:
    number = _HOURS.get(said) or (11 if said == _ONCE else int(said))
    return number + 12 * (number <= _LAST_AFTER_NOON)


_MINUTES = {"fifteen": "15", "thirty": "30", "forty": "40", "forty five": "45", "forty-five": "45", "twenty": "20"}
_BEFORE_THE_HOUR = {"five": 5, "ten": 10, "twenty": 20, "5": 5, "10": 10, "20": 20}
SPELLED_HOUR = re.compile(rf"(?<!than )(?<!nach dem )\b(?:{'|'.join(_HOURS)})\b")
# Over folded text.
_PATTERNS: tuple[tuple[str, Callable[[re.Match[str]], Clocks]], ...] = (
    # `11-2`, `de 9 a 1`, `von zehn bis zwei`, `tomorrow 8 to 10`.
    (rf"({_FIGURE})\s?[-–]\s?({_FIGURE})(?![\w:/%€$-]|\.\d)", _from_to),
    (rf"(?:de|desde|von|from|between|zwischen|entre)\s(?:las?\s)?{_HOUR}{_RANGE}{_HOUR}(?![\w:/%€$-]|\.\d)", _from_to),
    (rf"(?:{_DAY_BEFORE})\s{_HOUR}{_RANGE}{_HOUR}(?![\w:/%€$-]|\.\d)", _from_to),
    (rf"(?:de|desde las) {_HOUR[:-1]}|{_ONCE}) (?:a|hasta)(?: las)? {_HOUR[:-1]}|{_ONCE})(?!\w)", _from_to),
    # `can I have it 1 to 3 for moving a dresser`.
    (rf"{_HOUR} (?:to|till?) {_HOUR}(?= for \w+ing\b)", _from_to),
    # `he can only do seven this evening`, and not `we are 8 tonight`.
    (rf"{_NO_PARTY}{_HOUR}(?=\s(?:tonight|this (?:morning|arvo|afternoon|evening)|tomorrow (?:morning|afternoon|evening|night)))",
     _full),
    # `tonight, 6 at Podhalanka`.
    (rf"(?:{_DAY_BEFORE}),? {_HOUR}(?=\s(?:at|in|@|im|en|sharp)\b|\s*[,.!?]|$)", _full),
    # `like 7`, `gegen fünf`, `a eso de las 7`; `till four`, `bis elf`.
    (rf"(?:like|tipo|gegen|around|about|circa|ca\.?|(?:sobre|a eso de) las?)\s{_HOUR}{_NO_COUNT}", _full),
    (rf"(?:bis|ab|from|till?|until|by|before|hasta las?)\s{_HOUR}(?:(?= abgeholt)|{_NO_COUNT})", _full),
    (rf"(?:there|ready|home|back|here|down|out|booked|us in) (?:for|at|by) {_HOUR}{_NO_COUNT}", _full),
    (rf"half\s{_HOUR}(?![\w:/%€$-]|\s(?:of|the|an?|dozen|kids|people)\b)", _half_past),
    # `the 745`, `5.15`, `five thirty`, `ten to five`.
    (
        rf"({_FIGURE})([0-5][05])"
        r"(?![\w:./%€$-]|\s?(?:lbs?|kg|km|mi|g|ml|euros?|bucks|dollars|people|pages|calories))",
        _with_minutes,
    ),
    (
        rf"({_OF_24})\.([0-5][05])(?![\w:./%€$-]|\s?(?:each|per|euros?|bucks|quid|dollars|kg|km|lbs?|miles|m|l|percent|off)\b)",
        _with_minutes,
    ),
    (rf"(?:at|by|till?|until|from|around|for) {_HOUR}[ -](fifteen|twenty|thirty|forty[ -]five|forty)(?!\w)", _with_minutes),
    (rf"(five|ten|twenty|5|10|20) to {_HOUR}(?=\W*$|[,.;!?])", _minutes_to),
    # `puck drops 8`, `training is 3 today`.
    (rf"(?:starts?|begins?|drops|kicks? ?off|kick-?off|opens?|doors|lands?|boarding|leav(?:e|es|ing)|coming|arriv(?:es|ing)|"
    rf"done) (?:at )?{_HOUR}{_NO_COUNT}", _full),
    (rf"(?<=[a-z] )(?:is|starts?|'s) {_HOUR} (?={_DAYS})", _full),
    (rf"for {_HOUR} (?={_DAYS}\b)", _full),
    # `is judo 6 today?`
    (rf"(?:is|are|isn't|aren't|isnt) (?:\w+ ){{1,3}}{_HOUR} (?={_DAYS}\b)", _full),
)  # fmt: skip
_CLOCKS = tuple((re.compile(_BEFORE + pattern), read) for pattern, read in _PATTERNS)


def hours_said(text: str) -> frozenset[int]:
    """The hours, of twelve, that any number in a text may name: `5`, `17h`, `745`, `1615`, `five`, `noon`."""
    folded = fold_in_place(text)
    figures = (figure[:-2] if len(figure) > 2 else figure for figure in re.findall(r"\d{1,4}", folded))
    spelled = (_HOURS[word] for word in re.findall(r"[^\W\d_]+", folded) if word in _HOURS)
    return frozenset(hour % 12 for hour in (*map(int, figures), *spelled) if hour <= 24)


def bare_clocks(text: str) -> Iterator[tuple[tuple[int, int], Clocks]]:
    """Where they stand, and what they name; of two that overlap the one that begins first, and of these the longer."""
    folded = fold_in_place(text)
    found = [((one.start(1), one.end()), read(one)) for pattern, read in _CLOCKS for one in pattern.finditer(folded)]
    end = 0
    for span, clocks in sorted(found, key=lambda one: (one[0][0], -one[0][1])):
        if clocks and span[0] >= end:
            end = span[1]
            yield span, clocks
