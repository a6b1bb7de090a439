"""What speaks for a person's taking something on in answer to an earlier line: signs of the message, of the line, of the two."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extraction.coordination.folding import fold
from extraction.coordination.frames import OPEN, Frame, may_take
from extraction.coordination.own import Own
from extraction.coordination.people import CHILD, Member
from extraction.coordination.shares import Share
from extraction.coordination.thread import Thread

Features = list[tuple[str, float]]
Who = frozenset[Member]

_REACH = 12
_ASKED_OR_OFFERED = (*OPEN, "query", "offered")
_PAUSE_SECONDS = 900
# What is looked at in a message that may take something on, and in a line that it may answer.
_SIGNS = (
    "first", "bare_me", "yes", "no", "busy", "question", "asks_back", "asks_you", "asks_first", "asks_leave", "offers", "who",
    "who_on", "needs", "trouble", "you_do", "you_must", "thanks", "laughs", "sets_out", "takes_by_sign", "nods_by_sign",
    "conditional", "on_condition", "duty", "activity", "children", "times", "change", "subject", "adults", "addressed",
    "same_time", "passes_on", "did_you", "pronoun", "speaks_of_self", "somebody_must", "calls_home", "can",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Option:
    """`who` takes something on in answer to the line at `at`; nobody and -1: nothing is taken on in answer to anything."""

    who: Who
    at: int


NOTHING = Option(frozenset(), -1)


def options(
    own: Own, shares: Sequence[Share], thread: Thread, chances: Sequence[float], only: int | None, sure: bool
) -> Iterator[tuple[Option, Features]]:
    """What may be the case, each with what speaks for it; `only`: the one line that it may answer. `chances` is what the words
    and turns alone make of each link, the last that of none; `sure`: the tripwire let the message pass."""
    yield NOTHING, [("none", 1.0)]
    if not (own.length or own.takes_by_sign or own.nods_by_sign) or (own.laughs and own.length == 1):
        return
    lines = candidates(thread) if only is None else [only]
    asked = [at for at in lines if thread.frames[at].status in _ASKED_OR_OFFERED]
    last = asked[-1] if asked else None
    manners: dict[str, Features] = {}
    told = 0
    for at in reversed(lines):
        line = _of_line(own, at, last, thread)
        line += [("steps", min(told, 6) / 3), ("chance", math.log(max(_chance(at, thread, chances), 0.01)))]
        told += bool(thread.frames[at].status)
        for who in _persons(own, shares, thread.frames[at]):
            role = "both" if len(who) > 1 else "me" if own.sender in who else "other"
            if role not in manners:
                manners[role] = _of_message(own, role, sure)
            yield Option(who, at), manners[role] + line + _of_both(own, who, role, shares, at, thread)


def candidates(thread: Thread) -> list[int]:
    """The lines that may be answered: the last dozen, but for mere laughter and single words of talk."""
    size = len(thread.frames)
    places = range(max(0, size - _REACH), size)
    return [at for at in places if (one := thread.frames[at]).status or one.own.length > 1]


def _persons(own: Own, shares: Sequence[Share], asked: Frame) -> list[Who]:
    """Who may take it on: the speaker, who asked or was asked, who is spoken of or to, and all who get a share."""
    single = (own.sender, asked.own.sender, own.subject, own.addressed, *own.adults, *asked.assignees)
    single += (asked.addressee, asked.own.subject)
    found = [frozenset({one}) for one in single if one is not None and may_take(one, own, asked)]
    found += [some for some in (frozenset(asked.assignees), frozenset(one.member for one in shares)) if some]
    return list(dict.fromkeys(found))


def _of_message(own: Own, role: str, sure: bool) -> Features:
    names = [role, f"{role}: size {_size(own.length)}", f"{role}: by {own.sender.role.casefold()}"]
    names += [f"{role}: let through", f"{role}: let through, size {_size(own.length)}"] if sure else []
    return [(name, 1.0) for name in [*names, *(f"{role}: {name}" for name in _SIGNS if getattr(own, name))]]


def _of_line(own: Own, at: int, last: int | None, thread: Thread) -> Features:
    one = thread.frames[at]
    said, kind, back = one.own, _kind(one), len(thread.frames) - at
    found: Features = [
        (kind, 1.0),
        ("age", math.log2(1 + thread.age(own, at) / 600)),
        ("back", math.log2(back)),
    ]
    mine = said.sender == own.sender
    before = thread.frames[max(0, at - 8) : at]
    signs = {
        "last open": at == last,
        "beside an open one": last is not None and at > last,
        "just before": back == 1,
        "after a pause": at == 0 or thread.age(own, at - 1) - thread.age(own, at) > _PAUSE_SECONDS,
        "first told": not any(some.status for some in before),
        "begins": bool(one.status) and one.about is None and one.source is None,
        "asks for a fact": said.question and (said.asks_back or said.length <= 3) and one.status not in OPEN,
        "tells a fact": said.length <= 4 and not said.question,
        "whole": bool(said.duty or said.activity) and said.length >= 5,
        "of a child": said.sender.role.casefold() == CHILD,
        "answered": one.answered,
        "mine": mine,
        f"mine {kind}": mine,
        "to me": own.sender in (one.addressee, said.addressed) or own.sender in said.adults,
        "to another": one.addressee is not None and one.addressee != own.sender,
        "I speak to them": own.addressed == said.sender,
        "same activity": bool(own.activity and own.activity == one.activity),
        "other activity": bool(own.activity and one.activity and own.activity != one.activity),
        "same day": bool(own.times.days and set(own.times.days) & set(said.times.days)),
        "other day": bool(own.times.days and said.times.days and not set(own.times.days) & set(said.times.days)),
        "same child": bool(own.children and set(own.children) & set(said.children or one.children)),
        "other child": bool(own.children and said.children and not set(own.children) & set(said.children)),
        "beyond": thread.beyond(own, one),
        "empty": said.empty,
        f"empty {kind}": said.empty,
        "first of sender": not any(some.status and some.own.sender == said.sender for some in before),
        f"size {_size(said.length)}": True,
    }
    found += [(f"line: {name}", 1.0) for name, true in signs.items() if true]
    found += [(f"line: {name}", 1.0) for name in _SIGNS if getattr(said, name)]
    shared = {word for word in fold(own.text).split() if len(word) > 3} & set(fold(said.text).split())
    return found + ([("words", min(len(shared), 3) / 3)] if shared else [])


def _of_both(own: Own, who: Who, role: str, shares: Sequence[Share], at: int, thread: Thread) -> Features:
    one = thread.frames[at]
    kind = _kind(one)
    whose = "mine " if one.own.sender == own.sender else ""
    manner = "you do" if own.you_do else "first" if own.first else "yes" if own.yes or own.takes_by_sign else "other"
    assigned = bool(one.assignees) and set(one.assignees) == who
    part = _part_of(who, one)
    signs = {
        "asked it": one.own.sender in who,
        f"said {kind}": one.own.sender in who,
        "assigned": assigned,
        f"assigned {kind}": assigned,
        f"not assigned {kind}": bool(one.assignees) and not assigned,
        "subject": own.subject in who,
        "addressed": own.addressed in who,
        "named": len(who) == 1 and not who.isdisjoint(own.adults),
        "asked": one.addressee in who,
        "another asked": one.addressee is not None and one.addressee not in who,
        "shares": bool(shares) and who == {share.member for share in shares},
        "a child": any(some.role.casefold() == CHILD for some in who),
        "a helper": any(some.role.casefold() == "helper" for some in who),
        "answered": one.answered,
    }
    names = [f"{role} {whose}{kind}", f"{role} {manner} {whose}{kind}", f"{role} {part}", f"{role} {manner} {part}"]
    return [(name, 1.0) for name in [*names, *(f"{role} who {name}" for name, true in signs.items() if true)]]


def _part_of(who: Who, one: Frame) -> str:
    """What they have to do with a line before anything answers it."""
    if one.assignees and set(one.assignees) == who:
        return "has it"
    return "is asked" if one.addressee in who else "said it" if one.own.sender in who else "is new"


def _kind(frame: Frame) -> str:
    return f"faint {frame.status}" if frame.faint or frame.guess else frame.status or "talk"


def _size(length: int) -> str:
    return next((str(most) for most in (0, 1, 3, 6, 10) if length <= most), "more")


def _chance(at: int, thread: Thread, chances: Sequence[float]) -> float:
    place = len(chances) - 1 - (len(thread.frames) - at)
    return chances[place] if place >= 0 else 0.0
