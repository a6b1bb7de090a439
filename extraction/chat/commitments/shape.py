"""What was read of one message, in the observer's own shape (O6): plain values that JSON holds."""

from collections.abc import Mapping, Sequence
from typing import Any

from extraction.chat.commitments.frames import OPEN, Frame
from extraction.chat.commitments.scores import extraction_confidence
from extraction.chat.commitments.settings import Attribution

UNSPECIFIED = "unspecified"


def shape_of(
    frame: Frame,
    names: Sequence[str],
    settings: Attribution,
    *,
    tripwire_confidence: float | None = None,
    brain_relevance: float | None = None,
) -> dict[str, Any]:
    """`names` are the ids of the thread's messages, oldest first. What another stage scored is passed on as it is, never
    blended; None where that stage has not run."""
    source = frame.source
    return {
        "is_coordination": bool(frame.status),
        "coordination_type": frame.type or None,
        "status": frame.status or None,
        "dates": [day.isoformat() for day in frame.days],
        "times": list(frame.clocks),
        "assigned_to": [one.name for one in frame.assignees] or ([UNSPECIFIED] if frame.status in OPEN else []),
        "child": [one.name for one in frame.children],
        "activity": frame.activity or None,
        "location": frame.place or None,
        "action_required": _action(frame),
        "extracted_entities": _entities(frame),
        "attribution": {
            "source_message_id": names[source] if source is not None else None,
            "attribution_confidence": attribution_confidence(frame, settings),
        },
        "brain_query_context": None,
        "confidence_scores": {
            "tripwire_confidence": tripwire_confidence,
            "extraction_confidence": extraction_confidence(frame),
            "brain_relevance": brain_relevance,
        },
    }


def attribution_confidence(frame: Frame, settings: Attribution) -> float | None:
    """How sure it is what "I" refers to: found, a guess, or None where the message says all itself."""
    if frame.status not in ("committed", "offered", "declined", "ack"):
        return None
    if frame.source is None:
        return None if frame.own.duty and (frame.own.children or frame.own.activity) else settings.unknown
    return settings.unknown if frame.late else settings.found


def _action(frame: Frame) -> str | None:
    if frame.unassigned:
        return "confirm"
    return (
        "notify" if frame.type == "schedule_change" else "confirm" if frame.status in ("committed", "offered") else None
    )


def _entities(frame: Frame) -> list[Mapping[str, Any]]:
    """Where in the message each thing stands: `start:end` in code points."""
    own = frame.own
    found = [(one.start, one.end, "person") for one in own.mentions]
    found += [(start, end, "time") for start, end in own.times.spans]
    found += [(*own.activity_at, "activity")] if own.activity_at else []
    found += [(*own.duty_at, "duty")] if own.duty_at else []
    return [
        {"type": kind, "text": own.text[start:end], "start": start, "end": end} for start, end, kind in sorted(found)
    ]
