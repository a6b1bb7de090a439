"""Headers of chats saved as text (WhatsApp in all its locales, Signal): a date, a time and a name before the words.

Nothing in such a file says in which order day, month and year stand. It is inferred from the whole file: what no calendar
allows, what lies before there were such chats or in the future, and what makes the messages run backwards is out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final

from extraction.importers.found import BLANKS, MARKS

# As the clocks of many languages write the two halves of the day, without points and blanks.
MORNING: Final = set(
    "am vorm vormittags fm f ap dop dopo mañana πμ öö 上午 오전 午前 ص pg sa дп пр пре de délelőtt पूर्वाह्न मपू পূর্বাহ্ণ ก่อนเที่ยง ق"
    " לפנה״צ eb hommikul matin قظ".split()
)
EVENING: Final = set(
    "pm nachm nachmittags em e ip odp tarde μμ ös 下午 오후 午後 م ptg ch нп по du délután अपराह्न मउ অপরাহ্ণ หลังเที่ยง ب"
    " אחה״צ soir بظ".split()
)
HALVES: Final = dict.fromkeys(EVENING, "pm") | dict.fromkeys(MORNING, "am")
STARTS: Final = re.compile(r"[\d\[]")
PARTS: Final = ("a", "b", "c", "sep", "hour", "minute", "second", "before", "after")
DATE = r"(?P<a>\d{1,4})\s?(?P<sep>[./\-年])\s?(?P<b>\d{1,2})(?:\s?[./\-月]\s?(?P<c>\d{1,4}))\s?[.日]?"
LINK = r"(?:\s*,|،|\s+(?:at|um|à|às|a las|a les|alle|alle ore|klo|kl\.?|kl|om|o|в|at:))?\s+"
WORD = r"[^\W\d_](?:[^\d:\[\]\-–—]{0,12})"
TIME = r"(?P<hour>\d{1,2})(?P<colon>[:.h])(?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?(?:[.,]\d{1,6})?"
HALF = rf"(?P<before>{WORD}\s?)?{TIME}(?:\s?(?P<after>{WORD}?\.?))??(?:\s?(?:Uhr|uur|hs|hrs?|h))?\.?"
BARE = f"{DATE}{LINK}{HALF}".replace("?P<", "?P<d")
HEADER: Final = re.compile(rf"(?:\[\s?{DATE}{LINK}{HALF}\s?\]:?\s|{BARE}\s?[-–—:]\s)")
# A clock with AM and PM beside slashes is an American one; `a. m.` is written elsewhere.
AMERICAN = re.compile(r"\d\s?[ap]m\b", re.I)
ODD: Final = re.compile("[" + "".join(map(chr, [*MARKS, *BLANKS])) + "]")
# Longest header that is tried; what stands further right is said, not header.
LONGEST = 60
LONGEST_NAME = 100
FIRST_YEAR = 2009
# Senders that are levels of a program's log; and in how many lines a chat shows itself.
LEVELS: Final = frozenset("info warn warning error debug trace fatal critical notice".split())
MAX_COUNTED = 400
# What other programs put before a name or an event: `<ann> one: two`, `*** cy quit (Ping timeout: 265 seconds)`.
NO_NAME: Final = re.compile(r"[<*=]|-[!-]|[-=<]{2}|>")
ORDERS: Final = {"DMY": (2, 1, 0), "MDY": (2, 0, 1), "YMD": (0, 1, 2), "YDM": (0, 2, 1)}


@dataclass(frozen=True, slots=True)
class Header:
    """A line's header: its layout, the date's three numbers as they stand, the clock, and where the words begin. `stamp` is
    the header's text in a form that only its numbers and letters decide."""

    layout: str
    numbers: tuple[str, str, str]
    hour: int
    minute: int
    second: int
    stamp: str
    end: int


def header_of(line: str) -> Header | None:
    """None for a line that begins with no date, time and separator."""
    lead = len(line) - len(line.lstrip("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufeff"))
    start = line[lead : lead + LONGEST]
    if not STARTS.match(start):
        return None
    clean, kept = _clean(start)
    match = HEADER.match(clean)
    return _header(match, lead + kept[match.end()]) if match else None


def _header(match: re.Match[str], end: int) -> Header | None:
    bare = match["a"] is None
    part = {name: match["d" + name if bare else name] or "" for name in PARTS}
    clock = _clock(part["hour"], part["minute"], part["second"] or "0", _half(part["before"], part["after"]))
    if clock is None:
        return None
    layout, numbers = f"{'-' if bare else '['}{part['sep'].strip()}", (part["a"], part["b"], part["c"])
    return Header(layout, numbers, *clock, stamp=" ".join(match.group().split()), end=end)


def _clock(hour: str, minute: str, second: str, half: str | None) -> tuple[int, int, int] | None:
    """Hours, minutes and seconds of the day; None for what no clock shows, or where a word is no half of the day."""
    if half is None or int(hour) > 24 or int(minute) > 59 or int(second) > 59:
        return None
    hours = int(hour) % 24
    if half == "pm" and int(hour) < 12 or half == "am" and int(hour) == 12:
        hours = (hours + 12) % 24
    return hours, int(minute), int(second)


def _clean(start: str) -> tuple[str, Sequence[int]]:
    """The text without marks of direction and with plain blanks, and for each of its places the place before."""
    if start.isascii() or not ODD.search(start):
        return start, range(len(start) + 1)
    kept = [at for at, sign in enumerate(start) if ord(sign) not in MARKS]
    return "".join(start[at] for at in kept).translate(BLANKS), [*kept, len(start)]


def _half(before: str, after: str) -> str | None:
    """Which half of the day a word before or behind the clock says, empty where there is none; None for another word."""
    halves = [HALVES.get("".join(word.split()).lower().replace(".", "")) for word in (before, after) if word]
    return next(filter(None, halves), None) if halves else ""


def looks_like_a_chat(text: str) -> bool:
    """The first line that is not empty has a header with a name or a second header follows."""
    lines = [line for line in text.split("\n") if line.strip()]
    return bool(lines) and header_of(lines[0]) is not None and (
        len(lines) == 1 or any(header_of(line) for line in lines[1:200])
    )  # fmt: skip


def count_headers(text: str) -> tuple[int, int]:
    """How many of a text's first lines have a header, and in how many of these somebody speaks who is no level of a log."""
    heads = [(line, head) for line in text.split("\n")[:MAX_COUNTED] if (head := header_of(line))]
    senders = [sender_of(line[head.end :])[0].lower() for line, head in heads]
    people = [sender for sender in senders if sender and not NO_NAME.match(sender)]
    return len(heads), 0 if LEVELS.issuperset(people) else len(people)


def sender_of(rest: str) -> tuple[str, int]:
    """The name before the first `: `, and where the words after it begin; ("", 0) where nobody speaks."""
    colon = COLON.search(rest, 0, LONGEST_NAME + 21)
    name = rest[: colon.start()].strip() if colon and colon.start() < LONGEST_NAME + 20 else ""
    # A name in quotes is what a line of the system speaks of: Ada changed the subject to "Plan: B".
    if colon is None or not name or len(name) > LONGEST_NAME or not QUOTES.isdisjoint(name):
        return "", 0
    return name, colon.end()


COLON: Final = re.compile("(?s::(?=[ \u200e\u200f\u00a0\u202f\r\n]|\\Z)[ \u00a0]?)")
QUOTES: Final = frozenset('"“”„«»「」')


@dataclass(slots=True)
class _Order:
    possible: bool = True
    backwards: int = 0
    last: date = date.min
    first: date = date.max
    furthest: date = date.min
    years: set[int] = field(default_factory=set)

    def see(self, day: date | None, latest: date) -> None:
        if day is None or day.year < FIRST_YEAR or day > latest:
            self.possible = False
            return
        self.backwards += day < self.last
        self.last, self.first, self.furthest = day, min(self.first, day), max(self.furthest, day)
        self.years.add(day.year)

    @property
    def span(self) -> int:
        return (self.furthest - self.first).days


# Which order is likelier, by the sign between the numbers; `/a` beside a clock with AM and PM.
CUSTOMS: Final = {
    "": ("DMY", "MDY", "YMD", "YDM"),
    "-": ("YMD", "DMY", "MDY", "YDM"),
    "/a": ("MDY", "DMY", "YMD", "YDM"),
}


@dataclass(slots=True)
class Dates:
    """What the file's dates say about their order, seen one after the other."""

    latest: date
    orders: dict[str, _Order] = field(default_factory=lambda: {name: _Order() for name in ORDERS})
    before: tuple[str, str, str] | None = None
    seen: int = 0

    def see(self, numbers: tuple[str, str, str]) -> None:
        self.seen += 1
        if numbers == self.before:
            return
        self.before = numbers
        for name, order in self.orders.items():
            if order.possible:
                order.see(day_of(numbers, name), self.latest)

    def decide(self, layout: str, american: bool = False) -> tuple[str, list[str]]:
        """The order, and the others that would do as well. None possible: the one that most locales use."""
        named = [name for name, order in self.orders.items() if order.possible]
        if not named:
            return "", []
        customs = CUSTOMS.get(layout[-1:] + "a" * american) or CUSTOMS.get(layout[-1:], CUSTOMS[""])

        def cost(name: str) -> tuple[int, int, int, int]:
            # Years are the slowest of the three numbers, and people talk on days that follow each other: the order that shows
            # fewer years and a shorter time in all is the likelier one.
            order = self.orders[name]
            return order.backwards, len(order.years), order.span, customs.index(name)

        ranked = sorted(named, key=cost)
        best = ranked[0]
        equal = [name for name in ranked[1:] if cost(name)[:2] == cost(best)[:2]]
        return best, equal


def day_of(numbers: tuple[str, str, str], order: str) -> date | None:
    """The date that three numbers are in an order; a year has four digits, or two since 2000."""
    year_at, month_at, day_at = ORDERS[order]
    year, month, day = numbers[year_at], numbers[month_at], numbers[day_at]
    if len(year) not in (2, 4) or len(month) > 2 or len(day) > 2:
        return None
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None


def wall(header: Header, order: str) -> datetime | None:
    day = day_of(header.numbers, order)
    return datetime(day.year, day.month, day.day, header.hour, header.minute, header.second) if day else None


@dataclass(slots=True)
class Survey:
    """All headers of a file, by layout: which layout is its own, and what its dates say."""

    latest: date
    layouts: dict[str, Dates] = field(default_factory=dict)
    american: set[str] = field(default_factory=set)

    def see(self, header: Header) -> None:
        if header.layout not in self.layouts and len(self.layouts) >= 20:
            return
        self.layouts.setdefault(header.layout, Dates(self.latest)).see(header.numbers)
        if AMERICAN.search(header.stamp):
            self.american.add(header.layout)

    def own(self) -> tuple[str, Dates] | None:
        return max(self.layouts.items(), key=lambda item: item[1].seen, default=None)


def survey(lines: Iterator[str], now: datetime) -> Survey:
    """One pass over a file's lines."""
    seen = Survey((now + timedelta(days=2)).date())
    for line in lines:
        header = header_of(line)
        if header is not None:
            seen.see(header)
    return seen
