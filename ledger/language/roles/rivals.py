"""Whether two statements are one but for what stands in one place, and that place holds one thing at a time: who does it, where it
is, by what means it is done, what it is called (D12).

Pure. Each may say it in other words: what both speak of is aligned by form and meaning, and of verbs of one class one stands for
the other. What is left to each must be one phrase, and no part of a phrase that both have: `the upper lock` is another lock.
"""

from collections.abc import Sequence
from typing import Final

from ledger.language.lands import is_land
from ledger.language.meaning.vocabulary import language_of
from ledger.language.roles.phrases import NUMBERS, VERBS, Part, Phrases, does, groups, phrases_of, same_part

MAX_WORDS: Final = 4


def rival(one: str, other: str) -> str:
    """Why the two cannot both be true, or the empty string. The order does not matter."""
    found = language_of(f"{one} {other}")
    code = found.code if found else "en"
    a, b = phrases_of(one, code), phrases_of(other, code)
    if a is None or b is None or (a.words | b.words) & groups(code)["room"]:
        return ""
    met_a, met_b = _met(a, b), _met(b, a)
    if not any(_names_a_thing(part, code) for part in met_a):
        return ""
    run_a, run_b = _left(a, met_a), _left(b, met_b)
    if a.times and b.times and a.times != b.times:
        apart = not run_a and not run_b and _once(met_a, a) and _once(met_b, b)
        return _another_time(a, b) if apart else ""
    if _is_count(run_a) and _is_count(run_b):
        return _another_count(run_a[0], run_b[0], a, b)
    if a.numbers != b.numbers or any(part.is_number for part in (*run_a, *run_b)):
        return ""
    return _another_phrase(run_a, run_b, a, b) if _whole(run_a, a, met_a) and _whole(run_b, b, met_b) else ""


def _names_a_thing(part: Part, code: str) -> bool:
    """Whether it says what both speak of. Every German noun looks like a name."""
    return not part.verbs and (code == "de" or not part.named or not part.place)


def _is_count(run: Sequence[Part]) -> bool:
    return len(run) == 1 and run[0].is_number


def _another_phrase(run_a: Sequence[Part], run_b: Sequence[Part], a: Phrases, b: Phrases) -> str:
    """Where each has one phrase of its own, in a place that holds one."""
    if _one_name(_said(run_a).lower(), _said(run_b).lower()):
        return ""
    told = _tell(a), _tell(b)
    if not any(fills(run_a, run_b, a, b, *told) for fills in (_who, _where, _by_what, _is_what)):
        return ""
    return f"says {_said(run_a)} where it is {_said(run_b)}"


def _another_time(a: Phrases, b: Phrases) -> str:
    """Where each names one time, of one sort."""
    if not len(a.times) == len(b.times) == 1:
        return ""
    (sort, mine), (other_sort, theirs) = *a.times, *b.times
    return f"says {mine} where it is {theirs}" if sort == other_sort else ""


def _another_count(mine: Part, theirs: Part, a: Phrases, b: Phrases) -> str:
    """Another number of the same, which no word bounds."""
    counted, other = (
        next((part for part in side.parts if part.place == number.place + 1), None)
        for number, side in ((mine, a), (theirs, b))
    )
    if a.code != "en" or (a.words | b.words) & groups("en")["bounds"] or counted is None or other is None:
        return ""
    if counted.key != other.key or _value(mine) == _value(theirs) or any(map(_labels, (mine, theirs), (a, b))):
        return ""
    return f"says {mine.said} where it is {theirs.said}"


def _value(number: Part) -> str:
    return NUMBERS.get(number.said.lower(), number.said)


def _labels(number: Part, side: Phrases) -> bool:
    """`Section 4` counts nothing."""
    before = next((part for part in side.parts if part.place == number.place - 1), None)
    return before is not None and not does(before, side.code)


def _once(met: Sequence[Part], side: Phrases) -> bool:
    """Whether it is one thing that happens, and nothing that may be so on several days."""
    told = groups(side.code)
    things = [part for part in met if not part.verbs]
    if any(part.key in told["state"] for part in side.parts) or side.words & told["state"]:
        return False
    return any(part.article and part.article not in told["some"] or not part.place for part in things)


def _met(mine: Phrases, theirs: Phrases) -> list[Part]:
    return [part for part in mine.parts if any(same_part(part, other, mine.code) for other in theirs.parts)]


def _left(side: Phrases, met: Sequence[Part]) -> list[Part]:
    return [part for part in side.parts if part not in met and not part.verbs]


def _whole(run: Sequence[Part], side: Phrases, met: Sequence[Part]) -> bool:
    """Whether what is left is one phrase, and the whole of it."""
    if not run:
        return False
    first, last = run[0].place, run[-1].place
    if len(run) > MAX_WORDS or any(first < part.place < last for part in side.parts if part not in run):
        return False
    # `use Redis for the cache` has two phrases of its own beside `use Postgres for storage`.
    if any(part.lead == "for" != run[0].lead for part in run):
        return False
    following = next((part for part in side.parts if part.place > last), None)
    leads_on = following is not None and not following.begins and not does(following, side.code)
    if leads_on and following is not None and side.code == "de":
        leads_on = following.said[0].isupper()
    return not leads_on and run[0].lead not in groups(side.code)["of"] - groups(side.code)["by"]


def _tell(side: Phrases) -> set[str]:
    """What its verbs and nouns tell: that somebody does it, where it is, how it is done."""
    told = groups(side.code)
    keys = {part.key for part in side.parts}
    found = {name for name in VERBS if any(name in part.verbs for part in side.parts)}
    if keys & told["nouns"]:
        found.add("do")
    if keys & told["seats"]:
        found.add("where")
    if keys & told["is"]:
        found.add("is")
    if side.words & told.get("acts", frozenset()):
        found.add("do")
    return found


def _does_the_same(met: Sequence[Part], side: Phrases) -> bool:
    """Whether both do one thing, to something of which there is one, that leaves no room for others."""
    adds = groups(side.code).get("adds", frozenset())
    verbs = [part for part in met if does(part, side.code)]
    if side.code != "en" or not verbs or any(part.key in adds for part in side.parts):
        return False
    return any(
        part.article and part.article not in groups("en")["some"] or not part.place or part.key.endswith("s")
        for part in met
    )


def _one_name(one: str, other: str) -> bool:
    """`Postgres` and `PostgreSQL`."""
    return one[:4] == other[:4]


def _both_do_it(a: Phrases, b: Phrases) -> bool:
    return _does_the_same(_met(a, b), a) and _does_the_same(_met(b, a), b)


def _who(
    run_a: Sequence[Part], run_b: Sequence[Part], a: Phrases, b: Phrases, told_a: set[str], told_b: set[str]
) -> bool:
    told = groups(a.code)
    same = _both_do_it(a, b)
    if not ("do" in told_a and "do" in told_b) and not same:
        return False
    if a.code == "en" and any(not run[0].lead and _ends(run, side) for run, side in ((run_a, a), (run_b, b))):
        return False
    return all(
        run[0].begins and (run[0].lead in {"", "is"} | told["by"]) and (run[0].named or run[-1].key in told["who"])
        for run in (run_a, run_b)
    )


def _where(
    run_a: Sequence[Part], run_b: Sequence[Part], a: Phrases, b: Phrases, told_a: set[str], told_b: set[str]
) -> bool:
    told = groups(a.code)
    same = _both_do_it(a, b)
    if not same and (not ("where" in told_a or a.links) or not ("where" in told_b or b.links)):
        return False
    if any(
        _qualified(run, side) for run, side, told_ in ((run_a, a, told_a), (run_b, b, told_b)) if "where" not in told_
    ):
        return False
    if is_land(_said(run_a)) != is_land(_said(run_b)):
        return False
    seat = any(part.key in told["seats"] for part in (*a.parts, *b.parts))
    spots = told.get("spots", frozenset())
    return all(
        run[0].lead in told["in"] or (seat and run[0].lead in ("is", "")) or (len(run) == 1 and run[0].said in spots)
        for run in (run_a, run_b)
    )


def _by_what(
    run_a: Sequence[Part], run_b: Sequence[Part], a: Phrases, b: Phrases, told_a: set[str], told_b: set[str]
) -> bool:
    told = groups(a.code)
    same = _both_do_it(a, b)
    if same and all(run[0].lead in told["with"] - told["in"] for run in (run_a, run_b)):
        return True
    if "way" not in told_a | told_b or not ("way" in told_a or a.links) or not ("way" in told_b or b.links):
        return False
    if not _same_way(a, b):
        return False
    return all(
        run[0].lead in told["with"] | {"is"} or (_uses(side) and _ends(run, side))
        for run, side in ((run_a, a), (run_b, b))
    )


def _same_way(a: Phrases, b: Phrases) -> bool:
    """Whether both do the same, or one of them only says what it is."""
    told = groups(a.code)
    mine, theirs = ([part for part in side.parts if part.verbs] for side in (a, b))
    if not mine or not theirs or any(same_part(one, other, a.code) for one in mine for other in theirs):
        return True
    return any(
        all(any(part.key in told[name] for part in side) for side in (mine, theirs)) for name in ("send", "using")
    )


def _uses(side: Phrases) -> bool:
    return any(part.key in groups(side.code)["pick"] for part in side.parts)


def _ends(run: Sequence[Part], side: Phrases) -> bool:
    """Whether it stands behind the verb."""
    return any(does(part, side.code) and part.place < run[0].place for part in side.parts) or run[0].lead == "is"


def _is_what(
    run_a: Sequence[Part], run_b: Sequence[Part], a: Phrases, b: Phrases, told_a: set[str], told_b: set[str]
) -> bool:
    if all(run[0].named and _is_the(run, side) for run, side in ((run_a, a), (run_b, b))):
        return True
    if "is" not in told_a & told_b:
        return False
    return all(
        run[0].begins and (run[0].lead == "is" or (_uses(side) and _ends(run, side)))
        for run, side in ((run_a, a), (run_b, b))
    )


def _is_the(run: Sequence[Part], side: Phrases) -> bool:
    """`The president is …`, `… is the president`."""
    if run[0].lead == "is":
        return _definite(side)
    told = groups(side.code)["article"] - groups(side.code)["some"]
    return run[0].begins and not run[0].lead and any(part.lead == "is" and part.article in told for part in side.parts)


def _definite(side: Phrases) -> bool:
    """`The alarm company is …`, `Alarm company: …`."""
    first = side.parts[0]
    return not first.named and not first.verbs and first.article not in groups(side.code)["some"] - {""}


def _qualified(run: Sequence[Part], side: Phrases) -> bool:
    """`is available in French`: what is so there may be so elsewhere."""
    before = [part for part in side.parts if part.place < run[0].place]
    return any(part.lead == "is" for part in before)


def _said(run: Sequence[Part]) -> str:
    return " ".join(part.said for part in run)
