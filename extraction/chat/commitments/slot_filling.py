"""What a reading is about: its own child, activity, days and clocks, else those of what it goes on about."""

from datetime import timedelta

from extraction.chat.commitments.dialogue_acts import alike, type_of
from extraction.chat.commitments.frames import Frame
from extraction.chat.commitments.message_signs import Own
from extraction.chat.commitments.people import CHILD, Member
from extraction.chat.commitments.thread import Thread


def filled(frame: Frame, topic: int | None, thread: Thread) -> Frame:
    """The frame with type, children, activity, days and clocks: its own, else those of what it goes on about."""
    own = frame.own
    frame.about = topic
    about = thread.frames[topic] if topic is not None else None
    frame.type = type_of(frame, about)
    frame.activity = own.activity or (about.activity if about else "")
    frame.activity_words = own.activity_words if own.activity else about.activity_words if about else ""
    frame.place = own.place or (about.place if about else "")
    frame.children = _children(frame, about, thread)
    if own.next_one and about is not None and about.days:
        frame.days = tuple(day + timedelta(days=7) for day in about.days)
    elif own.times.days and not (own.repeats and about is not None):
        frame.days = own.times.days
    elif about is not None and about.days:
        frame.days, frame.implied_day = about.days, about.implied_day
    else:
        frame.days, frame.implied_day = (own.day,), True
    answers = frame.source is not None or own.empty or own.same_time
    frame.clocks = own.times.clocks or (about.clocks if about is not None and (answers or not own.activity) else ())
    if own.same_time and not frame.clocks:
        frame.clocks = next((one.clocks for one in reversed(thread.frames) if one.status and one.own.times.clocks), ())
    return frame


def _children(frame: Frame, about: Frame | None, thread: Thread) -> tuple[Member, ...]:
    own = frame.own
    children = tuple(child for child in own.children if child != frame.addressee or len(own.children) > 1)
    if children:
        return children
    if own.sender.role.casefold() == CHILD and (own.speaks_of_self or about is None) and frame.status != "ack":
        return (own.sender,)
    if about is not None and about.children:
        return about.children
    usual = _usual(own, thread)
    if usual:
        return usual
    kids = thread.people.children
    return kids if len(kids) == 1 and (own.duty or own.activity) else ()


def _usual(own: Own, thread: Thread) -> tuple[Member, ...]:
    days = {day.weekday() for day in own.times.days} or {own.day.weekday()}
    for usual in thread.usual:
        same = (own.activity and usual.activity and alike(own.activity_words, usual.activity)) or (
            usual.place and usual.place.casefold() in own.text.casefold()
        )
        if same and (not usual.weekdays or days & usual.weekdays):
            return tuple(thread.people.of(name) for name in usual.people)
    return ()
