"""A household's chat, message by message: assignments, events, and what "I'll do it" answers (O3, O4, O6)."""

import json
from collections.abc import Sequence
from datetime import timedelta

from extraction.chat.commitments import (
    COORDINATION_VERSION,
    Attribution,
    Roster,
    ThreadReader,
    Told,
    Usual,
    claims_of,
    roster,
    shape_of,
)
from extraction.chat.reply_links import Message
from extraction.chat.tripwire import tripwire_of
from extraction.extractors.findings import Extractor, Findings, Reading
from ledger.models import Claim, Gate, Person, Scope, Source
from ledger.packs import PackSet
from ledger.reads.scopes import ancestor_paths

COORDINATION = "coordination"
_MAX_USUAL = 200
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
        settings = attribution_of(reading.packs)
        source = reading.source
        before = [one for one in reading.thread if one.sent_at is not None and one.kind == "message"]
        before = before[-settings.messages :]
        people = people_in(reading.people, [*before, source])
        tripwire = tripwire_of(reading.packs)
        reader = ThreadReader(people, reading.scope.timezone, settings, usual_in(reading.scope), tripwire)
        passed = _passed([*before, source])
        for one in before:
            reader.read(one, passed=passed.get(one.pk, True), sure=passed.get(one.pk, False))
        frame = reader.read(source if source.sent_at else _now(source), sure=passed.get(source.pk, False))
        ids = [*(one.pk for one in before), 0]
        told = Told(
            ids,
            reader.frames,
            reading.scope.timezone,
            longest=int(reading.packs.setting("observer", "summary_chars", 140)),
            expires_after=timedelta(hours=float(reading.packs.setting("observer", "expire_hours", 48))),
            repeats_within=timedelta(minutes=float(reading.packs.setting("observer", "repeat_minutes", 60))),
        )
        shape = shape_of(
            frame,
            [str(one.external_id or one.pk) for one in (*before, source)],
            settings,
            tripwire_confidence=_tripwire(source),
        )
        hits = claims_of(frame, told, settings) if source.sender_kind == "user" or frame.status == "inform" else []
        return Findings(
            hits,
            raw_answer=json.dumps(shape, ensure_ascii=False, sort_keys=True),
            stats={"coordination": int(frame.coordinates), "attributed": int(frame.source is not None)},
        )


def attribution_of(packs: PackSet) -> Attribution:
    """The pack's `[attribution]`, each number with its default."""
    return Attribution(
        window=int(packs.setting("attribution", "window_s", 600)),
        question_window=int(packs.setting("attribution", "question_window_s", 900)),
        found=float(packs.setting("attribution", "found", 0.85)),
        unknown=float(packs.setting("attribution", "unknown", 0.3)),
    )


def people_in(people: Sequence[Person], messages: Sequence[Source]) -> Roster:
    """The people of the scope; who speaks as an agent, a tool or the system is a bot, whatever its name."""
    known = [(one.name, list(one.aliases), one.role) for one in people]
    bots = {one.sender for one in messages if one.sender and one.sender_kind != "user"}
    return roster([*[(name, [], "bot") for name in sorted(bots)], *known])


def usual_in(scope: Scope) -> list[Usual]:
    """What is confirmed to happen every week here: it tells which child an activity is of. One query."""
    rows = Claim.objects.filter(
        scope__path__in=ancestor_paths(scope.path), kind="event", status="active", value__rrule__startswith="FREQ=WEEKLY"
    ).order_by("-id")[:_MAX_USUAL]  # fmt: skip
    return [
        Usual(
            tuple(str(name) for name in value.get("people") or []),
            str(value.get("title") or ""),
            str(value.get("place") or ""),
            frozenset(at for at, day in enumerate(_WEEKDAYS) if day in _days_of(str(value.get("rrule")))),
        )
        for claim in rows
        if isinstance(value := claim.value, dict)
    ]


def _days_of(rule: str) -> list[str]:
    return rule.partition("BYDAY=")[2].partition(";")[0].split(",")


def _now(source: Source) -> Message:
    """A message that came without its time was said when it came."""
    return Message(source.sender, source.text, source.created_at, source.external_id, source.reply_to)


def _passed(messages: Sequence[Source]) -> dict[int, bool]:
    """Whether the tripwire let each of them pass; without those that none has judged."""
    rows = Gate.objects.filter(source__in=[one.pk for one in messages], stage="tripwire").order_by("id")
    return dict(rows.values_list("source_id", "passed"))


def _tripwire(source: Source) -> float | None:
    gate = Gate.objects.filter(source=source, stage="tripwire").order_by("-id").first()
    return gate.score if gate else None
