"""A household's chat, message by message: assignments, events, and what "I'll do it" answers (O3, O4, O6)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from extraction.chat.commitments import (
    COORDINATION_VERSION,
    AttributionSettings,
    CitedThread,
    Roster,
    ThreadReader,
    WeeklyRoutine,
    claims_of,
    shape_of,
)
from extraction.chat.commitments.dialogue_acts import DialogueAct
from extraction.chat.messages import ChatMessage
from extraction.chat.people import BOT, HouseholdMember
from extraction.chat.tripwire import tripwire_of
from extraction.extractors.documents.hits import Hit
from extraction.extractors.findings import Extractor, Findings, Reading
from extraction.observer.brain_queries import ask_about, limits_of
from extraction.observer.brain_remote import remote_brain
from extraction.observer.changes import may_change_something, occurrence_changes
from extraction.observer.known import KnownCalendar
from ledger.models import Claim, Gate, Person, Scope, Source
from ledger.packs import PackSet
from ledger.reads.calendar import calendar_entries
from ledger.reads.scopes import ancestor_paths

COORDINATION = "coordination"
_MAX_ROUTINES = 200
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


class CoordinationExtractor(Extractor):
    """Reads chat messages of people; what bots post is told, and assigns nobody."""

    name = COORDINATION
    version = COORDINATION_VERSION
    stage = "extraction"
    threshold = 0.6
    kinds = frozenset({"message"})

    def read(self, reading: Reading) -> Findings:
        """The claims of one message. `raw_answer` is what was understood of it, as JSON in the observer's shape."""
        message = read_message(reading)
        act, source = message.act, reading.source
        names = [str(one.external_id or one.pk) for one in (*message.before, source)]
        brain = ask_about(
            act, reading.scope, limits_of(reading.packs), now=act.utterance.sent_at,
            remote=remote_brain(reading.scope, reading.packs),
        )  # fmt: skip
        shape = shape_of(
            act, names, message.settings, tripwire_confidence=message.gate.score if message.gate else None,
            brain=brain.as_json, brain_relevance=brain.relevance,
        )  # fmt: skip
        hits = found_in(act, reading, message.before, message.acts) if _may_claim(source, act) else []
        return Findings(
            hits,
            scores=brain.scores,
            raw_answer=json.dumps(shape, ensure_ascii=False, sort_keys=True),
            stats={"coordination": int(act.coordinates), "attributed": int(act.source is not None)},
        )


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A message as the rules understand it in its thread: its act is the last of `acts`."""

    act: DialogueAct
    acts: Sequence[DialogueAct]
    before: Sequence[Source]
    people: Roster
    settings: AttributionSettings
    gate: Gate | None


def read_message(reading: Reading) -> ReadMessage:
    settings = attribution_of(reading.packs)
    source, before = reading.source, messages_before(reading, settings.messages)
    gates, people = tripwire_gates([*before, source]), people_in(reading.people, [*before, source])
    reader = ThreadReader(
        people, reading.scope.timezone, settings, routines_in(reading.scope), tripwire_of(reading.packs)
    )  # fmt: skip
    for one in before:
        gate = gates.get(one.pk)
        reader.read(one, passed=gate is None or gate.passed, sure=gate is not None and gate.passed)
    own = gates.get(source.pk)
    act = reader.read(_dated(source), sure=own is not None and own.passed)
    return ReadMessage(act, reader.acts, before, people, settings, own)


def found_in(act: DialogueAct, reading: Reading, before: Sequence[Source], acts: Sequence[DialogueAct]) -> list[Hit]:
    """What is called off or moved of something known, in place of an event of its own; else what is told and taken on."""
    thread = cited(reading, before, acts)
    said = claims_of(act, thread)
    if not may_change_something(act):
        return said
    people = people_in(reading.people, [*before, reading.source]).members
    calendar = KnownCalendar(calendar_entries(reading.scope), people, reading.scope.timezone)
    changes = occurrence_changes(act, calendar, max_chars=thread.max_chars, expires_after=thread.expires_after)
    return [*changes, *(hit for hit in said if hit.kind != "event")] if changes else said


def _may_claim(source: Source, act: DialogueAct) -> bool:
    return source.sender_kind == "user" or act.status == "inform"


def messages_before(reading: Reading, most: int) -> list[Source]:
    return [one for one in reading.thread if one.sent_at is not None and one.kind == "message"][-most:]


def attribution_of(packs: PackSet) -> AttributionSettings:
    """The pack's `[attribution]`, each number with its default."""
    return AttributionSettings(
        window=int(packs.setting("attribution", "window_s", 600)),
        question_window=int(packs.setting("attribution", "question_window_s", 900)),
        found=float(packs.setting("attribution", "found", 0.85)),
        unknown=float(packs.setting("attribution", "unknown", 0.3)),
    )


def cited(reading: Reading, before: Sequence[Source], acts: Sequence[DialogueAct]) -> CitedThread:
    """The thread as claims cite it, with what the pack's `[observer]` says of them."""
    packs = reading.packs
    return CitedThread(
        [*(one.pk for one in before), 0],
        acts,
        reading.scope.timezone,
        max_chars=int(packs.setting("observer", "summary_chars", 140)),
        expires_after=timedelta(hours=float(packs.setting("observer", "expire_hours", 48))),
        repeats_within=timedelta(minutes=float(packs.setting("observer", "repeat_minutes", 60))),
    )


def people_in(people: Sequence[Person], messages: Sequence[Source]) -> Roster:
    """The people of the scope; who speaks as an agent, a tool or the system is a bot, whatever its name."""
    bots = {one.sender for one in messages if one.sender and one.sender_kind != "user"}
    known = [HouseholdMember(one.name, tuple(one.aliases), one.role) for one in people]
    return Roster((*(HouseholdMember(name, (), BOT) for name in sorted(bots)), *known))


def routines_in(scope: Scope) -> list[WeeklyRoutine]:
    """What is confirmed to happen every week here: it tells which child an activity is of. One query."""
    rows = Claim.objects.filter(
        scope__path__in=ancestor_paths(scope.path), kind="event", status="active", value__rrule__startswith="FREQ=WEEKLY"
    ).order_by("-id")  # fmt: skip
    return [_routine(value) for value in rows.values_list("value", flat=True)[:_MAX_ROUTINES] if value]


def _routine(event: Mapping[str, Any]) -> WeeklyRoutine:
    days = event["rrule"].partition("BYDAY=")[2].partition(";")[0].split(",")
    return WeeklyRoutine(
        tuple(str(name) for name in event.get("people") or ()),
        str(event.get("title") or ""),
        str(event.get("place") or ""),
        frozenset(at for at, day in enumerate(_WEEKDAYS) if day in days),
    )


def _dated(source: Source) -> Source | ChatMessage:
    """A message that came without its time was said when it came."""
    if source.sent_at is not None:
        return source
    return ChatMessage(source.sender, source.text, source.created_at, source.external_id, source.reply_to)


def tripwire_gates(messages: Sequence[Source]) -> dict[int, Gate]:
    """What the tripwire said last of each of them; without those that it has not judged. One query."""
    rows = Gate.objects.filter(source__in=[one.pk for one in messages], stage="tripwire").order_by("id")
    return {gate.source_id: gate for gate in rows if gate.source_id}
