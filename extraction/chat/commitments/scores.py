"""How sure a reading is: this stage's own score, 0 to 1, never mixed with another stage's (law 6)."""

from extraction.chat.commitments.frames import OPEN, Frame

# A guess beyond the window is told, and stays below every sensible gate.
_GUESSED = 0.5
_MOST = 0.95


def extraction_confidence(frame: Frame) -> float:
    """Of what a message does: clear words, a source or a whole of its own, and how much of who, what and when is known."""
    if not frame.status:
        return 0.0
    if frame.status in ("committed", "offered", "declined", "ack", *OPEN):
        whole = bool(frame.own.duty and (frame.own.children or frame.own.activity or frame.own.times.days))
        score = 0.4 + 0.2 * frame.clear + 0.2 * (frame.source is not None or whole or frame.status in OPEN)
        score += 0.1 * bool(frame.children) + 0.05 * (not frame.implied_day) + 0.05 * bool(frame.clocks)
    else:
        score = (
            0.35 + 0.15 * bool(frame.activity) + 0.15 * bool(frame.own.times.days) + 0.15 * bool(frame.own.times.clocks)
        )
        score += 0.1 * bool(frame.children) + 0.05 * (frame.source is not None)
        score -= 0.1 * (frame.status == "query") + 0.05 * (not frame.own.times.certain)
    if frame.guess or (frame.source is not None and frame.late):
        score = min(score, _GUESSED)
    return round(min(score, _MOST), 2)
