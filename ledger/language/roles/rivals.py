"""Whether two statements are one but for what stands in one place, and that place holds one thing at a time: who does it, where it
is, by what means it is done, what it is called (D12).

Pure. Each may say it in other words: what both speak of is aligned by form and meaning, and of verbs of one class one stands for
the other. What is left to each must be one phrase, and no part of a phrase that both have: `the upper lock` is another lock.
"""

from itertools import product
from typing import Final

from ledger.language.lands import is_land
from ledger.language.meaning.vocabulary import language_of
from ledger.language.roles.phrases import NUMBERS, Part, does, groups, phrases_of, same_part
from ledger.language.roles.sides import Side


def rival(one: str, other: str) -> str:
    """Why the two cannot both be true, or the empty string. The order does not matter."""
    found = language_of(one, other)
    code = found.code if found else "en"
    mine, theirs = phrases_of(one, code), phrases_of(other, code)
    if mine is None or theirs is None or (mine.words | theirs.words) & groups(code)["room"]:
        return ""
    a, b = Side.beside(mine, theirs), Side.beside(theirs, mine)
    return _told_apart(a, b) if a.names_a_thing or b.names_a_thing else ""


def _told_apart(a: Side, b: Side) -> str:
    mine, theirs = a.phrases, b.phrases
    if mine.times and theirs.times and mine.times != theirs.times:
        return _another_time(a, b)
    if a.is_count and b.is_count:
        return _another_count(a, b)
    same_numbers = mine.numbers == theirs.numbers and not any(part.is_number for part in (*a.own, *b.own))
    return _another_phrase(a, b) if same_numbers and a.is_one_phrase and b.is_one_phrase else ""


def _another_time(a: Side, b: Side) -> str:
    """Where each names one time, of one sort, and nothing else is told apart."""
    if (
        a.own
        or b.own
        or not (a.happens_once and b.happens_once)
        or not len(a.phrases.times) == len(b.phrases.times) == 1
    ):
        return ""
    (sort, mine), (other_sort, theirs) = *a.phrases.times, *b.phrases.times
    return f"says {mine} where it is {theirs}" if sort == other_sort else ""


def _another_count(a: Side, b: Side) -> str:
    """Another number of the same, which no word bounds. `Section 4` counts nothing."""
    counted, other = a.beside_number(1), b.beside_number(1)
    bounded = (a.phrases.words | b.phrases.words) & a.told["bounds"] if a.phrases.code == "en" else True
    if bounded or counted is None or other is None or counted.key != other.key:
        return ""
    labels = any(before and not does(before, "en") for before in (a.beside_number(-1), b.beside_number(-1)))
    if labels or _value(a.own[0]) == _value(b.own[0]):
        return ""
    return f"says {a.said} where it is {b.said}"


def _value(number: Part) -> str:
    return NUMBERS.get(number.said.lower(), number.said)


def _another_phrase(a: Side, b: Side) -> str:
    """Where each has one phrase of its own, in a place that holds one."""
    if _is_one_name(a.said.lower(), b.said.lower()) or not any(fills(a, b) for fills in _PLACES):
        return ""
    return f"says {a.said} where it is {b.said}"


def _is_one_name(one: str, other: str) -> bool:
    """`Postgres` and `PostgreSQL`."""
    return one[:4] == other[:4]


def _who(a: Side, b: Side) -> bool:
    told, sides = a.told, (a, b)
    if not all("do" in side.tells for side in sides) and not _both_do_it(a, b):
        return False
    if a.phrases.code == "en" and any(not side.lead and side.stands_behind_verb for side in sides):
        return False
    return all(
        side.own[0].begins
        and side.lead in {"", "is"} | told["by"]
        and (side.own[0].named or side.own[-1].key in told["who"])
        for side in sides
    )


def _where(a: Side, b: Side) -> bool:
    sides = (a, b)
    if not _both_do_it(a, b) and not all(side.may_tell("where") for side in sides):
        return False
    if any("where" not in side.tells and side.is_qualified for side in sides) or is_land(a.said) != is_land(b.said):
        return False
    if all(side.is_of_any for side in sides):
        return False
    seat = {"is", ""} if any(side.has("seats") for side in sides) else set[str]()
    return all(side.lead in a.told["in"] | seat or side.said in a.told.get("spots", ()) for side in sides)


def _by_what(a: Side, b: Side) -> bool:
    told, sides = a.told, (a, b)
    if _both_do_it(a, b) and all(side.lead in told["with"] - told["in"] for side in sides):
        return True
    if "way" not in a.tells | b.tells or not all(side.may_tell("way") for side in sides) or not _same_way(a, b):
        return False
    return all(side.lead in told["with"] | {"is"} or side.is_used for side in sides)


def _is_what(a: Side, b: Side) -> bool:
    sides = (a, b)
    if all(side.own[0].named and side.is_the_only for side in sides):
        return True
    if "is" not in a.tells & b.tells:
        return False
    return all(side.own[0].begins and (side.lead == "is" or side.is_used) for side in sides)


_PLACES: Final = (_who, _where, _by_what, _is_what)


def _both_do_it(a: Side, b: Side) -> bool:
    return a.does_the_same and b.does_the_same


def _same_way(a: Side, b: Side) -> bool:
    """Whether both do the same, or one of them only says what it is."""
    mine, theirs = ([part for part in side.phrases.parts if part.verbs] for side in (a, b))
    if not mine or not theirs or any(same_part(one, other, a.phrases.code) for one, other in product(mine, theirs)):
        return True
    return any(
        all(any(part.key in a.told[name] for part in side) for side in (mine, theirs)) for name in ("send", "using")
    )
