"""What the thread tells of a message: what is being arranged and by whom, which question stands open, what came just before."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from extraction.tripwire.compiled import Tripwire
from extraction.tripwire.said import CHILD, People, Said
from extraction.tripwire.seeing import (
    AFTER,
    AFTER_ELSE,
    COOLNESS,
    GAPS,
    LAST,
    LATER,
    SINCE,
    WARMTH,
)

# A message that coordinates with this chance may be what the next one is about, although it does not pass itself.
MAY = 0.3
# How much less a message counts with each one behind it, and with its age.
FADES = 0.6
FRESH, RECENT = 300, 900
TALES = frozenset({"tale", "opinion", "laughs"})
TIMES = frozenset({"clock", "hour", "day", "date", "soon"})
SPOTS = frozenset({"spot", "place", "gear", "arrives"})
WHOM = frozenset({"i", "takes_on", "shares", "child", "person", "kin", "declines", "busy"})
YES_OR_NO = frozenset({"starts_agrees", "starts_denies", "starts_declines", "starts_thumbs"})
ASKING = frozenset({"wh_when", "wh_where", "wh_who"})
LOOKED_BACK = 4


@dataclass(frozen=True, slots=True)
class Message:
    """`sent_at` orders and dates it; `reply` marks the message that the one to be scored answers by its link."""

    text: str
    sender: str = ""
    sent_at: datetime | None = None
    reply: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A message said before, who said it, and what was thought of it: the chance, 0 to 1, that it coordinates (it passes
    from one half on)."""

    message: Message
    said: Said
    who: str
    role: str
    chance: float

    @property
    def passed(self) -> bool:
        return self.chance >= 0.5

    @property
    def may(self) -> bool:
        return self.chance >= MAY


def thread_of(tripwire: Tripwire, message: Message, told: Sequence[Told]) -> bool:
    """Whether a thread of coordination is open (O3): one of the last few messages, or the one that is answered, passed."""
    context = tripwire.context
    near = [one for one in told if not one.message.reply and age(one.message, message) <= context.seconds]
    return any(one.passed for one in near[-context.messages :] if context.messages) or any(
        one.passed for one in told if one.message.reply
    )


def seen_in_thread(
    tripwire: Tripwire, message: Message, said: Said, me: str, told: Sequence[Told], people: People
) -> set[str]:
    """The names of all that is seen; `told` oldest first."""
    if not told:
        return {"first", "state_cold"}
    seen: set[str] = set()
    if thread_of(tripwire, message, told):
        seen.add("thread")
    last = told[-1]
    gap = 0.0 if last.message.reply else age(last.message, message)
    seen.add(next((name for most, name in GAPS if gap <= most), LATER))
    seen.update(_temperature(message, told, gap))
    since = next((at for at, one in enumerate(reversed(told)) if one.may), None)
    if since is not None:
        seen.add(SINCE[min(since, len(SINCE) - 1)])
    seen.update(_about(said, me, told))
    state = "state_warm" if since is not None else "state_cold"
    if last.may and gap <= RECENT:
        state = "state_own" if last.who == me else "state_live"
    asked = _open_question(tripwire, me, told)
    if asked is not None and age(asked.message, message) <= tripwire.context.question_seconds:
        seen.add("asked")
        if asked is last:
            seen.add("asked_now")
            state = "state_open"
        if me in asked.said.named:
            seen.add("asked_me")
    seen.add(state)
    seen.update(_turns(tripwire, said, me, told))
    seen.update(_answers(tripwire, message, said, me, told))
    if gap <= RECENT:
        before = AFTER if last.may else AFTER_ELSE
        seen.update(before + name for name in last.said.groups)
    return seen


def _temperature(message: Message, told: Sequence[Told], gap: float) -> Iterable[str]:
    """How much has been arranged lately, and how much else was said."""
    warmth = coolness = 0.0
    weight = 1.0
    for one in reversed(told):
        old = age(one.message, message)
        warmth += one.chance * weight * (1 if old <= FRESH else 0.6 if old <= RECENT else 0.25)
        coolness += (1 - one.chance) * weight if old <= RECENT else 0
        weight *= FADES
    last = told[-1].chance * (1 if gap <= FRESH else 0.7 if gap <= RECENT else 0.3)
    yield from (name for bar, name in WARMTH if warmth >= bar)
    yield from (name for bar, name in COOLNESS if coolness >= bar)
    yield from (name for bar, name in LAST if last >= bar)
    if len(told) > 1 and not told[-1].may and not told[-2].may:
        yield "two_else"
    tales = sum(not one.may and not TALES.isdisjoint(one.said.groups) for one in told[-3:])
    if tales:
        yield "tale_before" if tales == 1 else "tales_before"


def _about(said: Said, me: str, told: Sequence[Told]) -> Iterable[str]:
    """Whether it takes up what, and whom, the thread is about."""
    for one in told:
        if not one.may:
            if not one.said.telling.isdisjoint(said.telling):
                yield "echo_else"
            continue
        if one.who == me:
            yield "in_it"
        if me in one.said.named:
            yield "named_me"
        if one.who in said.named or not one.said.named.isdisjoint(said.named):
            yield "names_them"
        if not one.said.telling.isdisjoint(said.telling):
            yield "echo"


def _turns(tripwire: Tripwire, said: Said, me: str, told: Sequence[Told]) -> Iterable[str]:
    last = told[-1]
    if last.who == me:
        yield "goes_on"
    elif len(told) > 1 and told[-2].who == me:
        yield "turn"
    if last.role in CHILD:
        yield "to_child"
    if last.who in said.named:
        yield "to_them"
    if last.who != me:
        mine = next((one for one in reversed(told) if one.who == me), None)
        if mine is not None and mine.may and _asks(tripwire, mine.said):
            yield "my_question"


def _answers(tripwire: Tripwire, message: Message, said: Said, me: str, told: Sequence[Told]) -> Iterable[str]:
    """Whether it is of the kind that somebody's question asks for: a time, a spot, somebody, a yes or no."""
    for one in reversed(told[-LOOKED_BACK:]):
        if one.who == me or not one.may or age(one.message, message) > tripwire.context.question_seconds:
            continue
        asked = one.said.groups
        if "wh_when" in asked and not TIMES.isdisjoint(said.groups):
            yield "answers_when"
        if "wh_where" in asked and not SPOTS.isdisjoint(said.groups):
            yield "answers_where"
        if "wh_who" in asked and not WHOM.isdisjoint(said.groups):
            yield "answers_who"
        if _asks(tripwire, one.said):
            if ASKING.isdisjoint(asked) and not YES_OR_NO.isdisjoint(said.met):
                yield "answers_yes"
            if "wh_when" not in asked and "number" in said.met:
                yield "answers_number"
            return


def _asks(tripwire: Tripwire, said: Said) -> bool:
    return "question" in said.groups or not tripwire.opens.isdisjoint(said.groups)


def _open_question(tripwire: Tripwire, me: str, told: Sequence[Told]) -> Told | None:
    """The last question of somebody else that nobody has taken on since."""
    for one in reversed(told):
        if one.may and _asks(tripwire, one.said):
            return one if one.who != me else None
        if one.may and "takes_on" in one.said.groups:
            return None
    return None


def age(one: Message, message: Message) -> float:
    """Seconds from one message to the other; 0 where one has no time."""
    if one.sent_at is None or message.sent_at is None:
        return 0.0
    return (message.sent_at - one.sent_at).total_seconds()
