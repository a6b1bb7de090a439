"""What an act is about: its own child, activity, days and clocks, else those of what it goes on about."""

from datetime import date, timedelta

from extraction.chat.commitments.dialogue_acts import DialogueAct, TaskSlots, WeeklyRoutine, type_of
from extraction.chat.commitments.thread import Thread
from extraction.chat.commitments.utterances import ChatUtterance
from extraction.chat.people import HouseholdMember


def filled(act: DialogueAct, topic: int | None, thread: Thread) -> DialogueAct:
    """The act with type, children, activity, days and clocks: its own, else those of the message that it goes on about."""
    own = act.utterance
    about = TaskSlots() if topic is None else thread.acts[topic]
    act.about = topic
    act.type = type_of(act, about)
    act.activity = own.activity or about.activity
    act.activity_words = own.activity_words or about.activity_words
    act.place = own.place or about.place
    act.children = _children(act, about, thread)
    act.days, act.implied_day = _days(act, about)
    takes_over = act.source is not None or own.shows("empty", "same_time") or not own.activity
    act.clocks = own.times.clocks or (about.clocks if takes_over else ())
    if own.shows("same_time") and not act.clocks:
        act.clocks = thread.last_clocks()
    return act


def _days(act: DialogueAct, about: TaskSlots) -> tuple[tuple[date, ...], bool]:
    """The days, and whether nobody named them."""
    own = act.utterance
    if own.shows("next_one") and about.days:
        return tuple(day + timedelta(days=7) for day in about.days), False
    said_before = own.shows("repeats") and act.about is not None
    if own.times.days and not said_before:
        return own.times.days, False
    return (about.days, about.implied_day) if about.days else ((own.day,), True)


def _children(act: DialogueAct, about: TaskSlots, thread: Thread) -> tuple[HouseholdMember, ...]:
    own = act.utterance
    named = tuple(child for child in own.children if child != act.addressee or len(own.children) > 1)
    if named:
        return named
    if own.shows("by_child") and act.status != "ack" and (own.shows("speaks_of_self") or act.about is None):
        return (own.sender,)
    kids = thread.people.children
    only = kids if len(kids) == 1 and own.shows("duty", "activity") else ()
    return about.children or _usual_children(own, thread) or only


def _usual_children(own: ChatUtterance, thread: Thread) -> tuple[HouseholdMember, ...]:
    days = {day.weekday() for day in own.times.days} or {own.day.weekday()}
    usual = next((one for one in thread.routines if _is_meant(one, own, days)), WeeklyRoutine(()))
    return tuple(thread.people.of(name) for name in usual.people)


def _is_meant(usual: WeeklyRoutine, own: ChatUtterance, days: set[int]) -> bool:
    if usual.weekdays and usual.weekdays.isdisjoint(days):
        return False
    if own.activity and usual.activity and _same_words(own.activity_words, usual.activity):
        return True
    return bool(usual.place) and usual.place.casefold() in own.text.casefold()


def _same_words(said: str, known: str) -> bool:
    known = known.replace("_", " ").casefold()
    return said in known or known in said or said.split()[0] == known.split()[0]
