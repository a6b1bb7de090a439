"""A cascade of small rules over the classes of tokens: each names a shape, and says what such a shape means."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from ledger.language.times.lexicon import CHAR
from ledger.language.times.tokens import Node as Node


@dataclass(frozen=True, slots=True)
class Place:
    """Where the speaker stands: the message's own time in the scope's zone, and how days and months are written there."""

    now: datetime
    zone: ZoneInfo
    dayfirst: bool
    order_known: bool

    @property
    def today(self) -> date:
        """The day of the message, in the scope's zone."""
        return self.now.date()

    def at(self, day: date, clock: time, zone: ZoneInfo | None = None) -> datetime:
        """That wall clock on that day, aware. A clock that summer time leaps over moves on by the leap."""
        place = zone or self.zone
        local = datetime.combine(day, clock, tzinfo=place)
        return local.astimezone(UTC).astimezone(self.zone)


Made = tuple[str, Any] | None
Build = Callable[[Place, list[Node], Node | None, Node | None], Made]


@dataclass(frozen=True, slots=True)
class Rule:
    """`shape` in names of classes; where it marks `(?P<x>…)`, only that part is replaced by what `build` makes of it."""

    pattern: re.Pattern[str]
    marked: bool
    build: Build


class Rules(list[Rule]):
    """Rules in the order in which they run."""

    def __call__(self, *shapes: str) -> Callable[[Build], Build]:
        """Decorate a builder with the shapes it reads."""

        def keep(build: Build) -> Build:
            for shape in shapes:
                self.append(Rule(re.compile(_compiled(shape)), "(?P<x>" in shape, build))
            return build

        return keep


_NAME: Final = re.compile(r"\(\?P<x>|\(\?[=!<]+|[A-Za-z_]+|\s+")


def _compiled(shape: str) -> str:
    return _NAME.sub(
        lambda found: found[0] if found[0].startswith("(") else CHAR[found[0]] if found[0].strip() else "", shape
    )


def reduce(nodes: list[Node], rules: Sequence[Rule], place: Place) -> list[Node]:
    """The nodes after every rule ran once, in order, over the whole shape."""
    shape = "".join(node.char for node in nodes)
    for rule in rules:
        if not rule.pattern.search(shape):
            continue
        kept: list[Node] = []
        at = 0
        for found in rule.pattern.finditer(shape):
            first, stop = found.span("x") if rule.marked else found.span()
            if first < at or first == stop:
                continue
            part = nodes[first:stop]
            before, after = nodes[first - 1] if first else None, nodes[stop] if stop < len(nodes) else None
            try:
                made = rule.build(place, part, before, after)
            except (OverflowError, ValueError):
                # Out of the calendar: no such day or year.
                made = None
            if made is None:
                continue
            kept += nodes[at:first]
            kept.append(Node(CHAR[made[0]], part[0].start, part[-1].end, made[1]))
            at = stop
        if at:
            nodes = kept + nodes[at:]
            shape = "".join(node.char for node in nodes)
    return nodes


def is_a(node: Node | None, *classes: str) -> bool:
    """Whether the node is there and of one of the classes."""
    return node is not None and any(node.char == CHAR[name] for name in classes)


def pick(part: Sequence[Node], *classes: str) -> Any:
    """The value of the first node of one of the classes; None without one."""
    chars = [CHAR[name] for name in classes]
    return next((node.value for node in part if node.char in chars), None)


def picks(part: Sequence[Node], *classes: str) -> list[Any]:
    """The values of all nodes of these classes, in order."""
    chars = [CHAR[name] for name in classes]
    return [node.value for node in part if node.char in chars]


def shift(day: date, *, months: int = 0, days: int = 0) -> date:
    """Months first, at the month's last day where there is no such day, then days. Raises OverflowError out of the calendar."""
    if months:
        index = day.year * 12 + day.month - 1 + months
        year, month = divmod(index, 12)
        if not 1 <= year <= 9999:
            raise OverflowError(year)
        day = date(year, month + 1, min(day.day, month_length(year, month + 1)))
    return day + timedelta(days=days)


def month_length(year: int, month: int) -> int:
    """28 to 31."""
    following = date(year + month // 12, month % 12 + 1, 1) if year < 9999 or month < 12 else date(9999, 12, 31)
    return 31 if month == 12 else (following - date(year, month, 1)).days
