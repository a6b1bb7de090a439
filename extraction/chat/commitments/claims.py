"""From a reading to claims: an assignment somebody took, an event that was told. Exact spans, the question as context."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from extraction.chat.commitments.dialogue_acts import DialogueAct
from extraction.chat.commitments.lexicon import TASKS
from extraction.chat.commitments.observer_shape import extraction_confidence
from extraction.chat.people import HouseholdMember
from extraction.extractors.documents.hits import Hit, Span
from ledger.language.fold import fold_in_place

_TASKS = {
    "transport": "transport",
    "care_coverage": "look after",
    "schedule_change": "see to the change",
    "activity_confirm": "be there",
}
_MAX_TOPIC = 200


@dataclass(frozen=True, slots=True)
class CitedThread:
    """The texts of a thread as the claims cite them: `ids[n]` is the source id of message n, 0 for the one that is read."""

    ids: Sequence[int]
    acts: Sequence[DialogueAct]
    zone: str
    max_chars: int = 140
    expires_after: timedelta = timedelta(hours=48)
    repeats_within: timedelta = timedelta(hours=1)


def claims_of(act: DialogueAct, thread: CitedThread) -> list[Hit]:
    """The assignment of each person who takes one, or the event that is told; nothing for what only asks or refuses."""
    if act.status == "committed" or (act.status == "offered" and act.clear):
        return [_assignment(act, one, thread) for one in act.assignees]
    return [_event(act, thread)] if _is_event(act) else []


def _is_event(act: DialogueAct) -> bool:
    """News of an activity or a change with a day or a clock of its own, and not that something is off."""
    if act.status not in ("inform", "query") or act.utterance.shows("called_off"):
        return False
    times = act.utterance.times
    dated = bool(times.days or times.clocks or times.rrule)
    return dated and (bool(act.activity) or act.type == "schedule_change")


def _assignment(act: DialogueAct, who: HouseholdMember, thread: CitedThread) -> Hit:
    said = _part_of(act, who, _said_before(act, who, thread))
    offered = act.status == "offered"
    rule = "offer" if offered else "attributed" if act.source is not None else "stated"
    children = [one.name for one in said.children]
    task = _task(said, thread)
    start, end = _when(said, thread.zone)
    value = {"task": task, "assignee": who.name, "for": children} | _given(start=start, end=end, place=said.place)
    words = f"{who.name}{' offers' * offered}: {task}{_of(children)}{_at(said)}"
    # A line after a call for help that only its place makes an answer is looked at with care.
    return _hit(
        act, said, thread, kind="assignment", rule=f"coordination.{rule}", words=words, value=value, people=children,
        assignee=who.name, needs_review=offered or not act.clear,
    )  # fmt: skip


def _event(act: DialogueAct, thread: CitedThread) -> Hit:
    people = [one.name for one in act.children]
    start, end = _when(act, thread.zone)
    title = " ".join(filter(None, (" and ".join(people), act.activity_words or "appointment"))).strip()
    value = {"title": title, "people": people, "start": start, "timezone": thread.zone}
    value |= _given(end=end, place=act.place, rrule=act.utterance.times.rrule)
    asked = act.status == "query"
    return _hit(
        act, act, thread, kind="event", rule=f"coordination.{'asked_' * asked}event", words=f"{title}{_at(act)}", value=value,
        people=people, needs_review=asked or not act.utterance.times.certain,
    )  # fmt: skip


def _hit(
    act: DialogueAct, said: DialogueAct, thread: CitedThread, *, kind: str, rule: str, words: str, value: Mapping[str, Any],
    people: Sequence[str], needs_review: bool, assignee: str = "",
) -> Hit:  # fmt: skip
    """`said` is the act whose content is claimed: `act`, or one before it that said the same."""
    words = _within(words, thread.max_chars)
    return Hit(
        rule=rule,
        rule_class="coordination",
        explicit=False,
        kind=kind,
        statement=words,
        spans=_spans(act, thread),
        confidence=extraction_confidence(act),
        anchored=True,
        topic=_topic(said, people),
        tags=tuple(filter(None, [said.type])),
        value_type=kind,
        value=value,
        assignee=assignee,
        summary=words,
        needs_review=needs_review,
        valid_from=next((_on(said.days[0], clock, thread.zone) for clock in said.clocks if said.days), None),
        expires_at=_decidable_until(act, said, thread),
    )


def _decidable_until(act: DialogueAct, said: DialogueAct, thread: CitedThread) -> datetime:
    """What nobody decided goes after its time; what is still to come not before its last day is over."""
    return max([act.utterance.sent_at + thread.expires_after, *(_on(day, "23:59", thread.zone) for day in said.days)])


def _spans(act: DialogueAct, thread: CitedThread) -> tuple[Span, ...]:
    """The whole message supports it; the message it answers is its context."""
    spans = [Span(*_trimmed(act.utterance.text), 0)]
    if act.source is not None:
        start, end = _trimmed(thread.acts[act.source].utterance.text)
        spans.append(Span(start, end, 0, stance="context", source_id=thread.ids[act.source]))
    return tuple(spans)


def _trimmed(text: str) -> tuple[int, int]:
    start = len(text) - len(text.lstrip())
    return start, max(start, len(text.rstrip()))


def _said_before(act: DialogueAct, who: HouseholdMember, thread: CitedThread) -> DialogueAct:
    """The same duty, said by the same person within the hour: sort, days and children agree, so it is the same claim (O12).
    Else the act itself, the last of the thread."""
    since = act.utterance.sent_at - thread.repeats_within
    same = (act.status, act.type, act.days, act.children)
    return next(
        one for one in thread.acts
        if one is act or (who in one.assignees and one.utterance.sent_at >= since
                          and (one.status, one.type, one.days, one.children) == same)
    )  # fmt: skip


def _part_of(act: DialogueAct, who: HouseholdMember, said: DialogueAct) -> DialogueAct:
    """Where everybody got a part, theirs tells for whom and what; what it leaves open is that of the whole message."""
    share = next((one for one in act.shares if one.member == who), None)
    if share is None:
        return said
    common = "" if any(one.activity for one in act.shares) else act.activity_words
    return replace(
        act,
        children=share.children or act.children,
        activity=share.activity,
        activity_words=share.activity_words or common,
    )


def _task(act: DialogueAct, thread: CitedThread) -> str:
    """The duty by its plain name, as it was asked for or in its own words, with the activity it is about."""
    asked = [] if act.source is None else [thread.acts[act.source]]
    names = [_task_named(one, act.type) for one in (*asked, act)]
    task = next(filter(None, names), _TASKS[act.type or "activity_confirm"])
    return f"{task} ({act.activity_words})" if act.activity_words else task


def _task_named(act: DialogueAct, duty: str) -> str:
    own = act.utterance
    if own.duty_at is None or own.duty != duty:
        return ""
    named = TASKS.match(fold_in_place(own.text)[slice(*own.duty_at)])
    return (named.lastgroup or "").replace("_", " ") if named else ""


def _when(act: DialogueAct, zone: str) -> tuple[str, str]:
    """Start and end: with an offset where a clock is known, else the day alone."""
    if not act.days:
        return "", ""
    start, *later = [_on(act.days[0], clock, zone).isoformat() for clock in act.clocks[:2]] or [act.days[0].isoformat()]
    return start, next((end for end in later if end > start), "")


def _on(day: date, clock: str, zone: str) -> datetime:
    return datetime.combine(day, time.fromisoformat(clock), tzinfo=ZoneInfo(zone))


def _given(**named: str) -> dict[str, str]:
    return {name: value for name, value in named.items() if value}


def _of(people: Sequence[str]) -> str:
    return f", {' and '.join(people)}" if people else ""


def _at(act: DialogueAct) -> str:
    day = [f"{one:%a %Y-%m-%d}" for one in act.days[:1]]
    when = " ".join([*day, *act.clocks[:1]])
    return "".join(f", {part}" for part in (when, act.place) if part)


def _topic(act: DialogueAct, people: Sequence[str]) -> str:
    """What two claims about the same duty share: the sort, the people, the activity and the day."""
    day = "".join(one.isoformat() for one in act.days[:1])
    parts = (act.type, "+".join(sorted(people)).casefold(), act.activity, day)
    return " ".join(filter(None, parts))[:_MAX_TOPIC]


def _within(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"
