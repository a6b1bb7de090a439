"""What was read of one message, in the observer's own shape (O6), and how sure that is: plain values that JSON holds."""

from collections.abc import Mapping, Sequence
from typing import Any

from extraction.chat.commitments.dialogue_acts import SETTLED, DialogueAct, says_all
from extraction.chat.commitments.thread import AttributionSettings

UNSPECIFIED = "unspecified"
# What a message of this kind wants of its readers.
_WANTED = {"schedule_change": "notify"}
# A guess beyond the window is told, and stays below every sensible gate.
_MAX_GUESSED = 0.5
_MAX_CONFIDENCE = 0.95


def shape_of(
    act: DialogueAct,
    names: Sequence[str],
    settings: AttributionSettings,
    *,
    tripwire_confidence: float | None = None,
    brain: Mapping[str, Any] | None = None,
    brain_relevance: float | None = None,
) -> dict[str, Any]:
    """`names` are the ids of the thread's messages, oldest first. What another stage scored is passed on as it is, never
    blended; None where that stage has not run."""
    return {
        "is_coordination": act.coordinates,
        "coordination_type": act.type or None,
        "status": act.status or None,
        "dates": [day.isoformat() for day in act.days],
        "times": list(act.clocks),
        "assigned_to": [one.name for one in act.assignees] or [UNSPECIFIED] * act.is_open,
        "child": [one.name for one in act.children],
        "activity": act.activity or None,
        "location": act.place or None,
        "action_required": _action(act),
        "extracted_entities": _entities(act),
        "attribution": {
            "source_message_id": names[act.source] if act.source is not None else None,
            "attribution_confidence": attribution_confidence(act, settings),
        },
        "brain_query_context": brain,
        "confidence_scores": {
            "tripwire_confidence": tripwire_confidence,
            "extraction_confidence": extraction_confidence(act),
            "brain_relevance": brain_relevance,
        },
    }


def attribution_confidence(act: DialogueAct, settings: AttributionSettings) -> float | None:
    """How sure it is what "I" refers to: found, a guess, or None where the message says all itself."""
    if act.status != "offered" and act.status not in SETTLED:
        return None
    if act.source is None and says_all(act.utterance):
        return None
    return settings.unknown if act.source is None or act.late else settings.found


def extraction_confidence(act: DialogueAct) -> float:
    """Of what a message does, 0 to 1, this stage's own score and never mixed with another's (law 6): clear words, a source
    or a whole of its own, and how much of who, what and when is known."""
    if not act.status:
        return 0.0
    weigh = _weight_of_news if act.status in ("inform", "query") else _weight_of_answer
    most = _MAX_GUESSED if act.guess or (act.source is not None and act.late) else _MAX_CONFIDENCE
    return round(min(weigh(act), most), 2)


def _weight_of_answer(act: DialogueAct) -> float:
    own, answers = act.utterance, act.source is not None or act.is_open
    whole = own.shows("duty") and own.shows("children", "activity", "days")
    return (
        0.4 + 0.2 * act.clear + 0.2 * (answers or whole) + 0.1 * bool(act.children)
        + 0.05 * (not act.implied_day) + 0.05 * bool(act.clocks)
    )  # fmt: skip


def _weight_of_news(act: DialogueAct) -> float:
    times = act.utterance.times
    return (
        0.35 + 0.15 * bool(act.activity) + 0.15 * bool(times.days) + 0.15 * bool(times.clocks) + 0.1 * bool(act.children)
        + 0.05 * (act.source is not None) - 0.1 * (act.status == "query") - 0.05 * (not times.certain)
    )  # fmt: skip


def _action(act: DialogueAct) -> str | None:
    confirms = "confirm" if act.status in ("committed", "offered") else None
    return "confirm" if act.unassigned else _WANTED.get(act.type, confirms)


def _entities(act: DialogueAct) -> list[Mapping[str, Any]]:
    """Where in the message each thing stands: `start:end` in code points."""
    own = act.utterance
    found = [(one.start, one.end, "person") for one in own.mentions]
    found += [(start, end, "time") for start, end in own.times.spans]
    named = ((own.activity_at, "activity"), (own.duty_at, "duty"))
    found += [(*place, kind) for place, kind in named if place]
    return [
        {"type": kind, "text": own.text[start:end], "start": start, "end": end} for start, end, kind in sorted(found)
    ]
