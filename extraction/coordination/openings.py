"""Which message an answer goes back to: the request or offer that opened the matter, not the last detail of it (O4).

A softmax over the lines before it and over none, its weights learnt from chats of our own (`openings.json`)."""

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from extraction.coordination.folding import fold
from extraction.coordination.frames import OPEN, Frame
from extraction.coordination.judging import says_all
from extraction.coordination.own import Own
from extraction.coordination.people import CHILD
from extraction.coordination.thread import Thread
from extraction.links.linking import softmax

Features = list[tuple[str, float]]

_WEIGHTS = Path(__file__).with_name("openings.json")
_ASKED_OR_OFFERED = (*OPEN, "query", "offered")


def opening_of(frame: Frame, heard: int | None, thread: Thread, chances: Sequence[float]) -> int | None:
    """The place of the line that opened what `frame` answers; None where it rests on nothing before it. `heard` is the line
    that it seems to follow, `chances` what the words and turns alone make of each link, last that of none."""
    places = candidates(thread)
    if not places:
        return None
    scores = [_score(found) for found in compared(frame, places, heard, thread, chances)]
    found = softmax(scores)
    best = max(range(len(found)), key=lambda at: found[at])
    return places[best] if best < len(places) else None


def candidates(thread: Thread) -> list[int]:
    """The lines that may have opened it: the last `settings.messages`, oldest first."""
    size = len(thread.frames)
    places = range(max(0, size - thread.settings.messages), size)
    return [at for at in places if (one := thread.frames[at]).status or (one.own.length > 1 and not one.own.laughs)]


def compared(
    frame: Frame, places: Sequence[int], heard: int | None, thread: Thread, chances: Sequence[float]
) -> list[Features]:
    """The features of each place, and last those of none."""
    own = frame.own
    root = root_of(heard, thread)
    opens = [at for at in places if thread.frames[at].status in _ASKED_OR_OFFERED]
    last = opens[-1] if opens else None
    steps = 0
    found: list[Features] = []
    for at in reversed(places):
        one = thread.frames[at]
        some = _of_line(own, at, thread)
        some += [("heard", 1.0)] if at == heard else []
        some += [("root", 1.0)] if at == root else []
        some += [("root of another", 1.0)] if at == root != heard else []
        some += [("last open", 1.0)] if at == last else []
        some += [("beside an open one", 1.0)] if last is not None and at > last else []
        some += [("steps", min(steps, 6) / 3), ("chance", math.log(max(_chance(at, thread, chances), 0.01)))]
        some += [(f"{_manner(own)} {one.status or 'talk'}", 1.0)]
        found.append(some)
        steps += bool(one.status)
    found.reverse()
    return [*found, _of_none(own, heard, last, thread)]


def root_of(at: int | None, thread: Thread) -> int | None:
    """Where the matter of a line began: what it goes on about, and what that goes on about."""
    while at is not None:
        before = thread.frames[at].source
        before = thread.frames[at].about if before is None else before
        if before is None or before >= at:
            break
        at = before
    return at


def _of_line(own: Own, at: int, thread: Thread) -> Features:
    one = thread.frames[at]
    said = one.own
    kind = f"faint {one.status}" if one.faint else one.status or "talk"
    found: Features = [(kind, 1.0), ("age", math.log2(1 + thread.age(own, at) / 600))]
    signs = {
        "begins": bool(one.status) and one.about is None and one.source is None,
        "trouble": said.trouble or said.needs,
        "question": said.question,
        "asks for a fact": said.question and (said.asks_back or said.length <= 3) and one.status not in OPEN,
        "tells a fact": said.length <= 4 and not said.question,
        "whole": bool(said.duty or said.activity) and said.length >= 5,
        "of a child": said.sender.role.casefold() == CHILD,
        "answered": one.answered,
        "mine": said.sender == own.sender,
        f"mine {kind}": said.sender == own.sender,
        "to me": own.sender in (one.addressee, said.addressed) or own.sender in said.adults,
        "to another": one.addressee is not None and one.addressee != own.sender,
        "I speak to them": own.addressed == said.sender,
        "same activity": bool(own.activity and own.activity == one.activity),
        "other activity": bool(own.activity and one.activity and own.activity != one.activity),
        "same day": bool(own.times.days and set(own.times.days) & set(said.times.days)),
        "other day": bool(own.times.days and said.times.days and not set(own.times.days) & set(said.times.days)),
        "same child": bool(own.children and set(own.children) & set(said.children or one.children)),
        "other child": bool(own.children and said.children and not set(own.children) & set(said.children)),
        "names a child": bool(said.children),
        "names a time": bool(said.times),
    }
    found += [(name, 1.0) for name, true in signs.items() if true]
    shared = {word for word in fold(own.text).split() if len(word) > 3} & set(fold(said.text).split())
    return found + ([("words", min(len(shared), 3) / 3)] if shared else [])


def _of_none(own: Own, heard: int | None, last: int | None, thread: Thread) -> Features:
    signs = {
        "none": True,
        "none: says all": says_all(own),
        "none: says what and when": bool((own.activity or own.children) and own.times.days),
        "none: nothing heard": heard is None,
        "none: nothing open": last is None or thread.frames[last].answered,
        f"none: {_manner(own)}": True,
    }
    return [(name, 1.0) for name, true in signs.items() if true]


def _manner(own: Own) -> str:
    return "you do" if own.you_do else "first" if own.first else "yes" if own.yes else "other"


def _chance(at: int, thread: Thread, chances: Sequence[float]) -> float:
    place = len(chances) - 1 - (len(thread.frames) - at)
    return chances[place] if place >= 0 else 0.0


def _score(found: Features) -> float:
    weights = _weights()
    return sum(weights.get(name, 0.0) * amount for name, amount in found)


@cache
def _weights() -> dict[str, float]:
    weights: dict[str, float] = json.loads(_WEIGHTS.read_text(encoding="utf-8"))
    return weights
