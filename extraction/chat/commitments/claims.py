"""From a reading to claims: an assignment somebody took, an event that was told. Exact spans, the question as context."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from extraction.chat.commitments.frames import Frame
from extraction.chat.commitments.lexicon import TASKS
from extraction.chat.commitments.people import Member
from extraction.chat.commitments.scores import extraction_confidence
from extraction.chat.commitments.settings import Attribution
from extraction.extractors.documents.hits import Hit, Span
from ledger.language.fold import fold_in_place

_TASKS = {
    "transport": "transport",
    "care_coverage": "look after",
    "schedule_change": "see to the change",
    "activity_confirm": "be there",
}


@dataclass(frozen=True, slots=True)
class Told:
    """The texts of a thread as the claims cite them: `ids[n]` is the source id of message n, 0 for the one that is read."""

    ids: Sequence[int]
    frames: Sequence[Frame]
    zone: str
    longest: int = 140
    expires_after: timedelta = timedelta(hours=48)
    repeats_within: timedelta = timedelta(hours=1)


def claims_of(frame: Frame, told: Told, settings: Attribution) -> list[Hit]:
    """The assignment of each person who takes one, or the event that is told; nothing for what only asks or refuses."""
    if frame.status == "committed":
        return [_assignment(frame, one, told) for one in frame.assignees]
    if frame.status == "offered" and frame.clear and frame.assignees:
        return [_assignment(frame, one, told, offered=True) for one in frame.assignees]
    if frame.status in ("inform", "query") and (frame.activity or frame.type == "schedule_change") and _is_event(frame):
        return [_event(frame, told)]
    return []


def _is_event(frame: Frame) -> bool:
    """A day or a clock of its own, and no news that something is off."""
    own = frame.own
    return bool(own.times.days or own.times.clocks or own.times.rrule) and not own.called_off


def _assignment(frame: Frame, who: Member, told: Told, *, offered: bool = False) -> Hit:
    said = _said_before(frame, who, told) or frame
    share = next((one for one in frame.shares if one.member == who), None)
    if share is not None:
        # Their own part tells for whom and what; what it leaves open is that of the whole message.
        words = share.activity_words or ("" if any(one.activity for one in frame.shares) else frame.activity_words)
        said = replace(frame, children=share.children or frame.children, activity=share.activity, activity_words=words)
    assignee, children = who.name, [one.name for one in said.children]
    task = _task(said, told)
    start, end = _when(said, told.zone)
    value: dict[str, Any] = {"task": task, "assignee": assignee, "for": children}
    value |= {name: found for name, found in (("start", start), ("end", end), ("place", said.place)) if found}
    words = f"{assignee}{' offers' if offered else ''}: {task}{_of(children)}{_at(said, _day(said))}"
    return Hit(
        rule="coordination.offer"
        if offered
        else "coordination.attributed"
        if frame.source is not None
        else "coordination.stated",
        rule_class="coordination",
        explicit=False,
        kind="assignment",
        statement=_within(words, told.longest),
        spans=_spans(frame, told),
        confidence=extraction_confidence(frame),
        anchored=True,
        topic=_topic(said, children),
        tags=(said.type,) if said.type else (),
        value_type="assignment",
        value=value,
        assignee=assignee,
        summary=_within(words, told.longest),
        # A line after a call for help that only its place makes an answer is looked at with care.
        needs_review=offered or not frame.clear,
        valid_from=_moment(said, told.zone),
        expires_at=frame.own.sent_at + told.expires_after,
    )


def _event(frame: Frame, told: Told) -> Hit:
    people = [one.name for one in frame.children]
    start, end = _when(frame, told.zone)
    title = " ".join(part for part in (_of(people, lead=""), frame.activity_words or "appointment") if part).strip()
    value: dict[str, Any] = {"title": title, "people": people, "start": start, "timezone": told.zone}
    value |= {
        name: found for name, found in (("end", end), ("place", frame.place), ("rrule", frame.own.times.rrule)) if found
    }
    words = f"{title}{_at(frame, _day(frame))}"
    return Hit(
        rule="coordination.asked_event" if frame.status == "query" else "coordination.event",
        rule_class="coordination",
        explicit=False,
        kind="event",
        statement=_within(words, told.longest),
        spans=_spans(frame, told),
        confidence=extraction_confidence(frame),
        anchored=True,
        topic=_topic(frame, people),
        tags=(frame.type,) if frame.type else (),
        value_type="event",
        value=value,
        summary=_within(words, told.longest),
        needs_review=frame.status == "query" or not frame.own.times.certain,
        valid_from=_moment(frame, told.zone),
        expires_at=frame.own.sent_at + told.expires_after,
    )


def _spans(frame: Frame, told: Told) -> tuple[Span, ...]:
    """The whole message supports it; the message it answers is its context."""
    spans = [Span(*_trimmed(frame.own.text), 0)]
    if frame.source is not None:
        start, end = _trimmed(told.frames[frame.source].own.text)
        spans.append(Span(start, end, 0, stance="context", source_id=told.ids[frame.source]))
    return tuple(spans)


def _trimmed(text: str) -> tuple[int, int]:
    start = len(text) - len(text.lstrip())
    return start, max(start, len(text.rstrip()))


def _said_before(frame: Frame, who: Member, told: Told) -> Frame | None:
    """The same duty, said by the same person within the hour: sort, days and children agree, so it is the same claim (O12)."""
    for earlier in told.frames:
        if earlier is frame:
            return None
        age = frame.own.sent_at - earlier.own.sent_at
        same = earlier.status == frame.status and who in earlier.assignees and earlier.type == frame.type
        if same and age <= told.repeats_within and earlier.days == frame.days and earlier.children == frame.children:
            return earlier
    return None


def _task(frame: Frame, told: Told) -> str:
    """The duty by its plain name, own or as it was asked for, with the activity it is about."""
    asked = told.frames[frame.source] if frame.source is not None else None
    task = _TASKS[frame.type or "activity_confirm"]
    for one in (asked, frame):
        if one is None or not one.own.duty_at or one.own.duty != frame.type:
            continue
        start, end = one.own.duty_at
        named = TASKS.match(fold_in_place(one.own.text)[start:end])
        if named and named.lastgroup:
            task = named.lastgroup.replace("_", " ")
            break
    return f"{task} ({frame.activity_words})" if frame.activity_words else task


def _when(frame: Frame, zone: str) -> tuple[str, str]:
    """Start and end: with an offset where a clock is known, else the day alone."""
    if not frame.days:
        return "", ""
    clocks = [_on(frame.days[0], clock, zone).isoformat() for clock in frame.clocks[:2]]
    if not clocks:
        return frame.days[0].isoformat(), ""
    later = len(clocks) > 1 and clocks[1] > clocks[0]
    return clocks[0], clocks[1] if later else ""


def _moment(frame: Frame, zone: str) -> datetime | None:
    return _on(frame.days[0], frame.clocks[0], zone) if frame.days and frame.clocks else None


def _on(day: date, clock: str, zone: str) -> datetime:
    return datetime.combine(day, time.fromisoformat(clock), tzinfo=ZoneInfo(zone))


def _day(frame: Frame) -> str:
    return frame.days[0].strftime("%a %Y-%m-%d") if frame.days else ""


def _of(people: Sequence[str], lead: str = ", ") -> str:
    return lead + " and ".join(people) if people else ""


def _at(frame: Frame, day: str) -> str:
    when = " ".join(part for part in (day, frame.clocks[0] if frame.clocks else "") if part)
    return (f", {when}" if when else "") + (f", {frame.place}" if frame.place else "")


def _topic(frame: Frame, people: Sequence[str]) -> str:
    """What two claims about the same duty share: the sort, the people, the activity and the day."""
    day = frame.days[0].isoformat() if frame.days else ""
    return " ".join(part for part in (frame.type, "+".join(sorted(people)).casefold(), frame.activity, day) if part)[
        :200
    ]


def _within(words: str, longest: int) -> str:
    return words if len(words) <= longest else words[: longest - 1].rstrip() + "…"
