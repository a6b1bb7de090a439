"""A stored thread read again: what the observer would have said, each message with nothing later in sight, time passing as the
messages' own times say."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from extraction.chat.commitments import ThreadReader
from extraction.chat.commitments.extractor import attribution_of, people_in, routines_in, tripwire_gates
from extraction.chat.messages import ChatMessage
from extraction.chat.tripwire import tripwire_of
from extraction.observer.known import KnownCalendar
from extraction.observer.settings import settings_of
from extraction.observer.watcher import Spoken, ThreadWatcher
from extraction.observer.wording import language_of, notice_text
from ledger.models import Conversation, Evidence, Gate, Scope, Source
from ledger.packs import PackSet
from ledger.reads.calendar import calendar_entries
from ledger.reads.packs import packs_of
from ledger.reads.scopes import people_of
from ledger.reads.thread import MAX_MESSAGES

END_OF_TIME = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class NoticeFound:
    """One notice, after the message `after`; `matter` tells it from the others of its thread, and stays the same when the thread
    is read again. `refs` are the claims that were compared: of the calendar, and those that rest on the messages."""

    after: Source
    rule: str
    text: str
    refs: tuple[str, ...]
    messages: tuple[Source, ...]
    matter: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Replayed:
    """`silence` says of each message, by its id, why nothing was said after it."""

    messages: Sequence[Source]
    notices: Sequence[NoticeFound]
    gates: Mapping[int, Gate]
    silence: Mapping[int, str]


def replay(scope: Scope, conversation: Conversation, *, until: datetime = END_OF_TIME) -> Replayed:
    """The last 200 messages of a thread; `until`: how far time has passed since the last of them."""
    packs = packs_of(scope)
    messages = messages_of(conversation)
    watcher = watched(scope, messages, packs, until)
    claims = _claims_on(messages)
    language = language_of(one.text for one in messages)
    notices = [_notice(one, messages, claims, watcher, language) for one in watcher.spoken]
    gates = tripwire_gates(messages)
    spoken_after = {one.after.pk for one in notices}
    silence = {
        one.pk: _why_silent(plan.act.status, gates.get(one.pk))
        for one, plan in zip(messages, watcher.plans, strict=True)
        if one.pk not in spoken_after
    }
    return Replayed(messages, notices, gates, silence)


def messages_of(conversation: Conversation) -> list[Source]:
    """Oldest first; of an edited one its newest text."""
    rows = Source.objects.filter(conversation=conversation, kind="message", purged_at=None)
    newest_first = list(rows.order_by("-position", "-id")[:MAX_MESSAGES])
    replaced = {row.replaces_id for row in newest_first}
    return [row for row in reversed(newest_first) if row.pk not in replaced]


def watched(scope: Scope, messages: Sequence[Source], packs: PackSet, until: datetime) -> ThreadWatcher:
    people = people_in(people_of(scope), messages)
    known = KnownCalendar(calendar_entries(scope), people.members, scope.timezone, _told_at(messages))
    reader = ThreadReader(people, scope.timezone, attribution_of(packs), routines_in(scope), tripwire_of(packs))
    watcher = ThreadWatcher(known, settings_of(packs.contents))
    gates = tripwire_gates(messages)
    for one in messages:
        passed = gates[one.pk].passed if one.pk in gates else None
        said = ChatMessage(one.sender, one.text, one.sent_at or one.created_at, one.external_id, one.reply_to)
        watcher.read(reader.read(said, passed=passed is not False, sure=passed is True))
    watcher.wait_until(until)
    return watcher


def _told_at(messages: Sequence[Source]) -> dict[str, int]:
    """The last place in the thread that each claim rests on. One query."""
    place = {one.pk: at for at, one in enumerate(messages)}
    rows = Evidence.objects.filter(source__in=list(place), stance="supports").values_list("claim__ref", "source_id")
    told = sorted((place[source], ref) for ref, source in rows)
    return {ref: at for at, ref in told}


def _claims_on(messages: Sequence[Source]) -> Mapping[int, list[str]]:
    rows = Evidence.objects.filter(source__in=[one.pk for one in messages], stance="supports")
    found: dict[int, list[str]] = defaultdict(list)
    for source, ref in rows.order_by("claim_id").values_list("source_id", "claim__ref"):
        found[source].append(ref)
    return found


def _notice(
    spoken: Spoken, messages: Sequence[Source], claims: Mapping[int, list[str]], watcher: ThreadWatcher, language: str
) -> NoticeFound:
    found = spoken.finding
    compared = tuple(messages[at] for at in found.messages)
    theirs = [ref for one in compared for ref in claims.get(one.pk, [])]
    zone: ZoneInfo = watcher.calendar.zone
    first = compared[0]
    return NoticeFound(
        after=messages[spoken.after],
        rule=found.rule,
        text=notice_text(found, language=language, zone=zone, settings=watcher.settings),
        refs=tuple(dict.fromkeys([*found.refs, *theirs])),
        messages=compared,
        matter=f"{found.rule} {found.day} {first.external_id or first.pk}"[:300],
        at=spoken.at,
    )


def _why_silent(status: str, gate: Gate | None) -> str:
    if gate is not None and not gate.passed:
        return "the tripwire stopped it"
    if not status:
        return "it coordinates nothing"
    return "no conflict and nothing open"
