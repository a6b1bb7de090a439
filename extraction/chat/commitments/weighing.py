"""What a message, a line that it may answer and a person are weighed by, each as a row of numbers; missing ones are `NONE`.

A row is made of the signs of the words, of what the tripwire's learned heads say of both lines, and of what lies between them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.chat.commitments.frames import OPEN, Frame, may_take
from extraction.chat.commitments.message_signs import Own
from extraction.chat.commitments.people import CHILD, Member
from extraction.chat.commitments.task_split import Share
from extraction.chat.commitments.thread import Thread
from extraction.chat.tripwire.learned import HEADS
from extraction.chat.tripwire.numbers import FREQUENT, NONE
from extraction.chat.tripwire.said import Said
from extraction.chat.tripwire.threads import Told

Who = frozenset[Member]
Row = list[float]

_REACH = 12
_LOOKED_BACK = 6
_MAX_MINUTES = 90.0
_STEM = 4
_ASKED, _COORDINATES = HEADS.index("asked"), HEADS.index("coordinates")
_KINDS = {
    "": 0,
    "ack": 1,
    "declined": 2,
    "committed": 3,
    "inform": 4,
    "offered": 5,
    "query": 6,
    "requested": 7,
    "asked": 8,
}
_SIGNS = (
    "first", "bare_me", "yes", "no", "busy", "question", "asks_back", "asks_you", "asks_first", "asks_leave", "offers", "who",
    "who_on", "needs", "trouble", "you_do", "you_must", "thanks", "laughs", "sets_out", "takes_by_sign", "nods_by_sign",
    "conditional", "on_condition", "duty", "activity", "children", "times", "change", "subject", "adults", "addressed",
    "same_time", "passes_on", "did_you", "pronoun", "speaks_of_self", "somebody_must", "calls_home", "can",
)  # fmt: skip
_LINE_SIGNS = (
    "first", "yes", "no", "question", "asks_back", "asks_you", "asks_leave", "offers", "who", "who_on", "needs", "trouble",
    "you_must", "thanks", "laughs", "duty", "activity", "children", "times", "change", "subject", "adults", "addressed",
    "somebody_must", "empty",
)  # fmt: skip
_BOTH_SIGNS = (
    "first",
    "yes",
    "no",
    "question",
    "you_do",
    "times",
    "children",
    "activity",
    "duty",
    "pronoun",
    "takes_by_sign",
)
_WHO_SIGNS = (
    "first",
    "bare_me",
    "yes",
    "no",
    "question",
    "you_do",
    "subject",
    "adults",
    "addressed",
    "duty",
    "thanks",
    "asks_you",
)
_ROLES = (CHILD, "guardian", "helper")


@dataclass(frozen=True, slots=True)
class Heard:
    """A message with what stands before it: `told` is what the tripwire sees in each line of the thread, `passed` 1 where it
    let this one pass, -1 where it stopped it, 0 where it was not asked. `chances` is what words and turns alone make of each
    link, the last that of none."""

    own: Own
    this: Told
    thread: Thread
    told: Sequence[Told]
    chances: Sequence[float]
    passed: int


def candidates(thread: Thread) -> list[int]:
    """The lines that may be answered: the last dozen, but for mere laughter and single words of talk."""
    size = len(thread.frames)
    places = range(max(0, size - _REACH), size)
    return [at for at in places if (one := thread.frames[at]).status or one.own.length > 1]


def of_message(heard: Heard) -> Row:
    """What tells whether a message takes something on: by itself, after the lines before it, and in what they came to."""
    own, thread, size = heard.own, heard.thread, len(heard.thread.frames)
    row = [float(heard.passed), own.length, min(size, 20), *_signs(own, _SIGNS)]
    row += [*heard.this.said.heads, "!" in own.text, len(own.text), *_roles(own.sender)]
    for at in range(size - 1, size - 1 - _LOOKED_BACK, -1):
        row += _heard_before(heard, at) if at >= 0 else [NONE] * (len(HEADS) + 12)
    asked = [at for at in range(max(0, size - _REACH), size) if thread.frames[at].status in OPEN]
    taken = [at for at in range(max(0, size - _REACH), size) if thread.frames[at].status == "committed"]
    for found in (asked, taken):
        last = next((at for at in reversed(found) if thread.frames[at].own.sender != own.sender), None)
        row += [NONE] * 4 if last is None else [
            size - last, _minutes(heard, last), thread.frames[last].answered, own.sender in thread.frames[last].assignees
        ]  # fmt: skip
    row += [len(asked), len(taken)]
    others = [at for at in range(max(0, size - _REACH), size) if thread.frames[at].own.sender != own.sender]
    best = max(others, key=lambda at: _head(heard, at, _ASKED), default=None)
    row += [NONE] * 4 if best is None else [
        _head(heard, best, _ASKED), size - best, _minutes(heard, best), _shared(heard, best)
    ]  # fmt: skip
    return row


def _heard_before(heard: Heard, at: int) -> Row:
    own, one = heard.own, heard.thread.frames[at]
    return [
        *heard.told[at].said.heads, _kind(one), one.own.sender == own.sender, one.answered, one.own.question, one.own.length,
        own.sender in (one.addressee, one.own.addressed) or own.sender in one.own.adults, own.sender in one.assignees,
        one.own.sender in own.adults or own.addressed == one.own.sender, bool(set(own.children) & set(one.own.children)),
        one.own.sender.role.casefold() == CHILD, _minutes(heard, at), _shared(heard, at),
    ]  # fmt: skip


def of_lines(heard: Heard, lines: Sequence[int]) -> list[Row]:
    """What tells which of these lines a message answers that takes something on; one row a line."""
    asked = sorted((_head(heard, at, _ASKED) for at in lines), reverse=True)
    coordinates = sorted((_head(heard, at, _COORDINATES) for at in lines), reverse=True)
    return [_of_line(heard, at, asked, coordinates) for at in lines]


def _of_line(heard: Heard, at: int, asked: Sequence[float], coordinates: Sequence[float]) -> Row:
    own, thread, size = heard.own, heard.thread, len(heard.thread.frames)
    one = thread.frames[at]
    said, between = one.own, thread.frames[at + 1 :]
    before = thread.frames[max(0, at - 8) : at]
    mine = said.sender == own.sender
    row = [*heard.told[at].said.heads, *heard.this.said.heads]
    row += [
        asked.index(_head(heard, at, _ASKED)), _head(heard, at, _ASKED) - asked[0],
        coordinates.index(_head(heard, at, _COORDINATES)), *_signs(own, _BOTH_SIGNS), own.length, *_signs(said, _LINE_SIGNS),
        said.length, _kind(one), one.faint, one.guess, one.answered, size - at, min(at, 12), _minutes(heard, at), mine,
        sum(bool(some.status) for some in between), sum(some.status in OPEN for some in between),
        sum(some.own.question for some in between), sum(some.own.sender == said.sender for some in between),
        any(some.own.sender == own.sender for some in between), any(some.status == "committed" for some in between),
        bool(between) and between[0].own.sender == said.sender, at > 0 and thread.frames[at - 1].own.sender == said.sender,
        _gap(heard, at), sum(bool(some.status) for some in before), one.about is None and one.source is None,
        size - one.about if one.about is not None else NONE, size - one.source if one.source is not None else NONE,
        *_roles(said.sender), *_roles(own.sender),
        own.sender in (one.addressee, said.addressed) or own.sender in said.adults,
        one.addressee is not None and one.addressee != own.sender, own.addressed == said.sender, own.sender in one.assignees,
        bool(own.activity and own.activity == one.activity), bool(own.activity and one.activity and own.activity != one.activity),
        bool(set(own.times.days) & set(said.times.days)), bool(set(own.children) & set(said.children or one.children)),
        bool(own.children and said.children and not set(own.children) & set(said.children)),
        _shared(heard, at), _chance(heard, at),
    ]  # fmt: skip
    return row


def persons(heard: Heard, shares: Sequence[Share], at: int) -> list[Who]:
    """Who may take it on: the speaker, who asked or was asked, who is spoken of or to, and all who get a share."""
    own, asked = heard.own, heard.thread.frames[at]
    single = (own.sender, asked.own.sender, own.subject, own.addressed, *own.adults, *asked.assignees)
    single += (asked.addressee, asked.own.subject)
    found = [frozenset({one}) for one in single if one is not None and (one == own.sender or may_take(one, own, asked))]
    found += [some for some in (frozenset(asked.assignees), frozenset(one.member for one in shares)) if some]
    return list(dict.fromkeys(found))


def of_person(heard: Heard, who: Who, shares: Sequence[Share], at: int) -> Row:
    """What tells whether it is these people who take something on with a message that answers the line at `at`."""
    own, one = heard.own, heard.thread.frames[at]
    mine = [past.own.sender == own.sender for past in heard.thread.frames[at + 1 :]]
    row = [*heard.this.said.heads, *heard.told[at].said.heads, *_signs(own, _WHO_SIGNS), *_signs(one.own, _WHO_SIGNS)]
    row += [own.length, len(who), own.sender in who]
    row += [
        one.own.sender == own.sender, one.own.sender in who, _kind(one), one.answered,
        bool(one.assignees) and set(one.assignees) == who, bool(one.assignees), own.subject in who, own.addressed in who,
        len(who) == 1 and not who.isdisjoint(own.adults), one.addressee in who,
        one.addressee is not None and one.addressee not in who, bool(shares) and who == {share.member for share in shares},
        *(any(some.role.casefold() == role for some in who) for role in _ROLES),
        *_roles(own.sender), *_roles(one.own.sender), one.own.offers, one.own.can, one.own.conditional, own.can,
        one.own.length, len(heard.thread.frames) - at, any(mine),
    ]  # fmt: skip
    return row


def _signs(own: Own, names: Sequence[str]) -> list[bool]:
    return [bool(getattr(own, name)) for name in names]


def _roles(member: Member) -> list[bool]:
    return [member.role.casefold() == role for role in _ROLES]


def _kind(frame: Frame) -> int:
    return _KINDS[frame.status]


def _minutes(heard: Heard, at: int) -> float:
    return min(heard.thread.age(heard.own, at) / 60, _MAX_MINUTES)


def _gap(heard: Heard, at: int) -> float:
    """Minutes of silence before a line; the most before the first."""
    return (
        min((heard.thread.age(heard.own, at - 1) - heard.thread.age(heard.own, at)) / 60, _MAX_MINUTES)
        if at
        else _MAX_MINUTES
    )


def _head(heard: Heard, at: int, head: int) -> float:
    return heard.told[at].said.heads[head]


def _words(said: Said) -> set[str]:
    return {word[:_STEM] for word in said.vocabulary - FREQUENT if len(word) > 2}


def _shared(heard: Heard, at: int) -> int:
    """How many words, by their beginnings, both have."""
    return len(_words(heard.this.said) & _words(heard.told[at].said))


def _chance(heard: Heard, at: int) -> float:
    place = len(heard.chances) - 1 - (len(heard.thread.frames) - at)
    return heard.chances[place] if place >= 0 else 0.0
